"""Derivations of the query landscape against routes that share nothing with them."""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory import query
from theory.algebra import Answer, is_zero, normal_form
from theory.query import L, Tokens, TokenSum, b, c, d, rho, share, theta, two_classes
from theory.query.gaussian import gaussian_mean
from theory.query.gradient import mean_progress, radial_part
from theory.query.model import score
from theory.query.reduction import conditional_objective, finite_objective
from theory.query.sums import correction_of_sums, limit_of_sums

x = sp.Symbol("x", real=True)
POINTS = (
    {
        theta: sp.Rational(7, 5),
        share: sp.Rational(2, 7),
        c: sp.Rational(1, 3),
        rho: sp.Rational(-3, 5),
    },
    {theta: sp.Rational(1, 4), share: sp.Rational(1, 21), c: 2, rho: sp.Rational(5, 7)},
    {theta: 3, share: sp.Rational(4, 5), c: sp.Rational(1, 50), rho: sp.Rational(1, 9)},
)


def same(left: sp.Expr, right: sp.Expr) -> bool:
    """Equal to 30 digits at three points with nothing special: cheaper than a normal form."""
    return all(
        abs(sp.N(left.subs(at), 40) / sp.N(right.subs(at), 40) - 1) < sp.Rational(1, 10**30)
        for at in POINTS
    )


small = st.fractions(min_value=-2, max_value=2, max_denominator=4)


@given(n=st.integers(0, 4), t=small, mean=small, variance=st.sampled_from(["1/2", "1", "3/2"]))
@settings(deadline=None, max_examples=20)
def test_gaussian_mean_is_the_integral(n, t, mean, variance):
    v, mu, slope = sp.Rational(variance), sp.Rational(mean), sp.Rational(t)
    found = gaussian_mean(x**n * sp.exp(slope * x - x**2 / 3), x, mu, v)
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    at = float(mu) + math.sqrt(float(v)) * nodes
    values = at**n * np.exp(float(slope) * at - at**2 / 3)
    expected = float(weights @ values) / math.sqrt(2 * math.pi)
    assert float(found) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_gaussian_mean_refuses_what_it_cannot_do():
    with pytest.raises(ValueError, match="polynomial times exponential"):
        gaussian_mean(1 / x, x)
    with pytest.raises(ValueError, match="finite"):
        gaussian_mean(sp.exp(x**2), x)
    with pytest.raises(ValueError, match="at most quadratic"):
        gaussian_mean(sp.exp(x**3), x)


def test_the_gradient_of_a_sequence_is_the_one_averaged():
    """2b sum a_i (<x_i, f> - |f|^2) x_i is the derivative of |f|^2, from the definition."""
    q = sp.Matrix(sp.symbols("q0:2", real=True))
    tokens = [sp.Matrix([1, 2]), sp.Matrix([-1, sp.Rational(1, 2)]), sp.Matrix([0, 3])]
    weights = [sp.exp(2 * q.dot(t)) for t in tokens]
    total = sum(weights)
    f = sum((w / total * t for w, t in zip(weights, tokens, strict=True)), sp.zeros(2, 1))
    squared = f.dot(f)
    claimed = sp.zeros(2, 1)
    for w, t in zip(weights, tokens, strict=True):
        claimed += 4 * w / total * (t.dot(f) - squared) * t
    at = {q[0]: sp.Rational(1, 3), q[1]: sp.Rational(-1, 5)}
    for k in range(2):
        assert sp.N((sp.diff(squared, q[k]) - claimed[k]).subs(at), 30) == pytest.approx(
            0, abs=1e-25
        )


