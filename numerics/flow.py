"""The flow of one variable: trajectories by SciPy; times and boundaries to any precision.

Everything to high precision happens in a context of its own: the global precision of mpmath
is neither read nor changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from numerics.compiled import compiled
from numerics.hitting import Numbers, filled, hitting_time, rounded, significant
from numerics.precise import rational

Floats = NDArray[np.float64]

__all__ = ["crossing", "hitting_time", "mean_path", "trajectory"]


def trajectory(
    flow: sp.Expr,
    variable: sp.Symbol,
    start: float,
    times: ArrayLike,
    numbers: Numbers | None = None,
    rtol: float = 1e-12,
    evaluations: int = 1_000_000,
) -> Floats:
    """The solution of dx/dt = flow(x), x(0) = start, at the given times.

    Parameters
    ----------
    flow : SymPy expression in `variable` and the symbols of `numbers`
    start : finite; states much smaller than 1 keep their relative precision
    times : shape (n,), not negative, in rising order
    numbers : a value for every other symbol
    rtol : relative tolerance of a step
    evaluations : of the flow, after which the integration is given up

    Raises
    ------
    ValueError : for a symbol without a number, a start or times out of range, or a failure
        of the integrator.

    >>> x = sp.Symbol('x')
    >>> float(trajectory(x*(1 - x**2), x, 1e-8, [17.8713745996183])[0].round(10))
    0.5
    """
    from scipy.integrate import solve_ivp

    at = np.asarray(times, dtype=np.float64)
    if at.ndim != 1 or at.size == 0 or not np.isfinite(at).all() or (at < 0).any():
        raise ValueError(f"times must be a list of finite numbers, not negative: got {times!r}")
    if (np.diff(at) < 0).any():
        raise ValueError(f"times must rise: got {times!r}")
    if not np.isfinite(start):
        raise ValueError(f"start must be finite: got {start}")
    if at[-1] == 0:
        return np.full(at.shape, float(start))
    speed = compiled(flow, [variable], numbers)
    left = iter(range(evaluations))

    def rate(_: float, x: Floats) -> list[float]:
        if next(left, None) is None:
            raise ValueError(f"flow must be smooth: got no end in {evaluations} evaluations")
        try:
            return [speed(float(x[0]))]
        except (ArithmeticError, ValueError):
            # A trial step too far: the integrator tries a shorter one.
            return [np.nan]

    found = solve_ivp(
        rate,
        (0.0, at[-1]),
        [float(start)],
        method="DOP853",
        t_eval=at,
        rtol=rtol,
        # an absolute tolerance above the state would let a small state drift freely
        atol=rtol * min(1.0, abs(start) or 1.0),
    )
    if not found.success:
        raise ValueError(f"the flow must have a solution up to t = {at[-1]}: {found.message}")
    return np.asarray(found.y[0], dtype=np.float64)


def mean_path(
    flow: sp.Expr,
    variable: sp.Symbol,
    step: sp.Symbol,
    sizes: ArrayLike,
    start: float,
    numbers: Numbers | None = None,
) -> Floats:
    """x_(k+1) = x_k + eta_k flow(x_k, eta_k): what a recursion does without its noise.

    Parameters
    ----------
    flow : SymPy expression in `variable`, `step` and the symbols of `numbers`
    sizes : shape (n,), the steps eta_k
    start : finite

    Raises
    ------
    ValueError : where the states leave the range of the flow, as they do at too large steps.

    Returns the states, shape (n + 1,), the start first.

    >>> x, h = sp.symbols('x h')
    >>> mean_path(-x, x, h, [0.5, 0.5], 1.0)
    array([1.  , 0.5 , 0.25])
    """
    etas = np.asarray(sizes, dtype=np.float64)
    if etas.ndim != 1 or not np.isfinite(start):
        raise ValueError(f"sizes must have one axis and start be finite: got {start}")
    speed = compiled(flow, [variable, step], numbers)
    path = [float(start)]
    for k, eta in enumerate(etas.tolist()):
        try:
            path.append(path[-1] + eta * speed(path[-1], eta))
        except (ArithmeticError, ValueError):
            raise ValueError(f"flow must stay finite: got {path[-1]} at step {k}") from None
    return np.asarray(path)


def crossing(
    expr: sp.Expr,
    variable: sp.Symbol,
    low: Any,
    high: Any,
    numbers: Numbers | None = None,
    dps: int = 30,
) -> mpmath.mpf:
    """The zero of an expression between two points where its signs differ.

    The bracket is kept throughout, and the signs a unit of the last digit on either side of
    the result are checked to differ: a double root is refused, never guessed.

    Parameters
    ----------
    low, high, numbers : exact, as for `hitting_time`
    dps : significant digits, 1..1000

    Raises
    ------
    ValueError : where the signs do not differ.

    >>> x = sp.Symbol('x')
    >>> mpmath.nstr(crossing(x**2 - 2, x, 1, 2, dps=25), 25)
    '1.414213562373095048801689'
    """
    context = _context(dps)
    value = _function(filled(expr, variable, numbers), variable, context)
    left, right = (_number(rational(x, n), context) for x, n in ((low, "low"), (high, "high")))
    at_left, at_right = value(left), value(right)
    if at_left == 0:
        return rounded(left._mpf_, dps)
    if at_right == 0:
        return rounded(right._mpf_, dps)
    if not at_left * at_right < 0:
        raise ValueError(
            f"expr must change sign between low={low} and high={high}: "
            f"got {context.nstr(at_left, 5)} and {context.nstr(at_right, 5)}"
        )
    root = context.findroot(value, (left, right), solver="anderson", verify=False)
    width = context.mpf(10) ** (-dps) * max(abs(root), context.mpf(10) ** (-dps))
    if not value(root - width) * value(root + width) < 0:
        raise ValueError(f"expr must cross 0 to {dps} digits: got no change of sign at {root}")
    return rounded(root._mpf_, dps)


def _context(dps: int) -> Any:
    """A context of its own with guard digits."""
    context = mpmath.MPContext()
    context.dps = significant(dps) + 15
    return context


def _number(value: sp.Rational, context: Any) -> Any:
    return context.mpf(int(value.p)) / int(value.q)


def _function(expr: sp.Expr, variable: sp.Symbol, context: Any) -> Callable[[Any], Any]:
    """The expression as a function in the numbers of one context, constants included."""
    names = {name: getattr(context, name) for name in dir(context) if not name.startswith("_")}
    function: Callable[[Any], Any] = sp.lambdify(
        variable, expr, modules=[names], printer=_printer()
    )
    return function


def _printer() -> Any:
    """mpmath's printer without module names: `mpf`, `exp`, ... are looked up in the context."""
    from sympy.printing.pycode import MpmathPrinter

    return MpmathPrinter({"fully_qualified_modules": False, "inline": True})
