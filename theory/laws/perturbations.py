"""Outliers of any law by transforms alone, as a second way beside the resolvent's residue.

An additive perturbation θuuᵀ of a law with R-transform R has its outlier at R(1/θ) + θ, and the
squared overlap dλ/dθ; a multiplicative one of a law with S-transform S at (1 + θ)/S(1/θ), and
(1 + θ) d log λ/dθ (first-order perturbation theory of a simple eigenvalue).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from theory.laws.curve import reduced
from theory.laws.law import SpectralLaw
from theory.laws.spikes import Spike, additive, multiplicative

strength = sp.Symbol("theta", positive=True)


@dataclass(frozen=True)
class Perturbed:
    """A law, and the kind of rank-one perturbation that it suffers."""

    law: SpectralLaw
    kind: Callable[[SpectralLaw], Spike]


def location(model: Perturbed) -> sp.Expr:
    """Where the outlier of strength θ lies: a point of the curve."""
    return model.kind(model.law).at(strength).location


def overlap(model: Perturbed) -> sp.Expr:
    """The squared overlap of its eigenvector: a residue on the curve."""
    return model.kind(model.law).at(strength).overlap


def location_by_transform(model: Perturbed) -> sp.Expr:
    """Where the outlier lies, from the R- or the S-transform.

    >>> from theory import semicircle
    >>> location_by_transform(Perturbed(semicircle(), additive))
    (theta**2 + 1)/theta
    """
    x = sp.Dummy("x")
    if model.kind is additive:
        return reduced(model.law.r_transform(x).subs(x, 1 / strength) + strength)
    if model.kind is multiplicative:
        return reduced((1 + strength) / model.law.s_transform(x).subs(x, 1 / strength))
    raise ValueError(f"kind must be additive or multiplicative: got {model.kind}")


def overlap_by_transform(model: Perturbed) -> sp.Expr:
    """The squared overlap, from how the outlier moves with the strength."""
    place = location_by_transform(model)
    slope = sp.diff(place, strength)
    return reduced(slope if model.kind is additive else (1 + strength) * slope / place)
