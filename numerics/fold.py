"""Walk a SymPy expression with somebody else's arithmetic: mpmath numbers, or Arb balls.

`lambdify(expr, "mpmath")` evaluates constants such as 1/3 at mpmath's global precision, whatever
the precision of its arguments; walking the tree with explicit arithmetic cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import sympy as sp


class Arithmetic(Protocol):
    """What `fold` needs of a number system; its numbers support + and *."""

    @property
    def constants(self) -> Mapping[sp.Expr, Any]:
        """The numbers that SymPy has names for."""

    @property
    def functions(self) -> Mapping[type, Callable[..., Any]]:
        """A rule for each kind of SymPy function."""

    def rational(self, top: int, bottom: int) -> Any:
        """The number top/bottom."""

    def power(self, base: Any, exponent: Any) -> Any:
        """base to a real exponent, principal branch."""

    def integer_power(self, base: Any, exponent: int) -> Any:
        """base to an integer."""

    def algebraic(self, root: sp.CRootOf) -> Any:
        """A root of a polynomial with rational coefficients."""


class Unsupported(ValueError):
    """An expression with a part that has no numerical meaning here."""


class Fold:
    """Values of expressions at one point; subexpressions they share are computed once."""

    def __init__(self, values: Mapping[sp.Symbol, Any], arithmetic: Arithmetic) -> None:
        self._known: dict[sp.Basic, Any] = dict(values)
        self._arithmetic = arithmetic

    def __call__(self, expr: sp.Basic) -> Any:
        """ValueError for a symbol without value and for functions not known to the arithmetic."""
        if expr not in self._known:
            self._known[expr] = _node(expr, self, self._arithmetic)
        return self._known[expr]


def fold(expr: sp.Expr, values: Mapping[sp.Symbol, Any], arithmetic: Arithmetic) -> Any:
    """The value of one expression; see `Fold`."""
    return Fold(values, arithmetic)(expr)


def _node(node: sp.Basic, visit: Callable[[sp.Basic], Any], arithmetic: Arithmetic) -> Any:
    if isinstance(node, sp.Rational):
        return arithmetic.rational(int(node.p), int(node.q))
    if node in arithmetic.constants:
        return arithmetic.constants[node]
    if isinstance(node, sp.Symbol):
        raise ValueError(f"no value for the symbol {node}")
    if isinstance(node, sp.Add):
        total = visit(node.args[0])
        for term in node.args[1:]:
            total = total + visit(term)
        return total
    if isinstance(node, sp.Mul):
        product = visit(node.args[0])
        for factor in node.args[1:]:
            product = product * visit(factor)
        return product
    if isinstance(node, sp.Pow):
        base, exponent = node.args
        if exponent.is_Integer:
            return arithmetic.integer_power(visit(base), int(exponent))
        return arithmetic.power(visit(base), visit(exponent))
    if isinstance(node, sp.CRootOf):
        return arithmetic.algebraic(node)
    function = arithmetic.functions.get(type(node))
    if function is None:
        raise Unsupported(f"no numerical rule for {type(node).__name__} in {node}")
    return function(*map(visit, node.args))
