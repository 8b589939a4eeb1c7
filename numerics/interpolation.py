"""Evaluation of a law's tables: density, cdf and quantile, vectorised."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.polynomial import polynomial

from numerics.anatomy import Anatomy
from numerics.tables import SPLIT, Array, Half

# Points are taken in blocks that stay in the processor's cache.
_BLOCK = 4096
_MANTISSA = np.int64((1 << 52) - 1)
_ONE = np.int64(1023 << 52)
_SHIFT = 52 - SPLIT
_NEWTON_STEPS = 8


class Interpolant:
    """Density, cdf and quantile of a law from its tables, for flat arrays without NaN."""

    def __init__(self, anatomy: Anatomy, halves: tuple[Half, ...]) -> None:
        self._halves = halves
        self._atoms = [(float(a.x), float(a.x - float(a.x)), float(a.mass)) for a in anatomy.atoms]
        self._high = np.array([h.corner[0] for h in halves])
        self._low = np.array([h.corner[1] for h in halves])
        self._direction = np.array([float(h.direction) for h in halves])
        sizes = np.array([len(h.density) for h in halves], dtype=np.int64)
        self._offset = np.cumsum(sizes) - sizes
        self._first = np.array([h.first for h in halves], dtype=np.int64)
        self._last = sizes - 1
        self._cuts = np.array([_cut(a, b) for a, b in itertools.pairwise(halves)])
        if halves:
            self._density = np.ascontiguousarray(np.vstack([h.density for h in halves]).T)
            self._mass = np.ascontiguousarray(np.vstack([h.mass for h in halves]).T)
        self._base = np.array(list(_levels(anatomy, halves)))
        self._segments = _segments(halves, self._atoms)

    def density(self, x: Array) -> Array:
        """The density of the continuous part."""
        out = np.zeros(x.shape)
        if self._halves:
            for block in _blocks(len(x)):
                self._density_block(x[block], out[block])
        return out

    def cdf(self, x: Array) -> Array:
        """P(X ≤ x), atoms included."""
        out = np.zeros(x.shape)
        if self._halves:
            for block in _blocks(len(x)):
                self._cdf_block(x[block], out[block])
        top = self._halves[-1].corner if self._halves else (-np.inf, 0.0)
        for high, low, mass in self._atoms:
            out += mass * ((x - high) >= low)
            top = max(top, (high, low))
        out[(x > top[0]) | ((x == top[0]) & (top[1] <= 0))] = 1.0
        return np.clip(out, 0.0, 1.0, out=out)

    def quantile(self, p: Array) -> Array:
        """The smallest x with P(X ≤ x) ≥ p."""
        out = np.empty(p.shape)
        ends = np.array([end for _, end, _ in self._segments])
        which = np.minimum(np.searchsorted(ends, p), len(ends) - 1)
        for k, (start, end, piece) in enumerate(self._segments):
            chosen = which == k
            if not isinstance(piece, Half):
                out[chosen] = piece
            elif chosen.any():
                rest = p[chosen] - start if piece.direction > 0 else end - p[chosen]
                distance = _distance(piece, np.maximum(rest, 0.0))
                high, low = piece.corner
                out[chosen] = high + (low + piece.direction * distance)
        return out

    def _locate(self, x: Array) -> tuple[Any, Array, Array, Array]:
        """Half, distance to its corner, number of the bin and place in it."""
        half: Any = np.searchsorted(self._cuts, x, side="right") if len(self._cuts) > 1 else (
            (x >= self._cuts[0]).astype(np.intp)
        )
        if half[0] == half[-1] and (half == half[0]).all():
            half = int(half[0])
        distance = x - self._high[half]
        distance -= self._low[half]
        distance *= self._direction[half]
        bits = distance.view(np.int64)
        number = bits >> _SHIFT
        number -= self._first[half]
        inside = bits << SPLIT
        inside &= _MANTISSA
        inside |= _ONE
        place = inside.view(np.float64)
        place -= 1.5
        return half, distance, number, place

    def _rows(self, table: Array, half: Any, number: Array, place: Array, out: Array) -> None:
        """Horner's rule with each point's own coefficients."""
        index: Any = np.clip(number, 0, self._last[half])
        index += self._offset[half]
        np.take(table[-1], index, out=out, mode="clip")
        coefficient = np.empty_like(out)
        for row in table[-2::-1]:
            out *= place
            np.take(row, index, out=coefficient, mode="clip")
            out += coefficient

    def _density_block(self, x: Array, out: Array) -> None:
        half, distance, number, place = self._locate(x)
        self._rows(self._density, half, number, place, out)
        # Negative distances lie outside the support; they also have negative bits.
        for rest, piece in self._close(half, number):
            out[rest] = _near_density(piece, distance[rest])

    def _cdf_block(self, x: Array, out: Array) -> None:
        half, distance, number, place = self._locate(x)
        self._rows(self._mass, half, number, place, out)
        for rest, piece in self._close(half, number):
            out[rest] = _near_mass(piece, distance[rest])
        out *= self._direction[half]
        out += self._base[half]

    def _close(self, half: Any, number: Array) -> Iterator[tuple[Any, Half]]:
        close = np.flatnonzero(number < 0)
        if not close.size:
            return
        if isinstance(half, int):
            yield close, self._halves[half]
            return
        owner = half[close]
        for k in np.unique(owner):
            yield close[owner == k], self._halves[k]


def _blocks(size: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, size, _BLOCK))


def _cut(left: Half, right: Half) -> float:
    """From here on, x belongs to the tables on the right."""
    if left.direction > 0:
        return left.middle
    return left.corner[0] / 2 + right.corner[0] / 2


def _levels(anatomy: Anatomy, halves: tuple[Half, ...]) -> Iterator[float]:
    """The continuous part's mass below the corner of each half."""
    below, left = 0.0, iter(halves)
    for interval in anatomy.intervals:
        level, pieces = below, len(interval.corners) - 1
        below += float(interval.mass)
        for k in range(pieces):
            up, down = next(left), next(left)
            yield level
            level = below if k == pieces - 1 else level + up.total + down.total
            yield level


