"""Families of query models in a size, and what is observed of outputs, weights and ascents."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from numerics.simulate.queries import Ascent, Method, QueryModel
from numerics.simulate.steps import StepSizes, warn_unless_robbins_monro

Floats = NDArray[np.float64]
Polynomial = tuple[int | Fraction, ...]


@dataclass(frozen=True)
class QueryFamily:
    """Query models whose sizes are polynomials in one number n, such as L = 40 + 2n.

    Parameters
    ----------
    d, L, R : coefficients of 1, n, n², ...; integers at every size that is drawn
    theta, inverse_temperature : as for QueryModel

    >>> QueryFamily((3,), (0, 4), (0, Fraction(1, 2)), Fraction(1)).model(10).L
    40
    """

    d: Polynomial
    L: Polynomial
    R: Polynomial
    theta: Fraction
    inverse_temperature: Fraction = Fraction(1)

    def model(self, size: int) -> QueryModel:
        """The model at n = size; ValueError where a size is not an integer."""
        d, L, R = (_at(getattr(self, name), size, name) for name in ("d", "L", "R"))
        return QueryModel(d, L, R, float(self.theta), float(self.inverse_temperature))


def _at(polynomial: Polynomial, size: int, name: str) -> int:
    value = sum((Fraction(k) * size**power for power, k in enumerate(polynomial)), Fraction(0))
    if value.denominator != 1:
        raise ValueError(f"{name} must be an integer at size {size}: got {value}")
    return int(value)


@dataclass(frozen=True)
class Outputs:
    """Outputs and gradients at one alignment, each from a fresh sequence.

    Observables, means over a batch: 'objective' = |f|², 'slope' = ⟨gradient, e⟩/|e|² with e the
    part of ξ perpendicular to the query, 'tangent' = |tangent gradient|².

    Parameters
    ----------
    rho : alignment of the queries, otherwise uniform
    batch : sequences a replicate
    """

    family: QueryFamily
    rho: Fraction
    batch: int
    method: Method = "exact-in-law"

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate."""
        model = self.family.model(size)
        query = model.query_at(rng, float(self.rho), self.batch)
        drawn = model.gradient(rng, query, self.method)
        radial = np.vecdot(drawn.gradient, query)
        tangent = np.vecdot(drawn.gradient, drawn.gradient) - radial**2
        seen = {"objective": drawn.squared_output.mean(), "tangent": tangent.mean()}
        if abs(self.rho) < 1:
            progress = drawn.gradient[:, 0] - query[:, 0] * radial
            seen["slope"] = progress.mean() / float(1 - self.rho**2)
        return {name: float(value) for name, value in seen.items()}

    def expected(self, size: int) -> dict[str, float]:
        """No controls."""
        return {}


@dataclass(frozen=True)
class Weights:
    """Softmax weights of fresh sequences at one alignment.

    Observables: 'informative mass', 'noise mass', and 'noise weight' = L times the mean weight
    of a noise token.
    """

    family: QueryFamily
    rho: Fraction
    batch: int

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: means over a batch."""
        model = self.family.model(size)
        seen = model.attention(rng, np.full(self.batch, float(self.rho)))
        mass, weight = float(seen.informative_mass.mean()), float(seen.mean_noise_weight.mean())
        noise = weight * (model.L - model.R)
        return {"informative mass": mass, "noise mass": noise, "noise weight": weight * model.L}

    def expected(self, size: int) -> dict[str, float]:
        """No controls."""
        return {}


class Schedule(Protocol):
    """Step sizes of an ascent, as a function of the size."""

    def sizes(self, size: int) -> Floats:
        """All of them, in order."""


@dataclass(frozen=True)
class Refined:
    """Constant steps scale/size over a fixed time: the flow's limit is size → ∞."""

    time: Fraction
    scale: Fraction = Fraction(1)

    def sizes(self, size: int) -> Floats:
        """As many steps as the time takes; ValueError where that is no integer."""
        count = self.time / self.scale * size
        if count.denominator != 1:
            raise ValueError(f"time/step must be an integer at size {size}: got {count}")
        return np.full(int(count), float(self.scale) / size)


@dataclass(frozen=True)
class Longer:
    """Steps of one law, as many as the size says: the limit is that of long runs.

    robbins_monro : warn where the law breaks these conditions
    """

    steps: StepSizes
    robbins_monro: bool = False

    def __post_init__(self) -> None:
        if self.robbins_monro:
            warn_unless_robbins_monro(self.steps, self.sizes(2))

    def sizes(self, size: int) -> Floats:
        """The first `size` of them."""
        return self.steps(np.arange(size))


