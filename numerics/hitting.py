"""The time a flow takes from one point to another, to any number of digits.

Between the two points the flow is proved to have one sign, by balls that cover the way and
are halved where they leave the sign open; the integral of one over it is then enclosed. Both
use Arb, at a precision that follows from how near a zero of the flow the way comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import flint
import mpmath
import sympy as sp

from numerics.balls import AnalyticArithmetic, BallArithmetic
from numerics.context import working
from numerics.fold import Fold
from numerics.precise import rational

Numbers = Mapping[sp.Symbol, Any]

# Halvings of the way after which a sign is left open: a zero nearer than 2^-1024 of it.
_HALVINGS = 1024
# Pieces looked at before the flow is given up as too wild to be judged.
_PIECES = 50_000
# Of the precision, where an enclosure is wider than the digits asked for.
_DOUBLINGS = 5


def hitting_time(
    flow: sp.Expr,
    variable: sp.Symbol,
    start: Any,
    target: Any,
    numbers: Numbers | None = None,
    dps: int = 30,
) -> mpmath.mpf:
    """The time in which dx/dt = flow(x) goes from start to target: the integral of 1/flow.

    The digits are those of an enclosure, however near a zero of the flow either end lies.

    Parameters
    ----------
    flow : exact, analytic between start and target, in `variable` and the symbols of `numbers`
    start, target : exact: integers, fractions, SymPy rationals, or numerals as text
    numbers : exact values for the other symbols
    dps : significant digits of the result, 1..1000

    Raises
    ------
    TypeError : for a float, whose digits are not those it was written with.
    ValueError : where the flow does not provably lead from start to target: it points the
        other way, or an equilibrium lies on the way, or one so near that no sign is certain.
        Where it has a part without a rule for balls, such as |x|.
    ArithmeticError : where the digits asked for are not reached.

    >>> x = sp.Symbol('x')
    >>> mpmath.nstr(hitting_time(x*(1 - x**2), x, '1e-8', '1/2', dps=25), 25)
    '17.87137459961831057644631'
    >>> hitting_time((x - sp.Rational(1, 3))**2, x, 0, 1)
    Traceback (most recent call last):
        ...
    ValueError: flow must lead from start to target: got no certain sign at 0.33333333
    """
    significant(dps)
    first, last = rational(start, "start"), rational(target, "target")
    if first == last:
        return mpmath.mpf(0)
    filled_in = filled(flow, variable, numbers)
    if filled_in.atoms(sp.Float):
        raise TypeError(f"flow must be exact: got {flow}")
    bits = _bits_of_one_sign(filled_in, variable, first, last)
    ball = _time(filled_in, variable, (first, last), dps, bits)
    mantissa, exponent = ball.mid().man_exp()
    return rounded(mpmath.libmp.from_man_exp(int(mantissa), int(exponent)), dps)


def significant(dps: Any) -> int:
    """A number of significant digits, checked: an integer in 1..1000."""
    if isinstance(dps, bool) or not isinstance(dps, int) or not 1 <= dps <= 1000:
        raise ValueError(f"dps must lie in 1..1000: got {dps!r}")
    return dps


def rounded(value: Any, dps: int) -> mpmath.mpf:
    """A raw number of mpmath, rounded to dps digits and two more."""
    bits = mpmath.libmp.dps_to_prec(dps + 2)
    return mpmath.mp.make_mpf(mpmath.libmp.mpf_pos(value, bits, "n"))


def filled(expr: sp.Expr, variable: sp.Symbol, numbers: Numbers | None) -> sp.Expr:
    """The expression with every symbol but the variable replaced by its exact number."""
    given = {symbol: rational(value, str(symbol)) for symbol, value in (numbers or {}).items()}
    # All at once: an expression filled in half may be asked for its sign, at any cost.
    replaced = sp.sympify(expr).xreplace(given)
    missing = sorted(map(str, replaced.free_symbols - {variable}))
    if missing:
        raise ValueError(f"numbers must have a value for every symbol: got none for {missing}")
    return replaced


def _bits_of_one_sign(
    flow: sp.Expr, variable: sp.Symbol, first: sp.Rational, last: sp.Rational
) -> int:
    """The precision at which the flow is proved to point from first to last all the way."""
    origin, way = Fraction(int(first.p), int(first.q)), Fraction(*(last - first).as_numer_denom())
    pieces, seen = [0], 0
    for halvings in range(_HALVINGS):
        # A piece of width 2^-n at a zero of order two has values of the order 2^-2n.
        bits = 64 + 2 * halvings
        open_pieces = []
        with working(bits):
            arithmetic = BallArithmetic()
            for k in pieces:
                ends = [origin + way * Fraction(k + side, 1 << halvings) for side in (0, 1)]
                low, high = (arithmetic.rational(x.numerator, x.denominator) for x in ends)
                value = Fold({variable: low.union(high)}, arithmetic)(flow)
                forward = value if way > 0 else -value
                if forward <= 0:
                    raise _misled(f"{value.mid().str(5, radius=False)} near", low)
                if not forward > 0:
                    open_pieces += [2 * k, 2 * k + 1]
        seen += len(pieces)
        if not open_pieces:
            return bits
        pieces = open_pieces
        if seen + len(pieces) > _PIECES:
            break
    where = origin + way * Fraction(pieces[0], 2 << halvings)
    raise _misled("no certain sign at", flint.arb(flint.fmpq(where.numerator, where.denominator)))


def _misled(what: str, where: Any) -> ValueError:
    shown = where.mid().str(8, radius=False)
    return ValueError(f"flow must lead from start to target: got {what} {shown}")


def _time(
    flow: sp.Expr, variable: sp.Symbol, ends: tuple[sp.Rational, sp.Rational], dps: int, bits: int
) -> Any:
    """A ball around the integral of 1/flow, as narrow as the digits ask."""
    wanted = mpmath.libmp.dps_to_prec(dps + 3)
    for doubling in range(_DOUBLINGS + 1):
        # The tolerance holds for each of the parts Arb divides the integral into, not for all.
        goal = (wanted + 20) << doubling
        with working((bits << doubling) + goal):
            rules = {flag: AnalyticArithmetic(flag) for flag in (False, True)}

            def pace(x: Any, analytic: bool, rules: Any = rules) -> Any:
                return 1 / Fold({variable: x}, rules[bool(analytic)])(flow)

            begin, end = (rules[False].rational(int(x.p), int(x.q)) for x in ends)
            pace(begin, False)  # what has no rule here is said before it is integrated
            found = flint.acb.integral(
                pace, begin, end, rel_tol=flint.arb(2) ** -goal, abs_tol=flint.arb(0)
            ).real
            if found.is_finite() and found.rel_accuracy_bits() >= wanted - 3:
                return found
    raise ArithmeticError(f"dps={dps} must be reached: got the time {found.str(10)}")
