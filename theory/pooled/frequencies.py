"""Outliers when tokens differ in frequency: no theorem of A covers them, the derivations do.

A token v of its class has the frequency D_v of mean 1, the same law in both classes. The bulk of
E[ccᵀ | E] is κ·ZDZᵀ/V, compound free Poisson, and h and b lean towards the frequent tokens: they
are not free of the bulk, so that no θ can be read off their lengths. Outliers are points G of the
bulk's curve z = 1/G + R(G), R(G) = E[D/(1 − δDG)]; all relations are given in G, in units of κ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.laws.curve import PARAMETER, mobius_inverse, reduced
from theory.laws.law import SpectralLaw
from theory.laws.spikes import Spike, weighted_columns
from theory.pooled.covariance import CLASS_CENTRED, TableKind
from theory.pooled.symbols import alpha, delta, gamma, kappa, mu2, weight_sum

# The point of the curve.
point = sp.Symbol("G", positive=True)

_gain = sp.Dummy("t", positive=True)

Bindings = Mapping[sp.Symbol, Any]


@dataclass(frozen=True)
class Frequencies:
    """The law of D, as pairs (value, share), and the kind of table.

    Raises ValueError for shares whose sum, or values whose mean, is not 1.
    """

    table: TableKind
    jumps: tuple[tuple[sp.Expr, sp.Expr], ...]

    def __post_init__(self) -> None:
        total, mean = (sum(p * a**k for a, p in self.jumps) for k in (0, 1))
        for name, value in (("shares", total), ("frequencies", mean)):
            if sp.cancel(value - 1) != 0:
                raise ValueError(f"{name} must have the sum or mean 1: got {value}")

    @property
    def law(self) -> SpectralLaw:
        """The bulk of E[ccᵀ | E], in units of κ."""
        return _bulk(self.jumps)


@lru_cache(maxsize=16)
def _bulk(jumps: tuple[tuple[sp.Expr, sp.Expr], ...]) -> SpectralLaw:
    r_transform = sum(p * a / (1 - delta * a * PARAMETER) for a, p in jumps)
    return SpectralLaw.from_r_transform(r_transform, PARAMETER)


@lru_cache(maxsize=16)
def signal_strength(model: Frequencies) -> sp.Expr:
    """The ‖μ‖² that puts the signal's outlier at the point G: the resolvent's 2 × 2 forms (A3)."""
    return _in_symbols(model, _spike(model).strength)


@lru_cache(maxsize=16)
def signal_strength_by_groups(model: Frequencies) -> sp.Expr:
    """`signal_strength`, from the means of tokens of one frequency, which are free of the rest."""
    determinant = sp.expand(_by_groups(model)[0])
    (strength,) = sp.solve(determinant, mu2)
    return reduced(strength)


@lru_cache(maxsize=16)
def population_overlap(model: Frequencies) -> sp.Expr:
    """The squared overlap with u of the eigenvector of E[ccᵀ | E], at the point G (A2)."""
    return _in_symbols(model, _spike(model).overlap)


def population_overlap_by_groups(model: Frequencies) -> sp.Expr:
    """`population_overlap`, from the residue of the resolvent in the groups' basis."""
    determinant, numerator = _by_groups(model)
    slope = sp.diff(_location(model), point) / sp.diff(determinant, point)
    overlap = mu2 * point**2 * numerator * slope
    return reduced(overlap.subs(mu2, signal_strength_by_groups(model)))


def sample_overlap(model: Frequencies) -> sp.Expr:
    """The squared overlap with u of the signal's eigenvector of S, at the point G (A4)."""
    return reduced(population_overlap(model) * _kept(model))


def sample_overlap_by_groups(model: Frequencies) -> sp.Expr:
    """`sample_overlap`, through the groups' basis."""
    return reduced(population_overlap_by_groups(model) * _kept(model))


@lru_cache(maxsize=16)
def vocabulary_strength(model: Frequencies) -> sp.Expr:
    """The (Σw)² that puts the vocabulary mean's outlier at the point G.

    The ones take the signs' place, without a μ: the gain at which the spike of strength 0 appears.
    """
    (found,) = sp.solve(sp.numer(sp.together(_spike(model).strength)), _gain)
    return reduced(kappa * _at_point(found, model))


def vocabulary_strength_by_groups(model: Frequencies) -> sp.Expr:
    """`vocabulary_strength`, from the means of tokens of one frequency."""
    determinant = sp.expand(_groups(model, weight_sum**2, sp.S.Zero)[0])
    squared = sp.Dummy("s2", positive=True)
    (found,) = sp.solve(determinant.subs(weight_sum, sp.sqrt(squared)), squared)
    return reduced(found)


