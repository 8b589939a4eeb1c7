"""Experiments on the token model with frequent and rare tokens."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from numerics.simulate import signs
from numerics.simulate.pooled import TopOfCovariance
from theory.pooled.covariance import CLASS_CENTRED, RAW
from theory.pooled.frequencies import Frequencies
from verify.claim import Model
from verify.experiment import Experiment
from verify.experiments.tokens import SIGNAL_FIRST, bindings_of

PLAN = {
    "quick": ((64, 120), (128, 80), (256, 48)),
    "standard": ((64, 400), (128, 240), (256, 140), (512, 40)),
    "full": ((128, 2400), (256, 1600), (512, 800), (1024, 240)),
}
# (frequency, share of the tokens): a quarter is five times as frequent as the rest, E D² = 7/4.
_LAW = ((Fraction(5, 2), Fraction(1, 4)), (Fraction(1, 2), Fraction(3, 4)))
_JUMPS = tuple((sp.Rational(value), sp.Rational(share)) for value, share in _LAW)
_POOLING = (Fraction(1, 6),) * 8 + (Fraction(0),) * 8


def _experiment(table: str, vocabulary: Fraction, columns: dict[str, str]) -> Experiment:
    family, sequences, size = signs.prefix(16, 8), Fraction(4), Fraction(5, 4)
    simulation = TopOfCovariance(
        vocabulary, sequences, _POOLING, family, size, table,
        frequencies=_LAW,
    )  # fmt: skip
    bindings = bindings_of(vocabulary, sequences, _POOLING, family, size)
    return Experiment(f"frequencies/{table}", bindings, columns, simulation, PLAN)


raw = Model(
    "unequal-frequencies", "a raw table, a quarter of the tokens five times as frequent as others",
    Frequencies(RAW, _JUMPS),
    (_experiment("raw", Fraction(2),
                 {**SIGNAL_FIRST, "vocabulary-mean location": "eigenvalue 2"}),),
)  # fmt: skip
class_centred = Model(
    "unequal-frequencies-class-centred",
    "unequal frequencies, and the mean token of each class is ±μ",
    Frequencies(CLASS_CENTRED, _JUMPS), (_experiment("class-centred", Fraction(1), SIGNAL_FIRST),),
)  # fmt: skip
