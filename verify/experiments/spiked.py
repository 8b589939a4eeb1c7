"""Experiments on perturbed matrices of laws that no paper here is about."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import sympy as sp

from numerics.simulate.spiked import SpikedMatrix
from theory import SpectralLaw, free_poisson, marchenko_pastur
from theory.laws.perturbations import Perturbed, strength
from theory.laws.spikes import additive, multiplicative
from theory.pooled import delta, gamma
from verify.claim import Model
from verify.experiment import Experiment

PLAN = {
    "quick": ((48, 300), (96, 200), (192, 80)),
    "standard": ((64, 600), (128, 400), (256, 160), (384, 64)),
    "full": ((128, 4000), (256, 1600), (512, 400), (768, 160)),
}
COLUMNS = {"outlier": "largest", "overlap": "overlap"}


def _experiment(
    name: str,
    simulation: SpikedMatrix,
    bindings: Mapping[sp.Symbol, sp.Rational],
    plan: Mapping[str, tuple[tuple[int, int], ...]] = MappingProxyType(PLAN),
) -> Experiment:
    theta = sp.Rational(simulation.theta.numerator, simulation.theta.denominator)
    return Experiment(name, {**bindings, strength: theta}, COLUMNS, simulation, plan)


def _compound() -> SpectralLaw:
    return free_poisson(delta, {1: "1/3", 4: "2/3"})


johnstone = Model(
    "one-gaussian-factor", "Johnstone's model: (1 + θuuᵀ) above a Wishart matrix",
    Perturbed(marchenko_pastur(gamma), multiplicative),
    (_experiment("spiked/one-factor",
                 SpikedMatrix("multiplicative", (Fraction(2),), Fraction(5, 3)),
                 {gamma: sp.Rational(1, 2)}),),
)  # fmt: skip
two_factors = Model(
    "two-gaussian-factors", "(1 + θuuᵀ) above a product of two Gaussian matrices",
    Perturbed(marchenko_pastur(delta) @ marchenko_pastur(gamma), multiplicative),
    (_experiment("spiked/two-factors",
                 SpikedMatrix("multiplicative", (Fraction(2), Fraction(4)), Fraction(3)),
                 {delta: sp.Rational(1, 2), gamma: sp.Rational(1, 4)},
                 {**PLAN, "standard": ((64, 2400), (128, 1500), (256, 480), (384, 128))}),),
)  # fmt: skip
compound = Model(
    "compound-free-poisson", "θuuᵀ added to ZDZᵀ/V, D with two values",
    Perturbed(_compound(), additive),
    (_experiment("spiked/compound",
                 SpikedMatrix("additive", (Fraction(3, 2),), Fraction(8),
                              ((Fraction(1), Fraction(1, 3)), (Fraction(4), Fraction(2, 3)))),
                 {delta: sp.Rational(2, 3)}),),
)  # fmt: skip
