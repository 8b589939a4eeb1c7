"""The top of a symmetric matrix that is known only by what it does to a vector."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

# Relative to the top eigenvalue. An eigenvalue's error is of the order of the residual squared.
RESIDUAL = 1e-7
# To this size a full decomposition takes less time than an iteration: measured, it is near 128.
SMALL = 96


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Largest eigenvalues, descending, shape (k,), unit eigenvectors as columns, shape (n, k).

    residual : the largest ‖Sv − λv‖ over the top eigenvalue
    dense : whether the iteration had to give way to a full decomposition
    """

    values: NDArray[np.float64]
    vectors: NDArray[np.float64]
    residual: float
    dense: bool


def top_eigenpairs(
    apply: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    size: int,
    count: int,
    form: Callable[[], NDArray[np.float64]],
) -> Eigenpairs:
    """The largest eigenpairs of a positive semidefinite matrix, by iteration if it is large.

    Parameters
    ----------
    apply : vector of shape (size,) → matrix times vector
    size : rows of the matrix
    count : how many pairs, in 1..size
    form : the matrix in full; used to size 96, and where the iteration does not settle, which is
        then said in `dense`

    Raises
    ------
    ValueError : count outside 1..size.
    ArithmeticError : a residual above 1e-7 of the top eigenvalue even then.

    >>> matrix = np.diag(np.arange(1.0, 31.0))
    >>> top_eigenpairs(lambda v: matrix @ v, 30, 2, lambda: matrix).values.round(9).tolist()
    [30.0, 29.0]
    """
    if not 1 <= count <= size:
        raise ValueError(f"count must lie in 1..size={size}: got {count}")
    if size <= SMALL or size < 4 * count + 12:
        return _in_full(apply, size, count, form, dense=False)
    try:
        operator = LinearOperator((size, size), matvec=apply, dtype=np.float64)
        # A fixed start: the result depends on the matrix alone, not on a global generator.
        start = np.random.default_rng(0).standard_normal(size)
        # A small basis restarted is cheaper than ARPACK's default of 20: outliers lie apart.
        basis = 2 * count + 8
        values, vectors = eigsh(
            operator, k=count, which="LA", v0=start, tol=RESIDUAL / 10, ncv=basis
        )
        order = np.argsort(values)[::-1]
        values, vectors = values[order], vectors[:, order]
        residual = _residual(apply, values, vectors)
    except ArpackError:
        residual = np.inf
    if residual > RESIDUAL:
        return _in_full(apply, size, count, form, dense=True)
    return Eigenpairs(values, vectors, residual, False)


def _in_full(
    apply: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    size: int,
    count: int,
    form: Callable[[], NDArray[np.float64]],
    dense: bool,
) -> Eigenpairs:
    values, vectors = eigh(form(), subset_by_index=(size - count, size - 1))
    values, vectors = values[::-1], vectors[:, ::-1]
    residual = _residual(apply, values, vectors)
    if residual > RESIDUAL:
        raise ArithmeticError(f"eigenpairs with a relative residual of {residual:.1e}")
    return Eigenpairs(values, vectors, residual, dense)


def _residual(
    apply: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    values: NDArray[np.float64],
    vectors: NDArray[np.float64],
) -> float:
    applied = np.stack([apply(vector) for vector in vectors.T], axis=1)
    worst = np.linalg.norm(applied - vectors * values, axis=0).max()
    scale = abs(values[0])
    return float(worst / scale) if scale else float(worst)
