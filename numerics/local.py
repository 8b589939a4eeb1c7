"""Series of density and mass: about points inside a support, and about its corners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import acb, acb_poly, acb_series, arb

from numerics.algebraic import Ball
from numerics.anatomy import Corner
from numerics.sheet import Lost, Path, Sheet


@dataclass(frozen=True)
class CornerSeries:
    """density = Σ aⱼ s^(j − pole) at the distance T = s^order from a corner."""

    order: int
    pole: int
    density: list[Any]

    def weights(self) -> list[Any]:
        """The mass up to T is Σ wⱼ aⱼ s^(j − pole + order): ∫ s^k dT with T = s^order."""
        shifts = [j - self.pole + self.order for j in range(len(self.density))]
        # Where the exponent vanishes so does the density's coefficient.
        return [arb(self.order) / k if k else arb(0) for k in shifts]


def at_corner(
    sheet: Sheet, corner: Corner, direction: int, near: Path, terms: int
) -> CornerSeries:
    """The expansion about a corner towards direction = ±1, to a number of terms.

    Arb's series must be longer than that by the orders of the critical point and of the pole.

    `near` is the physical point a short way off; of the branches that meet at the corner it
    tells the physical one.
    """
    if corner.special is None:
        return _regular(sheet, corner, direction, terms)
    special, order = corner.special, corner.special.order
    unit = _root_coordinate(sheet, special.point, order, direction)
    G = _laurent(sheet, special.point, unit, special.pole)
    s = abs(near.z - corner.x).real.root(order)
    spins = [acb(arb(2 * k) / order).exp_pi_i() for k in range(order)]
    spin = min(
        spins, key=lambda w: abs(special.point + acb_poly(unit.coeffs())(s * w) - near.t).mid()
    )
    if not abs(special.point + acb_poly(unit.coeffs())(s * spin) - near.t) * 8 < abs(near.t.imag):
        raise Lost("no branch at the corner leads to the physical sheet")
    # s^order is real on every branch, so whole powers of T have real coefficients.
    density = [
        arb(0)
        if (j - special.pole) % order == 0
        else -(c * spin ** (j - special.pole)).imag / arb.pi()
        for j, c in enumerate(G.coeffs()[:terms])
    ]
    return CornerSeries(order, special.pole, density)


def _regular(sheet: Sheet, corner: Corner, direction: int, terms: int) -> CornerSeries:
    t = sheet.descend(acb(corner.x)).t
    G, _ = about(sheet, t, acb(corner.x))
    signs = [direction**j for j in range(len(G))]
    density = [-c.imag / arb.pi() * sign for c, sign in zip(G[:terms], signs, strict=False)]
    return CornerSeries(1, 0, density)


def _root_coordinate(sheet: Sheet, point: Ball, order: int, direction: int) -> acb_series:
    """t − point as a series in σ, where z − value = direction · σ^order."""
    top, bottom = (acb_poly(p)(acb_poly([point, 1])).coeffs() for p in sheet.z_polynomials)
    whole = acb_series(top) / acb_series(bottom)
    # The coefficients of z − value below `order` vanish exactly.
    lead, *rest = whole.coeffs()[order:]
    tail = acb_series([acb(0), *(c / lead for c in rest)])
    root = ((1 + tail).log() / order).exp() * (lead * direction).root(order)
    return acb_series([0, *root.coeffs()]).reversion()


def _laurent(sheet: Sheet, point: Ball, step: acb_series, pole: int) -> acb_series:
    """σ^pole · G(point + step(σ))."""
    shift = acb_poly([point, 1])
    top, bottom = (acb_series(acb_poly(p)(shift).coeffs()) for p in sheet.G_polynomials)
    lifted = acb_series(bottom.coeffs()[pole:])
    ratio = (top / lifted)(step)
    if pole:
        ratio = ratio / acb_series(step.coeffs()[1:]) ** acb_series([pole])
    return ratio


def about(sheet: Sheet, t: Ball, z: Ball) -> tuple[list[Ball], list[Ball]]:
    """Coefficients in powers of x − z of G(x) and of t(x) − t, given t close to t(z)."""
    value, inverse = sheet.expansion(t)
    top, bottom = (acb_series(p(acb_poly([t, 1])).coeffs()) for p in sheet.G_polynomials)
    G = (top / bottom)(inverse)
    # From powers of x − z(t) to powers of x − z.
    moved = acb_poly([z - value, 1])
    return acb_poly(G.coeffs())(moved).coeffs(), acb_poly(inverse.coeffs())(moved).coeffs()
