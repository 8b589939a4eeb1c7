"""The sizes of a user's own token model, checked and exact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from theory.pooled.covariance import CENTRED, CLASS_CENTRED, RAW, TableKind
from theory.pooled.symbols import delta, gamma

TABLES: Mapping[str, TableKind] = {kind.name: kind for kind in (RAW, CENTRED, CLASS_CENTRED)}
# Sequences are held in memory position by position; the other sizes enter as ratios.
_MOST = {"d": 10**15, "V": 10**15, "N": 10**15, "T": 10**6}


@dataclass(frozen=True)
class Sizes:
    """A token model's sizes and table, checked.

    d, V, N, T : positive integers
    mu2 : ‖μ‖², exact, positive
    table : 'raw', 'centred' or 'class-centred'
    """

    d: int
    V: int
    N: int
    T: int
    mu2: Fraction
    table: str

    def __post_init__(self) -> None:
        for name in ("d", "V", "N", "T"):
            value = getattr(self, name)
            if value < 1:
                raise ValueError(f"{name} must be at least 1: got {value}")
            if value > _MOST[name]:
                raise ValueError(f"{name} must be at most {_MOST[name]}: got {value}")
        if self.mu2 <= 0:
            raise ValueError(f"mu2 must be positive: got {self.mu2}")
        if self.table not in TABLES:
            raise ValueError(f"table must be one of {', '.join(TABLES)}: got {self.table!r}")

    @property
    def smallest(self) -> int:
        """The least of d, V and N."""
        return min(self.d, self.V, self.N)

    @property
    def ratios(self) -> dict[sp.Symbol, sp.Expr]:
        """δ = d/V and γ = d/N."""
        return {delta: sp.Rational(self.d, self.V), gamma: sp.Rational(self.d, self.N)}
