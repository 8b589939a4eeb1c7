"""Pooling weights as arrays: mean, causal, optimal, best non-negative, and their signal ratios."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from numbers import Integral
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Mask = Literal["strict", "inclusive"]

# 2^12 principal submatrices take under a second; beyond, the optimiser takes over.
_ENUMERATED = 12
_PIECE = 2**15


def mean_weights(T: int) -> Array:
    """w_t = 1/T.

    >>> mean_weights(4)
    array([0.25, 0.25, 0.25, 0.25])
    """
    return np.full(_length(T), 1 / T)


def causal_weights(T: int, mask: Mask = "strict", tau: float = 0.0) -> Array:
    """The limiting weights of causal self-attention averaged over its rows; they sum to 1.

    strict: w_t = Σ_{i=t}^{T−1} 1/i/(T − 1). The first row sees nothing and is left out.
    inclusive: w_t = [e^τ/(e^τ + t − 1) + Σ_{i>t} 1/(e^τ + i − 1)]/T.

    The tails are summed from their smallest terms: stable to T = 10⁷ and beyond.

    Parameters
    ----------
    T : sequence length, at least 1; at least 2 under a strict mask
    mask : "strict" or "inclusive"
    tau : temperature, |tau| ≤ 700; without effect under a strict mask

    Raises
    ------
    ValueError : T too small, another mask, tau not finite or e^tau out of range.

    Source: A6.

    >>> causal_weights(3)
    array([0.75, 0.25, 0.  ])
    """
    length = _length(T)
    own = math.exp(temperature(tau))
    if row_offset(mask) == 1:
        if length < 2:
            raise ValueError(f"T must be at least 2 under a strict mask: got {T}")
        weights = np.arange(1.0, length + 1.0)
        weights[-1] = np.inf  # the last position is seen by no row
        np.divide(1 / (length - 1), weights, out=weights)
        np.cumsum(weights[::-1], out=weights[::-1])
        return weights
    weights = np.empty(length)
    # w_t − w_{t+1} = (1 + a/x)/(x + 1)/T with x = a + t − 1, a = e^τ: positive terms only, filled
    # in pieces that stay in the cache.
    count = np.arange(float(min(length, _PIECE)))
    for start in range(0, length, _PIECE):
        x = weights[start : start + _PIECE]
        np.add(count[: len(x)], own + start, out=x)
        share = own / length / x
        share += 1 / length
        x += 1
        np.divide(share, x, out=x)
    weights[-1] = own / (own + length - 1) / length
    np.cumsum(weights[::-1], out=weights[::-1])
    return weights


def signal_ratio(weights: ArrayLike, R: ArrayLike) -> float:
    """α/κ = wᵀRw/‖w‖².

    >>> signal_ratio([1, 1], [[1, 0.5], [0.5, 1]])
    1.5
    """
    w, matrix = _weights(weights), _square(R)
    if len(w) != len(matrix):
        raise ValueError(f"R must be {len(w)} × {len(w)}, as weights are: got {matrix.shape}")
    return float(w @ matrix @ w / (w @ w))


def prefix_ratios(weights: ArrayLike) -> Array:
    """α/κ for a prefix of L = 1, …, T positions that share one sign, in one pass.

    >>> prefix_ratios([0.75, 0.25, 0.0])
    array([1. , 1.6, 1.6])
    """
    w = _weights(weights)
    squares = w * w
    return np.asarray(1 + (np.cumsum(w) ** 2 - np.cumsum(squares)) / squares.sum())


def suffix_ratios(weights: ArrayLike) -> Array:
    """α/κ for a suffix of L = 1, …, T positions that share one sign."""
    return prefix_ratios(_weights(weights)[::-1])


def top_weights(R: ArrayLike) -> Array:
    """The top eigenvector of R, of unit length, with a non-negative sum.

    Source: A5.

    >>> top_weights([[1, 0.5], [0.5, 1]]).round(4)
    array([0.7071, 0.7071])
    """
    vector = np.linalg.eigh(_square(R))[1][:, -1]
    return np.asarray(-vector if vector.sum() < 0 else vector)


def best_nonnegative_weights(R: ArrayLike) -> Array:
    """Weights w ≥ 0 of unit length with the largest α/κ.

    The top eigenvector if it has one sign. Otherwise, for T ≤ 12, the best of the non-negative top
    eigenvectors of all principal submatrices: exact up to rounding. For larger T the best of
    L-BFGS-B runs from T + 1 fixed starts: a local maximum, nothing proves more.

    Parameters
    ----------
    R : (T, T), symmetric

    >>> best_nonnegative_weights([[1, -0.5], [-0.5, 1]])
    array([1., 0.])
    """
    matrix = _square(R)
    top = top_weights(matrix)
    if (top >= -1e-12).all():
        return np.maximum(top, 0.0)
    candidates = _faces(matrix) if len(matrix) <= _ENUMERATED else _ascents(matrix)
    # The first of equal maxima, so that the answer does not depend on rounding.
    best, value = None, -np.inf
    for candidate in candidates:
        here = signal_ratio(candidate, matrix)
        if here > value + 1e-12:
            best, value = candidate, here
    assert best is not None
    return best


def _faces(matrix: Array) -> Iterator[Array]:
    for size in range(1, len(matrix) + 1):
        for support in combinations(range(len(matrix)), size):
            vector = top_weights(matrix[np.ix_(support, support)])
            if (vector >= 0).all():
                weights = np.zeros(len(matrix))
                weights[list(support)] = vector
                yield weights


def _ascents(matrix: Array) -> Iterator[Array]:
    from scipy.optimize import minimize

    def loss(w: Array) -> tuple[float, Array]:
        square, image = w @ w, matrix @ w
        value = float(w @ image) / float(square)
        return -value, np.asarray((value * w - image) * (2 / square))

    T = len(matrix)
    starts = np.vstack([np.ones(T), np.eye(T) + 0.1 / T])
    for start in starts:
        found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * T)
        yield np.asarray(found.x / np.linalg.norm(found.x))


def temperature(tau: float) -> float:
    """tau, refused when it is not finite or e^±tau leaves the range of a double.

    >>> temperature(1000)
    Traceback (most recent call last):
        ...
    ValueError: tau must be finite, with |tau| <= 700: got 1000
    """
    if not abs(tau) <= 700:
        raise ValueError(f"tau must be finite, with |tau| <= 700: got {tau}")
    return float(tau)


def row_offset(mask: str) -> int:
    """How far behind its row the last attended position is: 1 if strict, 0 if inclusive."""
    if mask not in ("strict", "inclusive"):
        raise ValueError(f"mask must be 'strict' or 'inclusive': got {mask!r}")
    return 1 if mask == "strict" else 0


def _length(T: int) -> int:
    if isinstance(T, bool) or not isinstance(T, Integral):
        raise TypeError(f"T must be an integer: got {T!r}")
    if T < 1:
        raise ValueError(f"T must be at least 1: got {T}")
    return int(T)


def _weights(weights: ArrayLike) -> Array:
    w = np.asarray(weights, dtype=np.float64)
    if w.ndim != 1 or w.size == 0:
        raise ValueError(f"weights must be a vector: got shape {w.shape}")
    if not np.isfinite(w).all() or not w.any():
        raise ValueError("weights must be finite and not all 0: got others")
    return w


def _square(R: ArrayLike) -> Array:
    matrix = np.asarray(R, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise ValueError(f"R must be a square matrix: got shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError("R must be finite: got a value that is not")
    if not np.allclose(matrix, matrix.T, rtol=0, atol=1e-12):
        raise ValueError(f"R must be symmetric: got {np.abs(matrix - matrix.T).max():.3g} off")
    return matrix
