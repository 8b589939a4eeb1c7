"""What a law with symbols asks of them: conditions that numbers must meet when they come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sympy as sp
from sympy.logic.boolalg import Boolean

from theory.algebra import at_point


@dataclass(frozen=True)
class Condition:
    """A relation between symbols without which a law does not exist.

    relation : what must hold
    rule : the same in words, with the name of the argument it comes from
    value : what the rule speaks of
    """

    relation: Boolean
    rule: str
    value: sp.Expr


Conditions = tuple[Condition, ...]


def require(relation: Boolean | bool, rule: str, value: sp.Expr) -> Conditions:
    """The condition while symbols leave it open, nothing once it holds.

    Raises ValueError, with the rule and the value, when the relation is false.

    >>> c = sp.Symbol('c', positive=True)
    >>> require(c < 1, 'ratio must be below 1', c)[0].relation
    c < 1
    >>> require(sp.Integer(3) < 1, 'ratio must be below 1', sp.Integer(3))
    Traceback (most recent call last):
        ...
    ValueError: ratio must be below 1: got 3
    """
    decided = sp.sympify(relation)
    if decided == sp.false:
        raise ValueError(f"{rule}: got {value}")
    return () if decided == sp.true else (Condition(decided, rule, value),)


def require_positive(value: sp.Expr, name: str) -> Conditions:
    """`require` that a value be above 0."""
    return require(value > 0, f"{name} must be positive", value)


def require_real(value: sp.Expr, name: str) -> Conditions:
    """`require` that a value be real."""
    return require(sp.Eq(sp.im(value), 0), f"{name} must be real", value)


def joined(*groups: Iterable[Condition]) -> Conditions:
    """All conditions, each once, in their order."""
    return tuple(dict.fromkeys(condition for group in groups for condition in group))


def at(conditions: Conditions, values: Mapping[sp.Symbol, sp.Expr]) -> Conditions:
    """The conditions that stay open with these values; ValueError where one is not met."""
    return joined(
        *(
            require(at_point(c.relation, values), c.rule, at_point(c.value, values))
            for c in conditions
        )
    )
