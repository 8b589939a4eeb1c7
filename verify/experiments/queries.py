"""Experiments on the outputs and the softmax weights of queries, at sizes that grow."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F
from functools import lru_cache

import sympy as sp

from numerics.simulate.query_runs import (
    Outputs,
    QueryFamily,
    Weights,
)
from numerics.softmax import TokenClass, mean_of_products
from theory.query import L, b, c, d, rho, share, theta
from theory.query import statements as say
from theory.query.statements import QueryPremise
from verify.claim import Model
from verify.experiment import PROFILES, Experiment, Simulation

Plan = Mapping[str, tuple[tuple[int, int], ...]]


def plan_of(
    sizes: tuple[int, ...], replicates: tuple[int, int, int], larger: tuple[int, int] = (1, 2)
) -> Plan:
    """The same replicates at every size; larger sizes at 'standard' and at 'full'."""
    return {
        profile: tuple((n * factor, count) for n in sizes)
        for profile, factor, count in zip(PROFILES, (1, *larger), replicates, strict=True)
    }


def same(*names: str) -> dict[str, str]:
    """Columns named as the simulation names them."""
    return dict(zip(names, names, strict=True))


def _bindings(family: QueryFamily) -> dict[sp.Symbol, sp.Rational]:
    """Exact values of the symbols, from the numbers that are simulated: leading coefficients."""
    last = {name: len(getattr(family, name)) - 1 for name in ("d", "L", "R")}
    tokens = F(family.L[-1])
    found = {theta: family.theta, b: family.inverse_temperature}
    if last["R"] == last["L"]:
        found[share] = F(family.R[-1]) / tokens
    found[c] = F(family.d[-1]) / tokens if last["d"] == last["L"] > 0 else F(0)
    if last["d"] == 0:
        found[d] = F(family.d[0])
    return {symbol: sp.Rational(F(value)) for symbol, value in found.items()}


def experiment(
    name: str,
    family: QueryFamily,
    simulation: Simulation,
    columns: Mapping[str, str],
    plan: Plan,
    bound: Mapping[sp.Symbol, F],
    *,
    scaled: Mapping[sp.Symbol, sp.Rational] | None = None,
    bias: Mapping[str, tuple[float, ...]] | None = None,
) -> Experiment:
    """An experiment whose bindings come from the family, and from `bound` what it does not know."""
    bindings = _bindings(family)
    bindings |= {symbol: sp.Rational(F(value)) for symbol, value in bound.items()}
    return Experiment(
        f"query/{name}", bindings, columns, simulation, plan, scaled or {}, bias or {}
    )


# --- outputs at every size --------------------------------------------------------------------


@lru_cache(maxsize=4)
def _squares(family: QueryFamily, alignment: F) -> dict[sp.Symbol, F]:
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
    return {symbol: F(round(mean * 10**12), 10**12) for symbol, mean in means.items()}


_FEW = QueryFamily((0, 1), (6,), (2,), F(3, 2), F(6, 5))
_TOKENS = plan_of((4, 8, 16), (400, 1000, 8000), (1, 1))


def _tokens(alignment: F) -> Experiment:
    return experiment(
        f"tokens/{alignment}", _FEW, Outputs(_FEW, alignment, 150, "plain"),
        {"objective at size": "objective"}, _TOKENS,
        {rho: alignment, **_squares(_FEW, alignment)}, scaled={d: sp.Integer(1)},
    )  # fmt: skip


_STEADY = QueryFamily((4,), (0, 64), (0, 32), F(3, 2), F(3, 5))
_WIDE = QueryFamily((0, 48), (0, 64), (0, 32), F(3, 2), F(3, 5))
_WEAK = QueryFamily((4,), (0, 64), (0, 32), F(3, 2), F(3, 5))
_WEAK_WIDE = QueryFamily((0, 128), (0, 64), (0, 32), F(3, 2), F(3, 5))
_OUTPUTS = plan_of((4, 8, 16), (90, 700, 7000))
_SIGNS = plan_of((4, 8, 16), (60, 150, 400))


def _outputs(name: str, family: QueryFamily, alignment: F, plan: Plan = _OUTPUTS) -> Experiment:
    return experiment(
        f"{name}/{alignment}", family, Outputs(family, alignment, 20),
        same("objective", "slope"), plan, {rho: alignment},
    )  # fmt: skip


_DENSE_TOKENS = QueryFamily((5,), (0, 1), (0, 1), F(2, 3), F(4, 5))
_dense_outputs = experiment(
    "dense/outputs", _DENSE_TOKENS, Outputs(_DENSE_TOKENS, F(3, 5), 20),
    {"objective at size": "objective"},
    plan_of((16, 32, 64), (200, 1500, 16000), (1, 1)), {rho: F(3, 5)},
    scaled={L: sp.Integer(1)},
)  # fmt: skip

# At ξ the tangent gradient is noise alone. With as many dimensions as tokens, or half as many, its
# square is a sum over many of them.
_AT_SIGNAL = QueryFamily((0, 16), (0, 16), (0, 8), F(3), F(3, 10))
_DENSE_AT_SIGNAL = QueryFamily((0, 8), (0, 16), (0, 16), F(3, 2), F(2, 5))


def _at_signal(name: str, family: QueryFamily) -> Experiment:
    return experiment(
        f"{name}/at-signal", family, Outputs(family, F(1), 20), {"noise at signal": "tangent"},
        plan_of((8, 16, 32), (160, 480, 1600), (2, 4)), {}, bias={"noise at signal": (1.0,)},
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
    (_outputs("weak-few-dimensions", _WEAK, F(-4, 5), _SIGNS),),
)  # fmt: skip
weak_many_dimensions = Model(
    "weak-many-dimensions", "bθ = 9/10, half of the tokens informative, d/L → 2",
    QueryPremise(sp.Rational(1, 2), sp.Rational(3, 2), 2, sp.Rational(3, 5)),
    (_outputs("weak-many-dimensions", _WEAK_WIDE, F(-4, 5), _SIGNS),),
)  # fmt: skip
resting = Model(
    "many-dimensions-at-signal", "queries at ξ, d/L → c > 0", QueryPremise(ratio=c),
    (_at_signal("many-dimensions", _AT_SIGNAL),),
)  # fmt: skip
dense_resting = Model(
    "dense-many-dimensions-at-signal", "queries at ξ, every token informative, d/L → c > 0",
    QueryPremise(share=1, ratio=c), (_at_signal("dense", _DENSE_AT_SIGNAL),),
)  # fmt: skip
dense_outputs = Model(
    "dense-tokens", "every token informative, d fixed", QueryPremise(share=1), (_dense_outputs,)
)

# --- softmax weights --------------------------------------------------------------------------

_FILTER = QueryFamily((2,), (0, 20), (0, 4), F(3, 2), F(4, 5))
_GROWING = QueryFamily((2,), (0, 1, 1), (0, 0, 1), F(1, 2), F(4, 5))
_WEIGHTS = plan_of((8, 16, 32), (60, 200, 1000))


def _weights(name: str, family: QueryFamily, alignment: F, columns: Mapping[str, str],
             plan: Plan = _WEIGHTS) -> Experiment:  # fmt: skip
    return experiment(
        f"{name}/{alignment}", family, Weights(family, alignment, 40), columns, plan,
        {rho: alignment},
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
    tuple(_weights("weights", _FILTER, at, same("informative mass", "noise weight"))
          for at in (F(4, 5), F(-4, 5))),
)  # fmt: skip
growing_density = Model(
    "growing-density", "as many informative tokens as the square of the number of noise tokens",
    QueryPremise(informative=say.noise**2),
    (_weights("growing-density", _GROWING, F(1), {"noise at limit": "noise mass"},
              plan_of((32, 48, 64), (32, 48, 64), (2, 5))),),
)  # fmt: skip
