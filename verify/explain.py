"""One claim on one screen: statement, derivation, where it holds, where it fails and why."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from rich.console import Console
from rich.text import Text

from theory.algebra import Undetermined
from verify.claim import Claim, Item, Verdict


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
    if claim.formula is not None:
        console.print(Text(f"\n    {claim.formula}\n"))
    if claim.where:
        console.print(Text("where " + " and ".join(map(str, claim.where))))
    for item in group:
        _model(item, console)
    _routes(claim, console)


def _model(item: Item, console: Console) -> None:
    style = "green" if item.expected is Verdict.HOLDS else "yellow"
    console.print()
    console.print(
        Text.assemble((item.expected.value, style), f" for {item.model.name}: {item.model.says}")
    )
    _derived(item, console)
    for proof in item.claim.proofs:
        for finding in proof(item.model.premise):
            console.print(Text(f"  {finding.answer.value}: {finding.reason}"))
    for experiment in item.settings:
        values = ", ".join(f"{s} = {v}" for s, v in experiment.bindings.items())
        number = sp.N(item.expectation(experiment), 6)
        console.print(Text(f"  {experiment.name} ({values}): {number}"))
    if item.expected is Verdict.FAILS:
        console.print(Text(f"  instead: {item.claim.instead}"))
    for note in item.claim.notes:
        told = note(item.model.premise)
        if told:
            console.print(Text(f"  {told}"))


def _derived(item: Item, console: Console) -> None:
    """What the first derivation gives, where the statement does not show it."""
    if not item.claim.routes:
        return
    try:
        derived = item.claim.routes[0](item.model.premise)
    except Undetermined as reason:
        console.print(Text(f"  {reason}"))
    else:
        if item.expected is Verdict.FAILS:
            console.print(Text(f"  derived for this model: {derived}"))
        elif item.claim.formula is None:
            console.print(Text(f"  derived: {derived}"))


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