@pytest.mark.parametrize("alignment", [-0.7, 0.2, 1.0])
@pytest.mark.parametrize("informative", [1, 2])
def test_finite_objective_at_two_tokens_is_the_double_integral(alignment, informative):
    """L = 2, any d: E|f|^2 by quadrature over the two scores, from the definition of f."""
    dimension, strength, beta = 5, 1.3, 0.8
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    g = np.stack(np.meshgrid(nodes, nodes, indexing="ij"))
    w = np.outer(weights, weights) / (2 * math.pi)
    taus = np.array([strength, strength if informative == 2 else 0.0])[:, None, None]
    s = g + taus * alignment
    a = np.exp(beta * s) / np.exp(beta * s).sum(axis=0)
    hidden = (1 - alignment**2) * (a * taus).sum(axis=0) ** 2
    spread = (dimension - 1) * (a**2).sum(axis=0)
    direct = float((w * ((a * s).sum(axis=0) ** 2 + hidden + spread)).sum())

    reduced = finite_objective(sp.Rational(4, 5)).subs(
        {d: dimension, rho: sp.Rational(str(alignment))}
    )
    sums = sorted(reduced.atoms(TokenSum), key=str)
    assert all(item.args[2] == 0 for item in sums)
    values = [(a ** int(p) * taus ** int(r)).sum(axis=0) for p, r, _ in (i.args for i in sums)]
    integrand = sp.lambdify(sums, reduced, "numpy")(*values)
    assert float((w * integrand).sum()) == pytest.approx(direct, rel=1e-6)


@pytest.fixture(scope="module")
def model() -> Tokens:
    return two_classes(inverse_temperature=b)


def test_limit_objective_by_the_definition_of_each_part(model):
    """The law of large numbers on each component of f: E[w h]/E[w] by quadrature-free means."""
    total = model.mean(model.weight)
    mass = share * gaussian_mean(model.weight, score, theta * rho) / total
    along = model.mean(model.weight * score) / total
    squares = model.mean(model.weight**2) / total**2
    expected = along**2 + (1 - rho**2) * theta**2 * mass**2 + c * squares
    assert normal_form(query.objective(model, c) - expected) == 0


def test_limit_objective_as_published(model):
    m = share * sp.exp(b * theta * rho) / (share * sp.exp(b * theta * rho) + 1 - share)
    spread = (share * sp.exp(2 * b * theta * rho) + 1 - share) * sp.exp(b**2)
    spread /= (share * sp.exp(b * theta * rho) + 1 - share) ** 2
    claimed = b**2 + 2 * b * theta * rho * m + theta**2 * m**2 + c * spread
    assert normal_form(query.objective(model, c) - claimed) == 0
    assert is_zero(query.objective(model, c) - claimed - c).answer is Answer.NO


def test_both_forms_of_the_finite_objective_have_one_limit_and_one_correction():
    plain = two_classes()
    before, after = conditional_objective(), finite_objective(1)
    for ratio in (0, c):
        assert normal_form(limit_of_sums(before - after, plain, ratio)) == 0
        assert correction_of_sums(before - after, plain, ratio) == 0


