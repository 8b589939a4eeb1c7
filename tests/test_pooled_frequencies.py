"""Outliers when tokens differ in frequency."""

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.algebra import Answer, is_zero
from theory.pooled import alpha, delta, gamma, kappa, mu2, population, visibility
from theory.pooled import frequencies as under
from theory.pooled.covariance import CLASS_CENTRED, RAW, signal, vocabulary_mean
from theory.pooled.frequencies import Frequencies, point
from theory.pooled.model import PooledModel

EQUAL = ((sp.S.One, sp.S.One),)
THREE = ((sp.Integer(2), sp.Rational(1, 4)), (sp.Rational(1, 2), sp.Rational(1, 2)),
         (sp.S.One, sp.Rational(1, 4)))  # fmt: skip


@pytest.mark.parametrize("kind", [RAW, CLASS_CENTRED], ids=lambda kind: kind.name)
def test_equal_frequencies_give_the_strength_of_the_covariance(kind: object) -> None:
    # At the outlier strength · G = κ: the additive spike, from another part of the theory.
    model = Frequencies(kind, EQUAL)
    strength = signal(kind).strength.subs(mu2, under.signal_strength(model))
    assert sp.simplify(strength * point / kappa - 1) == 0
    overlap = population.overlap(PooledModel(kind))
    derived = under.population_overlap(model) - overlap.subs(mu2, under.signal_strength(model))
    assert is_zero(derived).answer is Answer.YES


def test_equal_frequencies_give_the_vocabulary_mean() -> None:
    squared = under.vocabulary_strength(Frequencies(RAW, EQUAL))
    strength = vocabulary_mean(RAW).strength.subs(under.weight_sum, sp.sqrt(squared))
    assert sp.simplify(strength * point / kappa - 1) == 0


@pytest.mark.parametrize("kind", [RAW, CLASS_CENTRED], ids=lambda kind: kind.name)
def test_both_routes_agree_on_a_law_of_three_frequencies(kind: object) -> None:
    model = Frequencies(kind, THREE)
    for one, other in ((under.signal_strength, under.signal_strength_by_groups),
                       (under.population_overlap, under.population_overlap_by_groups)):  # fmt: skip
        assert is_zero(one(model) - other(model)).answer is Answer.YES


def test_frequencies_change_what_is_derived() -> None:
    # The naive strength α(‖μ‖² + δ E D²)/κ would give κ/(αG) − δ E D².
    model = Frequencies(RAW, THREE)
    second = sum(p * a**2 for a, p in THREE)
    naive = kappa / (alpha * point) - delta * second
    assert is_zero(under.signal_strength(model) - naive).answer is Answer.NO
    centred = under.signal_strength(Frequencies(CLASS_CENTRED, THREE))
    assert sp.simplify(centred - kappa / (alpha * point)) == 0


@given(st.fractions("1/10", "9/10", max_denominator=20), st.fractions("1/2", 2, max_denominator=9))
@settings(deadline=None, max_examples=15)
def test_a_spike_of_the_derived_strength_lies_at_its_point(size: object, ratio: object) -> None:
    # Numbers in, a location out, and back to the strength.
    model = Frequencies(RAW, ((sp.Integer(2), sp.Rational(1, 4)),
                              (sp.Rational(2, 3), sp.Rational(3, 4))))  # fmt: skip
    at = {delta: sp.Rational(ratio), kappa: sp.S.One, alpha: sp.Integer(9), mu2: sp.Integer(3),
          under.gamma: sp.Rational(size)}  # fmt: skip
    relation = under.signal_strength(model)
    found = under._physical(relation - mu2, model, at)
    assert found is not sp.nan
    assert abs(relation.subs(at).subs(point, found).evalf(30) - 3) < 1e-20


def test_shares_and_frequencies_are_checked() -> None:
    half = sp.Rational(1, 2)
    with pytest.raises(ValueError, match="shares must have the sum or mean 1: got 3/4"):
        Frequencies(RAW, ((sp.S.One, half), (sp.S.One, half / 2)))
    with pytest.raises(ValueError, match="frequencies must have the sum or mean 1: got 3/2"):
        Frequencies(RAW, ((sp.Integer(2), half), (sp.S.One, half)))


def test_an_outlier_that_the_sample_hides_is_not_reported() -> None:
    """Equal frequencies, δ = ½, γ = 1: reported where `visibility` has one, and as it has it."""
    model = Frequencies(CLASS_CENTRED, EQUAL)
    half, one = sp.Rational(1, 2), sp.Integer(1)
    location = under.location_where(mu2, 1, model)
    overlap = under.overlap_at_signal(model)
    for size in (sp.Rational(3, 2), sp.Integer(2), sp.Rational(21, 10), sp.Integer(3)):
        bindings = {delta: half, gamma: one, alpha: one, kappa: one, mu2: size}
        place = location(under.signal_strength(model), bindings)
        seen = overlap(under.sample_overlap(model), bindings)
        if visibility.visible_above(size, half, one):
            expected = visibility.outlier(size, half, one)
            assert sp.N(place - expected[0], 20) == pytest.approx(0, abs=1e-15)
            assert 0 < seen <= 1
        else:
            assert place is sp.nan
            assert seen is sp.nan
