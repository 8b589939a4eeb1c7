"""Outliers of the pooled sample covariance S and their overlap with the signal (A3, A4).

Each quantity is derived twice, from different principles: from the singular values of bulk plus
rank one, and from the population's outlier as N samples show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Undetermined
from theory.laws.curve import PARAMETER, reduced
from theory.laws.law import SpectralLaw
from theory.laws.spikes import Spike, additive, rectangular
from theory.pooled.covariance import (
    RAW,
    SIGNS,
    RankOne,
    TableKind,
    population_law,
    sample_law,
    signal,
    table_direction,
    vocabulary_mean,
)
from theory.pooled.symbols import delta, gamma, kappa

_strength = sp.Dummy("theta", positive=True)


@dataclass(frozen=True)
class PooledModel:
    """What a derivation needs to know of a token model.

    table : how the table is prepared
    spikes_apart : False where signal and vocabulary mean have the same strength in the limit;
        then the outliers' eigenvectors are random combinations of both
    spread : whether no position keeps a share of the weight, Σw⁴/κ² → 0
    one_token : whether sequences have a single token
    short_vocabulary : whether V < d
    long_vocabulary : whether V grows faster than d, δ → 0
    centred_sample : whether c̄ is taken out of the pooled vectors
    """

    table: TableKind
    spikes_apart: bool = True
    spread: bool = True
    one_token: bool = False
    short_vocabulary: bool = False
    long_vocabulary: bool = False
    centred_sample: bool = False

    def limit(self, expr: sp.Expr) -> sp.Expr:
        """What becomes of an expression in δ, where the model says what becomes of δ.

        >>> from theory.pooled.covariance import RAW
        >>> PooledModel(RAW, long_vocabulary=True).limit(1 + delta)
        1
        """
        return expr.subs(delta, 0) if self.long_vocabulary else expr


def sample_spike(strength: Any) -> Spike:
    """The outlier of S = CCᵀ/N, C = bulk + h fᵀ: left and right vector free of the bulk (A3)."""
    # Once for a symbol; then any strength is a substitution.
    general = rectangular(sample_law(), gamma).at(_strength)
    at = {_strength: strength}
    return Spike(reduced(general.location.subs(at)), strength, reduced(general.overlap.subs(at)))


def sample_threshold(x: sp.Symbol) -> sp.Expr:
    """The polynomial in x = 1/m whose largest root a spike of S has to pass to be seen (A3).

    >>> from theory.pooled import delta
    >>> x = sp.Symbol('x', positive=True)
    >>> sp.factor(sample_threshold(x).subs(gamma, 0))
    x*(-delta + x**2)
    """
    polynomial = rectangular(sample_law(), gamma).threshold().subs(PARAMETER, 1 / x)
    return sp.expand(sp.fraction(sp.together(polynomial))[0])


@lru_cache(maxsize=16)
def signal_location(model: PooledModel) -> sp.Expr:
    """Where the signal's outlier of S lies (A3)."""
    return model.limit(sample_spike(signal(model.table).strength).location)


@lru_cache(maxsize=16)
def signal_location_by_population(model: PooledModel) -> sp.Expr:
    """`signal_location`, from the population's outlier."""
    return model.limit(_through_population(signal(model.table))[0])


def signal_overlap(model: PooledModel) -> sp.Expr:
    """The squared overlap of the signal's eigenvector of S with u (A4).

    Raises Undetermined when the spikes do not lie apart.
    """
    _require_apart(model)
    return overlap_sum(model)


def signal_overlap_by_population(model: PooledModel) -> sp.Expr:
    """`signal_overlap`, from the population's outlier."""
    _require_apart(model)
    return overlap_sum_by_population(model)


@lru_cache(maxsize=16)
def overlap_sum(model: PooledModel) -> sp.Expr:
    """The weight of u in the span of the eigenvectors of both outliers.

    The vocabulary mean b is independent of h and of u, so its eigenvector adds nothing; and the
    span, unlike the single vectors, is continuous where the two strengths meet.
    """
    term = signal(model.table)
    return model.limit(reduced(sample_spike(term.strength).overlap * term.alignment))


