"""The false neighbours of a formula: every edit of one node of its tree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import sympy as sp


def mutants(formula: sp.Expr, by_hand: tuple[sp.Expr, ...] = ()) -> dict[sp.Expr, str]:
    """All one-node edits and the mistakes named by hand, each once: expression → description.

    Terms are dropped, negated and doubled; factors dropped, inverted and doubled; exponents and
    numbers moved by ±1; pairs of symbols swapped.

    >>> a = sp.Symbol('a')
    >>> mutants(a + 1)[a]
    'term 1 dropped'
    """
    found: dict[sp.Expr, str] = {}
    edits = [(expr, "by hand") for expr in by_hand]
    edits += list(_edits(formula))
    edits += [
        (formula.xreplace({p: q, q: p}), f"{p} and {q} swapped")
        for p, q in combinations(sorted(formula.free_symbols, key=str), 2)
    ]
    for expr, description in edits:
        # An edit that divides by 0 states nothing.
        if expr != formula and not expr.has(sp.zoo, sp.nan, sp.oo, -sp.oo):
            found.setdefault(expr, description)
    return found


def _edits(node: sp.Expr) -> Iterator[tuple[sp.Expr, str]]:
    """Edits of this node, and of one node below it."""
    yield from _at(node)
    for index, argument in enumerate(node.args):
        for edited, description in _edits(argument):
            rest = list(node.args)
            rest[index] = edited
            yield node.func(*rest), description


def _at(node: sp.Expr) -> Iterator[tuple[sp.Expr, str]]:
    name = str(node)
    if node.is_Number:
        yield node + 1, f"{name} raised by 1"
        yield node - 1, f"{name} lowered by 1"
        return
    yield -node, f"{name} negated"
    yield 2 * node, f"{name} doubled"
    yield 1 / node, f"{name} inverted"
    if node.is_Symbol:
        yield node**2, f"{name} squared"
    if node.is_Add or node.is_Mul:
        what = "term" if node.is_Add else "factor"
        for index, argument in enumerate(node.args):
            yield node.func(*node.args[:index], *node.args[index + 1 :]), (
                f"{what} {argument} dropped"
            )
