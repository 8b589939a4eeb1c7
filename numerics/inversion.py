"""Quantiles to any number of digits: Newton's iteration on the cdf, with the answer enclosed."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from numerics import pointwise
from numerics.algebraic import Algebraic
from numerics.anatomy import Interval
from numerics.sheet import Lost

_MOST_STEPS = 400


def quantile(curve: Algebraic, p: fmpq, guess: float, dps: int, bits: int) -> Any:
    """A ball around the smallest x with P(X ≤ x) ≥ p.

    Where p is the mass below a gap, to all digits at hand, this is the gap's lower end.
    """
    _, anatomy, _ = pointwise.prepared(curve, bits)
    parts: list[Any] = sorted([*anatomy.intervals, *anatomy.atoms], key=lambda q: _start(q).mid())
    level = arb(0)
    if p == 0:
        return _start(parts[0])
    for part in parts:
        level += part.mass
        if level < arb(p):
            continue
        if not isinstance(part, Interval):
            return part.x
        if level.overlaps(arb(p)):
            return part.corners[-1].x
        return _inside(curve, part, p, guess, dps, bits)
    return _end(parts[-1])


def _start(part: Any) -> Any:
    return part.corners[0].x if isinstance(part, Interval) else part.x


def _end(part: Any) -> Any:
    return part.corners[-1].x if isinstance(part, Interval) else part.x


def _inside(
    curve: Algebraic, interval: Interval, p: fmpq, guess: float, dps: int, bits: int
) -> Any:
    low, high = _start(interval).upper(), _end(interval).lower()
    x = arb(guess)
    for _ in range(_MOST_STEPS):
        if not low < x < high:
            x = ((low + high) / 2).mid()
        excess = pointwise.cdf(curve, _dyadic(x), bits) - arb(p)
        if excess > 0:
            high = x
        elif excess < 0:
            low = x
        else:
            return _verified(curve, x, p, dps, bits)
        step = (excess / pointwise.density(curve, _dyadic(x), bits)).mid()
        x = (x - step).mid()
        if abs(step) < abs(x) * arb(10) ** (-dps - 6):
            return _verified(curve, x, p, dps, bits)
    raise Lost("the quantile did not settle")


def _verified(curve: Algebraic, x: Any, p: fmpq, dps: int, bits: int) -> Any:
    """x with a radius across which the cdf provably passes p."""
    radius = (abs(x) * arb(10) ** (-dps - 4)).mid()
    below, above = (pointwise.cdf(curve, _dyadic((x + s * radius).mid()), bits) for s in (-1, 1))
    if not below < arb(p) < above:
        raise Lost("the quantile is not enclosed")
    return arb(x, radius)


def _dyadic(x: Any) -> fmpq:
    mantissa, exponent = x.mid().man_exp()
    power = int(exponent)
    return fmpq(int(mantissa)) * (fmpq(2) ** power if power >= 0 else 1 / fmpq(2) ** -power)