@lru_cache(maxsize=16)
def overlap_sum_by_population(model: PooledModel) -> sp.Expr:
    """`overlap_sum`, from the population's outlier."""
    return model.limit(_through_population(signal(model.table))[1])


def population_spike(strength: Any) -> Spike:
    """The outlier of E[ccᵀ | E] = κW + strength · ĥĥᵀ, W ~ MP_δ (A2)."""
    general = additive(population_law()).at(_strength)
    at = {_strength: strength}
    return Spike(reduced(general.location.subs(at)), strength, reduced(general.overlap.subs(at)))


@lru_cache(maxsize=16)
def population_location(model: PooledModel) -> sp.Expr:
    """Where the signal's outlier of E[ccᵀ | E] lies, above the bulk or below (A2)."""
    return population_spike(signal(model.table).strength).location


def population_overlap(model: PooledModel) -> sp.Expr:
    """The squared overlap of its eigenvector with u (A2)."""
    term = signal(model.table)
    return reduced(population_spike(term.strength).overlap * term.alignment)


def population_location_by_resolvent(model: PooledModel) -> sp.Expr:
    """`population_location`, from the R-transform: λ = R(G) + 1/G where strength · G = 1."""
    G = sp.Dummy("G")
    inverse = population_law().r_transform(G) + 1 / G
    return reduced(inverse.subs(G, 1 / signal(model.table).strength))


def population_overlap_by_resolvent(model: PooledModel) -> sp.Expr:
    """`population_overlap`, from perturbation theory: dλ/d(strength)."""
    G = sp.Dummy("G")
    inverse = (population_law().r_transform(G) + 1 / G).subs(G, 1 / _strength)
    term = signal(model.table)
    return reduced(sp.diff(inverse, _strength).subs(_strength, term.strength) * term.alignment)


def population_excess(model: PooledModel) -> sp.Expr:
    """Positive iff E[ccᵀ | E] has an outlier above its bulk (A2).

    The overlap vanishes where x² = δ, x = strength/κ − δ; of the two critical strengths the
    larger one is where the outlier leaves the upper edge.
    """
    x = sp.Dummy("x", positive=True)
    general = additive(population_law()).threshold().subs(PARAMETER, 1 / x)
    critical = [root for root in sp.solve(sp.fraction(sp.together(general))[0], x)
                if root.is_positive]  # fmt: skip
    (upper,) = critical
    return sp.expand(signal(model.table).strength / kappa - delta - upper)


def sample_excess(model: PooledModel) -> sp.Expr:
    """Positive iff S has an outlier above its bulk, for strengths above δκ (A3)."""
    x = sp.Dummy("x", positive=True)
    return sample_threshold(x).subs(x, signal(model.table).strength / kappa - delta)


def strength_told(model: PooledModel) -> str:
    """Where the signal's strength comes from, for a table of this kind, in words.

    >>> from theory.pooled.covariance import CLASS_CENTRED
    >>> print(strength_told(PooledModel(CLASS_CENTRED)))
    half the difference of the class means has the squared length mu2 + 0 of signal and of table
    noise, hence strength/kappa = alpha*mu2/kappa over the bulk kappa*MP_delta
    """
    mean, noise = table_direction(model.table, SIGNS)
    return (
        f"half the difference of the class means has the squared length {mean} + {noise} of "
        "signal and of table noise, hence strength/kappa = "
        f"{signal(model.table).strength / kappa} over the bulk kappa*MP_delta"
    )


Seen = Callable[[sp.Expr, Mapping[sp.Symbol, Any]], sp.Expr]


def top_of_population(table: TableKind) -> Seen:
    """(excess, bindings) → the limit of the largest eigenvalue of E[ccᵀ | E].

    The signal's outlier if `excess` is positive there, otherwise the upper edge; for a vocabulary
    mean that is no outlier, or a lower one.
    """
    return _top(table, population_law(), population_location)


def top_of_sample(table: TableKind) -> Seen:
    """(excess, bindings) → the limit of the largest eigenvalue of S; see `top_of_population`."""
    return _top(table, sample_law(), signal_location)


