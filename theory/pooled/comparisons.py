"""Which of two poolings is better: exact findings about α/κ and about ridge accuracy (A7, A8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Answer, Finding, positive
from theory.laws.catalogue import marchenko_pastur
from theory.pooled import causal, ridge, weights
from theory.pooled.causal import Attention, Mean, fraction, position
from theory.pooled.covariance import TableKind, signal
from theory.pooled.summation import powers_follow_by_induction
from theory.pooled.symbols import alpha, delta, gamma, kappa, mu2, tokens

Proof = Callable[["RidgeSetting"], list[Finding]]

# Isolating intervals this narrow tell two accuracies apart unless they agree to about 30 digits.
_WIDTH = sp.Rational(1, 10**40)


@dataclass(frozen=True)
class CausalSetting:
    """Causal attention on a block that shares one sign.

    pooling : the mask and the temperature
    T, L : length of the sequence and of the block
    suffix : the block is the last L positions, not the first
    """

    pooling: Attention
    T: int
    L: int
    suffix: bool = False


def weight(setting: CausalSetting) -> sp.Expr:
    """w_t, the mean of column t of the limiting attention matrix (A6)."""
    return setting.pooling.weight(position, tokens)


def squared_norm(setting: CausalSetting) -> sp.Expr:
    """κ = Σ w_t² for every T, by telescoping."""
    return causal.squared_norm(setting.pooling)


def prefix_limit(setting: CausalSetting) -> sp.Expr:
    """The limit of (α/κ)/T for a prefix of f·T positions."""
    return causal.prefix_limit(setting.pooling)


def crossing_with_mean(setting: CausalSetting) -> sp.Expr:
    """The share f of the sequence at which causal and mean pooling tie as T → ∞."""
    (place,) = causal.crossings(prefix_limit(setting), causal.prefix_limit(Mean()))
    return place


def peak_place(setting: CausalSetting) -> sp.Expr:
    """The share f at which causal pooling is nearest to the optimum, whose limit is f."""
    return causal.peak(prefix_limit(setting) / fraction)[0]


def peak_value(setting: CausalSetting) -> sp.Expr:
    """The largest share of the optimum's α/κ that causal pooling reaches as T → ∞."""
    return causal.peak(prefix_limit(setting) / fraction)[1]


def decreasing(setting: CausalSetting) -> list[Finding]:
    """Is w_t − w_{t+1} > 0 for every t and T? (A6)"""
    later, further = sp.symbols("k j", integer=True, nonnegative=True)
    change = causal.decrement(setting.pooling).subs(position, later + 1)
    # T > t, so T − 1 is positive as well.
    change = sp.factor(change.subs(tokens, later + 2 + further))
    answer = {True: Answer.YES, False: Answer.NO, None: Answer.UNKNOWN}[change.is_positive]
    return [Finding(answer, f"w_t − w_(t+1) = {causal.decrement(setting.pooling)} > 0")]


def norm_by_induction(setting: CausalSetting) -> list[Finding]:
    """Is the closed κ proved by induction on T as well, where the weights are harmonic?"""
    n = sp.Symbol("n", integer=True, positive=True)
    rows = setting.pooling.rows(tokens)
    closed = sp.expand_func(sp.expand(squared_norm(setting) * rows**2))
    if not setting.pooling.sees_itself:
        closed = sp.expand(closed.subs(tokens, n + 1))
    closed = sp.expand_func(closed.subs(tokens, n))
    answer = powers_follow_by_induction([n, n, closed], n, 1 / n)
    return [Finding(answer, f"Σ (1/t + … + 1/n)² = {closed}, by induction on n")]


def causal_above_mean(setting: CausalSetting) -> list[Finding]:
    """Has causal attention the larger α/κ, at this T exactly and as T → ∞ at this L/T? (A7)"""
    return _causal_against_mean(setting, 1)


def causal_below_mean(setting: CausalSetting) -> list[Finding]:
    """Has mean pooling the larger α/κ, at this T exactly and as T → ∞ at this L/T?"""
    return _causal_against_mean(setting, -1)


def _causal_against_mean(setting: CausalSetting, wanted: int) -> list[Finding]:
    pooling, T, L = setting.pooling, setting.T, setting.L
    here = causal.advantage(pooling, T, setting.suffix)[L - 1]
    limit = causal.suffix_limit if setting.suffix else causal.prefix_limit
    gap = (limit(pooling) - limit(Mean())).subs(fraction, sp.Rational(L, T))
    words = {1: "above", 0: "equal to", -1: "below"}
    there = int(sp.sign(gap))
    place = "last" if setting.suffix else "first"
    return [
        Finding(
            Answer.YES if sign == wanted else Answer.NO,
            f"α/κ of causal attention is {words[sign]} that of mean pooling for the {place} "
            f"{L} of {T} positions{when}",
        )
        for sign, when in ((here, ", exactly"), (there, ", and in the limit of that share"))
    ]


