"""The one primary of a spectral law: a rational curve u ↦ (z(u), G(u)).

On the curve G is the Stieltjes transform, G(z) = E[1/(z − x)] with the normalised trace, so
zG → 1 at infinity. Every operation of free probability used here keeps the curve rational.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy as sp

# A Dummy with a fixed index: no symbol of a user can be mistaken for the curve's parameter,
# and curves made in different processes still compare equal.
PARAMETER = sp.Dummy("u", dummy_index=7_100_001)


class NotRational(ValueError):
    """An operation whose result would not be a rational curve."""


@dataclass(frozen=True)
class RationalCurve:
    """A curve u ↦ (z(u), G(u)), both rational in `PARAMETER`, in lowest terms.

    Where m = zG − 1 is itself a coordinate of the curve, the curve is stored with u = m;
    then z(m) is the inverse of m(z) and S(m) = (1 + m)/(m z(m)).
    """

    z: sp.Expr
    G: sp.Expr

    def __post_init__(self) -> None:
        z, G = reduced(self.z), reduced(self.G)
        m = reduced(z * G - 1)
        inverse = mobius_inverse(m)
        if inverse is not None and m != PARAMETER:
            z, G = (reduced(f.subs(PARAMETER, inverse)) for f in (z, G))
        object.__setattr__(self, "z", z)
        object.__setattr__(self, "G", G)

    @cached_property
    def m(self) -> sp.Expr:
        """m = zG − 1 along the curve."""
        return reduced(self.z * self.G - 1)

    @property
    def free_symbols(self) -> frozenset[sp.Symbol]:
        """The parameters that have no value yet."""
        return frozenset(self.z.free_symbols | self.G.free_symbols) - {PARAMETER}

    def derivative(self, along: sp.Expr) -> sp.Expr:
        """d(along)/dz on the curve."""
        return reduced(sp.diff(along, PARAMETER) / sp.diff(self.z, PARAMETER))


def reduced(expr: sp.Expr) -> sp.Expr:
    """A rational expression in lowest terms, factored; equal functions become equal trees."""
    return sp.factor(expr)


def mobius_inverse(function: sp.Expr) -> sp.Expr | None:
    """The inverse of a rational function of degree one in `PARAMETER`; None for other degrees.

    >>> mobius_inverse(PARAMETER / (1 + 2 * PARAMETER))
    -_u/(2*_u - 1)
    """
    top, bottom = (sp.Poly(part, PARAMETER) for part in sp.fraction(reduced(function)))
    if max(top.degree(), bottom.degree()) != 1:
        return None
    a, b = top.coeff_monomial(PARAMETER), top.coeff_monomial(1)
    c, d = bottom.coeff_monomial(PARAMETER), bottom.coeff_monomial(1)
    return reduced((d * PARAMETER - b) / (a - c * PARAMETER))


def s_transform_of(curve: RationalCurve) -> sp.Expr:
    """S(m) = (1 + m)/(m z(m)) in `PARAMETER`; refused when it is not rational."""
    if curve.m != PARAMETER:
        raise NotRational(
            "this law's S-transform is not a rational function: m = zG − 1 = "
            f"{curve.m} is not a coordinate of its curve"
        )
    return reduced((1 + PARAMETER) / (PARAMETER * curve.z))


def r_transform_of(curve: RationalCurve) -> sp.Expr:
    """R(G) = z − 1/G in `PARAMETER`; refused when it is not rational."""
    inverse = mobius_inverse(curve.G)
    if inverse is None:
        raise NotRational(
            "this law's R-transform is not a rational function: "
            f"G = {curve.G} is not a coordinate of its curve"
        )
    return reduced(curve.z.subs(PARAMETER, inverse) - 1 / PARAMETER)


def dilated(curve: RationalCurve, factor: sp.Expr) -> RationalCurve:
    """The law of factor · x."""
    return RationalCurve(factor * curve.z, curve.G / factor)


def shifted(curve: RationalCurve, offset: sp.Expr) -> RationalCurve:
    """The law of x + offset."""
    return RationalCurve(curve.z + offset, curve.G)


def free_product(first: RationalCurve, second: RationalCurve) -> RationalCurve:
    """Free multiplicative convolution ⊠: z ↦ z/S(m) at the same m (Voiculescu 1987)."""
    for left, right in ((first, second), (second, first)):
        if right.m == PARAMETER:
            z = reduced(left.z / s_transform_of(right).subs(PARAMETER, left.m))
            return RationalCurve(z, (1 + left.m) / z)
    raise NotRational("⊠ needs a factor whose S-transform is rational; neither factor's is")


def free_sum(first: RationalCurve, second: RationalCurve) -> RationalCurve:
    """Free additive convolution ⊞: z ↦ z + R(G) at the same G (Voiculescu 1986)."""
    for left, right in ((first, second), (second, first)):
        if mobius_inverse(right.G) is not None:
            z = left.z + r_transform_of(right).subs(PARAMETER, left.G)
            return RationalCurve(z, left.G)
    raise NotRational("⊞ needs a term whose R-transform is rational; neither term's is")


def free_compression(curve: RationalCurve, fraction: sp.Expr) -> RationalCurve:
    """The law of a corner of relative size `fraction` (Nica and Speicher 1996)."""
    return RationalCurve(curve.z - (1 - fraction) / curve.G, curve.G / fraction)


def inverted(curve: RationalCurve) -> RationalCurve:
    """The law of 1/x, for a law without mass at 0: m ↦ −1 − m at 1/z."""
    return RationalCurve(1 / curve.z, -curve.m * curve.z)


def companion(curve: RationalCurve, ratio: sp.Expr) -> RationalCurve:
    """The law of XᵀX from that of XXᵀ; ratio = dim(XXᵀ)/dim(XᵀX)."""
    return RationalCurve(curve.z, (1 + ratio * curve.m) / curve.z)
