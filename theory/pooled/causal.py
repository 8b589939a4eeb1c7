"""Causal self-attention pooled over positions: weights, norms and signal ratios.

Everything starts from the attention matrix of `Attention`. Positions count from 1, as in the sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
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
    ValueError : another mask, τ not finite or not real.

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
        tau = exact(self.tau, "tau")
        if tau.is_real is False:
            raise ValueError(f"tau must be real: got {tau}")
        object.__setattr__(self, "tau", tau)

    @property
    def sees_itself(self) -> bool:
        """Whether a position attends to itself."""
        return self.mask == "inclusive"

    def matrix(self, T: int) -> sp.ImmutableMatrix:
        """The T × T attention matrix, row by row from its scores."""
        size = _length(T)
        rows = []
        for i in range(size):
            seen = [sp.exp(self.tau if i == j else 0) for j in range(i + self.sees_itself)]
            normaliser = sum(seen, sp.S.Zero)
            rows.append([score / normaliser for score in seen] + [sp.S.Zero] * (size - len(seen)))
        return sp.ImmutableMatrix(rows)

    def weights(self, T: int) -> tuple[sp.Expr, ...]:
        """The column means of `matrix(T)`, over the rows that attend to anything.

        >>> Attention("strict").weights(3)
        (3/4, 1/4, 0)
        """
        matrix = self.matrix(T)
        if self.rows(sp.Integer(T)) == 0:
            raise ValueError(f"T must be at least 2 under a strict mask: got {T}")
        columns = (sum(matrix[:, t], sp.S.Zero) for t in range(T))
        return tuple(column / self.rows(sp.Integer(T)) for column in columns)

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

    >>> squared_norm(Mean())
    1/T
    """

    def weights(self, T: int) -> tuple[sp.Expr, ...]:
        """The T weights."""
        return (sp.Rational(1, _length(T)),) * T

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


@cache
def power_sum(pooling: Pooling, power: int, first: sp.Expr, last: sp.Expr) -> sp.Expr:
    """The sum of w_t^power over t = first..last, by telescoping.

    >>> power_sum(Attention("strict"), 1, sp.S.One, tokens - 1)
    1
    """
    return sp.cancel(
        total(pooling.weight() ** power, position, first, last, pooling.place(position))
    )


def squared_norm(pooling: Pooling) -> sp.Expr:
    """κ = Σ w_t², closed, for a symbolic T.

    >>> squared_norm(Attention("inclusive"))
    (2*T - harmonic(T))/T**2
    """
    return power_sum(pooling, 2, sp.S.One, pooling.seen(tokens))


def block_signal(pooling: Pooling, first: sp.Expr, last: sp.Expr) -> sp.Expr:
    """α = wᵀRw where the positions first..last share one sign and the others are independent.

    R is 1 on the block and the identity elsewhere: α = (Σ_block w)² + Σ_others w².
    """
    inside = power_sum(pooling, 1, first, last)
    return inside**2 + squared_norm(pooling) - power_sum(pooling, 2, first, last)


def signal_ratio(pooling: Pooling, first: sp.Expr, last: sp.Expr) -> sp.Expr:
    """α/κ for a block of positions first..last.

    >>> signal_ratio(Mean(), sp.S.One, length)
    T*(1/T + ell**2/T**2 - ell/T**2)
    """
    return block_signal(pooling, first, last) / squared_norm(pooling)


def prefix_ratio(pooling: Pooling, L: sp.Expr = length) -> sp.Expr:
    """α/κ when the first L positions share one sign."""
    return signal_ratio(pooling, sp.S.One, L)


def suffix_ratio(pooling: Pooling, L: sp.Expr = length) -> sp.Expr:
    """α/κ when the last L positions share one sign."""
    return signal_ratio(pooling, tokens - L + 1, pooling.seen(tokens))


def decrement(pooling: Pooling) -> sp.Expr:
    """w_t − w_{t+1}, in lowest terms: its sign is the direction of the weights.

    >>> decrement(Attention("strict"))
    1/(t*(T - 1))
    """
    change = pooling.weight(position) - pooling.weight(position + 1)
    return sp.factor(sp.together(sp.expand_func(sp.expand(change))))


