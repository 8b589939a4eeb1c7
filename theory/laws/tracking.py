"""Continuation of one root of z(u) = z along a line, proved step by step.

Around a centre the polynomial F(u) = N(u) − zD(u) has Taylor coefficients a₀, a₁, … . If
|a₁|r > |a₀| + |a₂|r² + …, then by Rouché's theorem exactly one root lies in the disc of radius
r; and if that remains true while z moves along a segment, it is the same root throughout.
Everything is done in integers (centres and z are dyadic up to one denominator), so the
conclusion is a proof and not an impression.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt

import sympy as sp

from theory.laws import views
from theory.laws.curve import PARAMETER, RationalCurve

Gaussian = tuple[int, int]


@dataclass(frozen=True)
class _Point:
    """The complex number (re + i·im)/scale."""

    re: int
    im: int
    scale: int


def reaches_infinity(curve: RationalCurve, start: sp.Rational) -> bool:
    """Does the point u = start, followed up from z(start), end where z = ∞ and zG = 1?

    That is: is `start`, a real point outside the image of the support, on the physical sheet?
    Sheets do not change along a vertical line in the upper half plane.
    """
    place = _fraction(curve.z.subs(PARAMETER, start))
    u = _Point(int(start.p), 0, int(start.q))
    return _climbs(curve, u, _Point(place.numerator, 0, place.denominator))


def physical_limit(
    curve: RationalCurve, place: sp.Rational, point: tuple[sp.Rational, sp.Rational], order: int
) -> bool:
    """Does the physical root of z(u) = place + iy tend to a given point as y ↓ 0?

    point : real and imaginary part, to 2⁻²⁴⁰, of a root of z(u) = place of this order

    A disc that holds `order` roots for all z within h of the place holds those that tend to the
    point and no other; so the answer is whether one of them, followed up from there, is physical.
    """
    top, bottom = _integers(curve.z)
    scale: int = 1 << 256
    re, im = (int(sp.floor(part * scale)) for part in point)
    centre = _Point(re, im, scale)
    x = _fraction(place)
    for bits in range(8, 160, 8):
        z = _Point(x.numerator << bits, 0, x.denominator << bits)
        # Not straight up: other sheets may have a branch point right above a place.
        move = (x.denominator, 8 * x.denominator)
        starts = _cluster(top, bottom, centre, z, move, order)
        if starts:
            raised = _Point(z.re + move[0], move[1], z.scale)
            return any(_climbs(curve, u, raised) for u in starts)
    raise ArithmeticError("no disc isolates the roots around the pole")


def _cluster(
    top: list[int], bottom: list[int], centre: _Point, z: _Point, move: Gaussian, order: int
) -> list[_Point]:
    """Centres of disjoint discs, each with one of the roots around a multiple one at z.

    They are roots at z + move/scale; empty where that is too far from z for a proof.
    """
    a, d = _expansion(top, bottom, centre, z)
    # To leading order a_k δᵏ = move·D.
    norm = a[order][0] ** 2 + a[order][1] ** 2
    p, q = (d[0][0] * move[0] - d[0][1] * move[1], d[0][0] * move[1] + d[0][1] * move[0])
    re, im = p * a[order][0] + q * a[order][1], q * a[order][0] - p * a[order][1]
    steps = _roots_of_number(Fraction(re, norm), Fraction(im, norm), order)
    reach = 2 * max(_above(step) for step in steps)
    others = sum(_above(c) * reach**j for j, c in enumerate(a) if j != order)
    moved = _above(move) * sum(_above(c) * reach**j for j, c in enumerate(d))
    if _below(a[order]) * reach**order <= others + moved:
        return []
    raised = _Point(z.re + move[0], z.im + move[1], z.scale)
    size = reach // (16 * order)
    # Only the bits that discs of this size need: the first steps are of that order.
    drop = size.bit_length() - 12
    centres = [
        _Point((centre.re + dx) >> drop, (centre.im + dy) >> drop, centre.scale >> drop)
        for dx, dy in steps
    ]
    size >>= drop
    alone = all(_holds_one(top, bottom, u, raised, size) for u in centres)
    return centres if alone else []


def _holds_one(top: list[int], bottom: list[int], u: _Point, z: _Point, size: int) -> bool:
    """Rouché: exactly one root of z(u) = z within size/scale of u."""
    a, _ = _expansion(top, bottom, u, z)
    rest = sum(_above(c) * size**j for j, c in enumerate(a[2:], 2))
    return bool(_below(a[1]) * size > rest + _above(a[0]))


def _roots_of_number(re: Fraction, im: Fraction, order: int) -> list[Gaussian]:
    """The roots of the given order of a large complex number, to twelve digits."""
    if order == 1:
        return [(int(re), int(im))]
    # Scaled to a number between 1 and 2ᵏ, and cut to 48 bits: what is exact comes after.
    size = isqrt(int(re * re + im * im)).bit_length() // order
    x, y = (sp.Rational(int(part * 2**48 / 2 ** (size * order)), 2**48) for part in (re, im))
    t = sp.Poly(PARAMETER, PARAMETER, domain="QQ")
    both = ((t**order - x) ** 2 + y**2).sqf_part()
    found: list[Gaussian] = []
    for index in range(both.degree()):
        root = sp.rootof(both, index, radicals=False)
        close = root if root.is_Rational else root.eval_rational(n=15)
        dx, dy = close.as_real_imag()
        # Half of the roots belong to the conjugate number.
        off = sp.expand((dx + sp.I * dy) ** order - x - sp.I * y)
        if sp.expand(off * sp.conjugate(off)) < sp.Rational(1, 10**12):
            found.append((int(dx * 2**size), int(dy * 2**size)))
    return found


def _climbs(curve: RationalCurve, u: _Point, z: _Point) -> bool:
    """Does the root in the smallest disc around u, followed up from z, end at the base point?"""
    top, bottom = _integers(curve.z)
    base = _base(curve)
    for _ in range(100_000):
        if Fraction(z.im, z.scale) >= base.height:
            size = base.squared_distance(u)
            if size is not None and size < (base.radius / 2) ** 2:
                return True
            if size is None or size > base.radius**2:
                return False
        u, z = _step(top, bottom, u, z)
    raise ArithmeticError("the branch could not be followed to infinity")


class _Base:
    """The neighbourhood |t| < radius of the physical point over z = ∞.

    For every z with |z| ≥ height it holds exactly one root of z(t) = z.
    """

    def __init__(self, curve: RationalCurve) -> None:
        z, _ = views.chart_at_infinity(curve)
        base = views.base_point(curve)
        self.pole = None if base is sp.zoo else _fraction(base)
        top, bottom = _integers(z)
        self.height, self.radius = min(
            (height, radius)
            for radius in (Fraction(2) ** k for k in range(-80, 80))
            if (height := self._least_height(top, bottom, radius)) is not None
        )

    @staticmethod
    def _least_height(top: list[int], bottom: list[int], radius: Fraction) -> Fraction | None:
        """The |z| from which Rouché finds one root of N(t)/z − D(t) in |t| < radius."""
        spare = abs(bottom[1]) * radius
        spare -= sum((abs(c) * radius**j for j, c in enumerate(bottom[2:], 2)), Fraction(0))
        weight = sum((abs(c) * radius**j for j, c in enumerate(top)), Fraction(0))
        return 2 * weight / spare if spare > 0 else None

    def squared_distance(self, u: _Point) -> Fraction | None:
        """|t|² of the point u in the local coordinate; None where t = ∞."""
        if self.pole is None:
            size = u.re**2 + u.im**2
            return Fraction(u.scale**2, size) if size else None
        re = Fraction(u.re, u.scale) - self.pole
        return re**2 + Fraction(u.im, u.scale) ** 2


@lru_cache(maxsize=256)
def _base(curve: RationalCurve) -> _Base:
    return _Base(curve)


def _step(top: list[int], bottom: list[int], u: _Point, z: _Point) -> tuple[_Point, _Point]:
    """Move z up as far as one disc proves, and return the centre of the next disc."""
    a, moved = _expansion(top, bottom, u, z)
    slope, residual = _below(a[1]), _above(a[0])
    rest = [_above(c) for c in a[2:]]
    drift = [_above(d) for d in moved]
    best, radius = Fraction(0), 1
    r = 1 << 80
    while r:
        free = slope * r - residual - sum(c * r**j for j, c in enumerate(rest, 2))
        if free > 0:
            # z moves by h/scale, so F·scale moves by h·D.
            height = Fraction(free, sum(d * r**j for j, d in enumerate(drift)))
            if height > best:
                best, radius = height, r
        r >>= 1
    if not best:
        if u.scale.bit_length() > 600:
            raise ArithmeticError("no disc isolates the root")
        return _Point(u.re << 40, u.im << 40, u.scale << 40), z
    # Half of what was free is kept for the polishing of the next centre.
    raised = _raised(z, best / 2)
    return _polished(top, bottom, u, raised, radius), raised


def _raised(z: _Point, height: Fraction) -> _Point:
    """z + i·height/scale with the height rounded down to few bits."""
    bits = max(0, 8 - (height.numerator.bit_length() - height.denominator.bit_length()))
    steps = (height.numerator << bits) // height.denominator
    drop = max(0, steps.bit_length() - 8)
    steps = (steps >> drop) << drop
    im, scale = (z.im << bits) + steps, z.scale << bits
    while bits and not im & 1 and not (z.re << bits) & 1:
        im, scale, bits = im >> 1, scale >> 1, bits - 1
    return _Point(z.re << bits, im, scale)


def _polished(
    top: list[int], bottom: list[int], u: _Point, z: _Point, radius: int
) -> _Point:
    """Newton's iteration from u until a disc of radius/32 provably holds the root.

    `radius` is in units of 1/u.scale; centres get just the bits that such a disc needs.
    """
    shift = 10 - radius.bit_length()
    fine = u
    if shift > 0:
        fine = _Point(u.re << shift, u.im << shift, u.scale << shift)
        radius <<= shift
    size = radius >> 5
    start = fine
    for _ in range(60):
        a, _ = _expansion(top, bottom, fine, z)
        rest = sum(_above(c) * size**j for j, c in enumerate(a[2:], 2))
        if _below(a[1]) * size > rest + _above(a[0]):
            moved = _above((fine.re - start.re, fine.im - start.im))
            if moved + size > radius:
                raise ArithmeticError("Newton's iteration left the disc of its root")
            return _shortened(fine, size)
        norm = a[1][0] ** 2 + a[1][1] ** 2
        re = a[0][0] * a[1][0] + a[0][1] * a[1][1]
        im = a[0][1] * a[1][0] - a[0][0] * a[1][1]
        fine = _Point(fine.re - re // norm, fine.im - im // norm, fine.scale)
    raise ArithmeticError("Newton's iteration did not settle in the disc of its root")


def _shortened(u: _Point, size: int) -> _Point:
    """Drop trailing zero bits that numerator and scale share."""
    while not (u.re | u.im | u.scale) & 1 and size > 1:
        u, size = _Point(u.re >> 1, u.im >> 1, u.scale >> 1), size >> 1
    return u


def _expansion(
    top: list[int], bottom: list[int], u: _Point, z: _Point
) -> tuple[list[Gaussian], list[Gaussian]]:
    """Taylor coefficients of N − zD and of D at u, in units of 1/u.scale, up to one factor."""
    numerator, denominator = _recentred(top, u), _recentred(bottom, u)
    a = [
        (z.scale * n[0] - z.re * d[0] + z.im * d[1], z.scale * n[1] - z.re * d[1] - z.im * d[0])
        for n, d in zip(numerator, denominator, strict=True)
    ]
    return a, denominator


def _recentred(coefficients: list[int], u: _Point) -> list[Gaussian]:
    """scaleⁿ P(u + w/scale) as a polynomial in w, by repeated synthetic division."""
    n = len(coefficients) - 1
    c = [(value * u.scale ** (n - j), 0) for j, value in enumerate(coefficients)]
    for k in range(n):
        for j in range(n - 1, k - 1, -1):
            re, im = c[j + 1]
            c[j] = (c[j][0] + u.re * re - u.im * im, c[j][1] + u.re * im + u.im * re)
    return c


def _integers(function: sp.Expr) -> tuple[list[int], list[int]]:
    """Ascending integer coefficients of numerator and denominator, padded to one length."""
    parts = [sp.Poly(part, PARAMETER).all_coeffs()[::-1] for part in sp.fraction(function)]
    common = int(sp.ilcm(1, *(c.q for part in parts for c in part)))
    length = max(map(len, parts))
    top, bottom = (
        [int(c * common) for c in part] + [0] * (length - len(part)) for part in parts
    )
    return top, bottom


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _above(a: Gaussian) -> int:
    """|a| rounded up."""
    return isqrt(a[0] * a[0] + a[1] * a[1]) + 1


def _below(a: Gaussian) -> int:
    """|a| rounded down."""
    return isqrt(a[0] * a[0] + a[1] * a[1])
