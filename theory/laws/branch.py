"""Which part of a curve is the physical sheet: support, edges and atoms, by proof.

Off the support the Stieltjes transform is real on the real line, so there the physical sheet
consists of arcs of the real parameter line on which z is monotone and G′(z) < 0. The converse
fails: a real arc can lie on another sheet. Each arc is therefore followed up the vertical line
z = x + iy with exact rational discs, until it is seen to end, or not to end, at the one point
where z = ∞ and zG = 1.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import sympy as sp

from theory.laws import embedded, tracking, views
from theory.laws.curve import PARAMETER, RationalCurve
from theory.laws.cuts import Cut, fraction, isolate, moved, ordinary_point, slope


@dataclass(frozen=True)
class Arc:
    """An open interval of the real parameter line with z monotone, and its image.

    `ends` are the parameter's values at the lower and the upper end of the image `low`, `high`
    (−∞ and ∞ at poles of z); `sample` lies inside. An end u = zoo is the point at infinity.
    `masses` are those of atoms at the ends, if the arc is physical.
    """

    sample: sp.Rational
    ends: tuple[sp.Expr, sp.Expr]
    low: sp.Expr
    high: sp.Expr
    masses: tuple[sp.Expr, sp.Expr]


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
    gaps = itertools.pairwise(arcs)
    return tuple((left.high, right.low) for left, right in gaps if left.high != right.low)


@lru_cache(maxsize=256)
def atoms(curve: RationalCurve) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """(location, mass) of every atom, ascending: poles of G on the closed physical sheet.

    Outside the support they end a real arc; inside it they are limits along z = x + iy, y ↓ 0.

    Raises Undetermined for a pole inside the support that may be physical and is not decided.
    """
    found = {
        place: mass
        for arc in physical_arcs(curve)
        for place, mass in zip((arc.low, arc.high), arc.masses, strict=True)
        if mass != 0
    }
    found |= embedded.atoms(curve, frozenset(found))
    return tuple(sorted(found.items(), key=lambda pair: pair[0]))


@lru_cache(maxsize=256)
def physical_arcs(curve: RationalCurve) -> tuple[Arc, ...]:
    """The arcs of the physical sheet over the complement of the support, ascending in z."""
    _require_numbers(curve)
    chart = _Chart(curve)
    kept = []
    for k, t in enumerate(chart.samples):
        if not chart.falling(t):
            continue
        # An arc that ends at the base point is physical there, hence throughout.
        if chart.ends_at_base(k) or tracking.reaches_infinity(curve, chart.to_u(t)):
            kept.append(chart.arc(k))
    return tuple(sorted(kept, key=lambda arc: curve.z.subs(PARAMETER, arc.sample)))


class _Chart:
    """The real parameter line cut at critical points of z, poles of z and poles of G.

    In the coordinate t, u = origin + 1/t, the point t = ∞ is an ordinary one, so that u = ∞
    needs no case of its own.
    """

    def __init__(self, curve: RationalCurve) -> None:
        self._z = curve.z
        z, G = (fraction(f) for f in (curve.z, curve.G))
        self.origin = ordinary_point(slope(z) * z[1] * G[1])
        self.z, self.G = (moved(f, self.origin) for f in (z, G))
        base = views.base_point(curve)
        self._base = sp.S.Zero if base is sp.zoo else 1 / (base - self.origin)
        self._slopes = tuple(slope(f) for f in (self.z, self.G))
        self._cuts, between = isolate([self._slopes[0], self.z[1], self.G[1]])
        # The arc through t = ∞, i.e. u = origin, comes first.
        self.samples = [sp.zoo, *between]

    def to_u(self, t: sp.Expr) -> sp.Expr:
        """The curve's own parameter."""
        if t is sp.zoo:
            return self.origin
        return sp.zoo if t == 0 else self.origin + 1 / t

    def falling(self, t: sp.Expr) -> bool:
        """Whether dG/dz < 0 on the arc of a sample."""
        at = self._beyond() if t is sp.zoo else t
        signs = [slope.eval(at) for slope in self._slopes]
        return bool(signs[0] * signs[1] < 0)

    def _beyond(self) -> sp.Expr:
        """A number above every cut."""
        return max(cut.span[1] for cut in self._cuts) + 1

    def ends_at_base(self, k: int) -> bool:
        """Whether the base point, where z = ∞ and zG = 1, bounds arc number k."""
        return any(cut.is_rational(self._base) for cut in self._bounds(k))

    def _bounds(self, k: int) -> tuple[Cut, Cut]:
        return self._cuts[k - 1], self._cuts[k]

    def arc(self, k: int) -> Arc:
        """Arc number k with exact ends."""
        bounds = self._bounds(k)
        t = self.samples[k]
        if self._slopes[0].eval(self._beyond() if t is sp.zoo else t) < 0:
            bounds = (bounds[1], bounds[0])
        low, high = (self._place(cut) for cut in bounds)
        return Arc(
            sample=self.to_u(t),
            ends=(self._end(bounds[0]), self._end(bounds[1])),
            low=-sp.oo if low is sp.zoo else low,
            high=sp.oo if high is sp.zoo else high,
            masses=(self._mass(bounds[0], low), self._mass(bounds[1], high)),
        )

    def _place(self, cut: Cut) -> sp.Expr:
        """z at a cut: rational where it is, else in radicals, else z at a root of an equation."""
        value = cut.value(*self.z)
        return self._z.subs(PARAMETER, self._end(cut)) if value.has(sp.CRootOf) else value

    def _end(self, cut: Cut) -> sp.Expr:
        """The curve's own parameter at a cut."""
        if cut.factor.degree() == 1:
            return self.to_u(cut.exact())
        t = sp.Poly(PARAMETER, PARAMETER, domain="QQ")
        equation = cut.factor.transform(t**0, t - self.origin)
        # t = 0 is no root here, so neither end of the span is beyond u = ∞ from the other.
        low = min(self.to_u(end) for end in cut.apart_from_zero())
        index = equation.count_roots(None, low)
        return sp.rootof(equation, index, radicals=True)

    def _mass(self, cut: Cut, place: sp.Expr) -> sp.Expr:
        """The limit of (z − place)G, which is 0 unless G has a pole there."""
        order = cut.order(self.G[1])
        if place is sp.zoo or not order:
            return sp.S.Zero
        if order == 1:
            top, bottom = self.z
            rise = top.diff() * bottom - top * bottom.diff()
            return cut.value(rise * self.G[0], bottom**2 * self.G[1].diff())
        if not place.is_Rational:
            raise ArithmeticError(f"the atom at {place} sits at an edge that is not rational")
        shifted = self.z[0] - place * self.z[1]
        product = (shifted * self.G[0]).cancel(self.z[1] * self.G[1], include=True)
        return cut.value(*product)


def _require_numbers(curve: RationalCurve) -> None:
    if curve.free_symbols:
        names = ", ".join(sorted(map(str, curve.free_symbols)))
        raise ValueError(f"edges and support need numbers: the law still has the symbols {names}")
    for part in (*sp.fraction(curve.z), *sp.fraction(curve.G)):
        if not all(c.is_Rational for c in sp.Poly(part, PARAMETER).all_coeffs()):
            raise ValueError(f"edges and support need rational coefficients: got {part}")
