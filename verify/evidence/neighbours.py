"""Could the evidence have come out the other way? Every mutant of a formula is put to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from numerics.balls import excludes_zero
from numerics.fold import Unsupported
from numerics.limits import Limit
from numerics.precise import evaluate, fraction
from theory.algebra import Answer, is_zero, points
from verify.claim import Item, Relation, value_at
from verify.experiment import Experiment
from verify.kinds import COMPARISON_LEVEL
from verify.mutate import mutants


@dataclass(frozen=True)
class Neighbours:
    """What became of a formula's mutants.

    total : mutants, those equal to the formula included
    equal : proved to be the same function
    killed : refuted by exact evidence, and by the simulation by itself
    below_resolution : refuted exactly, but nearer than the simulation can tell at every setting
    surviving : descriptions of those that exact evidence does not refute; there must be none
    """

    total: int
    equal: int
    killed: int
    below_resolution: tuple[tuple[str, float], ...]
    surviving: tuple[str, ...]


def examine(item: Item, limits: Sequence[tuple[Experiment, Limit]]) -> Neighbours | None:
    """Put every mutant of the item's formula to the exact and to the simulated evidence.

    A bound has none: what is true above it is true above its lower neighbours as well.
    """
    formula = item.claim.formula
    if formula is None or item.claim.relation is not Relation.EQUALS:
        return None
    witnesses = _witnesses(formula, item.claim.where)
    equal = killed = 0
    below: list[tuple[str, float]] = []
    surviving: list[str] = []
    edits = mutants(formula, item.claim.neighbours)
    for mutant, description in edits.items():
        if not _differs(mutant, formula, witnesses) and not _excluded(item, mutant, formula):
            test = is_zero(mutant - formula, item.claim.where)
            if test.answer is Answer.YES:
                equal += 1
                continue
            if test.answer is Answer.UNKNOWN:
                surviving.append(description)
                continue
        distance = max((_distance(item, mutant, formula, *at) for at in limits), default=0.0)
        refuted = any(_refuted(item, mutant, *at) for at in limits)
        if refuted:
            killed += 1
        elif distance >= 2:
            surviving.append(f"{description} (simulation)")
        else:
            below.append((description, distance))
    return Neighbours(len(edits), equal, killed, tuple(below), tuple(surviving))


def _witnesses(
    formula: sp.Expr, where: tuple[Any, ...]
) -> list[tuple[Mapping[sp.Symbol, sp.Expr], Fraction]]:
    symbols = tuple(sorted(formula.free_symbols, key=str))
    found = []
    for point in points(symbols, where, count=4):
        try:
            found.append((point, fraction(formula, point)))
        except (Unsupported, ZeroDivisionError):
            continue
    return found


def _differs(
    mutant: sp.Expr,
    formula: sp.Expr,
    witnesses: list[tuple[Mapping[sp.Symbol, sp.Expr], Fraction]],
) -> bool:
    """Whether an exact point tells the two apart; a pole where the formula has none does."""
    for point, value in witnesses:
        try:
            if fraction(mutant, point) != value:
                return True
        except ZeroDivisionError:
            return True
        except Unsupported:
            return False
    return False


def _excluded(item: Item, mutant: sp.Expr, formula: sp.Expr) -> bool:
    """Whether ball arithmetic tells the two apart at a setting, in rational numbers."""
    gap = mutant - formula
    for experiment in item.settings:
        at = {**experiment.bindings, **{s: 64 * per for s, per in experiment.scaled.items()}}
        (point,) = points(tuple(sorted(gap.free_symbols - at.keys(), key=str)), count=1)
        try:
            if excludes_zero(gap, {**at, **point}):
                return True
        except (ValueError, ZeroDivisionError):
            continue
    return False


def _distance(
    item: Item, mutant: sp.Expr, formula: sp.Expr, experiment: Experiment, limit: Limit
) -> float:
    """|mutant − formula| at a setting, in half widths of the simulation's interval."""
    value = _value(item, mutant, experiment)
    if value is None:
        return float("inf")
    reference = _value(item, formula, experiment)
    assert reference is not None
    return abs(value - reference) / limit.half_width(COMPARISON_LEVEL)


def _refuted(item: Item, mutant: sp.Expr, experiment: Experiment, limit: Limit) -> bool:
    """Whether the mutant's prediction lies outside the simulation's interval."""
    value = _value(item, mutant, experiment)
    if value is None:
        # No finite value at a setting where one was observed.
        return True
    return abs(limit.estimate - value) > limit.half_width(COMPARISON_LEVEL)


def _value(item: Item, expr: sp.Expr, experiment: Experiment) -> float | None:
    """What a setting should see of a formula; None where that is no finite real number.

    For a claim about every size: the difference from the claim's own formula, at the size that
    the experiments' multipliers make of 64.
    """
    if item.claim.at_sizes:
        at = {**experiment.bindings, **{s: 64 * per for s, per in experiment.scaled.items()}}
        return _number(expr - item.prediction(), at)
    if item.claim.sees is value_at:
        return _number(expr, experiment.bindings)
    return _number(item.claim.sees(expr, experiment.bindings), {})


def _number(expr: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> float | None:
    try:
        return float(fraction(expr, bindings))
    except ZeroDivisionError:
        return None
    except Unsupported:
        try:
            value = evaluate(expr, bindings, 15)
        except ValueError:
            return None
        return float(value) if value.is_real else None
