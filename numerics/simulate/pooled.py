"""Families of token models in the size d, and what is observed of their covariances."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh, qr

from numerics.simulate import signs as sign_families
from numerics.simulate.families import SignFamily
from numerics.simulate.tokens import TokenModel, TokenSample

# Below this share of the largest, an eigenvalue is 0 up to rounding.
RANK_TOLERANCE = 1e-10


class Family(Protocol):
    """A token model for every size."""

    def model(self, size: int) -> TokenModel:
        """The token model with d = size."""


@dataclass(frozen=True, eq=False)
class FixedTokens:
    """Token models of fixed ratios, weights and signs.

    Parameters
    ----------
    vocabulary, sequences : V/d^growth and N/d
    weights : one rational per position
    signs : a family of numerics.simulate.signs
    mu2 : ‖μ‖²
    table, centred_sample : see TokenModel
    growth : 1, or 2 for a vocabulary so much longer than d that d/V → 0
    frequencies : (relative frequency, share of the tokens), …, in both classes; () for equal ones
    """

    vocabulary: Fraction
    sequences: Fraction
    weights: tuple[Fraction, ...]
    signs: SignFamily
    mu2: Fraction
    table: str
    centred_sample: bool = False
    growth: int = 1
    frequencies: tuple[tuple[Fraction, Fraction], ...] = ()

    def model(self, size: int) -> TokenModel:
        """The token model with d = size.

        Raises ValueError when V or N is not an integer there.
        """
        weights = [float(w) for w in self.weights]
        V, N = _integers(self.vocabulary * size**self.growth, self.sequences * size, size=size)
        return TokenModel(
            size, V, N, weights, self.signs, float(self.mu2), self.table, self.centred_sample,
            self._of_tokens(V // 2, size),
        )  # fmt: skip

    def _of_tokens(self, count: int, size: int) -> NDArray[np.float64] | None:
        if not self.frequencies:
            return None
        shares = _integers(*(share * count for _, share in self.frequencies), size=size)
        return np.repeat([float(value) for value, _ in self.frequencies], shares)

    def expected(self, size: int) -> dict[str, float]:
        """The exact means of the controls at d = size."""
        return self.model(size).control_means()


@dataclass(frozen=True, eq=False)
class ManyTokens:
    """Token models whose sequences grow: T = length · d independent signs, weights of one size.

    The weights are √(kappa/T), so that Σw² stays kappa while Σw⁴ → 0; if `alternating`, every
    second one is negative, so that Σw = 0 for an even T.
    """

    vocabulary: Fraction
    sequences: Fraction
    length: Fraction
    kappa: Fraction
    mu2: Fraction
    table: str
    alternating: bool = False

    def model(self, size: int) -> TokenModel:
        """The token model with d = size; raises ValueError when V, N or T is no integer."""
        V, N = _integers(self.vocabulary * size, self.sequences * size, size=size)
        (T,) = _integers(self.length * size, size=size)
        weights = np.full(T, sqrt(self.kappa / T))
        if self.alternating:
            weights[1::2] *= -1
        family = sign_families.iid(T)
        return TokenModel(size, V, N, weights, family, float(self.mu2), self.table)


def _integers(*values: Fraction | int, size: int) -> tuple[int, ...]:
    for value in values:
        if Fraction(value).denominator != 1:
            raise ValueError(f"size must make all counts integers: got {size}, giving {value}")
    return tuple(int(value) for value in values)


@dataclass(frozen=True, eq=False)
class TopOfCovariance(FixedTokens):
    """The top of S = CCᵀ/N, never formed.

    Observables, for k = 1..count: 'eigenvalue k', the k-th largest; 'overlap k', the squared
    overlap of its eigenvector with u; 'overlap 1..k', the weight of u in the span of the first k
    eigenvectors; and 'dense', 1 where the iteration gave way to a full decomposition.
    Ranks are fixed beforehand: no eigenvector is chosen by what is measured on it.
    """

    count: int = 2

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


@dataclass(frozen=True, eq=False)
class SplitOfOverlap(FixedTokens):
    """How the weight of u divides between the first two eigenvectors of S, from draw to draw.

    With D = (o₁ − o₂)/(o₁ + o₂), o_k the squared overlaps, and D′ of an independent draw, the
    observable 'variance' = (D − D′)²/2 has the variance of D as its mean.
    """

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: two independent draws of the model."""
        first, second = (self._division(size, rng) for _ in range(2))
        return {"variance": (first - second) ** 2 / 2}

    def expected(self, size: int) -> dict[str, float]:
        """No controls: a variance has no known mean to correct."""
        return {}

    def _division(self, size: int, rng: np.random.Generator) -> float:
        sample = self.model(size).sample(rng)
        one, two = (sample.direction @ sample.top_eigenpairs(2).vectors) ** 2
        return float((one - two) / (one + two))


