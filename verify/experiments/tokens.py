"""Experiments on the token model: tables, weights and signs, with the spikes well apart or not."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import sympy as sp

from numerics.simulate import signs
from numerics.simulate.families import SignFamily
from numerics.simulate.pooled import SplitOfOverlap, TopOfCovariance
from theory.pooled import alpha, delta, gamma, kappa, mu2, weight_sum
from theory.pooled.covariance import CENTRED, CLASS_CENTRED, RAW
from theory.pooled.model import PooledModel
from verify.claim import Model
from verify.experiment import Experiment

PLAN = {
    "quick": ((64, 120), (128, 80), (256, 48)),
    "standard": ((100, 500), (200, 320), (400, 150), (800, 40)),
    "full": ((128, 1600), (256, 1200), (512, 800), (1024, 400), (2048, 100)),
}
# Where the signal is strong, so that locations and overlaps vary less.
SHARP = {**PLAN, "standard": ((100, 260), (200, 150), (400, 72))}


def bindings_of(
    vocabulary: Fraction,
    sequences: Fraction,
    weights: tuple[Fraction, ...],
    family: SignFamily,
    mu2_value: Fraction,
) -> dict[sp.Symbol, sp.Rational]:
    """The exact bindings of a token model, from the very numbers that are simulated.

    Raises ValueError for signs whose correlation is not rational.
    """
    correlation = family.correlation_exact
    if correlation is None:
        raise ValueError("family must have a rational correlation: it has irrational entries")
    positions = range(len(weights))
    quadratic = sum(
        (weights[s] * correlation[s][t] * weights[t] for s in positions for t in positions),
        Fraction(0),
    )
    return {
        delta: sp.Rational(1 / vocabulary),
        gamma: sp.Rational(1 / sequences),
        kappa: sp.Rational(sum((w * w for w in weights), Fraction(0))),
        alpha: sp.Rational(quadratic),
        weight_sum: sp.Rational(sum(weights, Fraction(0))),
        mu2: sp.Rational(mu2_value),
    }


def _experiment(
    name: str,
    *,
    table: str,
    weights: tuple[Fraction, ...],
    family: SignFamily,
    mu2_value: Fraction,
    columns: Mapping[str, str],
    vocabulary: Fraction = Fraction(2),
    sequences: Fraction = Fraction(4),
    centred_sample: bool = False,
    plan: Mapping[str, tuple[tuple[int, int], ...]] = MappingProxyType(PLAN),
) -> Experiment:
    simulation = TopOfCovariance(
        vocabulary, sequences, weights, family, mu2_value, table, centred_sample
    )
    bindings = bindings_of(vocabulary, sequences, weights, family, mu2_value)
    return Experiment(name, bindings, columns, simulation, plan)


def _mean_pooling(T: int) -> tuple[Fraction, ...]:
    return (Fraction(1, T),) * T


def _prefix_pooling(T: int, L: int, weight: Fraction) -> tuple[Fraction, ...]:
    return (weight,) * L + (Fraction(0),) * (T - L)


# What a claim calls the quantities of the signal, where its outlier is the largest.
SIGNAL_FIRST = {
    "signal location": "eigenvalue 1",
    "signal overlap": "overlap 1",
}
# And where the vocabulary mean's is.
SIGNAL_SECOND = {
    "largest outlier": "eigenvalue 1",
    "vocabulary-mean location": "eigenvalue 1",
    "signal location": "eigenvalue 2",
    "signal overlap": "overlap 2",
}

_class_centred_mean = _experiment(
    "class-centred/mean-pooling",
    table="class-centred",
    weights=_mean_pooling(16),
    family=signs.prefix(16, 8),
    mu2_value=Fraction(2),
    columns=SIGNAL_FIRST,
    plan=SHARP,
)
# Weights that fall off, signs of a Markov chain, other ratios: nothing here is special.
_class_centred_markov = _experiment(
    "class-centred/falling-weights",
    table="class-centred",
    weights=tuple(Fraction(24 - t, 24) for t in range(24)),
    family=signs.markov(24, "1/2"),
    mu2_value=Fraction(2),
    columns=SIGNAL_FIRST,
    vocabulary=Fraction(4),
    sequences=Fraction(2),
    plan={**PLAN, "standard": ((100, 400), (200, 240), (400, 140))},
)
# α/κ = 8, so the signal's strength is 14 where the vocabulary mean's is 4. No symbol is bound
# to 1, or edits of it could not be told.
_raw_prefix = _experiment(
    "raw/prefix-pooling",
    table="raw",
    weights=_prefix_pooling(16, 8, Fraction(1, 6)),
    family=signs.prefix(16, 8),
    mu2_value=Fraction(5, 4),
    columns={**SIGNAL_FIRST, "vocabulary-mean location": "eigenvalue 2",
             "largest outlier": "eigenvalue 1"},
    plan={**PLAN, "standard": ((100, 440), (200, 260), (400, 120))},
)
_centred_prefix = _experiment(
    "centred/prefix-pooling",
    table="centred",
    weights=_prefix_pooling(16, 8, Fraction(1, 6)),
    family=signs.prefix(16, 8),
    mu2_value=Fraction(5, 4),
    columns=SIGNAL_FIRST,
    plan=SHARP,
)
_centred_weak = _experiment(
    "centred/short-vocabulary",
    table="centred",
    weights=_mean_pooling(16),
    family=signs.markov(16, "1/3"),
    mu2_value=Fraction(9, 4),
    columns=SIGNAL_FIRST,
    vocabulary=Fraction(3, 2),
    sequences=Fraction(1),
)
# The vocabulary mean, strength 8, above the signal, strength 3.6.
_raw_mean = _experiment(
    "raw/mean-pooling",
    table="raw",
    weights=_mean_pooling(16),
    family=signs.prefix(16, 8),
    mu2_value=Fraction(3, 10),
    columns=SIGNAL_SECOND,
)
# The same once more with c̄ taken out, which leaves the signal's outlier alone.
_raw_mean_centred = _experiment(
    "raw/mean-pooling-centred-sample",
    table="raw",
    weights=_mean_pooling(16),
    family=signs.prefix(16, 8),
    mu2_value=Fraction(3, 10),
    columns=SIGNAL_FIRST,
    centred_sample=True,
    plan={**PLAN, "standard": ((100, 600), (200, 360), (400, 160))},
)
# Large ratios and a signal not far above its threshold, where every term of a formula counts:
# strength 5.5 for the signal, 10.7 for the vocabulary mean.
_raw_weak = _experiment(
    "raw/short-vocabulary",
    table="raw",
    weights=_mean_pooling(16),
    family=signs.markov(16, "1/3"),
    mu2_value=Fraction(9, 4),
    columns=SIGNAL_SECOND,
    vocabulary=Fraction(3, 2),
    sequences=Fraction(1),
)
# Both strengths are 8: α/κ (‖μ‖² + δ) = 9/2 · (23/18 + 1/2).
_raw_coincident = _experiment(
    "raw/coincident-spikes",
    table="raw",
    weights=_mean_pooling(16),
    family=signs.prefix(16, 8),
    mu2_value=Fraction(23, 18),
    columns={"signal overlap": "overlap 1", "overlap sum": "overlap 1..2"},
    plan=SHARP,
)



def _split(name: str, mu2_value: Fraction, share: int = 1) -> Experiment:
    """The division of the overlap, drawn in one of `share` replicates."""
    simulation = SplitOfOverlap(
        Fraction(2), Fraction(4), _mean_pooling(16), signs.prefix(16, 8), mu2_value, "raw"
    )
    bindings = {**_raw_coincident.bindings, mu2: sp.Rational(mu2_value)}
    full = {
        "quick": ((32, 640), (64, 520), (96, 400)),
        "standard": ((48, 1200), (96, 1000), (192, 240)),
        "full": ((96, 4000), (192, 1600), (384, 600), (768, 160)),
    }
    plan = {
        profile: tuple((size, max(48, count // share)) for size, count in sizes)
        for profile, sizes in full.items()
    }
    return Experiment(name, bindings, {"variance of the division": "variance"}, simulation, plan)


_coincident_split = _split("raw/coincident-split", Fraction(23, 18))
# Strengths 3.6 and 8: nothing is left to divide by chance.
_settled_split = _split("raw/settled-split", Fraction(3, 10), share=5)


class_centred_table = Model(
    "class-centred-table",
    "each class of the table has mean exactly ±μ",
    PooledModel(CLASS_CENTRED),
    (_class_centred_mean, _class_centred_markov),
)
raw_table = Model(
    "raw-table",
    "the table as the model states it, signal and vocabulary mean well apart",
    PooledModel(RAW),
    (_raw_prefix, _raw_mean, _raw_weak),
)
centred_table = Model(
    "centred-table",
    "the mean of all columns is taken out of the table",
    PooledModel(CENTRED),
    (_centred_prefix, _centred_weak),
)
centred_sample = Model(
    "centred-sample",
    "a raw table, and the mean of the pooled vectors is taken out of each",
    PooledModel(RAW, centred_sample=True),
    (_raw_mean_centred,),
)
spikes_apart = Model(
    "spikes-apart",
    "a raw table on which signal and vocabulary mean differ in strength, 3.6 and 8",
    PooledModel(RAW),
    (_settled_split,),
)
coincident_spikes = Model(
    "coincident-spikes",
    "a raw table on which signal and vocabulary mean have the same strength",
    PooledModel(RAW, spikes_apart=False),
    (_raw_coincident, _coincident_split),
)
