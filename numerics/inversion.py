"""Quantiles to any number of digits: Newton's iteration on the cdf, with the answer enclosed."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from numerics import pointwise
from numerics.algebraic import Algebraic
from numerics.anatomy import Interval
from numerics.sheet import Lost

_MOST_STEPS = 400


def quantile(curve: Algebraic, p: fmpq, dps: int, bits: int) -> Any:
    """A ball around the smallest x with P(X ≤ x) ≥ p.

    Where p is the mass below a gap, to all digits at hand, this is the gap's lower end.
    """
    _, anatomy, _ = pointwise.prepared(curve, bits)
    parts: list[Any] = sorted([*anatomy.intervals, *anatomy.atoms], key=lambda q: _start(q).mid())
    level = arb(0)
    if p == 0:
        return _start(parts[0])
    for part in parts:
        before, level = level, level + part.mass
        if level < arb(p):
            continue
        if not isinstance(part, Interval):
            return part.x
        if level.overlaps(arb(p)):
            return part.corners[-1].x
        return _inside(curve, part, before, p, dps, bits)
    return _end(parts[-1])


def _start(part: Any) -> Any:
    return part.corners[0].x if isinstance(part, Interval) else part.x


def _end(part: Any) -> Any:
    return part.corners[-1].x if isinstance(part, Interval) else part.x


def _inside(
    curve: Algebraic, interval: Interval, level: Any, p: fmpq, dps: int, bits: int
) -> Any:
    """Newton's iteration for log mass against log T, T the distance to the nearer edge in mass."""
    from_below = bool((arb(p) - level) * 2 < interval.mass)
    edge, sign = (_start(interval), 1) if from_below else (_end(interval), -1)
    wanted = arb(p) - level if from_below else level + interval.mass - arb(p)
    low, high = arb(0), (_end(interval) - _start(interval)).mid()
    distance = high / 2
    for _ in range(_MOST_STEPS):
        x = _dyadic(edge + sign * distance)
        reached = pointwise.cdf(curve, x, bits)
        mass = reached - level if from_below else level + interval.mass - reached
        if mass > wanted:
            high = distance
        elif mass < wanted:
            low = distance
        rate = distance * pointwise.density(curve, x, bits) / mass
        following = (distance * ((wanted / mass).log() / rate).exp()).mid()
        if not low <= following <= high:
            following = ((low + high) / 2).mid()
        change = abs(following - distance)
        distance = following
        if change < (distance + abs(edge)).mid() * arb(10) ** (-dps - 6):
            return _verified(curve, (edge + sign * distance).mid(), p, dps, bits)
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
