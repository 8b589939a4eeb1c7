"""Fluctuation of the top eigenvalue about the bulk's edge, without a signal."""

import sympy as sp

from theory.laws import fluctuation
from theory.laws.fluctuation import q
from theory.pooled import bulk
from verify.claim import Claim, Kind, Stance
from verify.experiments import edges as on

d, V, N = bulk.d, bulk.V, bulk.N


def _curve(shift: int) -> sp.Expr:
    half = fluctuation.HALF * shift
    return (d - half + q) * (V - half + q) * (N - half + q) / q


CLAIMS = (
    Claim(
        "spike.edge-fluctuation",
        says="Without a signal d^(2/3)(λ_max − λ₊)/σ, σ³ = λ₊²z″(m₊)/2, tends to the Tracy–Widom "
        "law, here by its mean; in q = dm the curve VNz is",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.FLUCTUATION,
        observed="top",
        formula=_curve(0),
        routes=(fluctuation.in_counts,),
        proofs=(fluctuation.scale_of_edges, fluctuation.symmetric_in_counts),
        sees=fluctuation.top_mean(on.NULL),
        unit=fluctuation.mean_shift(on.NULL),
        at_sizes=True,
        bias=(1 / 3,),
        holds=(on.null,),
    ),
    Claim(
        "spike.edge-fluctuation.variance",
        says="The variance of d^(2/3)(λ_max − λ₊)/σ tends to that of the Tracy–Widom law; in "
        "q = dm the curve VNz is",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.FLUCTUATION,
        observed="variance of top",
        formula=_curve(0),
        routes=(fluctuation.in_counts,),
        sees=fluctuation.top_variance(on.NULL),
        unit=fluctuation.top_variance(on.NULL),
        at_sizes=True,
        bias=(2 / 3,),
        holds=(on.null,),
    ),
    Claim(
        "spike.edge-fluctuation.shifted",
        says="With every dimension less ½ the mean of λ_max is right at every size: it is "
        "(y₊ + (y₊²y₊″/2)^(1/3) E TW)/(VN), y₊ the minimum over q > 0 of",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.FLUCTUATION,
        observed="top at a size",
        formula=_curve(1),
        routes=(fluctuation.half_shifted,),
        sees=fluctuation.top_mean(on.NULL),
        unit=fluctuation.mean_shift(on.NULL),
        at_sizes=True,
        bias=(),
        holds=(on.null,),
        neighbours=(_curve(0), _curve(-1)),
    ),
)