def lowest_of_population(model: PooledModel) -> sp.Expr:
    """The limit of the smallest eigenvalue of E[ccᵀ | E] that is not 0, for a weak signal.

    For V ≥ d no strength has an outlier between 0 and the bulk, and it is the lower edge: the
    smaller one of the two critical values of the bulk's curve.

    Raises Undetermined for a vocabulary shorter than d, where the signal's strength decides.
    """
    if model.short_vocabulary:
        raise Undetermined("below the bulk there may be an outlier: see the gap's location")
    curve = population_law().curve
    critical = sp.solve(sp.fraction(reduced(sp.diff(curve.z, PARAMETER)))[0], PARAMETER)
    values = [sp.factor(curve.z.subs(PARAMETER, u)) for u in critical]
    first, second = values
    gap = sp.expand(second - first)
    return first if gap.is_positive else second


def _top(
    table: TableKind, law: SpectralLaw, location: Callable[[PooledModel], sp.Expr]
) -> Seen:
    def limit(excess: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
        if excess.subs(bindings).is_positive:
            return _bound(location(PooledModel(table)), frozenset(bindings.items()))
        return _upper_edge(law, frozenset((s, bindings[s]) for s in law.curve.free_symbols))

    return limit


@lru_cache(maxsize=64)
def _bound(expr: sp.Expr, values: frozenset[tuple[sp.Symbol, Any]]) -> sp.Expr:
    return expr.subs(dict(values))


@lru_cache(maxsize=64)
def _upper_edge(law: SpectralLaw, values: frozenset[tuple[sp.Symbol, Any]]) -> sp.Expr:
    return law.subs(dict(values)).edges()[-1]


@lru_cache(maxsize=16)
def vocabulary_mean_location(model: PooledModel) -> sp.Expr:
    """Where the vocabulary mean's outlier of S lies.

    Raises Undetermined for a table without that spike.
    """
    return sample_spike(_vocabulary_term(model).strength).location


@lru_cache(maxsize=16)
def vocabulary_mean_location_by_population(model: PooledModel) -> sp.Expr:
    """`vocabulary_mean_location`, from the population's outlier."""
    return _through_population(_vocabulary_term(model))[0]


def top_excess(model: PooledModel) -> sp.Expr:
    """Positive iff the vocabulary mean's outlier of S lies above the signal's.

    A stronger spike lies further out, on the part of the curve beyond the upper edge.
    """
    return sp.expand(vocabulary_mean(model.table, model.centred_sample).strength
                     - signal(model.table).strength)  # fmt: skip


def larger_outlier(excess: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
    """Of a raw table's two outliers of S the one that `excess` says is larger."""
    above = excess.subs(bindings).is_positive
    location = vocabulary_mean_location if above else signal_location
    return location(PooledModel(RAW)).subs(bindings)


def _vocabulary_term(model: PooledModel) -> RankOne:
    term = vocabulary_mean(model.table, model.centred_sample)
    if term.strength == 0:
        raise Undetermined("a centred table or sample has no vocabulary mean")
    return term


def _require_apart(model: PooledModel) -> None:
    if not model.spikes_apart:
        raise Undetermined(
            "signal and vocabulary mean have equal strengths: which combination of the two an "
            "eigenvector becomes is random, only their span is determined"
        )


def _through_population(term: RankOne) -> tuple[sp.Expr, sp.Expr]:
    """(location, squared overlap with u) in S of a rank-one term, by way of the population.

    A sample covariance moves an isolated eigenvalue ℓ of its population to λ = ℓ(1 + γm), m at
    the same point of the population bulk's curve (Silverstein and Choi 1995). Overlaps multiply
    along u → term → population → sample: the last is (ℓ/λ) dλ/dℓ (Mestre 2008).
    """
    population = additive(population_law()).at(_strength)
    # At the outlier the bulk's resolvent form G is 1/θ, hence m = ℓ/θ − 1.
    sample = population.location * (1 + gamma * (population.location / _strength - 1))
    slope = sp.diff(sample, _strength) / sp.diff(population.location, _strength)
    overlap = reduced(population.overlap * slope * population.location / sample)
    at = {_strength: term.strength}
    return reduced(sample.subs(at)), reduced(overlap.subs(at) * term.alignment)
