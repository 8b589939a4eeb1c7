"""Spikes of any law: the mechanism against matrices it was not written for."""

import numpy as np
import pytest
import sympy as sp

from numerics.precise import evaluate
from theory import discrete, free_poisson, marchenko_pastur, semicircle
from theory.algebra import Answer, is_zero
from theory.laws.spikes import Spike, additive, multiplicative, rectangular
from theory.pooled import delta, gamma

x = sp.Symbol("x", positive=True)


def _slope(spike: Spike, along: sp.Expr) -> sp.Expr:
    u = spike.parameter
    return sp.diff(along, u) / sp.diff(spike.strength, u)


LAWS = {
    "semicircle": semicircle(),
    "MP": marchenko_pastur(delta),
    "MP ⊠ MP": marchenko_pastur(delta) @ marchenko_pastur(gamma),
    "two atoms": discrete({1: "1/2", 3: "1/2"}),
    "compound": free_poisson(delta, {1: "1/3", 2: "2/3"}),
}


@pytest.mark.parametrize("name", LAWS)
def test_additive_overlap_is_the_slope_of_the_location(name: str) -> None:
    # The residue of the resolvent, against first-order perturbation theory: dλ/dθ.
    spike = additive(LAWS[name])
    assert is_zero(spike.overlap - _slope(spike, spike.location)).answer is Answer.YES


@pytest.mark.parametrize("name", [name for name in LAWS if name != "semicircle"])
def test_multiplicative_overlap_is_a_logarithmic_slope(name: str) -> None:
    spike = multiplicative(LAWS[name])
    expected = (1 + spike.strength) * _slope(spike, spike.location) / spike.location
    assert is_zero(spike.overlap - expected).answer is Answer.YES


def test_known_special_cases() -> None:
    # Johnstone's model, and the limit δ → 0 of the two-factor law.
    johnstone = multiplicative(marchenko_pastur(gamma)).at(x)
    assert sp.factor(johnstone.overlap - (1 - gamma / x**2) / (1 + gamma / x)) == 0
    two = rectangular(marchenko_pastur(delta) @ marchenko_pastur(gamma), gamma).at(x + delta)
    one = rectangular(marchenko_pastur(gamma), gamma).at(x)
    assert sp.factor(two.location.subs(delta, 0) - one.location) == 0
    # θ = 3 above MP_½ ⊠ MP_¼, the strength multiplicative.
    law = marchenko_pastur("1/2") @ marchenko_pastur("1/4")
    seen = multiplicative(law).at(3)
    assert (seen.location, seen.overlap) == (sp.Rational(91, 18), sp.Rational(193, 273))


def test_threshold_is_where_the_outlier_meets_the_edge() -> None:
    law = marchenko_pastur("1/2") @ marchenko_pastur("1/4")
    spike = rectangular(law, sp.Rational(1, 4))
    top = law.edges()[-1]
    roots = sp.Poly(spike.threshold(), spike.parameter).real_roots()
    at_roots = [evaluate(spike.location.subs(spike.parameter, root), dps=30) for root in roots]
    assert min(abs(value - evaluate(top, dps=30)) for value in at_roots) < sp.Float("1e-28")


def test_an_additive_spike_on_a_compound_law_is_where_it_is_predicted() -> None:
    # A = ZDZᵀ/V + θuuᵀ with two kinds of columns, none of it known to the mechanism.
    law = free_poisson("1/2", {1: "1/3", 4: "2/3"})
    spike = additive(law)
    u = sp.Rational(1, 12)
    theta, location, overlap = (
        float(f.subs(spike.parameter, u)) for f in (spike.strength, spike.location, spike.overlap)
    )
    rng = np.random.default_rng(11)
    n, V = 300, 600
    D = np.repeat([1.0, 4.0], [V // 3, 2 * V // 3])
    found = []
    for _ in range(40):
        Z = rng.standard_normal((n, V))
        A = (Z * D) @ Z.T / V
        A[0, 0] += theta
        values, vectors = np.linalg.eigh(A)
        found.append((values[-1], vectors[0, -1] ** 2))
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(40)
    # Six standard errors and a bias of a few parts in n: false alarm below 1e-8.
    assert abs(mean[0] - location) < 6 * error[0] + 4 * location / n
    assert abs(mean[1] - overlap) < 6 * error[1] + 4 / n


def test_a_strength_with_several_points_is_refused() -> None:
    with pytest.raises(ValueError, match="several points"):
        additive(discrete({0: "1/2", 1: "1/2"})).at(3)
