"""`SpectralLaw`: an immutable law made of one curve, composed by operators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from theory.algebra import exact, positive
from theory.laws import branch, conditions, views
from theory.laws import curve as curves
from theory.laws.conditions import Conditions, require, require_positive, require_real
from theory.laws.curve import PARAMETER, RationalCurve
from theory.laws.explain import Explanation, explain


@dataclass(frozen=True, repr=False)
class SpectralLaw:
    """A probability law on the real line, given by a rational curve and nothing else.

    `law @ law` is free multiplicative convolution ⊠, `law + law` free additive convolution ⊞,
    `number * law` dilation, `law + number` a shift. S-transform, polynomial, moments, edges
    and atoms are all computed from the curve. Two laws are equal when their curves are.

    conditions : the ranges of its symbols outside which there is no such law; `subs` checks them

    >>> from theory import marchenko_pastur
    >>> from theory.pooled import delta, gamma
    >>> law = marchenko_pastur(delta) @ marchenko_pastur(gamma)
    >>> law.moment(2)
    delta + gamma + 1
    """

    curve: RationalCurve
    conditions: Conditions = field(default=(), compare=False)

    @classmethod
    def from_s_transform(cls, s_transform: sp.Expr, m: sp.Symbol) -> SpectralLaw:
        """The law with a given rational S-transform, S(m) = (1 + m)/(m z(m)).

        >>> m = sp.Symbol('m')
        >>> SpectralLaw.from_s_transform(1/(1 + m), m).moment(2)
        2
        """
        s = exact(s_transform, "s_transform").subs(m, PARAMETER)
        if not s.is_rational_function(PARAMETER) or s == 0:
            raise ValueError(f"s_transform must be rational in {m} and not 0: got {s_transform}")
        z = (1 + PARAMETER) / (PARAMETER * s)
        return cls(RationalCurve(z, PARAMETER * s))

    @classmethod
    def from_r_transform(cls, r_transform: sp.Expr, G: sp.Symbol) -> SpectralLaw:
        """The law with a given rational R-transform, R(G) = z − 1/G.

        >>> G = sp.Symbol('G')
        >>> SpectralLaw.from_r_transform(G, G).moment(4)
        2
        """
        r = exact(r_transform, "r_transform").subs(G, PARAMETER)
        if not r.is_rational_function(PARAMETER):
            raise ValueError(f"r_transform must be rational in {G}: got {r_transform}")
        return cls(RationalCurve(1 / PARAMETER + r, PARAMETER))

    def where(self, *groups: Conditions) -> SpectralLaw:
        """The same law under further conditions on its symbols."""
        return SpectralLaw(self.curve, conditions.joined(self.conditions, *groups))

    # --- composition -----------------------------------------------------------------------

    def __matmul__(self, other: SpectralLaw) -> SpectralLaw:
        if not isinstance(other, SpectralLaw):
            return NotImplemented
        product = SpectralLaw(curves.free_product(self.curve, other.curve))
        return product.where(self.conditions, other.conditions)

    def __rmul__(self, factor: Any) -> SpectralLaw:
        c = positive(factor, "factor")
        dilated = SpectralLaw(curves.dilated(self.curve, c))
        return dilated.where(self.conditions, require_positive(c, "factor"))

    __mul__ = __rmul__

    def __add__(self, other: Any) -> SpectralLaw:
        if isinstance(other, SpectralLaw):
            total = SpectralLaw(curves.free_sum(self.curve, other.curve))
            return total.where(self.conditions, other.conditions)
        offset = exact(other, "offset")
        shifted = SpectralLaw(curves.shifted(self.curve, offset))
        return shifted.where(self.conditions, require_real(offset, "offset"))

    __radd__ = __add__

    def compress(self, fraction: Any) -> SpectralLaw:
        """Free compression to a corner of relative size p, 0 < p ≤ 1.

        >>> from theory import projection
        >>> projection('1/2').compress('1/2').moment(2)
        3/8
        """
        p = positive(fraction, "fraction")
        within = require(sp.And(p > 0, p <= 1), "fraction must lie in (0, 1]", p)
        return SpectralLaw(curves.free_compression(self.curve, p)).where(self.conditions, within)

    def inverse(self) -> SpectralLaw:
        """The law of 1/x, for a law with neither mass nor continuous part around 0.

        Raises ValueError for mass at 0, for 0 inside the support, and where the point of the
        curve over z = 0 is not the only one with zG = 0, or is an edge: then the inverse has no
        moments. Symbols that leave the mass at 0 open put it among the law's conditions.

        >>> from theory import marchenko_pastur
        >>> marchenko_pastur('1/2').inverse().moment(1)
        2
        """
        mass = self.mass_at_zero()
        massless = require(sp.Eq(mass, 0), "the inverse needs a law without mass at 0", mass)
        if not self.curve.free_symbols:
            for low, high in self.support():
                if low.is_negative and high.is_positive:
                    raise ValueError(
                        "the inverse needs a law without 0 inside its support: "
                        f"got the interval [{low}, {high}]"
                    )
        inverted = curves.inverted(self.curve)
        views.base_point(inverted)
        return SpectralLaw(inverted).where(self.conditions, massless)

    def companion(self, ratio: Any) -> SpectralLaw:
        """The law of XᵀX from that of XXᵀ, ratio = rows(X)/columns(X).

        Its mass at 0 is 1 − ratio · (1 − p₀), p₀ that of this law. Raises ValueError where that
        is negative, for no X of this shape has this law; for a law that reaches below 0; and
        where p₀ is not known.

        >>> from theory import marchenko_pastur
        >>> marchenko_pastur('1/2').companion('1/2').mass_at_zero()
        1/2
        """
        c = positive(ratio, "ratio")
        if not self.curve.free_symbols:
            lowest = branch.physical_arcs(self.curve)[0].high
            require(lowest >= 0, "the companion needs a law on [0, ∞), its lowest point", lowest)
        share = c * (1 - self.mass_at_zero())
        fits = require(share <= 1, "ratio times the mass off 0 must be at most 1", share)
        companion = SpectralLaw(curves.companion(self.curve, c))
        return companion.where(self.conditions, require_positive(c, "ratio"), fits)

    def subs(self, values: Mapping[sp.Symbol, Any]) -> SpectralLaw:
        """The same law with numbers or expressions in place of symbols.

        Raises ValueError for values outside the ranges in which the law exists, and for a symbol
        the law does not have: a name in quotes, or a symbol of the same name with other
        assumptions, would otherwise change nothing, silently.
        """
        for symbol in values:
            if symbol not in self.curve.free_symbols:
                known = ", ".join(sorted(map(str, self.curve.free_symbols))) or "none"
                raise ValueError(
                    f"no symbol {symbol!r} in this law (its symbols: {known}; a string or a "
                    "symbol with other assumptions is a different one)"
                )
        point = {s: positive(v, str(s)) if s.is_positive else exact(v, str(s))
                 for s, v in values.items()}
        open_conditions = conditions.at(self.conditions, point)
        z, G = (f.subs(point, simultaneous=True) for f in (self.curve.z, self.curve.G))
        return SpectralLaw(RationalCurve(z, G), open_conditions)

    # --- views -----------------------------------------------------------------------------

    def s_transform(self, m: sp.Symbol) -> sp.Expr:
        """S(m) = (1 + m)/(m z(m)); refused with the reason when it is not rational."""
        return curves.s_transform_of(self.curve).subs(PARAMETER, m)

    def r_transform(self, G: sp.Symbol) -> sp.Expr:
        """R(G) = z − 1/G; refused with the reason when it is not rational."""
        return curves.r_transform_of(self.curve).subs(PARAMETER, G)

    def stieltjes_polynomial(self, z: sp.Symbol, G: sp.Symbol) -> sp.Expr:
        """The irreducible polynomial P(z, G) = 0 of the Stieltjes transform.

        >>> from theory import marchenko_pastur
        >>> z, G = sp.symbols('z G')
        >>> marchenko_pastur('1/2').stieltjes_polynomial(z, G)
        G**2*z - 2*G*z + G + 2
        """
        return views.stieltjes_polynomial(self.curve, z, G)

    def moment(self, n: int) -> sp.Expr:
        """E[xⁿ] by Lagrange inversion at z = ∞."""
        return views.moment(self.curve, n)

    def free_cumulant(self, n: int) -> sp.Expr:
        """The coefficient of Gⁿ⁻¹ in R(G) = z − 1/G, by Lagrange inversion at G = 0."""
        return views.free_cumulant(self.curve, n)

    def mass_at_zero(self) -> sp.Expr:
        """P(x = 0), for symbols where the zeros of z are in sight, otherwise for numbers."""
        return branch.mass_at_zero(self.curve)

    def edge_equation(self, u: sp.Symbol | None = None) -> sp.Eq:
        """dz/du = 0 as a polynomial equation; u is m itself where the curve has that form.

        Not every real root gives an edge: `edges` keeps those at which an interval of the
        physical sheet ends. Where z′ has no zero the equation is 1 = 0, left as it stands.
        """
        name = "m" if self.curve.m == PARAMETER else "u"
        polynomial = views.edge_polynomial(self.curve, u or sp.Symbol(name))
        return sp.Eq(polynomial, 0, evaluate=False)

    def edges(self) -> tuple[sp.Expr, ...]:
        """The end points of the support's intervals, ascending, as exact algebraic numbers.

        Raises ValueError while the law has free symbols, naming them.

        >>> from theory import marchenko_pastur
        >>> marchenko_pastur('1/4').edges()
        (1/4, 9/4)
        """
        return tuple(x for interval in self.support() for x in interval)

    def support(self) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
        """The intervals of the continuous part, ascending; atoms are not among them."""
        return branch.support(self.curve)

    def explain(self) -> Explanation:
        """The derivation as text: S-transform, curve, polynomial, moments, edges, mass at 0.

        >>> from theory import marchenko_pastur
        >>> print(marchenko_pastur('1/4').explain().steps[0].result)
        S(m) = 4/(m + 4)
        """
        return explain(self)

    def __repr__(self) -> str:
        u = sp.Symbol("m" if self.curve.m == PARAMETER else "u")
        z, G = (f.subs(PARAMETER, u) for f in (self.curve.z, self.curve.G))
        return f"SpectralLaw(z({u}) = {z})" if u.name == "m" else f"SpectralLaw(z = {z}, G = {G})"

    def _repr_latex_(self) -> str:
        u = sp.Symbol("m" if self.curve.m == PARAMETER else "u")
        z, G = (sp.latex(f.subs(PARAMETER, u)) for f in (self.curve.z, self.curve.G))
        if u.name == "m":
            return f"$\\displaystyle z(m) = {z}$"
        return f"$\\displaystyle z(u) = {z}, \\quad G(u) = {G}$"
