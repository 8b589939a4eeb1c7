"""Statements about a query hold for their premise: another one changes or refuses them."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from numerics.simulate.query_runs import Longer
from numerics.simulate.steps import StepSizes
from theory.algebra import Answer, Undetermined
from theory.query import b, c, recursion
from theory.query import landscape_statements as ends
from theory.query import step_statements as steps
from theory.query.statements import QueryPremise
from verify import registry
from verify.claim import Outcome
from verify.evidence import simulated


@pytest.mark.parametrize(
    ("bound", "ratio", "answer"),
    [
        (sp.Integer(1), 0, Answer.YES),
        (sp.Rational(1, 2), 0, Answer.YES),
        # π_c(2) = 0.64: sparser tokens have a trap.
        (sp.Integer(2), 0, Answer.NO),
        # At d/L = 1/4, b = 1 sparse tokens have one from θ = 0.6686 on.
        (sp.Integer(1), sp.Rational(1, 4), Answer.NO),
        (sp.Integer(1), c, Answer.NO),
    ],
)
def test_no_trap_at_any_share_up_to_a_strength(
    bound: sp.Rational, ratio: sp.Expr, answer: Answer
) -> None:
    temperature = b if ratio in (0, c) else sp.Integer(1)
    premise = QueryPremise(ratio=ratio, inverse_temperature=temperature)
    *steps_, last = ends.monotone_up_to(bound)(premise)
    assert {step.answer for step in steps_} == {Answer.YES}
    assert last.answer is answer


def test_misalignment_needs_noise() -> None:
    for route in (steps.misalignment, steps.harmonic_misalignment):
        assert route(QueryPremise(ratio=c)).has(recursion.trace)
        with pytest.raises(Undetermined, match="tends to 0 where d/L does"):
            route(QueryPremise(ratio=0))


@pytest.mark.parametrize("alignment", [1.0, 0.6, -0.3])
def test_the_spread_after_one_step_is_that_of_the_vector(alignment: float) -> None:
    """q = (ρ, …, u) moved along J′(ξ − ρq) and normalised, without noise."""
    pull, step, u = 1.7, 0.3, 1e-5
    query = np.array([alignment, np.sqrt(max(1 - alignment**2 - u**2, 0)), u])
    query /= np.linalg.norm(query)
    moved = query + step * pull * (np.array([1, 0, 0]) - query[0] * query)
    moved /= np.linalg.norm(moved)
    said = recursion.next_spread(query[2] ** 2, step, alignment, pull, 0)
    assert float(said) == pytest.approx(moved[2] ** 2, rel=1e-6)


def test_the_spread_grows_by_the_noise() -> None:
    """Mean |u′|² over 500 draws of noise in 400 directions: 5 standard errors, false alarm 6e-7."""
    n, noise, step = 400, 1e-4, 0.3
    rng = np.random.default_rng(0)
    moved = np.column_stack([np.ones(500), step * rng.normal(0, (noise / n) ** 0.5, (500, n))])
    moved /= np.linalg.norm(moved, axis=1)[:, None]
    seen = (moved[:, 1:] ** 2).sum(axis=1)
    said = float(recursion.next_spread(0, step, 1, 1, noise))
    assert abs(seen.mean() - said) < 5 * seen.std() / 500**0.5 + 1e-3 * said


@pytest.mark.parametrize(
    ("exponent", "condition"), [(0.0, r"eta_k\^2 < oo"), (0.5, r"eta_k\^2 < oo"), (2.0, "= oo")]
)
def test_steps_that_break_robbins_monro(exponent: float, condition: str) -> None:
    """A warning that names the condition; and the claims that need it do not judge such runs."""
    with pytest.warns(UserWarning, match=condition):
        Longer(StepSizes(0.02, exponent), robbins_monro=True)
    (item,) = (i for i in registry.items() if i.id == "query.convergence@trap-free-tokens")
    (setting,) = item.settings
    bound = {**setting.bindings, steps.exponent: sp.Rational(Fraction(exponent))}
    model = replace(item.model, experiments=(replace(setting, bindings=bound),))
    unmet = replace(item, model=model)
    assert unmet.settings == ()
    (evidence,) = simulated.examine(unmet, {}, "quick")
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert "meets the conditions" in evidence.detail
