"""Exact expressions: what may enter, and when two of them are equal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from numbers import Integral
from typing import Any

import sympy as sp
from sympy.core.evalf import PrecisionExhausted

_NUMERAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?(/\d+)?")


def exact(value: Any, name: str) -> sp.Expr:
    """The exact SymPy form of a number or an expression.

    Parameters
    ----------
    value : int, Fraction, SymPy expression, or a string such as '0.1', '1/3', '1e-6'
    name : what to call it in an error

    Raises
    ------
    TypeError : for a Python or NumPy float, a SymPy Float inside, or any other type.
    ValueError : for a string that is no numeral, and for values that are not finite.

    >>> exact('0.1', 'delta')
    1/10
    >>> exact(0.1, 'delta')
    Traceback (most recent call last):
        ...
    TypeError: delta must be exact: got 0.1; write Rational(1, 10) or '0.1'
    """
    if isinstance(value, str):
        # A numeral is matched, never evaluated: sympify on text executes it.
        text = value.strip()
        if not _NUMERAL.fullmatch(text):
            raise ValueError(f"{name} must be a decimal or a fraction: got {value!r}")
        top, _, bottom = text.partition("/")
        if bottom and int(bottom) == 0:
            raise ValueError(f"{name} must be finite: got {value!r}")
        return sp.Rational(Fraction(top)) / (int(bottom) if bottom else 1)
    if isinstance(value, bool):
        raise TypeError(f"{name} must be a number: got {value}")
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    if isinstance(value, Integral):
        return sp.Integer(int(value))
    if not isinstance(value, sp.Expr) or value.atoms(sp.Float):
        shown = value if isinstance(value, sp.Expr) else repr(value)
        raise TypeError(
            f"{name} must be exact: got {shown}; write Rational(1, 10) or '0.1'"
        )
    if value.has(sp.nan, sp.oo, -sp.oo, sp.zoo):
        raise ValueError(f"{name} must be finite: got {value}")
    return value


def positive(value: Any, name: str) -> sp.Expr:
    """`exact`, refused when it is known not to be positive.

    >>> positive(0, 'delta')
    Traceback (most recent call last):
        ...
    ValueError: delta must be positive: got 0
    """
    expr = exact(value, name)
    if expr.is_positive is False or (expr.is_number and not expr.is_positive):
        raise ValueError(f"{name} must be positive: got {expr}")
    return expr


def at_point(expr: sp.Basic, values: Mapping[sp.Symbol, Any]) -> Any:
    """The expression with these values in place of their symbols, all in one pass.

    SymPy's own substitution takes one symbol after another, and asks what is left in between
    for its sign; of a long quotient that may need a division of polynomials with no end (with
    the integers of FLINT: of the process). From the leaves upwards nothing is left in between.

    Parameters
    ----------
    expr : an expression, or a condition
    values : numbers or expressions; a value may contain symbols that are replaced

    >>> x, y = sp.symbols("x y")
    >>> at_point(sp.sqrt(x) + y, {x: 4, y: x})
    x + 2
    >>> at_point(x > y, {x: 4, y: 3})
    True
    """
    return expr.xreplace({symbol: sp.sympify(value) for symbol, value in values.items()})


class Undetermined(ValueError):
    """Raised by a derivation whose premises do not determine the quantity asked for."""


class Answer(Enum):
    """What an exact question can be answered with."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Finding:
    """The answer to an exact question, with the reason in words."""

    answer: Answer
    reason: str


@dataclass(frozen=True)
class ZeroTest:
    """Whether an expression vanishes identically; with NO, a point where it does not."""

    answer: Answer
    witness: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()
    value: sp.Expr | None = None


