"""Causal self-attention pooled over positions: weights, norms and signal ratios.

Everything starts from the attention matrix of `Attention`. Positions count from 1, as in the sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import sympy as sp

from theory.algebra import exact
from theory.pooled.summation import limit_at_infinity, total
from theory.pooled.symbols import tokens

length = sp.Symbol("ell", integer=True, positive=True)
fraction = sp.Symbol("f", positive=True)
temperature = sp.Symbol("tau", real=True)
position = sp.Symbol("t", integer=True, positive=True)
_row = sp.Symbol("i", integer=True, positive=True)

Mask = Literal["strict", "inclusive"]


@dataclass(frozen=True)
class Attention:
    """Causal self-attention at its limiting scores, averaged over its rows.

    Row i attends to positions j < i (strict) or j ≤ i (inclusive). The scores (τ/d)⟨x_i, x_j⟩ tend
    to τ for j = i, since ‖x‖²/d → 1, and to 0 for two different tokens. The first row of a strict
    mask sees nothing: it is left out, and the other T − 1 rows are averaged.

    Parameters
    ----------
    mask : "strict" or "inclusive"
    tau : temperature τ, exact; without effect under a strict mask

    Raises
    ------
    ValueError : another mask, τ not finite.

    Source: A6.

    >>> Attention("strict").matrix(3)
    Matrix([
    [  0,   0, 0],
    [  1,   0, 0],
    [1/2, 1/2, 0]])
    """

    mask: Mask
    tau: sp.Expr = sp.S.Zero

    def __post_init__(self) -> None:
        if self.mask not in ("strict", "inclusive"):
            raise ValueError(f"mask must be 'strict' or 'inclusive': got {self.mask!r}")
        object.__setattr__(self, "tau", exact(self.tau, "tau"))

    @property
    def sees_itself(self) -> bool:
        """Whether a position attends to itself."""
        return self.mask == "inclusive"

    def matrix(self, T: int) -> sp.ImmutableMatrix:
        """The T × T attention matrix, row by row from its scores."""
        scores = [
            [sp.exp(self.tau if i == j else 0) for j in range(i + self.sees_itself)]
            for i in range(_length(T))
        ]
        return sp.ImmutableMatrix(
            T, T, lambda i, j: scores[i][j] / sum(scores[i]) if j < len(scores[i]) else 0
        )

    def rows(self, T: sp.Expr) -> sp.Expr:
        """How many rows attend to anything."""
        return T if self.sees_itself else T - 1

    def normaliser(self, row: sp.Expr) -> sp.Expr:
        """The sum of e^score over what row i sees: one e^τ if it sees itself, the others e^0."""
        return row - 1 + (sp.exp(self.tau) if self.sees_itself else 0)

    def place(self, t: sp.Expr) -> sp.Expr:
        """The normaliser of the first row that sees position t: where its sums have their poles."""
        return self.normaliser(t if self.sees_itself else t + 1)

    def seen(self, T: sp.Expr) -> sp.Expr:
        """The last position that any row attends to; later weights are 0."""
        return T if self.sees_itself else T - 1

    def weight(self, t: sp.Expr = position, T: sp.Expr = tokens) -> sp.Expr:
        """w_t, the mean of column t over the rows.

        >>> Attention("strict").weight()
        (harmonic(T - 1) - harmonic(t - 1))/(T - 1)
        """
        later = total(1 / self.normaliser(_row), _row, t + 1, T, self.normaliser(_row))
        own = sp.exp(self.tau) / self.normaliser(t) if self.sees_itself else sp.S.Zero
        return (own + later) / self.rows(T)


@dataclass(frozen=True)
class Mean:
    """Mean pooling, w_t = 1/T, by the same route.

    >>> kappa(Mean())
    1/T
    """

    def place(self, t: sp.Expr) -> sp.Expr:
        """Nothing has poles here."""
        return t

    def seen(self, T: sp.Expr) -> sp.Expr:
        """Every position counts."""
        return T

    def weight(self, t: sp.Expr = position, T: sp.Expr = tokens) -> sp.Expr:
        """w_t = 1/T."""
        return 1 / T


Pooling = Attention | Mean


def power_sum(pooling: Pooling, power: int, first: sp.Expr, last: sp.Expr) -> sp.Expr:
    """The sum of w_t^power over t = first..last, by telescoping.

    >>> power_sum(Attention("strict"), 1, sp.S.One, tokens - 1)
    1
    """
    return sp.cancel(
        total(pooling.weight() ** power, position, first, last, pooling.place(position))
    )


def kappa(pooling: Pooling) -> sp.Expr:
    """κ = Σ w_t², closed, for a symbolic T.

    >>> kappa(Attention("inclusive"))
    (2*T - harmonic(T))/T**2
    """
    return power_sum(pooling, 2, sp.S.One, pooling.seen(tokens))


def alpha(pooling: Pooling, first: sp.Expr, last: sp.Expr) -> sp.Expr:
    """α = wᵀRw where the positions first..last share one sign and the others are independent.

    R is 1 on the block and the identity elsewhere: α = (Σ_block w)² + Σ_others w².
    """
    inside = power_sum(pooling, 1, first, last)
    return inside**2 + kappa(pooling) - power_sum(pooling, 2, first, last)
