"""Support, edges and atoms: exact, by proof; never a root chosen by its position."""

from __future__ import annotations

import itertools

import pytest
import sympy as sp
from hypothesis import given, settings

from numerics import edges as followed_edges
from numerics import evaluate
from theory import (
    SpectralLaw,
    discrete,
    free_poisson,
    inverse_marchenko_pastur,
    marchenko_pastur,
    projection,
    semicircle,
)
from theory.laws import branch
from theory.laws.curve import PARAMETER
from theory.laws.selection import upper_edge_rule
from theory.pooled import delta, gamma, kappa
from verify.strategies import laws, products

mp = marchenko_pastur


def digits(law: SpectralLaw, dps: int = 15) -> list[str]:
    return [str(evaluate(edge, dps=dps)) for edge in law.edges()]


def test_the_edge_equation_is_solved_once_and_with_the_right_root() -> None:
    law = mp("1/2") @ mp("1/4")
    m = sp.Symbol("m")
    assert sp.expand(law.edge_equation().lhs / 8) == m**3 / 4 + sp.Rational(7, 8) * m**2 - 1
    assert digits(law) == ["0.0559355743188758", "3.74669022267706"]


def test_decimals_are_exact_to_fifty_digits() -> None:
    upper = (mp("0.1") @ mp("0.2")).edges()[1]
    expected = "2.4881581555248885223913030618753838271145289102787"
    assert str(evaluate(upper, dps=50)) == expected


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        (mp(1) @ mp(1), (0, sp.Rational(27, 4))),
        (mp(1), (0, 4)),
        (mp("1/4"), (sp.Rational(1, 4), sp.Rational(9, 4))),
        (semicircle(), (-2, 2)),
        (projection("1/3").compress("1/3"), (0, sp.Rational(8, 9))),
        (discrete({1: 1}), ()),
    ],
)
def test_simple_edges_come_out_simple(law: SpectralLaw, expected: tuple[sp.Expr, ...]) -> None:
    assert law.edges() == expected


def test_spurious_critical_values_of_any_sign_are_left_out() -> None:
    law = discrete({1: "3/5", 10: "2/5"}) @ mp("0.05") @ mp("0.02") @ mp("0.03")
    found = [float(evaluate(edge, dps=8)) for edge in law.edges()]
    assert found == pytest.approx([0.55720187, 1.5064745, 6.5638119, 14.616280], rel=1e-7)
    slope = sp.fraction(sp.cancel(sp.diff(law.curve.z, PARAMETER)))[0]
    critical = [law.curve.z.subs(PARAMETER, u) for u in sp.Poly(slope, PARAMETER).real_roots()]
    values = sorted(float(sp.N(z)) for z in critical)
    assert any(0 < v < found[0] * 0.99 for v in values)
    assert any(v < 0 for v in values)


def chain_intervals(population: dict[int, str], ratios: list[str]) -> list[tuple[float, float]]:
    """Complement of the support for H ⊠ MP ⊠ …: images of the u at which every z_j rises."""
    u = sp.Symbol("u")
    m = sum(sp.Rational(p) * a / (u - a) for a, p in population.items())
    levels = [u]
    for c in ratios:
        levels.append(levels[-1] * (1 + sp.Rational(c) * m))
    slopes = [sp.cancel(sp.diff(z, u)) for z in levels[1:]]
    special = {sp.Integer(a) for a in population} | {sp.S.Zero}
    for f in slopes:
        special |= set(sp.Poly(sp.fraction(f)[0], u).real_roots())
    places = sorted(special, key=lambda v: float(sp.N(v)))
    numbers = [sp.N(v, 30) for v in places]
    middles = [numbers[0] - 1, *((a + b) / 2 for a, b in itertools.pairwise(numbers))]
    middles.append(numbers[-1] + 1)
    bounds = [-sp.oo, *numbers, sp.oo]
    images = []
    for k, middle in enumerate(middles):
        if all(f.subs(u, middle) > 0 for f in slopes):
            ends = [sp.limit(levels[-1], u, v) if abs(v) == sp.oo else levels[-1].subs(u, v)
                    for v in bounds[k : k + 2]]
            images.append((float(ends[0]), float(ends[1])))
    return sorted(images)


