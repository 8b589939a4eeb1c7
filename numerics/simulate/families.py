"""How signs are drawn: what a simulator asks of a family, and three kinds of families.

The families by name, with their arguments checked, are in `signs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Integral
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Exact = tuple[tuple[Fraction, ...], ...]


class SignFamily(Protocol):
    """What a simulator asks of a family of signs."""

    @property
    def T(self) -> int:
        """Sequence length."""

    @property
    def correlation(self) -> NDArray[np.float64]:
        """R, shape (T, T)."""

    @property
    def correlation_exact(self) -> Exact | None:
        """R as exact rationals, or None where an entry is irrational."""

    def sample(self, rng: np.random.Generator, N: int) -> NDArray[np.int8]:
        """N independent sign vectors, shape (N, T)."""


@dataclass(frozen=True)
class Blocks:
    """Disjoint blocks, each sharing one fair sign; every other position has its own.

    R is 1 within a block and on the diagonal, 0 elsewhere.
    """

    T: int
    blocks: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def correlation(self) -> NDArray[np.float64]:
        """R, shape (T, T)."""
        matrix = np.eye(self.T)
        for block in self.blocks:
            matrix[np.ix_(block, block)] = 1.0
        return matrix

    @property
    def correlation_exact(self) -> Exact:
        """R as exact rationals."""
        owner = {t: index for index, block in enumerate(self.blocks) for t in block}

        def entry(s: int, t: int) -> Fraction:
            return Fraction(s == t or (s in owner and owner[s] == owner.get(t)))

        return tuple(tuple(entry(s, t) for t in range(self.T)) for s in range(self.T))

    def sample(self, rng: np.random.Generator, N: int) -> NDArray[np.int8]:
        """N independent sign vectors, shape (N, T)."""
        signs = _fair_signs(rng, count(N, "N"), self.T)
        for block in self.blocks:
            signs[:, block] = signs[:, block[:1]]
        return signs


@dataclass(frozen=True)
class Markov:
    """A stationary two-state chain that keeps its sign with probability (1 + r)/2; R = r^|s−t|."""

    T: int
    r: Fraction

    @cached_property
    def correlation(self) -> NDArray[np.float64]:
        """R, shape (T, T)."""
        t = np.arange(self.T)
        return np.asarray(float(self.r) ** np.abs(t[:, None] - t))

    @property
    def correlation_exact(self) -> Exact:
        """R as exact rationals."""
        powers = [self.r**lag for lag in range(self.T)]
        return tuple(tuple(powers[abs(s - t)] for t in range(self.T)) for s in range(self.T))

    def sample(self, rng: np.random.Generator, N: int) -> NDArray[np.int8]:
        """N independent sign vectors, shape (N, T)."""
        signs = _fair_signs(rng, count(N, "N"), self.T)[:, :1]
        turns = rng.random((N, self.T - 1)) >= float(1 + self.r) / 2
        steps = np.concatenate([signs, 1 - 2 * turns.astype(np.int8)], axis=1)
        return np.cumprod(steps, axis=1, dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Gaussian:
    """Signs of a centred Gaussian vector of correlation C; R = (2/π) arcsin C."""

    gaussian_correlation: NDArray[np.float64]

    @property
    def T(self) -> int:
        """Sequence length."""
        return len(self.gaussian_correlation)

    @cached_property
    def correlation(self) -> NDArray[np.float64]:
        """R, shape (T, T)."""
        return np.asarray(np.arcsin(self.gaussian_correlation) * (2 / np.pi))

    @property
    def correlation_exact(self) -> Exact | None:
        """R as exact rationals if all C_st ∈ {0, ±1/2, ±1}, otherwise None.

        By Niven's theorem no other rational C_st has a rational arcsin/π.
        """
        known = {0.0: Fraction(0), 0.5: Fraction(1, 3), 1.0: Fraction(1)}
        rows = self.gaussian_correlation.tolist()
        if any(abs(c) not in known for row in rows for c in row):
            return None
        return tuple(tuple(known[abs(c)] * (1 if c >= 0 else -1) for c in row) for row in rows)

    @cached_property
    def _root(self) -> NDArray[np.float64]:
        values, vectors = np.linalg.eigh(self.gaussian_correlation)
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

    def sample(self, rng: np.random.Generator, N: int) -> NDArray[np.int8]:
        """N independent sign vectors, shape (N, T)."""
        normal = rng.standard_normal((count(N, "N"), self.T)) @ self._root.T
        # A singular C repeats positions: their rounding must not tear equal signs apart, so a
        # position is read from the first one it equals up to sign.
        first = np.argmax(np.abs(np.abs(self.gaussian_correlation) - 1) <= 1e-12, axis=1)
        relative = np.sign(self.gaussian_correlation[np.arange(self.T), first]).astype(np.int8)
        signs = np.where(normal >= 0, 1, -1).astype(np.int8)
        return np.asarray(signs[:, first] * relative)


def _fair_signs(rng: np.random.Generator, N: int, T: int) -> NDArray[np.int8]:
    return np.asarray(2 * rng.integers(0, 2, size=(N, T), dtype=np.int8) - 1, dtype=np.int8)


def count(value: int, name: str) -> int:
    """A positive integer; otherwise TypeError or ValueError names the rule it breaks."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer: got {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1: got {value}")
    return int(value)
