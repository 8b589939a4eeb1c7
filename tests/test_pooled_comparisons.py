"""Exact questions about poolings: each can be answered with yes and with no."""

import numpy as np
import pytest
import sympy as sp

from numerics.pooling import causal_weights, mean_weights, prefix_ratios
from theory.algebra import Answer, Undetermined
from theory.pooled import certificates, comparisons, correlations, outliers, visibility
from theory.pooled.causal import Attention, Mean
from theory.pooled.comparisons import CausalSetting, RidgeSetting
from theory.pooled.covariance import CLASS_CENTRED, RAW
from theory.pooled.model import PooledModel
from theory.pooled.symbols import delta, mu2
from verify.claims.weights import mixed_signs

PREFIX, EQUAL = correlations.prefix(5, 3), correlations.identity(3)
CHAIN, MIXED = correlations.kac_murdock_szego(3, "1/2"), mixed_signs.premise


@pytest.mark.parametrize(
    ("question", "yes", "no"),
    [
        (certificates.unique, PREFIX, EQUAL),
        (certificates.on_the_block, PREFIX, CHAIN),
        (certificates.non_negative, CHAIN, MIXED),
        (certificates.both_signs_needed, MIXED, PREFIX),
    ],
)
def test_a_question_has_both_answers(question, yes: sp.Matrix, no: sp.Matrix) -> None:  # type: ignore[no-untyped-def]
    assert {finding.answer for finding in question(yes)} == {Answer.YES}
    assert Answer.NO in {finding.answer for finding in question(no)}


@pytest.mark.parametrize("R", [PREFIX, EQUAL, CHAIN, MIXED])
def test_the_optimum_is_certified(R: sp.Matrix) -> None:
    for question in (certificates.stationary, certificates.maximal, certificates.whole_face):
        assert {finding.answer for finding in question(R)} == {Answer.YES}


def test_a_wrong_optimum_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from theory.pooled import weights

    wrong = weights.Optimum(sp.Integer(1), (sp.ImmutableMatrix([0, 0, 0, 1, 0]),))
    monkeypatch.setattr(weights, "optimum", lambda R: wrong)
    answers = [finding.answer for finding in certificates.maximal(PREFIX)]
    assert answers == [Answer.YES, Answer.NO]
    assert certificates.whole_face(PREFIX)[1].answer is Answer.NO


def test_the_gain_of_a_prefix_needs_a_prefix() -> None:
    for route in (certificates.prefix_gain_by_rank_one, certificates.prefix_gain_by_symmetry):
        with pytest.raises(Undetermined, match="R must be a prefix block"):
            route(CHAIN)


@pytest.mark.parametrize("L", range(2, 17))
def test_causal_against_mean_as_the_arrays_have_it(L: int) -> None:
    setting = CausalSetting(Attention("strict"), 16, L)
    above = prefix_ratios(causal_weights(16))[L - 1] > prefix_ratios(mean_weights(16))[L - 1]
    exact = comparisons.causal_above_mean(setting)[0].answer is Answer.YES
    assert exact == above
    assert (comparisons.causal_below_mean(setting)[0].answer is Answer.NO) == above


def test_decrease_and_norm_under_both_masks() -> None:
    for mask in ("strict", "inclusive"):
        setting = CausalSetting(Attention(mask), 8, 2)  # type: ignore[arg-type]
        for question in (comparisons.decreasing, comparisons.norm_by_induction):
            assert question(setting)[0].answer is Answer.YES


def _ridge(parameter: str, delta_value: str, gamma_value: str) -> RidgeSetting:
    T, L = 64, 42
    poolings = {"causal": Attention("strict").weights(T), "mean": Mean().weights(T)}
    numbers = map(sp.Rational, (delta_value, gamma_value, "238/1000", parameter))
    return RidgeSetting(
        CLASS_CENTRED, *numbers, correlations.prefix(T, L), tuple(range(L)), poolings
    )


@pytest.mark.parametrize(("parameter", "first"), [("1", "causal"), ("1/10000", "mean")])
def test_the_order_of_accuracies_flips_at_small_ridge(parameter: str, first: str) -> None:
    setting = _ridge(parameter, "1/10", "1")
    second = {"causal": "mean", "mean": "causal"}[first]
    assert comparisons.ranked(first, second)(setting)[0].answer is Answer.YES
    assert comparisons.ranked(second, first)(setting)[0].answer is Answer.NO
    assert comparisons.ratios_ranked("causal", "mean")(setting)[0].answer is Answer.YES


def test_the_squared_margin_knows_its_table() -> None:
    centred, raw = (comparisons.squared_margin(kind) for kind in (CLASS_CENTRED, RAW))
    assert sp.cancel(centred.subs(mu2, mu2 + delta) - raw) == 0
    assert sp.cancel(centred - raw) != 0


def test_visibility_by_two_routes_and_at_the_critical_ratio() -> None:
    model = PooledModel(CLASS_CENTRED)
    gap = outliers.sample_excess(model) - visibility.sample_excess_by_population(model)
    assert sp.expand(gap) == 0
    shape, strength = sp.Rational(1, 8), sp.Integer(1)
    critical = visibility.critical_gamma(strength, shape)
    little = sp.Rational(1, 10**9)
    assert visibility.visible_above(strength, shape, critical - little)
    assert not visibility.visible_above(strength, shape, critical + little)
    _, overlap = visibility.outlier(strength, shape, critical)
    assert overlap == 0


def test_edges_are_those_of_a_large_sample() -> None:
    """False alarm: the edge of one draw at d = 400 moves by about 1 %; 6 % are allowed."""
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((400, 1600)) / 40
    C = Z @ rng.standard_normal((1600, 1200)) / np.sqrt(1200)
    low, high = visibility.bulk(sp.Rational(1, 4), sp.Rational(1, 3)).edges
    values = np.linalg.eigvalsh(C @ C.T)
    assert values[-1] == pytest.approx(float(high), rel=0.06)
    assert values[0] == pytest.approx(float(low), rel=0.2)
