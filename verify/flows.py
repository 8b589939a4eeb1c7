"""Flows and landscapes as numbers: what an experiment should see, and what a claim notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from numerics.compiled import compiled
from numerics.flow import crossing, mean_path, trajectory
from theory.algebra import at_point
from theory.query import (
    b,
    basin_equation,
    boundary,
    c,
    critical_share,
    critical_strength,
    eta,
    rho,
    share,
    start,
    target,
    theta,
    time,
    trap_probability,
)
from theory.query.recursion import scale
from theory.query.statements import QueryPremise
from theory.query.step_statements import count, offset

Bindings = Mapping[sp.Symbol, Any]
Sees = Callable[[sp.Expr, Bindings], sp.Expr]

# Far below any resolution a simulation is asked for, and quick for hundreds of false neighbours.
_TOLERANCE = 1e-7
# Twenty times what the flows of the registry need; one with a pole on its way never ends.
_EVALUATIONS = 2000


def _number(value: Any) -> sp.Expr:
    """A finite real number as an exact one; what is not finite is no number to be seen."""
    real = complex(value)
    if real.imag != 0 or not np.isfinite(real.real):
        return sp.nan
    return sp.Rational(real.real)


def _guarded(seen: Callable[[sp.Expr, Bindings], Any]) -> Sees:
    """A flow without a solution there, such as many a false neighbour's, shows no number."""

    def guarded(expr: sp.Expr, bindings: Bindings) -> sp.Expr:
        try:
            with np.errstate(all="ignore"):
                return _number(seen(expr, bindings))
        except (ValueError, ArithmeticError, TypeError):
            return sp.nan

    guarded.__doc__, guarded.__name__ = seen.__doc__, seen.__name__
    return guarded


def _end(expr: sp.Expr, bindings: Bindings) -> float:
    numbers = {s: v for s, v in bindings.items() if s not in (rho, start, time)}
    begin, times = float(bindings[start]), [float(bindings[time])]
    return float(trajectory(expr, rho, begin, times, numbers, _TOLERANCE, _EVALUATIONS)[0])


@_guarded
def end_of_flow(expr: sp.Expr, bindings: Bindings) -> Any:
    """ρ at the bound time, from the bound start, where dρ/dt is the expression."""
    return _end(expr, bindings)


def spread_along(flow: Callable[[QueryPremise], sp.Expr]) -> Sees:
    """(1 − ρ²)∫ expression dρ from the bound start to where a flow is at the bound time.

    The flow is that of a ratio c, which the bindings give.
    """

    def spread(expr: sp.Expr, bindings: Bindings) -> Any:
        from scipy.integrate import quad

        end = _end(flow(QueryPremise(ratio=c)), bindings)
        numbers = {s: v for s, v in bindings.items() if s not in (rho, start, time)}
        total, _ = quad(compiled(expr, [rho], numbers), float(bindings[start]), end)
        return (1 - end**2) * total

    return _guarded(spread)


@_guarded
def time_along(expr: sp.Expr, bindings: Bindings) -> Any:
    """The integral of the expression over ρ from the bound start to the bound target."""
    from scipy.integrate import quad

    numbers = {s: v for s, v in bindings.items() if s is not rho}
    total, _ = quad(compiled(expr, [rho], numbers), float(bindings[start]), float(bindings[target]))
    return total


@_guarded
def end_of_path(expr: sp.Expr, bindings: Bindings) -> Any:
    """ρ after `count` steps η = c₀/(k₀ + k), where the mean change over η is the expression."""
    numbers = {s: v for s, v in bindings.items() if s not in (rho, start)}
    steps = np.arange(int(bindings[count])) + float(bindings[offset])
    sizes = float(bindings[scale]) / steps
    return mean_path(expr, rho, eta, sizes, float(bindings[start]), numbers)[-1]


@_guarded
def at_boundary(expr: sp.Expr, bindings: Bindings) -> Any:
    """The expression at the upper end of the trap around −ξ."""
    edge = _edge(bindings[share], bindings[theta], bindings[c], bindings[b])
    return at_point(expr, {**bindings, boundary: sp.Rational(str(edge))})


def trap_boundary(
    part: Any, strength: Any, ratio: Any = 0, inverse_temperature: Any = 1, dps: int = 20
) -> mpmath.mpf:
    """The upper end of the trap around −ξ; ValueError where there is none.

    >>> print(mpmath.nstr(trap_boundary('1/21', 2), 8))
    -0.54173896
    """
    numbers = {share: part, theta: strength}
    return crossing(_equation(ratio, inverse_temperature), rho, -1, 0, numbers, dps=dps)


# Every false neighbour of a formula asks for the same one.
_edge = lru_cache(maxsize=16)(trap_boundary)


@lru_cache(maxsize=16)
def _equation(ratio: Any, inverse_temperature: Any) -> sp.Expr:
    return basin_equation(ratio, inverse_temperature).lhs


# --- notes of a claim on the landscape ----------------------------------------------------------


def region(premise: QueryPremise) -> str:
    """Where the landscape is monotone, and on which side of it these tokens are."""
    needed = critical_share(premise.ratio, premise.inverse_temperature)
    least = sp.N(needed.subs(theta, premise.strength), 6)
    side = "reached" if premise.share >= least else "missed"
    return (
        f"proved: monotone iff bθ ≤ 1 or π ≥ π_c(θ) where d/L → 0; π_c({premise.strength}) = "
        f"{least}, {side} by π = {premise.share}"
    )


def trap_of(premise: QueryPremise) -> str:
    """The boundary of the trap, and how likely a uniform start is in it."""
    try:
        edge = trap_boundary(premise.share, premise.strength, premise.ratio)
    except ValueError:
        return ""
    chances = ", ".join(
        f"{float(trap_probability(sp.Rational(str(edge)), n)):.3f} at d = {n}" for n in (3, 6, 20)
    )
    return (
        f"−ξ attracts from ρ < {mpmath.nstr(edge, 12)}; a uniform start is there with "
        f"probability {chances}"
    )


def finite_ratios(premise: QueryPremise) -> str:
    """What a finite d/L changes."""
    told = []
    for ratio in ("1/20", "1/4", "1"):
        strength = mpmath.nstr(sp.N(critical_strength(ratio, 1), 8), 4)
        needed = sp.N(critical_share(ratio, 1).subs(theta, premise.strength), 4)
        words = f"d/L = {ratio}: monotone at every share up to θ = {strength}, "
        words += f"here iff π ≥ {needed}"
        try:
            edge = trap_boundary(premise.share, premise.strength, ratio)
        except ValueError:
            words += ", no trap"
        else:
            words += f", trap below {mpmath.nstr(edge, 5)}"
        told.append(words)
    return "a finite d/L enlarges the trap; " + "; ".join(told)
