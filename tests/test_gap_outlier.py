"""The outlier below the bulk, and thresholds that depend on how the table is prepared."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.precise import evaluate
from numerics.simulate.pooled import ManyTokens
from theory.algebra import Undetermined
from theory.pooled import alpha, delta, gamma, kappa, mu2
from theory.pooled.covariance import CLASS_CENTRED, RAW, sample_law
from theory.pooled.model import PooledModel
from theory.pooled.outliers import sample_excess, top_of_population, top_of_sample
from theory.pooled.visibility import (
    edge_polynomial,
    lower_edge,
    overlap_above,
    overlap_below,
    threshold_polynomial,
    threshold_polynomial_by_population,
    visible_above,
    visible_below,
)
from verify.claims.gap import CLAIMS
from verify.experiments import growing

MODEL = PooledModel(CLASS_CENTRED)
THRESHOLD = threshold_polynomial(MODEL)
ratios = st.fractions(min_value=Fraction(1, 20), max_value=Fraction(20), max_denominator=20)


def _at(rho: object, d: object = 4, g: object = "1/2") -> dict[sp.Symbol, sp.Expr]:
    two = sp.Integer(2)
    strength, ratio_d, ratio_g = (sp.Rational(str(value)) for value in (rho, d, g))
    return {delta: ratio_d, gamma: ratio_g, kappa: two, alpha: two, mu2: strength}


def test_visibility_returns_where_the_signal_is_weak() -> None:
    # δ = 4, γ = ½: below the bulk up to 1.845, above it from 6.814 on.
    for rho, above, below in (("1.84", 0, 1), ("1.85", 0, 0), ("6.81", 0, 0), ("6.82", 1, 0)):
        assert bool(overlap_above(THRESHOLD, _at(rho)) > 0) == above
        assert bool(overlap_below(THRESHOLD, _at(rho)) > 0) == below
    # Without a gap nothing is seen below, however weak: V > d, and d > N > V with γ > δ.
    assert overlap_below(THRESHOLD, _at("1/100", "1/2")) == 0
    assert overlap_below(THRESHOLD, _at("1/100", 2, 3)) == 0


@settings(max_examples=60, deadline=None)
@given(rho=ratios, d=ratios, g=ratios)
def test_what_is_seen_is_what_two_sign_rules_say(rho: Fraction, d: Fraction, g: Fraction) -> None:
    at = _at(rho, d, g)
    numbers = (at[mu2], at[delta], at[gamma])
    seen = overlap_above(THRESHOLD, at), overlap_below(THRESHOLD, at)
    rules = [visible_above(*numbers), visible_below(*numbers)]
    assert [bool(value != 0) for value in seen] == rules
    assert all(0 <= value < 1 for value in seen)


@settings(max_examples=25, deadline=None)
@given(d=ratios, g=ratios)
def test_the_lower_edge_is_that_of_the_law(d: Fraction, g: Fraction) -> None:
    at = _at(1, d, g)
    found = lower_edge(edge_polynomial(MODEL), at)
    edge = sample_law().subs({s: at[s] for s in (delta, gamma, kappa)}).edges()[0]
    assert abs(evaluate(found - edge, dps=20)) < 1e-15


def test_thresholds_by_two_principles() -> None:
    other = threshold_polynomial_by_population(MODEL)
    assert sp.expand(THRESHOLD - other) == 0


def test_a_short_vocabulary_leaves_the_lowest_eigenvalue_to_the_signal() -> None:
    with pytest.raises(Undetermined, match="there may be an outlier"):
        edge_polynomial(PooledModel(CLASS_CENTRED, short_vocabulary=True))


def test_gap_claims_say_nothing_outside_the_gap() -> None:
    (location,) = (claim for claim in CLAIMS if claim.id == "spike.sample.gap-location")

    def stated(bindings: dict[sp.Symbol, sp.Expr]) -> bool:
        return all(condition.subs(bindings) == sp.true for condition in location.where)

    assert stated(_at("1.84"))
    # Between the two lower roots of the threshold its sign is the other one; between the middle
    # root and 0 the same again.
    assert not any(stated(_at(rho)) for rho in ("1.85", "3", "3.5", "7"))
    assert not stated(_at("1/100", 2, 3))


def test_a_fraction_or_a_constant_in_place_of_the_threshold_has_a_value() -> None:
    at = _at("1/4")
    assert overlap_below(1 / THRESHOLD, at) is sp.nan
    assert overlap_above(sp.Integer(3), at) is sp.nan
    assert lower_edge(sp.Integer(1), at) is sp.nan


def test_the_noise_of_a_table_lifts_its_signal() -> None:
    # θ = α(‖μ‖² + δ)/κ where the summary has α‖μ‖²/κ: 6 < 6.81 < 10.
    at = _at(6)
    edge = top_of_sample(CLASS_CENTRED)(sample_excess(MODEL), at)
    outlier = top_of_sample(RAW)(sample_excess(PooledModel(RAW)), at)
    assert float(edge / 2) == pytest.approx(10.8764491171768, abs=1e-12)
    assert outlier / 2 == sp.Rational(7 * 10 * 13, 2 * 36)
    assert top_of_population(RAW)(sp.Integer(-1), _at(6, "1/4")) == sp.Rational(9, 2)


def test_alternating_weights_have_no_vocabulary_mean() -> None:
    one = Fraction(1)
    model = ManyTokens(one, one, Fraction(1, 4), one, one, "raw", alternating=True).model(24)
    assert model.weights.sum() == pytest.approx(0, abs=1e-15)
    assert model.weights @ model.weights == pytest.approx(1)


@pytest.mark.parametrize("experiment", [growing.below, growing.between, growing.above])
def test_one_draw_of_each_side(experiment) -> None:
    # The three settings lie on three sides: neither overlap is above 0.2 between, and only one
    # of them is on either side. At d = 192 they spread by 0.07 about 0.72 and 0.85; the larger
    # of the two that vanish stays below 0.05 on average. False alarm below 1e-6.
    rows = [experiment.simulation.draw(192, np.random.default_rng(i)) for i in range(8)]
    above, below = (np.mean([row[f"overlap of {name}"] for row in rows])
                    for name in ("largest", "smallest"))  # fmt: skip
    expected = {growing.below.name: (0, 1), growing.between.name: (0, 0),
                growing.above.name: (1, 0)}[experiment.name]  # fmt: skip
    assert (above > 0.4, below > 0.4) == expected
