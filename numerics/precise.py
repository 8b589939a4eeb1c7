"""Exact expressions to digits. The one owner of precision.

Every call works in a private mpmath context: neither the global precision nor another thread's
can enter, and nothing global is changed.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

import flint
import mpmath
import sympy as sp

from numerics.context import working
from numerics.fold import Fold, Unsupported, fold

MOST_DIGITS = 100_000


def digits(dps: Any) -> int:
    """A number of decimal digits, checked: an integer in 1..100000.

    >>> digits(0)
    Traceback (most recent call last):
        ...
    ValueError: dps must be an integer in 1..100000: got 0
    """
    whole = isinstance(dps, Integral) and not isinstance(dps, bool)
    if not whole or not 1 <= int(dps) <= MOST_DIGITS:
        raise ValueError(f"dps must be an integer in 1..{MOST_DIGITS}: got {dps!r}")
    return int(dps)


def rational(value: Any, name: str) -> sp.Rational:
    """An exact real number from an int, Fraction, SymPy rational or decimal string.

    Floats are refused: 0.1 is not 1/10, and its error would be printed to every digit asked.

    >>> rational('0.1', 'x')
    1/10
    """
    if isinstance(value, str):
        try:
            parsed = Fraction(value.strip())
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"{name} must be a decimal or a fraction: got {value!r}") from None
        return sp.Rational(parsed.numerator, parsed.denominator)
    if isinstance(value, bool) or not isinstance(value, (Rational, sp.Rational)):
        raise TypeError(f"{name} must be exact: got {value!r}; write Rational(1, 10) or '0.1'")
    return sp.Rational(value.numerator, value.denominator)


class Fractions:
    """Rational numbers, as an arithmetic for `fold`: exact, and much faster than SymPy's."""

    constants: Mapping[sp.Expr, Any] = {}
    functions: Mapping[type, Any] = {}

    def rational(self, top: int, bottom: int) -> Fraction:
        """top/bottom."""
        return Fraction(top, bottom)

    def integer_power(self, base: Fraction, exponent: int) -> Fraction:
        """Integer power."""
        return base**exponent

    def power(self, base: Fraction, exponent: Fraction) -> Fraction:
        """Refused: not rational in general."""
        raise Unsupported(f"{base}**{exponent} is not a rational operation")

    def algebraic(self, root: sp.CRootOf) -> Fraction:
        """Refused: not rational."""
        raise Unsupported(f"{root} is not rational")


def fractions(values: Mapping[sp.Symbol, Any]) -> Fold:
    """Exact values of rational expressions at one rational point, for many of them.

    Raises Unsupported (a ValueError) for expressions with other operations, and
    ZeroDivisionError at a pole.

    >>> x = sp.Symbol('x')
    >>> fractions({x: '0.5'})(1/(1 + x))
    Fraction(2, 3)
    """
    exact_values = {s: rational(v, str(s)) for s, v in values.items()}
    return Fold({s: Fraction(int(v.p), int(v.q)) for s, v in exact_values.items()}, Fractions())


# Contexts by precision, of one thread each: to clone one takes longer than most evaluations.
_contexts = threading.local()
_KEPT = 16


def _context(dps: int) -> Context:
    kept: dict[int, Context] = vars(_contexts).setdefault("by_digits", {})
    if dps not in kept:
        if len(kept) == _KEPT:
            kept.clear()
        kept[dps] = Context(dps)
    return kept[dps]


