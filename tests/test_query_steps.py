"""The stochastic recursion: its two steps agree in law, and bad input gives no number."""

from __future__ import annotations

import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from numerics.simulate.queries import QueryModel
from numerics.simulate.query_gradient import plain_gradient, softmax
from numerics.simulate.query_runs import QueryFamily, Weights
from numerics.simulate.steps import StepSizes

MODEL = QueryModel(d=4, L=6, R=2, theta=1.5, inverse_temperature=1.2)


def statistics(model: QueryModel, method: str, seed: int, draws: int, rho: float) -> np.ndarray:
    """Joint statistics, one row each: the gradient, the output, the weights, their products."""
    rng = np.random.default_rng(seed)
    query = np.zeros(model.d)
    query[:2] = rho, np.sqrt(1 - rho**2)
    draw = model.gradient(rng, np.tile(query, (draws, 1)), method)
    across = np.zeros(model.d)
    across[:2] = np.sqrt(1 - rho**2), -rho
    radial, tangent = draw.gradient @ query, draw.gradient @ across
    length = np.sqrt(np.vecdot(draw.gradient, draw.gradient))
    base = [radial, tangent, draw.gradient[:, -1], length, draw.squared_output]
    base += [draw.informative_mass, draw.squared_weights]
    bounded = [np.tanh(column) for column in base]
    products = [bounded[i] * bounded[j] for i in range(7) for j in range(i, 7)]
    return np.array([*bounded, *products])


@pytest.mark.parametrize(("dimension", "rho"), [(4, 0.6), (4, -0.9), (3, 0.0), (2, 0.3)])
def test_both_steps_have_one_law(dimension, rho):
    """35 statistics a setting; Bonferroni over all settings at a false alarm of 1e-6."""
    model = QueryModel(d=dimension, L=6, R=2, theta=1.5, inverse_temperature=1.2)
    plain = statistics(model, "plain", 11, 8_000, rho)
    fast = statistics(model, "exact-in-law", 12, 60_000, rho)
    error = np.sqrt(plain.var(axis=1) / plain.shape[1] + fast.var(axis=1) / fast.shape[1])
    z = (plain.mean(axis=1) - fast.mean(axis=1)) / np.maximum(error, 1e-12)
    assert np.abs(z).max() < norm.isf(0.5e-6 / (4 * 35))


def test_the_comparison_of_laws_can_fail():
    """A strength one tenth off is seen by the same statistics."""
    other = QueryModel(d=4, L=6, R=2, theta=1.65, inverse_temperature=1.2)
    plain = statistics(other, "plain", 11, 8_000, 0.6)
    fast = statistics(MODEL, "exact-in-law", 12, 60_000, 0.6)
    error = np.sqrt(plain.var(axis=1) / plain.shape[1] + fast.var(axis=1) / fast.shape[1])
    z = (plain.mean(axis=1) - fast.mean(axis=1)) / error
    assert np.abs(z).max() > norm.isf(0.5e-6 / (4 * 35))


