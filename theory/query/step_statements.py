"""What the derivations say of finite steps, for a premise: the routes of their claims."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Answer, Finding, Undetermined, at_point, is_zero
from theory.query import gradient, recursion
from theory.query.model import score
from theory.query.statements import QueryPremise, flow_by_gradient, in_general, slope
from theory.query.symbols import c, eta, rho, start

offset = sp.Symbol("k0_q", positive=True)  # steps c0/(k0 + k), k = 0, 1, ...
exponent = sp.Symbol("a_q", nonnegative=True)  # steps that fall like k^-a
count = sp.Symbol("K_q", positive=True, integer=True)  # how many of them


@in_general
def squared_gradient(premise: QueryPremise) -> sp.Expr:
    """E|tangent gradient|² by pairing up to six Gaussian factors (B4, B7)."""
    return gradient.limit_squared_length(premise.model, premise.ratio)


def squared_gradient_at_signal(premise: QueryPremise) -> sp.Expr:
    """E|tangent gradient|² at ξ, where its mean is 0 (B7)."""
    return squared_gradient(premise).subs(rho, 1)


@in_general
def squared_gradient_by_tilted_scores(premise: QueryPremise) -> sp.Expr:
    """E|tangent gradient|² at ξ with weights a_i = ã(s_i)/L, by the law of large numbers (B7).

    The gradient is 2bΣ a_i(⟨x_i, f⟩ − |f|²)x_i. Along ξ the output f is F = E[ãs]; across it, it is
    Σ a_i z_i, of squared length K = cE[ã²], so that ⟨x_i, f⟩ − |f|² is w = F(s − F) − K + cã, the
    last term the token's own, and a Gaussian part of variance K that sums to f once more.
    """
    model, temperature = premise.model, premise.inverse_temperature
    # Means over all tokens are letters while the mean over one is taken.
    total, along, across = sp.symbols("Z F K", positive=True, cls=sp.Dummy)
    tilted = model.weight / total
    w = along * (score - along) - across + premise.ratio * tilted
    squared = model.mean(sp.expand(tilted**2 * ((1 + w) ** 2 + across)))
    weight = model.mean(model.weight)
    means = {
        total: weight,
        along: model.mean(model.weight * score) / weight,
        across: premise.ratio * model.mean(model.weight**2) / weight**2,
    }
    return at_point(4 * temperature**2 * premise.ratio * squared, means).subs(rho, 1)


def wandering_density(premise: QueryPremise) -> sp.Expr:
    """Γ/((1 − ρ²)² J′): what noise at alignment ρ adds to the distance from the flow (B4).

    With v = E|u|²/step, u the part of the query outside the plane of the flow, one step more
    makes dv/dt = Γ − 2ρJ′v, Γ the trace of the tangent gradient's covariance. Along the flow,
    v/(1 − ρ²) is an integral.
    """
    rise = slope(premise)
    trace = squared_gradient(premise) - (1 - rho**2) * rise**2
    return trace / ((1 - rho**2) ** 2 * rise)


def wandering_solves_its_equation(premise: QueryPremise) -> tuple[Finding, ...]:
    """v = (1 − ρ²)∫Γ/((1 − ρ²)² J′)dρ grows as one small step makes it, along the flow (B4)."""
    x, v, h = sp.Dummy("x", real=True), sp.Dummy("v", positive=True), sp.Dummy("h", positive=True)
    trace, rise = sp.Function("Gamma"), sp.Function("J1")
    after = recursion.next_spread(h * v, h, rho, rise(rho), trace(rho)) / h
    rate = sp.limit((after - v) / h, h, 0)
    density = trace(x) / ((1 - x**2) ** 2 * rise(x))
    spread = (1 - rho**2) * sp.Integral(density, (x, start, rho))
    change = sp.diff(spread, rho) * (1 - rho**2) * rise(rho)
    same = sp.cancel(sp.expand(change - rate.subs(v, spread))) == 0
    zero = Answer.YES if same else Answer.UNKNOWN
    return (Finding(zero, f"v solves dv/dt = {_shown(rate, v)}, from v = 0"),)


def _shown(rate: sp.Expr, v: sp.Symbol) -> str:
    """The rate at which v grows, as it was derived, with Γ and J′ for what depends on ρ."""
    names = {"Gamma": sp.Symbol("Γ"), "J1": sp.Symbol("J′")}
    named = rate.replace(lambda e: str(e.func) in names, lambda e: names[str(e.func)])
    return str(named.subs({v: sp.Symbol("v"), rho: sp.Symbol("ρ")}))


def _with_noise(premise: QueryPremise) -> None:
    """Γ tends to 0 where d/L does: there 1 − ρ is of another order in the step."""
    if sp.sympify(premise.ratio).is_zero:
        raise Undetermined("Γ tends to 0 where d/L does, and 1 − ρ is no multiple of the step")


def misalignment(premise: QueryPremise) -> sp.Expr:
    """(1 − ρ)/step in the stationary state of the linearised recursion, small steps (B7)."""
    _with_noise(premise)
    step = sp.Dummy("h", positive=True)
    return sp.limit(recursion.constant_misalignment(step) / step, step, 0, "+")


def harmonic_misalignment(premise: QueryPremise) -> sp.Expr:
    """(1 − ρ)/step of the linearised recursion with steps c₀/k (B7)."""
    _with_noise(premise)
    return recursion.decaying_misalignment(1)


def at_rest(formula: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
    """A formula in trace and climb at the values that these have for the bound tokens."""
    return at_point(formula, {**bindings, **_values_at_rest(tuple(bindings.items()))})


@lru_cache(maxsize=8)
def _values_at_rest(bindings: tuple[tuple[sp.Symbol, Any], ...]) -> dict[sp.Symbol, sp.Expr]:
    premise = QueryPremise(ratio=c)
    return {
        recursion.trace: at_point(squared_gradient_at_signal(premise), dict(bindings)),
        recursion.climb: at_point(slope(premise).subs(rho, 1), dict(bindings)),
    }


@in_general
def effective_drift(premise: QueryPremise) -> sp.Expr:
    """The normalised step, its scalar products by the law of large numbers (B4, B7)."""
    return recursion.effective_drift(premise.model, premise.ratio)


def effective_drift_is_the_flow(premise: QueryPremise) -> tuple[Finding, ...]:
    """Small steps leave the flow, the gradient's mean by pairing (B4)."""
    gap = effective_drift(premise).subs(eta, 0) - flow_by_gradient(premise)
    return (Finding(is_zero(gap).answer, "at step 0 the mean step over its size is the flow"),)
