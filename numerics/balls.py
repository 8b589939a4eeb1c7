"""Exact expressions to enclosures: Arb balls that provably hold the value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import flint
import sympy as sp

from numerics import pointwise
from numerics.algebraic import algebraic
from numerics.context import working
from numerics.fold import Fold
from numerics.precise import rational
from numerics.sheet import TERMS


class BallArithmetic:
    """Real balls of Arb at a given precision in bits, as an arithmetic for `fold`.

    flint keeps its precision in one context of the process: use it inside `context.working`.
    """

    def __init__(self) -> None:
        arb = flint.arb
        self.constants = {
            sp.pi: arb.pi(), sp.E: arb.const_e(), sp.EulerGamma: arb.const_euler(),
        }  # fmt: skip
        self.functions = {
            sp.exp: arb.exp, sp.log: arb.log, sp.sin: arb.sin, sp.cos: arb.cos,
            sp.tan: arb.tan, sp.asin: arb.asin, sp.acos: arb.acos, sp.atan: arb.atan,
            sp.sinh: arb.sinh, sp.cosh: arb.cosh, sp.tanh: arb.tanh, sp.atanh: arb.atanh,
            sp.erf: arb.erf, sp.erfc: arb.erfc, sp.gamma: arb.gamma, sp.loggamma: arb.lgamma,
            sp.factorial: arb.fac, sp.Abs: abs, sp.Min: _fold_binary(arb.min),
            sp.Max: _fold_binary(arb.max),
            sp.harmonic: lambda n: (n + 1).digamma() + arb.const_euler(),
        }  # fmt: skip

    def rational(self, top: int, bottom: int) -> Any:
        """A ball around top/bottom."""
        return flint.arb(flint.fmpq(top, bottom))

    def power(self, base: Any, exponent: Any) -> Any:
        """Principal real power; not finite for a base that may be negative."""
        return base**exponent

    def integer_power(self, base: Any, exponent: int) -> Any:
        """Integer power."""
        return base**exponent

    def algebraic(self, root: sp.CRootOf) -> Any:
        """A ball around a real root, by Arb's certified isolation."""
        if not root.is_real:
            raise ValueError(f"only real roots have a real ball: got {root}")
        poly = root.poly
        common = sp.ilcm(1, *(c.q for c in poly.all_coeffs()))
        integers = flint.fmpz_poly([int(c * common) for c in poly.all_coeffs()[::-1]])
        found: Any = integers.complex_roots()
        real = [z.real for z, _ in found if z.imag == 0]
        return sorted(real, key=lambda ball: ball.mid())[root.index]


class AnalyticArithmetic:
    """Complex balls of Arb, as an arithmetic for `fold`; use it inside `context.working`.

    With `analytic` a ball that a branch cut meets has no finite value: what is finite on a
    ball is analytic there. Functions of real numbers only, such as |x|, have no rule.
    """

    def __init__(self, analytic: bool) -> None:
        acb, real = flint.acb, BallArithmetic()
        self._analytic, self._real = analytic, real
        self.constants = {name: acb(value) for name, value in real.constants.items()}
        self.functions = {
            sp.exp: acb.exp, sp.sin: acb.sin, sp.cos: acb.cos, sp.tan: acb.tan,
            sp.sinh: acb.sinh, sp.cosh: acb.cosh, sp.tanh: acb.tanh,
            sp.erf: acb.erf, sp.erfc: acb.erfc, sp.gamma: acb.gamma,
            sp.log: lambda z: z.log(analytic=analytic),
            sp.atanh: lambda z: ((1 + z).log(analytic) - (1 - z).log(analytic)) / 2,
        }  # fmt: skip

    def rational(self, top: int, bottom: int) -> Any:
        """A ball around top/bottom."""
        return flint.acb(self._real.rational(top, bottom))

    def power(self, base: Any, exponent: Any) -> Any:
        """Principal power."""
        return base.pow(exponent, analytic=self._analytic)

    def integer_power(self, base: Any, exponent: int) -> Any:
        """Integer power."""
        return base**exponent

    def algebraic(self, root: sp.CRootOf) -> Any:
        """A ball around a real root."""
        return flint.acb(self._real.algebraic(root))


def _fold_binary(function: Any) -> Any:
    def folded(first: Any, *others: Any) -> Any:
        for other in others:
            first = function(first, other)
        return first

    return folded


