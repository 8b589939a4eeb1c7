"""Step sizes of a stochastic ascent."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_LONGEST = 1e200  # a step that leaves room for the gradient it goes along


@dataclass(frozen=True)
class StepSizes:
    """Steps eta_k = scale / (offset + k)^exponent, k = 0, 1, 2, ...

    Robbins-Monro asks for sum eta_k = oo and sum eta_k^2 < oo: 1/2 < exponent <= 1.

    Parameters
    ----------
    scale : positive
    exponent : not negative; 0 gives constant steps
    offset : positive

    >>> StepSizes(0.5, 1.0)(np.arange(3))
    array([0.5       , 0.25      , 0.16666667])
    """

    scale: float
    exponent: float = 0.0
    offset: float = 1.0

    def __post_init__(self) -> None:
        for name, least in (("scale", 0.0), ("exponent", -1e-300), ("offset", 0.0)):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > least):
                rule = "not be negative" if name == "exponent" else "be positive"
                raise ValueError(f"{name} must be finite and {rule}: got {value}")

    def __call__(self, k: NDArray[Any]) -> Floats:
        """The sizes of the steps of the given numbers."""
        return np.asarray(self.scale / (self.offset + k) ** self.exponent, dtype=np.float64)


def step_array(steps: Any, count: int | None) -> Floats:
    """The sizes as an array of positive numbers up to 1e200, from an array or a function of k.

    Parameters
    ----------
    steps : shape (count,), or a function from an integer array k to the sizes
    count : how many; needed for a function, and otherwise all of the array

    >>> step_array(StepSizes(0.1), 2)
    array([0.1, 0.1])
    """
    if callable(steps):
        if count is None:
            raise ValueError("count must be given when steps is a function: got None")
        sizes = np.asarray(steps(np.arange(_count(count))), dtype=np.float64)
        if sizes.shape != (count,):
            raise ValueError(f"steps must return shape ({count},): got {sizes.shape}")
    else:
        sizes = np.array(steps, dtype=np.float64)
        if sizes.ndim != 1:
            raise ValueError(f"steps must be a function or have one axis: got {sizes.ndim} axes")
        if count is not None and len(sizes) < _count(count):
            raise ValueError(f"steps must have at least count={count} entries: got {len(sizes)}")
        sizes = sizes[:count]
    bad = ~(np.isfinite(sizes) & (sizes > 0))
    if bad.any():
        first = int(np.argmax(bad))
        raise ValueError(f"steps must be positive and finite: got {sizes[first]} at {first}")
    if sizes.max(initial=0.0) > _LONGEST:
        raise ValueError(f"steps must be at most {_LONGEST:g}: got {sizes.max()}")
    return sizes


def recorded(record: Any, count: int) -> NDArray[np.int64]:
    """Sorted, distinct numbers of steps in 0..count; the first and the last for None.

    >>> recorded([5, 0, 5], 9)
    array([0, 5])
    """
    asked = np.asarray([0, count] if record is None else record)
    if asked.ndim != 1 or asked.size == 0 or not np.issubdtype(asked.dtype, np.integer):
        raise ValueError(f"record must be a list of integers: got {record!r}")
    if asked.min() < 0 or asked.max() > count:
        raise ValueError(f"record must lie in 0..{count}: got {asked.min()}..{asked.max()}")
    return np.unique(asked).astype(np.int64)


def _count(count: Any) -> int:
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
        raise ValueError(f"count must be an integer, not negative: got {count!r}")
    return int(count)


def warn_unless_robbins_monro(steps: Any, sizes: Floats) -> None:
    """Warn where the steps break sum eta = oo or sum eta^2 < oo, as far as can be seen.

    For `StepSizes` the exponent decides. Any other function is asked for its sizes at k =
    1e10..1e16, where a fixed offset no longer counts, as numbers of float64. A finite list
    cannot decide it: its decay over the second half of the steps stands in, and the warning
    says so, as it does for a function without values there.

    Parameters
    ----------
    steps : what `step_array` takes
    sizes : what it made of them, the sizes of the run

    >>> warn_unless_robbins_monro(lambda k: 5 / (1000 + k), np.ones(9))
    """
    decay = _decay(steps)
    source = ""
    if decay is None:
        half, last = len(sizes) // 2, len(sizes) - 1
        if last <= half:
            return
        exponent = -math.log(sizes[last] / sizes[half]) / math.log((last + 1) / (half + 1))
        decay = exponent + 0.0, 0.0
        source = f", as far as the run's own {len(sizes)} show; no others are known"
    shown = f"the steps decay like {_in_words(*decay)}{source}"
    if _summable(*decay):
        warnings.warn(f"Robbins-Monro needs sum eta_k = oo: {shown}", stacklevel=3)
    if not _summable(*(2 * power for power in decay)):
        warnings.warn(f"Robbins-Monro needs sum eta_k^2 < oo: {shown}", stacklevel=3)


def _decay(steps: Any) -> tuple[float, float] | None:
    """(p, q) of steps that decay like k^-p (log k)^-q; None where no tail is known."""
    if isinstance(steps, StepSizes):
        return steps.exponent, 0.0
    if not callable(steps):
        return None
    k = np.array([1e10, 1e12, 1e14, 1e16])
    try:
        with np.errstate(all="ignore"):
            tail = np.asarray(steps(k), dtype=np.float64)
    except (ArithmeticError, IndexError, TypeError, ValueError):
        return None
    if tail.shape != k.shape or not (np.isfinite(tail) & (tail >= 0)).all():
        return None
    if (tail == 0).any():  # faster than any power
        return math.inf, 0.0
    # Over two pairs of points the slope of log eta is -p - q * that of log log k.
    x, y, z = (np.diff(np.log(v))[::2] for v in (k, tail, np.log(k)))
    (p, q), *_ = np.linalg.lstsq(np.stack([x, z], axis=1), -y)
    # to the decimals that such k tell: 1 and 1/2 come out as themselves
    return round(float(p), 3) + 0.0, round(float(q), 3) + 0.0


def _summable(power: float, logs: float) -> bool:
    """Whether the sum of k^-power (log k)^-logs is finite."""
    return power > 1 or (power == 1 and logs > 1)


def _in_words(power: float, logs: float) -> str:
    return f"k^-{power:.3g}" + (f" (log k)^-{logs:.3g}" if logs else "")
