"""Outliers of the population covariance E[ccᵀ | E] and their overlap with the signal (A2).

Each quantity is derived twice: as a point of the bulk's curve, and from its R-transform.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Undetermined
from theory.laws.curve import PARAMETER, reduced
from theory.laws.spikes import Spike, additive
from theory.pooled.covariance import population_law, signal
from theory.pooled.model import PooledModel
from theory.pooled.symbols import delta, kappa

_strength = sp.Dummy("theta", positive=True)


def spike(strength: Any) -> Spike:
    """The outlier of E[ccᵀ | E] = κW + strength · ĥĥᵀ, W ~ MP_δ (A2)."""
    return additive(population_law()).at(strength)


@lru_cache(maxsize=16)
def location(model: PooledModel) -> sp.Expr:
    """Where the signal's outlier of E[ccᵀ | E] lies, above the bulk or below (A2)."""
    return spike(signal(model.table).strength).location


def overlap(model: PooledModel) -> sp.Expr:
    """The squared overlap of its eigenvector with u (A2)."""
    term = signal(model.table)
    return reduced(spike(term.strength).overlap * term.alignment)


def location_by_resolvent(model: PooledModel) -> sp.Expr:
    """`location`, from the R-transform: λ = R(G) + 1/G where strength · G = 1."""
    G = sp.Dummy("G")
    inverse = population_law().r_transform(G) + 1 / G
    return reduced(inverse.subs(G, 1 / signal(model.table).strength))


def overlap_by_resolvent(model: PooledModel) -> sp.Expr:
    """`overlap`, from perturbation theory: dλ/d(strength)."""
    G = sp.Dummy("G")
    inverse = (population_law().r_transform(G) + 1 / G).subs(G, 1 / _strength)
    term = signal(model.table)
    return reduced(sp.diff(inverse, _strength).subs(_strength, term.strength) * term.alignment)


def excess(model: PooledModel) -> sp.Expr:
    """Positive iff E[ccᵀ | E] has an outlier above its bulk (A2).

    The overlap vanishes where x² = δ, x = strength/κ − δ; of the two critical strengths the
    larger one is where the outlier leaves the upper edge.
    """
    x = sp.Dummy("x", positive=True)
    general = additive(population_law()).threshold().subs(PARAMETER, 1 / x)
    critical = [root for root in sp.solve(sp.fraction(sp.together(general))[0], x)
                if root.is_positive]  # fmt: skip
    (upper,) = critical
    return sp.expand(signal(model.table).strength / kappa - delta - upper)


def lowest(model: PooledModel) -> sp.Expr:
    """The limit of the smallest eigenvalue of E[ccᵀ | E] that is not 0, for a weak signal.

    For V ≥ d no strength has an outlier between 0 and the bulk, and it is the lower edge: the
    smaller one of the two critical values of the bulk's curve.

    Raises Undetermined for a vocabulary shorter than d, where the signal's strength decides.
    """
    if model.short_vocabulary:
        raise Undetermined("below the bulk there may be an outlier: see the gap's location")
    curve = population_law().curve
    critical = sp.solve(sp.fraction(reduced(sp.diff(curve.z, PARAMETER)))[0], PARAMETER)
    values = [sp.factor(curve.z.subs(PARAMETER, u)) for u in critical]
    first, second = values
    gap = sp.expand(second - first)
    return first if gap.is_positive else second