class Enclosures:
    """Balls that hold the values of real expressions at one exact point, for many of them."""

    def __init__(self, values: Mapping[sp.Symbol, Any] | None = None, bits: int = 128) -> None:
        self._values = {s: rational(v, str(s)) for s, v in (values or {}).items()}
        self._bits = bits
        with working(bits):
            arithmetic = BallArithmetic()
            given = {s: arithmetic.rational(int(v.p), int(v.q)) for s, v in self._values.items()}
            self._fold = Fold(given, arithmetic)

    def __call__(self, expr: sp.Expr) -> Any:
        """Raises ValueError for symbols without value and for balls that are not finite."""
        with working(self._bits):
            ball = self._fold(sp.sympify(expr))
        if not ball.is_finite():
            raise ValueError(f"no finite enclosure of {expr} at {self._values}")
        return ball

    def apart(self, one: sp.Expr, other: sp.Expr) -> bool:
        """Whether the balls of two expressions exclude that they are equal."""
        with working(self._bits):
            gap = self._fold(one) - self._fold(other)
        return bool(gap.is_finite() and (gap > 0 or gap < 0))


def enclose(expr: sp.Expr, values: Mapping[sp.Symbol, Any] | None = None, bits: int = 128) -> Any:
    """A ball (flint.arb) that holds the value of a real expression at exact values.

    Raises ValueError for symbols without value and for balls that are not finite.

    >>> x = sp.Symbol('x')
    >>> enclose(sp.sqrt(x) - sp.Rational(7, 5), {x: 2}) > 0
    True
    """
    return Enclosures(values, bits)(expr)


def excludes_zero(expr: sp.Expr, values: Mapping[sp.Symbol, Any] | None = None) -> bool:
    """Whether some precision up to 4096 bits encloses the value away from 0: then it is not 0.

    >>> excludes_zero(sp.sqrt(2) - sp.Rational(1414213562373095, 10**15))
    True
    """
    bits = 64
    while bits <= 4096:
        ball = enclose(expr, values, bits)
        if ball > 0 or ball < 0:
            return True
        bits *= 4
    return False


@dataclass(frozen=True)
class MassBall:
    """An interval of the support, or an atom (low = high), with enclosures of ends and mass."""

    low: Any
    high: Any
    mass: Any


def enclose_edges(law: Any, bits: int = 128) -> tuple[Any, ...]:
    """Balls that hold the edges of a law, ascending; `law` as for `numerics.edges`.

    Raises ArithmeticError where the precision cannot tell the special values apart.

    >>> from theory import marchenko_pastur
    >>> low, high = enclose_edges(marchenko_pastur('1/4'))
    >>> low.contains(0.25) and high.contains(2.25)
    True
    """
    curve = algebraic(law)
    with working(bits, TERMS):
        return pointwise.edges(curve, bits)


def enclose_masses(law: Any, bits: int = 128) -> tuple[MassBall, ...]:
    """Intervals and atoms of a law with balls that hold their masses, ascending.

    >>> from theory import marchenko_pastur
    >>> [float(part.mass) for part in enclose_masses(marchenko_pastur(2))]
    [0.5, 0.5]
    """
    curve = algebraic(law)
    with working(bits, TERMS):
        _, anatomy, _ = pointwise.prepared(curve, bits)
        parts = [MassBall(i.corners[0].x, i.corners[-1].x, i.mass) for i in anatomy.intervals]
        parts += [MassBall(a.x, a.x, a.mass) for a in anatomy.atoms]
        return tuple(sorted(parts, key=lambda part: (part.low.mid(), part.high.mid())))


def enclose_density(law: Any, x: Any, bits: int = 128) -> Any:
    """A ball that holds the density at an exact x: interval Newton on the physical sheet.

    >>> from theory import semicircle
    >>> enclose_density(semicircle(), 0).overlaps(1 / flint.arb.pi())
    True
    """
    return _enclose_at(law, x, bits, pointwise.density)


def enclose_cdf(law: Any, x: Any, bits: int = 128) -> Any:
    """A ball that holds P(X ≤ x) at an exact x.

    >>> from theory import semicircle
    >>> enclose_cdf(semicircle(), 0).overlaps(flint.arb(1) / 2)
    True
    """
    return _enclose_at(law, x, bits, pointwise.cdf)


def _enclose_at(law: Any, x: Any, bits: int, compute: Callable[..., Any]) -> Any:
    curve, number = algebraic(law), rational(x, "x")
    with working(bits, TERMS):
        return compute(curve, flint.fmpq(int(number.p), int(number.q)), bits)
