"""Pooling weights as whole numbers over one denominator: exact sums, even over a million."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

# Doubles keep their 53 bits down to 2^-9 of the largest weight, and 2^-62 of it below.
_BITS = 62


@dataclass(frozen=True)
class Weights(Sequence[Fraction]):
    """One weight per position, numerators over a common denominator.

    >>> w = Weights.of([Fraction(1, 2), Fraction(1, 3)])
    >>> w.numerators, w.denominator, w.power_sum(2)
    ((3, 2), 6, Fraction(13, 36))
    """

    numerators: tuple[int, ...]
    denominator: int

    @classmethod
    def of(cls, values: Iterable[Fraction]) -> Weights:
        """The same numbers."""
        held = tuple(values)
        common = lcm(*(x.denominator for x in held))
        return cls(tuple(x.numerator * (common // x.denominator) for x in held), common)

    @classmethod
    def of_doubles(cls, values: NDArray[np.float64]) -> Weights:
        """Finite doubles, to 2^-62 of the largest.

        >>> list(Weights.of_doubles(np.array([0.5, -0.25])))
        [Fraction(1, 2), Fraction(-1, 4)]
        """
        top = float(np.abs(values).max())
        shift = _BITS - int(np.frexp(top)[1]) if top else 0
        whole = np.rint(np.ldexp(values, shift)).astype(np.int64)
        scale = Fraction(2) ** -shift
        numerators = whole.tolist()
        if scale.numerator != 1:
            numerators = [n * scale.numerator for n in numerators]
        return cls(tuple(numerators), scale.denominator)

    def __len__(self) -> int:
        return len(self.numerators)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if isinstance(index, slice):
            return tuple(Fraction(n, self.denominator) for n in self.numerators[index])
        return Fraction(self.numerators[index], self.denominator)

    def __iter__(self) -> Iterator[Fraction]:
        return (Fraction(n, self.denominator) for n in self.numerators)

    def power_sum(self, power: int, positions: Iterable[int] | None = None) -> Fraction:
        """Σ w_t^power over some positions, or over all."""
        kept = self.numerators if positions is None else [self.numerators[t] for t in positions]
        return Fraction(sum(n**power for n in kept), self.denominator**power)

    @property
    def largest(self) -> Fraction:
        """The largest |w_t|."""
        return Fraction(max(map(abs, self.numerators)), self.denominator)

    @property
    def relative(self) -> NDArray[np.float64]:
        """The weights over the largest of them, as doubles: nothing can overflow there."""
        top = max(map(abs, self.numerators))
        return np.array([n / top for n in self.numerators])