def test_the_correction_is_seen_at_finite_sizes():
    """E|f|^2 at L = 200 by simulation of scores: 4 standard errors, false alarm below 1.3e-4."""
    rng = np.random.default_rng(5)
    point = {theta: 1, share: sp.Rational(1, 4), rho: sp.Rational(1, 2), d: 3}
    limit = float(query.objective(two_classes()).subs(point))
    first = float(query.objective_correction(two_classes()).subs(point))
    tokens, runs = 200, 100_000
    total = np.zeros(runs)
    for part in np.array_split(np.arange(runs), 40):
        s = rng.standard_normal((len(part), tokens))
        s[:, : tokens // 4] += 0.5
        a = np.exp(s)
        a /= a.sum(axis=1, keepdims=True)
        mass = a[:, : tokens // 4].sum(axis=1)
        total[part] = (a * s).sum(axis=1) ** 2 + 0.75 * mass**2 + 2 * (a**2).sum(axis=1)
    seen, error = (total.mean() - limit) * tokens, total.std() / math.sqrt(runs) * tokens
    second_order = 30 * abs(first) / tokens
    assert abs(seen - first) < 4 * error + second_order
    assert abs(seen) > 4 * error + second_order  # without the correction it would be refuted


def test_drift_is_the_mean_of_the_stochastic_gradient(model):
    """Pairing of Gaussian factors against differentiation of the objective."""
    assert normal_form(query.limit_progress(model, c) - query.drift(query.objective(model, c))) == 0
    radial = query.limit_radial(model, c) - b * sp.diff(query.objective(model, c), b)
    assert normal_form(radial) == 0


def test_derivations_hold_for_a_model_they_were_not_written_for():
    """Three classes, one of them pointing away from xi."""
    third = sp.Rational(1, 3)
    odd = Tokens(((third, theta), (third, -theta / 2), (third, 0)), 1)
    drift = (1 - rho**2) * sp.diff(limit_of_sums(conditional_objective(), odd, c), rho)
    progress = limit_of_sums(mean_progress(1), odd, c)
    assert same(progress, drift)
    assert not same(drift, query.drift(query.objective(two_classes(third), c)))


def test_exact_gradient_and_objective_at_uniform_weights():
    """With b -> 0 the weights are 1/L: no gradient is left."""
    assert mean_progress(0) == 0
    assert radial_part(0) == 0


def test_dense_limit_solves_its_own_flow():
    flow = query.drift(query.objective(two_classes(1, inverse_temperature=b)))
    assert normal_form(flow - 2 * b * theta * (1 - rho**2)) == 0
    solution = query.solve_flow(flow)
    closed = sp.tanh(2 * b * theta * query.time + sp.atanh(query.start))
    assert is_zero((solution - closed).rewrite(sp.exp).rewrite(sp.log)).answer is Answer.YES
    assert normal_form(sp.diff(solution, query.time) - flow.subs(rho, solution)) == 0


def test_rates_at_both_poles():
    landscape = query.objective(two_classes())
    slope = sp.diff(landscape, rho)
    assert normal_form(query.rate_at(landscape, 1) - 2 * slope.subs(rho, 1)) == 0
    trap = {theta: 2, share: sp.Rational(1, 21)}
    assert query.rate_at(landscape, 1).subs(trap) > 0
    assert query.rate_at(landscape, -1).subs(trap) > 0  # -xi attracts
    assert query.rate_at(landscape, -1).subs({theta: 1, share: sp.Rational(1, 21)}) < 0


def test_noise_trace_as_published():
    """The closed form, with its Gaussian moments taken term by term at rho = 1."""
    plain, (growth, output, spread) = two_classes(), sp.symbols("D F K", positive=True)
    tilted = sp.exp(score - sp.Rational(1, 2)) / growth
    push = output * (score - output) - spread + c * tilted
    claimed = 4 * c * plain.mean(sp.expand(tilted**2 * ((1 + push) ** 2 + spread)))
    claimed = claimed.subs(spread, c * plain.mean(tilted**2))
    mass = share * sp.exp(theta) / growth
    claimed = claimed.subs(output, 1 + theta * mass)
    claimed = claimed.subs(growth, share * sp.exp(theta) + 1 - share).subs(rho, 1)
    trace = query.noise_trace(plain, c).subs(rho, 1)
    assert same(trace, claimed)
    assert not same(trace, claimed * (1 + c / 1000))


def test_noise_trace_by_the_conditional_law():
    """The law given the output (as the step exact in law uses it), in the dense limit."""
    plain = two_classes(1)
    tilted = sp.exp(score - sp.Rational(1, 2) - theta * rho)

    def mean(expr: sp.Expr) -> sp.Expr:
        return plain.mean(sp.expand(expr)).subs(rho, 1)

    output, squares = 1 + theta, mean(tilted.subs(rho, 1) ** 2)
    a = tilted.subs(rho, 1)
    spread = c * squares
    push = output * (score - output) - spread + c * a
    overlap = mean(a**2 * push)
    across = c * (mean(a**2 * (push**2 + spread)) - overlap**2 / squares)
    along = spread * (overlap / squares + 1) ** 2
    assert same(query.noise_trace(plain, c).subs(rho, 1), 4 * (across + along))


def test_shares_and_temperatures_are_checked():
    with pytest.raises(ValueError, match="sum to 1"):
        Tokens(((sp.Rational(1, 2), theta),), 1)
    with pytest.raises(TypeError, match="exact"):
        two_classes(0.5)
    with pytest.raises(ValueError, match="positive"):
        two_classes(inverse_temperature=0)
    with pytest.raises(ValueError, match="ratio"):
        query.objective(two_classes(), -1)
    with pytest.raises(ValueError, match="limit as L grows"):
        limit_of_sums(L * TokenSum(1, 1, 0), two_classes())


def test_the_session_in_prose_runs():
    failed, tried = doctest.testfile("../docs/query.md", optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0
    assert tried > 10
