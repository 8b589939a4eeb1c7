"""Hitting times, the step's limit, and what an ascent at rest shows."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import flow as numeric
from numerics.simulate.queries import Ascent, QueryModel
from numerics.simulate.query_runs import Ascents, QueryFamily, Refined, first_passage
from theory import query
from theory.algebra import normal_form
from theory.query import b, c, eta, rho, share, start, target, theta
from theory.query import statements as say
from theory.query import time_statements as times
from theory.query.recursion import normalised_change

inside = st.fractions(min_value="-9/10", max_value="9/10", max_denominator=20)
positive = st.fractions(min_value="1/10", max_value=2, max_denominator=10)


@settings(deadline=None, max_examples=25)
@given(ends=st.lists(inside, min_size=3, max_size=3, unique=True), strength=positive)
def test_times_add_along_the_way_and_are_those_of_the_quadrature(ends, strength) -> None:
    dense = say.QueryPremise(share=1, inverse_temperature=sp.Integer(1))
    time = times.hitting_time(dense)
    low, middle, high = map(sp.Rational, map(str, sorted(ends)))
    known = {theta: sp.Rational(str(strength))}

    def between(begin: sp.Rational, end: sp.Rational) -> float:
        return float(time.subs({**known, start: begin, target: end}))

    assert between(low, high) == pytest.approx(between(low, middle) + between(middle, high))
    found = numeric.hitting_time(say.flow(dense), rho, low, high, known, dps=20)
    assert between(low, high) == pytest.approx(float(found), rel=1e-12)


def test_the_two_routes_to_the_dense_time_agree_and_need_no_noise_tokens() -> None:
    dense = say.QueryPremise(share=1)
    assert normal_form(times.hitting_time(dense) - times.hitting_time_by_solution(dense)) == 0
    with pytest.raises(ValueError, match="flow must have a logarithm"):
        query.closed_hitting_time(1 + rho**2)


@settings(deadline=None, max_examples=40)
@given(at=inside, progress=inside, length=positive, size=positive)
def test_the_change_is_that_of_the_normalised_step(at, progress, length, size) -> None:
    p, square, h = (sp.Rational(str(value)) for value in (progress, length, size))
    change = normalised_change(p, square, h).subs(rho, sp.Rational(str(at)))
    moved = (float(at) + float(h * p)) / np.sqrt(1 + float(h**2 * square))
    assert float(at) + float(h) * float(change) == pytest.approx(moved, abs=1e-12)


@pytest.mark.parametrize("full", [True, False])
def test_at_any_fixed_step_the_recursion_tends_to_its_limit(full: bool) -> None:
    # Far beyond small steps: |eta T| is above 1. False alarms: 5 standard errors at two times,
    # 1e-6 each, beside a bias of 4/L; the seed is fixed.
    half = Fraction(1, 2)
    numbers = {share: half, theta: 1, c: half}
    drift = query.effective_drift(query.two_classes(inverse_temperature=half), c, eta, full)
    path = numeric.mean_path(drift, rho, eta, [2.0, 2.0], 0.3, numbers)
    model = QueryModel(d=1000, L=2000, R=1000, theta=1.0, inverse_temperature=0.5)
    rng = np.random.default_rng(5)
    run = model.ascend(rng, steps=[2.0, 2.0], start=model.query_at(rng, 0.3, 400), runs=400,
                       record=[0, 1, 2], full=full)  # fmt: skip
    error = 5 * run.rho.std(axis=0, ddof=1) / 400**0.5 + 4 / 2000
    assert (np.abs(run.rho.mean(axis=0) - path) < error).all()
    assert abs(path[1] - path[0]) > 10 * error[1]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=12), st.integers(1, 9))
def test_a_first_passage_is_the_first_and_lies_on_the_line(steps, level) -> None:
    rho_seen = np.concatenate([[0.0], np.array(steps) / 10])
    times = np.arange(len(rho_seen))
    run = Ascent(times, times * 0.5, rho_seen[None, :], np.zeros((1, 2)), lambda at: at)
    (passed,) = first_passage(run, level / 10)
    if rho_seen.max() < level / 10:
        assert np.isnan(passed)
    else:
        assert np.interp(passed, run.flow_time, rho_seen) == pytest.approx(level / 10)
        earlier = run.flow_time < passed - 1e-9
        assert (rho_seen[earlier] < level / 10).all()


def test_an_ascent_at_rest_is_averaged_over_its_last_part() -> None:
    family = QueryFamily((4,), (0, 10), (0, 5), Fraction(1))
    ascents = Ascents(family, Refined(Fraction(1), Fraction(1, 4)), Fraction(1), 3,
                      Fraction(1, 2))  # fmt: skip
    seen = ascents.draw(4, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    model, sizes = family.model(4), np.full(16, 1 / 16)
    begun = model.query_at(rng, 1.0, 3)
    run = model.ascend(rng, steps=sizes, start=begun, runs=3, record=range(8, 17))
    assert seen["misalignment"] == pytest.approx((1 - run.alignment).mean() * 16)
    assert "hitting time" not in seen


def test_attention_is_drawn_when_asked_and_changes_nothing() -> None:
    model = QueryModel(d=3, L=8, R=4, theta=1.0)
    runs = [model.ascend(np.random.default_rng(1), steps=[0.1] * 5, runs=2) for _ in range(2)]
    first = runs[0].attention.informative_mass
    assert (first == runs[0].attention.informative_mass).all()
    assert (first == runs[1].attention.informative_mass).all()
    assert first.shape == runs[0].rho.shape


def test_a_logarithm_is_brought_to_normal_form() -> None:
    x, y = sp.symbols("x y")
    gap = sp.log((x - y) / (1 - y)) - sp.log((y - x) / (y - 1))
    assert normal_form(gap) == 0
    assert normal_form(sp.exp(1) ** 2 - sp.exp(2) + b - b) == 0
    assert normal_form(sp.E * sp.exp(sp.Rational(1, 2)) - sp.exp(sp.Rational(3, 2))) == 0
