"""∫ G dz on a law's curve: rational terms and logarithms, nothing else.

L(z) = ∫ G dz with L − log z → 0 at ∞ has Im L(x + i0) = π · P(X > x): the cdf is elementary.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import flint
from flint import acb, acb_poly, acb_series, fmpq_poly

from numerics.algebraic import Algebraic, Ball, Ratio, lowest, times
from numerics.sheet import Path


@dataclass(frozen=True)
class _Part:
    """residue · log(t − pole) + Σ cⱼ (t − pole)^−j."""

    pole: Ball
    residue: Ball
    powers: tuple[Ball, ...]

    def rational(self, t: Ball) -> Ball:
        inverse = 1 / (t - self.pole)
        return sum((c * inverse**j for j, c in enumerate(self.powers, 1)), acb(0))


class Antiderivative:
    """∫ G z′ dt by partial fractions, at Arb's present precision."""

    def __init__(self, curve: Algebraic) -> None:
        slope = curve.z.slope()
        self.base = acb(curve.base)
        integrand = lowest(curve.G.top * slope.top, curve.G.bottom * slope.bottom)
        whole = divmod(fmpq_poly(integrand.top), fmpq_poly(integrand.bottom))[0]
        self._whole = acb_poly(whole.integral())
        self._parts = [
            _principal(integrand, root, times(factor, integrand.bottom))
            for factor, _ in integrand.bottom.factor()[1]
            for root, _ in factor.complex_roots()
        ]
        # z ~ scale/(t − base) at the physical point over ∞.
        self._scale = curve.z.top(self.base) / curve.z.bottom.derivative()(self.base)

    def step(self, before: Ball, after: Ball) -> Ball:
        """∫ G dz over a step that is short against the distance to every pole."""
        total: Ball = self._whole(after) - self._whole(before)
        for part in self._parts:
            turn = (after - part.pole) / (before - part.pole)
            total += part.residue * turn.log() + part.rational(after) - part.rational(before)
        return total

    def above(self, path: Path) -> Ball:
        """P(X > x) at the end x of a path down from far above, whose steps are short."""
        total: Ball = self._whole(path.t) - self._whole(self.base)
        for part in self._parts:
            if part.pole.overlaps(self.base):
                start = self._scale / (path.passed[0] - self.base)
                end, sign = self._scale / (path.t - self.base), -1
            else:
                start = (path.passed[0] - part.pole) / (self.base - part.pole)
                end, sign = (path.t - part.pole) / (self.base - part.pole), 1
                total += part.rational(path.t) - part.rational(self.base)
            total += sign * part.residue * _continued_log(start, end, part.pole, path, sign)
        return total.imag / flint.arb.pi()


def _continued_log(start: Ball, end: Ball, pole: Ball, path: Path, sign: int) -> Ball:
    """log(end) on the branch that continues log(start) along the path."""
    points = [*path.passed, path.t]
    turned = float(start.arg().mid())
    for before, after in itertools.pairwise(points):
        turned += sign * float(((after - pole) / (before - pole)).arg().mid())
    # On the cut the argument may come out as a ball around −π and π alike.
    rotated = end * acb(0, -flint.arb(turned).mid()).exp()
    return rotated.log() + acb(0, flint.arb(turned).mid())


def _principal(function: Ratio, root: Ball, order: int) -> _Part:
    """The principal part of a rational function at a pole of known order, integrated."""
    flint.ctx.cap = max(flint.ctx.cap, order + 2)
    shift = acb_poly([root, 1])
    top, bottom = (acb_poly(p)(shift).coeffs() for p in (function.top, function.bottom))
    # The coefficients below `order` vanish exactly.
    regular = (acb_series(top) / acb_series(bottom[order:])).coeffs()
    regular += [acb(0)] * (order - len(regular))
    powers = tuple(regular[order - 1 - j] / -j for j in range(1, order))
    return _Part(root, regular[order - 1], powers)
