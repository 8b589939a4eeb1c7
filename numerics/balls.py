"""Exact expressions to enclosures: Arb balls that provably hold the value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import flint
import sympy as sp

from numerics.fold import fold
from numerics.precise import rational


class BallArithmetic:
    """Real balls of Arb at a given precision in bits, as an arithmetic for `fold`.

    flint keeps its precision in a context shared by a thread's calls; it is set on entry and
    restored on exit by `enclose`, the only caller.
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
        real = [z.real for z, _ in integers.complex_roots() if z.imag == 0]
        return sorted(real, key=lambda ball: float(ball.mid()))[root.index]


def _fold_binary(function: Any) -> Any:
    def folded(first: Any, *others: Any) -> Any:
        for other in others:
            first = function(first, other)
        return first

    return folded


def enclose(expr: sp.Expr, values: Mapping[sp.Symbol, Any] | None = None, bits: int = 128) -> Any:
    """A ball (flint.arb) that holds the value of a real expression at exact values.

    Raises ValueError for symbols without value and for balls that are not finite.

    >>> x = sp.Symbol('x')
    >>> enclose(sp.sqrt(x) - sp.Rational(7, 5), {x: 2}) > 0
    True
    """
    exact_values = {s: rational(v, str(s)) for s, v in (values or {}).items()}
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        arithmetic = BallArithmetic()
        given = {s: arithmetic.rational(int(v.p), int(v.q)) for s, v in exact_values.items()}
        ball = fold(sp.sympify(expr), given, arithmetic)
    finally:
        flint.ctx.prec = before
    if not ball.is_finite():
        raise ValueError(f"no finite enclosure of {expr} at {exact_values}")
    return ball


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
