"""Families of random signs ξ ∈ {±1}^T with mean 0, each with its exact correlation R = E ξξᵀ.

Positions count from 0, as the rows of a matrix do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Rational
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Exact = tuple[tuple[Fraction, ...], ...]


class SignFamily(Protocol):
    """What a simulator asks of a family of signs."""

    @property
    def T(self) -> int:
        """Sequence length."""

    @property
    def correlation(self) -> NDArray[np.float64]:
        """R, shape (T, T)."""

    @property
    def correlation_exact(self) -> Exact | None:
        """R as exact rationals, or None where an entry is irrational."""

    def sample(self, rng: np.random.Generator, N: int) -> NDArray[np.int8]:
        """N independent sign vectors, shape (N, T)."""


@dataclass(frozen=True)
class Blocks:
    """Disjoint blocks, each sharing one fair sign; every other position has its own.

    R is 1 within a block and on the diagonal, 0 elsewhere.
    """

    T: int
    blocks: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def correlation(self) -> NDArray[np.float64]:
        """R, shape (T, T)."""
        matrix = np.eye(self.T)
        for block in self.blocks:
            matrix[np.ix_(block, block)] = 1.0
        return matrix

    @property
    def correlation_exact(self) -> Exact:
        """R as exact rationals."""
        owner = {t: index for index, block in enumerate(self.blocks) for t in block}

        def entry(s: int, t: int) -> Fraction:
            return Fraction(s == t or (s in owner and owner[s] == owner.get(t)))

        return tuple(tuple(entry(s, t) for t in range(self.T)) for s in range(self.T))

    def sample(self, rng: np.random.Generator, N: int) -> NDArray[np.int8]:
        """N independent sign vectors, shape (N, T)."""
        signs = _fair_signs(rng, _count(N, "N"), self.T)
        for block in self.blocks:
            signs[:, block] = signs[:, block[:1]]
        return signs


@dataclass(frozen=True)
class Markov:
    """A stationary two-state chain that keeps its sign with probability (1 + r)/2; R = r^|s−t|."""

    T: int
    r: Fraction

    @cached_property
    def correlation(self) -> NDArray[np.float64]:
        """R, shape (T, T)."""
        t = np.arange(self.T)
        return np.asarray(float(self.r) ** np.abs(t[:, None] - t))

    @property
    def correlation_exact(self) -> Exact:
        """R as exact rationals."""
        powers = [self.r**lag for lag in range(self.T)]
        return tuple(tuple(powers[abs(s - t)] for t in range(self.T)) for s in range(self.T))

    def sample(self, rng: np.random.Generator, N: int) -> NDArray[np.int8]:
        """N independent sign vectors, shape (N, T)."""
        signs = _fair_signs(rng, _count(N, "N"), self.T)[:, :1]
        turns = rng.random((N, self.T - 1)) >= float(1 + self.r) / 2
        steps = np.concatenate([signs, 1 - 2 * turns.astype(np.int8)], axis=1)
        return np.cumprod(steps, axis=1, dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Gaussian:
    """Signs of a centred Gaussian vector of correlation C; R = (2/π) arcsin C."""

    gaussian_correlation: NDArray[np.float64]

    @property
    def T(self) -> int:
        """Sequence length."""
        return len(self.gaussian_correlation)

    @cached_property
    def correlation(self) -> NDArray[np.float64]:
        """R, shape (T, T)."""
        return np.asarray(np.arcsin(self.gaussian_correlation) * (2 / np.pi))

    @property
    def correlation_exact(self) -> Exact | None:
        """R as exact rationals if all C_st ∈ {0, ±1/2, ±1}, otherwise None.

        By Niven's theorem no other rational C_st has a rational arcsin/π.
        """
        known = {0.0: Fraction(0), 0.5: Fraction(1, 3), 1.0: Fraction(1)}
        rows = self.gaussian_correlation.tolist()
        if any(abs(c) not in known for row in rows for c in row):
            return None
        return tuple(tuple(known[abs(c)] * (1 if c >= 0 else -1) for c in row) for row in rows)

    @cached_property
    def _root(self) -> NDArray[np.float64]:
        values, vectors = np.linalg.eigh(self.gaussian_correlation)
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

    def sample(self, rng: np.random.Generator, N: int) -> NDArray[np.int8]:
        """N independent sign vectors, shape (N, T)."""
        normal = rng.standard_normal((_count(N, "N"), self.T)) @ self._root.T
        # A singular C repeats positions: their rounding must not tear equal signs apart, so a
        # position is read from the first one it equals up to sign.
        first = np.argmax(np.abs(np.abs(self.gaussian_correlation) - 1) <= 1e-12, axis=1)
        relative = np.sign(self.gaussian_correlation[np.arange(self.T), first]).astype(np.int8)
        signs = np.where(normal >= 0, 1, -1).astype(np.int8)
        return np.asarray(signs[:, first] * relative)


def iid(T: int) -> Blocks:
    """Independent fair signs; R = I.

    >>> iid(2).correlation_exact
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)))
    """
    return Blocks(_count(T, "T"))


def prefix(T: int, L: int) -> Blocks:
    """The first L of T positions share one fair sign, the others are independent.

    Parameters
    ----------
    T : sequence length, at least 1
    L : length of the prefix, in 1..T

    Raises
    ------
    ValueError : L outside 1..T, T below 1.

    Source: A5p.

    >>> prefix(3, 2).correlation
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 0., 1.]])
    >>> prefix(8, 9)
    Traceback (most recent call last):
        ...
    ValueError: L must lie in 1..T=8: got 9
    """
    return block(T, range(_length(L, T)))


def suffix(T: int, L: int) -> Blocks:
    """The last L of T positions share one fair sign, the others are independent.

    >>> suffix(3, 2).blocks
    ((1, 2),)
    """
    return block(T, range(T - _length(L, T), T))


def block(T: int, positions: Iterable[int]) -> Blocks:
    """The given positions share one fair sign, the others are independent.

    >>> drawn = block(4, [1, 3]).sample(np.random.default_rng(0), 100)
    >>> bool((drawn[:, 1] == drawn[:, 3]).all())
    True
    """
    return blocks(T, [positions])


def blocks(T: int, sets: Iterable[Iterable[int]]) -> Blocks:
    """Several disjoint blocks, each sharing a fair sign of its own.

    Parameters
    ----------
    T : sequence length, at least 1
    sets : for each block its positions, counted from 0

    Raises
    ------
    ValueError : a position outside 0..T-1 or named twice, an empty block.

    >>> blocks(5, [[0, 1], [2, 4]]).correlation.sum()
    np.float64(9.0)
    """
    length = _count(T, "T")
    chosen = tuple(tuple(sorted(_position(t, length) for t in one)) for one in sets)
    flat = [t for one in chosen for t in one]
    if not all(chosen):
        raise ValueError("positions must name at least one position: got none")
    if len(set(flat)) < len(flat):
        raise ValueError(f"positions must be distinct: got {flat}")
    return Blocks(length, chosen)


def markov(T: int, r: float | str | Rational) -> Markov:
    """A stationary chain of signs with R = r^|s−t| (Kac–Murdock–Szegő).

    Parameters
    ----------
    T : sequence length, at least 1
    r : one-step correlation in [-1, 1]; a float stands for its shortest decimal

    Raises
    ------
    ValueError : r outside [-1, 1] or not finite.

    >>> markov(3, '1/2').correlation_exact[0]
    (Fraction(1, 1), Fraction(1, 2), Fraction(1, 4))
    """
    if isinstance(r, float) and not np.isfinite(r):
        raise ValueError(f"r must lie in -1..1: got {r}")
    rate = Fraction(float.__repr__(r) if isinstance(r, float) else r)
    if not -1 <= rate <= 1:
        raise ValueError(f"r must lie in -1..1: got {r}")
    return Markov(_count(T, "T"), rate)


def gaussian(C: ArrayLike) -> Gaussian:
    """Signs of a Gaussian vector of correlation C: R = (2/π) arcsin C.

    Parameters
    ----------
    C : (T, T), symmetric, unit diagonal, positive semidefinite

    Raises
    ------
    ValueError : C not such a matrix.

    >>> gaussian([[1, 0.5], [0.5, 1]]).correlation_exact[0]
    (Fraction(1, 1), Fraction(1, 3))
    """
    return Gaussian(_correlation(C, "C"))


def thresholded(R: ArrayLike) -> Gaussian:
    """Signs of correlation R by thresholding a Gaussian vector of correlation sin(πR/2).

    Not every correlation of signs arises so: the sine matrix must be positive semidefinite.

    Parameters
    ----------
    R : (T, T), the wanted correlation of the signs

    Raises
    ------
    ValueError : R is no correlation matrix, or sin(πR/2) is not positive semidefinite.

    >>> thresholded([[1, -0.25], [-0.25, 1]]).correlation.round(12)
    array([[ 1.  , -0.25],
           [-0.25,  1.  ]])
    """
    return Gaussian(_correlation(np.sin(_correlation(R, "R") * (np.pi / 2)), "sin(πR/2)"))


def _correlation(value: ArrayLike, name: str) -> NDArray[np.float64]:
    matrix = np.array(value, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise ValueError(f"{name} must be a square matrix: got shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} must be finite: got a value that is not")
    if not np.allclose(matrix, matrix.T, rtol=0, atol=1e-12):
        raise ValueError(f"{name} must be symmetric: got {np.abs(matrix - matrix.T).max():.3g} off")
    if not np.allclose(np.diag(matrix), 1, rtol=0, atol=1e-12):
        worst = np.diag(matrix)[np.abs(np.diag(matrix) - 1).argmax()]
        raise ValueError(f"{name} must have a unit diagonal: got {worst:.6g}")
    least = np.linalg.eigvalsh(matrix)[0]
    if least < -1e-12 * len(matrix):
        raise ValueError(f"{name} must be positive semidefinite: got an eigenvalue {least:.3g}")
    matrix = np.clip((matrix + matrix.T) / 2, -1, 1)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def _fair_signs(rng: np.random.Generator, N: int, T: int) -> NDArray[np.int8]:
    return np.asarray(2 * rng.integers(0, 2, size=(N, T), dtype=np.int8) - 1, dtype=np.int8)


def _count(value: int, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer: got {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1: got {value}")
    return int(value)


def _length(L: int, T: int) -> int:
    length = _count(T, "T")
    if isinstance(L, bool) or not isinstance(L, Integral):
        raise TypeError(f"L must be an integer: got {L!r}")
    if not 1 <= L <= length:
        raise ValueError(f"L must lie in 1..T={length}: got {L}")
    return int(L)


def _position(value: int, T: int) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"positions must be integers: got {value!r}")
    if not 0 <= value < T:
        raise ValueError(f"positions must lie in 0..T-1={T - 1}: got {value}")
    return int(value)
