"""The flow of one variable: trajectories by SciPy; times and boundaries to any precision.

Everything to high precision happens in a context of its own: the global precision of mpmath
is neither read nor changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from numerics.compiled import compiled

Floats = NDArray[np.float64]
Numbers = Mapping[sp.Symbol, Any]


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


def hitting_time(
    flow: sp.Expr,
    variable: sp.Symbol,
    start: Any,
    target: Any,
    numbers: Numbers | None = None,
    dps: int = 30,
) -> mpmath.mpf:
    """The time in which dx/dt = flow(x) goes from start to target: the integral of 1/flow.

    Parameters
    ----------
    start, target : exact: integers, fractions, SymPy rationals, or numerals as text
    numbers : exact values for the other symbols
    dps : significant digits of the result, 1..1000

    Raises
    ------
    TypeError : for a float, whose digits are not those it was written with.
    ValueError : where the flow does not lead from start to target.

    >>> x = sp.Symbol('x')
    >>> mpmath.nstr(hitting_time(x*(1 - x**2), x, '1e-8', '1/2', dps=25), 25)
    '17.87137459961831057644631'
    """
    context = _context(dps)
    first, last = _exact(start, "start"), _exact(target, "target")
    if first == last:
        return context.mpf(0)
    speed = _function(_filled(flow, variable, numbers), variable, context)
    begin, end = _number(first, context), _number(last, context)
    points = _panels(begin, end, context)
    _check_direction(speed, points, end > begin, context)
    total = context.quad(lambda x: 1 / speed(x), points)
    return _rounded(total, dps)


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
    filled = _filled(expr, variable, numbers)
    value = _function(filled, variable, context)
    left, right = (_number(_exact(x, n), context) for x, n in ((low, "low"), (high, "high")))
    at_left, at_right = value(left), value(right)
    if at_left == 0:
        return _rounded(left, dps)
    if at_right == 0:
        return _rounded(right, dps)
    if not at_left * at_right < 0:
        raise ValueError(
            f"expr must change sign between low={low} and high={high}: "
            f"got {context.nstr(at_left, 5)} and {context.nstr(at_right, 5)}"
        )
    root = context.findroot(value, (left, right), solver="anderson", verify=False)
    width = context.mpf(10) ** (-dps) * max(abs(root), context.mpf(10) ** (-dps))
    if not value(root - width) * value(root + width) < 0:
        raise ValueError(f"expr must cross 0 to {dps} digits: got no change of sign at {root}")
    return _rounded(root, dps)


def _context(dps: int) -> Any:
    """A context of its own with guard digits."""
    if isinstance(dps, bool) or not isinstance(dps, int) or not 1 <= dps <= 1000:
        raise ValueError(f"dps must lie in 1..1000: got {dps!r}")
    context = mpmath.MPContext()
    context.dps = dps + 15
    return context


def _rounded(value: Any, dps: int) -> mpmath.mpf:
    """The value as a number of mpmath, rounded to dps digits and two more."""
    bits = mpmath.libmp.dps_to_prec(dps + 2)
    return mpmath.mp.make_mpf(mpmath.libmp.mpf_pos(value._mpf_, bits, "n"))


def _exact(value: Any, name: str) -> sp.Rational:
    """A rational number; floats are refused."""
    if isinstance(value, bool | float):
        raise TypeError(f"{name} must be exact: got {value!r}; write '0.1' or Rational(1, 10)")
    if isinstance(value, str):
        try:
            return sp.Rational(Fraction(value))
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"{name} must be a decimal or a fraction: got {value!r}") from None
    if isinstance(value, int | np.integer):
        return sp.Integer(int(value))
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    if isinstance(value, sp.Rational) and value.is_finite:
        return value
    raise TypeError(f"{name} must be a rational number: got {value!r}")


def _number(value: sp.Rational, context: Any) -> Any:
    return context.mpf(int(value.p)) / int(value.q)


def _filled(expr: sp.Expr, variable: sp.Symbol, numbers: Numbers | None) -> sp.Expr:
    """The expression with every symbol but the variable replaced by its exact number."""
    given = {symbol: _exact(value, str(symbol)) for symbol, value in (numbers or {}).items()}
    # All at once: an expression filled in half may be asked for its sign, at any cost.
    filled = sp.sympify(expr).xreplace(given)
    missing = sorted(map(str, filled.free_symbols - {variable}))
    if missing:
        raise ValueError(f"numbers must have a value for every symbol: got none for {missing}")
    return filled


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


def _panels(begin: Any, end: Any, context: Any) -> list[Any]:
    """Points of subdivision, in decades of the distance from 0 for small states."""
    inner = []
    if begin * end > 0:
        low, high = sorted((abs(begin), abs(end)))
        decade = 10 * low
        while decade < high:
            inner.append(decade if begin > 0 else -decade)
            decade *= 10
    ends = sorted([begin, end, *inner], reverse=bool(begin > end))
    fine = []
    for left, right in pairwise(ends):
        fine += [left + (right - left) * k / 4 for k in range(4)]
    return [*fine, end]


def _check_direction(
    speed: Callable[[Any], Any], points: list[Any], rising: bool, context: Any
) -> None:
    """The flow must point from start to target at every point looked at."""
    for left, right in pairwise(points):
        for k in range(17):
            at = left + (right - left) * k / 16
            value = speed(at)
            if not (value > 0 if rising else value < 0):
                where, what = context.nstr(at, 8), context.nstr(value, 5)
                raise ValueError(f"flow must lead from start to target: got {what} at {where}")
