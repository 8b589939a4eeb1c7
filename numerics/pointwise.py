"""A law at single points, to any number of digits: exact input, Arb balls, one answer.

Every function raises its precision until the ball that holds the value is small enough.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq

from numerics.algebraic import Algebraic
from numerics.anatomy import Anatomy, Interval, dissect, short_descent
from numerics.antiderivative import Antiderivative
from numerics.context import working
from numerics.precise import digits
from numerics.sheet import TERMS, Lost, Path, Sheet

_RUNGS = 9


class Undecided(Lost):
    """A comparison that the precision at hand leaves open."""


@lru_cache(maxsize=64)
def prepared(curve: Algebraic, bits: int) -> tuple[Sheet, Anatomy, Antiderivative]:
    """Sheet, anatomy and antiderivative at a precision; needs `working` around it."""
    sheet = Sheet(curve, bits)
    return sheet, dissect(sheet), Antiderivative(curve)


def climb(dps: int, compute: Callable[[int], Any], what: str) -> Any:
    """The result of `compute(bits)`, one ball or several, once `dps` digits of it are known.

    Raises ArithmeticError when nine doublings of the precision do not suffice.
    """
    bits = max(128, int(dps * 3.33) + 64)
    reason: object = "its ball stays too wide"
    for _ in range(_RUNGS):
        try:
            with working(bits, TERMS):
                value = compute(bits)
                balls = value if isinstance(value, tuple) else (value,)
                if all(_known(ball, dps) for ball in balls):
                    return value
        except Lost as lost:
            reason = lost
        bits *= 2
    raise ArithmeticError(f"{what} could not be found to {dps} digits: {reason}")


def _known(ball: Any, dps: int) -> bool:
    return bool(ball == 0 or ball.rel_accuracy_bits() >= dps * 3.33 + 4)


def to_float(ball: Any, dps: int) -> sp.Float:
    """The middle of a real ball as a SymPy Float."""
    if not ball.is_finite():
        return sp.oo
    mantissa, exponent = ball.mid().man_exp()
    return sp.Float(sp.Integer(int(mantissa)) * sp.Integer(2) ** int(exponent), digits(dps))


def edges(curve: Algebraic, bits: int) -> tuple[Any, ...]:
    """Balls around the edges, ascending."""
    _, anatomy, _ = prepared(curve, bits)
    return tuple(c.x for i in anatomy.intervals for c in (i.corners[0], i.corners[-1]))


def density(curve: Algebraic, x: fmpq, bits: int) -> Any:
    """A ball around the density at a rational x; infinite at a hard edge."""
    sheet, anatomy, _ = prepared(curve, bits)
    for interval in anatomy.intervals:
        for corner in interval.corners:
            if corner.special is not None and _equal(curve, x, corner.x):
                return arb.pos_inf() if corner.special.pole else arb(0)
        if _below(curve, interval.corners[0].x, x) and _below(curve, x, interval.corners[-1].x):
            z = acb(x)
            t = sheet.enclosed(sheet.descend(z).t, z)
            return -sheet.G(t).imag / arb.pi()
    return arb(0)


def cdf(curve: Algebraic, x: fmpq, bits: int) -> Any:
    """A ball around P(X ≤ x) at a rational x."""
    sheet, anatomy, antiderivative = prepared(curve, bits)
    parts = [(i.corners[-1].x, i.mass) for i in anatomy.intervals]
    parts += [(a.x, a.mass) for a in anatomy.atoms]
    if not any(_below(curve, x, end) for end, _ in parts):
        return arb(1)
    for interval in anatomy.intervals:
        if _below(curve, interval.corners[0].x, x) and _below(curve, x, interval.corners[-1].x):
            return 1 - antiderivative.above(_down_to(sheet, interval, curve, x))
    return sum((mass for end, mass in parts if not _below(curve, x, end)), arb(0))


def _down_to(sheet: Sheet, interval: Interval, curve: Algebraic, x: fmpq) -> Path:
    """The way down to a point inside an interval, which may be a cusp."""
    for corner in interval.corners[1:-1]:
        if corner.special is not None and _equal(curve, x, corner.x):
            value = corner.special.value
            height = sheet.clearance(value, besides=value).mid() * arb(2) ** -12
            path = short_descent(sheet, acb(corner.x.mid(), height))
            return Path(value, corner.special.point, (*path.passed, path.t))
    return short_descent(sheet, acb(x))


def stieltjes(curve: Algebraic, z: Any, bits: int) -> Any:
    """A ball around G(z) for z in the upper half plane, or real and off the support."""
    sheet, anatomy, _ = prepared(curve, bits)
    if isinstance(z, fmpq):
        for atom in anatomy.atoms:
            if _equal(curve, z, atom.x):
                raise ValueError(f"z must lie off the support: got the atom {z}")
        for interval in anatomy.intervals:
            low, high = interval.corners[0].x, interval.corners[-1].x
            if not _below(curve, z, low) and not _below(curve, high, z):
                raise ValueError(f"z must lie off the support: got {z}")
        point = acb(z)
    else:
        point = acb(arb(z[0]), arb(z[1]))
    t = sheet.enclosed(sheet.descend(point).t, point)
    value = sheet.G(t)
    return acb(value.real) if isinstance(z, fmpq) else value


def _below(curve: Algebraic, first: Any, second: Any) -> bool:
    """first < second for a rational number and a ball around a special value, either way round."""
    if _number(first) < _number(second):
        return True
    if _number(first) >= _number(second):
        return False
    rational, ball = (first, second) if isinstance(first, fmpq) else (second, first)
    if _equal(curve, rational, ball):
        return False
    raise Undecided("two numbers are too close to compare")


def _equal(curve: Algebraic, x: fmpq, ball: Any) -> bool:
    """Whether a rational number is the special value that a ball encloses."""
    if not ball.overlaps(arb(x)):
        return False
    if ball.is_exact():
        return True
    # x is a value of z at a critical point, or at a pole of G, iff one polynomial says so.
    level = curve.z.top * int(x.q) - curve.z.bottom * int(x.p)
    if level.gcd(level.derivative() * curve.G.bottom).degree() > 0:
        return True
    raise Undecided("a number is too close to an edge or an atom to compare")


def _number(value: Any) -> Any:
    return arb(value) if isinstance(value, fmpq) else value
