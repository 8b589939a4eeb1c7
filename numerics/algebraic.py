"""A law's rational curve as integer polynomials, with everything special about it.

The curve u ↦ (z(u), G(u)) is a branched covering z of the sphere. The algebraic function u(z)
continues without obstacle inside every disc free of branch values, the values of z where z′ = 0;
so these few numbers decide how far a step may go, how small a table's bin must be, and where a
support can begin or end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint
import sympy as sp
from flint import fmpq, fmpz_poly

Polynomial = Any  # flint.fmpz_poly
Ball = Any  # flint.arb or flint.acb


@dataclass(frozen=True)
class Ratio:
    """A rational function in lowest terms, as two polynomials with integer coefficients."""

    top: Polynomial
    bottom: Polynomial

    def __call__(self, at: Ball) -> Ball:
        """The value at a real or complex ball."""
        return self.top(at) / self.bottom(at)

    @property
    def degree(self) -> int:
        """The degree as a map of the sphere to itself."""
        return int(max(self.top.degree(), self.bottom.degree()))

    def slope(self) -> Ratio:
        """The derivative."""
        top, bottom = self.top, self.bottom
        return lowest(top.derivative() * bottom - top * bottom.derivative(), bottom * bottom)

    def moved(self, origin: fmpq, degree: int) -> Ratio:
        """The same function of t, where the argument is origin + 1/t; `degree` ≥ both degrees."""
        return lowest(*(_moved(part, origin, degree) for part in (self.top, self.bottom)))


def lowest(top: Polynomial, bottom: Polynomial) -> Ratio:
    """top/bottom in lowest terms."""
    common = top.gcd(bottom)
    return Ratio(top // common, bottom // common) if common.degree() > 0 else Ratio(top, bottom)


def _moved(part: Polynomial, origin: fmpq, degree: int) -> Polynomial:
    # P(p/q + 1/t) · q^n t^n for the same n in numerator and denominator.
    p, q = int(origin.p), int(origin.q)
    total = fmpz_poly([])
    for j, c in enumerate(part.coeffs()):
        total += c * fmpz_poly([q, p]) ** j * fmpz_poly([0, q]) ** (degree - j)
    return total


@dataclass(frozen=True)
class Special:
    """A point with z finite at which z is critical or G has a pole: an edge or an atom, maybe.

    order : z − value vanishes to this order at the point
    pole : the order of the pole of G there, 0 for none
    """

    point: Ball
    value: Ball
    order: int
    pole: int

    @property
    def real(self) -> bool:
        """Whether the point is real (Arb isolates real roots as such)."""
        return bool(self.point.imag == 0)


@dataclass(frozen=True, eq=False)
class Algebraic:
    """z and G in a coordinate t in which the physical sheet avoids t = ∞.

    One object stands for one law (`algebraic` keeps them), so it may be a key by identity.

    base : the value of t at the physical point over z = ∞
    beyond : z at t = ∞ where that is finite: there t(z) has a pole, though no branch point
    """

    z: Ratio
    G: Ratio
    base: fmpq
    beyond: fmpq | None

    def special(self) -> Iterator[Special]:
        """All special points, at Arb's present precision; orders are exact."""
        critical = self.z.slope().top
        for factor, _ in (critical * self.G.bottom).factor()[1]:
            if factor.degree() == 0 or times(factor, self.z.bottom):
                continue
            order = 1 + times(factor, critical)
            pole = times(factor, self.G.bottom)
            for point, _ in factor.complex_roots():
                # Where z is exactly 0 no ball could say so.
                value = flint.acb(0) if times(factor, self.z.top) else self.z(point)
                value = flint.acb(value.real) if point.imag == 0 else value
                yield Special(point, value, order, pole)


def times(factor: Polynomial, polynomial: Polynomial) -> int:
    """How often an irreducible factor divides a polynomial."""
    count = 0
    while True:
        quotient, rest = divmod(polynomial, factor)
        if rest.degree() >= 0 or quotient * factor != polynomial:
            return count
        polynomial, count = quotient, count + 1


def algebraic(law: Any) -> Algebraic:
    """The polynomials of a law: of any object with `.curve`, itself with z, G, free_symbols.

    Raises
    ------
    TypeError : for an object without curve.
    ValueError : for free symbols, coefficients that are not rational, and curves of no law.
    """
    curve = getattr(law, "curve", None)
    if curve is None or not all(hasattr(curve, name) for name in ("z", "G", "free_symbols")):
        raise TypeError(f"law must have a curve (z, G): got {law!r}")
    if curve.free_symbols:
        names = ", ".join(sorted(map(str, curve.free_symbols)))
        raise ValueError(f"law must be without free symbols: it still has {names}")
    return _algebraic(curve.z, curve.G)


@lru_cache(maxsize=256)
def _algebraic(z_expr: sp.Expr, G_expr: sp.Expr) -> Algebraic:
    parameter = (z_expr.free_symbols | G_expr.free_symbols).pop()
    z, G = (_ratio(expr, parameter) for expr in (z_expr, G_expr))
    if _is_base_at_infinity(z, G) or z.top.degree() <= z.bottom.degree():
        origin = _ordinary(z, G)
        beyond = z(origin)
        z, G = z.moved(origin, z.degree), G.moved(origin, G.degree)
    else:
        beyond = None
    m = lowest(z.top * G.top - z.bottom * G.bottom, z.bottom * G.bottom)
    base = z.bottom.gcd(m.top)
    if base.degree() != 1:
        raise ValueError("law must have a curve with one point where z = ∞ and zG = 1")
    return Algebraic(z, G, fmpq(-base[0], base[1]), beyond)


def _ratio(expr: sp.Expr, parameter: sp.Symbol) -> Ratio:
    parts = []
    for part in sp.fraction(sp.together(expr)):
        polynomial = sp.Poly(part, parameter)
        if not polynomial.domain.is_QQ and not polynomial.domain.is_ZZ:
            raise ValueError(f"law must have rational coefficients: got {polynomial.as_expr()}")
        coefficients = [fmpq(int(c.p), int(c.q)) for c in polynomial.all_coeffs()[::-1]]
        parts.append(flint.fmpq_poly(coefficients))
    top, bottom = parts
    return lowest(top.numer() * int(bottom.denom()), bottom.numer() * int(top.denom()))


def _is_base_at_infinity(z: Ratio, G: Ratio) -> bool:
    """Whether z = ∞ and zG = 1 at u = ∞."""
    if z.top.degree() <= z.bottom.degree():
        return False
    product, bottom = z.top * G.top, z.bottom * G.bottom
    return bool(
        product.degree() == bottom.degree() and product[product.degree()] == bottom[bottom.degree()]
    )


def _ordinary(z: Ratio, G: Ratio) -> fmpq:
    """A number where nothing happens, and where nobody is likely to ask."""
    special = z.bottom * G.bottom * z.slope().top
    number = fmpq(7340033, 2718281)
    while special(number) == 0:
        number += 1
    return number