@dataclass(frozen=True, eq=False)
class WholeSpectrum:
    """All eigenvalues of the sample covariance S, or of the population covariance E[ccᵀ | E].

    Observables: 'moment k' = tr Sᵏ/d, k = 1..6; 'fourth cumulant', the free one of these moments;
    'zero share', the eigenvalues that are 0 up to rounding; 'resolvent' = tr (S + r)⁻¹/d with
    r = Σw²; 'elementary k' = e_k/C(d, k), k = 1..3; the largest eigenvalue and the smallest that
    is not 0, each with the squared overlap of its eigenvector with u.

    Parameters
    ----------
    family : the token models
    population : whether E[ccᵀ | E] is observed, from class means and correlations by definition
    trace_control : whether tr S, of known mean, corrects the other observables
    """

    family: Family
    population: bool = False
    trace_control: bool = True

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: observables and controls by name."""
        sample = self.family.model(size).sample(rng)
        values, overlaps = self._decomposed(sample)
        nonzero = int(np.searchsorted(values, RANK_TOLERANCE * values[-1]))
        values[:nonzero] = 0.0
        row = {
            "zero share": nonzero / size,
            "largest": float(values[-1]),
            "overlap of largest": float(overlaps[-1]),
            "smallest nonzero": float(values[nonzero]),
            "overlap of smallest": float(overlaps[nonzero]),
        }
        r = float(sample.model.weights @ sample.model.weights)
        row["resolvent"] = float((1 / (values + r)).mean())
        moments = [float((values**k).mean()) for k in range(1, 7)]
        row |= {f"moment {k}": moment for k, moment in enumerate(moments, 1)}
        m1, m2, m3, m4 = moments[:4]
        row["fourth cumulant"] = m4 - 4 * m1 * m3 - 2 * m2**2 + 10 * m1**2 * m2 - 5 * m1**4
        row |= _elementary(moments, size)
        return row | sample.controls

    def _decomposed(self, sample: TokenSample) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """All d eigenvalues, ascending, and the squared overlaps of their eigenvectors with u."""
        model, table, direction = sample.model, sample.table, sample.direction
        if model.d > model.V:
            # Both covariances live in the span of the table's columns.
            basis, table = qr(table, mode="economic", check_finite=False)
            direction = direction @ basis
        rows = len(table)
        if self.population:
            values, vectors = eigh(population_covariance(model, table), driver="evd")
            overlaps = (direction @ vectors) ** 2
        else:
            pooled = sample.centred(np.asarray(sample.counts @ table.T)) / np.sqrt(model.N)
            if rows <= model.N:
                values, vectors = eigh(pooled.T @ pooled, driver="evd", overwrite_a=True)
                overlaps = (direction @ vectors) ** 2
            else:
                # Fewer samples than that: their inner products have all that is not 0.
                values, vectors = eigh(pooled @ pooled.T, driver="evd", overwrite_a=True)
                seen = values > RANK_TOLERANCE * values[-1]
                along = (pooled @ direction) @ vectors
                overlaps = np.where(seen, along**2 / np.where(seen, values, 1.0), 0.0)
        zeros = np.zeros(model.d - len(values))
        return np.concatenate([zeros, values]), np.concatenate([zeros, overlaps])

    def expected(self, size: int) -> dict[str, float]:
        """The exact means of the controls at d = size, the first moment among them."""
        model = self.family.model(size)
        means = model.control_means()
        if self.trace_control and not self.population:
            # tr S has no spread of its own worth keeping, and a known mean.
            means["moment 1"] = model.mean_trace() / size
        return means


@dataclass(frozen=True, eq=False)
class LargestEigenvalue:
    """The largest eigenvalue of S for any family of token models, S never formed.

    Observables: 'largest', and 'dense' as for `TopOfCovariance`.
    """

    family: Family

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: observables and controls by name."""
        sample = self.family.model(size).sample(rng)
        pairs = sample.top_eigenpairs(1)
        return {"largest": float(pairs.values[0]), "dense": float(pairs.dense)} | sample.controls

    def expected(self, size: int) -> dict[str, float]:
        """The exact means of the controls at d = size."""
        return self.family.model(size).control_means()


def _elementary(moments: list[float], size: int) -> dict[str, float]:
    """e_k/C(d, k) from the power sums p_k = d · moment k, by Newton's identities."""
    p1, p2, p3 = (size * m for m in moments[:3])
    e1, e2, e3 = p1, (p1**2 - p2) / 2, (p1**3 - 3 * p1 * p2 + 2 * p3) / 6
    pairs, triples = size * (size - 1) / 2, size * (size - 1) * (size - 2) / 6
    return {"elementary 1": e1 / size, "elementary 2": e2 / pairs, "elementary 3": e3 / triples}


def population_covariance(model: TokenModel, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """E[ccᵀ | E] of a table of any number of rows, by its definition: shape (rows, rows).

    One position contributes w_t² times the mean of e_v e_vᵀ over the tokens; two positions
    w_t w_t′ times the mean of m_ξ m_ξ′ᵀ, m_± the class means, over their signs' joint law.
    """
    halves = table.reshape(len(table), 2, model.V // 2) @ model.class_chances
    means = {1: halves[:, 0], -1: halves[:, 1]}
    w, R = model.weights, model.signs.correlation
    pairs = np.outer(w, w)
    np.fill_diagonal(pairs, 0.0)
    chances = np.tile(model.class_chances / 2, 2)
    covariance = (w @ w) * ((table * chances) @ table.T)
    for first in (1, -1):
        for second in (1, -1):
            probability = (1 + first * second * R) / 4
            covariance += (pairs * probability).sum() * np.outer(means[first], means[second])
    return np.asarray(covariance)
