"""Experiments on softmax queries: outputs, weights and ascents, at sizes that grow."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F
from functools import lru_cache
from typing import Any

import sympy as sp

from numerics.simulate.query_runs import (
    Ascents,
    Longer,
    Outputs,
    QueryFamily,
    Refined,
    Same,
    Schedule,
    Weights,
)
from numerics.simulate.steps import StepSizes
from numerics.softmax import TokenClass, mean_of_products
from theory.query import L, b, c, d, recursion, rho, share, start, theta, time
from theory.query import statements as say
from theory.query.statements import QueryPremise
from verify.claim import Model
from verify.experiment import PROFILES, Experiment, Simulation

Plan = Mapping[str, tuple[tuple[int, int], ...]]


def _plan(
    sizes: tuple[int, ...], replicates: tuple[int, int, int], larger: tuple[int, int] = (1, 2)
) -> Plan:
    """The same replicates at every size; larger sizes at 'standard' and at 'full'."""
    return {
        profile: tuple((n * factor, count) for n in sizes)
        for profile, factor, count in zip(PROFILES, (1, *larger), replicates, strict=True)
    }


def _same(*names: str) -> dict[str, str]:
    """Columns named as the simulation names them."""
    return {name: name for name in names}


def _rational(value: F) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def _bindings(family: QueryFamily, **more: F) -> dict[sp.Symbol, sp.Rational]:
    """Exact values of the symbols, from the numbers that are simulated: leading coefficients."""
    last = {name: len(getattr(family, name)) - 1 for name in ("d", "L", "R")}
    tokens = F(family.L[-1])
    found = {theta: family.theta, b: family.inverse_temperature}
    if last["R"] == last["L"]:
        found[share] = F(family.R[-1]) / tokens
    found[c] = F(family.d[-1]) / tokens if last["d"] == last["L"] > 0 else F(0)
    if last["d"] == 0:
        found[d] = F(family.d[0])
    named = {"rho": rho, "start": start, "time": time, "scale": recursion.scale, "offset": say.offset, "count": say.count}
    found |= {named[name]: value for name, value in more.items()}
    return {symbol: _rational(F(value)) for symbol, value in found.items()}


def _experiment(
    name: str,
    family: QueryFamily,
    simulation: Simulation,
    columns: Mapping[str, str],
    plan: Plan,
    *,
    scaled: Mapping[sp.Symbol, sp.Rational] | None = None,
    bias: Mapping[str, tuple[float, ...]] | None = None,
    more: Mapping[sp.Symbol, Any] | None = None,
    **bound: F,
) -> Experiment:
    bindings = _bindings(family, **bound) | dict(more or {})
    return Experiment(
        f"query/{name}", bindings, columns, simulation, plan, scaled or {}, bias or {}
    )


def _ascents(
    name: str, family: QueryFamily, schedule: Schedule, begin: F | None, runs: int,
    columns: Mapping[str, str], plan: Plan, bias: tuple[float, ...] | None = None, **bound: F,
) -> Experiment:  # fmt: skip
    if begin is not None:
        bound["start"] = begin
    found = None if bias is None else {column: bias for column in columns}
    return _experiment(
        name, family, Ascents(family, schedule, begin, runs), columns, plan, bias=found, **bound
    )


# --- outputs at every size --------------------------------------------------------------------


@lru_cache(maxsize=4)
def _squares(family: QueryFamily, alignment: F) -> dict[sp.Symbol, sp.Rational]:
    """Mean squares of score, informative mass and weights, which do not depend on d."""
    model = family.model(4)
    shift, temperature = float(model.theta * alignment), model.inverse_temperature
    noise = model.L - model.R
    tokens = [TokenClass(model.R, shift), TokenClass(noise, 0.0)]
    only = [TokenClass(model.R, shift), TokenClass(noise, 0.0, factor=0.0)]
    means = {
        say.score_square: mean_of_products(tokens, temperature, [(1, 1), (1, 1)]),
        say.mass_square: mean_of_products(only, temperature, [(1, 0), (1, 0)]),
        say.weight_square: mean_of_products(tokens, temperature, [(2, 0)]),
    }
    # twelve decimals: far below what a simulation can tell
    return {symbol: sp.Rational(round(mean * 10**12), 10**12) for symbol, mean in means.items()}


_FEW = QueryFamily((0, 1), (6,), (2,), F(3, 2), F(6, 5))
_TOKENS = _plan((4, 8, 16), (120, 1500, 16000), (1, 1))


def _tokens(alignment: F) -> Experiment:
    return _experiment(
        f"tokens/{alignment}", _FEW, Outputs(_FEW, alignment, 20, "plain"), {"objective at size": "objective"},
        _TOKENS, scaled={d: sp.Integer(1)}, more=_squares(_FEW, alignment), rho=alignment,
    )  # fmt: skip


_STEADY = QueryFamily((4,), (0, 64), (0, 32), F(3, 2), F(3, 5))
_WIDE = QueryFamily((0, 48), (0, 64), (0, 32), F(3, 2), F(3, 5))
_WEAK = QueryFamily((4,), (0, 64), (0, 32), F(3, 2), F(3, 5))
_WEAK_WIDE = QueryFamily((0, 128), (0, 64), (0, 32), F(3, 2), F(3, 5))
_OUTPUTS = _plan((4, 8, 16), (60, 300, 2500))


def _outputs(name: str, family: QueryFamily, alignment: F, batch: int = 20) -> Experiment:
    return _experiment(
        f"{name}/{alignment}", family, Outputs(family, alignment, batch), _same("objective", "slope"),
        _OUTPUTS, rho=alignment,
    )  # fmt: skip


_DENSE_TOKENS = QueryFamily((5,), (0, 1), (0, 1), F(2, 3), F(4, 5))
_dense_outputs = _experiment(
    "dense/outputs", _DENSE_TOKENS, Outputs(_DENSE_TOKENS, F(3, 5), 20), {"objective at size": "objective"},
    _plan((16, 32, 64), (200, 1500, 16000), (1, 1)), scaled={L: sp.Integer(1)}, rho=F(3, 5),
)  # fmt: skip

every_size = Model(
    "every-size", "any number of tokens and dimensions", QueryPremise(),
    (_tokens(F(3, 5)), _tokens(F(-2, 5))),
)  # fmt: skip
few_dimensions = Model(
    "few-dimensions", "d/L → 0", QueryPremise(),
    (_outputs("few-dimensions", _STEADY, F(2, 5)), _outputs("few-dimensions", _STEADY, F(-1, 5))),
)  # fmt: skip
many_dimensions = Model(
    "many-dimensions", "d/L → c > 0", QueryPremise(ratio=c),
    (_outputs("many-dimensions", _WIDE, F(2, 5)), _outputs("many-dimensions", _WIDE, F(-1, 5))),
)  # fmt: skip
weak_few_dimensions = Model(
    "weak-few-dimensions", "bθ = 9/10, half of the tokens informative, d/L → 0",
    QueryPremise(sp.Rational(1, 2), sp.Rational(3, 2), 0, sp.Rational(3, 5)),
    (_outputs("weak-few-dimensions", _WEAK, F(-4, 5)),),
)  # fmt: skip
weak_many_dimensions = Model(
    "weak-many-dimensions", "bθ = 9/10, half of the tokens informative, d/L → 2",
    QueryPremise(sp.Rational(1, 2), sp.Rational(3, 2), 2, sp.Rational(3, 5)),
    (_outputs("weak-many-dimensions", _WEAK_WIDE, F(-4, 5)),),
)  # fmt: skip
dense_outputs = Model(
    "dense-tokens", "every token informative, d fixed", QueryPremise(share=1), (_dense_outputs,)
)

# --- ascents along the flow -------------------------------------------------------------------

_DENSE = QueryFamily((6,), (0, 20), (0, 20), F(2, 3), F(4, 5))
_SLOW = QueryFamily((6,), (0, 60), (0, 15), F(3, 2), F(4, 5))
_SPREAD = QueryFamily((0, 2), (0, 64), (0, 16), F(3, 2), F(4, 5))
_FLOW = _plan((8, 12, 18, 30), (32, 48, 200), (2, 5))

_dense_flow = _ascents(
    "dense/flow", _DENSE, Refined(F(2, 3), F(1, 3)), F(1, 5), 3, _same("end"), _FLOW, (1.0, 2.0),
    time=F(2, 3),
)  # fmt: skip
_slow_flow = _ascents(
    "few-dimensions/flow", _SLOW, Refined(F(1), F(1, 2)), F(1, 5), 2, _same("end"), _FLOW,
    (1.0, 2.0), time=F(1),
)  # fmt: skip
_spread_flow = _ascents(
    "many-dimensions/flow", _SPREAD, Refined(F(1), F(1, 2)), F(1, 5), 4, _same("end", "wandering"),
    _FLOW, (1.0, 2.0), time=F(1),
)  # fmt: skip
_resting = _ascents(
    "many-dimensions/rest", _SPREAD, Refined(F(6, 5), F(1, 4)), F(1), 1, _same("misalignment"),
    _plan((5, 10, 20), (32, 100, 300), (1, 3)), (1.0,),
)  # fmt: skip
_slowing = _ascents(
    "many-dimensions/harmonic", _SPREAD, Longer(StepSizes(0.5, 1.0, 3.0)), F(1), 1,
    {"harmonic misalignment": "misalignment"}, _plan((20, 40, 80), (32, 64, 250), (1, 3)), (1.0,), scale=F(1, 2),
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
_CLIMB = _plan((4, 8, 16), (32, 64, 160), (1, 4))


def _next_to(name: str, family: QueryFamily, steps: int) -> Experiment:
    return _ascents(
        f"{name}/from-next-to-minus", family, Same(StepSizes(0.2), steps), _NEXT_TO, 1,
        _same("end"), _CLIMB, (1.0,), time=F(steps, 5),
    )  # fmt: skip


def _premise(family: QueryFamily, **more: Any) -> QueryPremise:
    """Exact numbers instead of symbols."""
    part = _rational(F(family.R[-1]) / F(family.L[-1]))
    temperature = _rational(F(family.inverse_temperature))
    return QueryPremise(part, _rational(family.theta), 0, temperature, **more)


_starts = _ascents(
    "trap/uniform-start", _STRONG, Same(StepSizes(0.2), 12), None, 20, {"trapped": "negative"},
    _plan((16, 32, 64), (32, 100, 800), (1, 1)), (1.0,),
)  # fmt: skip


def _longer(name: str, family: QueryFamily, columns: tuple[str, ...], runs: int) -> Experiment:
    # Robbins–Monro: Σ η = ∞, Σ η² < ∞.
    return _ascents(
        f"{name}/decaying-steps", family, Longer(StepSizes(0.4, 0.75)), None, runs, _same(*columns),
        _plan((32, 64, 128), (32, 48, 200), (1, 3)), (0.75,),
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
                      ("alignment", "end"), 4)),
)  # fmt: skip
free = Model(
    "trap-free-tokens", "θ = 2, four tokens in five informative, d/L → 0",
    QueryPremise(sp.Rational(4, 5), sp.Integer(2), 0, sp.Integer(1)),
    (_longer("trap-free", QueryFamily((5,), (200,), (160,), F(2)), ("alignment", "end"), 2),),
)  # fmt: skip

# --- softmax weights --------------------------------------------------------------------------

_FILTER = QueryFamily((2,), (0, 20), (0, 4), F(3, 2), F(4, 5))
_GROWING = QueryFamily((2,), (0, 1, 1), (0, 0, 1), F(1, 2), F(4, 5))
_WEIGHTS = _plan((8, 16, 32), (60, 200, 1000))


def _weights(name: str, family: QueryFamily, alignment: F, columns: Mapping[str, str],
             plan: Plan = _WEIGHTS) -> Experiment:  # fmt: skip
    return _experiment(
        f"{name}/{alignment}", family, Weights(family, alignment, 40), columns, plan,
        rho=alignment,
    )  # fmt: skip


_AT = {"mass at limit": "informative mass", "noise at limit": "noise mass",
       "informative mass": "informative mass", "noise weight": "noise weight"}  # fmt: skip

at_signal = Model(
    "at-signal", "L → ∞ at a fixed share of informative tokens, the query at ξ", QueryPremise(),
    (_weights("weights", _FILTER, F(1), _AT),),
)  # fmt: skip
at_minus_signal = Model(
    "at-minus-signal", "L → ∞ at a fixed share of informative tokens, the query at −ξ",
    QueryPremise(sign=-1), (_weights("weights", _FILTER, F(-1), _AT),),
)  # fmt: skip
between = Model(
    "between", "L → ∞ at a fixed share of informative tokens, the query anywhere", QueryPremise(),
    tuple(_weights("weights", _FILTER, at, _same("informative mass", "noise weight"))
          for at in (F(4, 5), F(-4, 5))),
)  # fmt: skip
growing_density = Model(
    "growing-density", "as many informative tokens as the square of the number of noise tokens",
    QueryPremise(informative=say.noise**2),
    (_weights("growing-density", _GROWING, F(1), {"noise at limit": "noise mass"},
              _plan((32, 48, 64), (32, 48, 64), (2, 5))),),
)  # fmt: skip

# --- the reported alignment -------------------------------------------------------------------

# One informative token in 21: 500 in 10,500 at size 100. Steps 0.75/(6 + k), 40 of them.
_REPORTED = {
    "quick": ((4, 32), (8, 32), (16, 32)),
    "standard": ((8, 80), (16, 80), (32, 80)),
    "full": ((25, 300), (50, 300), (100, 200)),
}


def _reported(name: str, strength: F, dimensions: tuple[F, ...], runs: int = 2) -> Experiment:
    family = QueryFamily(dimensions, (0, 105), (0, 5), strength)
    return _ascents(
        f"reported/{name}", family, Same(StepSizes(0.75, 1.0, 6.0), 40), F(1, 2), runs,
        _same("end"), _REPORTED, (1.0,), scale=F(3, 4), offset=F(6), count=F(40),
    )  # fmt: skip


_AS_REPORTED = QueryPremise(ratio=c, inverse_temperature=sp.Integer(1))
reaching = Model(
    "strong-signal", "20 noise tokens for one informative, θ = 2, d/L = 1/420",
    _AS_REPORTED, (_reported("strong-signal", F(2), (F(1), F(1, 4))),),
)  # fmt: skip
wide_reported = Model(
    "many-dimensions", "20 noise tokens for one informative, θ = 2, d/L = 1/42",
    _AS_REPORTED, (_reported("many-dimensions", F(2), (F(0), F(5, 2))),),
)  # fmt: skip
weak_signal = Model(
    "weak-signal", "20 noise tokens for one informative, θ = 1/4, d/L = 1/420",
    _AS_REPORTED, (_reported("weak-signal", F(1, 4), (F(1), F(1, 4)), 5),),
)  # fmt: skip
