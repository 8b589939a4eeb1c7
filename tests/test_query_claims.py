"""What the claims on queries rest on: exact means, routes that follow their premise, notes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest
import sympy as sp

from numerics.simulate.query_runs import Ascents, Outputs, QueryFamily, Refined, Same
from numerics.simulate.steps import StepSizes
from numerics.softmax import TokenClass, mean_of_products
from theory.algebra import Answer, Undetermined
from theory.query import b, c, rho, share, start, theta, time
from theory.query import landscape_statements as ends
from theory.query import statements as say
from theory.query import step_statements as steps
from theory.query.statements import QueryPremise
from verify import flows, registry
from verify.evidence import neighbours

HALF = sp.Rational(1, 2)


def test_exact_means_of_softmax_sums_against_sampling() -> None:
    # 200,000 draws; at 5.5 standard errors a false alarm has probability 4e-8 a comparison.
    rng = np.random.default_rng(5)
    scores = rng.standard_normal((200_000, 5))
    scores[:, :2] += 0.7
    weights = np.exp(1.3 * scores)
    weights /= weights.sum(axis=1, keepdims=True)
    tokens = [TokenClass(2, 0.7), TokenClass(3, 0.0)]
    only = [TokenClass(2, 0.7, 2.0), TokenClass(3, 0.0, 0.0)]
    seen = {
        ((1, 1), (1, 1)): ((weights * scores).sum(axis=1) ** 2, tokens),
        ((2, 0),): ((weights**2).sum(axis=1), tokens),
        ((1, 0), (2, 0)): (
            2 * weights[:, :2].sum(axis=1) * 2 * (weights[:, :2] ** 2).sum(axis=1), only,
        ),
    }  # fmt: skip
    for sums, (values, classes) in seen.items():
        error = values.std() / np.sqrt(len(values))
        assert abs(mean_of_products(classes, 1.3, list(sums)) - values.mean()) < 5.5 * error


@pytest.mark.parametrize("temperature", [1e-6, 1.0, 2.0])
@pytest.mark.parametrize(
    "classes",
    [((2, 20),), ((2, 30),), ((2, -20),), ((2, -1e6),), ((5, 24), (100, 0)), ((1, 10), (10**9, 0)),
     ((1, -1e6), (10**6, 3)), ((10**15, 0),), ((0, 9), (3, -7))],
)  # fmt: skip
def test_weights_sum_to_one_wherever_the_scores_lie(classes, temperature) -> None:
    tokens = [TokenClass(count, float(mean)) for count, mean in classes]
    assert mean_of_products(tokens, temperature, [(1, 0)]) == pytest.approx(1, abs=1e-12)
    assert mean_of_products(tokens, temperature, [(1, 0)] * 2) == pytest.approx(1, abs=1e-12)


def test_exact_means_do_not_see_a_shift_of_all_scores() -> None:
    """Σ a s moves by the shift, and Σ a² not at all."""
    here, there = ([TokenClass(2, 0.7 + by), TokenClass(3, by)] for by in (0.0, 40.0))
    for squares in ([(2, 0)], [(3, 0), (2, 0)]):
        moved = mean_of_products(there, 1.3, squares)
        assert moved == pytest.approx(mean_of_products(here, 1.3, squares), rel=1e-12)
    moved = mean_of_products(there, 1.3, [(1, 1)])
    assert moved - 40 == pytest.approx(mean_of_products(here, 1.3, [(1, 1)]), abs=1e-11)


def test_a_single_token_has_weight_one_at_any_power() -> None:
    """The moments of a standard Gaussian, (e − 1)!!."""
    one = [TokenClass(1, 0.0)]
    for p, e, moment in ((20, 0, 1), (1, 20, 654729075), (9, 3, 0), (20, 4, 3)):
        assert mean_of_products(one, 2.0, [(p, e)]) == pytest.approx(moment, rel=1e-11, abs=1e-11)
    assert mean_of_products(one, 2.0, [(20, 2), (20, 2)]) == pytest.approx(3, rel=1e-11)


def test_tokens_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="count must not be negative: got -1"):
        TokenClass(-1, 0.0)
    with pytest.raises(TypeError, match=r"count must be an integer: got 2\.5"):
        TokenClass(2.5, 0.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"mean must lie in -1e\+06\.\.1e\+06: got nan"):
        TokenClass(2, float("nan"))
    with pytest.raises(ValueError, match="factor must be finite: got inf"):
        TokenClass(2, 0.0, float("inf"))
    with pytest.raises(ValueError, match="classes must hold at least one token: got none"):
        mean_of_products([TokenClass(0, 0.0)], 1.0, [(1, 0)])
    for pair, words in (((0, 1), r"p must be an integer in 1\.\.20: got 0"),
                        ((1, -1), r"e must be an integer in 0\.\.20: got -1"),
                        ((1.5, 0), r"p must be an integer in 1\.\.20: got 1\.5")):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            mean_of_products([TokenClass(2, 0.0)], 1.0, [pair])  # type: ignore[list-item]


def test_exact_means_refuse_what_they_do_not_cover() -> None:
    with pytest.raises(ValueError, match=r"inverse_temperature must lie in \(0, 2\]: got nan"):
        mean_of_products([TokenClass(2, 0.0)], float("nan"), [(1, 0)])
    with pytest.raises(ValueError, match="sums must be one or two: got 3"):
        mean_of_products([TokenClass(2, 0.0)], 1.0, [(1, 0)] * 3)
    with pytest.raises(ValueError, match=r"inverse_temperature must lie in \(0, 2\]: got 3"):
        mean_of_products([TokenClass(2, 0.0)], 3.0, [(1, 0)])


@pytest.mark.parametrize(
    ("part", "ratio", "answer", "end"),
    [("1/21", 0, Answer.NO, -1), ("4/5", 0, Answer.YES, 1), ("4/5", 1, Answer.NO, -1),
     ("16/25", 0, Answer.YES, 1), ("63/100", 0, Answer.NO, -1)],
)  # fmt: skip
def test_monotone_follows_the_premise(part, ratio, answer, end) -> None:
    """π_c(2) = 0.6356 lies between the last two."""
    premise = QueryPremise(sp.Rational(part), sp.Integer(2), ratio, sp.Integer(1))
    (finding,) = ends.monotone_here(premise)
    assert finding.answer is answer
    assert ends.end_of_flow(premise) == end
    (minus,) = ends.minus_attracts(premise)
    assert minus.answer is (Answer.YES if end < 0 else Answer.NO)


class Detour(QueryPremise):
    """J′ = (ρ + 1/2)(ρ + 1/5): from −ξ the flow ends at −1/2."""

    @property
    def objective(self) -> sp.Expr:
        return sp.integrate(sp.expand((rho + HALF) * (rho + sp.Rational(1, 5))), rho)


def test_equilibria_between_the_poles_are_excluded_or_nothing_is_said() -> None:
    premise = Detour(sp.Rational(4, 5), sp.Integer(2), 0, sp.Integer(1))
    for route in (ends.attracting, ends.end_of_flow):
        with pytest.raises(Undetermined, match="between −ξ and ξ is not excluded"):
            route(premise)
    assert ends.monotone_here(premise)[0].answer is Answer.UNKNOWN


@pytest.mark.parametrize("part", ["1/21", "4/5", 1])
def test_of_two_classes_an_equilibrium_between_the_poles_repels(part) -> None:
    premise = QueryPremise(sp.Rational(part), sp.Integer(2), 0, sp.Integer(1))
    assert ends.attracting(premise) == 1
    assert ends.end_of_flow(premise) == (-1 if part == "1/21" else 1)
    flat = replace(premise, strength=sp.Integer(0))  # every alignment is an equilibrium
    for route in (ends.attracting, ends.end_of_flow):
        with pytest.raises(Undetermined):
            route(flat)


def test_undetermined_premises_are_not_guessed() -> None:
    assert ends.monotone_here(QueryPremise())[0].answer is Answer.UNKNOWN
    with pytest.raises(ValueError, match="not determined"):
        ends.end_of_flow(QueryPremise())


def test_numbers_are_substituted_into_what_is_derived_in_symbols() -> None:
    numbers = QueryPremise(HALF, sp.Integer(2), sp.Rational(1, 3), sp.Integer(1))
    values = {share: HALF, theta: 2, c: sp.Rational(1, 3), b: 1}
    assert numbers.in_symbols == QueryPremise(ratio=c)
    gap = say.slope(numbers) - say.slope(QueryPremise(ratio=c)).subs(values)
    assert abs(sp.N(gap.subs(rho, HALF), 30)) < sp.Float(10) ** -25
    assert replace(numbers, share=1).in_symbols.share == 1


def test_the_wandering_equation_can_fail() -> None:
    (finding,) = steps.wandering_solves_its_equation(QueryPremise(ratio=c))
    assert finding.answer is Answer.YES
    (critical,) = ends.critical_share_by_mass(QueryPremise())
    assert critical.answer is Answer.YES


def test_a_flow_that_leaves_its_range_shows_no_number() -> None:
    at = {start: HALF, time: sp.Integer(4)}
    assert float(flows.end_of_flow(1 - rho**2, at)) == pytest.approx(np.tanh(4 + np.arctanh(0.5)))
    assert flows.end_of_flow(1 + rho**2, at) is sp.nan
    assert flows.at_boundary(rho, {share: HALF, theta: HALF, c: 0, b: 1}) is sp.nan


def test_a_bound_has_no_false_neighbours() -> None:
    item = next(i for i in registry.items() if i.id == "query.reported@strong-signal")
    assert neighbours.examine(item, []) is None


def test_notes_tell_region_trap_and_ratios() -> None:
    premise = QueryPremise(sp.Rational(1, 21), sp.Integer(2), 0, sp.Integer(1))
    assert "π_c(2) = 0.635611, missed by π = 1/21" in flows.region(premise)
    assert "ρ < -0.541738960831" in flows.trap_of(premise)
    assert "d/L = 1/4: monotone at every share up to θ = 0.6686" in flows.finite_ratios(premise)
    free = replace(premise, share=sp.Rational(4, 5))
    assert "reached by" in flows.region(free)
    assert flows.trap_of(free) == ""


def test_controls_of_uniform_starts_have_the_means_they_say() -> None:
    family = QueryFamily((3,), (0, 4), (0, 2), F(1))
    simulation = Ascents(family, Same(StepSizes(0.1), 1), None, 4000)
    seen, expected = simulation.draw(4, np.random.default_rng(0)), simulation.expected(4)
    # Spreads of at most 1: five standard errors of 4000 starts, false alarm below 1e-5 in all.
    assert all(abs(seen[name] - mean) < 5 / np.sqrt(4000) for name, mean in expected.items())
    assert Ascents(family, Same(StepSizes(0.1), 1), F(1, 2)).expected(4) == {}


def test_sizes_that_are_no_integers_are_refused() -> None:
    family = QueryFamily((3,), (0, F(5, 2)), (1,), F(1))
    with pytest.raises(ValueError, match="L must be an integer at size 3: got 15/2"):
        Outputs(family, F(0), 1).draw(3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="time/step must be an integer at size 3: got 3/2"):
        Refined(F(1, 2)).sizes(3)
