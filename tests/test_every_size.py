"""Statements about every size: each size can refute one, and tells its false neighbours."""

from dataclasses import dataclass

import numpy as np
import pytest
import sympy as sp

from numerics.limits import SizeMean, extrapolate
from verify.claim import Claim, Item, Kind, Model, Outcome, Stance, Verdict
from verify.evidence import neighbours, simulated
from verify.experiment import Experiment, Observations

d = sp.Symbol("d", positive=True)
SIZES = (4, 8, 16)


@dataclass(frozen=True)
class _Nothing:
    """Draws are made up below: nothing is asked of the simulation."""

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        raise NotImplementedError

    def expected(self, size: int) -> dict[str, float]:
        return {}


def _item(formula: sp.Expr) -> Item:
    plan = dict.fromkeys(("quick", "standard", "full"), tuple((size, 400) for size in SIZES))
    experiment = Experiment("made/up", {}, {"seen": "seen"}, _Nothing(), plan, {d: sp.S.One})
    model = Model("made-up", "", None, (experiment,))
    claim = Claim(
        "made.up", says="", source="here", stance=Stance.DERIVED, kind=Kind.MOMENT,
        observed="seen", formula=formula, routes=(lambda premise: formula,), bias=(),
        holds=(model,), at_sizes=True,
    )  # fmt: skip
    return Item(claim, model, Verdict.HOLDS)


def _observed(formula: sp.Expr) -> Observations:
    """Replicates whose mean at each size is the formula's value, of standard deviation 1/10."""
    noise = np.random.default_rng(0).standard_normal(400)
    noise = (noise - noise.mean()) / noise.std() / 10
    table = {n: {"seen": noise + float(formula.subs(d, n))} for n in SIZES}
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