def test_plain_gradient_is_a_derivative():
    """Central differences of |f|^2 with the same tokens."""
    size, h = MODEL._size, 1e-6
    query = MODEL.uniform_query(np.random.default_rng(3))
    found = plain_gradient(np.random.default_rng(4), query, size).gradient[0]
    for k in range(MODEL.d):
        values = []
        for sign in (1, -1):
            moved = query.copy()
            moved[0, k] += sign * h
            draw = plain_gradient(np.random.default_rng(4), moved, size)
            values.append(draw.squared_output[0])
        assert found[k] == pytest.approx((values[0] - values[1]) / (2 * h), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("method", ["plain", "exact-in-law"])
@pytest.mark.parametrize("theta", [0.0, 1000.0])
def test_queries_keep_unit_length_even_at_huge_scores(method, theta):
    model = QueryModel(d=5, L=8, R=3, theta=theta)
    run = model.ascend(
        np.random.default_rng(0), steps=StepSizes(0.5, 0.6), count=30, runs=3, method=method
    )
    assert np.isfinite(run.query).all()
    assert np.linalg.norm(run.query, axis=1) == pytest.approx(1, abs=1e-12)
    assert np.isfinite(run.attention.informative_mass).all()


def test_softmax_does_not_overflow():
    assert softmax(np.array([1e3, 0.0, -1e3])).tolist() == [1.0, 0.0, 0.0]
    assert np.isfinite(softmax(np.array([0.0, 50.0, 100.0], dtype=np.float32))).all()


def test_recording_does_not_change_the_run():
    few = MODEL.ascend(np.random.default_rng(7), steps=np.full(20, 0.1), runs=2)
    all_of_it = MODEL.ascend(
        np.random.default_rng(7), steps=StepSizes(0.1), count=20, runs=2, record=range(21)
    )
    assert (few.query == all_of_it.query).all()
    assert (few.rho == all_of_it.rho[:, [0, -1]]).all()
    assert all_of_it.flow_time == pytest.approx(0.1 * np.arange(21))
    assert all_of_it.alignment.shape == all_of_it.attention.largest_noise_weight.shape == (2, 21)
    again = MODEL.ascend(np.random.default_rng(7), steps=np.full(20, 0.1), runs=2)
    assert (few.query == again.query).all()


def test_full_and_tangent_steps_differ_by_the_size_of_the_step():
    """The part of the gradient along q only shortens the step."""
    query = MODEL.uniform_query(np.random.default_rng(1))
    gradient = MODEL.gradient(np.random.default_rng(2), query).gradient[0]
    radial = gradient @ query[0]
    shorter = 0.1 / (1 + 0.1 * radial)
    moved = query[0] + shorter * (gradient - radial * query[0])
    run = MODEL.ascend(np.random.default_rng(2), steps=[0.1], start=query[0])
    assert run.query[0] == pytest.approx(moved / np.linalg.norm(moved), abs=1e-12)


def test_attention_divides_one():
    dense = QueryModel(d=3, L=4, R=4, theta=1.0).attention(np.random.default_rng(0), 0.5)
    assert dense.informative_mass == 1
    assert dense.largest_noise_weight == 0
    sparse = QueryModel(d=3, L=40, R=10, theta=1.0)
    seen = sparse.attention(np.random.default_rng(0), np.ones((5, 2)))
    assert seen.informative_mass.shape == (5, 2)
    total = seen.informative_mass + 30 * seen.mean_noise_weight
    assert total == pytest.approx(1)
    assert (seen.largest_noise_weight >= seen.mean_noise_weight).all()


@pytest.mark.parametrize("rho", [5.0, float("nan"), [0.5, -1.1], float("inf")])
def test_attention_at_no_alignment_is_refused(rho):
    with pytest.raises(ValueError, match=r"rho must lie in -1\.\.1: got (5.0|nan|-1.1|inf)"):
        MODEL.attention(np.random.default_rng(0), rho)


def test_a_small_mass_keeps_its_digits():
    """At -xi the informative scores are the noise's less 50: their mass is sum e^(g - 50)."""
    model = QueryModel(d=3, L=40, R=10, theta=50.0)
    seen = model.attention(np.random.default_rng(3), -1.0)
    scores = np.random.default_rng(3).standard_normal(40)
    odds = np.exp(scores[:10]).sum() / np.exp(scores[10:]).sum() * np.exp(-50.0)
    assert seen.informative_mass == pytest.approx(odds, rel=1e-12)
    family = QueryFamily((3,), (40,), (30,), Fraction(50))
    draw = Weights(family, Fraction(1), 3).draw(1, np.random.default_rng(3))
    assert 0 < draw["noise mass"] < 1e-18


@pytest.mark.parametrize("method", ["plain", "exact-in-law"])
@pytest.mark.parametrize(("theta", "step"), [(1.0, 1e154), (1.0, 1e200), (1e6, 1e200), (1e6, 0.1)])
def test_long_steps_leave_unit_queries(method, theta, step):
    model = QueryModel(d=5, L=8, R=3, theta=theta, inverse_temperature=theta)
    run = model.ascend(np.random.default_rng(0), steps=[step] * 3, runs=4, method=method)
    assert np.linalg.norm(run.query, axis=1) == pytest.approx(1, abs=1e-12)
    assert (run.alignment <= 1).all()


def test_one_query_has_one_gradient():
    query = MODEL.uniform_query(np.random.default_rng(1))
    one = MODEL.gradient(np.random.default_rng(2), query[0])
    assert one.gradient.shape == (1, 4)
    assert (one.gradient == MODEL.gradient(np.random.default_rng(2), query).gradient).all()
    with pytest.raises(ValueError, match=r"query must have shape \(4,\) or \(1, 4\): got \(1, 3\)"):
        MODEL.gradient(np.random.default_rng(2), query[0, :3])
    with pytest.raises(ValueError, match=r"query must have unit length: got 2\.0"):
        MODEL.gradient(np.random.default_rng(2), np.ones(4))


@pytest.mark.parametrize(
    ("edit", "kind", "words"),
    [
        ({"R": 9}, ValueError, r"R must lie in 1\.\.L=8: got 9"),
        ({"R": 0}, ValueError, r"R must lie in 1\.\.L=8: got 0"),
        ({"L": 1, "R": 1}, ValueError, "L must be at least 2: got 1"),
        ({"d": 1}, ValueError, "d must be at least 2: got 1"),
        ({"d": 2.5}, TypeError, "d must be an integer: got 2.5"),
        ({"d": True}, TypeError, "d must be an integer: got True"),
        ({"theta": -1.0}, ValueError, "theta must be finite and not negative: got -1.0"),
        ({"theta": float("nan")}, ValueError, "theta must be finite"),
        ({"theta": float("inf")}, ValueError, "theta must be finite"),
        ({"inverse_temperature": 0.0}, ValueError, "inverse_temperature must be finite"),
        ({"theta": 1e100}, ValueError, r"theta must be at most 1e\+06: got 1e\+100"),
        ({"inverse_temperature": 1e7}, ValueError, r"inverse_temperature must be at most 1e\+06"),
    ],
)
def test_bad_models_are_refused(edit, kind, words):
    with pytest.raises(kind, match=words):
        QueryModel(**({"d": 4, "L": 8, "R": 2, "theta": 1.0} | edit))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"start": np.ones(4)}, "start must have unit length: got 2.0"),
        ({"start": np.zeros(4)}, "start must have unit length: got 0.0"),
        ({"start": np.full(4, np.nan)}, "start must have unit length: got nan"),
        ({"start": np.array([1.0, 0, 0])}, r"start must have shape \(4,\) or \(1, 4\): got \(3,\)"),
        ({"steps": [0.1, 0.0]}, "steps must be positive and finite: got 0.0 at 1"),
        ({"steps": [0.1, np.nan]}, "steps must be positive and finite: got nan at 1"),
        ({"steps": [[0.1]]}, "one axis"),
        ({"steps": [0.1, 1e201]}, r"steps must be at most 1e\+200: got 1e\+201"),
        ({"steps": StepSizes(0.1)}, "count must be given"),
        ({"count": 3}, "at least count=3 entries: got 2"),
        ({"count": -1}, "count must be an integer, not negative: got -1"),
        ({"record": [3]}, r"record must lie in 0\.\.2: got 3\.\.3"),
        ({"record": [0.5]}, "record must be a list of integers"),
        ({"runs": 0}, "runs must be a positive integer: got 0"),
        ({"method": "fast"}, "method must be one of exact-in-law, plain: got 'fast'"),
    ],
)
def test_bad_ascents_are_refused(edit, words):
    with pytest.raises(ValueError, match=words):
        MODEL.ascend(np.random.default_rng(0), **({"steps": [0.1, 0.1]} | edit))


