"""A softmax query: monotone or not, where it converges, what it filters (B3, B5, B6)."""

import sympy as sp

from theory.query import b, boundary, rho, share, theta
from theory.query import landscape_statements as ends
from theory.query import statements as say
from theory.query.step_statements import exponent
from verify import flows
from verify.claim import Claim, Kind, Relation, Stance
from verify.experiments import queries as on
from verify.experiments import query_ascents as climbs

signal = share * sp.exp(b * theta)
tilted = share * sp.exp(b * theta * rho)
# Σ k^−a = ∞ and Σ k^−2a < ∞; a = 1 meets it too, but is no inside of an interval.
ROBBINS_MONRO = (2 * exponent - 1 > 0, 1 - exponent > 0)
WEAK = sp.Integer(1)  # the largest bθ at which no share of informative tokens makes a trap

CLAIMS = (
    Claim(
        "query.landscape.monotone",
        says="J is strictly increasing in ρ on [−1, 1] and has no trap: from ρ = −0.98 the query "
        "climbs, and its alignment is in time above",
        source="B3",
        stance=Stance.AS_STATED,
        kind=Kind.SIGN,
        observed="end",
        formula=sp.Integer(0),
        relation=Relation.ABOVE,
        proofs=(ends.monotone_here,),
        holds=(climbs.many_informative, climbs.all_informative),
        fails=(climbs.sparse,),
        instead="query.landscape.monotone-region",
        notes=(flows.region, flows.trap_of, flows.finite_ratios),
    ),
    Claim(
        "query.landscape.monotone-region",
        says="J is strictly increasing on [−1, 1] iff J′(−1) ≥ 0, a condition on the share of "
        "informative tokens; otherwise −ξ attracts. From ρ = −0.98 the query follows dρ/dt =",
        source="B3",
        stance=Stance.CORRECTED,
        kind=Kind.ALIGNMENT,
        observed="end",
        routes=(say.flow,),
        proofs=(ends.monotone_region, ends.critical_share_by_mass),
        sees=flows.end_of_flow,
        holds=(climbs.sparse, climbs.many_informative),
    ),
    Claim(
        "query.landscape.weak-signal",
        says=f"For bθ ≤ {WEAK} J is strictly increasing whatever the share: its slope is above",
        source="B3",
        stance=Stance.CORRECTED,
        kind=Kind.SIGN,
        observed="slope",
        formula=sp.Integer(0),
        relation=Relation.ABOVE,
        proofs=(ends.monotone_up_to(WEAK),),
        where=(WEAK - b * theta > 0,),
        holds=(on.weak_few_dimensions,),
        fails=(on.weak_many_dimensions,),
        instead="query.landscape.weak-signal-trap",
    ),
    Claim(
        "query.landscape.weak-signal-trap",
        says="Where d/L → c > 0, −ξ may attract at bθ ≤ 1 as well: the slope is below",
        source="B3",
        stance=Stance.CORRECTED,
        kind=Kind.SIGN,
        observed="slope",
        formula=sp.Integer(0),
        relation=Relation.BELOW,
        proofs=(ends.minus_attracts,),
        holds=(on.weak_many_dimensions,),
    ),
    Claim(
        "query.convergence",
        says="From a uniform start, with steps like k^−a that meet Robbins–Monro, |ρ| tends to",
        source="B5",
        stance=Stance.AS_STATED,
        kind=Kind.ALIGNMENT,
        observed="alignment",
        formula=sp.Integer(1),
        routes=(ends.attracting,),
        where=ROBBINS_MONRO,
        holds=(climbs.trapping, climbs.free),
    ),
    Claim(
        "query.convergence.both-signs",
        says="The limit may be −ξ as well as ξ: the mean of ρ stays below",
        source="B5",
        stance=Stance.AS_STATED,
        kind=Kind.SIGN,
        observed="end",
        formula=sp.Integer(1),
        relation=Relation.BELOW,
        proofs=(ends.minus_attracts,),
        where=ROBBINS_MONRO,
        holds=(climbs.trapping,),
        fails=(climbs.free,),
        instead="query.convergence.one-sign",
    ),
    Claim(
        "query.convergence.one-sign",
        says="Without a trap the limit is ξ: ρ tends to",
        source="B5",
        stance=Stance.CORRECTED,
        kind=Kind.ALIGNMENT,
        observed="end",
        formula=sp.Integer(1),
        routes=(ends.end_of_flow,),
        proofs=(ends.plus_attracts,),
        where=ROBBINS_MONRO,
        holds=(climbs.free,),
    ),
    Claim(
        "query.trap.probability",
        says="In three dimensions a uniform start falls into the trap below ρ* with probability",
        source="B5",
        stance=Stance.DERIVED,
        kind=Kind.PROBABILITY,
        observed="trapped",
        formula=(1 + boundary) / 2,
        routes=(ends.trap,),
        sees=flows.at_boundary,
        holds=(climbs.trapping,),
    ),
    Claim(
        "query.trap.finite-steps",
        says="Steps of a fixed size take queries out of the trap: in six dimensions, after long "
        "runs from uniform starts, the share of ρ < 0 is below that of the flow, which is",
        source="B5",
        stance=Stance.DERIVED,
        kind=Kind.SIGN,
        observed="trapped",
        formula=sp.Rational(1, 2)
        + boundary * (5 - 2 * boundary**2) * sp.sqrt(1 - boundary**2) / (3 * sp.pi)
        + sp.asin(boundary) / sp.pi,
        relation=Relation.BELOW,
        routes=(ends.trap,),
        sees=flows.at_boundary,
        holds=(climbs.escaping,),
    ),
    Claim(
        "query.filtering.noise-mass",
        says="At ξ the total weight on noise tokens tends to",
        source="B6",
        stance=Stance.AS_STATED,
        kind=Kind.MASS,
        observed="noise at limit",
        formula=sp.Integer(0),
        routes=(say.noise_mass_at_signal,),
        holds=(on.growing_density,),
        fails=(on.at_signal,),
        instead="query.filtering.noise-mass-at-fixed-share",
    ),
    Claim(
        "query.filtering.noise-mass-at-fixed-share",
        says="At ξ and a fixed share of informative tokens, their total weight on noise tends to",
        source="B6",
        stance=Stance.CORRECTED,
        kind=Kind.MASS,
        observed="noise at limit",
        formula=(1 - share) / (signal + 1 - share),
        routes=(say.noise_mass_at_signal,),
        holds=(on.at_signal,),
    ),
    Claim(
        "query.filtering.mass-at-limit",
        says="Where the query converges, at ξ or −ξ, the weight on informative tokens tends to",
        source="B6",
        stance=Stance.AS_STATED,
        kind=Kind.MASS,
        observed="mass at limit",
        formula=signal / (signal + 1 - share),
        routes=(say.mass_at_signal,),
        holds=(on.at_signal,),
        fails=(on.at_minus_signal,),
        instead="query.filtering.mass",
    ),
    Claim(
        "query.filtering.mass",
        says="At alignment ρ the weight on informative tokens tends to",
        source="B6",
        stance=Stance.CORRECTED,
        kind=Kind.MASS,
        observed="informative mass",
        formula=tilted / (tilted + 1 - share),
        routes=(say.mass,),
        holds=(on.at_minus_signal, on.between),
    ),
    Claim(
        "query.filtering.single-weight",
        says="The weight on a single noise token vanishes like 1/L: L times its mean tends to",
        source="B6",
        stance=Stance.AS_STATED,
        kind=Kind.WEIGHT,
        observed="noise weight",
        formula=1 / (tilted + 1 - share),
        routes=(say.single_noise_weight,),
        holds=(on.between, on.at_minus_signal),
    ),
)
