"""Enclosures at the experiments' exact settings: are the conditions met, can the two be equal?"""

from __future__ import annotations

import sympy as sp

from numerics.balls import enclose
from theory.algebra import Undetermined, at_point
from verify.claim import Evidence, Item, Outcome
from verify.experiment import Experiment


def examine(item: Item) -> list[Evidence]:
    """For each setting: the statement's conditions hold, and its distance from the derivation."""
    return [_setting(item, experiment) for experiment in item.settings]


def _setting(item: Item, experiment: Experiment) -> Evidence:
    for condition in item.claim.where:
        if not _proved(condition, experiment):
            detail = f"the setting does not provably meet the condition {condition}"
            return Evidence("certified", Outcome.ERRED, detail, setting=experiment.name)
    if not item.claim.routes:
        return Evidence("certified", Outcome.CONSISTENT, "conditions met", setting=experiment.name)
    try:
        expected = item.derived(0)
    except Undetermined as reason:
        # The symbolic evidence says so already; here only the conditions were to be checked.
        detail = f"conditions met; no derivation to compare with: {reason}"
        return Evidence("certified", Outcome.CONSISTENT, detail, setting=experiment.name)
    # Symbols that grow with the size are compared at one of them; any would do.
    gap = at_point(item.prediction() - expected, experiment.bindings_at())
    if gap.free_symbols:
        # A relation between variables of its own; symbolic evidence decides it.
        return Evidence("certified", Outcome.CONSISTENT, "conditions met", setting=experiment.name)
    ball = enclose(gap, bits=192)
    if ball > 0 or ball < 0:
        detail = f"statement − derivation is enclosed in {ball.str(8)}, away from 0"
        outcome = Outcome.REFUTED
    else:
        detail = "conditions met; statement − derivation is enclosed in a ball around 0"
        outcome = Outcome.CONSISTENT
    return Evidence("certified", outcome, detail, setting=experiment.name)


def _proved(condition: sp.Rel, experiment: Experiment) -> bool:
    """Whether a strict inequality holds for every point of the enclosure."""
    ball = enclose(condition.gts - condition.lts, experiment.bindings)
    return bool(ball > 0)
