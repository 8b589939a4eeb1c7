"""The monotone region, the trap and the attention around it."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.special import betainc

from theory import query
from theory.algebra import Answer, normal_form
from theory.query import Tokens, b, c, rho, share, theta, two_classes
from theory.query.monotone import bracket_at_worst, odds, positive_by_factors

GRID = np.linspace(-1, 1, 4001)


def slope(strength: float, informative: float, ratio: float) -> np.ndarray:
    derivative = sp.diff(query.objective(two_classes(), c), rho)
    return sp.lambdify((rho, theta, share, c), derivative, "numpy")(
        GRID, strength, informative, ratio
    )


@pytest.mark.parametrize(
    ("strength", "published"), [("1.1", 0.1223), ("1.5", 0.4341), ("2", 0.6356), ("3", 0.8297)]
)
def test_critical_share_as_published(strength, published):
    value = float(query.critical_share(0, 1).subs(theta, sp.Rational(strength)))
    assert value == pytest.approx(published, abs=6e-5)


def test_critical_share_is_the_published_root():
    """m_c e^(b theta)/(m_c e^(b theta) + 1 - m_c), m_c a root of a quadratic in the mass."""
    point = {theta: sp.Rational(7, 5), b: sp.Rational(6, 5)}
    lower = (b + theta - sp.sqrt((b - theta) ** 2 + 4)) / (2 * theta)
    claimed = lower * sp.exp(b * theta) / (lower * sp.exp(b * theta) + 1 - lower)
    gap = sp.N((query.critical_share(0, b) - claimed).subs(point), 40)
    assert abs(gap) < sp.Rational(1, 10**35)


@pytest.mark.parametrize("ratio", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("strength", [0.3, 0.9, 1.4, 2.5])
def test_region_is_where_the_slope_is_positive(strength, ratio):
    """The exact threshold against the sign of J' on a grid, just above and just below it."""
    exact = {theta: sp.Rational(str(strength))}
    threshold = sp.N(query.critical_share(sp.Rational(str(ratio)), 1).subs(exact))
    threshold = float(threshold) if threshold.is_real else -1.0
    limit = float(query.critical_strength(sp.Rational(str(ratio)), 1))
    assert (threshold > 0) == (strength > limit)
    if threshold > 0:
        assert (slope(strength, threshold + 1e-3, ratio) > 0).all()
        below = slope(strength, threshold - 1e-3, ratio)
        assert below[0] < 0
        assert np.count_nonzero(np.diff(np.sign(below))) == 1
    else:
        assert (slope(strength, 1e-6, ratio) > 0).all()


@pytest.mark.parametrize(
    ("ratio", "published"), [("0", 1.0), ("1/20", 0.918), ("1/4", 0.669), ("1", 0.299)]
)
def test_critical_strength_as_published(ratio, published):
    value = query.critical_strength(ratio, 1)
    assert float(value) == pytest.approx(published, abs=1e-3)
    size = sp.Rational(ratio)
    assert sp.N(1 - value - size * sp.E * (1 - sp.exp(-value)), 30) == pytest.approx(0, abs=1e-25)


def test_every_step_of_the_proof_is_proved():
    assert {step.answer for step in query.monotone_proof()} == {Answer.YES}


@pytest.mark.parametrize(
    "edit",
    [
        lambda J: J.subs(c, -c),
        lambda J: J - 2 * theta**2 * share**2,
        pytest.param(lambda J: J + c * rho**2, marks=pytest.mark.slow),
        pytest.param(lambda J: J - 4 * b * theta * rho * share, marks=pytest.mark.slow),
    ],
)
def test_the_proof_notices_another_landscape(edit):
    landscape = query.objective(two_classes(inverse_temperature=b), c)
    edited = edit(landscape)
    if normal_form(sp.diff(edited - landscape, rho)) == 0:  # a constant changes no slope
        assert {step.answer for step in query.monotone_proof(edited)} == {Answer.YES}
    else:
        assert {step.answer for step in query.monotone_proof(edited)} != {Answer.YES}


def test_positive_by_factors_can_say_all_three():
    x, y = sp.symbols("x y", positive=True)
    assert positive_by_factors(x * y / (x + y)) is Answer.YES
    assert positive_by_factors(x - y) is Answer.NO
    assert positive_by_factors(x**2 - x * y + y**2) is Answer.UNKNOWN
    assert positive_by_factors(sp.Integer(-1)) is Answer.NO


def test_worst_bracket_at_a_sparse_signal():
    sparse = bracket_at_worst(c, b).subs(odds, 0)
    claimed = 1 - b * theta - c * sp.exp(b**2) * (1 - sp.exp(-b * theta))
    assert normal_form(sparse - claimed) == 0


