"""Stochastic ascent of a softmax query on the sphere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from numerics.simulate.query_gradient import (
    Draw,
    GradientSize,
    exact_in_law_gradient,
    plain_gradient,
    softmax,
)
from numerics.simulate.steps import StepSizes, recorded, step_array, warn_unless_robbins_monro

Floats = NDArray[np.float64]
Method = Literal["exact-in-law", "plain"]
_CACHED = 1 << 15  # numbers worked on at a time, so that they stay in the cache
# Gradients grow like b theta^3: neither they nor the longest steps along them overflow.
_LARGEST = 1e6

__all__ = ["Ascent", "Attention", "QueryModel", "StepSizes"]


@dataclass(frozen=True)
class Attention:
    """How softmax weights divide: each array has the shape of the alignments asked for.

    informative_mass : the total weight of the informative tokens
    largest_noise_weight, mean_noise_weight : over the noise tokens; 0 where there are none
    """

    informative_mass: Floats
    largest_noise_weight: Floats
    mean_noise_weight: Floats


@dataclass(frozen=True)
class Ascent:
    """Independent runs, seen at the recorded times.

    times : (n,) numbers of steps done
    flow_time : (n,) sums of the sizes of these steps
    rho : (runs, n), <q, xi>
    query : (runs, d), the queries at the end, of unit length
    watch : the softmax weights of fresh sequences at given alignments
    """

    times: NDArray[np.int64]
    flow_time: Floats
    rho: Floats
    query: Floats
    watch: Callable[[Floats], Attention]

    @cached_property
    def attention(self) -> Attention:
        """Of fresh sequences at the recorded alignments, arrays (runs, n); drawn when asked."""
        return self.watch(self.rho)

    @property
    def alignment(self) -> Floats:
        """|rho|, shape (runs, n)."""
        return np.abs(self.rho)


@dataclass(frozen=True)
class QueryModel:
    """L tokens in R^d, R of them theta xi + z, the others z, z ~ N(0, I); xi the first axis.

    By rotational symmetry the choice of xi costs nothing.

    Parameters
    ----------
    d : dimension, at least 2
    L : tokens in a sequence, at least 2
    R : informative ones, 1..L
    theta : strength of the signal, in 0..1e6
    inverse_temperature : b in softmax(b <q, x>), positive and at most 1e6

    Raises
    ------
    TypeError, ValueError : naming the argument, the rule and the value.

    >>> model = QueryModel(d=20, L=200, R=100, theta=1.0)
    >>> run = model.ascend(np.random.default_rng(1), steps=StepSizes(0.1, 0.6), count=300, runs=2)
    >>> bool((run.alignment[:, -1] > 0.9).all())
    True
    >>> QueryModel(d=20, L=200, R=201, theta=1.0)
    Traceback (most recent call last):
        ...
    ValueError: R must lie in 1..L=200: got 201
    """

    d: int
    L: int
    R: int
    theta: float
    inverse_temperature: float = 1.0

    def __post_init__(self) -> None:
        for name, least in (("d", 2), ("L", 2), ("R", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer):
                raise TypeError(f"{name} must be an integer: got {value!r}")
            if name != "R" and value < least:
                raise ValueError(f"{name} must be at least {least}: got {value}")
        if not 1 <= self.R <= self.L:
            raise ValueError(f"R must lie in 1..L={self.L}: got {self.R}")
        if not (math.isfinite(self.theta) and self.theta >= 0):
            raise ValueError(f"theta must be finite and not negative: got {self.theta}")
        b = self.inverse_temperature
        if not (math.isfinite(b) and b > 0):
            raise ValueError(f"inverse_temperature must be finite and positive: got {b}")
        for name in ("theta", "inverse_temperature"):
            if getattr(self, name) > _LARGEST:
                raise ValueError(f"{name} must be at most {_LARGEST:g}: got {getattr(self, name)}")

    def uniform_query(self, rng: np.random.Generator, runs: int = 1) -> Floats:
        """Uniform unit vectors, shape (runs, d)."""
        return _unit(rng.standard_normal((_runs(runs), self.d)))

    def query_at(self, rng: np.random.Generator, rho: float, runs: int = 1) -> Floats:
        """Unit vectors of alignment rho in -1..1, otherwise uniform, shape (runs, d).

        >>> QueryModel(d=3, L=2, R=1, theta=1.0).query_at(np.random.default_rng(0), 0.5)[:, 0]
        array([0.5])
        """
        if not -1 <= rho <= 1:
            raise ValueError(f"rho must lie in -1..1: got {rho}")
        query = np.empty((_runs(runs), self.d))
        query[:, 0] = rho
        across = _unit(rng.standard_normal((len(query), self.d - 1)))
        query[:, 1:] = math.sqrt((1 - rho) * (1 + rho)) * across
        return query

    def gradient(
        self, rng: np.random.Generator, query: Floats, method: Method = "exact-in-law"
    ) -> Draw:
        """One gradient of |f_q|^2 for each row of query, each from a fresh sequence.

        Parameters
        ----------
        query : (n, d), unit rows; (d,) is one row
        method : "exact-in-law", O(L + d) a row, or "plain", from L x d tokens
        """
        given = np.atleast_2d(np.asarray(query, dtype=np.float64))
        rows = self._checked(given, len(given), "query")
        return self._method(method)(rng, rows, self._size)

    def attention(self, rng: np.random.Generator, rho: Any) -> Attention:
        """The softmax weights of fresh sequences at given alignments.

        Parameters
        ----------
        rho : float or array, in -1..1; one sequence for each entry

        Raises
        ------
        ValueError : for an alignment that is none.
        """
        at = np.asarray(rho, dtype=np.float64)
        off = ~(np.abs(at) <= 1)
        if off.any():
            raise ValueError(f"rho must lie in -1..1: got {at[off][0]}")
        flat, found = at.ravel(), np.zeros((3, at.size))
        chunk = max(1, _CACHED // self.L)
        for first in range(0, at.size, chunk):
            part = slice(first, min(first + chunk, at.size))
            scores = rng.standard_normal((part.stop - first, self.L))
            scores[:, : self.R] += self.theta * flat[part, None]
            weights = softmax(self.inverse_temperature * scores)
            mass, noise = weights[:, : self.R].sum(axis=1), weights[:, self.R :]
            if self.R < self.L:
                found[1, part] = noise.max(axis=1)
                found[2, part] = noise.mean(axis=1)
            # over its sum with the rest: 1 without noise, and no digits lost where it is small
            found[0, part] = mass / (mass + noise.sum(axis=1))
        return Attention(*(array.reshape(at.shape) for array in found))

    def ascend(
        self,
        rng: np.random.Generator,
        *,
        steps: Sequence[float] | Floats | Callable[[NDArray[Any]], Any],
        count: int | None = None,
        start: Floats | None = None,
        runs: int = 1,
        record: Sequence[int] | NDArray[Any] | None = None,
        method: Method = "exact-in-law",
        full: bool = True,
        robbins_monro: bool = False,
    ) -> Ascent:
        """q <- (q + step * gradient)/|q + step * gradient|, independent runs (B4, B7).

        Parameters
        ----------
        steps : positive sizes up to 1e200, an array or a function of the step's number, from 0
        count : how many steps; needed for a function
        start : (d,) or (runs, d), unit vectors; uniform on the sphere if not given
        runs : independent runs
        record : numbers of steps 0..count after which to look; the start and the end by default
        method : "exact-in-law", O(L + d) a step, or "plain", from L x d tokens
        full : keep the part of the gradient along q, which shortens the step
        robbins_monro : warn where the steps break these conditions

        Raises
        ------
        ValueError : naming the argument, the rule and the value.

        The runs do not depend on what is recorded.
        """
        sizes = step_array(steps, count)
        if robbins_monro:
            warn_unless_robbins_monro(steps, sizes)
        times = recorded(record, len(sizes))
        step = self._method(method)
        watcher = rng.spawn(1)[0]
        if start is None:
            query = self.uniform_query(rng, runs)
        else:
            query = self._checked(start, _runs(runs), "start").copy()
        rho = np.empty((len(query), len(times)))
        chunk = max(1, _CACHED // (self.L + self.d))
        for first in range(0, len(query), chunk):
            part = slice(first, first + chunk)
            self._climb(rng, query[part], rho[part], sizes, times, step, full)
        flow_time = np.concatenate([[0.0], np.cumsum(sizes)])[times]
        return Ascent(times, flow_time, rho, query, partial(self.attention, watcher))

    def _climb(
        self,
        rng: np.random.Generator,
        query: Floats,
        rho: Floats,
        sizes: Floats,
        times: NDArray[np.int64],
        step: Callable[[np.random.Generator, Floats, GradientSize], Draw],
        full: bool,
    ) -> None:
        """Moves the queries in place and notes their alignments."""
        size, columns = self._size, {int(time): k for k, time in enumerate(times)}
        for k in range(len(sizes) + 1):
            if k in columns:
                # a unit vector along xi may be rounded to a hair above 1
                rho[:, columns[k]] = np.clip(query[:, 0], -1, 1)
            if k == len(sizes):
                return
            gradient = step(rng, query, size).gradient
            if not full:
                gradient -= np.vecdot(gradient, query)[:, None] * query
            gradient *= sizes[k]
            query += gradient
            # by a power of two, which rounds nothing: the squares of a long step overflow
            query /= np.exp2(np.frexp(np.abs(query).max(axis=1))[1])[:, None]
            query /= np.sqrt(np.vecdot(query, query))[:, None]

    @property
    def _size(self) -> GradientSize:
        return GradientSize(self.L, self.R, self.theta, self.inverse_temperature)

    @staticmethod
    def _method(method: str) -> Callable[[np.random.Generator, Floats, GradientSize], Draw]:
        known = {"exact-in-law": exact_in_law_gradient, "plain": plain_gradient}
        if method not in known:
            raise ValueError(f"method must be one of {', '.join(known)}: got {method!r}")
        return known[method]

    def _checked(self, query: Any, runs: int, name: str) -> Floats:
        """Unit rows, shape (runs, d)."""
        rows = np.asarray(query, dtype=np.float64)
        if rows.shape not in ((self.d,), (runs, self.d)):
            rule = f"{name} must have shape ({self.d},) or ({runs}, {self.d})"
            raise ValueError(f"{rule}: got {rows.shape}")
        rows = np.broadcast_to(rows, (runs, self.d))
        lengths = np.sqrt(np.vecdot(rows, rows))
        off = ~(np.abs(lengths - 1) < 1e-9)
        if off.any():
            raise ValueError(f"{name} must have unit length: got {lengths[np.argmax(off)]}")
        return rows


def _unit(vectors: Floats) -> Floats:
    unit: Floats = vectors / np.sqrt(np.vecdot(vectors, vectors))[:, None]
    return unit


def _runs(runs: Any) -> int:
    if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
        raise ValueError(f"runs must be a positive integer: got {runs!r}")
    return int(runs)
