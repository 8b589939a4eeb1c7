"""Observables of the pooled sample covariance, as functions of a size and a generator."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from numerics.simulate.signs import SignFamily
from numerics.simulate.tokens import TokenModel


@dataclass(frozen=True, eq=False)
class TopOfCovariance:
    """A family of token models in d at fixed ratios, and what is observed of S = CCᵀ/N.

    Observables, for k = 1..count: 'eigenvalue k', the k-th largest; 'overlap k', the squared
    overlap of its eigenvector with u; 'overlap 1..k', the weight of u in the span of the first k
    eigenvectors; and 'dense', 1 where the iteration gave way to a full decomposition.
    Ranks are fixed beforehand: no eigenvector is chosen by what is measured on it.

    Parameters
    ----------
    vocabulary, sequences : V/d and N/d
    weights : one rational per position
    signs : a family of numerics.simulate.signs
    mu2 : ‖μ‖²
    table : see TokenModel
    count : eigenvectors observed
    """

    vocabulary: Fraction
    sequences: Fraction
    weights: tuple[Fraction, ...]
    signs: SignFamily
    mu2: Fraction
    table: str
    count: int = 2

    def model(self, size: int) -> TokenModel:
        """The token model with d = size.

        Raises ValueError when V or N is not an integer there.
        """
        V, N = self.vocabulary * size, self.sequences * size
        if V.denominator != 1 or N.denominator != 1:
            raise ValueError(f"size must make V={V} and N={N} integers: got {size}")
        weights = [float(w) for w in self.weights]
        return TokenModel(size, int(V), int(N), weights, self.signs, float(self.mu2), self.table)

    def expected(self, size: int) -> dict[str, float]:
        """The exact means of the controls at d = size."""
        return self.model(size).control_means()

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: observables and controls by name."""
        sample = self.model(size).sample(rng)
        pairs = sample.top_eigenpairs(self.count)
        overlaps = (sample.direction @ pairs.vectors) ** 2
        row = {"dense": float(pairs.dense)}
        for k in range(self.count):
            row[f"eigenvalue {k + 1}"] = float(pairs.values[k])
            row[f"overlap {k + 1}"] = float(overlaps[k])
            row[f"overlap 1..{k + 1}"] = float(overlaps[: k + 1].sum())
        return row | sample.controls
