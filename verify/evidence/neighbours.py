"""Could the evidence have come out the other way? Every mutant of a formula is put to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any

import sympy as sp

from numerics.balls import Enclosures, excludes_zero
from numerics.fold import Unsupported
from numerics.limits import Limit, extrapolate
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
    sights = [sight for e, limit in limits for sight in _sights(item, e, limit)]
    references = [sight.value(formula) for sight in sights]
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
        for sight, reference in zip(sights, references, strict=True):
            value = sight.value(mutant)
            if sight.refutes(value):
                # One setting is enough: the others need not be computed.
                refuted = True
                break
            distance = max(distance, sight.distance(value, reference))
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


@dataclass(frozen=True)
class _Sight:
    """What the simulation saw of a claim in one place, and what a formula says is there.

    estimate, half : the interval
    value : formula → the number in the interval's place; None for no finite real number
    """

    estimate: float
    half: float
    value: Callable[[sp.Expr], float | None]

    def refutes(self, value: float | None) -> bool:
        """Whether a prediction lies outside the interval; where one was observed, None does."""
        return value is None or abs(self.estimate - value) > self.half

    def distance(self, value: float | None, reference: float | None) -> float:
        """|mutant − formula| in half widths."""
        assert reference is not None
        return float("inf") if value is None else abs(value - reference) / self.half


def _sights(item: Item, experiment: Experiment, limit: Limit) -> list[_Sight]:
    """The comparisons by which a setting judges a formula: those of the simulated evidence."""
    half = limit.half_width(COMPARISON_LEVEL)
    if not item.claim.at_sizes:
        place = _Place(experiment.bindings)
        return [_Sight(limit.estimate, half, partial(_value, item, place))]
    places = [_Place(experiment.bindings_at(int(mean.size))) for mean in limit.means]
    orders = item.bias(experiment)
    if orders:

        def extrapolated(expr: sp.Expr) -> float | None:
            found = [_deviation(item, place, expr) for place in places]
            means = [
                replace(mean, mean=value)
                for mean, value in zip(limit.means, found, strict=True)
                if value is not None and isfinite(value)
            ]
            return extrapolate(means, orders).estimate if len(means) == len(found) else None

        return [_Sight(limit.estimate, half, extrapolated)]
    level = COMPARISON_LEVEL / len(places)
    return [
        _Sight(mean.mean, mean.half_width(level), partial(_deviation, item, place))
        for mean, place in zip(limit.means, places, strict=True)
    ]


def _value(item: Item, place: _Place, expr: sp.Expr) -> float | None:
    """What a setting should see of a formula; None where that is no finite real number."""
    if item.claim.sees is value_at:
        return place.number(expr)
    seen = item.claim.sees(expr, place.point)
    return None if seen.free_symbols else _Place({}).number(seen)


def _deviation(item: Item, place: _Place, expr: sp.Expr) -> float | None:
    """At one size: the difference from the claim's own formula, in the claim's unit."""
    if item.claim.sees is value_at and item.claim.unit is None:
        return place.number(expr - item.prediction())
    edited, own = (item.claim.sees(e, place.point) for e in (expr, item.prediction()))
    unit = item.claim.unit(item.prediction(), place.point) if item.claim.unit else sp.S.One
    return _Place({}).number((edited - own) / unit)