def _segments(halves: tuple[Half, ...], atoms: list[Any]) -> list[tuple[float, float, Any]]:
    """(cdf before, cdf after, what rises there) in ascending order of x."""
    rising: list[tuple[float, int, float, Any]] = [(x, 0, mass, x) for x, _, mass in atoms]
    for half in halves:
        begin = half.corner[0] if half.direction > 0 else half.middle
        rising.append((begin, 1, half.total, half))
    level, segments = 0.0, []
    for _, _, mass, piece in sorted(rising, key=lambda item: item[:2]):
        segments.append((level, level + mass, piece))
        level += mass
    return segments


def _near_density(piece: Half, distance: Array) -> Array:
    # At the double nearest to a corner the value is the corner's, unless nothing else is inside.
    offset = abs(piece.corner[1])
    if offset < piece.length / 16:
        distance = np.where(np.abs(distance) <= offset, 0.0, distance)
    s = _root(piece, np.maximum(distance, 0.0))
    with np.errstate(divide="ignore"):
        value = polynomial.polyval(s, piece.near_density)
        if piece.exponent:
            value *= s**piece.exponent
    return np.where(distance >= 0, value, 0.0)


def _near_mass(piece: Half, distance: Array) -> Array:
    s = _root(piece, np.clip(distance, 0.0, piece.length))
    return np.asarray(s ** (piece.exponent + piece.order) * polynomial.polyval(s, piece.near_mass))


def _root(piece: Half, distance: Array) -> Array:
    """s = (T/near)^(1/order)."""
    ratio = distance / piece.near
    if piece.order == 1:
        return ratio
    if piece.order == 2:
        return np.sqrt(ratio)
    if piece.order == 3:
        return np.cbrt(ratio)
    s = ratio ** (1 / piece.order)
    # 1/order is rounded, which a small ratio magnifies.
    correction = np.divide(ratio, s ** (piece.order - 1), out=s.copy(), where=s > 0) - s
    return np.asarray(s + correction / piece.order)


def _distance(piece: Half, mass: Array) -> Array:
    """The distance within which a half holds a given mass."""
    starts = polynomial.polyval(-0.5, piece.mass.T)
    rank = np.searchsorted(starts, mass, side="right") - 1
    near = rank < 0 if piece.near < piece.length else np.ones(mass.shape, dtype=bool)
    out = np.empty(mass.shape)
    out[near] = _near_distance(piece, mass[near])
    rank, mass = rank[~near], mass[~near]
    rows = piece.mass[rank].T
    slopes = polynomial.polyder(rows)
    place = np.zeros(mass.shape)
    for _ in range(_NEWTON_STEPS):
        excess = polynomial.polyval(place, rows, tensor=False) - mass
        place -= excess / polynomial.polyval(place, slopes, tensor=False)
        np.clip(place, -0.5, 0.5, out=place)
    low, high = (((piece.first + rank + k) << _SHIFT).view(np.float64) for k in (0, 1))
    out[~near] = low + (place + 0.5) * (high - low)
    return np.minimum(out, piece.length, out=out)


def _near_distance(piece: Half, mass: Array) -> Array:
    """Newton's iteration for log mass against log s."""
    lead = int(np.flatnonzero(piece.near_mass)[0])
    power = lead + piece.exponent + piece.order
    series = piece.near_mass[lead:]
    slope = polynomial.polyder(series)
    s = np.minimum((mass / series[0]) ** (1 / power), 2.0)
    some = mass > 0
    for _ in range(_NEWTON_STEPS):
        value = polynomial.polyval(s[some], series)
        rate = power + s[some] * polynomial.polyval(s[some], slope) / value
        s[some] *= np.exp(np.log(mass[some] / (value * s[some] ** power)) / rate)
    return np.asarray(piece.near * s**piece.order)
