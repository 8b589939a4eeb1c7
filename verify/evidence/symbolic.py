"""Exact evidence: is the statement what the derivations give?"""

from __future__ import annotations

from typing import Any

from numerics.balls import excludes_zero
from theory.algebra import Answer, Finding, Undetermined, is_zero
from verify.claim import Evidence, Item, Outcome


def examine(item: Item) -> list[Evidence]:
    """Compare the formula with each derivation, or two derivations with each other.

    A refutation needs an exact point, inside the statement's own conditions, at which ball
    arithmetic excludes that the two are equal.
    """
    claim, premise = item.claim, item.model.premise
    try:
        answers = [_finding(finding) for proof in claim.proofs for finding in proof(premise)]
    except Undetermined as reason:
        answers = [Evidence("symbolic", Outcome.INCONCLUSIVE, f"not determined: {reason}")]
    return answers + _comparisons(item)


def _finding(finding: Finding) -> Evidence:
    outcome = {
        Answer.YES: Outcome.PROVED, Answer.NO: Outcome.REFUTED,
        Answer.UNKNOWN: Outcome.INCONCLUSIVE,
    }[finding.answer]  # fmt: skip
    return Evidence("symbolic", outcome, finding.reason)


def _comparisons(item: Item) -> list[Evidence]:
    claim = item.claim
    try:
        found = [(route.__name__, item.derived(k)) for k, route in enumerate(claim.routes)]
    except Undetermined as reason:
        return [Evidence("symbolic", Outcome.INCONCLUSIVE, f"not determined: {reason}")]
    if claim.formula is not None:
        return [_compare("the statement", claim.formula, *route, claim.where) for route in found]
    if not found:
        return []
    first, *others = found
    return [_compare(first[0], first[1], *route, claim.where) for route in others]


def _compare(name: str, left: Any, other: str, right: Any, where: tuple[Any, ...]) -> Evidence:
    test = is_zero(left - right, where)
    if test.answer is Answer.YES:
        return Evidence("symbolic", Outcome.PROVED, f"{name} equals {other}, by normal form")
    if test.answer is Answer.NO:
        witness = dict(test.witness)
        if excludes_zero(left - right, witness):
            place = ", ".join(f"{symbol} = {value}" for symbol, value in test.witness)
            detail = f"{name} differs from {other} at {place}, by enclosure"
            return Evidence("symbolic", Outcome.REFUTED, detail)
    detail = f"whether {name} equals {other} was not decided"
    return Evidence("symbolic", Outcome.INCONCLUSIVE, detail)
