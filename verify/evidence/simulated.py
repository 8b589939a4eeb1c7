"""The model itself, simulated: does the observed limit agree with the statement, or exclude it?"""

from __future__ import annotations

import numpy as np

from numerics.limits import Limit, control_probability, controlled_mean, extrapolate
from numerics.precise import evaluate
from verify.claim import Evidence, Item, Outcome
from verify.experiment import Experiment, Observations, Table
from verify.kinds import (
    COMPARISON_LEVEL,
    CONTROL_LEVEL,
    FIT_LEVEL_FOR_AGREEMENT,
    FIT_LEVEL_FOR_REFUTATION,
    resolution,
)


def examine(item: Item, table: Table, profile: str) -> list[Evidence]:
    """One comparison for each experiment of the model that has the claim's column."""
    return [
        _setting(item, experiment, table[experiment.name], profile)
        for experiment in item.settings
        if experiment.name in table
    ]


def observed_limit(item: Item, experiment: Experiment, observations: Observations) -> Limit:
    """The limit of the claim's column in one experiment."""
    return limit_of(observations, experiment.columns[item.claim.observed], item.claim.bias)


def limit_of(observations: Observations, column: str, bias: tuple[float, ...]) -> Limit:
    """The limit of one column, its means corrected by the experiment's controls."""
    means = []
    for size, columns in observations.table.items():
        expected = observations.expected[size]
        controls = {name: columns[name] for name in expected}
        means.append(controlled_mean(size, columns[column], controls, expected))
    return extrapolate(means, bias)


def compare(limit: Limit, prediction: float, tolerance: float) -> tuple[Outcome, str]:
    """The rule: refuted, agrees, or inconclusive with the reason.

    Refuted if the prediction lies outside the interval around the estimate; agrees if the whole
    interval lies within the tolerance of the prediction; everything else is inconclusive.
    """
    half = limit.half_width(COMPARISON_LEVEL)
    distance = abs(limit.estimate - prediction)
    if not np.isfinite([limit.estimate, half, prediction]).all():
        return Outcome.ERRED, "a number is not finite"
    if distance > half:
        if limit.lack_of_fit < FIT_LEVEL_FOR_REFUTATION:
            return Outcome.INCONCLUSIVE, (
                f"the sizes do not fit the declared bias (p = {limit.lack_of_fit:.1e})"
            )
        return Outcome.REFUTED, f"{distance / limit.stderr:.0f} standard errors apart"
    if limit.lack_of_fit < FIT_LEVEL_FOR_AGREEMENT:
        return Outcome.INCONCLUSIVE, (
            f"the sizes do not fit the declared bias (p = {limit.lack_of_fit:.1e})"
        )
    if limit.reach > tolerance / 2:
        return Outcome.INCONCLUSIVE, (
            f"the limit lies {limit.reach:.2g} beyond the largest size, more than "
            f"{tolerance / 2:.2g}"
        )
    if distance + half > tolerance:
        return Outcome.INCONCLUSIVE, (
            f"the error {distance + half:.2g} exceeds the resolution {tolerance:.2g}"
        )
    return Outcome.AGREES, f"{distance / limit.stderr:.1f} standard errors apart"


def _setting(
    item: Item, experiment: Experiment, observations: Observations, profile: str
) -> Evidence:
    strange = observations.error or _strange_control(observations)
    if strange is not None:
        return Evidence("simulated", Outcome.ERRED, strange, setting=experiment.name)
    prediction = float(evaluate(item.prediction(), experiment.bindings, 20))
    limit = observed_limit(item, experiment, observations)
    scale = abs(prediction) or 1.0
    tolerance = resolution(item.claim.kind, profile) * scale
    outcome, detail = compare(limit, prediction, tolerance)
    return Evidence(
        "simulated", outcome, detail, setting=experiment.name, observed=limit.estimate,
        predicted=prediction, sampling=limit.half_width(COMPARISON_LEVEL), bias=limit.reach,
        relative_to=scale,
    )  # fmt: skip


def _strange_control(observations: Observations) -> str | None:
    """A control whose mean is not what it provably is: then the simulator is not the model."""
    count = sum(map(len, observations.expected.values()))
    for size, expected in observations.expected.items():
        for name, mean in expected.items():
            p = control_probability(observations.values(size, name), mean)
            if p < CONTROL_LEVEL / count:
                return f"control {name!r} at size {size} is off its exact mean (p = {p:.0e})"
    return None
