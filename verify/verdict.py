"""The rule that turns evidence into a verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verify.claim import Evidence, Outcome, Verdict

# Kinds that touch the model: a derivation from its definitions, or its simulation. Digits that
# agree only show that the tool agrees with itself.
_TOUCHING = {"symbolic": Outcome.PROVED, "simulated": Outcome.AGREES}


@dataclass(frozen=True)
class Judgement:
    """A verdict, what it rests on, and the reason in words."""

    verdict: Verdict
    basis: tuple[str, ...]
    reason: str


def judge(evidence: Sequence[Evidence]) -> Judgement:
    """The first that applies: errs; fails; undecided; holds.

    Errs for any error or number that is not finite. Fails for any refutation. Undecided for
    anything inconclusive, or when nothing touches the model. Otherwise it holds.

    >>> judge([]).verdict
    <Verdict.UNDECIDED: 'undecided'>
    """
    broken = [e for e in evidence if e.outcome is Outcome.ERRED or not _finite(e)]
    if broken:
        return Judgement(Verdict.ERRS, (), broken[0].detail)
    refuting = [e for e in evidence if e.outcome is Outcome.REFUTED]
    if refuting:
        return Judgement(Verdict.FAILS, _basis(refuting), refuting[0].detail)
    open_ = [e for e in evidence if e.outcome is Outcome.INCONCLUSIVE]
    if open_:
        return Judgement(Verdict.UNDECIDED, (), open_[0].detail)
    touching = [e for e in evidence if _TOUCHING.get(e.kind) is e.outcome]
    if not touching:
        return Judgement(Verdict.UNDECIDED, (), "no evidence touches the model")
    return Judgement(Verdict.HOLDS, _basis(touching), touching[0].detail)


def _basis(evidence: Sequence[Evidence]) -> tuple[str, ...]:
    words = {
        "symbolic": "proof", "certified": "enclosure", "precise": "digits",
        "simulated": "observation",
    }  # fmt: skip
    return tuple(dict.fromkeys(words[e.kind] for e in evidence))


def _finite(evidence: Evidence) -> bool:
    numbers = (evidence.observed, evidence.predicted, evidence.sampling, evidence.bias)
    return all(number is None or math.isfinite(number) for number in numbers)


def right_failure(
    evidence: Sequence[Evidence], instead: Judgement, tolerance: Mapping[str, float]
) -> str | None:
    """Why a failure is not the right one; None when it is.

    What holds instead has to hold for the same model; and where the failing statement was
    simulated, at one setting at least it must miss what was observed by more than the
    resolution, not by a hair.

    Parameters
    ----------
    tolerance : experiment → the resolution there, in units of the observable
    """
    if instead.verdict is not Verdict.HOLDS:
        return f"what should hold instead is {instead.verdict.value}: {instead.reason}"
    missed = [
        (abs(e.observed - e.predicted), e.setting)
        for e in evidence
        if e.kind == "simulated" and e.setting is not None
        and e.observed is not None and e.predicted is not None
    ]  # fmt: skip
    if not missed or any(gap > tolerance[setting] for gap, setting in missed):
        return None
    gap, setting = max(missed)
    return (
        f"it misses what is observed by {gap:.2g} at most, in {setting}, where the resolution is "
        f"{tolerance[setting]:.2g}"
    )
