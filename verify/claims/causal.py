"""Causal attention as pooling: its weights, and when it helps (A6, A7)."""

import sympy as sp

from theory.pooled import comparisons
from theory.pooled import tokens as T
from theory.pooled.causal import fraction as f
from theory.pooled.causal import position as t
from theory.pooled.causal import temperature as tau
from verify.claim import Claim, Kind, Relation, Stance
from verify.experiments import attention as on

H = sp.harmonic
_self = sp.exp(tau)
_harmonic = (H(T - 1) - H(t - 1)) / (T - 1)

CLAIMS = (
    Claim(
        "causal.harmonic-weights",
        says="Pooled over positions, causal self-attention gives position t the weight",
        source="A6",
        stance=Stance.AS_STATED,
        kind=Kind.WEIGHT,
        observed="weight",
        formula=_harmonic,
        routes=(comparisons.weight,),
        holds=(on.early_block,),
        fails=(on.inclusive_mask,),
        instead="causal.digamma-weights",
        neighbours=((H(T) - H(t - 1)) / T, (H(T - 1) - H(t)) / (T - 1), 1 / T),
    ),
    Claim(
        "causal.digamma-weights",
        says="If a position attends to itself its own score stays τ, and the weight of position t "
        "tends to, with H(x) = ψ(x + 1) + γ_E at a real x,",
        source="A6",
        stance=Stance.CORRECTED,
        kind=Kind.WEIGHT,
        observed="weight",
        formula=(_self / (_self + t - 1) + H(_self + T - 1) - H(_self + t - 1)) / T,
        routes=(comparisons.weight,),
        holds=(on.inclusive_mask,),
        neighbours=((H(T) - H(t - 1)) / T, _harmonic),
    ),
    Claim(
        "causal.weights-decrease",
        says="The weights decrease in t, for every T",
        source="A6",
        stance=Stance.AS_STATED,
        kind=Kind.WEIGHT,
        proofs=(comparisons.decreasing,),
        holds=(on.early_block, on.inclusive_mask),
    ),
    Claim(
        "causal.norm",
        says="The squared norm κ of the harmonic weights is",
        source="A6",
        stance=Stance.DERIVED,
        kind=Kind.WEIGHT,
        observed="squared norm",
        formula=(2 * (T - 1) - H(T - 1)) / (T - 1) ** 2,
        routes=(comparisons.squared_norm,),
        proofs=(comparisons.norm_by_induction,),
        holds=(on.early_block,),
        neighbours=((2 * T - H(T)) / T**2, 2 / (T - 1)),
    ),
    Claim(
        "causal.advantage",
        says="With the signal in early positions causal attention has a larger α/κ than mean "
        "pooling: the difference is positive",
        source="A7",
        stance=Stance.AS_STATED,
        kind=Kind.SIGN,
        observed="gain over mean",
        formula=sp.S.Zero,
        relation=Relation.ABOVE,
        proofs=(comparisons.causal_above_mean,),
        holds=(on.early_block,),
        fails=(on.long_block, on.late_block),
        instead="causal.disadvantage",
    ),
    Claim(
        "causal.disadvantage",
        says="For a block of more than e^(1−√2) of the sequence, or at its end, causal attention "
        "has a smaller α/κ than mean pooling: the difference is negative",
        source="A7",
        stance=Stance.CORRECTED,
        kind=Kind.SIGN,
        observed="gain over mean",
        formula=sp.S.Zero,
        relation=Relation.BELOW,
        proofs=(comparisons.causal_below_mean,),
        holds=(on.long_block, on.late_block),
    ),
    Claim(
        "causal.prefix-limit",
        says="For the first f·T positions, as T → ∞, α/(κT) tends, under either mask, to",
        source="A7",
        stance=Stance.DERIVED,
        kind=Kind.WEIGHT,
        formula=f**2 * (1 - sp.log(f)) ** 2 / 2,
        routes=(comparisons.prefix_limit,),
        holds=(on.early_block, on.inclusive_mask),
        neighbours=(f**2 * (1 - sp.log(f)) ** 2, f**2),
    ),
    Claim(
        "causal.crossing",
        says="As T → ∞ causal attention and mean pooling tie where the block is this share of the "
        "sequence",
        source="A7",
        stance=Stance.DERIVED,
        kind=Kind.WEIGHT,
        formula=sp.exp(1 - sp.sqrt(2)),
        routes=(comparisons.crossing_with_mean,),
        holds=(on.early_block, on.inclusive_mask),
    ),
    Claim(
        "causal.peak-share",
        says="The share of the optimum's α/κ that causal attention keeps is largest where the "
        "block is this share of the sequence",
        source="A7",
        stance=Stance.DERIVED,
        kind=Kind.WEIGHT,
        formula=sp.exp(-1),
        routes=(comparisons.peak_place,),
        holds=(on.early_block, on.inclusive_mask),
    ),
    Claim(
        "causal.peak-value",
        says="and is there",
        source="A7",
        stance=Stance.DERIVED,
        kind=Kind.WEIGHT,
        formula=2 * sp.exp(-1),
        routes=(comparisons.peak_value,),
        holds=(on.early_block, on.inclusive_mask),
    ),
)
