"""Files of a user's own: a correlation of signs, pooling weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from theory.algebra import Answer
from theory.pooled import correlations
from verify.numerals import decimal, fraction, shown
from verify.sequences import Correlated, Signs
from verify.weighting import Weights

# Positions tied to each other up to here are put to the exact test of `theory`; of more, not.
_EXACT = 6
# Entries are taken as rounded to this.
_ROUNDING = 1e-9
# Weights matter up to a factor, and this keeps the powers of all of them within doubles.
_RANGE = 10**60


def read_correlation(path: Path, T: int) -> Signs:
    """A correlation matrix of signs from a .npy or .csv file, checked.

    Entries are taken as rounded to 1e-9. Signs that make R are looked for among at most 6
    positions that are tied to each other; more of them are held to the triangle inequalities.

    Raises
    ------
    ValueError : it is no T × T matrix, not symmetric, without unit diagonal, not positive
        semidefinite, or no correlation of signs.
    """
    rows = _table(path, "R")
    if len(rows) != T or any(len(row) != T for row in rows):
        shape = f"{len(rows)} × {len(rows[0])}" if len(set(map(len, rows))) == 1 else "ragged rows"
        raise ValueError(f"R must be {T} × {T}, one row per position: got {shape}")
    for s, row in enumerate(rows):
        for t, x in enumerate(row):
            if s != t and abs(x) > 1 + Fraction(_ROUNDING):
                raise ValueError(f"R must have entries in -1..1: got R[{s},{t}] = {shown(x)}")
    matrix = np.array([[float(x) if abs(x) < _RANGE else np.inf for x in row] for row in rows])
    _check_correlation(matrix)
    for part in _tied(matrix):
        refusal = _refusal(matrix[np.ix_(part, part)])
        if refusal:
            among = ", ".join(map(str, part))
            raise ValueError(
                f"R must be a correlation of signs: got, at positions {among}, {refusal}"
            )
    return Correlated(f"R from {path.name}", T, matrix)


def realisable(R: NDArray[np.float64]) -> bool | None:
    """Is a checked R a correlation of signs: yes, or not decided here?

    Up to 6 tied positions were put to the exact test; more of them are made by thresholding a
    Gaussian vector where sin(πR/2) is positive semidefinite.
    """
    for part in _tied(R):
        if len(part) > _EXACT:
            least = np.linalg.eigvalsh(np.sin(R[np.ix_(part, part)] * (np.pi / 2)))[0]
            if least < -_ROUNDING * len(part):
                return None
    return True


def _tied(R: NDArray[np.float64]) -> list[list[int]]:
    """Classes of positions tied by correlations; of equal or opposite ones, the first."""
    same = np.abs(R) >= 1 - _ROUNDING
    kept = np.flatnonzero(~np.tril(same, -1).any(axis=1))
    _, labels = connected_components(np.abs(R[np.ix_(kept, kept)]) > _ROUNDING, directed=False)
    return [kept[labels == k].tolist() for k in range(labels.max() + 1)]


def _refusal(part: NDArray[np.float64]) -> str:
    """An inequality that no signs break and this correlation does, by more than rounding."""
    if len(part) > _EXACT:
        return ""
    entries = sp.ImmutableMatrix(
        len(part), len(part), lambda s, t: sp.Rational(decimal(float(part[s, t])))
    )
    found = correlations.realisable(entries)
    if found.answer is not Answer.NO:
        return ""
    # Towards independent signs by the rounding: there a true correlation is no longer at the edge.
    off = 1 - sp.Rational(Fraction(_ROUNDING))
    inner = entries.applyfunc(lambda x: x if x == 1 else off * x)
    return found.reason if correlations.realisable(inner).answer is Answer.NO else ""


def read_weights(path: Path, T: int) -> Weights:
    """T pooling weights from a .npy or .csv file, as a row or as a column.

    Raises ValueError for another shape, entries that are no finite numbers, only zeros, or a
    largest entry outside 1e-60..1e60.
    """
    rows = _table(path, "weights")
    flat = rows[0] if len(rows) == 1 else [row[0] for row in rows if len(row) == 1]
    if len(flat) != T or (len(rows) > 1 and len(flat) != len(rows)):
        shape = (len(rows), len(rows[0])) if len(rows) > 1 else (len(rows[0]),)
        raise ValueError(f"weights must have shape ({T},), one per position: got {shape}")
    if not any(flat):
        raise ValueError("weights must not all be 0")
    largest = max(map(abs, flat))
    if not Fraction(1, _RANGE) <= largest <= _RANGE:
        raise ValueError(f"weights must have a largest entry in 1e-60..1e60: got {shown(largest)}")
    return Weights.of(flat)


def _check_correlation(R: NDArray[np.float64]) -> None:
    off = np.abs(R - R.T)
    if off.max() > _ROUNDING:
        s, t = map(int, np.unravel_index(off.argmax(), R.shape))
        raise ValueError(
            f"R must be symmetric: got R[{s},{t}] = {R[s, t]:.6g}, R[{t},{s}] = {R[t, s]:.6g}"
        )
    diagonal = np.abs(np.diag(R) - 1)
    if diagonal.max() > _ROUNDING:
        t = int(diagonal.argmax())
        raise ValueError(f"R must have a unit diagonal: got R[{t},{t}] = {R[t, t]:.6g}")
    least = np.linalg.eigvalsh(R)[0]
    if least < -_ROUNDING * len(R):
        raise ValueError(f"R must be positive semidefinite: got an eigenvalue {least:.3g}")
    for t in range(len(R)):
        # |R_st + R_tu| ≤ 1 + R_su and |R_st − R_tu| ≤ 1 − R_su for signs at s, t, u.
        row = R[t]
        sums, gaps = np.add.outer(row, row), np.subtract.outer(row, row)
        excess = np.maximum(np.abs(sums) - 1 - R, np.abs(gaps) - 1 + R)
        if excess.max() > _ROUNDING:
            s, u = map(int, np.unravel_index(excess.argmax(), R.shape))
            raise ValueError(
                f"R must be a correlation of signs: got R[{s},{t}] = {R[s, t]:.6g}, "
                f"R[{t},{u}] = {R[t, u]:.6g}, R[{s},{u}] = {R[s, u]:.6g}, which no three signs have"
            )


def _table(path: Path, name: str) -> list[list[Fraction]]:
    if path.suffix not in (".npy", ".csv"):
        raise ValueError(f"{name} must be a .npy or .csv file: got {str(path)!r}")
    try:
        if path.suffix == ".npy":
            array = np.load(path, allow_pickle=False)
        else:
            text = path.read_text(encoding="utf-8")
    except (OSError, ValueError, EOFError) as failure:
        reason = getattr(failure, "strerror", None) or "not a readable file of numbers"
        raise ValueError(f"{name} must be a readable file: got {str(path)!r} ({reason})") from None
    if path.suffix == ".csv":
        lines = [line.split(",") for line in text.splitlines() if line.strip()]
        rows: Sequence[Sequence[object]] = lines
    elif array.ndim in (1, 2) and array.dtype.kind in "fiu":
        rows = np.atleast_2d(array).tolist()
    else:
        raise ValueError(
            f"{name} must be a vector or a matrix of real numbers: got shape {array.shape}, "
            f"dtype {array.dtype}"
        )
    if not rows or not rows[0]:
        raise ValueError(f"{name} must not be empty: got {str(path)!r}")
    return [
        [_entry(x, f"{name}[{s},{t}]") for t, x in enumerate(row)] for s, row in enumerate(rows)
    ]


def _entry(value: object, name: str) -> Fraction:
    if isinstance(value, float):
        if not np.isfinite(value):
            raise ValueError(f"{name} must be finite: got {value}")
        return decimal(value)
    return fraction(str(value), name)
