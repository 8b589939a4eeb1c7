"""Outliers of the pooled sample covariance S and their overlap with the signal (A3, A4).

Each quantity is derived twice, from different principles: from the singular values of bulk plus
rank one, and from the population's outlier as N samples show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Undetermined
from theory.laws.curve import PARAMETER, reduced
from theory.laws.spikes import Spike, additive, rectangular
from theory.pooled.covariance import (
    RankOne,
    TableKind,
    population_law,
    sample_law,
    signal,
    vocabulary_mean,
)
from theory.pooled.symbols import gamma

_strength = sp.Dummy("theta", positive=True)


@dataclass(frozen=True)
class PooledModel:
    """What a derivation needs to know: the kind of table, and whether the spikes lie apart.

    `spikes_apart` is False where signal and vocabulary mean have the same strength in the
    limit; then the outliers' eigenvectors are random combinations of both.
    """

    table: TableKind
    spikes_apart: bool = True


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
    return sample_spike(signal(model.table).strength).location


@lru_cache(maxsize=16)
def signal_location_by_population(model: PooledModel) -> sp.Expr:
    """`signal_location`, from the population's outlier."""
    return _through_population(signal(model.table))[0]


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
    return reduced(sample_spike(term.strength).overlap * term.alignment)


@lru_cache(maxsize=16)
def overlap_sum_by_population(model: PooledModel) -> sp.Expr:
    """`overlap_sum`, from the population's outlier."""
    return _through_population(signal(model.table))[1]


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


def _vocabulary_term(model: PooledModel) -> RankOne:
    term = vocabulary_mean(model.table)
    if term.strength == 0:
        raise Undetermined(f"a {model.table.name} table has no vocabulary mean")
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