@dataclass(frozen=True)
class Same:
    """The same steps at every size: the limit is that of many tokens."""

    steps: StepSizes
    count: int

    def sizes(self, size: int) -> Floats:
        """The first `count` of them."""
        return self.steps(np.arange(self.count))


def first_passage(run: Ascent, target: float) -> Floats:
    """The flow time at which each run, straight between its recorded times, first reaches a level.

    Parameters
    ----------
    run : recorded at its start, below the target, and at every time that is to be told apart
    target : an alignment

    Returns shape (runs,), nan for a run that never reaches it.
    """
    reached = run.rho >= target
    after = np.maximum(reached.argmax(axis=1), 1)
    row = np.arange(len(after))
    low, high = run.rho[row, after - 1], run.rho[row, after]
    before = run.flow_time[after - 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        passed = before + (run.flow_time[after] - before) * (target - low) / (high - low)
    return np.where(reached.any(axis=1), passed, np.nan)


def _at_rest(run: Ascent, sizes: Floats, first: int) -> Floats:
    """(1 − |ρ|)/last step at the recorded times from one on."""
    late = run.times >= first
    found: Floats = (1 - run.alignment[:, late]) / sizes[run.times[late] - 1]
    return found


_LOOKS = 16  # a run at rest is correlated over more steps than there are between two looks


@dataclass(frozen=True)
class Ascents:
    """Runs of the recursion, seen at their end and, where they have settled, before it.

    Observables, means over the runs of a replicate: 'end' = ρ, 'alignment' = |ρ|,
    'negative' = 1[ρ < 0], 'misalignment' = (1 − |ρ|)/last step averaged over times after
    `settled`, 'wandering' = |part of the query outside the plane of its start and ξ|²/last
    step, which is 0 for the flow, and with a target 'hitting time', the sum of the steps until
    ρ first reaches it: nan if one of the runs never does.

    Parameters
    ----------
    start : alignment of the first query, otherwise uniform; None for a uniform start
    runs : runs a replicate
    settled : the share of the steps, in (0, 1], after which a run is taken to be at rest
    full : whether the gradient keeps its part along the query, which shortens the step
    target : an alignment whose first passage is timed; above that of the start
    """

    family: QueryFamily
    schedule: Schedule
    start: Fraction | None
    runs: int = 1
    settled: Fraction = Fraction(1)
    full: bool = True
    target: Fraction | None = None

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate."""
        model, sizes = self.family.model(size), self.schedule.sizes(size)
        if self.start is None:
            start = model.uniform_query(rng, self.runs)
        else:
            start = model.query_at(rng, float(self.start), self.runs)
        first = max(1, round(self.settled * len(sizes)))
        looks = np.linspace(first, len(sizes), _LOOKS).astype(np.int64)
        record = looks if self.target is None else np.arange(len(sizes) + 1)
        run = model.ascend(
            rng, steps=sizes, start=start, runs=self.runs, record=record, full=self.full
        )
        rho = run.query[:, 0]
        across = run.query[:, 1:]
        side = start[:, 1:] / np.maximum(np.linalg.norm(start[:, 1:], axis=1), 1e-300)[:, None]
        outside = across - np.vecdot(across, side)[:, None] * side
        seen = {
            **(self._controls(start[:, 0]) if self.start is None else {}),
            "end": rho.mean(),
            "alignment": np.abs(rho).mean(),
            "negative": (rho < 0).mean(),
            "misalignment": _at_rest(run, sizes, first).mean(),
            "wandering": np.vecdot(outside, outside).mean() / sizes[-1],
        }
        if self.target is not None:
            seen["hitting time"] = first_passage(run, float(self.target)).mean()
        return {name: float(value) for name, value in seen.items()}

    @staticmethod
    def _controls(rho: Floats) -> dict[str, Any]:
        """Of the starts' alignments: means known by symmetry."""
        return {
            "start": rho.mean(), "start negative": (rho < 0).mean(),
            "start squared": (rho**2).mean(),
        }  # fmt: skip

    def expected(self, size: int) -> dict[str, float]:
        """Exact means of the controls: a uniform start favours neither sign and no axis."""
        if self.start is not None:
            return {}
        d = self.family.model(size).d
        return {"start": 0.0, "start negative": 0.5, "start squared": 1 / d}
