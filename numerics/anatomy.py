"""Support and atoms of a law, found by following the physical sheet down to the real axis."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import flint
from flint import acb

from numerics.algebraic import Ball, Special
from numerics.antiderivative import Antiderivative
from numerics.sheet import Lost, Path, Sheet


@dataclass(frozen=True)
class Corner:
    """A point of the axis where tables start: an edge, a cusp, or the foot of a complex value.

    special : the critical point of an edge or a cusp; None where t(x) is regular
    """

    x: Any
    special: Special | None


@dataclass(frozen=True)
class Interval:
    """A component of the continuous part: its corners from edge to edge, and its mass."""

    corners: tuple[Corner, ...]
    mass: Any


@dataclass(frozen=True)
class Atom:
    """A point mass."""

    x: Any
    mass: Any


@dataclass(frozen=True)
class Anatomy:
    """Intervals and atoms, ascending; all numbers are real balls."""

    intervals: tuple[Interval, ...]
    atoms: tuple[Atom, ...]


def dissect(sheet: Sheet) -> Anatomy:
    """Find the intervals of the support and the atoms; Lost if the precision does not suffice.

    The masses come from the antiderivative, on the real axis between the intervals; that they
    add to 1 with the atoms is checked.
    """
    met = [special for special in sheet.special if special.real and _arrives(sheet, special)]
    sheet.restrict(met)
    atoms = _atoms(sheet, met)
    places = _distinct([s.value.real for s in sheet.special if s.real])
    samples = [(a.mid() + b.mid()) / 2 for a, b in itertools.pairwise(places)]
    inside = [_in_support(sheet, x) for x in samples]
    intervals, antiderivative, below = [], Antiderivative(sheet.curve), flint.arb(0)
    k = 0
    while k < len(inside):
        if not inside[k]:
            k += 1
            continue
        first = k
        while k < len(inside) and inside[k]:
            k += 1
        up_to = flint.arb(1)
        if k < len(samples):
            up_to -= antiderivative.above(short_descent(sheet, acb(samples[k])))
        held = sum((a.mass for a in atoms if not a.x > places[k]), flint.arb(0))
        corners = _corners(sheet, met, places[first : k + 1])
        intervals.append(Interval(corners, up_to - held - below))
        below = up_to - held
    _check_total(intervals, atoms, sheet.bits)
    return Anatomy(tuple(intervals), atoms)


def _check_total(intervals: list[Interval], atoms: tuple[Atom, ...], bits: int) -> None:
    masses = [i.mass for i in intervals] + [a.mass for a in atoms]
    if any(not mass > 0 for mass in masses):
        raise Lost("a mass is not positive")
    excess = abs(sum(masses, flint.arb(0)) - 1)
    if not excess < flint.arb(2) ** (-bits // 4):
        raise Lost(f"the masses add to 1 only up to {excess}")


def short_descent(sheet: Sheet, z: Ball) -> Path:
    """Down to z, or to z + i0, in steps short enough for logarithms at the poles of G.

    The end is a ball that holds t(z).
    """
    path = sheet.descend(z, fraction=8, avoid=tuple(s.value for s in sheet.special))
    return Path(z, sheet.enclosed(path.t, z), path.passed)


def _distinct(values: list[Any]) -> list[Any]:
    """Ascending, equal ones once; Lost where balls overlap that are not known to be equal."""
    ordered = sorted(values, key=lambda ball: ball.mid())
    kept: list[Any] = []
    for value in ordered:
        if kept and kept[-1].overlaps(value):
            if kept[-1].is_exact() and value.is_exact():
                continue
            if flint.ctx.prec < 4096:
                raise Lost("special values are not separated")
            continue
        kept.append(value)
    return kept


def _in_support(sheet: Sheet, x: Any) -> bool:
    """Whether t(x + i0) is not real. x must not be special.

    t and its mirror image are two univalent branches on one disc, or one and the same; if two,
    Koebe's theorem puts a quarter of |t′| · radius between t and the real axis.
    """
    z = acb(x)
    t = sheet.descend(z).t
    return bool(abs(t.imag) > abs(sheet.expansion(t)[1][1]) * sheet.clearance(z) / 8)


def _arrives(sheet: Sheet, special: Special) -> bool:
    """Whether the physical sheet over z = value + i0 runs into this special point.

    On a sheet that does, t − point shrinks like the root of the given order of the height.
    """
    room = sheet.clearance(special.value, besides=special.value)
    height = room.mid() * flint.arb(2) ** -12
    gaps = []
    for drop in (0, 6 * special.order):
        z = acb(special.value.real, height * flint.arb(2) ** -drop)
        gaps.append(abs(sheet.descend(z.mid()).t - special.point))
    return bool(gaps[1] * 4 < gaps[0])


def _corners(sheet: Sheet, met: list[Special], places: list[Any]) -> tuple[Corner, ...]:
    """Edges at both ends; cusps and the feet of near complex special values between them."""
    low, high = places[0], places[-1]
    found = []
    for place in places:
        here = [s for s in met if s.order > 1 and s.value.real.overlaps(place)]
        if len(here) > 1 or (not here and (place is low or place is high)):
            raise Lost("an edge has no single critical point")
        found += [Corner(place, s) for s in here]
    inner = found[1:-1]
    feet = [
        Corner(s.value.real.mid(), None)
        for s in sheet.special
        if s.value.imag > 0
        and s.value.imag * 4 < high - low
        and low < s.value.real.mid() < high
    ]
    for foot in feet:
        if all(abs(foot.x - corner.x) > 0 for corner in inner):
            inner.append(foot)
    return (found[0], *sorted(inner, key=lambda corner: corner.x.mid()), found[-1])


def _atoms(sheet: Sheet, met: list[Special]) -> tuple[Atom, ...]:
    """Poles of G that the physical sheet reaches, with (z − x)G there."""
    found = [Atom(s.value.real, _residue(sheet, s)) for s in met if s.pole == s.order]
    return tuple(sorted(found, key=lambda atom: atom.x.mid()))


def _residue(sheet: Sheet, special: Special) -> Any:
    """The value of (z − x)G at a point where z − x vanishes as often as G has poles."""
    order, shift = special.order, flint.acb_poly([special.point, 1])
    z_top, z_bottom, G_top, G_bottom = (
        p(shift).coeffs() for p in (*sheet.z_polynomials, *sheet.G_polynomials)
    )
    z_bottom += [acb(0)] * (order + 1 - len(z_bottom))
    z_top += [acb(0)] * (order + 1 - len(z_top))
    rise = (z_top[order] - special.value * z_bottom[order]) / z_bottom[0]
    return (rise * G_top[0] / G_bottom[order]).real
