"""Rational functions as pairs of polynomials, and the real line cut at their roots."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import sympy as sp

from theory.laws.curve import PARAMETER

Fraction = tuple[sp.Poly, sp.Poly]


def fraction(function: sp.Expr) -> Fraction:
    top, bottom = sp.fraction(function)
    return sp.Poly(top, PARAMETER, domain="QQ"), sp.Poly(bottom, PARAMETER, domain="QQ")


def ordinary_point(special: sp.Poly) -> sp.Rational:
    """A rational u at which a polynomial does not vanish."""
    k = 1
    while special.eval(sp.Rational(k, 3)) == 0:
        k += 1
    return sp.Rational(k, 3)


def moved(
    function: Fraction, origin: sp.Rational
) -> Fraction:
    """Numerator and denominator of f(origin + 1/t) in t, in lowest terms."""
    t = sp.Poly(PARAMETER, PARAMETER, domain="QQ")
    top, bottom = (part.transform(origin * t + 1, t) for part in function)
    lift = function[1].degree() - function[0].degree()
    return (top * t**lift, bottom) if lift >= 0 else (top, bottom * t**-lift)


def slope(function: Fraction) -> sp.Poly:
    """f′ times the square of f's denominator: of the sign of f′, and zero where that is."""
    top, bottom = function
    return top.diff() * bottom - top * bottom.diff()


@dataclass(frozen=True)
class Cut:
    """A real root of an irreducible polynomial: which of its real roots, and where."""

    factor: sp.Poly
    index: int
    span: tuple[sp.Rational, sp.Rational]

    def exact(self) -> sp.Expr:
        """In radicals where they are simple, else as a CRootOf."""
        return sp.rootof(self.factor, self.index, radicals=True)

    def apart_from_zero(self) -> tuple[sp.Rational, sp.Rational]:
        """An isolating interval, of a root other than 0, without 0."""
        low, high = self.span
        while low * high <= 0:
            low, high = self.factor.refine_root(low, high, eps=(high - low) / 4)
        return low, high

    def order(self, polynomial: sp.Poly) -> int:
        """How often the root is one of a polynomial."""
        count = 0
        while not polynomial.is_zero and polynomial.rem(self.factor).is_zero:
            polynomial, count = polynomial.quo(self.factor), count + 1
        return count

    def value(self, top: sp.Poly, bottom: sp.Poly) -> sp.Expr:
        """top/bottom at the root, as a polynomial in it of least degree; zoo at a pole."""
        below = bottom.rem(self.factor)
        if below.is_zero:
            return sp.zoo
        inverse = below.invert(self.factor) if self.factor.degree() > 1 else 1 / below.as_expr()
        reduced_value = (top.rem(self.factor) * inverse).rem(self.factor)
        if reduced_value.degree() <= 0:
            return reduced_value.as_expr()
        root = self.exact()
        value = reduced_value.as_expr().subs(PARAMETER, root)
        return value if root.has(sp.CRootOf) else sp.radsimp(sp.expand(value))

    def is_rational(self, value: sp.Rational) -> bool:
        """Whether the root is this rational number."""
        return bool(self.factor.degree() == 1 and self.factor.eval(value) == 0)


def isolate(polynomials: list[sp.Poly]) -> tuple[list[Cut], list[sp.Rational]]:
    """All real roots, ascending, and a rational point between each two."""
    factors = {
        factor for polynomial in polynomials for factor, _ in polynomial.factor_list()[1]
    }
    eps = None
    while True:
        found = [
            (span, factor, index)
            for factor in factors
            for index, (span, _) in enumerate(factor.intervals(eps=eps))
        ]
        found.sort(key=lambda item: item[0])
        spans = [span for span, _, _ in found]
        if all(a[1] < b[0] for a, b in pairwise(spans)):
            break
        eps = sp.Rational(1, 16) if eps is None else eps / 256
    cuts = [Cut(factor, index, span) for span, factor, index in found]
    pairs = list(pairwise(spans))
    # t = 0 would be the point u = ∞, with which nobody can start.
    return cuts, [(a[1] + b[0]) / 2 or (2 * a[1] + b[0]) / 3 for a, b in pairs]
