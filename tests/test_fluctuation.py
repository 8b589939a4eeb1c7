"""The fluctuation of the top eigenvalue: its scale for any law, its symmetry, its constants."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import density
from numerics.precise import evaluate
from numerics.simulate.products import GaussianProduct
from numerics.simulate.spiked import SpikedMatrix
from numerics.tracy_widom import distribution, moments
from theory import discrete, free_poisson, marchenko_pastur, semicircle
from theory.algebra import Answer, is_zero
from theory.laws.curve import PARAMETER
from theory.laws.fluctuation import (
    SizedLaw,
    edge_cube,
    edge_cube_by_polynomial,
    equal_at_edges,
    half_shifted,
    in_counts,
    mean_shift,
    q,
    symmetric_in_counts,
    top_mean,
)
from theory.laws.law import SpectralLaw
from verify.claim import Kind
from verify.claims.edges import CLAIMS
from verify.experiments.edges import NULL, null

LAWS = {
    "semicircle": semicircle(),
    "MP": marchenko_pastur("1/2"),
    "MP ⊠ MP": marchenko_pastur("1/2") @ marchenko_pastur("1/4"),
    "compound": free_poisson("1/2", {1: "1/3", 4: "2/3"}),
    "two atoms ⊠ MP": discrete({1: "1/2", 3: "1/2"}) @ marchenko_pastur("1/5"),
}
ratios = st.fractions(min_value=Fraction(1, 10), max_value=Fraction(10), max_denominator=10)


def _scale(law: SpectralLaw) -> float:
    """σ at the upper edge, from the critical point that has this value."""
    roots = sp.Poly(law.edge_equation(PARAMETER).lhs, PARAMETER).real_roots()
    top = evaluate(law.edges()[-1], dps=30)
    (at,) = (
        r for r in roots
        if abs(evaluate(law.curve.z.subs(PARAMETER, r), dps=30) - top) < 1e-20
    )  # fmt: skip
    return float(evaluate(edge_cube(law).subs(PARAMETER, at), dps=30)) ** (1 / 3)


def golden_scale(ratios: tuple[str, ...], dps: int) -> mpmath.mpf:
    """The generator of the values below: σ of a product of MP laws, by numbers alone.

    m₊ by bisection of Σ c/(1 + cm) + 1/(1 + m) = 1/m, then σ³ = z²z″/2 with z″ = z·(log z)″.
    """
    with mpmath.workdps(dps + 10):
        c = [mpmath.mpf(1), *(mpmath.mpf(Fraction(r).numerator) / Fraction(r).denominator
                              for r in ratios)]  # fmt: skip
        low, high = mpmath.mpf(10) ** -6, mpmath.mpf(10) ** 6
        for _ in range(4 * dps + 60):
            m = (low + high) / 2
            low, high = (m, high) if sum(x / (1 + x * m) for x in c) < 1 / m else (low, m)
        z = mpmath.fprod(1 + x * m for x in c) / m
        bend = 1 / m**2 - sum((x / (1 + x * m)) ** 2 for x in c)
        return +mpmath.cbrt(z**3 * bend / 2)


GOLDEN = {
    ("1/2",): "1.4426664057797319505",
    ("1/2", "1/4"): "2.631235911130621974",
    ("1/2", "1/4", "1/3"): "4.3042827313879261886",
}


@pytest.mark.parametrize("ratios", GOLDEN, ids="-".join)
def test_golden_scales(ratios: tuple[str, ...]) -> None:
    law = marchenko_pastur(ratios[0])
    for ratio in ratios[1:]:
        law = law @ marchenko_pastur(ratio)
    assert mpmath.nstr(golden_scale(ratios, 25), 20) == GOLDEN[ratios]
    assert _scale(law) == pytest.approx(float(GOLDEN[ratios]), rel=1e-14)


@pytest.mark.parametrize("name", LAWS)
def test_two_routes_to_the_scale_agree_at_edges_only(name: str) -> None:
    law = LAWS[name]
    curve, polynomial = edge_cube(law), edge_cube_by_polynomial(law)
    assert equal_at_edges(curve, polynomial, law) is Answer.YES
    assert equal_at_edges(2 * curve, polynomial, law) is Answer.NO


@pytest.mark.parametrize("name", LAWS)
def test_the_density_vanishes_like_a_root_of_that_scale(name: str) -> None:
    law = LAWS[name]
    edge, scale = float(evaluate(law.edges()[-1], dps=20)), _scale(law)
    step = 1e-6 * scale
    expected = np.sqrt(step) / (np.pi * scale**1.5)
    assert float(density(law, edge - step)) == pytest.approx(expected, rel=1e-4)


def test_the_scale_of_marchenko_pastur_is_johnstones() -> None:
    # σ = (1 + √c)(1 + 1/√c)^{1/3} c^{2/3}, here with c = r² (Johnstone 2001).
    r = sp.Symbol("r", positive=True)
    cube = edge_cube(marchenko_pastur(r**2)).subs(PARAMETER, 1 / r)
    assert sp.factor(cube - (1 + r) ** 3 * (1 + 1 / r) * r**4) == 0


@settings(max_examples=10, deadline=None)
@given(c=ratios, e=ratios, factor=ratios)
def test_dilation_dilates_the_scale(c: Fraction, e: Fraction, factor: Fraction) -> None:
    law = marchenko_pastur(str(c)) @ marchenko_pastur(str(e))
    by = sp.Rational(factor.numerator, factor.denominator)
    assert sp.factor(edge_cube(by * law) - by**3 * edge_cube(law)) == 0
    # A shift moves the edge and leaves the scale.
    assert sp.factor(edge_cube(law + by) - edge_cube(law)) == 0


def _sized(count: int) -> SizedLaw:
    d = sp.Symbol("d", positive=True)
    ratio, sizes = sp.symbols(f"c1:{count + 1}", positive=True), sp.symbols(
        f"n1:{count + 1}", positive=True
    )
    law = marchenko_pastur(ratio[0])
    for c in ratio[1:]:
        law = law @ marchenko_pastur(c)
    return SizedLaw(law, d, tuple(zip(ratio, sizes, strict=True)))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_all_dimensions_play_one_part(count: int) -> None:
    model = _sized(count)
    assert [finding.answer for finding in symmetric_in_counts(model)] == [Answer.YES]
    with pytest.raises(ValueError, match="m as the coordinate"):
        in_counts(replace(model, law=semicircle()))


def test_a_law_of_other_factors_is_not_symmetric() -> None:
    model = _sized(2)
    (c1, _), _ = model.counts
    bent = replace(model, law=model.law.subs({c1: 2 * c1}))
    assert [finding.answer for finding in symmetric_in_counts(bent)] == [Answer.NO]
    assert half_shifted(bent) != half_shifted(model)


def test_one_factor_has_mas_centre_and_scale() -> None:
    # (√(d−½) + √(n−½))², and times (1/√(d−½) + 1/√(n−½))^{1/3} (Ma 2012); d, n = ½ + squares.
    model = _sized(1)
    ((_, n),) = model.counts
    a, b = sp.symbols("a b", positive=True)
    y = half_shifted(model).subs({model.dimension: a**2 + sp.Rational(1, 2),
                                  n: b**2 + sp.Rational(1, 2)})  # fmt: skip
    assert sp.factor(sp.diff(y, q).subs(q, a * b)) == 0
    assert sp.factor(y.subs(q, a * b) - (a + b) ** 2) == 0
    cube = (y**2 * sp.diff(y, q, 2) / 2).subs(q, a * b)
    assert is_zero(cube - (a + b) ** 3 * (1 / a + 1 / b)).answer is Answer.YES


def test_the_shift_by_a_half_is_a_tenth_of_the_distance_at_200() -> None:
    at = null.experiments[0].bindings_at
    seen = {}
    for size in (200, 400):
        bindings = at(size)
        plain, shifted = (
            top_mean(NULL)(f(NULL), bindings) for f in (in_counts, half_shifted)
        )
        unit = mean_shift(NULL)(in_counts(NULL), bindings)
        missing = evaluate((plain - shifted) / unit, dps=15)
        seen[size] = [float(evaluate(value, dps=15)) for value in (plain, shifted)]
        seen[size].append(float(missing))
    # The leading order, edge and Tracy–Widom mean alone: right to 0.3 % of λ_max at d = 200.
    assert seen[200][0] == pytest.approx(3.6539, abs=1e-4)
    assert seen[400][0] == pytest.approx(3.6882, abs=1e-4)
    assert seen[200][1] == pytest.approx(3.6441, abs=1e-4)
    assert 0.09 < seen[200][2] < 0.12
    # Like d^(−1/3).
    assert seen[200][2] / seen[400][2] == pytest.approx(2 ** (1 / 3), rel=0.02)


def test_tracy_widom_constants_are_the_published_ones() -> None:
    # Bornemann (2010), table of moments, β = 1.
    found = moments()
    assert found.mean == pytest.approx(-1.2065335745820, abs=2e-13)
    assert found.variance == pytest.approx(1.607781034581, abs=2e-12)
    finer = moments(48, 80)
    assert found.mean == pytest.approx(finer.mean, abs=1e-13)


def test_tracy_widom_distribution() -> None:
    values = [distribution(s) for s in (-9.0, -3.0, -1.0, 0.0, 2.0, 8.0)]
    assert values == sorted(values)
    assert values[0] < 1e-12
    assert values[-1] == pytest.approx(1, abs=1e-7)
    # P(TW₁ > 0), the limit of P(λ₁ > edge): 0.1681.
    assert 1 - distribution(0.0) == pytest.approx(0.1681, abs=1e-4)


@pytest.mark.parametrize("columns", [(Fraction(2),), (Fraction(2), Fraction(4))])
def test_triangular_factors_have_the_law_of_the_whole_product(columns) -> None:
    size, count = 16, 400
    short = [GaussianProduct(columns).draw(size, np.random.default_rng([1, i]))
             for i in range(count)]  # fmt: skip
    whole = SpikedMatrix("multiplicative", columns, Fraction(0))
    plain = [whole.draw(size, np.random.default_rng([2, i]))["largest"] for i in range(4 * count)]
    # Six standard errors of the difference, of the mean and of the variance: false alarm 4e-9.
    for seen, other in (
        ([row["largest"] for row in short], np.array(plain)),
        ([row["variance"] for row in short], (np.array(plain) - np.mean(plain)) ** 2),
    ):
        error = np.hypot(np.std(seen) / np.sqrt(len(seen)), np.std(other) / np.sqrt(len(other)))
        assert abs(np.mean(seen) - np.mean(other)) < 6 * error


def test_three_factors_are_drawn_too() -> None:
    row = GaussianProduct((Fraction(2), Fraction(2), Fraction(3)), draws=40).draw(
        30, np.random.default_rng(3)
    )
    assert row["moment 1"] == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((),), "columns must name factors"),
        (((Fraction(1, 2),),), "columns must name factors"),
        (((Fraction(2),), 1), "draws must be at least 2: got 1"),
    ],
)
def test_wrong_input_is_refused(arguments, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GaussianProduct(*arguments)


def test_a_unit_is_for_claims_about_every_size() -> None:
    claim = CLAIMS[0]
    assert claim.kind is Kind.FLUCTUATION
    with pytest.raises(ValueError, match="unit is for a claim at_sizes"):
        replace(claim, at_sizes=False)


def test_a_curve_without_minimum_predicts_nothing() -> None:
    bindings = null.experiments[0].bindings_at(64)
    assert top_mean(NULL)(q, bindings) is sp.nan
