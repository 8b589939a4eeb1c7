"""What is simulated: a model at several sizes, with its exact bindings. It knows no claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import sympy as sp
from numpy.typing import NDArray

PROFILES = ("quick", "standard", "full")


class Simulation(Protocol):
    """What an experiment asks of a simulator; see numerics.simulate."""

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: observables and controls by name."""

    def expected(self, size: int) -> dict[str, float]:
        """Exact means of the controls."""


@dataclass(frozen=True)
class Experiment:
    """A simulation run once for all claims, mutants and figures.

    name : unique
    bindings : exact values of the theory's symbols
    columns : what a claim calls a quantity → the observable that is this quantity here
    simulation : how a replicate is drawn
    plan : profile → ((size, replicates), …), at least 3 sizes and 32 replicates each
    scaled : exact values per unit of size, for symbols that grow with it
    bias : column → powers of 1/size in which it approaches its limit here, where they are not
        the claim's: an edge is approached like size^(−2/3), say, and an outlier like 1/size
    """

    name: str
    bindings: Mapping[sp.Symbol, sp.Rational]
    columns: Mapping[str, str]
    simulation: Simulation
    plan: Mapping[str, tuple[tuple[int, int], ...]]
    scaled: Mapping[sp.Symbol, sp.Rational] = field(default_factory=dict)
    bias: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def bindings_at(self, size: int = 64) -> dict[sp.Symbol, sp.Expr]:
        """All bindings at one size; where any size would do, at 64."""
        grown = {symbol: per * size for symbol, per in self.scaled.items()}
        return {**self.bindings, **grown}

    def __post_init__(self) -> None:
        for profile in PROFILES:
            sizes = self.plan[profile]
            if len(sizes) < 3 or any(replicates < 32 for _, replicates in sizes):
                raise ValueError(
                    f"experiment {self.name}: plan[{profile}] needs 3 sizes of 32 replicates: "
                    f"got {sizes}"
                )


@dataclass(frozen=True)
class Observations:
    """The table of one experiment: size → name → one number per replicate.

    expected : size → name of a control → its exact mean
    error : why the table is not whole, if it is not
    """

    experiment: str
    table: Mapping[int, Mapping[str, NDArray[np.float64]]]
    expected: Mapping[int, Mapping[str, float]]
    seconds: float = field(default=0.0, compare=False)
    error: str | None = None

    def values(self, size: int, name: str) -> NDArray[np.float64]:
        """One column at one size."""
        return self.table[size][name]


Table = Mapping[str, Observations]
