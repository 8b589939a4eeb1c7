"""Ridge classification of pooled features: which pooling classifies best, and how well (A8)."""

import sympy as sp

from theory.pooled import comparisons, delta, gamma, kappa, mu2
from theory.pooled.comparisons import ranked, ratios_ranked
from theory.pooled.ridge import label_sum as a
from theory.pooled.ridge import point as m
from theory.pooled.ridge import residual as tau_0
from verify.claim import Claim, Kind, Relation, Stance
from verify.experiments import classifier as on

# λ enters through the point m of the curve, −1 < m < 0, at which
# λ = −κ(1 + m)(1 + δm)(1 + γm)/m; τ₀ is the variance of f outside the label's block.
_seen = 1 - (delta + gamma + delta * gamma) * m**2 - 2 * delta * gamma * m**3
_tokens = kappa * (1 + delta * m) ** 2 + tau_0 * mu2 * (1 - delta * m**2)
_fitting = (
    gamma * (1 + delta + 2 * delta * m) * (kappa * (1 + delta * m) - tau_0 * mu2 * m) ** 2
)
_squared_margin = a**4 * mu2**2 * _seen / (a**2 * mu2 * _tokens + _fitting)

CLAIMS = (
    Claim(
        "ridge.accuracy",
        says="The accuracy of ridge on pooled features tends to Φ(√·) of",
        source="A8",
        stance=Stance.DERIVED,
        kind=Kind.ACCURACY,
        observed="accuracy",
        formula=_squared_margin,
        routes=(comparisons.squared_margin,),
        sees=comparisons.accuracy_at,
        holds=(on.many_tokens,),
        fails=(on.one_token,),
        instead="ridge.accuracy-of-one-token",
        neighbours=(a**2 / kappa * mu2, a**2 * mu2**2 * _seen / _tokens),
    ),
    Claim(
        "ridge.accuracy-of-one-token",
        says="With one token to a sequence a token that was fitted is known again: the accuracy "
        "is above Φ(√·) of",
        source="A8",
        stance=Stance.CORRECTED,
        kind=Kind.ACCURACY,
        observed="accuracy",
        formula=_squared_margin,
        relation=Relation.ABOVE,
        routes=(comparisons.squared_margin,),
        sees=comparisons.accuracy_at,
        holds=(on.one_token,),
    ),
    Claim(
        "ridge.optimal-first",
        says="The weights of largest α/κ classify best: their accuracy less the next one's is "
        "positive",
        source="A5, A8",
        stance=Stance.AS_STATED,
        kind=Kind.SIGN,
        observed="optimal − next",
        formula=sp.S.Zero,
        relation=Relation.ABOVE,
        proofs=(comparisons.first_before_next,),
        holds=(on.many_tokens,),
        fails=(on.unrelated_block,),
        instead="ridge.unrelated-optimum",
    ),
    Claim(
        "ridge.unrelated-optimum",
        says="If the largest α/κ sits on a block that does not carry the label, those weights "
        "classify with accuracy",
        source="A5, A8",
        stance=Stance.CORRECTED,
        kind=Kind.ACCURACY,
        observed="accuracy of the optimum",
        formula=sp.Rational(1, 2),
        routes=(comparisons.accuracy_of_optimum,),
        bias=(),
        holds=(on.unrelated_block,),
    ),
    Claim(
        "ridge.causal-before-mean",
        says="Where causal attention has a larger α/κ than mean pooling it classifies better: the "
        "difference of accuracies is positive",
        source="A8",
        stance=Stance.AS_STATED,
        kind=Kind.SIGN,
        observed="causal − mean",
        formula=sp.S.Zero,
        relation=Relation.ABOVE,
        proofs=(ranked("causal", "mean"),),
        holds=(on.many_tokens,),
        fails=(on.interpolation,),
        instead="ridge.mean-before-causal",
    ),
    Claim(
        "ridge.mean-before-causal",
        says="With as many dimensions as sequences and a small λ mean pooling classifies better, "
        "although its α/κ is smaller: the difference of accuracies is negative",
        source="A8",
        stance=Stance.CORRECTED,
        kind=Kind.SIGN,
        observed="causal − mean",
        formula=sp.S.Zero,
        relation=Relation.BELOW,
        proofs=(ranked("mean", "causal"), ratios_ranked("causal", "mean")),
        holds=(on.interpolation,),
    ),
)