def test_robbins_monro_only_warns_and_only_when_asked():
    def ascend(steps, asked):
        MODEL.ascend(np.random.default_rng(0), steps=steps, count=40, robbins_monro=asked)

    with pytest.warns(UserWarning, match=r"sum eta_k\^2 < oo"):
        ascend(StepSizes(0.1, 0.5), True)
    with pytest.warns(UserWarning, match="sum eta_k = oo"):
        ascend(StepSizes(0.1, 1.2), True)
    with pytest.warns(UserWarning, match=r"sum eta_k\^2 < oo"):
        ascend(np.full(40, 0.1), True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ascend(StepSizes(0.1, 0.6), True)
        ascend(StepSizes(0.1, 1.0), True)
        ascend(StepSizes(0.1, 0.0), False)
    with pytest.raises(ValueError, match="exponent must be finite and not be negative"):
        StepSizes(0.1, -1.0)
    with pytest.raises(ValueError, match="scale must be finite and be positive"):
        StepSizes(0.0)


@pytest.mark.parametrize(
    ("steps", "broken"),
    [
        (lambda k: 0.1 / (k + 0.5), ""),
        (lambda k: 5 / (1000 + k), ""),
        (lambda k: 1 / (1e6 + k), ""),
        (lambda k: (1 + k) ** -0.51, ""),
        (lambda k: 1 / ((k + 2) * np.log(k + 2)), ""),
        (lambda k: 1 / (np.sqrt(k + 2) * np.log(k + 2)), ""),
        (lambda k: np.where(k % 2 == 0, 0.1, 0.2) / (k + 1), ""),
        (lambda k: 1 / ((k + 2) * np.log(k + 2) ** 2), r"k\^-1 \(log k\)\^-2$"),
        (lambda k: (1 + k) ** -1.01, r"eta_k = oo: the steps decay like k\^-1.01$"),
        (lambda k: np.exp(-k / 50), "eta_k = oo"),
        (lambda k: 1 / np.sqrt((k + 2) * np.log(k + 2)), r"eta_k\^2 < oo"),
        (lambda k: np.full(len(k), 0.1), r"eta_k\^2 < oo: the steps decay like k\^-0$"),
        (lambda k: np.full(40, 0.1)[k], r"k\^-0, as far as the run's own 40 show; no others"),
        (np.full(40, 0.1), r"k\^-0, as far as the run's own 40 show; no others are known"),
        (0.1 / (1 + np.arange(40)) ** 1.5, r"eta_k = oo: .* k\^-1.5, as far as the run's own"),
    ],
)
def test_the_conditions_are_judged_by_the_tail_and_not_by_the_run(steps, broken):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        MODEL.ascend(np.random.default_rng(0), steps=steps, count=40, robbins_monro=True)
    assert len(caught) == bool(broken)
    assert all(re.search(broken, str(warning.message)) for warning in caught)


@pytest.mark.parametrize("full", [True, False])
def test_one_step_moves_as_the_effective_drift_says(full):
    """Mean change of rho in one step: 5 standard errors (false alarm 6e-7), bias 0.003."""
    import sympy as sp

    from theory import query
    from theory.algebra import at_point

    model, step, runs = QueryModel(d=40, L=4_000, R=2_000, theta=1.0), 0.05, 4_000
    rng = np.random.default_rng(6)
    begin = model.query_at(rng, 0.95, runs)
    run = model.ascend(rng, steps=[step], start=begin, runs=runs, full=full)
    change = (run.rho[:, 1] - 0.95) / step
    point = {query.theta: 1, query.share: sp.Rational(1, 2), query.rho: sp.Rational(19, 20)}
    drift = query.effective_drift(query.two_classes(), sp.Rational(1, 100), query.eta, full)
    predicted = float(at_point(drift, {**point, query.eta: sp.Rational(1, 20)}))
    noiseless = float(at_point(drift, {**point, query.eta: 0}))
    error = 5 * change.std() / np.sqrt(runs) + 0.003
    assert abs(change.mean() - predicted) < error
    assert abs(change.mean() - noiseless) > 3 * error
