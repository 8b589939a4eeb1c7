"""Exact means of products of softmax sums at finite size: one integral, however many tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import factorial

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Trapezoidal rules: for integrands that fall off like Gaussians they converge faster than any
# power of the spacing. These reach 12 digits for inverse temperatures up to about 2.
_NOISE = np.linspace(-12.0, 12.0, 241)
_LOG_RATE = np.linspace(-45.0, 30.0, 401)


@dataclass(frozen=True)
class TokenClass:
    """Tokens with scores N(mean, 1), each counted with a factor."""

    count: int
    mean: float
    factor: float = 1.0


def mean_of_products(
    classes: Sequence[TokenClass], inverse_temperature: float, sums: Sequence[tuple[int, int]]
) -> float:
    """E[Π_k Σ_i factor_i a_i^p_k s_i^e_k], a = softmax(b s), for one or two sums.

    With w = e^(bs) and P = Σ p_k, 1/(Σw)^P = ∫ t^(P−1) e^(−tΣw) dt/Γ(P); given t the tokens
    are independent.

    Parameters
    ----------
    classes : the tokens
    inverse_temperature : b, in (0, 2]
    sums : (p, e) of each sum, p ≥ 1 and e ≥ 0

    Raises
    ------
    ValueError : for other numbers of sums or another inverse temperature.

    >>> half = [TokenClass(2, 0.0)]
    >>> round(mean_of_products(half, 1.0, [(1, 0)]), 12)
    1.0
    >>> round(mean_of_products(half, 1e-9, [(2, 0)]), 6)
    0.5
    """
    if len(sums) not in (1, 2):
        raise ValueError(f"sums must be one or two: got {len(sums)}")
    if not 0 < inverse_temperature <= 2:
        raise ValueError(f"inverse_temperature must lie in (0, 2]: got {inverse_temperature}")
    power = sum(p for p, _ in sums)
    nothing = [_moment(one, inverse_temperature, 0, 0) for one in classes]
    everything = sum(
        one.count * np.log(np.maximum(h, 1e-300)) for one, h in zip(classes, nothing, strict=True)
    )
    envelope = np.exp(power * _LOG_RATE + everything) / factorial(power - 1)
    ratios = {
        (k, p, e): _moment(one, inverse_temperature, p, e) / np.maximum(nothing[k], 1e-300)
        for k, one in enumerate(classes)
        for p, e in {*sums, (power, sum(e for _, e in sums))}
    }
    total = np.zeros_like(_LOG_RATE)
    for k, one in enumerate(classes):  # all sums at the same token
        joint = ratios[k, power, sum(e for _, e in sums)]
        total += one.count * one.factor ** len(sums) * joint
    if len(sums) == 2:  # at two different tokens
        for (k, one), (j, other) in product(enumerate(classes), repeat=2):
            pairs = one.count * (other.count - (k == j)) * one.factor * other.factor
            total += pairs * ratios[(k, *sums[0])] * ratios[(j, *sums[1])]
    return float(np.sum(envelope * total) * (_LOG_RATE[1] - _LOG_RATE[0]))


def _moment(one: TokenClass, b: float, p: int, e: int) -> Floats:
    """E[w^p s^e e^(−tw)] at every t."""
    score = one.mean + _NOISE
    density = np.exp(-(_NOISE**2) / 2) / np.sqrt(2 * np.pi) * (_NOISE[1] - _NOISE[0])
    damped = np.exp(p * b * score - np.exp(np.minimum(_LOG_RATE[:, None] + b * score, 700.0)))
    found: Floats = damped @ (density * score**e)
    return found