@pytest.mark.parametrize(
    ("population", "ratios"),
    [
        ({1: "3/5", 10: "2/5"}, ["1/20", "1/50", "3/100"]),
        ({1: "1/2", 10: "1/2"}, ["1/20"]),
        ({1: "1/3", 4: "1/3", 30: "1/3"}, ["1/10", "1/10"]),
    ],
)
def test_the_chain_rule_finds_the_same_support(population: dict, ratios: list[str]) -> None:
    law = discrete(population)
    for c in ratios:
        law = law @ mp(c)
    outside = chain_intervals(population, ratios)
    gaps = [(a[1], b[0]) for a, b in itertools.pairwise(outside)]
    expected = [x for low, high in gaps if high - low > 1e-9 for x in (low, high)]
    assert [float(sp.N(x, 20)) for x in law.edges()] == pytest.approx(expected, rel=1e-9)


@settings(max_examples=12, deadline=None)
@given(laws())
def test_proof_and_continuation_agree(law: SpectralLaw) -> None:
    exact = [float(evaluate(edge, dps=17)) for edge in law.edges()]
    assert list(followed_edges(law)) == pytest.approx(exact, rel=1e-14, abs=1e-300)


@settings(max_examples=12, deadline=None)
@given(products())
def test_mass_at_zero_of_products(law: SpectralLaw) -> None:
    ratios = [-1 / root for root in sp.roots(sp.Poly(sp.fraction(law.curve.z)[0], PARAMETER))]
    # z = (1 + m)Π(1 + c m)/m: its zeros are −1 and −1/c, so −1/zero is 1 or c.
    zeros = [-1 / r for r in ratios]
    assert law.mass_at_zero() == 1 - min(-z for z in zeros)


@pytest.mark.parametrize(
    ("law", "mass"),
    [
        (mp(2), "1/2"),
        (mp(2) @ mp(4), "3/4"),
        (mp("1/2") @ mp("1/4"), "0"),
        (mp(2) @ mp(2), "1/2"),
        # The atom sits at an irrational point of the curve.
        (discrete({1: "1/2", 10: "1/2"}) @ mp(20), "19/20"),
        (discrete({0: "1/3", 5: "2/3"}) @ mp("1/2"), "1/3"),
        (free_poisson(3, {1: "1/2", 3: "1/2"}), "2/3"),
        (free_poisson("1/2", {0: "3/5", 3: "2/5"}), "1/5"),
    ],
)
def test_mass_at_zero(law: SpectralLaw, mass: str) -> None:
    assert law.mass_at_zero() == sp.Rational(mass)


@pytest.mark.parametrize(
    ("law", "place", "mass"),
    [
        (semicircle() @ projection("1/2"), 0, "1/2"),
        (semicircle() @ projection("1/2") + 1, 1, "1/2"),
        ((semicircle() + 1) @ mp(2), 0, "1/2"),
        ((mp("1/2") + (-1)) @ projection("1/3"), 0, "2/3"),
        (discrete({-1: "1/2", 1: "1/2"}) @ mp(4), 0, "3/4"),
        (discrete({-1: "1/2", 1: "1/2"}) @ mp("3/2"), 0, "1/3"),
        # A double pole of G, at a critical point of z.
        (discrete({-1: "1/2", 1: "1/2"}) @ mp(4) @ mp(4), 0, "3/4"),
    ],
)
def test_atoms_inside_the_support(law: SpectralLaw, place: int, mass: str) -> None:
    # The mass of a product at 0 is the larger of its factors' masses there.
    assert branch.atoms(law.curve) == ((place, sp.Rational(mass)),)


def test_atoms_away_from_zero() -> None:
    law = projection("1/3").compress("3/4") + 2
    assert [(place, mass) for place, mass in branch.atoms(law.curve)] == [
        (2, sp.Rational(5, 9)),
        (3, sp.Rational(1, 9)),
    ]
    shifted = discrete({-1: "1/2", 3: "1/2"})
    assert branch.atoms(shifted.curve) == ((-1, sp.Rational(1, 2)), (3, sp.Rational(1, 2)))


@pytest.mark.parametrize("factors", [1, 2, 3, 4])
def test_one_positive_critical_point_for_all_ratios(factors: int) -> None:
    law = SpectralLaw.from_s_transform(sp.S.One, sp.Symbol("m"))
    for c in sp.symbols(f"c1:{factors + 1}", positive=True):
        law = law @ mp(c)
    rule = upper_edge_rule(kappa * law)
    assert rule.proved
    assert rule.signs[-1] == -1