@lru_cache(maxsize=16)
def _spike(model: Frequencies) -> Spike:
    """For any gain t, in the parameter of the law's curve."""
    return weighted_columns(model.law, _gain, model.table == CLASS_CENTRED)


def _in_symbols(model: Frequencies, expr: sp.Expr) -> sp.Expr:
    """The signal's gain is α/κ."""
    return _at_point(expr.subs(_gain, alpha / kappa), model)


def _by_groups(model: Frequencies) -> tuple[sp.Expr, sp.Expr]:
    return _groups(model, alpha, mu2)


def _groups(model: Frequencies, form: sp.Expr, size: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """(det(1 − GΓC), 1ᵀC adj(1 − GΓC)1): of the mean signed tokens x_g of one frequency each.

    In units of κ, E[ccᵀ | E] is the rest plus Σ C_gh x_g x_hᵀ; what is left of the tokens when
    their means are out is free of the x_g, and these have the Gram matrix Γ.
    """
    values = sp.Matrix([a for a, _ in model.jumps])
    shares = sp.diag(*(p for _, p in model.jumps))
    ones, loads = sp.ones(len(model.jumps), 1), shares * values
    coupling = sp.diag(*loads) + (form / kappa - 1) * loads * loads.T
    noise = shares.inv()
    if model.table == CLASS_CENTRED:
        # The mean token of a class, Σ p_g D_g x_g, is taken out of every one.
        second = (values.T * loads)[0]
        noise = noise - ones * values.T - values * ones.T + second * ones * ones.T
    gram = size * ones * ones.T + delta * noise
    secular = sp.eye(len(model.jumps)) - point * gram * coupling
    return secular.det(), (ones.T * coupling * secular.adjugate() * ones)[0]


@lru_cache(maxsize=16)
def _location(model: Frequencies) -> sp.Expr:
    return _at_point(model.law.curve.z, model)


def _kept(model: Frequencies) -> sp.Expr:
    """(ℓ/λ) dλ/dℓ of a population eigenvalue ℓ that N samples show at λ = ℓ(1 + γm)."""
    population, sample = _location(model), _sample_location(model)
    change = sp.diff(sample, point) / sp.diff(population, point)
    return reduced(population / sample * change)


@lru_cache(maxsize=16)
def _sample_location(model: Frequencies) -> sp.Expr:
    z = _location(model)
    return reduced(z * (1 + gamma * (z * point - 1)))


def _at_point(expr: sp.Expr, model: Frequencies) -> sp.Expr:
    """In G, whatever the parameter of the law's curve is."""
    parameter = mobius_inverse(model.law.curve.G)
    if parameter is None:
        raise ArithmeticError(f"G = {model.law.curve.G} has several points for one value")
    return reduced(expr.subs(PARAMETER, parameter.subs(PARAMETER, point)))


def location_where(
    strength: sp.Symbol, power: int, model: Frequencies
) -> Callable[[sp.Expr, Bindings], sp.Expr]:
    """(relation, bindings) → the outlier of S at the G where the relation is strength^power."""

    def location(relation: sp.Expr, bindings: Bindings) -> sp.Expr:
        found = _physical(relation - strength**power, model, bindings)
        return (kappa * _sample_location(model)).subs(bindings).subs(point, found)

    return location


def overlap_at_signal(model: Frequencies) -> Callable[[sp.Expr, Bindings], sp.Expr]:
    """(overlap in G, bindings) → its value where the signal's outlier lies."""

    def overlap(expr: sp.Expr, bindings: Bindings) -> sp.Expr:
        found = _physical(signal_strength(model) - mu2, model, bindings)
        return expr.subs(bindings).subs(point, found)

    return overlap


def _physical(relation: sp.Expr, model: Frequencies, bindings: Bindings) -> sp.Expr:
    """The one root G of a relation at an outlier of S above its bulk; nan for not exactly one.

    G of the population rises from 0 while the outlier falls, as far as the edge of S.
    """
    numerator = sp.Poly(sp.numer(sp.together(relation.subs(bindings))), point)
    edge = _edge(model, bindings[delta], bindings[gamma])
    roots = {root for root in numerator.real_roots() if 0 < root < edge}
    return roots.pop() if len(roots) == 1 else sp.nan


@lru_cache(maxsize=16)
def _edge(model: Frequencies, ratio: sp.Expr, samples: sp.Expr) -> sp.Expr:
    """The population's G at the upper edge of S: the first zero of the slope of the location."""
    location = _sample_location(model).subs({delta: ratio, gamma: samples})
    slope = sp.numer(sp.together(sp.diff(location, point)))
    return min(root for root in sp.Poly(slope, point).real_roots() if root > 0)
