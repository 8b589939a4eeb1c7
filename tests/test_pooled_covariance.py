"""Derivations of the token model's covariance: they change with their premises."""

import sympy as sp

from theory.algebra import Answer, Undetermined, is_zero
from theory.pooled import alpha, delta, gamma, kappa, mu2, outliers, weight_sum
from theory.pooled.covariance import (
    CENTRED,
    CLASS_CENTRED,
    ONES,
    RAW,
    SIGNS,
    TableKind,
    signal,
    token_form,
    vocabulary_mean,
)
from theory.pooled.model import PooledModel


def test_a_table_with_only_the_signs_taken_out_keeps_its_vocabulary_mean() -> None:
    # A kind of table that no claim has.
    kind = TableKind("signs removed", frozenset({SIGNS}))
    assert signal(kind).strength == alpha * mu2
    assert vocabulary_mean(kind).strength == delta * weight_sum**2


def test_without_the_diagonal_of_the_correlation_the_strength_changes() -> None:
    assert token_form(diagonal=0)[SIGNS] == alpha + kappa
    assert token_form()[ONES] == weight_sum**2
    assert signal(RAW, diagonal=0).strength != signal(RAW).strength


def test_two_routes_agree_for_every_kind_of_table() -> None:
    for kind in (RAW, CENTRED, CLASS_CENTRED):
        model = PooledModel(kind)
        pairs = [
            (outliers.signal_location(model), outliers.signal_location_by_population(model)),
            (outliers.signal_overlap(model), outliers.signal_overlap_by_population(model)),
        ]
        for first, second in pairs:
            assert is_zero(first - second).answer is Answer.YES


def test_threshold_and_gap_come_from_one_cubic() -> None:
    x = sp.Symbol("x", positive=True)
    cubic = outliers.sample_threshold(x)
    roots = sp.Poly(cubic.subs({delta: 4, gamma: sp.Rational(1, 2)}), x).real_roots()
    # For a vocabulary shorter than d a weak signal is seen below the bulk as well.
    strengths = sorted(float(root + 4) for root in roots)
    assert [round(s, 3) for s in (strengths[0], strengths[-1])] == [1.845, 6.814]


def test_what_the_premises_do_not_determine_is_said() -> None:
    import pytest

    with pytest.raises(Undetermined, match="random"):
        outliers.signal_overlap(PooledModel(RAW, spikes_apart=False))
    with pytest.raises(Undetermined, match="no vocabulary mean"):
        outliers.vocabulary_mean_location(PooledModel(CENTRED))
