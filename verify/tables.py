"""Draw every experiment's table once, in worker processes, whatever else is asked of it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from verify.experiment import Experiment, Observations, Simulation

# A batch of replicates is one task for a worker: long enough to be worth sending, short enough
# for two workers to finish together.
BATCHES_PER_SIZE = 8

Progress = Callable[[str, int, int], None]


def workers(jobs: int, ordered: bool) -> Parallel:
    """A pool of single-threaded processes; with one job everything happens in this process."""
    order = "generator" if ordered else "generator_unordered"
    if jobs == 1:
        return Parallel(n_jobs=1, return_as=order)
    return Parallel(n_jobs=jobs, return_as=order, inner_max_num_threads=1, backend="loky")


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
    with threadpool_limits(1):
        for done, drawn in enumerate(workers(jobs, ordered=False)(tasks), 1):
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
        if any(row.keys() != names for row in replicates):
            error = error or f"ValueError: draws at size {size} must have the same observables"
            names = ()
        table[size] = {name: np.array([row[name] for row in replicates]) for name in names}
        try:
            expected[size] = experiment.simulation.expected(size)
        except Exception as failure:
            error = error or f"{type(failure).__name__}: {failure}"
            expected[size] = {}
    return Observations(experiment.name, table, expected, seconds, error)
