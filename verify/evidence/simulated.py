"""The model itself, simulated: does the observed limit agree with the statement, or exclude it?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from numerics.limits import (
    Limit,
    SizeMean,
    control_probability,
    controlled_mean,
    extrapolate,
    with_spread,
)
from numerics.precise import evaluate
from verify.claim import Evidence, Item, Outcome, Relation
from verify.experiment import Experiment, Observations, Table
from verify.kinds import (
    COMPARISON_LEVEL,
    CONTROL_LEVEL,
    FIT_LEVEL_FOR_AGREEMENT,
    FIT_LEVEL_FOR_REFUTATION,
    resolution,
)


def examine(item: Item, table: Table, profile: str) -> list[Evidence]:
    """One comparison for each experiment of the model that has the claim's column.

    A claim about what can be observed is not decided where no experiment meets its conditions.
    """
    if item.claim.observed is not None and not item.settings:
        detail = f"no experiment of {item.model.name} meets the conditions"
        return [Evidence("simulated", Outcome.INCONCLUSIVE, detail)]
    return [
        _setting(item, experiment, table[experiment.name], profile)
        for experiment in item.settings
        if experiment.name in table
    ]


def observed_limit(item: Item, experiment: Experiment, observations: Observations) -> Limit:
    """The limit of the claim's column in one experiment.

    For a claim about every size it is the limit of observation minus expectation, in the claim's
    unit; without a bias, the constant that fits.
    """
    assert item.claim.observed is not None
    column = experiment.columns[item.claim.observed]
    means = controlled_means(observations, column)
    if item.claim.at_sizes:
        # Rounding is relative to what was observed, not to what is left of it.
        means = [_deviation(item, experiment, mean) for mean in with_spread(means)]
    return extrapolate(means, item.bias(experiment))


def _deviation(item: Item, experiment: Experiment, seen: SizeMean) -> SizeMean:
    size = int(seen.size)
    unit = float(evaluate(item.unit(experiment, size), dps=20))
    distance = seen.mean - _number(item, experiment, size)
    return replace(seen, mean=distance / unit, stderr=seen.stderr / unit)


def controlled_means(observations: Observations, column: str) -> list[SizeMean]:
    """The means of one column, corrected by the experiment's controls, in order of size."""
    means = []
    for size, columns in observations.table.items():
        expected = observations.expected[size]
        controls = {name: columns[name] for name in expected}
        means.append(controlled_mean(size, columns[column], controls, expected))
    return means


def _number(item: Item, experiment: Experiment, size: int | None = None) -> float:
    return float(evaluate(item.expectation(experiment, size), dps=20))


def compare(
    limit: Limit,
    prediction: float,
    tolerance: float,
    relation: Relation = Relation.EQUALS,
    level: float = COMPARISON_LEVEL,
) -> tuple[Outcome, str]:
    """The rule: refuted, agrees, or inconclusive with the reason.

    Refuted if the prediction lies outside the interval around the estimate; agrees if the whole
    interval lies within the tolerance of the prediction; everything else is inconclusive.
    """
    half = limit.half_width(level)
    distance = abs(limit.estimate - prediction)
    if not np.isfinite([limit.estimate, half, prediction]).all():
        return Outcome.ERRED, "a number is not finite"
    if relation is not Relation.EQUALS:
        return _one_sided(limit, prediction, half, relation)
    if distance > half:
        if limit.still:
            return Outcome.INCONCLUSIVE, "no replicate differs from another: there is no interval"
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


def _one_sided(
    limit: Limit, bound: float, half: float, relation: Relation
) -> tuple[Outcome, str]:
    """Agrees or refutes only if the whole interval lies on one side of the bound."""
    excess = limit.estimate - bound if relation is Relation.ABOVE else bound - limit.estimate
    detail = f"{excess / limit.stderr:.1f} standard errors on the right side"
    if abs(excess) <= half:
        return Outcome.INCONCLUSIVE, f"the interval holds the bound: {detail}"
    if limit.lack_of_fit < FIT_LEVEL_FOR_REFUTATION:
        return Outcome.INCONCLUSIVE, (
            f"the sizes do not fit the declared bias (p = {limit.lack_of_fit:.1e})"
        )
    return (Outcome.AGREES if excess > 0 else Outcome.REFUTED), detail


def _setting(
    item: Item, experiment: Experiment, observations: Observations, profile: str
) -> Evidence:
    strange = observations.error or _strange_control(observations)
    if strange is not None:
        return Evidence("simulated", Outcome.ERRED, strange, setting=experiment.name)
    limit = observed_limit(item, experiment, observations)
    if item.claim.at_sizes and not item.bias(experiment):
        return _at_every_size(item, experiment, limit, profile)
    if item.claim.at_sizes:
        scale = _scale(item, experiment, max(observations.table))
        prediction = 0.0
    else:
        prediction = _number(item, experiment)
        scale = abs(prediction) or 1.0
    tolerance = resolution(item.claim.kind, profile) * scale
    outcome, detail = compare(limit, prediction, tolerance, item.claim.relation)
    return Evidence(
        "simulated", outcome, detail, setting=experiment.name, observed=limit.estimate,
        predicted=prediction, sampling=limit.half_width(COMPARISON_LEVEL), bias=limit.reach,
        relative_to=scale,
    )  # fmt: skip


def _scale(item: Item, experiment: Experiment, size: int) -> float:
    """What a deviation at one size is relative to: the expectation, or the claim's own unit."""
    if item.claim.unit is not None:
        return 1.0
    return abs(_number(item, experiment, size)) or 1.0


def _at_every_size(
    item: Item, experiment: Experiment, limit: Limit, profile: str
) -> Evidence:
    """A statement about every size, without a bias: each size decides, the worst is shown.

    One size alone refutes it; it agrees only if every size does. The error probability is shared.
    """
    level = COMPARISON_LEVEL / len(limit.means)
    found = []
    for mean in limit.means:
        scale = _scale(item, experiment, int(mean.size))
        tolerance = resolution(item.claim.kind, profile) * scale
        alone = Limit(mean.mean, mean.stderr, mean.dof, 1.0, 0.0, (mean,), limit.still)
        outcome, detail = compare(alone, 0.0, tolerance, item.claim.relation, level)
        half = alone.half_width(level)
        shown = Evidence(
            "simulated", outcome, f"{detail} at size {mean.size:g}", setting=experiment.name,
            observed=mean.mean, predicted=0.0, sampling=half, bias=0.0, relative_to=scale,
        )  # fmt: skip
        found.append(((abs(mean.mean) + half) / scale, shown))
    order = (Outcome.ERRED, Outcome.REFUTED, Outcome.INCONCLUSIVE, Outcome.AGREES)
    worst = min(found, key=lambda pair: (order.index(pair[1].outcome), -pair[0]))
    return worst[1]


def _strange_control(observations: Observations) -> str | None:
    """A control whose mean is not what it provably is: then the simulator is not the model."""
    count = sum(map(len, observations.expected.values()))
    for size, expected in observations.expected.items():
        for name, mean in expected.items():
            p = control_probability(observations.values(size, name), mean)
            if p < CONTROL_LEVEL / count:
                return f"control {name!r} at size {size} is off its exact mean (p = {p:.0e})"
    return None
