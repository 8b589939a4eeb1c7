"""Experiments on causal self-attention: its weights, and its signal against mean pooling's."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from numerics.pooling import Mask
from numerics.simulate import signs
from numerics.simulate.families import SignFamily
from numerics.simulate.sequences import CausalAttention
from theory.pooled import tokens
from theory.pooled.causal import Attention, length, position, temperature
from theory.pooled.comparisons import CausalSetting
from verify.claim import Model
from verify.experiment import Experiment

PLAN = {
    "quick": ((64, 64), (128, 48), (256, 32)),
    "standard": ((64, 160), (128, 120), (256, 80), (512, 32)),
    "full": ((64, 800), (128, 600), (256, 400), (512, 240), (1024, 64)),
}
T = 16
# The weights need few sequences; the signal is a mean over all of them.
SEQUENCES = 100
# Not the first or the second: H_0 = 0 and H_1 = 1 would hide edits of the formula.
POSITION = 3
TAU = Fraction(2)


def _experiment(name: str, mask: Mask, family: SignFamily, L: int) -> Experiment:
    simulation = CausalAttention(
        Fraction(2), SEQUENCES, family, Fraction(3, 10), mask, TAU, POSITION
    )
    bindings = {
        tokens: sp.Integer(T), position: sp.Integer(POSITION), length: sp.Integer(L),
        temperature: sp.Rational(TAU),
    }  # fmt: skip
    columns = {"weight": "weight", "squared norm": "norm", "gain over mean": "gain"}
    return Experiment(f"attention/{name}", bindings, columns, simulation, PLAN)


early_block = Model(
    "early-block",
    "a strict mask, T = 16, the first 4 positions share a sign",
    CausalSetting(Attention("strict"), T, 4),
    (_experiment("strict-early", "strict", signs.prefix(T, 4), 4),),
)
long_block = Model(
    "long-block",
    "a strict mask, T = 16, the first 14 positions share a sign: more than e^(1−√2) of them",
    CausalSetting(Attention("strict"), T, 14),
    (_experiment("strict-long", "strict", signs.prefix(T, 14), 14),),
)
late_block = Model(
    "late-block",
    "a strict mask, T = 16, the last 6 positions share a sign",
    CausalSetting(Attention("strict"), T, 6, suffix=True),
    (_experiment("strict-late", "strict", signs.block(T, range(T - 6, T)), 6),),
)
inclusive_mask = Model(
    "inclusive-mask",
    "a mask under which a position attends to itself, at temperature 2",
    CausalSetting(Attention("inclusive", temperature), T, 4),
    (_experiment("inclusive-early", "inclusive", signs.prefix(T, 4), 4),),
)