@dataclass(frozen=True)
class RidgeSetting:
    """Ridge classification of one token model, pooled in several ways.

    table : how the table is prepared
    delta, gamma, mu2, parameter : δ, γ, ‖μ‖² and λ, exact
    R : correlation of the signs, exact
    label : positions (from 0) that share the label
    poolings : name → one exact weight per position
    """

    table: TableKind
    delta: sp.Expr
    gamma: sp.Expr
    mu2: sp.Expr
    parameter: sp.Expr
    R: sp.ImmutableMatrix
    label: tuple[int, ...]
    poolings: Mapping[str, tuple[sp.Expr, ...]]

    def numbers(self, pooling: str) -> dict[sp.Symbol, sp.Expr]:
        """What `ridge.squared_margin` needs besides the point of the curve."""
        w = self.poolings[pooling]
        inside = sum((w[t] for t in self.label), sp.S.Zero)
        strength = signal(self.table).strength / alpha
        return {
            delta: positive(self.delta, "delta"),
            gamma: positive(self.gamma, "gamma"),
            kappa: weights.squared_norm(w),
            ridge.label_sum: inside,
            ridge.residual: weights.signal(w, self.R) - inside**2,
            ridge.strength: strength.subs({mu2: self.mu2, delta: self.delta}),
        }


def transform(m: sp.Expr) -> sp.Expr:
    """The S-transform of the population bulk over κ, MP_δ."""
    return marchenko_pastur(delta).s_transform(m)


def squared_margin(setting: RidgeSetting | TableKind) -> sp.Expr:
    """The squared margin of ridge in the model's symbols, at the point m of the curve."""
    kind = setting if isinstance(setting, TableKind) else setting.table
    return ridge.squared_margin(transform).subs(
        ridge.strength, signal(kind).strength / alpha, simultaneous=True
    )


def accuracy_at(squared: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
    """Φ(√squared): the accuracy that a squared margin means, with numbers for its symbols."""
    # Numbers first: a root of the symbolic fraction would be taken apart at every edit of it.
    return (1 + sp.erf(sp.sqrt(squared.xreplace(dict(bindings)) / 2))) / 2


def accuracy_of_optimum(setting: RidgeSetting) -> sp.Expr:
    """The accuracy of the weights with the largest α/κ, whatever block they are on (A5)."""
    (best,) = weights.optimum(setting.R).face
    inside = sum((best[t] for t in setting.label), sp.S.Zero)
    return ridge.accuracy(transform).subs(ridge.label_sum, inside)


def ranked(first: str, second: str) -> Proof:
    """Is the first pooling's limiting accuracy the larger one? A proof for claims. (A8)"""

    def proof(setting: RidgeSetting) -> list[Finding]:
        sign = _order(*(_located(setting, name) for name in (first, second)))
        answer = Answer.YES if sign > 0 else Answer.NO
        word = "above" if sign > 0 else "not above"
        return [Finding(answer, f"the accuracy of {first} pooling is {word} that of {second}")]

    return _described(proof, f"The limiting accuracies of {first} and {second} pooling, compared.")


def first_before_next(setting: RidgeSetting) -> list[Finding]:
    """Is the accuracy of the setting's first pooling above that of its second? (A8)"""
    first, second, *_ = setting.poolings
    return ranked(first, second)(setting)


def ratios_ranked(first: str, second: str) -> Proof:
    """Is the first pooling's α/κ the larger one?"""

    def proof(setting: RidgeSetting) -> list[Finding]:
        one, two = (weights.ratio(setting.poolings[name], setting.R) for name in (first, second))
        answer = Answer.YES if (one - two).is_positive else Answer.NO
        word = "above" if (one - two).is_positive else "not above"
        return [Finding(answer, f"α/κ of {first} pooling is {word} that of {second} pooling")]

    return _described(proof, f"α/κ of {first} and {second} pooling, compared.")


def _described(proof: Proof, words: str) -> Proof:
    proof.__name__, proof.__doc__ = "ranked", words
    return proof


@dataclass(frozen=True)
class _Located:
    """A squared margin as a function of m, and an interval that holds the one m with λ(m) = λ."""

    margin: sp.Expr
    low: sp.Rational
    high: sp.Rational


@lru_cache(maxsize=64)
def _curve_of_ridge() -> sp.Expr:
    return ridge.equivalents(transform).ridge


def _located(setting: RidgeSetting, pooling: str) -> _Located:
    numbers = setting.numbers(pooling)
    wanted = positive(setting.parameter, "parameter")
    gap = sp.Poly(sp.numer(sp.together(_curve_of_ridge().subs(numbers) - wanted)), ridge.point)
    # m falls from 0 as λ falls from ∞: the largest negative root.
    below = [span for span, _ in gap.intervals(eps=_WIDTH) if span[1] < 0]
    low, high = below[-1]
    return _Located(ridge.squared_margin(transform).subs(numbers), low, high)


def _order(first: _Located, second: _Located) -> int:
    """The sign of first − second, by a rational number between the two.

    A margin is above q at its root if margin − q has no zero and no pole on the isolating
    interval (Sturm) and is positive at one end.
    """
    ends = [one.margin.subs(ridge.point, one.low) for one in (first, second)]
    middle = (ends[0] + ends[1]) / 2
    signs = [_sign(one, middle) for one in (first, second)]
    if signs[0] * signs[1] >= 0:
        raise ArithmeticError("the two margins agree to all digits examined")
    return signs[0]


def _sign(located: _Located, value: sp.Rational) -> int:
    top, bottom = sp.fraction(sp.cancel(located.margin - value))
    parts: Sequence[sp.Poly] = [sp.Poly(part, ridge.point) for part in (top, bottom)]
    if any(part.count_roots(located.low, located.high) for part in parts):
        return 0
    first, second = (sp.sign(part.eval(located.low)) for part in parts)
    return int(first * second)
