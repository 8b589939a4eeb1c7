"""Trajectories, hitting times and boundaries of a flow, to double and to high precision."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

from numerics.flow import crossing, hitting_time, mean_path, trajectory
from theory import query

x, k = sp.symbols("x k")
GROWTH = x * (1 - x**2)


def test_small_starts_keep_ten_digits():
    assert trajectory(GROWTH, x, 1e-8, [17.8713745996183])[0] == pytest.approx(0.5, rel=1e-10)
    assert float(hitting_time(GROWTH, x, "1e-8", "1/2")) == pytest.approx(
        17.8713745996183, rel=1e-14
    )


def test_hitting_time_against_its_closed_form_at_two_precisions():
    closed = sp.log(sp.Rational(1, 2) * 10**8) - sp.log(sp.Rational(3, 4)) / 2
    closed += sp.log(1 - sp.Rational(1, 10**16)) / 2
    for dps in (15, 50):
        found = sp.Float(mpmath.nstr(hitting_time(GROWTH, x, "1e-8", "1/2", dps=dps), dps + 2), 60)
        assert abs(found - sp.N(closed, 60)) < sp.Float(10, 60) ** (1 - dps) * 2
    back = hitting_time(-GROWTH, x, "1/2", "1e-8", dps=20)
    assert float(back) == pytest.approx(float(closed), rel=1e-15)


def test_hitting_time_and_trajectory_of_the_landscape():
    flow = query.drift(query.objective(query.two_classes()))
    point = {query.theta: 1, query.share: "1/21"}
    when = hitting_time(flow, query.rho, "1e-8", "0.9", point, dps=20)
    numbers = {query.theta: 1.0, query.share: 1 / 21}
    reached = trajectory(flow, query.rho, 1e-8, [float(when)], numbers)
    assert reached[0] == pytest.approx(0.9, rel=1e-10)


@pytest.mark.parametrize("digits", [40, 50, 120])
def test_hitting_time_keeps_its_digits_next_to_the_end(digits):
    """Without noise tokens the time from 0 is atanh(rho)/(2 theta)."""
    dense = query.drift(query.objective(query.two_classes(1)))
    end = 1 - sp.Rational(1, 10**digits)
    found = hitting_time(dense, query.rho, 0, end, {query.theta: 2}, dps=30)
    with mpmath.workdps(2 * digits + 40):
        closed = mpmath.atanh(mpmath.mpf(int(end.p)) / int(end.q)) / 4
        assert abs(found / closed - 1) < mpmath.mpf(10) ** -30


def test_hitting_time_keeps_its_digits_next_to_a_zero_inside():
    """The trap's boundary, in the variable log(rho - boundary), with J' written out."""
    point = {query.theta: 2, query.share: "1/21"}
    edge = crossing(query.basin_equation(0, 1).lhs, query.rho, -1, 0, point, dps=80)
    with mpmath.workdps(100):
        begin = sp.Rational(mpmath.nstr(edge, 80)) + sp.Rational(1, 10**30)
    flow = query.drift(query.objective(query.two_classes()))
    found = hitting_time(flow, query.rho, begin, "1/2", point, dps=12)

    def pace(u: mpmath.mpf) -> mpmath.mpf:
        at = edge + mpmath.exp(u)
        mass = mpmath.exp(2 * at) / (mpmath.exp(2 * at) + 20)
        bracket = 1 + 2 * (1 - mass) * (at + 2 * mass)
        return mpmath.exp(u) / (4 * mass * bracket * (1 - at**2))

    with mpmath.workdps(50):
        ends = mpmath.linspace(-30 * mpmath.log(10), mpmath.log(mpmath.mpf(1) / 2 - edge), 12)
        expected = mpmath.quad(pace, ends)
        assert abs(found / expected - 1) < mpmath.mpf(10) ** -12
    assert float(found) == pytest.approx(673.26599236, abs=1e-8)


def test_hitting_time_of_a_narrow_passage():
    """The integral of 1/(x^2 + w^2) over (-1, 1) is 2 atan(1/w)/w."""
    narrow = hitting_time(x**2 + sp.Rational(1, 10**40), x, -1, 1, dps=30)
    with mpmath.workdps(60):
        expected = 2 * mpmath.atan(mpmath.mpf(10) ** 20) * mpmath.mpf(10) ** 20
        assert abs(narrow / expected - 1) < mpmath.mpf(10) ** -30


@pytest.mark.parametrize(
    ("flow", "words"),
    [
        ((x - sp.Rational(1, 3)) ** 2, "got no certain sign at 0.33333333"),
        ((x - sp.Rational(1, 7)) * (x - sp.Rational(1, 7) - sp.Rational(1, 1000)), "got -"),
        ((x - sp.Rational(1, 7)) * (x - sp.Rational(1, 7) - sp.Rational(1, 10**30)), "got -"),
        (x * (1 - x), "got no certain sign at 0"),
        ((sp.exp(x) - sp.sqrt(2)) ** 2, r"got no certain sign at 0\.346573"),
        (1 / (x - sp.Rational(1, 3)) ** 2, "got no certain sign at 0.33333333"),
        (1 / (x - sp.Rational(1, 3)), "got -"),
        (sp.log(x - sp.Rational(1, 2)), "flow must lead from start to target"),
        (sp.Integer(0), "got 0 near 0"),
        (abs(x) + 1, "no numerical rule for Abs"),
    ],
)
def test_no_time_is_given_where_an_equilibrium_lies_between(flow, words):
    with pytest.raises(ValueError, match=words):
        hitting_time(flow, x, 0, 1, dps=15)


def test_hitting_time_of_functions_with_branch_cuts():
    with mpmath.workdps(30):
        expected = mpmath.quad(lambda u: 1 / (mpmath.log(u) * mpmath.sqrt(u)), [2, 3])
        found = hitting_time(sp.log(x) * sp.sqrt(x), x, 2, 3, dps=25)
        assert abs(found / expected - 1) < mpmath.mpf(10) ** -24
        inverse = hitting_time(1 + sp.atanh(x), x, 0, "1/2", dps=25)
        expected = mpmath.quad(lambda u: 1 / (1 + mpmath.atanh(u)), [0, 0.5])
        assert abs(inverse / expected - 1) < mpmath.mpf(10) ** -24


def test_constants_are_evaluated_at_the_precision_asked_for():
    """x = 1/3 + sqrt(2) is a zero; a third at 15 digits would be wrong from digit 17."""
    before = mpmath.mp.dps
    root = crossing((x - sp.Rational(1, 3)) ** 2 - 2, x, 1, 2, dps=50)
    exact = sp.N(sp.Rational(1, 3) + sp.sqrt(2), 55)
    assert abs(sp.Float(mpmath.nstr(root, 52), 55) - exact) < sp.Float(10) ** -50
    assert mpmath.mp.dps == before


def test_basin_boundary_as_published():
    equation = query.basin_equation(query.c, 1).lhs
    point = {query.theta: 2, query.share: "1/21", query.c: 0}
    edge = crossing(equation, query.rho, -1, 0, point, dps=40)
    assert float(edge) == pytest.approx(-0.54174, abs=1e-5)
    residual = equation.subs({s: sp.Rational(v) for s, v in point.items()})
    residual = residual.subs(query.rho, sp.Float(mpmath.nstr(edge, 42), 60))
    assert abs(sp.N(residual, 50)) < sp.Float(10) ** -38
    wider = crossing(equation, query.rho, -1, 0, point | {query.c: "1/10"}, dps=20)
    assert wider > edge  # a finite d/L enlarges the trap
    with pytest.raises(ValueError, match="change sign"):
        crossing(equation, query.rho, -1, 0, point | {query.theta: "1/2"})


def test_mean_path_is_euler():
    path = mean_path(-x + k, x, k, [0.5, 0.25], 1.0)
    assert path.tolist() == [1.0, 0.75, 0.625]


def test_bad_input_is_refused():
    with pytest.raises(TypeError, match="start must be exact: got 1e-08"):
        hitting_time(GROWTH, x, 1e-8, "1/2")
    with pytest.raises(TypeError, match=r"flow must be exact: got 0\.5\*x"):
        hitting_time(0.5 * x, x, 1, 2)
    with pytest.raises(ValueError, match="flow must lead from start to target"):
        hitting_time(GROWTH, x, "-1/2", "1/2")
    with pytest.raises(ValueError, match="flow must lead from start to target"):
        hitting_time(GROWTH, x, "1/2", "1e-8")
    with pytest.raises(ValueError, match=r"every symbol: got none for \['k'\]"):
        hitting_time(GROWTH + k, x, "1e-8", "1/2")
    with pytest.raises(ValueError, match=r"dps must lie in 1\.\.1000: got 0"):
        hitting_time(GROWTH, x, "1e-8", "1/2", dps=0)
    with pytest.raises(ValueError, match="change sign"):
        crossing(x**2, x, -1, 1)
    with pytest.raises(ValueError, match="times must rise"):
        trajectory(GROWTH, x, 0.5, [1.0, 0.5])
    with pytest.raises(ValueError, match="not negative"):
        trajectory(GROWTH, x, 0.5, [-1.0])
    with pytest.raises(ValueError, match="start must be finite"):
        trajectory(GROWTH, x, float("nan"), [1.0])
    with pytest.raises(ValueError, match="flow must stay finite"):
        mean_path(sp.exp(x), x, k, [1.0] * 9, 1.0)
    with pytest.raises(ValueError, match="start be finite"):
        mean_path(GROWTH, x, k, [0.1], float("inf"))


def test_zero_time_is_the_start():
    assert trajectory(GROWTH, x, 0.25, np.zeros(2)).tolist() == [0.25, 0.25]
    assert hitting_time(GROWTH, x, "1/2", "1/2") == 0