def normal_form(expr: sp.Expr) -> sp.Expr:
    """One fraction in lowest terms, radicands factored so that perfect powers open.

    >>> a, b = sp.symbols('a b', positive=True)
    >>> normal_form(sp.sqrt(a**2 + 2*a*b + b**2) - a - b)
    0
    """
    opened = expr.replace(
        lambda e: e.is_Pow and e.exp.is_Rational and not e.exp.is_Integer,
        lambda e: sp.factor(e.base) ** e.exp,
    )
    opened = opened.replace(sp.log, lambda arg: sp.log(normal_form(arg)))
    opened = sp.expand_log(opened).replace(sp.exp, lambda arg: sp.exp(sp.expand(arg)))
    opened = sp.expand_power_exp(opened)
    bases = _exponential_bases(opened)
    plain = opened.replace(sp.exp, lambda arg: _in_bases(arg, bases))
    if sp.S.One in bases:
        plain = plain.subs(sp.E, _in_bases(sp.S.One, bases))
    back = {letter: sp.exp(unit * direction) for direction, (unit, letter) in bases.items()}
    return _lowest_terms(plain).xreplace(back)


def _lowest_terms(expr: sp.Expr) -> sp.Expr:
    """One fraction, factored; a field of rational functions is the fast way where it applies."""
    letters = expr.free_symbols
    if not letters or not expr.is_rational_function(*letters):
        return sp.factor(sp.expand(expr))
    try:
        quotient = sp.QQ.frac_field(*sp.Poly(sp.Add(*letters)).gens).field.from_expr(expr)
    except (ValueError, sp.CoercionFailed):
        # Numbers that are not rational.
        return sp.factor(sp.expand(expr))
    (over, tops), (under, bottoms) = (
        part.factor_list() for part in (quotient.numer, quotient.denom)
    )
    factors = [top.as_expr() ** power for top, power in tops]
    factors += [bottom.as_expr() ** -power for bottom, power in bottoms]
    return sp.Mul(sp.QQ.to_sympy(over) / sp.QQ.to_sympy(under), *factors)


def _exponential_bases(expr: sp.Expr) -> dict[sp.Expr, tuple[sp.Rational, sp.Dummy]]:
    """For each direction s of exponents q·s, the largest unit all q are multiples of, and a letter.

    Without it exp(18x/25) would be factored as the 18th power of exp(x/25).
    """
    found: dict[sp.Expr, sp.Rational] = {sp.S.One: sp.S.One} if expr.has(sp.E) else {}
    for exponential in expr.atoms(sp.exp):
        number, direction = exponential.args[0].as_coeff_Mul(rational=True)
        found[direction] = sp.gcd(found.get(direction, sp.S.Zero), number)
    return {
        direction: (unit, sp.Dummy(f"exp{k}", positive=direction.is_extended_real))
        for k, (direction, unit) in enumerate(sorted(found.items(), key=lambda pair: str(pair[0])))
    }


def _in_bases(
    exponent: sp.Expr, bases: Mapping[sp.Expr, tuple[sp.Rational, sp.Dummy]]
) -> sp.Expr:
    number, direction = exponent.as_coeff_Mul(rational=True)
    unit, letter = bases[direction]
    return letter ** (number / unit)


def is_zero(expr: Any, where: Sequence[Any] = ()) -> ZeroTest:
    """Does an expression vanish for all values of its symbols?

    YES is a proof by normal form. NO comes with an exact witness point, inside the symbols'
    assumptions and inside `where`, at which the value is an exact number other than 0: a
    normal form that merely looks different refutes nothing. Otherwise UNKNOWN.

    Parameters
    ----------
    expr : exact SymPy expression
    where : relations the witness has to satisfy

    >>> x = sp.Symbol('x', positive=True)
    >>> is_zero((x**2 - 1)/(x - 1) - x - 1).answer
    <Answer.YES: 'yes'>
    >>> is_zero(x**2 - 2*x, where=[x > 2]).witness
    ((x, 109),)
    """
    expr = exact(expr, "expr")
    symbols = tuple(sorted(expr.free_symbols, key=str))
    tried = points(symbols, tuple(where))
    # Two points tell nearly every difference; the rest are for those that vanish there.
    for point in tried[:2]:
        value = expr.xreplace(point)
        if _is_plainly_nonzero(value):
            return ZeroTest(Answer.NO, tuple(point.items()), value)
    form = normal_form(expr)
    if form == 0:
        return ZeroTest(Answer.YES)
    if form.is_number and form.is_algebraic:
        x = sp.Dummy("x")
        if sp.minimal_polynomial(form, x) == x:
            return ZeroTest(Answer.YES)
    for point in tried:
        value = expr.xreplace(point)
        if _is_nonzero(value):
            return ZeroTest(Answer.NO, tuple(point.items()), value)
    return ZeroTest(Answer.UNKNOWN)


