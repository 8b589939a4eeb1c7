"""What can be read off a curve by algebra: polynomial, edge equation, moments, cumulants."""

from __future__ import annotations

import sympy as sp

from theory.laws.curve import PARAMETER, RationalCurve, reduced


def base_point(curve: RationalCurve) -> sp.Expr:
    """The parameter's value where z = ∞ and m = zG − 1 vanishes; zoo for u = ∞.

    Other poles of z belong to other sheets. Raises ValueError unless there is exactly one such
    point, and z has a simple pole there: without one, or with a pole of z of higher order, the
    curve has no expansion in 1/z, hence no moments.
    """
    top, bottom = sp.fraction(curve.m)
    poles = sp.fraction(curve.z)[1]
    known = sp.roots(sp.Poly(poles, PARAMETER)) if poles.has(PARAMETER) else {}
    found = {
        pole: order
        for pole, order in known.items()
        if _vanishes(top, pole) and not _vanishes(bottom, pole)
    }
    if _growth(curve.z) > 0 and (curve.m == 0 or _growth(curve.m) < 0):
        found[sp.zoo] = _growth(curve.z)
    if not found:
        raise ValueError("this curve has no point with z = ∞ and zG = 1: it is no spectral law")
    if len(found) > 1:
        raise ValueError(f"the curve must have one point with z = ∞ and zG = 1: got {len(found)}")
    ((point, order),) = found.items()
    if order > 1:
        raise ValueError("this law has no moments: its support is unbounded")
    return point


def _vanishes(polynomial: sp.Expr, at: sp.Expr) -> bool:
    return bool(sp.cancel(polynomial.subs(PARAMETER, at)) == 0)


def _growth(function: sp.Expr) -> int:
    """Degree of the numerator less that of the denominator."""
    top, bottom = (sp.degree(part, PARAMETER) for part in sp.fraction(function))
    return int(top - bottom)


def chart_at_infinity(curve: RationalCurve) -> tuple[sp.Expr, sp.Expr]:
    """(z, G) in a coordinate that vanishes at the physical point over z = ∞."""
    base = base_point(curve)
    local = 1 / PARAMETER if base is sp.zoo else PARAMETER + base
    if local == PARAMETER:
        return curve.z, curve.G
    z, G = (reduced(f.subs(PARAMETER, local)) for f in (curve.z, curve.G))
    return z, G


def taylor(function: sp.Expr, order: int) -> list[sp.Expr]:
    """Coefficients 0..order at 0 of a rational function of `PARAMETER` without pole there."""
    top, bottom = (sp.Poly(p, PARAMETER).all_coeffs()[::-1] for p in sp.fraction(reduced(function)))
    pad = [sp.S.Zero] * (order + 1)
    top, bottom = (top + pad)[: order + 1], (bottom + pad)[: order + 1]
    series: list[sp.Expr] = []
    for n in range(order + 1):
        known = sum((bottom[k] * series[n - k] for k in range(1, n + 1)), sp.S.Zero)
        series.append(sp.cancel((top[n] - known) / bottom[0]))
    return series


def lagrange_coefficient(of: sp.Expr, over: sp.Expr, n: int) -> sp.Expr:
    """[wⁿ] of(t) where w = over(t) is a local coordinate: (1/n)[tⁿ⁻¹] of′(t)(t/w)ⁿ."""
    if n == 0:
        return taylor(of, 0)[0]
    series = taylor(sp.diff(of, PARAMETER) * (PARAMETER / over) ** n, n - 1)
    return sp.expand(sp.cancel(series[n - 1] / n))


def moment(curve: RationalCurve, n: int) -> sp.Expr:
    """E[xⁿ] = [z⁻ⁿ] m, n ≥ 0."""
    _check_order(n, 0)
    if n == 0:
        return sp.S.One
    z, G = chart_at_infinity(curve)
    return lagrange_coefficient(reduced(z * G - 1), reduced(1 / z), n)


def free_cumulant(curve: RationalCurve, n: int) -> sp.Expr:
    """[Gⁿ⁻¹] of R(G) = m/G, n ≥ 1."""
    _check_order(n, 1)
    z, G = chart_at_infinity(curve)
    return lagrange_coefficient(reduced((z * G - 1) / G), G, n - 1)


def _check_order(n: int, least: int) -> None:
    if isinstance(n, bool) or not isinstance(n, (int, sp.Integer)) or n < least:
        raise ValueError(f"n must be an integer of at least {least}: got {n!r}")


def edge_polynomial(curve: RationalCurve, u: sp.Symbol) -> sp.Expr:
    """The numerator of dz/du, expanded, without constant factor, leading coefficient positive."""
    top = sp.fraction(reduced(sp.diff(curve.z, PARAMETER)))[0]
    _, primitive = sp.Poly(top, PARAMETER).primitive()
    lead = primitive.LC()
    if lead.is_negative or (lead.is_positive is None and lead.could_extract_minus_sign()):
        primitive = -primitive
    return sp.expand(primitive.as_expr().subs(PARAMETER, u))


def stieltjes_polynomial(curve: RationalCurve, z: sp.Symbol, G: sp.Symbol) -> sp.Expr:
    """The irreducible P(z, G) that vanishes on the curve, by elimination of the parameter."""
    first, second = (
        sp.fraction(sp.together(f - value))[0] for f, value in ((curve.z, z), (curve.G, G))
    )
    if curve.m == PARAMETER:
        # m = zG − 1 is at hand, and saves the resultant.
        eliminated = sp.fraction(sp.together(curve.z.subs(PARAMETER, z * G - 1) - z))[0]
    else:
        eliminated = sp.resultant(first, second, PARAMETER)
    for factor, _ in sp.factor_list(eliminated, z, G)[1]:
        if reduced(factor.subs({z: curve.z, G: curve.G}, simultaneous=True)) == 0:
            polynomial = sp.Poly(factor, G, z).primitive()[1]
            expanded = sp.expand(polynomial.as_expr())
            return -expanded if polynomial.LC().could_extract_minus_sign() else expanded
    raise ArithmeticError("elimination lost the curve")
