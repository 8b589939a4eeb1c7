"""Experiments on the top of a bulk without signal: products of Gaussian matrices."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from numerics.simulate.products import GaussianProduct
from numerics.tracy_widom import moments
from theory.laws.fluctuation import SizedLaw, tracy_widom_mean, tracy_widom_variance
from theory.pooled import bulk, delta, gamma, kappa
from theory.pooled.covariance import sample_law
from verify.claim import Model
from verify.experiment import Experiment

# The bulk of S/κ: what is left of S without signal and with weights that are spread.
NULL = SizedLaw(sample_law().subs({kappa: 1}), bulk.d, ((delta, bulk.V), (gamma, bulk.N)))


def _digits(value: float) -> sp.Rational:
    """A computed constant as an exact number, to the twelve digits that it is good for."""
    return sp.Rational(f"{value:.12f}")


def _null(
    name: str, vocabulary: int, sequences: int, plan: dict[str, tuple[tuple[int, int], ...]],
    columns: dict[str, str],
) -> Experiment:  # fmt: skip
    constants = moments()
    bindings = {
        delta: sp.Rational(1, vocabulary), gamma: sp.Rational(1, sequences),
        tracy_widom_mean: _digits(constants.mean),
        tracy_widom_variance: _digits(constants.variance),
    }  # fmt: skip
    scaled = {bulk.d: sp.S.One, bulk.V: sp.Integer(vocabulary), bulk.N: sp.Integer(sequences)}
    simulation = GaussianProduct((Fraction(vocabulary), Fraction(sequences)))
    return Experiment(name, bindings, columns, simulation, plan, scaled)


# Without the shift by ½ the distance from the edge is off by a seventh at d = 64.
_product = _null(
    "edge/product", 2, 4,
    {
        "quick": ((48, 100), (64, 80), (96, 48)),
        "standard": ((48, 300), (64, 200), (96, 120)),
        "full": ((64, 1200), (96, 600), (192, 120)),
    },
    {"top at a size": "largest"},
)  # fmt: skip
# The more columns a factor has, the smaller are the terms beyond d^(−1/3), the order by which
# d^(2/3)(λ_max − λ₊)/σ is off in any product; here they are not seen at d = 12.
_wide = _null(
    "edge/wide-factors", 60, 70,
    {
        "quick": ((12, 1000), (24, 600), (64, 200)),
        "standard": ((12, 3000), (32, 1500), (160, 400)),
        "full": ((16, 12000), (48, 4000), (256, 400)),
    },
    {"top": "largest", "variance of top": "variance", "top at a size": "largest"},
)  # fmt: skip

null = Model(
    "null-product", "the product of two independent Wishart matrices", NULL, (_product, _wide)
)
