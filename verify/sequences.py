"""What a user says of the sequences, read exactly: signs, their correlation, weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh_tridiagonal

from numerics.pooling import top_weights
from theory.algebra import Answer, exact
from theory.pooled import correlations

Weights = tuple[Fraction, ...]

# Up to here a correlation is checked exactly; beyond, in double precision.
_EXACT = 6
_ROUNDING = 1e-9
# No size needs more digits, and more take long to read.
_LONGEST = 40


class Signs(Protocol):
    """The signs of a sequence: what they make of weights, and which are best for them."""

    @property
    def says(self) -> str:
        """The signs in words."""

    @property
    def T(self) -> int:
        """The length of a sequence."""

    def signal(self, w: Weights) -> Fraction:
        """α = wᵀRw."""

    def optimum(self) -> Weights:
        """A top eigenvector of R, of sum 1 where its sum is not 0."""

    @property
    def label(self) -> range | None:
        """The block whose shared sign can serve as a label, if there is one."""


@dataclass(frozen=True)
class Block:
    """A block of positions (from 0) that share a sign; the others have their own."""

    says: str
    T: int
    label: range

    def signal(self, w: Weights) -> Fraction:
        """α = wᵀRw, without forming R."""
        inside = sum((w[t] for t in self.label), Fraction(0))
        squares = sum((w[t] ** 2 for t in self.label), Fraction(0))
        return inside**2 + sum((x * x for x in w), Fraction(0)) - squares

    def optimum(self) -> Weights:
        """All mass on the block, evenly; one of many where the block has one position."""
        share = Fraction(1, len(self.label))
        return tuple(share if t in self.label else Fraction(0) for t in range(self.T))


@dataclass(frozen=True)
class Chain:
    """R = r^|s−t|."""

    says: str
    T: int
    r: Fraction
    label: range | None = None

    def signal(self, w: Weights) -> Fraction:
        """α = wᵀRw, by one pass over the chain."""
        carried, total = 0.0, 0.0
        for x in map(float, w):
            total += x * (x + 2 * carried)
            carried = float(self.r) * (carried + x)
        return _decimal(total)

    def optimum(self) -> Weights:
        """The top eigenvector, in double precision; with independent signs, where all tie, 1/T."""
        if self.r == 0 or self.T == 1:
            return (Fraction(1, self.T),) * self.T
        if abs(self.r) == 1:
            return tuple(self.r**t / self.T for t in range(self.T))
        # (1 − r²)R⁻¹ is tridiagonal, so its lowest eigenvector costs O(T).
        r = float(self.r)
        diagonal = np.full(self.T, 1 + r * r)
        diagonal[[0, -1]] = 1.0
        _, vectors = eigh_tridiagonal(
            diagonal, np.full(self.T - 1, -r), select="i", select_range=(0, 0)
        )
        return _normalised(vectors[:, 0])


@dataclass(frozen=True, eq=False)
class Correlated:
    """A correlation given entry by entry."""

    says: str
    T: int
    R: NDArray[np.float64]
    label: range | None = None

    def signal(self, w: Weights) -> Fraction:
        """α = wᵀRw."""
        values = np.array([float(x) for x in w])
        return _decimal(float(values @ self.R @ values))

    def optimum(self) -> Weights:
        """The top eigenvector, in double precision."""
        return _normalised(top_weights(self.R))


def parse_signs(text: str, T: int) -> Signs:
    """'prefix:L', 'suffix:L', 'block:FIRST-LAST' (from 1), 'markov:r' or 'independent'.

    Raises ValueError naming the rule that is broken.

    >>> parse_signs('prefix:9', 8)
    Traceback (most recent call last):
        ...
    ValueError: L must lie in 1..T=8: got 9
    """
    kind, _, rest = text.partition(":")
    if kind == "independent" and not rest:
        return Chain("independent signs", T, Fraction(0))
    if kind in ("prefix", "suffix") and rest:
        L = whole(rest, "L")
        if not 1 <= L <= T:
            raise ValueError(f"L must lie in 1..T={T}: got {L}")
        block = range(L) if kind == "prefix" else range(T - L, T)
        return Block(f"the {'first' if kind == 'prefix' else 'last'} {L} share a sign", T, block)
    if kind == "block" and "-" in rest:
        low, _, high = rest.partition("-")
        first, last = whole(low, "first"), whole(high, "last")
        if not 1 <= first <= last <= T:
            raise ValueError(f"block must lie in 1..T={T}: got {first}-{last}")
        return Block(f"positions {first}-{last} share a sign", T, range(first - 1, last))
    if kind == "markov" and rest:
        r = fraction(rest, "r")
        if not -1 <= r <= 1:
            raise ValueError(f"r must lie in -1..1: got {r}")
        return Chain(f"R = ({rest})^|s−t|", T, r)
    raise ValueError(
        "signs must be prefix:L, suffix:L, block:FIRST-LAST, markov:r or independent: "
        f"got {text!r}"
    )


def read_correlation(path: Path, T: int) -> Signs:
    """A correlation matrix of signs from a .npy or .csv file, checked.

    Raises
    ------
    ValueError : it is no T × T matrix, not symmetric, without unit diagonal, not positive
        semidefinite, or no correlation of signs. Beyond 6 positions the last two are checked in
        double precision, and realisability by the triangle inequalities.
    """
    rows = _table(path, "R")
    if len(rows) != T or any(len(row) != T for row in rows):
        shape = f"{len(rows)} × {len(rows[0])}" if len(set(map(len, rows))) == 1 else "ragged rows"
        raise ValueError(f"R must be {T} × {T}, one row per position: got {shape}")
    if T <= _EXACT:
        correlations.user(rows)
    matrix = np.array([[float(x) for x in row] for row in rows])
    _check_correlation(matrix)
    return Correlated(f"R from {path.name}", T, matrix)


def realisable(R: NDArray[np.float64]) -> bool | None:
    """Is R a correlation of signs: yes by thresholding a Gaussian vector, or not decided here?"""
    if len(R) <= _EXACT:
        entries = [[str(_decimal(x)) for x in row] for row in R.tolist()]
        matrix = correlations.user(entries)
        return correlations.realisable(matrix).answer is Answer.YES
    least = np.linalg.eigvalsh(np.sin(R * (np.pi / 2)))[0]
    return True if least >= -_ROUNDING * len(R) else None


def read_weights(path: Path, T: int) -> Weights:
    """T pooling weights from a .npy or .csv file, as a row or as a column.

    Raises ValueError for another shape, entries that are no finite numbers, or only zeros.
    """
    rows = _table(path, "weights")
    flat = rows[0] if len(rows) == 1 else [row[0] for row in rows if len(row) == 1]
    if len(flat) != T or (len(rows) > 1 and len(flat) != len(rows)):
        shape = (len(rows), len(rows[0])) if len(rows) > 1 else (len(rows[0]),)
        raise ValueError(f"weights must have shape ({T},), one per position: got {shape}")
    if not any(flat):
        raise ValueError("weights must not all be 0")
    return tuple(flat)


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
        return _decimal(value)
    return fraction(str(value), name)


def fraction(text: str, name: str) -> Fraction:
    """A decimal or a fraction as typed, exactly.

    >>> fraction('0.3', 'mu2')
    Fraction(3, 10)
    """
    value = exact(text, name)
    return Fraction(int(value.p), int(value.q))


def whole(text: str, name: str) -> int:
    """An integer as typed.

    >>> whole('two', 'L')
    Traceback (most recent call last):
        ...
    ValueError: L must be an integer: got 'two'
    """
    try:
        if len(text) > _LONGEST:
            raise ValueError
        return int(text)
    except ValueError:
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        raise ValueError(f"{name} must be an integer: got {shown!r}") from None


def _decimal(value: float) -> Fraction:
    """The shortest decimal that a double stands for."""
    return Fraction(repr(float(value)))


def _normalised(vector: NDArray[np.float64]) -> Weights:
    total = float(vector.sum())
    scale = total if abs(total) > _ROUNDING else 1.0
    return tuple(_decimal(float(x)) for x in vector / scale)
