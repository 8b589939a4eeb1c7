"""The laws by name. A new one is a transform or a curve, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from theory.algebra import exact, positive
from theory.laws.conditions import Conditions, joined, require, require_positive, require_real
from theory.laws.curve import PARAMETER as u
from theory.laws.curve import RationalCurve, inverted
from theory.laws.law import SpectralLaw


def marchenko_pastur(ratio: Any) -> SpectralLaw:
    """MP_c, the limit of ZZᵀ/n for Z of shape p × n with standard entries, c = p/n > 0; mean 1.

    S(m) = 1/(1 + c m) (Marchenko and Pastur 1967; Voiculescu's S-transform).

    >>> marchenko_pastur('1/4').moment(2)
    5/4
    """
    c = positive(ratio, "ratio")
    law = SpectralLaw.from_s_transform(1 / (1 + c * u), u)
    return law.where(require_positive(c, "ratio"))


def inverse_marchenko_pastur(ratio: Any) -> SpectralLaw:
    """The law of 1/x for x ~ MP_c, 0 < c < 1; mean 1/(1 − c).

    >>> inverse_marchenko_pastur('1/2').moment(1)
    2
    """
    c = positive(ratio, "ratio")
    below = require(c < 1, "ratio must be below 1", c)
    law = marchenko_pastur(c)
    # The range of c says in words what SpectralLaw.inverse would ask of 1 − min(1, 1/c).
    return SpectralLaw(inverted(law.curve)).where(law.conditions, below)


def semicircle(variance: Any = 1) -> SpectralLaw:
    """Wigner's semicircle of mean 0: R(G) = σ²G.

    >>> semicircle().edges()
    (-2, 2)
    """
    v = positive(variance, "variance")
    return SpectralLaw.from_r_transform(v * u, u).where(require_positive(v, "variance"))


def discrete(weights: Mapping[Any, Any]) -> SpectralLaw:
    """The law Σ p_k δ_{a_k}, given as {atom: weight}; weights positive and of sum 1.

    >>> discrete({0: '1/2', 1: '1/2'}).mass_at_zero()
    1/2
    """
    pairs, ranges = _population(weights)
    return SpectralLaw(RationalCurve(u, sum(p / (u - a) for a, p in pairs)), ranges)


def projection(rank: Any) -> SpectralLaw:
    """The law of a projection of relative rank p, 0 < p < 1.

    >>> projection('1/3').moment(5)
    1/3
    """
    p = positive(rank, "rank")
    ranges = require(p < 1, "rank must be below 1", p)
    law = SpectralLaw(RationalCurve(u, p / (u - 1) + (1 - p) / u), ranges)
    return law.where(require_positive(p, "rank"))


def free_poisson(ratio: Any, jumps: Mapping[Any, Any]) -> SpectralLaw:
    """Compound free Poisson: the limit of ZDZᵀ/n, Z p × n, c = p/n, D with the law of `jumps`.

    R(G) = E[D/(1 − cDG)] (Marchenko and Pastur 1967).

    >>> free_poisson('1/2', {1: 1}) == marchenko_pastur('1/2')
    True
    """
    c = positive(ratio, "ratio")
    pairs, ranges = _population(jumps)
    law = SpectralLaw.from_r_transform(sum(p * a / (1 - c * a * u) for a, p in pairs), u)
    return law.where(require_positive(c, "ratio"), ranges)


def fuss_catalan(order: int) -> SpectralLaw:
    """The law with the Fuss–Catalan moments C((s+1)n, n)/(sn + 1): MP_1 ⊠ … ⊠ MP_1, s times.

    >>> [fuss_catalan(2).moment(n) for n in (1, 2, 3)]
    [1, 3, 12]
    """
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise ValueError(f"order must be a positive integer: got {order!r}")
    return SpectralLaw.from_s_transform(1 / (1 + u) ** order, u)


def _population(weights: Mapping[Any, Any]) -> tuple[list[tuple[sp.Expr, sp.Expr]], Conditions]:
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights must map atoms to their weights: got {weights!r}")
    if not weights:
        raise ValueError("weights must name at least one atom: got none")
    pairs = [(exact(a, "atom"), positive(p, "weight")) for a, p in weights.items()]
    total = sp.cancel(sum(p for _, p in pairs))
    if total != 1:
        raise ValueError(f"weights must sum to 1: got {total}")
    ranges = (f for a, p in pairs for f in (require_real(a, "atom"), require_positive(p, "weight")))
    return pairs, joined(*ranges)
