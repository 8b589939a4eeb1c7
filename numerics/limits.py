"""From replicates at several sizes to a limit, with an error that can be believed.

At each size the mean is taken with control variates: quantities of the same draw whose exact
finite-size mean is known. The limit is the intercept of a weighted least-squares fit in declared
powers of 1/d. Errors are Student's, with the degrees of freedom of Welch and Satterthwaite.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc, stdtr, stdtrit

LEAST_REPLICATES = 32
# What an observable of order 1 may be off by, computed in double precision.
ROUNDING = 1e-10


@dataclass(frozen=True)
class SizeMean:
    """The mean of an observable at one size, its standard error and degrees of freedom."""

    size: float
    mean: float
    stderr: float
    dof: float

    def half_width(self, level: float) -> float:
        """Half the width of the two-sided Student interval at error probability `level`."""
        return float(stdtrit(self.dof, 1 - level / 2)) * self.stderr


@dataclass(frozen=True)
class Limit:
    """The intercept of a fit over sizes.

    estimate, stderr, dof : of the intercept
    lack_of_fit : probability of residuals at least this large, were the fit right
    reach : |fit at the largest size − intercept|, how far the extrapolation goes
    means : what was fitted
    still : no replicate differed from another at any size, so that the error is rounding alone
    """

    estimate: float
    stderr: float
    dof: float
    lack_of_fit: float
    reach: float
    means: tuple[SizeMean, ...]
    still: bool = False

    def half_width(self, level: float) -> float:
        """Half the width of the two-sided Student interval at error probability `level`."""
        return float(stdtrit(self.dof, 1 - level / 2)) * self.stderr


def controlled_mean(
    size: float,
    values: ArrayLike,
    controls: Mapping[str, ArrayLike] | None = None,
    expected: Mapping[str, float] | None = None,
) -> SizeMean:
    """The mean of replicates, corrected by regression on controls of known mean.

    Parameters
    ----------
    size : the size d
    values : shape (n,), one number per replicate, n ≥ 32
    controls : name → shape (n,)
    expected : name → exact mean at this size

    Raises
    ------
    ValueError : fewer than 32 replicates, or values that are not finite.

    >>> rng = np.random.default_rng(1)
    >>> x = rng.standard_normal(400)
    >>> y = 3 + x + 0.01 * rng.standard_normal(400)
    >>> controlled_mean(10, y, {'x': x}, {'x': 0.0}).stderr < 0.001
    True
    """
    y = np.asarray(values, dtype=float)
    if y.ndim != 1 or len(y) < LEAST_REPLICATES:
        raise ValueError(f"values must hold at least {LEAST_REPLICATES} replicates: got {y.shape}")
    if not np.isfinite(y).all():
        raise ValueError(f"values must be finite: {int((~np.isfinite(y)).sum())} are not")
    columns = []
    for name, mean in (expected or {}).items():
        column = np.asarray((controls or {})[name], dtype=float)
        # A control that does not vary in this model has nothing to correct.
        if _varies(column):
            columns.append(column - mean)
    design = np.column_stack([np.ones(len(y)), *columns])
    solution, _, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    if rank < design.shape[1]:
        raise ValueError("controls must be linearly independent")
    dof = len(y) - design.shape[1]
    variance = float(((y - design @ solution) ** 2).sum()) / dof
    inverse = np.linalg.inv(design.T @ design)
    return SizeMean(float(size), float(solution[0]), float(np.sqrt(variance * inverse[0, 0])), dof)


def control_probability(values: ArrayLike, expected: float) -> float:
    """Two-sided probability of a control's mean this far from its exact value.

    >>> control_probability([1.0, 2.0, 3.0], 2.0)
    1.0
    """
    x = np.asarray(values, dtype=float)
    if not _varies(x):
        return float(np.isclose(x[0], expected, rtol=1e-9, atol=1e-12))
    t = (x.mean() - expected) / (x.std(ddof=1) / np.sqrt(len(x)))
    return float(2 * stdtr(len(x) - 1, -abs(t)))


def _varies(values: NDArray[np.float64]) -> bool:
    """Whether the values differ by more than the rounding of a constant."""
    return bool(np.ptp(values) > 1e-9 * np.abs(values).max())


def extrapolate(means: Sequence[SizeMean], orders: Sequence[float] = (1.0,)) -> Limit:
    """The limit d → ∞ of means a + Σ_j b_j d^(−order_j), by weighted least squares.

    Parameters
    ----------
    means : at least two more sizes than orders
    orders : positive powers of 1/d in which the bias expands

    Raises
    ------
    ValueError : too few sizes, or orders that are not positive and distinct.

    >>> sizes = [SizeMean(d, 2 + 3 / d, 0.01, 50) for d in (100, 200, 400)]
    >>> round(extrapolate(sizes).estimate, 9)
    2.0
    """
    if len(set(orders)) != len(orders) or any(order <= 0 for order in orders):
        raise ValueError(f"orders must be positive and distinct: got {tuple(orders)}")
    spare = len(means) - len(orders) - 1
    if spare < 1:
        raise ValueError(
            f"a fit with {len(orders)} orders needs {len(orders) + 2} sizes: got {len(means)}"
        )
    sizes = np.array([m.size for m in means])
    y = np.array([m.mean for m in means])
    means = with_spread(means)
    errors = np.array([m.stderr for m in means])
    dofs = np.array([m.dof for m in means], dtype=float)
    design = np.column_stack([np.ones(len(y)), *(sizes**-order for order in orders)])
    weighted = design / errors[:, None]
    to_coefficients = np.linalg.pinv(weighted) / errors
    coefficients = to_coefficients @ y
    stderr, dof = _combined(to_coefficients[0], errors, dofs)
    residuals = (y - design @ coefficients) / errors
    # The residuals' own degrees of freedom: the smallest enters, which errs towards rejecting less.
    lack = float(fdtrc(spare, dofs.min(), float((residuals**2).sum()) / spare))
    largest = design[np.argmax(sizes)]
    return Limit(
        estimate=float(coefficients[0]),
        stderr=stderr,
        dof=dof,
        lack_of_fit=lack,
        reach=float(abs(largest[1:] @ coefficients[1:])),
        means=tuple(means),
        still=bool((errors <= _floor(y)).all()),
    )


def with_spread(means: Sequence[SizeMean]) -> list[SizeMean]:
    """The means, none with an error of 0, which would outweigh all others.

    A size that shows no spread while others do may owe it to chance: one replicate in it is taken
    to vary as much as it does at most elsewhere. Where no size shows any, rounding is the error.

    >>> [m.stderr for m in with_spread([SizeMean(8, 1, 0.0, 99), SizeMean(16, 1, 0.2, 24)])]
    [0.1, 0.2]
    """
    floor = _floor(np.array([m.mean for m in means]))
    moving = [m for m in means if m.stderr > floor]
    if not moving:
        return [replace(m, stderr=floor) for m in means]
    spread = max(m.stderr * (m.dof + 1) ** 0.5 for m in moving)
    dof = min(m.dof for m in moving)
    return [
        m if m.stderr > floor
        else replace(m, stderr=spread / (m.dof + 1) ** 0.5, dof=min(dof, m.dof))
        for m in means
    ]  # fmt: skip


def _floor(means: NDArray[np.float64]) -> float:
    return float(ROUNDING * (np.abs(means).max() or 1.0))


def _combined(
    factors: NDArray[np.float64], errors: NDArray[np.float64], dofs: NDArray[np.float64]
) -> tuple[float, float]:
    """Standard error of a linear combination and its Welch–Satterthwaite degrees of freedom."""
    parts = (factors * errors) ** 2
    total = parts.sum()
    return float(np.sqrt(total)), float(total**2 / (parts**2 / dofs).sum())
