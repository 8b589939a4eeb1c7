"""Tables of density and mass in float64, for any law.

From each corner of the support the distance T runs through bins of constant relative width,
found by T's own leading bits; in a bin both functions are polynomials of low degree, because
they continue into the disc of radius T around a point at distance T. Next to the corner, closer
than any other branch value, they are series in T^(1/order): hard edges and cusps included.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from flint import acb, acb_poly, arb
from numpy.polynomial import chebyshev

from numerics.algebraic import Algebraic
from numerics.anatomy import Anatomy, Corner, dissect
from numerics.antiderivative import Antiderivative
from numerics.context import working
from numerics.local import about, at_corner
from numerics.sheet import TERMS, Lost, Sheet

Array = np.ndarray[Any, np.dtype[np.float64]]
# 2^SPLIT bins an octave: with DEGREE, a bin's polynomials err by less than 1e-17 of their value.
SPLIT, DEGREE = 5, 7
# Beside a corner s stays below 1/8 of the radius of convergence. Division by leading powers
# takes away as many terms.
_CORNER_TERMS, _SPARE_TERMS = 24, 12
_SHIFT = 52 - SPLIT
_NO_BINS = 1 << 62


@dataclass(frozen=True)
class Half:
    """Tables on one side of a corner, for T = direction · (x − corner) > 0 up to `length`.

    corner : a sum of two doubles
    middle : the smallest double not below the point where the tables of two corners meet
    total : the mass in the tables
    near : closer than this the series hold, in s = (T/near)^(1/order), density s^exponent Σ aⱼsʲ
        and mass s^(exponent + order) Σ bⱼsʲ
    first : the leading bits of T in the first bin; rows of `density` and `mass` are polynomials
        in the position within a bin, from −1/2 to 1/2
    """

    corner: tuple[float, float]
    direction: int
    length: float
    middle: float
    total: float
    near: float
    order: int
    exponent: int
    near_density: Array
    near_mass: Array
    first: int
    density: Array
    mass: Array


def build(curve: Algebraic, bits: int) -> tuple[Anatomy, tuple[Half, ...]]:
    """All tables of a law, ascending in x; Lost if `bits` do not suffice."""
    with working(bits, TERMS):
        sheet = Sheet(curve, bits)
        anatomy = dissect(sheet)
        antiderivative = Antiderivative(curve)
        tables: list[Half] = []
        for interval in anatomy.intervals:
            total = arb(0)
            for low, high in zip(interval.corners, interval.corners[1:], strict=False):
                length = (high.x - low.x) / 2
                for corner, direction in ((low, 1), (high, -1)):
                    half, mass = _half(sheet, antiderivative, corner, direction, length)
                    tables.append(half)
                    total += mass
            if not abs(total / interval.mass - 1) < 1e-15:
                raise Lost(f"the tables hold a mass of {total}, not of {interval.mass}")
    return anatomy, tuple(tables)


def _half(
    sheet: Sheet, antiderivative: Antiderivative, corner: Corner, direction: int, length: Any
) -> tuple[Half, Any]:
    """The tables of one side, and the mass they hold."""
    near = _near(sheet, corner)
    reach = min(near, float(length.mid()))
    place = acb((corner.x + direction * arb(reach)).mid())
    with working(sheet.bits, _CORNER_TERMS + _SPARE_TERMS):
        series = at_corner(sheet, corner, direction, sheet.descend(place), _CORNER_TERMS)
        unit = arb(near).root(series.order)
        near_density = [a * unit ** (j - series.pole) for j, a in enumerate(series.density)]
        near_mass = [b * near * a for b, a in zip(series.weights(), near_density, strict=True)]
    lead = max(abs(a) for a in near_density[:3])
    if not sum(a.rad() for a in near_density) < lead * 2.0**-60:
        raise Lost("the density beside a corner is not known to double precision")
    first, last = _key(near), _key(float(length.mid()))
    if float(length.mid()) <= near:
        s = (length / near).root(series.order)
        mass = sum(b * s ** (j + series.order - series.pole) for j, b in enumerate(near_mass))
        rows, masses, first = np.zeros((1, TERMS)), np.zeros(1), _NO_BINS
    else:
        walk = _Walk(sheet, antiderivative, corner, direction)
        rows, masses, mass = walk.bins(first, last, length, sum(near_mass))
    high = float(corner.x)
    half = Half(
        corner=(high, float(corner.x - high)),
        direction=direction,
        length=float(length.mid()),
        middle=_rounded_up(corner.x + direction * length),
        total=float(mass),
        near=near,
        order=series.order,
        exponent=-series.pole,
        near_density=_floats(near_density),
        near_mass=_floats(near_mass),
        first=first,
        density=rows @ _economy(TERMS),
        mass=_integrated(rows, masses, first) @ _economy(TERMS + 1),
    )
    return half, mass


def _rounded_up(x: Any) -> float:
    nearest = float(x)
    return nearest if not arb(nearest) < x else float(np.nextafter(nearest, np.inf))


def _near(sheet: Sheet, corner: Corner) -> float:
    """The largest power of 2 below 1/8^order of the way to the next special value.

    A turn around an edge leads to another sheet: there the values that the physical sheet passes
    by are met.
    """
    order = corner.special.order if corner.special else 1
    gaps = [
        abs(s.value - corner.x).mid()
        for s in sheet.special
        # A regular corner lies beside its branch value, the others on it.
        if corner.special is None or not s.value.overlaps(acb(corner.x))
    ]
    if sheet.curve.beyond is not None:
        gaps.append(abs(corner.x - sheet.curve.beyond).mid())
    room = float(min(gaps)) / 8**order
    if not 1e-290 < room < 1e290:
        raise ValueError(
            "law must have its edges between 1e-290 and 1e290 apart in float64: use dps for it"
        )
    return float(2.0 ** np.floor(np.log2(room)))


class _Walk:
    """From the middle towards a corner, bin by bin, each expansion leading to the next."""

    def __init__(
        self, sheet: Sheet, antiderivative: Antiderivative, corner: Corner, direction: int
    ) -> None:
        self.sheet, self.antiderivative = sheet, antiderivative
        self.corner, self.direction = corner, direction
        self.z = self.t = acb(0)
        self.steps: list[Any] = []

    def place(self, distance: Any) -> Any:
        """The point at a distance from the corner."""
        return acb((self.corner.x + self.direction * arb(distance)).mid())

    def t_at(self, distance: Any) -> Any:
        """t at a point near the present one, by the present expansion."""
        return (self.t + acb_poly(self.steps)(self.place(distance) - self.z)).mid()

    def mass_between(self, t: Any, later: Any) -> Any:
        """The mass between two points, the second further from the corner."""
        return -self.direction * self.antiderivative.step(t, later).imag / arb.pi()

    def bins(
        self, first: int, last: int, length: Any, start: Any
    ) -> tuple[Array, Array, Any]:
        """Rows of Taylor coefficients in units of a bin, mass to each centre and to the middle."""
        rows: list[Array] = []
        gaps, beyond = [], arb(0)
        for key in range(last, first - 1, -1):
            centre, width = _bin(key)
            before, t = self.t, self.t_at(centre) if rows else None
            rows.append(self._row(centre, width, t))
            if t is None:
                beyond = self.mass_between(self.t, self.t_at(length))
            else:
                gaps.append(self.mass_between(self.t, before))
        edge, width = _bin(first)
        mass = start + self.mass_between(self.t_at(edge - width / 2), self.t)
        masses = [mass]
        for gap in reversed(gaps):
            mass += gap
            masses.append(mass)
        return np.array(rows[::-1]), _floats(masses), mass + beyond

    def _row(self, centre: float, width: float, t: Any | None) -> Array:
        self.z = self.place(centre)
        t = self.sheet.descend(self.z).t if t is None else t
        G, steps = about(self.sheet, t, self.z)
        self.t, self.steps = (t + steps[0]).mid(), [acb(0), *steps[1:]]
        # In balls: powers of a narrow law's width leave the range of doubles.
        unit = arb(self.direction * width)
        row = [-c.imag / arb.pi() * unit**j for j, c in enumerate(G)]
        if not row[0].rad() < abs(row[0]) * 2.0**-60:
            raise Lost("the density is not known to double precision")
        return _floats(row)


def _integrated(rows: Array, masses: Array, first: int) -> Array:
    """The antiderivatives of rows of densities, with given values at the centres."""
    if first == _NO_BINS:
        return np.zeros((1, rows.shape[1] + 1))
    widths = np.array([_bin(first + k)[1] for k in range(len(rows))])
    return np.column_stack([masses, rows * widths[:, None] / np.arange(1, rows.shape[1] + 1)])


def _key(distance: float) -> int:
    """The leading bits of a positive double."""
    return int(np.float64(distance).view(np.int64)) >> _SHIFT


def _bin(key: int) -> tuple[float, float]:
    """Centre and width of the bin of a key."""
    low, high = (float(np.int64(k << _SHIFT).view(np.float64)) for k in (key, key + 1))
    return (low + high) / 2, high - low


def _floats(values: list[Any]) -> Array:
    return np.array([float(v) for v in values])


@cache
def _economy(terms: int) -> Array:
    """Taylor coefficients on [−1/2, 1/2] to a polynomial of DEGREE, by dropping Chebyshev terms."""
    rows = np.zeros((terms, DEGREE + 1))
    for j in range(terms):
        kept = chebyshev.poly2cheb([0.0] * j + [0.5**j])[: DEGREE + 1]
        powers = chebyshev.cheb2poly(kept)
        rows[j, : len(powers)] = powers * 2.0 ** np.arange(len(powers))
    return rows
