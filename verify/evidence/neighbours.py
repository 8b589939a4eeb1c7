"""Could the evidence have come out the other way? Every mutant of a formula is put to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

    A bound has none: most edits of it are bounds as true as it is. The one false neighbour of an
    inequality is its converse, and agreement excludes that.
    """
    formula = item.claim.formula
    if formula is None or item.claim.relation is not Relation.EQUALS:
        return None
    witnesses = _witnesses(formula, item.claim.where)
    references = [_value(item, formula, experiment) for experiment, _ in limits]
    equal = killed = 0
    below: list[tuple[str, float]] = []
    surviving: list[str] = []
    edits = mutants(formula, item.claim.neighbours)
    for mutant, description in edits.items():
        if not _differs(mutant, formula, witnesses) and not _told_at_settings(item, mutant):
            test = is_zero(mutant - formula, item.claim.where)
            if test.answer is Answer.YES:
                equal += 1
                continue
            if test.answer is Answer.UNKNOWN:
                surviving.append(description)
                continue
        refuted, distance = False, 0.0
        for (experiment, limit), reference in zip(limits, references, strict=True):
            value = _value(item, mutant, experiment)
            refuted = refuted or _refuted(value, limit)
            distance = max(distance, _distance(value, reference, limit))
        if refuted:
            killed += 1
        elif distance >= 2:
            surviving.append(f"{description} (simulation)")
        else:
            below.append((description, distance))
    return Neighbours(len(edits), equal, killed, tuple(below), tuple(surviving))


def _witnesses(formula: sp.Expr, where: tuple[Any, ...]) -> list[Mapping[sp.Symbol, sp.Expr]]:
    symbols = tuple(sorted(formula.free_symbols, key=str))
    return list(points(symbols, where, count=4))


def _differs(
    mutant: sp.Expr, formula: sp.Expr, witnesses: list[Mapping[sp.Symbol, sp.Expr]]
) -> bool:
    """Whether an exact point tells the two apart; a pole where the formula has none does.

    Rational values are compared as they are; others, by balls that exclude equality.
    """
    if mutant.has(sp.zoo, sp.nan, sp.oo):
        # An edit that divides by 0 has no value anywhere.
        return True
    for point in witnesses:
        try:
            value = fraction(formula, point)
        except ZeroDivisionError:
            continue
        except Unsupported:
            if _pole(mutant, formula, point) or _excluded(mutant - formula, point):
                return True
            continue
        try:
            if fraction(mutant, point) != value:
                return True
        except ZeroDivisionError:
            return True
        except Unsupported:
            continue
    return False


def _pole(mutant: sp.Expr, formula: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    there, here = (expr.xreplace(point).has(sp.zoo, sp.nan) for expr in (mutant, formula))
    return there and not here


def _excluded(gap: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether balls exclude that the gap is 0: its value or, if it is not real, a part of it."""
    value = gap.xreplace(point)
    try:
        return excludes_zero(value)
    except ValueError:
        # No finite real enclosure.
        pass
    try:
        return excludes_zero(value.as_real_imag()[1])
    except ValueError:
        return False


def _told_at_settings(item: Item, mutant: sp.Expr) -> bool:
    """Whether balls tell mutant and formula apart at a setting, where its numbers are plain."""
    gap = mutant - item.prediction()
    for experiment in item.settings:
        at = experiment.bindings_at()
        free = tuple(sorted(gap.free_symbols - at.keys(), key=str))
        (point,) = points(free, count=1)
        try:
            if excludes_zero(gap, {**at, **point}):
                return True
        except (ValueError, ZeroDivisionError):
            continue
    return False


def _distance(value: float | None, reference: float | None, limit: Limit) -> float:
    """|mutant − formula| at a setting, in half widths of the simulation's interval."""
    assert reference is not None
    if value is None:
        return float("inf")
    return abs(value - reference) / limit.half_width(COMPARISON_LEVEL)


def _refuted(value: float | None, limit: Limit) -> bool:
    """Whether the mutant's prediction lies outside the simulation's interval."""
    if value is None:
        # No finite value at a setting where one was observed.
        return True
    return abs(limit.estimate - value) > limit.half_width(COMPARISON_LEVEL)


def _value(item: Item, expr: sp.Expr, experiment: Experiment) -> float | None:
    """What a setting should see of a formula; None where that is no finite real number.

    For a claim about every size: the difference from the claim's own formula, in its unit, at the
    size that the experiments' multipliers make of 64.
    """
    if item.claim.at_sizes:
        at = experiment.bindings_at()
        if item.claim.sees is value_at and item.claim.unit is None:
            return _number(expr - item.prediction(), at)
        edited, own = (item.claim.sees(e, at) for e in (expr, item.prediction()))
        unit = item.claim.unit(item.prediction(), at) if item.claim.unit else sp.S.One
        return _number((edited - own) / unit, {})
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
