"""One way through: plan, simulate each experiment once, gather evidence, judge."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral

from joblib import delayed

from numerics.limits import Limit
from verify import registry
from verify.claim import Evidence, Item, Outcome, Verdict
from verify.evidence import certified, neighbours, precise, simulated, symbolic
from verify.evidence.neighbours import Neighbours
from verify.experiment import PROFILES, Experiment, Observations, Table
from verify.kinds import resolution
from verify.tables import Progress, simulate, workers
from verify.verdict import Judgement, judge, right_failure


@dataclass(frozen=True)
class Judged:
    """An item with its evidence, its judgement, and what became of its formula's mutants."""

    item: Item
    evidence: tuple[Evidence, ...]
    judgement: Judgement
    neighbours: Neighbours | None
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the one the registry expects."""
        return self.judgement.verdict is self.item.expected


@dataclass(frozen=True)
class Result:
    """A whole run: settings, tables, judged items."""

    profile: str
    seed: int
    table: Table
    judged: tuple[Judged, ...]
    seconds: float

    @property
    def succeeded(self) -> bool:
        """Whether every verdict is the expected one."""
        return all(judged.as_expected for judged in self.judged)


def run(
    patterns: Sequence[str] = ("*",),
    *,
    profile: str = "standard",
    seed: int = 0,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Put claims before the evidence and judge them.

    Parameters
    ----------
    patterns : shell patterns of claim or item ids; what holds instead of a failure is added
    profile : 'quick', 'standard' or 'full'
    seed : integer ≥ 0; the tables depend on nothing else, whatever else runs beside
    jobs : worker processes, at least 1; None for the number of processors
    progress : called with what is being done, how much is done, how much there is

    Raises
    ------
    ValueError : an unknown profile, a bad seed or number of jobs, a pattern without match.
    """
    profile, seed, jobs = checked(profile, seed, jobs)
    start = time.perf_counter()
    items = registry.find(patterns)
    table = simulate(registry.experiments(items), profile, seed, jobs, progress)
    judged = judge_all(items, table, profile, jobs, progress)
    return Result(profile, seed, table, judged, time.perf_counter() - start)


def checked(profile: str, seed: int, jobs: int | None) -> tuple[str, int, int]:
    """The settings of a run, or the rule that one of them breaks."""
    if profile not in PROFILES:
        raise ValueError(f"profile must be one of {', '.join(PROFILES)}: got {profile!r}")
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < 2**64:
        raise ValueError(f"seed must be an integer in 0..2**64-1: got {seed!r}")
    if jobs is None:
        jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if isinstance(jobs, bool) or not isinstance(jobs, Integral) or not 1 <= jobs <= 1024:
        raise ValueError(f"jobs must be an integer in 1..1024: got {jobs!r}")
    return profile, int(seed), int(jobs)


def judge_all(
    items: Sequence[Item],
    table: Table,
    profile: str,
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[Judged, ...]:
    """Judge items from finished tables; a failure also by what holds instead of it."""
    tasks = (
        delayed(_judge_by_id)(item.id, _tables_of(item, table), profile) for item in items
    )
    judged: dict[str, Judged] = {}
    for item, found in zip(items, workers(jobs, ordered=True)(tasks), strict=True):
        judged[item.id] = Judged(item, *found)
        if progress is not None:
            progress("judging", len(judged), len(items))
    for item in items:
        partner = registry.instead(item, items)
        if partner is not None and judged[item.id].judgement.verdict is Verdict.FAILS:
            judged[item.id] = _with_partner(judged[item.id], judged[partner.id], profile)
    return tuple(judged.values())


def _tables_of(item: Item, table: Table) -> dict[str, Observations]:
    return {e.name: table[e.name] for e in item.settings if e.name in table}


def _judge_by_id(
    name: str, table: Table, profile: str
) -> tuple[tuple[Evidence, ...], Judgement, Neighbours | None, float]:
    """The judgement of one item; a worker finds it in its own registry."""
    (item,) = (item for item in registry.items() if item.id == name)
    return _judge(item, table, profile)


def _judge(
    item: Item, table: Table, profile: str
) -> tuple[tuple[Evidence, ...], Judgement, Neighbours | None, float]:
    start = time.perf_counter()
    examinations: dict[str, Callable[[], list[Evidence]]] = {
        "symbolic": lambda: symbolic.examine(item),
        "certified": lambda: certified.examine(item),
        "precise": lambda: precise.examine(item),
        "simulated": lambda: simulated.examine(item, table, profile),
    }
    evidence: list[Evidence] = []
    for kind, examine in examinations.items():
        try:
            evidence += examine()
        except Exception as failure:
            # Recorded as an error of this item, so that the others keep their verdicts.
            detail = f"{type(failure).__name__}: {failure}"
            evidence.append(Evidence(kind, Outcome.ERRED, detail))
    judgement = judge(evidence)
    outcome = None
    if item.expected is Verdict.HOLDS and judgement.verdict is Verdict.HOLDS:
        try:
            outcome = neighbours.examine(item, _limits(item, table))
        except Exception as failure:
            detail = f"{type(failure).__name__}: {failure}"
            judgement = Judgement(Verdict.ERRS, (), detail)
        if outcome is not None and outcome.surviving:
            names = "; ".join(outcome.surviving[:3])
            judgement = Judgement(Verdict.ERRS, (), f"mutants survive: {names}")
    return tuple(evidence), judgement, outcome, time.perf_counter() - start


def _limits(item: Item, table: Table) -> list[tuple[Experiment, Limit]]:
    return [
        (e, simulated.observed_limit(item, e, table[e.name]))
        for e in item.settings
        if e.name in table
    ]


def _with_partner(failed: Judged, partner: Judged, profile: str) -> Judged:
    share = resolution(failed.item.claim.kind, profile)
    tolerance = {
        e.setting: share * (e.relative_to or 1.0)
        for e in failed.evidence
        if e.kind == "simulated" and e.setting is not None
    }
    wrong = right_failure(failed.evidence, partner.judgement, tolerance)
    if wrong is None:
        return failed
    judgement = Judgement(Verdict.UNDECIDED, (), f"not the right failure: {wrong}")
    return Judged(failed.item, failed.evidence, judgement, None, failed.seconds)
