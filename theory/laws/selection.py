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
    """Signs of the edge polynomial's coefficients on the arc m > 0, and what follows.

    The arc starts at m = 0, where z = ∞ and zG = 1, so it is physical down to its first critical
    point, and that is the upper edge. Descartes: the number of positive roots is the number of
    sign changes or less by an even number; one change means exactly one root, for all values of
    the symbols.

    coefficients : descending, those that vanish identically left out
    """

    polynomial: sp.Expr
    coefficients: tuple[sp.Expr, ...]
    signs: tuple[int, ...]

    @property
    def sign_changes(self) -> int:
        """The number of changes of sign along the coefficients."""
        return sum(a != b for a, b in zip(self.signs, self.signs[1:], strict=False))

    @property
    def proved(self) -> bool:
        """Whether exactly one positive root exists, for all values of the symbols."""
        return self.sign_changes == 1

    def __str__(self) -> str:
        row = " ".join("+" if sign > 0 else "−" for sign in self.signs)
        if self.proved:
            end = "exactly one positive root m₊; the upper edge is z(m₊)"
        else:
            end = f"at most {self.sign_changes} positive roots; the upper edge is at the smallest"
        return f"coefficients of {self.polynomial}: {row}, hence {end}"


def upper_edge_rule(law: SpectralLaw) -> UpperEdgeRule:
    """Count the positive critical points of a law given in m, for all values of its symbols.

    Raises ValueError for a law whose curve is not in m, one with a pole of z at some m > 0, and
    coefficients whose sign the symbols' assumptions leave open.

    >>> from theory import marchenko_pastur
    >>> from theory.pooled import delta, gamma
    >>> rule = upper_edge_rule(marchenko_pastur(delta) @ marchenko_pastur(gamma))
    >>> rule.signs, rule.proved
    ((1, 1, -1), True)
    """
    curve: RationalCurve = law.curve
    if curve.m != PARAMETER:
        raise ValueError(f"law must have m as the coordinate of its curve: got {curve}")
    # A denominator without sign changes has no root at m > 0, so z is finite along the arc.
    if len(set(_signs(sp.fraction(curve.z)[1])[1])) != 1:
        raise ValueError(f"law must have z finite for all m > 0: got z = {curve.z}")
    polynomial = views.edge_polynomial(curve, PARAMETER)
    coefficients, signs = _signs(polynomial)
    shown = polynomial.subs(PARAMETER, sp.Symbol("m"))
    return UpperEdgeRule(shown, coefficients, signs)


def _signs(polynomial: sp.Expr) -> tuple[tuple[sp.Expr, ...], tuple[int, ...]]:
    coefficients = tuple(
        sp.factor(c) for c in sp.Poly(polynomial, PARAMETER).all_coeffs() if sp.expand(c) != 0
    )
    signs = []
    for c in coefficients:
        # An expanded sum of positive terms shows its sign, a factored one may not.
        sign = next((f for f in (c, sp.expand(c)) if f.is_positive or f.is_negative), None)
        if sign is None:
            raise ValueError(f"the sign of the coefficient {c} is open: give it assumptions")
        signs.append(1 if sign.is_positive else -1)
    return coefficients, tuple(signs)
