"""Atoms inside the support: poles of G that no real arc of the physical sheet leads to."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory.algebra import Undetermined
from theory.laws import tracking
from theory.laws.curve import PARAMETER, RationalCurve
from theory.laws.cuts import Fraction, fraction


@dataclass(frozen=True)
class _Pole:
    """The roots of an irreducible polynomial, where z = place and G has a pole of z's order.

    mass : the limit of (z − place)G as a polynomial in the root
    """

    factor: sp.Poly
    place: sp.Rational
    order: int
    mass: sp.Poly


def atoms(curve: RationalCurve, known: frozenset[sp.Expr]) -> dict[sp.Expr, sp.Expr]:
    """Location and mass of the atoms at none of the `known` places, which real arcs lead to.

    As z = x + iy → x the physical root has one limit, so a place has one pole or none. A simple
    real pole is the end of a real arc, and a double one too; the others are tried by
    continuation.

    Raises Undetermined for a pole that may be physical over an irrational place, with an
    irrational mass, or at u = ∞.
    """
    z, G = fraction(curve.z), fraction(curve.G)
    _refuse_infinity(z, G, known)
    found: dict[sp.Expr, sp.Expr] = {}
    for factor, order in G[1].factor_list()[1]:
        pole = _pole(factor, order, z, G)
        if pole is None or pole.place in known or pole.place in found:
            continue
        # The real ones first: of those the number is known, so none is taken for another.
        roots = sorted(map(_parts, factor.nroots(n=80, maxsteps=500)), key=lambda r: abs(r[1]))
        for root in roots[factor.count_roots() if order < 3 else 0 :]:
            if tracking.physical_limit(curve, pole.place, root, order):
                found[pole.place] = _rational_mass(pole)
                break
    return found


def _pole(factor: sp.Poly, order: int, z: Fraction, G: Fraction) -> _Pole | None:
    """The pole of G at a factor's roots, if it can be an atom's."""
    top, bottom = z
    if factor.degree() == 1 and order < 3:
        return None
    if bottom.rem(factor).is_zero:
        return None
    value = _quotient(top, bottom, factor)
    if value.degree() > 0:
        if factor.count_roots() == factor.degree() and order < 3:
            return None
        _refuse_irrational(factor, top, bottom)
        return None
    place = value.as_expr()
    rest = top - place * bottom
    level = 0
    while not rest.is_zero and rest.rem(factor).is_zero:
        rest, level = rest.quo(factor), level + 1
    if level != order:
        return None
    below = G[1]
    for _ in range(order):
        below = below.quo(factor)
    mass = _quotient(rest * G[0], bottom * below, factor)
    if mass.degree() <= 0 and not 0 < mass.as_expr() <= 1:
        return None
    return _Pole(factor, place, order, mass)


def _quotient(top: sp.Poly, bottom: sp.Poly, factor: sp.Poly) -> sp.Poly:
    """top/bottom at the factor's roots, as a polynomial in the root."""
    below = bottom.rem(factor)
    inverse = below.invert(factor) if factor.degree() > 1 else 1 / below.as_expr()
    return (top.rem(factor) * inverse).rem(factor)


def _parts(root: sp.Expr) -> tuple[sp.Rational, sp.Rational]:
    """Real and imaginary part of a numerical root, as the rationals they are."""
    re, im = root.as_real_imag()
    return sp.Rational(re), sp.Rational(im)


def _rational_mass(pole: _Pole) -> sp.Rational:
    if pole.mass.degree() > 0:
        raise Undetermined(f"the mass of the atom at {pole.place} is irrational, hence not decided")
    return pole.mass.as_expr()


def _refuse_irrational(factor: sp.Poly, top: sp.Poly, bottom: sp.Poly) -> None:
    """Undetermined if a root that is not real may have a real z.

    With as many values of z as roots, conjugate roots have different values: none is real.
    """
    x = sp.Dummy("x")
    values = sp.resultant(factor.as_expr(), (top - x * bottom).as_expr(), PARAMETER)
    ((distinct, fold),) = sp.Poly(values, x).factor_list()[1]
    if factor.count_roots() < fold * distinct.count_roots():
        raise Undetermined(
            f"a pole of G over the roots of {distinct.as_expr().subs(x, sp.Symbol('z'))} lies "
            "inside the support, and is not decided"
        )


def _refuse_infinity(z: Fraction, G: Fraction, known: frozenset[sp.Expr]) -> None:
    """Undetermined if u = ∞ may be an atom's pole, of an order that real arcs may miss."""
    order = G[0].degree() - G[1].degree()
    if order < 3 or z[0].degree() > z[1].degree():
        return
    place = z[0].LC() / z[1].LC() if z[0].degree() == z[1].degree() else sp.S.Zero
    rest = z[0] - place * z[1]
    if place not in known and z[1].degree() - rest.degree() == order:
        raise Undetermined(f"the pole of G at u = ∞ over z = {place} is not decided")
