"""Expressions as functions of float64 numbers, compiled once and cheaply."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from numerics.fold import fold

Function = Callable[..., float]
_FUNCTIONS: dict[type, Function] = {
    sp.exp: math.exp, sp.log: math.log, sp.sin: math.sin, sp.cos: math.cos, sp.tan: math.tan,
    sp.asin: math.asin, sp.acos: math.acos, sp.atan: math.atan, sp.sinh: math.sinh,
    sp.cosh: math.cosh, sp.tanh: math.tanh, sp.asinh: math.asinh, sp.acosh: math.acosh,
    sp.atanh: math.atanh, sp.erf: math.erf, sp.erfc: math.erfc, sp.gamma: math.gamma, sp.Abs: abs,
}  # fmt: skip


def compiled(
    expr: sp.Expr, variables: Sequence[sp.Symbol], numbers: Mapping[sp.Symbol, Any] | None = None
) -> Function:
    """The expression as a function of float64 values of the variables, in their order.

    `sympy.lambdify` prints an expression several times over: for one that is integrated once
    the printing takes longer than the integration.

    Parameters
    ----------
    numbers : a real value for every other symbol

    Raises
    ------
    ValueError : for a symbol without a number, or a function without a rule here.

    The function raises ArithmeticError or ValueError where its value is no finite real number.

    >>> x, a = sp.symbols('x a')
    >>> compiled(a*x**2 + sp.exp(x), [x], {a: 3})(2.0) == 12 + math.exp(2)
    True
    """
    given = dict(numbers or {})
    missing = sorted(map(str, sp.sympify(expr).free_symbols - given.keys() - set(variables)))
    if missing:
        raise ValueError(f"numbers must have a value for every symbol: got none for {missing}")
    program = _Program(len(variables))
    values: dict[sp.Symbol, Any] = {s: float(value) for s, value in given.items()}
    values.update({s: _Cell(program, k) for k, s in enumerate(variables)})
    result = program.cell(fold(sp.sympify(expr), values, program))
    cells, steps = program.cells, program.steps

    def function(*arguments: float) -> float:
        at = cells.copy()
        at[: len(arguments)] = arguments
        for target, action, first, second in steps:
            at[target] = action(at[first]) if second < 0 else action(at[first], at[second])
        return at[result]

    return function


@dataclass(frozen=True)
class _Cell:
    """A number that is known when the program runs."""

    program: _Program
    index: int

    def __add__(self, other: Any) -> _Cell:
        return self.program.append(operator.add, self, other)

    def __mul__(self, other: Any) -> _Cell:
        return self.program.append(operator.mul, self, other)

    __radd__, __rmul__ = __add__, __mul__


class _Program:
    """A list of operations on cells, as an arithmetic for `fold`; what is known is computed."""

    def __init__(self, arguments: int) -> None:
        self.cells: list[float] = [0.0] * arguments
        self.steps: list[tuple[int, Function, int, int]] = []
        self.constants = {
            sp.pi: math.pi, sp.E: math.e, sp.EulerGamma: float(sp.EulerGamma),
        }  # fmt: skip
        self.functions = {kind: self._rule(function) for kind, function in _FUNCTIONS.items()}

    def _rule(self, function: Callable[..., Any]) -> Callable[[Any], Any]:
        return lambda x: self.append(function, x) if isinstance(x, _Cell) else function(x)

    def cell(self, value: Any) -> int:
        """Where a number stands, or is put."""
        if isinstance(value, _Cell):
            return value.index
        self.cells.append(value)
        return len(self.cells) - 1

    def append(self, action: Function, first: Any, second: Any = None) -> _Cell:
        """One more operation, of one or of two numbers."""
        left = self.cell(first)
        right = -1 if second is None else self.cell(second)
        self.cells.append(0.0)
        self.steps.append((len(self.cells) - 1, action, left, right))
        return _Cell(self, len(self.cells) - 1)

    def rational(self, top: int, bottom: int) -> float:
        """top/bottom, rounded."""
        return top / bottom

    def power(self, base: Any, exponent: Any) -> Any:
        """base to a real exponent; ValueError where that is not real."""
        if isinstance(base, _Cell) or isinstance(exponent, _Cell):
            return self.append(math.pow, base, exponent)
        return math.pow(base, exponent)

    def integer_power(self, base: Any, exponent: int) -> Any:
        """base to an integer."""
        return self.append(operator.pow, base, exponent) if isinstance(base, _Cell) else (
            base**exponent
        )  # fmt: skip

    def algebraic(self, root: sp.CRootOf) -> float:
        """A real root, rounded."""
        return float(root)
