"""Exact means of products of softmax sums at finite size: one integral, however many tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Trapezoidal rules: for integrands that fall off like Gaussians they converge faster than any
# power of the spacing. These reach 12 digits for inverse temperatures up to 2.
_REACH = 12.0  # standard deviations of a score
_NOISE = np.linspace(-_REACH, _REACH, 241)
_DENSITY = np.exp(-(_NOISE**2) / 2) / np.sqrt(2 * np.pi) * (_NOISE[1] - _NOISE[0])
_SPACING = 3 / 16  # of log t, for powers up to 16
_LARGEST = {"mean": 1e6, "p": 20, "e": 20}


@dataclass(frozen=True)
class TokenClass:
    """Tokens with scores N(mean, 1), each counted with a factor.

    Parameters
    ----------
    count : how many, not negative
    mean : in −10⁶..10⁶
    factor : finite

    Raises
    ------
    TypeError, ValueError : naming the argument, the rule and the value.

    >>> TokenClass(-1, 0.0)
    Traceback (most recent call last):
        ...
    ValueError: count must not be negative: got -1
    """

    count: int
    mean: float
    factor: float = 1.0

    def __post_init__(self) -> None:
        if not _integer(self.count):
            raise TypeError(f"count must be an integer: got {self.count!r}")
        if self.count < 0:
            raise ValueError(f"count must not be negative: got {self.count}")
        most = _LARGEST["mean"]
        if not -most <= self.mean <= most:
            raise ValueError(f"mean must lie in {-most:g}..{most:g}: got {self.mean}")
        if not math.isfinite(self.factor):
            raise ValueError(f"factor must be finite: got {self.factor}")


def mean_of_products(
    classes: Sequence[TokenClass], inverse_temperature: float, sums: Sequence[tuple[int, int]]
) -> float:
    """E[Π_k Σ_i factor_i a_i^p_k s_i^e_k], a = softmax(b s), for one or two sums.

    With w = e^(bs) and P = Σ p_k, 1/(Σw)^P = ∫ t^(P−1) e^(−tΣw) dt/Γ(P); given t the tokens
    are independent.

    Parameters
    ----------
    classes : the tokens, at least one
    inverse_temperature : b, in (0, 2]
    sums : (p, e) of each sum, integers, p in 1..20 and e in 0..20

    Raises
    ------
    ValueError : for other numbers of sums, other powers or another inverse temperature.

    >>> half = [TokenClass(2, 0.0)]
    >>> round(mean_of_products(half, 1.0, [(1, 0)]), 12)
    1.0
    >>> round(mean_of_products(half, 1e-9, [(2, 0)]), 6)
    0.5
    """
    _check(inverse_temperature, sums)
    present = [one for one in classes if one.count > 0]
    if not present:
        raise ValueError("classes must hold at least one token: got none")
    power, order = (sum(column) for column in zip(*sums, strict=True))
    log_t, top = _log_rates(present, inverse_temperature, power)
    missed, moments = [], {}
    for k, one in enumerate(present):
        log_tw = log_t[:, None] + inverse_temperature * (one.mean - top + _NOISE)
        missed.append(_log_missed(log_tw))
        for p, e in {*sums, (power, order)}:
            moments[k, p, e] = _moment(log_tw, one.mean, p, e)
    everything = sum(one.count * log for one, log in zip(present, missed, strict=True))
    total = np.zeros_like(log_t)
    for k, one in enumerate(present):  # all sums at the same token
        others = np.exp(everything - missed[k])
        total += one.count * one.factor ** len(sums) * moments[k, power, order] * others
    if len(sums) == 2:  # at two different tokens
        both = math.exp(sum(math.lgamma(p) for p, _ in sums) - math.lgamma(power))
        for (k, one), (j, other) in product(enumerate(present), repeat=2):
            pairs = one.count * (other.count - (k == j)) * one.factor * other.factor
            if pairs != 0:
                others = np.exp(everything - missed[k] - missed[j])
                total += pairs * both * moments[k, *sums[0]] * moments[j, *sums[1]] * others
    return float(np.sum(total) * (log_t[1] - log_t[0]))


def _integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _check(inverse_temperature: float, sums: Sequence[tuple[int, int]]) -> None:
    if len(sums) not in (1, 2):
        raise ValueError(f"sums must be one or two: got {len(sums)}")
    if not 0 < inverse_temperature <= 2:
        raise ValueError(f"inverse_temperature must lie in (0, 2]: got {inverse_temperature}")
    for pair in sums:
        for name, value, least in zip("pe", pair, (1, 0), strict=True):
            if not (_integer(value) and least <= value <= _LARGEST[name]):
                rule = f"{name} must be an integer in {least}..{_LARGEST[name]}"
                raise ValueError(f"sums: {rule}: got {value!r}")


def _log_rates(classes: Sequence[TokenClass], b: float, power: int) -> tuple[Floats, float]:
    """Log t wherever the integrand is not 0 to double precision, and the largest mean.

    Weights are taken relative to that mean. Their sum is then at least e^(−12b), by one of the
    tokens there, and at most e^(12b) times the sum over the means.
    """
    top = max(one.mean for one in classes)
    most = math.log(sum(one.count * math.exp(b * (one.mean - top)) for one in classes))
    # t Σw falls off like e^(P log t) on one side and like exp(−t) on the other.
    first = -most - b * _REACH - 40
    last = b * _REACH + math.log(power) + 5
    # t^P e^(−t) is a peak of width 1/√P in log t.
    count = math.ceil((last - first) / _SPACING * max(1, math.sqrt(power) / 4)) + 1
    return np.linspace(first, last, count, dtype=np.float64), top


def _log_missed(log_tw: Floats) -> Floats:
    """log E[e^(−tw)] at every t; near 0 from 1 − e^(−tw), which keeps its digits there."""
    rate = np.exp(np.minimum(log_tw, 700.0))
    left = np.maximum(np.exp(-rate) @ _DENSITY, 1e-300)
    lost = -np.expm1(-rate) @ _DENSITY
    found: Floats = np.where(left < 0.5, np.log(left), np.log1p(-np.minimum(lost, 0.75)))
    return found


def _moment(log_tw: Floats, mean: float, p: int, e: int) -> Floats:
    """E[(tw)^p s^e e^(−tw)]/Γ(p) at every t."""
    damped = np.exp(p * log_tw - np.exp(np.minimum(log_tw, 700.0)) - math.lgamma(p))
    found: Floats = damped @ (_DENSITY * (mean + _NOISE) ** e)
    return found
