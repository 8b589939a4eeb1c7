"""The covariance of a pooled sequence, from the token model's definition.

A sequence enters through a = Σ_t w_t e_{v_t} in token space R^V, so that c = Ea and
E[ccᵀ | E] = E·E[aaᵀ]·Eᵀ. Given its sign ξ a token is v with probability (1 + ξ s_v)/V; hence
E[aaᵀ] lies in the algebra spanned by 1, 11ᵀ and ssᵀ, and acts as a number on each of three
orthogonal subspaces of token space: the ones, the signs, and the rest. The rest makes the bulk,
the two directions make one spike each: b = E1/V and h = Es/V.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import exact
from theory.laws.catalogue import marchenko_pastur
from theory.laws.law import SpectralLaw
from theory.pooled.symbols import alpha, delta, gamma, kappa, mu2, weight_sum

ONES, SIGNS = "ones", "signs"


@dataclass(frozen=True)
class TableKind:
    """How a table E = μsᵀ + Z is prepared: the directions of token space taken out of Z.

    Taking out the ones makes the columns sum to 0; taking out the signs as well gives each
    class the mean ±μ exactly.
    """

    name: str
    taken_out: frozenset[str] = frozenset()


RAW = TableKind("raw")
CENTRED = TableKind("centred", frozenset({ONES}))
CLASS_CENTRED = TableKind("class-centred", frozenset({ONES, SIGNS}))


@dataclass(frozen=True)
class RankOne:
    """A rank-one term strength · vvᵀ/‖v‖² and the share ⟨v, u⟩²/‖v‖² of v along u = μ/‖μ‖."""

    strength: sp.Expr
    alignment: sp.Expr


def token_form(diagonal: Any = 1, centred: bool = False) -> Mapping[str, sp.Expr]:
    """V times E[aaᵀ] as a number on the ones, on the signs, and on the rest of token space.

    `diagonal` is R_tt, 1 because signs square to 1; `centred` takes E[a]E[a]ᵀ out, which is what
    subtracting c̄ from the sample does in the limit.

    >>> sorted(token_form().items())
    [('ones', s**2), ('rest', kappa), ('signs', alpha)]
    >>> token_form(centred=True)['ones']
    0
    """
    V, xi, eta, s_v, s_u, correlation = sp.symbols("V xi eta s_v s_u R", real=True)
    pair = sp.expand((1 + xi * s_v) * (1 + eta * s_u) / V**2)
    # Expectation over two positions' signs: E ξ = E η = 0, E ξη = R.
    pair = pair.subs(xi * eta, correlation).subs({xi: 0, eta: 0})
    constant = pair.subs(correlation, 0)
    linear = sp.cancel(sp.diff(pair, correlation) / (s_v * s_u))
    # One position: a token meets only itself, E[e_v e_vᵀ] = diag((1 + ξ s_v)/V), mean 1/V.
    single = ((1 + xi * s_v) / V).subs(xi, 0)
    # Sums over positions t ≠ t′ of w_t w_t′ and of w_t w_t′ R_tt′.
    distinct = weight_sum**2 - kappa
    correlated = alpha - exact(diagonal, "diagonal") * kappa
    # 11ᵀ has the eigenvalue V on the ones, ssᵀ the eigenvalue V on the signs.
    identity = V * single * kappa
    # E[a] = Σ_t w_t 1/V, whatever the signs.
    mean = V * (weight_sum * single) ** 2 * V if centred else sp.S.Zero
    return {
        ONES: sp.expand(identity + V * distinct * constant * V - mean),
        SIGNS: sp.expand(identity + V * correlated * linear * V),
        "rest": sp.expand(identity),
    }


def table_direction(kind: TableKind, direction: str) -> tuple[sp.Expr, sp.Expr]:
    """(‖mean‖², noise) of E q/V for q the ones or the signs, noise in the limit d/V → δ.

    E q/V = μ(s·q)/V + ZPq/V with P the projection off what is taken out: each of the d
    coordinates of the noise has the variance qᵀPq/V².

    >>> table_direction(RAW, 'signs'), table_direction(CLASS_CENTRED, 'signs')
    ((mu2, delta), (mu2, 0))
    """
    d, V = sp.symbols("d V", positive=True)
    # The two classes have V/2 tokens each; q has one value on each class.
    values = {ONES: sp.Matrix([1, 1]), SIGNS: sp.Matrix([1, -1])}

    def dot(p: sp.Matrix, q: sp.Matrix) -> sp.Expr:
        return V / 2 * (p.T * q)[0]

    q = values[direction]
    kept = q
    for name in kind.taken_out:
        kept = kept - values[name] * dot(values[name], q) / dot(values[name], values[name])
    mean = mu2 * (dot(values[SIGNS], q) / V) ** 2
    noise = d * dot(kept, kept) / V**2
    return mean, sp.cancel(noise.subs(d, delta * V))


def rank_one(
    kind: TableKind, direction: str, diagonal: Any = 1, centred: bool = False
) -> RankOne:
    """The spike of one direction of token space in E[ccᵀ | E], of c − E[c | E] if centred."""
    mean, noise = table_direction(kind, direction)
    total = mean + noise
    along = sp.cancel(mean / total) if total != 0 else sp.S.Zero
    return RankOne(sp.factor(token_form(diagonal, centred)[direction] * total), along)


def signal(kind: TableKind, diagonal: Any = 1) -> RankOne:
    """The spike along the class means' half difference h (A2).

    >>> signal(RAW)
    RankOne(strength=alpha*(delta + mu2), alignment=mu2/(delta + mu2))
    >>> signal(CLASS_CENTRED)
    RankOne(strength=alpha*mu2, alignment=1)
    """
    return rank_one(kind, SIGNS, diagonal)


def vocabulary_mean(kind: TableKind, centred: bool = False) -> RankOne:
    """The spike along the mean b of the whole vocabulary, which nothing in A1–A4 mentions.

    Centring the table takes it out, and so does centring the sample.

    >>> vocabulary_mean(RAW).strength, vocabulary_mean(CENTRED).strength
    (delta*s**2, 0)
    >>> vocabulary_mean(RAW, centred=True).strength
    0
    """
    return rank_one(kind, ONES, centred=centred)


@lru_cache(maxsize=1)
def population_law() -> SpectralLaw:
    """The bulk of E[ccᵀ | E]: the rest of the table is Gaussian, V − 2 columns of d rows."""
    law: SpectralLaw = token_form()["rest"] * marchenko_pastur(delta)
    return law


@lru_cache(maxsize=1)
def sample_law() -> SpectralLaw:
    """The bulk of S: N independent sequences of that covariance, d/N → γ (A1)."""
    return population_law() @ marchenko_pastur(gamma)
