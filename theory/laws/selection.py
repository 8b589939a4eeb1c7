"""Which root of the edge equation is the upper edge: a proof by Descartes' rule of signs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from theory.laws import views
from theory.laws.curve import PARAMETER, RationalCurve

if TYPE_CHECKING:
    from theory.laws.law import SpectralLaw


@dataclass(frozen=True)
class UpperEdgeRule:
    """Signs of the edge polynomial's coefficients on the arc from z = +∞, and what follows.

    Near m = 0 the curve is z = E[x]/m + …, so z = +∞ lies at m → 0 on the side of the mean's
    sign. That arc is physical down to its first critical point, and that is the upper edge; with
    no critical point the spectrum ends at m = ∞, in an atom. Descartes: the number of positive
    roots in t = side · m is the number of sign changes or less by an even number; one change
    means exactly one root, for all values of the symbols.

    polynomial : in m
    coefficients : of the polynomial in t, descending, those that vanish identically left out
    side : 1 for the arc m > 0, −1 for m < 0
    """

    polynomial: sp.Expr
    coefficients: tuple[sp.Expr, ...]
    signs: tuple[int, ...]
    side: int = 1

    @property
    def sign_changes(self) -> int:
        """The number of changes of sign along the coefficients."""
        return sum(a != b for a, b in zip(self.signs, self.signs[1:], strict=False))

    @property
    def proved(self) -> bool:
        """Whether exactly one root lies on the arc, for all values of the symbols."""
        return self.sign_changes == 1

    def __str__(self) -> str:
        row = " ".join("+" if sign > 0 else "−" for sign in self.signs)
        kind, root = ("positive", "m₊") if self.side > 0 else ("negative", "m₋")
        if self.proved:
            end = f"exactly one {kind} root {root}; the upper edge is z({root})"
        elif not self.sign_changes:
            end = f"no {kind} root; the spectrum ends above in an atom at the limit of z at m = ∞"
        else:
            end = (f"at most {self.sign_changes} {kind} roots; the upper edge is at the one "
                   "nearest to 0, if there is one")
        of = "" if self.side > 0 else " in −m"
        return f"coefficients{of} of {self.polynomial}: {row}, hence {end}"


def upper_edge_rule(law: SpectralLaw) -> UpperEdgeRule:
    """Count the critical points of a law given in m on its arc from z = +∞, for all symbols.

    That arc is m > 0 for a positive mean and m < 0 for a negative one.

    Raises ValueError for a law whose curve is not in m, one with a pole of z inside that arc, and
    a mean or coefficients whose sign the symbols' assumptions leave open.

    >>> from theory import marchenko_pastur
    >>> from theory.pooled import delta, gamma
    >>> rule = upper_edge_rule(marchenko_pastur(delta) @ marchenko_pastur(gamma))
    >>> rule.signs, rule.proved
    ((1, 1, -1), True)
    """
    curve: RationalCurve = law.curve
    if curve.m != PARAMETER:
        raise ValueError(f"law must have m as the coordinate of its curve: got {curve}")
    side = _sign(sp.factor(views.moment(curve, 1)), "mean")
    along = {PARAMETER: side * PARAMETER}
    # A denominator without sign changes has no root on the arc, so z is finite along it.
    if len(set(_signs(sp.fraction(curve.z)[1].subs(along))[1])) != 1:
        where = "m > 0" if side > 0 else "m < 0"
        raise ValueError(f"law must have z finite for all {where}: got z = {curve.z}")
    polynomial = views.edge_polynomial(curve, PARAMETER)
    coefficients, signs = _signs(polynomial.subs(along))
    shown = polynomial.subs(PARAMETER, sp.Symbol("m"))
    return UpperEdgeRule(shown, coefficients, signs, side)


def _signs(polynomial: sp.Expr) -> tuple[tuple[sp.Expr, ...], tuple[int, ...]]:
    coefficients = tuple(
        sp.factor(c) for c in sp.Poly(polynomial, PARAMETER).all_coeffs() if sp.expand(c) != 0
    )
    return coefficients, tuple(_sign(c, "coefficient") for c in coefficients)


def _sign(value: sp.Expr, name: str) -> int:
    # An expanded sum of positive terms shows its sign, a factored one may not.
    sign = next((f for f in (value, sp.expand(value)) if f.is_positive or f.is_negative), None)
    if sign is None:
        raise ValueError(f"the sign of the {name} {value} is open: give it assumptions")
    return 1 if sign.is_positive else -1