def test_the_rule_of_signs_changes_with_the_law() -> None:
    m = sp.Symbol("m")
    # S = 1 − m/2 puts a pole of z at m = 2, S = 1 + m/2 another sign into the equation.
    with pytest.raises(ValueError, match="z finite for all m > 0"):
        upper_edge_rule(SpectralLaw.from_s_transform(1 - m / 2, m))
    with pytest.raises(ValueError, match="the sign of the coefficient gamma - 1 is open"):
        upper_edge_rule(SpectralLaw.from_s_transform(1 + m / 2, m) @ mp(gamma))
    # Three sign changes prove nothing: m z = 1 + 12m + 5m² − 5m³ + m⁴.
    quartic = 1 + 12 * m + 5 * m**2 - 5 * m**3 + m**4
    rule = upper_edge_rule(SpectralLaw.from_s_transform((1 + m) / quartic, m))
    assert (rule.sign_changes, rule.proved) == (3, False)
    with pytest.raises(ValueError, match="m as the coordinate"):
        upper_edge_rule(semicircle())


def test_a_negative_mean_has_its_upper_edge_at_a_negative_root() -> None:
    law = discrete({-1: "1/2", 0: "1/2"}) @ mp("1/4")
    rule = upper_edge_rule(law)
    assert (rule.side, rule.proved) == (-1, True)
    assert "exactly one negative root m₋; the upper edge is z(m₋)" in str(law.explain())
    m = sp.Symbol("m")
    (root,) = [r for r in sp.Poly(rule.polynomial, m).real_roots() if r.is_negative]
    assert sp.simplify(law.curve.z.subs(PARAMETER, root) - law.edges()[1]) == 0
    p = sp.Symbol("p", positive=True)
    with pytest.raises(ValueError, match="the sign of the mean"):
        upper_edge_rule(SpectralLaw.from_s_transform(1 / ((1 - p) + m), m))


@pytest.mark.parametrize("law", [projection("1/3"), discrete({1: 1})])
def test_a_curve_without_critical_points_is_explained(law: SpectralLaw) -> None:
    assert law.edge_equation().lhs == 1
    assert "1 = 0" in str(law.explain())
    assert "no positive root; the spectrum ends above in an atom" in str(law.explain())


def test_upper_edge_is_at_the_positive_root() -> None:
    law = mp("1/2") @ mp("1/4") @ mp("1/5")
    m = sp.Symbol("m")
    root = [r for r in sp.Poly(law.edge_equation().lhs, m).real_roots() if r.is_positive]
    assert len(root) == 1
    upper = law.curve.z.subs(PARAMETER, root[0])
    assert abs(evaluate(upper, dps=30) - evaluate(law.edges()[1], dps=30)) < sp.Float("1e-28")


def test_limit_of_a_vanishing_ratio() -> None:
    tiny = sp.Rational(1, 10**9)
    upper = evaluate((mp(tiny) @ mp("1/4")).edges()[1], dps=30)
    slope = (upper - sp.Rational(9, 4)) / tiny
    assert abs(slope - sp.Rational(9, 2)) < sp.Float("1e-7")
    symbolic = (mp(delta) @ mp(gamma)).curve.z.subs(delta, 0)
    assert sp.cancel(symbolic - mp(gamma).curve.z) == 0


def test_a_subnormal_ratio_is_answered() -> None:
    c = sp.Rational(1, 10**310)
    low, high = mp(c).edges()
    assert sp.expand(low + high - 2 * (1 + c)) == 0
    assert sp.expand(low * high) == (1 - c) ** 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mp(delta).edges(), "the law still has the symbols delta"),
        (lambda: mp(sp.sqrt(2)).edges(), "rational coefficients"),
        (lambda: (mp(delta) + discrete({1: "1/2", 3: "1/2"})).mass_at_zero(), "needs numbers"),
    ],
)
def test_refusals_name_their_reason(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_inverse_of_inverse() -> None:
    law = inverse_marchenko_pastur("1/2")
    assert law.inverse() == mp("1/2")
    low, high = mp("1/2").edges()
    assert [sp.radsimp(1 / x) for x in (high, low)] == [sp.radsimp(x) for x in law.edges()]
