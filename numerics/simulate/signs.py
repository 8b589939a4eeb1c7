"""Families of random signs ξ ∈ {±1}^T with mean 0, each with its exact correlation R = E ξξᵀ.

Positions count from 0, as the rows of a matrix do.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral, Rational

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.simulate.families import Blocks, Gaussian, Markov, count


def iid(T: int) -> Blocks:
    """Independent fair signs; R = I.

    >>> iid(2).correlation_exact
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)))
    """
    return Blocks(count(T, "T"))


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
    length = count(T, "T")
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
    return Markov(count(T, "T"), rate)


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


def _length(L: int, T: int) -> int:
    length = count(T, "T")
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