def prefix_limit(pooling: Pooling) -> sp.Expr:
    """The limit of (α/κ)/T as T → ∞ for a prefix of L = f·T positions, 0 < f < 1.

    >>> prefix_limit(Mean())
    f**2
    >>> sp.factor(prefix_limit(Attention("strict")))
    f**2*(log(f) - 1)**2/2
    """
    return _limit(prefix_ratio(pooling))


def suffix_limit(pooling: Pooling) -> sp.Expr:
    """The limit of (α/κ)/T as T → ∞ for a suffix of L = f·T positions, 0 < f < 1."""
    return _limit(suffix_ratio(pooling))


@cache
def _limit(ratio: sp.Expr) -> sp.Expr:
    return sp.expand(limit_at_infinity((ratio / tokens).subs(length, fraction * tokens), tokens))


def crossings(first: sp.Expr, second: sp.Expr) -> tuple[sp.Expr, ...]:
    """Where two functions of f meet in 0 < f < 1, exactly.

    Parameters
    ----------
    first, second : polynomials in f and ln f

    Raises
    ------
    ValueError : the two are equal, or the difference is no power of f times a polynomial in ln f.

    >>> crossings(prefix_limit(Attention("strict")), prefix_limit(Mean()))
    (exp(1 - sqrt(2)),)
    """
    # With f = e^(−u) the difference is e^(−ku) times a polynomial in u > 0.
    u = sp.Dummy("u", positive=True)
    moved = sp.factor(sp.powsimp(sp.expand((first - second).subs(fraction, sp.exp(-u)))))
    if moved == 0:
        raise ValueError(f"first and second must differ: got {first} twice")
    factors = [base for base, _ in (f.as_base_exp() for f in sp.Mul.make_args(moved))]
    factors = [factor for factor in factors if factor.has(u) and factor not in (sp.E, u)]
    if any(not factor.is_polynomial(u) for factor in factors):
        raise ValueError(f"first - second must be f^k·polynomial(ln f): got {first - second}")
    roots = {root for factor in factors for root in sp.real_roots(sp.Poly(factor, u))}
    return tuple(sorted(sp.exp(-root) for root in roots if root.is_positive))


def peak(share: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """The place and the value of the only maximum of a function of f in 0 < f < 1.

    Raises
    ------
    ValueError : there is not exactly one stationary point, or it is no maximum.

    >>> peak(prefix_limit(Attention("strict"))/fraction)
    (exp(-1), 2*exp(-1))
    """
    stationary = crossings(sp.diff(share, fraction), sp.S.Zero)
    if len(stationary) != 1 or not sp.diff(share, fraction, 2).subs(fraction, stationary[0]) < 0:
        raise ValueError(f"share must have one maximum in 0 < f < 1: got {share}")
    return stationary[0], sp.expand(share.subs(fraction, stationary[0]))


def finite_ratios(weights: tuple[sp.Expr, ...]) -> tuple[sp.Expr, ...]:
    """α/κ for a prefix of L = 1, …, T positions, from explicit weights.

    >>> finite_ratios(Attention("strict").weights(3))
    (1, 8/5, 8/5)
    """
    squares = [w**2 for w in weights]
    norm = sum(squares, sp.S.Zero)
    inside = square = sp.S.Zero
    ratios = []
    for w, w2 in zip(weights, squares, strict=True):
        inside, square = inside + w, square + w2
        ratios.append((inside**2 + norm - square) / norm)
    return tuple(ratios)


def advantage(pooling: Pooling, T: int, suffix: bool = False) -> tuple[int, ...]:
    """The sign of (α/κ of this pooling) − (α/κ of mean pooling) for L = 1, …, T, exactly.

    Parameters
    ----------
    pooling : with rational weights (a strict mask, or τ = 0)
    T : sequence length
    suffix : the block is the last L positions, not the first

    >>> advantage(Attention("strict"), 8)
    (0, 1, 1, 1, 1, -1, -1, -1)
    """
    step = -1 if suffix else 1
    ours = finite_ratios(pooling.weights(T)[::step])
    means = finite_ratios(Mean().weights(T))
    return tuple(int(sp.sign(a - b)) for a, b in zip(ours, means, strict=True))


def _length(T: int) -> int:
    if isinstance(T, bool) or not isinstance(T, int | sp.Integer):
        raise TypeError(f"T must be an integer: got {T!r}")
    if T < 1:
        raise ValueError(f"T must be at least 1: got {T}")
    return int(T)
