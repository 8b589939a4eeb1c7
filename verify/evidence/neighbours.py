"""Could the evidence have come out the other way? Every mutant of a formula is put to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from numerics.balls import Enclosures, excludes_zero
from numerics.fold import Unsupported
from numerics.limits import Limit
from numerics.precise import evaluate, fractions
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
    settings = [(e, limit, _Place(_bindings(item, e))) for e, limit in limits]
    references = [_value(item, formula, e, place) for e, _, place in settings]
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
        for (experiment, limit, place), reference in zip(settings, references, strict=True):
            value = _value(item, mutant, experiment, place)
            if _refuted(value, limit):
                # One setting is enough: the others need not be computed.
                refuted = True
                break
            distance = max(distance, _distance(value, reference, limit))
        if refuted:
            killed += 1
        elif distance >= 2:
            surviving.append(f"{description} (simulation)")
        else:
            below.append((description, distance))
    return Neighbours(len(edits), equal, killed, tuple(below), tuple(surviving))


class _Place:
    """An exact point where a formula and all its mutants are evaluated, shared parts once."""

    def __init__(self, point: Mapping[sp.Symbol, Any]) -> None:
        self.point = point
        self.fraction = fractions(point)
        self.enclosure = Enclosures(point)

    def apart(self, mutant: sp.Expr, formula: sp.Expr) -> bool:
        """Whether the two differ here; a pole where the formula has none is a difference."""
        try:
            if self.enclosure.apart(mutant, formula):
                return True
        except Unsupported:
            # A mutant that is not real: its imaginary part tells it, below.
            pass
        return _pole(mutant, formula, self.point) or _excluded(mutant - formula, self.point)

    def number(self, expr: sp.Expr) -> float | None:
        """The value to double precision; None where it is no finite real number."""
        try:
            return float(self.fraction(expr))
        except ZeroDivisionError:
            return None
        except Unsupported:
            pass
        try:
            ball = self.enclosure(expr)
            if ball.rel_accuracy_bits() > 53:
                return float(ball.mid())
        except ValueError:
            # No finite real enclosure at this precision.
            pass
        try:
            value = evaluate(expr, self.point, 15)
        except ValueError:
            return None
        return float(value) if value.is_real else None


def _witnesses(formula: sp.Expr, where: tuple[Any, ...]) -> list[_Place]:
    symbols = tuple(sorted(formula.free_symbols, key=str))
    return [_Place(point) for point in points(symbols, where, count=4)]


def _differs(mutant: sp.Expr, formula: sp.Expr, witnesses: list[_Place]) -> bool:
    """Whether an exact point tells the two apart; a pole where the formula has none does.

    Rational values are compared as they are; others, by balls that exclude equality.
    """
    if mutant.has(sp.zoo, sp.nan, sp.oo):
        # An edit that divides by 0 has no value anywhere.
        return True
    for place in witnesses:
        try:
            value = place.fraction(formula)
        except ZeroDivisionError:
            continue
        except Unsupported:
            if place.apart(mutant, formula):
                return True
            continue
        try:
            if place.fraction(mutant) != value:
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


def _bindings(item: Item, experiment: Experiment) -> Mapping[sp.Symbol, Any]:
    """Where a claim is evaluated: one about every size, at what multipliers make of 64."""
    return experiment.bindings_at() if item.claim.at_sizes else experiment.bindings


def _value(item: Item, expr: sp.Expr, experiment: Experiment, place: _Place) -> float | None:
    """What a setting should see of a formula; None where that is no finite real number.

    For a claim about every size: the difference from the claim's own formula, in its unit.
    """
    if item.claim.at_sizes:
        if item.claim.sees is value_at and item.claim.unit is None:
            return place.number(expr - item.prediction())
        edited, own = (item.claim.sees(e, place.point) for e in (expr, item.prediction()))
        unit = item.claim.unit(item.prediction(), place.point) if item.claim.unit else sp.S.One
        return _Place({}).number((edited - own) / unit)
    if item.claim.sees is value_at:
        return place.number(expr)
    seen = item.claim.sees(expr, experiment.bindings)
    return None if seen.free_symbols else _Place({}).number(seen)
