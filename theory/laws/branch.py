"""Which part of a curve is the physical sheet: support, edges and atoms, by proof.

Off the support the Stieltjes transform is real on the real line, so there the physical sheet
consists of arcs of the real parameter line on which z is monotone and G′(z) < 0. The converse
fails: a real arc can lie on another sheet. Each arc is therefore followed up the vertical line
z = x + iy with exact rational discs, until it is seen to end, or not to end, at the one point
where z = ∞ and zG = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy as sp

from theory.laws import tracking
from theory.laws.curve import PARAMETER, RationalCurve, reduced


@dataclass(frozen=True)
class Arc:
    """An open interval of the real parameter line with z monotone, and its image.

    `ends` are the parameter's values at the lower and the upper end of the image `low`, `high`
    (−∞ and ∞ at poles of z); `sample` lies inside. An end u = zoo is the point at infinity.
    """

    sample: sp.Rational
    ends: tuple[sp.Expr, sp.Expr]
    low: sp.Expr
    high: sp.Expr


def mass_at_zero(curve: RationalCurve) -> sp.Expr:
    """P(x = 0). With symbols: 1 + m at the first zero of z that the negative axis leads to.

    Raises ValueError for symbols when the zeros of z are not all in sight.
    """
    if not curve.free_symbols:
        return next((mass for place, mass in atoms(curve) if place == 0), sp.S.Zero)
    if curve.m == PARAMETER:
        zeros = sp.roots(sp.Poly(sp.fraction(curve.z)[0], PARAMETER))
        degree = sp.degree(sp.fraction(curve.z)[0], PARAMETER)
        signed = all(zero.is_extended_real and zero.is_negative is not None for zero in zeros)
        if sum(zeros.values()) == degree and signed:
            # From m = 0 at z = −∞ the sheet runs down to the largest negative zero of z.
            return 1 - sp.Min(*(-zero for zero in zeros if zero.is_negative))
    names = ", ".join(sorted(map(str, curve.free_symbols)))
    raise ValueError(f"the mass at 0 of this law needs numbers for {names}")


def support(curve: RationalCurve) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """The intervals of the continuous part, ascending, with exact end points."""
    arcs = physical_arcs(curve)
    gaps = zip(arcs, arcs[1:], strict=False)
    return tuple((left.high, right.low) for left, right in gaps if left.high != right.low)


def atoms(curve: RationalCurve) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """(location, mass) of every atom, ascending: poles of G where the physical sheet ends."""
    found: dict[sp.Expr, sp.Expr] = {}
    for arc in physical_arcs(curve):
        for end, place in zip(arc.ends, (arc.low, arc.high), strict=True):
            if not place.is_finite or not (end is sp.zoo or end.is_Rational):
                continue
            residue = _value((curve.z - place) * curve.G, end)
            if residue != 0:
                found[place] = residue
    return tuple(sorted(found.items(), key=lambda pair: pair[0]))


@lru_cache(maxsize=256)
def physical_arcs(curve: RationalCurve) -> tuple[Arc, ...]:
    """The arcs of the physical sheet over the complement of the support, ascending in z."""
    _require_numbers(curve)
    slope = curve.derivative(curve.G)
    kept = []
    for arc in real_arcs(curve):
        if not slope.subs(PARAMETER, arc.sample).is_negative:
            continue
        if tracking.reaches_infinity(curve, arc.sample):
            kept.append(arc)
    return tuple(sorted(kept, key=lambda arc: curve.z.subs(PARAMETER, arc.sample)))


def real_arcs(curve: RationalCurve) -> list[Arc]:
    """The real parameter line cut at critical points of z, poles of z and poles of G."""
    # In the coordinate t, u = origin + 1/t, the point t = ∞ is an ordinary one, so that
    # u = ∞ needs no case of its own.
    origin = _ordinary_point(curve)
    to_u = origin + 1 / PARAMETER
    z, G = (reduced(f.subs(PARAMETER, to_u)) for f in (curve.z, curve.G))
    special = [sp.fraction(reduced(sp.diff(z, PARAMETER)))[0], sp.fraction(z)[1], sp.fraction(G)[1]]
    roots, between = _isolate(special)
    arcs = []
    for k, t in enumerate(between):
        sample = origin + 1 / t if t is not sp.zoo else origin
        ends = [_value(to_u, roots[k - 1]), _value(to_u, roots[k])]
        images = [_value(z, roots[k - 1]), _value(z, roots[k])]
        if sp.diff(z, PARAMETER).subs(PARAMETER, t if t is not sp.zoo else _beyond(roots)) < 0:
            ends.reverse()
            images.reverse()
        low = -sp.oo if images[0] is sp.zoo else images[0]
        high = sp.oo if images[1] is sp.zoo else images[1]
        arcs.append(Arc(sample, (ends[0], ends[1]), low, high))
    return arcs


def _require_numbers(curve: RationalCurve) -> None:
    if curve.free_symbols:
        names = ", ".join(sorted(map(str, curve.free_symbols)))
        raise ValueError(f"edges and support need numbers: the law still has the symbols {names}")


def _ordinary_point(curve: RationalCurve) -> sp.Rational:
    """A rational u at which z and G are finite, z is not critical and z ≠ 0."""
    special = sp.fraction(curve.z)[1] * sp.fraction(curve.G)[1]
    special *= sp.fraction(reduced(sp.diff(curve.z, PARAMETER)))[0]
    k = 1
    while special.subs(PARAMETER, sp.Rational(k, 3)) == 0:
        k += 1
    return sp.Rational(k, 3)


def _value(function: sp.Expr, at: sp.Expr) -> sp.Expr:
    """A rational function's value at a point of the projective line; zoo at a pole."""
    function = reduced(function)
    if at is sp.zoo:
        function, at = reduced(function.subs(PARAMETER, 1 / PARAMETER)), sp.S.Zero
    top, bottom = sp.fraction(function)
    # A root of an irreducible polynomial kills the denominator only if that polynomial
    # divides it, which `reduced` and the exact substitution below decide together.
    below = sp.Poly(bottom, PARAMETER)
    if isinstance(at, sp.CRootOf):
        minimal = sp.Poly(at.poly.as_expr().subs(at.poly.gen, PARAMETER), PARAMETER)
        return sp.zoo if below.rem(minimal).is_zero else function.subs(PARAMETER, at)
    value = bottom.subs(PARAMETER, at)
    if sp.radsimp(sp.expand(value)) == 0:
        return sp.zoo
    return sp.radsimp(function.subs(PARAMETER, at))


