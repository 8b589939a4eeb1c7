"""Outliers of the pooled sample covariance S and their overlap with the signal (A3, A4).

Each quantity is derived twice, from different principles: from the singular values of bulk plus
rank one, and from the population's outlier as N samples show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Undetermined
from theory.laws.curve import PARAMETER, reduced
from theory.laws.law import SpectralLaw
from theory.laws.spikes import Spike, additive, rectangular
from theory.pooled import population
from theory.pooled.covariance import (
    RAW,
    RankOne,
    TableKind,
    population_law,
    sample_law,
    signal,
    vocabulary_mean,
)
from theory.pooled.model import PooledModel
from theory.pooled.symbols import delta, gamma, kappa

_strength = sp.Dummy("theta", positive=True)


def sample_spike(strength: Any) -> Spike:
    """The outlier of S = CCᵀ/N, C = bulk + h fᵀ: left and right vector free of the bulk (A3)."""
    return rectangular(sample_law(), gamma).at(strength)


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


def sample_excess(model: PooledModel) -> sp.Expr:
    """Positive iff S has an outlier above its bulk, for strengths above δκ (A3)."""
    x = sp.Dummy("x", positive=True)
    return sample_threshold(x).subs(x, signal(model.table).strength / kappa - delta)


Seen = Callable[[sp.Expr, Mapping[sp.Symbol, Any]], sp.Expr]


def top_of_population(table: TableKind) -> Seen:
    """(excess, bindings) → the limit of the largest eigenvalue of E[ccᵀ | E].

    The signal's outlier if `excess` is positive there, otherwise the upper edge; for a vocabulary
    mean that is no outlier, or a lower one.
    """
    return _top(table, population_law(), population.location)


def top_of_sample(table: TableKind) -> Seen:
    """(excess, bindings) → the limit of the largest eigenvalue of S; see `top_of_population`."""
    return _top(table, sample_law(), signal_location)


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
    return _bound(location(PooledModel(RAW)), frozenset(bindings.items()))


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
