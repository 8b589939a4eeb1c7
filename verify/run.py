"""One way through: plan, simulate each experiment once, gather evidence, judge."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from numerics.limits import Limit
from verify import registry
from verify.claim import Evidence, Item, Outcome, Verdict
from verify.evidence import certified, neighbours, precise, simulated, symbolic
from verify.evidence.neighbours import Neighbours
from verify.experiment import PROFILES, Experiment, Observations, Simulation, Table
from verify.kinds import resolution
from verify.verdict import Judgement, judge, right_failure

# A batch of replicates is one task for a worker: long enough to be worth sending, short enough
# for two workers to finish together.
BATCHES_PER_SIZE = 8

Progress = Callable[[str, int, int], None]


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
    judged = judge_all(items, table, profile, progress)
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


# --- simulation --------------------------------------------------------------------------------


def simulate(
    experiments: Sequence[Experiment],
    profile: str,
    seed: int,
    jobs: int,
    progress: Progress | None = None,
) -> dict[str, Observations]:
    """Draw every experiment's table once.

    An experiment that raises is left out with its reason in `Observations.error`, and takes
    nothing of the others with it.
    """
    batches = list(_batches(experiments, profile))
    # Long batches first, so that no worker ends up alone with one.
    batches.sort(key=lambda batch: -batch.size)
    rows: dict[tuple[str, int], dict[int, dict[str, float]]] = {}
    errors: dict[str, str] = {}
    seconds: dict[str, float] = {}
    tasks = (delayed(_draw)(batch, seed) for batch in batches)
    workers = Parallel(
        n_jobs=min(jobs, max(1, len(batches))), return_as="generator_unordered",
        inner_max_num_threads=1, backend="loky",
    ) if jobs > 1 else Parallel(n_jobs=1, return_as="generator")  # fmt: skip
    with threadpool_limits(1):
        for done, drawn in enumerate(workers(tasks), 1):
            rows.setdefault((drawn.experiment, drawn.size), {}).update(drawn.rows)
            seconds[drawn.experiment] = seconds.get(drawn.experiment, 0.0) + drawn.seconds
            if drawn.error is not None:
                errors.setdefault(drawn.experiment, drawn.error)
            if progress is not None:
                progress("simulating", done, len(batches))
    return {
        e.name: _observations(e, profile, rows, errors.get(e.name), seconds.get(e.name, 0.0))
        for e in experiments
    }


@dataclass(frozen=True)
class _Batch:
    experiment: str
    simulation: Simulation
    size: int
    replicates: range


@dataclass(frozen=True)
class _Drawn:
    experiment: str
    size: int
    rows: dict[int, dict[str, float]]
    error: str | None
    seconds: float


def _batches(experiments: Sequence[Experiment], profile: str) -> Iterator[_Batch]:
    for experiment in experiments:
        for size, replicates in experiment.plan[profile]:
            step = -(-replicates // BATCHES_PER_SIZE)
            for first in range(0, replicates, step):
                span = range(first, min(first + step, replicates))
                yield _Batch(experiment.name, experiment.simulation, size, span)


def generator(seed: int, experiment: str, size: int, replicate: int) -> np.random.Generator:
    """The generator of one replicate: a function of these four and of nothing else."""
    words = np.frombuffer(hashlib.sha256(experiment.encode()).digest()[:16], dtype="<u4")
    key = (*map(int, words), size, replicate)
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=key)))


def _draw(batch: _Batch, seed: int) -> _Drawn:
    start = time.perf_counter()
    rows: dict[int, dict[str, float]] = {}
    error = None
    try:
        for replicate in batch.replicates:
            rng = generator(seed, batch.experiment, batch.size, replicate)
            rows[replicate] = batch.simulation.draw(batch.size, rng)
    except Exception as failure:
        # One experiment's fault must not lose the others.
        error = f"{type(failure).__name__}: {failure}"
    return _Drawn(batch.experiment, batch.size, rows, error, time.perf_counter() - start)


def _observations(
    experiment: Experiment,
    profile: str,
    rows: dict[tuple[str, int], dict[int, dict[str, float]]],
    error: str | None,
    seconds: float,
) -> Observations:
    table, expected = {}, {}
    for size, _ in experiment.plan[profile]:
        replicates = [row for _, row in sorted(rows.get((experiment.name, size), {}).items())]
        names = replicates[0].keys() if replicates else ()
        table[size] = {name: np.array([row[name] for row in replicates]) for name in names}
        expected[size] = experiment.simulation.expected(size)
    return Observations(experiment.name, table, expected, seconds, error)


# --- judgement ---------------------------------------------------------------------------------


def judge_all(
    items: Sequence[Item], table: Table, profile: str, progress: Progress | None = None
) -> tuple[Judged, ...]:
    """Judge items from finished tables; a failure also by what holds instead of it."""
    judged: dict[str, Judged] = {}
    for done, item in enumerate(items, 1):
        judged[item.id] = _judge(item, table, profile)
        if progress is not None:
            progress("judging", done, len(items))
    for item in items:
        partner = registry.instead(item, items)
        if partner is not None and judged[item.id].judgement.verdict is Verdict.FAILS:
            judged[item.id] = _with_partner(judged[item.id], judged[partner.id], profile)
    return tuple(judged.values())


def _judge(item: Item, table: Table, profile: str) -> Judged:
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
    return Judged(item, tuple(evidence), judgement, outcome, time.perf_counter() - start)


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