def _is_plainly_nonzero(value: sp.Expr) -> bool:
    """Whether two digits of a real number are found at little precision; cheap where it is 0."""
    if value.is_Rational:
        return bool(value != 0)
    try:
        # Only whether it is 0 is taken, as SymPy's own assumptions would, at far more digits.
        seen = sp.N(value, 2, maxn=40, strict=True)
    except PrecisionExhausted:
        return False
    return bool(seen.is_Float and seen != 0)


def _is_nonzero(value: sp.Expr) -> bool:
    """Whether a number is finite and known not to be 0; what is not real is not 0."""
    if not value.is_finite:
        return False
    if value.has(sp.I):
        value = sp.expand(value)
    return bool(value.is_positive or value.is_negative or value.is_real is False)


@lru_cache(maxsize=256)
def points(
    symbols: tuple[sp.Symbol, ...], where: tuple[Any, ...] = (), count: int = 8
) -> tuple[Mapping[sp.Symbol, sp.Expr], ...]:
    """Up to `count` exact points inside the symbols' assumptions and `where`, always the same.

    A point has a value for the symbols of the conditions too.

    >>> x = sp.Symbol('x', positive=True)
    >>> [point[x] for point in points((x,), (x > 5,), count=2)]
    [109, 191/17]
    """
    bound = {s for condition in where for s in condition.free_symbols} - set(symbols)
    symbols += tuple(sorted(bound, key=str))
    if not symbols:
        return ({},)
    conditions = [(condition, _excess(condition)) for condition in where]
    found: list[Mapping[sp.Symbol, sp.Expr]] = []
    for trial in range(200):
        point = {s: _coordinate(s, trial, i) for i, s in enumerate(symbols)}
        if all(_holds(condition, excess, point) for condition, excess in conditions):
            found.append(point)
            if len(found) == count:
                break
    return tuple(found)


def _excess(condition: Any) -> sp.Expr | None:
    """What is positive where a strict inequality holds; None for other conditions."""
    if isinstance(condition, sp.StrictGreaterThan | sp.StrictLessThan):
        return condition.gts - condition.lts
    return None


def _holds(condition: Any, excess: sp.Expr | None, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether a condition is met; a rational excess has its sign without SymPy's assumptions."""
    value = None if excess is None else excess.xreplace(point)
    if value is not None and value.is_Rational:
        return bool(value > 0)
    return bool(condition.xreplace(point) == sp.true)


def _coordinate(symbol: sp.Symbol, trial: int, index: int) -> sp.Expr:
    """A value for one symbol; primes keep accidental cancellations away."""
    top = sp.prime(1 + (7 * trial + 3 * index + trial * index) % 60)
    if symbol.is_integer:
        return sp.Integer(top + 1)
    bottom = sp.prime(1 + (5 * trial + 11 * index) % 12)
    size = sp.Rational(top, bottom) if trial % 4 else sp.Integer(top)
    # Every combination of large and small comes up within the first trials.
    if trial >> index & 1:
        size = 1 / size
    if symbol.is_positive or symbol.is_nonnegative or trial % 2 == 0:
        return size
    return -size