def _isolate(polynomials: list[sp.Expr]) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """All real roots, ascending and exact, with a rational point before each of them.

    The point before the first root stands for the arc through t = ∞ and is given as zoo.
    """
    factors = {
        factor
        for polynomial in polynomials
        for factor, _ in sp.Poly(polynomial, PARAMETER).factor_list()[1]
    }
    product = sp.Poly(sp.prod(f.as_expr() for f in factors), PARAMETER)
    spans = [span for span, _ in product.intervals()]
    eps = sp.Rational(1, 16)
    while any(a[1] >= b[0] for a, b in zip(spans, spans[1:], strict=False)):
        spans = [span for span, _ in product.intervals(eps=eps)]
        eps /= 16
    roots: list[sp.Expr] = []
    seen: dict[sp.Poly, int] = {}
    for low, high in spans:
        factor = next(f for f in sorted(factors, key=str) if f.count_roots(low, high))
        roots.append(sp.rootof(factor, seen.get(factor, 0), radicals=True))
        seen[factor] = seen.get(factor, 0) + 1
    middles = [(a[1] + b[0]) / 2 for a, b in zip(spans, spans[1:], strict=False)]
    return roots, [sp.zoo, *middles]


def _beyond(roots: list[sp.Expr]) -> sp.Expr:
    """A rational number above every root."""
    return sp.ceiling(max(roots)) + 1