@pytest.mark.parametrize("dimension", [2, 3, 4, 5, 6, 9])
def test_trap_probability_is_an_incomplete_beta(dimension):
    edge = sp.Rational(-54174, 100000)
    expected = 0.5 * betainc((dimension - 1) / 2, 0.5, 1 - float(edge) ** 2)
    symbolic = query.trap_probability().subs({query.d: dimension, query.boundary: edge})
    assert float(query.trap_probability(edge, dimension)) == pytest.approx(expected, rel=1e-12)
    assert float(sp.N(symbolic)) == pytest.approx(expected, rel=1e-12)


def test_coordinate_density_is_a_density():
    for dimension in (2, 3, 5, 6):
        density = sp.lambdify(
            sp.Symbol("a"),
            query.coordinate_density(dimension).subs(rho, sp.sin(sp.Symbol("a")))
            * sp.cos(sp.Symbol("a")),
            "numpy",
        )
        nodes, weights = np.polynomial.legendre.leggauss(60)
        values = np.broadcast_to(density(nodes * np.pi / 2), nodes.shape)
        assert float(weights @ values) * np.pi / 2 == pytest.approx(1, rel=1e-10)
    with pytest.raises(ValueError, match="at least 2"):
        query.coordinate_density(1)
    with pytest.raises(ValueError, match="lie in"):
        query.trap_probability("1/2", 3)


def test_filtering_odds_and_its_failure_at_the_antipode():
    R, L = query.R, query.L
    claimed = R * sp.exp(b * theta * rho) / (L - R)
    assert normal_form(query.attention_odds() - claimed) == 0
    gain = query.filtering_gain(1)
    point = {theta: 1, share: sp.Rational(1, 21)}
    assert gain.subs(point).subs(rho, 1) > 0
    assert gain.subs(point).subs(rho, -1) < 0
    noise = query.noise_mass(two_classes()).subs(rho, 1)
    published = (1 - share) / (share * sp.exp(theta) + 1 - share)
    assert normal_form(noise - published) == 0
    weights = share * query.mean_weight(two_classes(), 0)
    weights += (1 - share) * query.mean_weight(two_classes(), 1)
    assert normal_form(weights - 1) == 0


THIRD = sp.Rational(1, 3)


@pytest.mark.parametrize(
    ("strengths", "informative"),
    [((2, 1, 0), (0, 1)), ((0, 2, 1), (1, 2)), ((2, -1, 3), (0, 1, 2)), ((0, 0, 0), (0,)),
     ((theta, -theta, 0), (0, 1)), ((2, -2, 1), (0, 1, 2))],
)  # fmt: skip
def test_masses_count_classes_and_not_strengths(strengths, informative):
    """The weights e^(tau rho) of the classes with signal over those of all."""
    model = Tokens(tuple((THIRD, power) for power in strengths), 1)
    tilts = [sp.exp(sp.sympify(power) * rho) for power in strengths]
    expected = sum(tilts[k] for k in informative) / sum(tilts)
    assert normal_form(query.informative_mass(model) - expected) == 0
    assert normal_form(query.informative_mass(model) + query.noise_mass(model) - 1) == 0
    weights = [query.mean_weight(model, k) for k in informative]
    assert normal_form(sum(weights) / 3 - expected) == 0


def test_masses_at_strength_zero_are_the_shares():
    flat = two_classes(THIRD, 0)
    assert query.informative_mass(flat) == THIRD
    assert query.noise_mass(flat) == 2 * THIRD
    assert query.noise_mass(two_classes(1, 0)) == 0
    # The model of the source keeps its formula, and with it the claims made of it.
    tilt = share * sp.exp(rho * theta)
    assert query.informative_mass(two_classes()) == tilt / (tilt - share + 1)


def test_misalignment_by_iterating_the_spread():
    """The closed constants against the recursion run for many steps."""
    pull, noise = 0.3, 0.7
    point = {query.climb: pull, query.trace: noise}
    v = 1.0
    for _ in range(5_000):
        v = (1 - 0.1 * pull) ** 2 * v + 0.1**2 * noise
    stationary = query.constant_misalignment().subs(point).subs(query.eta, 0.1)
    assert float(stationary) == pytest.approx(v / 2, rel=1e-9)
    for exponent, first, count in (("1", 4.0, 400_000), ("3/5", 1.0, 400_000)):
        power, v = float(sp.Rational(exponent)), 1.0
        for k in range(10, count):
            step = first * k**-power
            v = (1 - step * pull) ** 2 * v + step**2 * noise
        constant = query.decaying_misalignment(exponent).subs(point)
        constant = constant.subs(sp.Symbol("c0_q", positive=True), first)
        assert v / 2 / (first * count**-power) == pytest.approx(float(constant), rel=0.02)
