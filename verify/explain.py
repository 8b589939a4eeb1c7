"""One claim on one screen: statement, derivation, where it holds, where it fails and why."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from rich.console import Console
from rich.text import Text

from theory.algebra import Answer, Undetermined, at_point, is_zero, points
from verify.claim import Claim, Item, Verdict
from verify.registry import instead

# Claims about every size are shown at one of them.
_ANY_SIZE = 64


def show(items: Sequence[Item], pattern: str, console: Console) -> None:
    """Print each claim among the items that the pattern names."""
    names = dict.fromkeys(item.claim.id for item in items)
    chosen = [name for name in names if name == pattern.split("@")[0]] or list(names)
    for name in chosen:
        group = [item for item in items if item.claim.id == name]
        _claim(group, console)


def _claim(group: Sequence[Item], console: Console) -> None:
    claim = group[0].claim
    console.print()
    console.print(Text.assemble((claim.id, "bold"), f"   {claim.source}, {claim.stance.value}"))
    console.print(Text(f"{claim.says}:"))
    _formula(claim, console)
    for item in group:
        _model(item, console)
    _routes(claim, console)


def _model(item: Item, console: Console) -> None:
    style = "green" if item.expected is Verdict.HOLDS else "yellow"
    console.print()
    console.print(
        Text.assemble((item.expected.value, style), f" for {item.model.name}: {item.model.says}")
    )
    for line in _reasons(item):
        console.print(Text(f"  {line}"))
    for note in item.claim.notes:
        told = note(item.model.premise)
        if told:
            console.print(Text(f"  {told}"))
    partner = instead(item)
    for experiment in item.settings:
        values = ", ".join(f"{s} = {v}" for s, v in experiment.bindings.items())
        number = sp.N(item.expectation(experiment, _ANY_SIZE), 6)
        corrected = ""
        if partner is not None and experiment in partner.settings:
            corrected = f", instead {sp.N(partner.expectation(experiment, _ANY_SIZE), 6)}"
        console.print(Text(f"  {experiment.name} ({values}): {number}{corrected}"))
    if partner is not None:
        console.print(Text(f"  instead {partner.claim.id} holds: {partner.claim.says}"))
        _formula(partner.claim, console)


def _reasons(item: Item) -> list[str]:
    """What the proofs answer and what is derived, where that is not the statement itself."""
    claim, premise = item.claim, item.model.premise
    found = [f"{f.answer.value}: {f.reason}" for proof in claim.proofs for f in proof(premise)]
    if not claim.routes:
        return found
    try:
        derived = claim.routes[0](premise)
    except Undetermined as reason:
        return [*found, str(reason)]
    if claim.formula is None:
        return [*found, f"derived: {derived}"]
    test = is_zero(claim.formula - derived, claim.where)
    if test.answer is not Answer.NO:
        return found
    # The witness leaves out what cancels in the difference.
    free = sorted((claim.formula.free_symbols | derived.free_symbols) - dict(test.witness).keys(),
                  key=str)  # fmt: skip
    place = {**dict(test.witness), **points(tuple(free), count=1)[0]}
    told = ", ".join(f"{symbol} = {value}" for symbol, value in place.items())
    left, right = (sp.N(at_point(f, place), 6) for f in (claim.formula, derived))
    return [
        *found,
        f"derived for this model: {derived}",
        f"at {told} the statement is {left}, what is derived {right}",
    ]


def _formula(claim: Claim, console: Console) -> None:
    """The formula and its conditions, with what repeats in them named once."""
    if claim.formula is None:
        return
    conditions = [c.lhs - c.rhs if isinstance(c, sp.Rel) else c for c in claim.where]
    names = sp.numbered_symbols("x", start=1)
    repeated, (formula, *rest) = sp.cse([claim.formula, *conditions], names)
    console.print(Text(f"\n      {formula}"))
    for condition, short in zip(claim.where, rest, strict=True):
        shown = condition.func(short, 0) if isinstance(condition, sp.Rel) else condition
        console.print(Text(f"      provided {shown}"))
    for name, value in repeated:
        console.print(Text(f"      with {name} = {value}"))
    console.print()


def _routes(claim: Claim, console: Console) -> None:
    console.print()
    for words, functions in (("derived by", claim.routes), ("proved by", claim.proofs)):
        _sources(words, functions, console)


def _sources(words: str, functions: Sequence[Callable[..., Any]], console: Console) -> None:
    if functions:
        console.print(Text(words))
    for route in functions:
        line = (inspect.getdoc(route) or "").splitlines()
        console.print(Text(f"  {route.__module__}.{route.__name__}: {line[0] if line else ''}"))
