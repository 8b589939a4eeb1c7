"""Experiments on S with sequences that grow, Σw⁴/κ² → 0, so that its limit law has edges."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import sympy as sp

from numerics.simulate.pooled import LargestEigenvalue, ManyTokens, WholeSpectrum
from theory.pooled import alpha, delta, gamma, kappa, mu2
from verify.experiment import Experiment

Plan = Mapping[str, tuple[tuple[int, int], ...]]

OUTLIER: Plan = {
    "quick": ((64, 64), (128, 40), (256, 32)),
    "standard": ((128, 480), (256, 320), (512, 110)),
    "full": ((256, 800), (512, 400), (1024, 160), (2048, 64)),
}
# Sizes at which T = d/16 is even.
EDGE: Plan = {
    "quick": ((32, 64), (64, 48), (96, 32)),
    "standard": ((64, 320), (96, 200), (160, 80)),
    "full": ((96, 800), (192, 400), (576, 40)),
}
# A short vocabulary's S is decomposed in few dimensions.
SHORT: Plan = {
    "quick": ((96, 80), (192, 60), (384, 40)),
    "standard": ((96, 1000), (192, 800), (384, 350)),
    "full": ((128, 4000), (256, 3000), (512, 1500), (896, 500)),
}
# The strong signal above the bulk spreads less.
STRONG: Plan = {
    "quick": ((96, 64), (192, 48), (384, 32)),
    "standard": ((96, 560), (192, 440), (384, 220)),
    "full": ((128, 2000), (256, 1500), (512, 800), (768, 300)),
}
NOTHING: Plan = {
    "quick": ((96, 80), (192, 60), (384, 40)),
    "standard": ((96, 120), (192, 80), (384, 48)),
    "full": ((128, 800), (256, 400), (640, 120)),
}
WIDE: Plan = {
    "quick": ((32, 64), (48, 48), (64, 32)),
    "standard": ((32, 360), (64, 140), (112, 60)),
    "full": ((64, 1000), (96, 500), (240, 100)),
}
KAPPA = Fraction(9, 4)
SEEN = {"overlap above": "overlap of largest", "overlap below": "overlap of smallest"}


def _growing(
    name: str,
    *,
    mu2_value: Fraction,
    vocabulary: Fraction = Fraction(4),
    length: Fraction = Fraction(1, 16),
    columns: Mapping[str, str],
    bias: Mapping[str, tuple[float, ...]] = MappingProxyType({}),
    plan: Plan = OUTLIER,
    sequences: Fraction = Fraction(2),
    table: str = "class-centred",
) -> Experiment:
    """T = length · d independent signs, so that α = κ.

    A raw table gets weights of alternating sign: their sum is 0, and its mean makes no outlier.
    """
    tokens = ManyTokens(
        vocabulary, sequences, length, KAPPA, mu2_value, table, alternating=table == "raw"
    )
    bindings = {
        delta: sp.Rational(1 / vocabulary), gamma: sp.Rational(1 / sequences),
        kappa: sp.Rational(KAPPA), alpha: sp.Rational(KAPPA), mu2: sp.Rational(mu2_value),
    }  # fmt: skip
    top_alone = set(columns.values()) == {"largest"}
    simulation = LargestEigenvalue(tokens) if top_alone else WholeSpectrum(tokens)
    return Experiment(name, bindings, columns, simulation, plan, bias=bias)


# An edge is a limit reached within the resolution at small d only where δ and γ are small: the
# distance of the extreme eigenvalue from it is about √(δ + γ) d^(−2/3) of the edge.
# δ = 1/64, γ = 1/16: the population's threshold is 0.14, the sample's 0.31. A strength of 0.22
# makes an outlier of the population that no sample of this size shows.
hidden = _growing(
    "sample/hidden", mu2_value=Fraction(7, 32), vocabulary=Fraction(64), sequences=Fraction(16),
    columns={"top of sample": "largest"}, bias={"top of sample": (2 / 3,)}, plan=EDGE,
)  # fmt: skip
seen = _growing(
    "sample/seen", mu2_value=Fraction(7, 2), columns={"top of sample": "largest"}
)  # fmt: skip

# δ = 4, γ = 1/2: visible below the bulk up to a strength of 1.85, above it from 6.81 on.
below = _growing(
    "sample/below", mu2_value=Fraction(1, 4), vocabulary=Fraction(1, 4),
    columns={**SEEN, "lowest of sample": "smallest nonzero",
             "sample gap location": "smallest nonzero",
             "sample gap overlap": "overlap of smallest"},
    plan=SHORT,
)  # fmt: skip
between = _growing(
    "sample/between", mu2_value=Fraction(7, 2), vocabulary=Fraction(1, 4),
    columns=SEEN, plan=NOTHING,
)  # fmt: skip
above = _growing(
    "sample/above", mu2_value=Fraction(12), vocabulary=Fraction(1, 4),
    columns={**SEEN, "signal location": "largest", "signal overlap": "overlap of largest"},
    plan=STRONG,
)  # fmt: skip
# A long vocabulary: nothing leaves the bulk downwards.
wide = _growing(
    "sample/wide", mu2_value=Fraction(1, 32), vocabulary=Fraction(192), sequences=Fraction(256),
    columns={**SEEN, "lowest of sample": "smallest nonzero"},
    bias={"lowest of sample": (2 / 3,)}, plan=WIDE,
)  # fmt: skip

# δ = 4: as stated a strength of 6 is hidden, below 6.81; the noise of a raw table makes it 10.
lifted = _growing(
    "sample/raw-lifted", mu2_value=Fraction(6), vocabulary=Fraction(1, 4), table="raw",
    columns={"top of sample": "largest", "overlap": "overlap of largest"}, plan=STRONG,
)  # fmt: skip
sunk = _growing(
    "sample/raw-hidden", mu2_value=Fraction(1, 8), vocabulary=Fraction(64), table="raw",
    sequences=Fraction(16), columns={"top of sample": "largest"},
    bias={"top of sample": (2 / 3,)}, plan=EDGE,
)  # fmt: skip