class Context:
    """mpmath at a private precision, as an arithmetic for `fold`."""

    def __init__(self, dps: int) -> None:
        self.mp = mpmath.mp.clone()
        self.mp.dps = dps
        mp = self.mp
        self.constants = {
            sp.pi: +mp.pi, sp.E: +mp.e, sp.EulerGamma: +mp.euler, sp.I: mp.mpc(0, 1),
            sp.GoldenRatio: +mp.phi, sp.Catalan: +mp.catalan,
        }
        self.functions = {
            sp.exp: mp.exp, sp.log: mp.log, sp.sin: mp.sin, sp.cos: mp.cos, sp.tan: mp.tan,
            sp.asin: mp.asin, sp.acos: mp.acos, sp.atan: mp.atan, sp.sinh: mp.sinh,
            sp.cosh: mp.cosh, sp.tanh: mp.tanh, sp.asinh: mp.asinh, sp.acosh: mp.acosh,
            sp.atanh: mp.atanh, sp.erf: mp.erf, sp.erfc: mp.erfc, sp.gamma: mp.gamma,
            sp.loggamma: mp.loggamma, sp.factorial: mp.factorial, sp.binomial: mp.binomial,
            sp.harmonic: lambda n, *order: mp.harmonic(n), sp.polygamma: mp.psi,
            sp.LambertW: mp.lambertw, sp.Abs: mp.fabs, sp.Min: min, sp.Max: max,
            sp.floor: mp.floor, sp.ceiling: mp.ceil,
        }  # fmt: skip

    def rational(self, top: int, bottom: int) -> Any:
        """top/bottom, rounded once."""
        return self.mp.mpf(top) / bottom

    def power(self, base: Any, exponent: Any) -> Any:
        """Principal power."""
        return self.mp.power(base, exponent)

    def integer_power(self, base: Any, exponent: int) -> Any:
        """Integer power."""
        return base**exponent

    def algebraic(self, root: sp.CRootOf) -> Any:
        """A root of an exact polynomial, from Arb's certified isolation at this precision."""
        mp = self.mp
        coefficients = [int(c) for c in root.poly.clear_denoms(convert=True)[1].all_coeffs()]
        with working(mp.prec + 16):
            found: Any = flint.fmpz_poly(coefficients[::-1]).complex_roots()
            balls = [z for z, _ in found]
            if root.is_real:
                # SymPy numbers the real roots first, ascending.
                real = sorted((z.real for z in balls if z.imag == 0), key=lambda ball: ball.mid())
                return self._middle(real[root.index])
            near = [part.evalf(20) for part in root.as_real_imag()]
            middles = [mp.mpc(self._middle(z.real), self._middle(z.imag)) for z in balls]
        return min(middles, key=lambda z: abs(z - mp.mpc(*map(mp.convert, near))))

    def _middle(self, ball: Any) -> Any:
        mantissa, exponent = ball.mid().man_exp()
        return self.mp.ldexp(self.mp.mpf(int(mantissa)), int(exponent))


def evaluate(
    expr: sp.Expr, values: Mapping[sp.Symbol, Any] | None = None, dps: int = 30
) -> sp.Expr:
    """An exact expression to `dps` significant digits.

    The value is computed at increasing precision until two agree to the digits asked for, and
    is returned as a SymPy Float of that precision (real and imaginary part if complex).

    Parameters
    ----------
    expr : SymPy expression without floats
    values : number for each free symbol: int, Fraction, SymPy rational, or decimal string
    dps : decimal digits, 1..100000

    Raises
    ------
    TypeError : for floats.
    ValueError : for symbols without value, strings that are no number, results not finite.
    ArithmeticError : when 8 doublings of precision do not settle the digits.

    >>> x = sp.Symbol('x')
    >>> evaluate(sp.sqrt(x), {x: '0.1'}, dps=40)
    0.3162277660168379331998893544432718533720
    """
    dps = digits(dps)
    expr = sp.sympify(expr)
    if not isinstance(expr, sp.Expr):
        raise TypeError(f"expr must be an expression: got {expr!r}")
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"values must map symbols to numbers: got {values!r}")
    if expr.atoms(sp.Float):
        raise TypeError(f"expr must be exact: got {expr}; write Rational(1, 10) or '0.1'")
    exact_values = {s: rational(v, str(s)) for s, v in (values or {}).items()}
    unknown = sorted(str(s) for s in expr.free_symbols - exact_values.keys())
    if unknown:
        raise ValueError(f"values must give a number for each symbol: none for {unknown[0]}")
    previous = None
    working = dps + 10
    for _ in range(9):
        context = _context(working)
        given = {s: context.rational(int(v.p), int(v.q)) for s, v in exact_values.items()}
        try:
            value = fold(expr, given, context)
        except ZeroDivisionError:
            raise ValueError(f"the value of {expr} is not finite at {exact_values}") from None
        if not context.mp.isfinite(value):
            raise ValueError(f"the value of {expr} is not finite at {exact_values}")
        if previous is not None:
            gap = abs(value - context.mp.convert(previous))
            if gap <= abs(value) * context.mp.mpf(10) ** -(dps + 2):
                return to_sympy(value, dps)
            # A value that shrinks with the precision is 0 to any digits that can be asked.
            if abs(value) < context.mp.mpf(10) ** -(working // 2) and working > 8 * dps:
                return sp.Float(0, dps)
        previous = value
        working *= 2
    raise ArithmeticError(f"{dps} digits of {expr} did not settle")


def to_sympy(value: Any, dps: int) -> sp.Expr:
    """An mpmath number of any context as SymPy Floats of a given precision."""
    if hasattr(value, "_mpc_"):
        re, im = (sp.Float(part, dps) for part in (value.real, value.imag))
        return re if im == 0 else re + sp.I * im
    return sp.Float(value, dps)
