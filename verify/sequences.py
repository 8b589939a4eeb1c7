"""The signs of a user's sequences: what they make of weights, and which are best for them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh_tridiagonal

from numerics.pooling import best_nonnegative_weights, signal_ratio, top_weights
from verify.numerals import decimal, fraction, whole
from verify.weighting import Weights

# Sums, signs and ratios of doubles are taken as rounded to these.
_ROUNDING = 1e-9
_EPSILON = 1e-13


class Signs(Protocol):
    """The signs of a sequence: what they make of weights, and which are best for them."""

    @property
    def says(self) -> str:
        """The signs in words."""

    @property
    def T(self) -> int:
        """The length of a sequence."""

    def signal(self, w: Weights) -> Fraction:
        """α = wᵀRw."""

    def optimum(self) -> Weights:
        """A top eigenvector of R, of sum 1 where its sum is not 0."""

    @property
    def label(self) -> range | None:
        """The block whose shared sign can serve as a label, if there is one."""


@dataclass(frozen=True)
class Block:
    """A block of positions (from 0) that share a sign; the others have their own."""

    says: str
    T: int
    label: range

    def signal(self, w: Weights) -> Fraction:
        """α = wᵀRw, without forming R."""
        inside = w.power_sum(1, self.label)
        return inside**2 + w.power_sum(2) - w.power_sum(2, self.label)

    def optimum(self) -> Weights:
        """All mass on the block, evenly; one of many where the block has one position."""
        return Weights(tuple(int(t in self.label) for t in range(self.T)), len(self.label))


@dataclass(frozen=True)
class Chain:
    """R = r^|s−t|."""

    says: str
    T: int
    r: Fraction
    label: range | None = None

    def signal(self, w: Weights) -> Fraction:
        """α = wᵀRw, by one pass over the chain."""
        r, carried, total = float(self.r), 0.0, 0.0
        for x in w.relative.tolist():
            total += x * (x + 2 * carried)
            carried = r * (carried + x)
        return w.largest**2 * decimal(total)

    def optimum(self) -> Weights:
        """The top eigenvector, in double precision; with independent signs, where all tie, 1/T."""
        if self.r == 0 or self.T == 1:
            return Weights((1,) * self.T, self.T)
        if abs(self.r) == 1:
            return Weights(tuple(int(self.r) ** t for t in range(self.T)), self.T)
        # (1 − r²)R⁻¹ is tridiagonal, so its lowest eigenvector costs O(T).
        r = float(self.r)
        diagonal = np.full(self.T, 1 + r * r)
        diagonal[[0, -1]] = 1.0
        _, vectors = eigh_tridiagonal(
            diagonal, np.full(self.T - 1, -r), select="i", select_range=(0, 0)
        )
        return _normalised(vectors[:, 0])


@dataclass(frozen=True, eq=False)
class Correlated:
    """A correlation given entry by entry."""

    says: str
    T: int
    R: NDArray[np.float64]
    label: range | None = None

    def signal(self, w: Weights) -> Fraction:
        """α = wᵀRw."""
        values = w.relative
        return w.largest**2 * decimal(float(values @ self.R @ values))

    def optimum(self) -> Weights:
        """A top eigenvector, in double precision; one without negative entries if there is one."""
        top = top_weights(self.R)
        if top.min() < -_ROUNDING:
            attainable = best_nonnegative_weights(self.R)
            if signal_ratio(attainable, self.R) > signal_ratio(top, self.R) * (1 - _ROUNDING):
                top = attainable
        return _normalised(top)


def parse_signs(text: str, T: int) -> Signs:
    """'prefix:L', 'suffix:L', 'block:FIRST-LAST' (from 1), 'markov:r' or 'independent'.

    Raises ValueError naming the rule that is broken.

    >>> parse_signs('prefix:9', 8)
    Traceback (most recent call last):
        ...
    ValueError: L must lie in 1..T=8: got 9
    """
    kind, _, rest = text.partition(":")
    if kind == "independent" and not rest:
        return Chain("independent signs", T, Fraction(0))
    if kind in ("prefix", "suffix") and rest:
        L = whole(rest, "L")
        if not 1 <= L <= T:
            raise ValueError(f"L must lie in 1..T={T}: got {L}")
        block = range(L) if kind == "prefix" else range(T - L, T)
        return Block(f"the {'first' if kind == 'prefix' else 'last'} {L} share a sign", T, block)
    if kind == "block" and "-" in rest:
        low, _, high = rest.partition("-")
        first, last = whole(low, "first"), whole(high, "last")
        if not 1 <= first <= last <= T:
            raise ValueError(f"block must lie in 1..T={T}: got {first}-{last}")
        return Block(f"positions {first}-{last} share a sign", T, range(first - 1, last))
    if kind == "markov" and rest:
        r = fraction(rest, "r")
        if not -1 <= r <= 1:
            raise ValueError(f"r must lie in -1..1: got {r}")
        return Chain(f"R = ({rest})^|s−t|", T, r)
    raise ValueError(
        f"signs must be prefix:L, suffix:L, block:FIRST-LAST, markov:r or independent: got {text!r}"
    )


def _normalised(vector: NDArray[np.float64]) -> Weights:
    # What is left of a 0 after rounding has a sign, which would be taken for one.
    kept = np.where(np.abs(vector) > _EPSILON * np.abs(vector).max(), vector, 0.0)
    total = float(kept.sum())
    return Weights.of_doubles(kept / (total if abs(total) > _ROUNDING else 1.0))
