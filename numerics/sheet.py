"""The physical sheet: t(z) for z in the closed upper half plane, followed down from z = ∞.

Nothing is used but continuation: G is analytic off the axis, and inside a disc around z that is
free of branch values t(z) is one univalent function.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint
from flint import acb, acb_poly, acb_series

from numerics.algebraic import Algebraic, Ball, Special

TERMS = 12
_MOST_STEPS = 20_000


class Lost(ArithmeticError):
    """A continuation that the precision at hand cannot carry."""


@dataclass(frozen=True)
class Path:
    """Where a continuation has arrived: z, t(z), and the points passed on the way."""

    z: Ball
    t: Ball
    passed: tuple[Ball, ...]


class Sheet:
    """Continuation of t(z) at one precision; every use needs `context.working(bits)` around it."""

    def __init__(self, curve: Algebraic, bits: int) -> None:
        self.curve = curve
        self.bits = bits
        self.special: list[Special] = list(curve.special())
        self.z_polynomials = acb_poly(curve.z.top), acb_poly(curve.z.bottom)
        self.G_polynomials = acb_poly(curve.G.top), acb_poly(curve.G.bottom)
        self._slopes = tuple(p.derivative() for p in self.z_polynomials)

    @cached_property
    def obstacles(self) -> list[Ball]:
        """Branch values, and z(t = ∞): no step's disc may hold one.

        G is analytic above the axis, so there the physical sheet has no branch point; but a disc
        may reach below, through the support.
        """
        return self._obstacles([s for s in self.special if s.order > 1])

    def restrict(self, met: list[Special]) -> None:
        """Keep as real obstacles only those special points that the physical sheet runs into.

        Over any other real value the physical sheet is regular, seen from above, whatever
        happens there on other sheets.
        """
        self.obstacles = self._obstacles(
            [s for s in self.special if s.order > 1 and (not s.real or s in met)]
        )

    def _obstacles(self, special: list[Special]) -> list[Ball]:
        beyond = [] if self.curve.beyond is None else [acb(self.curve.beyond)]
        return [s.value for s in special if not s.value.imag > 0] + beyond

    def clearance(self, z: Ball, besides: Ball | None = None) -> Any:
        """A lower bound for the distance from z to the nearest obstacle, one value left out."""
        gaps = [
            (z - value).abs_lower()
            for value in self.obstacles
            if besides is None or not value.overlaps(besides)
        ]
        return min(gaps) if gaps else flint.arb(1) + abs(z).abs_lower()

    def descend(self, z: Ball, fraction: int = 2, avoid: tuple[Ball, ...] = ()) -> Path:
        """t at a point of the closed upper half plane, straight down from far above it.

        A step is at most 1/fraction of the way to the next obstacle, or value to `avoid`.
        """
        sizes = [abs(v).upper() for v in (*self.obstacles, *avoid, acb(z.real))]
        far = 8 * max(*sizes, _tiny())
        top = acb(z.real, max(far, z.imag))
        return self.follow(Path(top, self._from_infinity(top), ()), z, fraction, avoid)

    def _from_infinity(self, z: Ball) -> Ball:
        top, bottom = (p(acb_poly([acb(self.curve.base), 1])) for p in self.z_polynomials)
        local = acb_series((acb_series(bottom.coeffs()) / acb_series(top.coeffs())).coeffs())
        inverse = acb_series([0, *local.coeffs()[1:]]).reversion()
        return self.polished(acb(self.curve.base) + _at(inverse, 1 / z), z)

    def follow(
        self, path: Path, target: Ball, fraction: int = 2, avoid: tuple[Ball, ...] = ()
    ) -> Path:
        """Continue along a straight line that stays off the obstacles."""
        z, t, passed = path.z, path.t, list(path.passed)
        for _ in range(_MOST_STEPS):
            passed.append(t)
            gap = abs(target - z)
            gaps = [self.clearance(z), *(abs(z - v).abs_lower() for v in avoid)]
            reach = min(gaps).mid() / fraction
            if not reach > 0:
                raise Lost("a branch point lies on the path")
            arrived = bool(gap <= reach)
            goal = target if arrived else (z + (target - z) * (reach / gap)).mid()
            t = self._hop(t, goal)
            z = goal
            if arrived:
                return Path(z, t, tuple(passed))
        raise Lost("the branch could not be followed")

    def _hop(self, t: Ball, goal: Ball) -> Ball:
        z, inverse = self.expansion(t)
        return self.polished(t + _at(inverse, goal - z), goal)

    def expansion(self, t: Ball) -> tuple[Ball, acb_series]:
        """z(t) and the series of t(z + h) − t in h."""
        top, bottom = (acb_series(p(acb_poly([t, 1])).coeffs()) for p in self.z_polynomials)
        coefficients = (top / bottom).coeffs()
        return coefficients[0], acb_series([0, *coefficients[1:]]).reversion()

    def polished(self, t: Ball, z: Ball) -> Ball:
        """Newton's iteration for z(t) = z until it stands still."""
        t = t.mid()
        (top, bottom), (top_slope, bottom_slope) = self.z_polynomials, self._slopes
        best = None
        for _ in range(60):
            step = (top(t) - z * bottom(t)) / (top_slope(t) - z * bottom_slope(t))
            if not step.is_finite():
                raise Lost("Newton's iteration met a critical point")
            t = (t - step).mid()
            size = abs(step).upper()
            if size <= abs(t).upper() * flint.arb(2) ** (8 - self.bits):
                return t
            if best is not None and best <= size < abs(t) * flint.arb(2) ** (-self.bits // 2):
                return t
            best = size if best is None else min(best, size)
        raise Lost("Newton's iteration did not settle")

    def enclosed(self, t: Ball, z: Ball) -> Ball:
        """A ball around t that provably holds exactly one root of z(t) = z (interval Newton).

        z may be a ball: then the roots for all its points are held.
        """
        (top, bottom), (top_slope, bottom_slope) = self.z_polynomials, self._slopes
        slope = top_slope(t) - z * bottom_slope(t)
        step = abs((top(t) - z * bottom(t)) / slope).upper()
        radius = step * 2 + abs(t).upper() * flint.arb(2) ** (-self.bits)
        for _ in range(20):
            ball = t + _box(radius)
            image = t - (top(t) - z * bottom(t)) / (top_slope(ball) - z * bottom_slope(ball))
            if image.is_finite() and ball.contains(image):
                return image
            radius *= 4
        raise Lost("the root could not be enclosed")

    def G(self, t: Ball) -> Ball:
        """The Stieltjes transform at a point of the curve."""
        values: list[Ball] = [p(t) for p in self.G_polynomials]
        return values[0] / values[1]


def _at(series: acb_series, h: Ball) -> Ball:
    return acb_poly(series.coeffs())(h)


def _box(radius: Any) -> Ball:
    side = flint.arb(0, radius)
    return acb(side, side)


def _tiny() -> Any:
    return flint.arb(2) ** -100_000
