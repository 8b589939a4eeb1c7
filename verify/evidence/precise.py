"""Digits: the derivations against each other at the experiments' settings, at two precisions.

Consistency of the tool with itself; never a basis for a verdict.
"""

from __future__ import annotations

import sympy as sp

from numerics.precise import evaluate
from theory.algebra import Undetermined, at_point
from verify.claim import Bindings, Evidence, Item, Outcome
from verify.experiment import Experiment

LOW, HIGH = 25, 60


def examine(item: Item) -> list[Evidence]:
    """For each setting, to how many digits all derivations give the same number."""
    try:
        routes = [item.derived(k) for k in range(len(item.claim.routes))]
    except Undetermined:
        return []
    if len(routes) < 2:
        return []
    found = []
    for experiment in item.settings:
        # Symbols that grow with the size are compared at one of them; any would do.
        at = experiment.bindings_at()
        # A relation between variables of its own, such as a flow, has no digits to compare.
        if not any(expr.free_symbols - at.keys() for expr in routes):
            found.append(_setting(routes, experiment, at))
    return found


def _setting(routes: list[sp.Expr], experiment: Experiment, at: Bindings) -> Evidence:
    values = [evaluate(at_point(expr, at), dps=dps) for expr in routes for dps in (LOW, HIGH)]
    reference = values[-1]
    digits = HIGH
    for value in values:
        gap = abs(value - reference)
        if gap:
            # log10 of the relative distance, as a whole number of digits that agree.
            digits = min(digits, int(-sp.log(gap / abs(reference), 10)) if reference else 0)
    outcome = Outcome.CONSISTENT if digits >= LOW - 1 else Outcome.INCONCLUSIVE
    detail = f"{len(routes)} routes at {LOW} and {HIGH} digits agree to {digits}"
    return Evidence(
        "precise", outcome, detail, setting=experiment.name, predicted=float(reference),
        digits=digits,
    )  # fmt: skip
