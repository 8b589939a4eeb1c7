"""What an experiment should see of a flow: from an expression to a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from numerics.flow import crossing, mean_path, trajectory
from theory.query import basin_equation, boundary, eta, rho, start, time

Bindings = Mapping[sp.Symbol, Any]
Sees = Callable[[sp.Expr, Bindings], sp.Expr]

# Far below any resolution a simulation is asked for, and quick for hundreds of false neighbours.
_TOLERANCE = 1e-9


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
    filled = expr.subs({s: v for s, v in bindings.items() if s not in (rho, start, time)})
    ends = trajectory(filled, rho, float(bindings[start]), [float(bindings[time])], rtol=_TOLERANCE)
    return float(ends[0])


@_guarded
def end_of_flow(expr: sp.Expr, bindings: Bindings) -> Any:
    """ρ at the bound time, from the bound start, where dρ/dt is the expression."""
    return _end(expr, bindings)


def spread_along(flow: Callable[[], sp.Expr]) -> Sees:
    """(1 − ρ²)∫ expression dρ from the bound start to where a flow is at the bound time."""

    def spread(expr: sp.Expr, bindings: Bindings) -> Any:
        end = _end(flow(), bindings)
        filled = expr.subs({s: v for s, v in bindings.items() if s not in (rho, start, time)})
        density = sp.lambdify(rho, filled, "mpmath")
        return (1 - end**2) * mpmath.quad(density, [float(bindings[start]), end])

    return _guarded(spread)


@_guarded
def end_of_path(expr: sp.Expr, bindings: Bindings) -> Any:
    """ρ after time/η steps of size η, where the mean change over η is the expression."""
    count = bindings[time] / bindings[eta]
    filled = expr.subs({s: v for s, v in bindings.items() if s not in (rho, start, time, eta)})
    sizes = np.full(int(count), float(bindings[eta]))
    return mean_path(filled, rho, eta, sizes, float(bindings[start]))[-1]


def at_boundary(ratio: Any, inverse_temperature: Any) -> Sees:
    """The expression at the upper end of the trap around −ξ."""
    equation = basin_equation(ratio, inverse_temperature).lhs

    def at(expr: sp.Expr, bindings: Bindings) -> sp.Expr:
        numbers = {s: v for s, v in bindings.items() if s in equation.free_symbols}
        edge = crossing(equation, rho, -1, 0, numbers, dps=20)
        return expr.subs(bindings).subs(boundary, sp.Rational(str(edge)))

    return at
