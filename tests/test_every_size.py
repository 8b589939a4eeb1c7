"""Statements about every size: each size can refute one, and tells its false neighbours."""

from dataclasses import dataclass

import numpy as np
import pytest
import sympy as sp

from numerics.limits import SizeMean, controlled_mean, extrapolate
from verify.claim import Claim, Item, Kind, Model, Outcome, Relation, Stance, Verdict
from verify.evidence import neighbours, simulated
from verify.experiment import Experiment, Observations
from verify.tables import simulate

d = sp.Symbol("d", positive=True)
SIZES = (4, 8, 16)


@dataclass(frozen=True)
class _Nothing:
    """Draws are made up below: nothing is asked of the simulation."""

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        raise NotImplementedError

    def expected(self, size: int) -> dict[str, float]:
        return {}


def _item(formula: sp.Expr, relation: Relation = Relation.EQUALS) -> Item:
    plan = dict.fromkeys(("quick", "standard", "full"), tuple((size, 400) for size in SIZES))
    experiment = Experiment("made/up", {}, {"seen": "seen"}, _Nothing(), plan, {d: sp.S.One})
    model = Model("made-up", "", None, (experiment,))
    claim = Claim(
        "made.up", says="", source="here", stance=Stance.DERIVED, kind=Kind.MOMENT,
        observed="seen", formula=formula, routes=(lambda premise: formula,), bias=(),
        holds=(model,), at_sizes=True, relation=relation,
    )  # fmt: skip
    return Item(claim, model, Verdict.HOLDS)


def _observed(formula: sp.Expr, spread: dict[int, float] | None = None) -> Observations:
    """Replicates whose mean at each size is the formula's value, of standard deviation 1/10."""
    noise = np.random.default_rng(0).standard_normal(400)
    noise = (noise - noise.mean()) / noise.std()
    spread = spread or dict.fromkeys(SIZES, 0.1)
    table = {n: {"seen": spread[n] * noise + float(formula.subs(d, n))} for n in SIZES}
    return Observations("made/up", table, {n: {} for n in SIZES})


@pytest.mark.parametrize(
    ("truth", "outcome"),
    [
        (2 - 1 / d, Outcome.AGREES),
        # At 4 alone, where it is off by 0.05, ten standard errors; the other sizes agree.
        (2 - 1 / d + (8 - d) * (16 - d) / sp.Integer(960), Outcome.REFUTED),
    ],
)
def test_one_size_alone_refutes(truth: sp.Expr, outcome: Outcome) -> None:
    item, observations = _item(2 - 1 / d), _observed(truth)
    (found,) = simulated.examine(item, {"made/up": observations}, "quick")
    assert found.outcome is outcome, found.detail


def test_a_size_that_is_not_resolved_leaves_it_open() -> None:
    """Twice the value at size 4, in noise that hides it; the other sizes agree."""
    truth = 2 - 1 / d + (8 - d) * (16 - d) * sp.Rational(7, 4) / 48
    item = _item(2 - 1 / d)
    (found,) = simulated.examine(
        item, {"made/up": _observed(truth, {4: 8.0, 8: 0.1, 16: 0.1})}, "quick"
    )
    assert found.outcome is Outcome.INCONCLUSIVE
    assert found.detail.endswith("at size 4")


@pytest.mark.parametrize(
    ("truth", "outcome"),
    [
        (sp.Integer(2), Outcome.AGREES),
        (2 - 30 / d, Outcome.REFUTED),  # below 1/d at 4 and 8 only
        (1 / d + sp.Rational(1, 100), Outcome.INCONCLUSIVE),
    ],
)
def test_an_inequality_about_every_size(truth: sp.Expr, outcome: Outcome) -> None:
    item = _item(1 / d, Relation.ABOVE)
    (found,) = simulated.examine(item, {"made/up": _observed(truth)}, "quick")
    assert found.outcome is outcome, found.detail


def test_rounding_refutes_nothing() -> None:
    formula = sp.Rational(1, 10) + 1 / d
    still = dict.fromkeys(SIZES, 0.0)
    for observed in (_observed(formula, still), _observed(formula + sp.Float(1e-16), still)):
        (found,) = simulated.examine(_item(formula), {"made/up": observed}, "quick")
        assert found.outcome is Outcome.AGREES, found.detail


def test_the_sizes_share_the_error_probability() -> None:
    """Off by 4.4 standard errors at each of three sizes: their mean by 7.6, which is not asked."""
    truth = 2 - 1 / d + sp.Rational(22, 1000)
    (found,) = simulated.examine(_item(2 - 1 / d), {"made/up": _observed(truth)}, "quick")
    assert found.outcome is Outcome.AGREES, found.detail


def test_no_spread_by_chance_is_no_certainty() -> None:
    """Outcomes 0 or 1 of probability 199/200: at some size often all are 1. False alarm 6e-5."""
    refuted = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        means = [
            controlled_mean(size, (rng.random(count) < 0.995).astype(float))
            for size, count in ((4, 120), (8, 80), (16, 48))
        ]
        outcome, _ = simulated.compare(extrapolate(means, ()), 0.995, 0.1)
        refuted += outcome is Outcome.REFUTED
    assert refuted == 0


def test_neighbours_are_told_where_they_differ_most() -> None:
    """The term 1/d doubled is off by 1/4 at size 4 and by 1/64 at size 64, where none was drawn."""
    item = _item(2 - 1 / d)
    (experiment,) = item.settings
    limit = simulated.observed_limit(item, experiment, _observed(item.claim.formula))
    found = neighbours.examine(item, [(experiment, limit)])
    assert found is not None
    assert not found.below_resolution
    assert found.killed == found.total > 5


def test_a_mean_has_the_interval_of_its_own_degrees_of_freedom() -> None:
    mean = SizeMean(4, 1.0, 0.1, 3)
    assert mean.half_width(0.05) == pytest.approx(0.1 * 3.182446)
    constant = extrapolate([SizeMean(n, 1.0, 0.1, 1e9) for n in SIZES], ())
    assert constant.half_width(0.05) == pytest.approx(0.1 * 1.959964 / 3**0.5)


@dataclass(frozen=True)
class _Forgetful(_Nothing):
    """One replicate in a few lacks a column."""

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        value = float(rng.standard_normal())
        return {"seen": value} if value > 1 else {"seen": value, "other": 0.0}


@dataclass(frozen=True)
class _Steady(_Nothing):
    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        return {"seen": 1.0}


def test_a_forgetful_simulator_takes_nothing_of_the_others_with_it() -> None:
    plan = dict.fromkeys(("quick", "standard", "full"), tuple((size, 32) for size in SIZES))
    made = [
        Experiment(name, {}, {"seen": "seen"}, simulation, plan)
        for name, simulation in (("forgetful", _Forgetful()), ("steady", _Steady()))
    ]
    found = simulate(made, "quick", 0, 1)
    assert found["forgetful"].error == "ValueError: draws at size 4 must have the same observables"
    assert found["steady"].error is None
    assert (found["steady"].values(4, "seen") == 1).all()
