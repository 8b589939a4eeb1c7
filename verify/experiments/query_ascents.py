"""Experiments on ascents: along the flow, at rest, next to −ξ, and as reported."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F
from types import MappingProxyType
from typing import Any

import sympy as sp

from numerics.simulate.query_runs import Ascents, Longer, QueryFamily, Refined, Same, Schedule
from numerics.simulate.steps import StepSizes
from theory.query import c, start, target, time
from theory.query.recursion import scale
from theory.query.statements import QueryPremise
from theory.query.step_statements import count, exponent, offset
from verify.claim import Model
from verify.experiment import Experiment
from verify.experiments.queries import Plan, experiment, plan_of, same


def _ascents(
    name: str, family: QueryFamily, schedule: Schedule, begin: F | None, runs: int,
    columns: Mapping[str, str], plan: Plan, bias: Mapping[str, tuple[float, ...]],
    bound: Mapping[sp.Symbol, F] = MappingProxyType({}), **seen: Any,
) -> Experiment:  # fmt: skip
    known = {} if begin is None else {start: begin}
    ascents = Ascents(family, schedule, begin, runs, **seen)
    return experiment(name, family, ascents, columns, plan, {**known, **bound}, bias=bias)


# --- ascents along the flow -------------------------------------------------------------------

_DENSE = QueryFamily((6,), (0, 20), (0, 20), F(2, 3), F(4, 5))
_SLOW = QueryFamily((6,), (0, 60), (0, 15), F(3, 2), F(4, 5))
_SPREAD = QueryFamily((0, 2), (0, 64), (0, 16), F(3, 2), F(4, 5))
_FLOW = plan_of((8, 12, 18, 30), (32, 48, 200), (2, 5))

_TIMED, _IN_TIME = same("end", "hitting time"), {"end": (1.0, 2.0), "hitting time": (1.0,)}

_dense_flow = _ascents(
    "dense/flow", _DENSE, Refined(F(2, 3), F(1, 3)), F(1, 5), 3, _TIMED, _FLOW, _IN_TIME,
    {time: F(2, 3), target: F(1, 2)}, target=F(1, 2), full=False,
)  # fmt: skip
_slow_flow = _ascents(
    "few-dimensions/flow", _SLOW, Refined(F(1), F(1, 2)), F(1, 5), 2, _TIMED, _FLOW, _IN_TIME,
    {time: F(1), target: F(4, 5)}, target=F(4, 5), full=False,
)  # fmt: skip
_spread_flow = _ascents(
    "many-dimensions/flow", _SPREAD, Refined(F(1), F(1, 2)), F(1, 5), 4, same("end", "wandering"),
    _FLOW, {"end": (1.0, 2.0), "wandering": (1.0,)}, {time: F(1)},
)  # fmt: skip
# At rest. As many dimensions as tokens: 1 − ρ is a sum over dimensions, and varies the less. Steps
# along the tangent gradient: the shorter step that goes with the full one is a bias of the order
# of the step, and here what is left of it nearly cancels that of finitely many tokens.
_REST = QueryFamily((0, 16), (0, 16), (0, 8), F(3), F(3, 10))
_SLOWING = QueryFamily((0, 4), (0, 4), (0, 2), F(3), F(3, 10))
_resting = _ascents(
    "many-dimensions/rest", _REST, Refined(F(2), F(1, 16)), F(1), 4, same("misalignment"),
    {"quick": ((2, 32), (3, 32), (4, 32)), "standard": ((3, 64), (6, 56), (10, 56)),
     "full": ((6, 200), (10, 200), (16, 200))},
    {"misalignment": (1.0,)}, settled=F(3, 10), full=False,
)  # fmt: skip
_slowing = _ascents(
    "many-dimensions/harmonic", _SLOWING, Longer(StepSizes(0.5, 1.0, 8.0)), F(1), 4,
    {"harmonic misalignment": "misalignment"},
    {"quick": ((24, 32), (36, 32), (60, 32)), "standard": ((30, 96), (60, 80), (100, 80)),
     "full": ((60, 300), (100, 300), (160, 300))},
    {"harmonic misalignment": (1.0,)}, {scale: F(1, 2)}, settled=F(1, 2), full=False,
)  # fmt: skip

dense_flow = Model(
    "dense-tokens", "every token informative, d fixed", QueryPremise(share=1), (_dense_flow,)
)
flow_few = Model("few-dimensions", "d/L → 0", QueryPremise(), (_slow_flow,))
flow_many = Model(
    "many-dimensions", "d/L → c > 0", QueryPremise(ratio=c), (_spread_flow, _resting, _slowing)
)

# --- from next to −ξ --------------------------------------------------------------------------

# The paper's own share of 500 in 10,500, at a strength where −ξ attracts.
_SPARSE = QueryFamily((3,), (0, 210), (0, 10), F(2))
_MANY = QueryFamily((3,), (0, 80), (0, 64), F(2))
_ALL = QueryFamily((3,), (0, 80), (0, 80), F(2))
_STRONG = QueryFamily((3,), (0, 20), (0, 10), F(5))
_NEXT_TO = F(-49, 50)
_CLIMB = plan_of((4, 8, 16), (32, 96, 200), (2, 8))


def _next_to(name: str, family: QueryFamily, steps: int) -> Experiment:
    return _ascents(
        f"{name}/from-next-to-minus", family, Same(StepSizes(0.2), steps), _NEXT_TO, 1,
        same("end"), _CLIMB, {"end": (1.0,)}, {time: F(steps, 5)},
    )  # fmt: skip


def _premise(family: QueryFamily, **more: Any) -> QueryPremise:
    """Exact numbers instead of symbols."""
    part = sp.Rational(F(family.R[-1]) / F(family.L[-1]))
    temperature = sp.Rational(F(family.inverse_temperature))
    return QueryPremise(part, sp.Rational(family.theta), 0, temperature, **more)


# The share that is reported, at steps of a fixed size: noise takes queries out of the trap.
_NOISY = QueryFamily((6,), (210,), (10,), F(2))
_escaping = _ascents(
    "trap/finite-steps", _NOISY, Longer(StepSizes(0.4)), None, 20, {"trapped": "negative"},
    plan_of((40, 60, 90), (32, 64, 200), (1, 1)), {"trapped": (1.0,)}, full=False,
)  # fmt: skip
_starts = _ascents(
    "trap/uniform-start", _STRONG, Same(StepSizes(0.2), 12), None, 20, {"trapped": "negative"},
    plan_of((16, 32, 64), (32, 100, 800), (1, 1)), {"trapped": (1.0,)},
)  # fmt: skip


def _longer(name: str, family: QueryFamily, columns: tuple[str, ...], runs: int) -> Experiment:
    steps = StepSizes(0.4, 0.75)
    return _ascents(
        f"{name}/decaying-steps", family, Longer(steps, robbins_monro=True), None, runs,
        same(*columns), plan_of((32, 64, 128), (32, 48, 200), (1, 3)),
        dict.fromkeys(columns, (steps.exponent,)), {exponent: F(steps.exponent)},
    )  # fmt: skip


sparse = Model(
    "sparse-tokens", "θ = 2, one token in 21 informative, d/L → 0", _premise(_SPARSE),
    (_next_to("sparse", _SPARSE, 50),),
)  # fmt: skip
many_informative = Model(
    "many-informative", "θ = 2, four tokens in five informative, d/L → 0", _premise(_MANY),
    (_next_to("many-informative", _MANY, 30),),
)  # fmt: skip
all_informative = Model(
    "dense-tokens", "θ = 2, every token informative, d/L → 0", _premise(_ALL),
    (_next_to("dense", _ALL, 15),),
)  # fmt: skip
trapping = Model(
    "trapping-tokens", "θ = 5, half of the tokens informative, three dimensions, d/L → 0",
    _premise(_STRONG, dimension=sp.Integer(3)),
    (_starts, _longer("trapping", QueryFamily((3,), (320,), (160,), F(5)),
                      ("alignment", "end"), 5)),
)  # fmt: skip
escaping = Model(
    "finite-steps", "θ = 2, one token in 21 informative, six dimensions, 210 tokens, long runs of "
    "steps 2/5 along the tangent gradient", _premise(_NOISY, dimension=sp.Integer(6)), (_escaping,),
)  # fmt: skip
free = Model(
    "trap-free-tokens", "θ = 2, four tokens in five informative, d/L → 0",
    QueryPremise(sp.Rational(4, 5), sp.Integer(2), 0, sp.Integer(1)),
    (_longer("trap-free", QueryFamily((5,), (200,), (160,), F(2)), ("alignment", "end"), 2),),
)  # fmt: skip

# --- the reported alignment -------------------------------------------------------------------

# One informative token in 21: 500 in 10,500 at size 100. The start is one that few uniform ones
# reach in many dimensions: where not even that climbs in time, no uniform start does.
_FROM_HALF = "20 noise tokens for one informative, 40 steps 0.75/(6 + k) from ρ = 1/2"
_REPORTED = {
    "quick": ((4, 32), (12, 32), (24, 32)),
    "standard": ((8, 80), (16, 80), (32, 80)),
    "full": ((25, 300), (50, 300), (100, 200)),
}


def _reported(name: str, strength: F, dimensions: tuple[F, ...], runs: int = 3) -> Experiment:
    family = QueryFamily(dimensions, (0, 105), (0, 5), strength)
    return _ascents(
        f"reported/{name}", family, Same(StepSizes(0.75, 1.0, 6.0), 40), F(1, 2), runs,
        same("end", "alignment"), _REPORTED, {"end": (1.0,), "alignment": (1.0,)},
        {scale: F(3, 4), offset: F(6), count: F(40)},
    )  # fmt: skip


# As many noise tokens as informative ones, 500 of each at size 100, from uniform starts.
_even = _ascents(
    "reported/uniform-start", QueryFamily((10,), (0, 10), (0, 5), F(1)),
    Same(StepSizes(2.0, 1.0, 2.0), 200), None, 3, same("alignment"),
    {"quick": ((25, 32), (50, 32), (100, 32)), "standard": ((25, 80), (50, 80), (100, 80)),
     "full": ((50, 300), (100, 300), (200, 200))},
    {"alignment": (1.0,)},
)  # fmt: skip


_AS_REPORTED = QueryPremise(ratio=c, inverse_temperature=sp.Integer(1))
uniform_start = Model(
    "uniform-start", "as many noise tokens as informative ones, θ = 1, d = 10, 200 steps 2/(2 + k) "
    "from uniform starts", QueryPremise(sp.Rational(1, 2), sp.Integer(1), 0, sp.Integer(1)),
    (_even,),
)  # fmt: skip
reaching = Model(
    "strong-signal", f"θ = 2, d/L = 1/420, {_FROM_HALF}",
    _AS_REPORTED, (_reported("strong-signal", F(2), (F(1), F(1, 4))),),
)  # fmt: skip
wide_reported = Model(
    "many-dimensions", f"θ = 2, d/L = 1/42, {_FROM_HALF}",
    _AS_REPORTED, (_reported("many-dimensions", F(2), (F(0), F(5, 2))),),
)  # fmt: skip
weak_signal = Model(
    "weak-signal", f"θ = 1/4, d/L = 1/420, {_FROM_HALF}",
    _AS_REPORTED, (_reported("weak-signal", F(1, 4), (F(1), F(1, 4)), 7),),
)  # fmt: skip
