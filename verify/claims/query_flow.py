"""A softmax query: objective, flow, and what finite steps do (B1, B2, B4, B7)."""

import sympy as sp

from theory.query import (
    L,
    b,
    c,
    climb,
    d,
    recursion,
    rho,
    share,
    start,
    target,
    theta,
    time,
    trace,
)  # fmt: skip
from theory.query import statements as say
from theory.query import step_statements as steps
from theory.query import time_statements as times
from verify import flows
from verify.claim import Claim, Kind, Relation, Stance
from verify.experiments import queries as on
from verify.experiments import query_ascents as climbs

tilt = sp.exp(b * theta * rho)
total = share * tilt + 1 - share
mass = share * tilt / total
plain = b**2 + 2 * b * theta * rho * mass + theta**2 * mass**2
wide = c * sp.exp(b**2) * (share * tilt**2 + 1 - share) / total**2
bracket = 1 + theta * (1 - mass) * (b * rho + theta * mass)
pull = c * sp.exp(b**2) * (1 - share) * (1 - tilt) / total**2
grown = sp.exp(4 * b * theta * time)


def _slope(inner: sp.Expr) -> sp.Expr:
    return 2 * b * theta * mass * inner




def _noise_without_noise_tokens() -> sp.Expr:
    own, tilt = b + theta, sp.exp(b**2)
    alone = 1 + own * (own + 2 * b) + b**2 * own**2
    shared = c * (1 + 2 * b * own) * (2 * tilt**2 - tilt)
    return 4 * b**2 * c * tilt * (alone + shared + c**2 * (tilt**5 - 2 * tilt**3 + tilt**2))


CLAIMS = (
    Claim(
        "query.reduction",
        says="At every size J depends on the query through ρ alone: with S2 = E(Σ a s)², "
        "A2 = E(Σ a over informative tokens)² and Q2 = E Σ a², a = softmax of the scores s, J is",
        source="B1",
        stance=Stance.AS_STATED,
        kind=Kind.MOMENT,
        observed="objective at size",
        formula=say.score_square + theta**2 * (1 - rho**2) * say.mass_square
        + (d - 1) * say.weight_square,
        routes=(say.reduced_objective,),
        holds=(on.every_size,),
        bias=(),
        at_sizes=True,
    ),
    Claim(
        "query.objective",
        says="The objective J tends to",
        source="B2",
        stance=Stance.AS_STATED,
        kind=Kind.MOMENT,
        observed="objective",
        formula=plain,
        routes=(say.objective,),
        holds=(on.few_dimensions,),
        fails=(on.many_dimensions,),
        instead="query.objective.many-dimensions",
    ),
    Claim(
        "query.objective.many-dimensions",
        says="Where d/L → c the objective J tends to",
        source="B2",
        stance=Stance.CORRECTED,
        kind=Kind.MOMENT,
        observed="objective",
        formula=plain + wide,
        routes=(say.objective,),
        holds=(on.many_dimensions,),
    ),
    Claim(
        "query.objective.correction",
        says="Without noise tokens, at L tokens and fixed d, up to order 1/L² the objective J is",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.MOMENT,
        observed="objective at size",
        formula=b**2 + 2 * b * theta * rho + theta**2
        + sp.exp(b**2) * (d - b**2 - 2 * b * theta * rho) / L,
        routes=(say.corrected_objective,),
        holds=(on.dense_outputs,),
        bias=(2.0,),
        at_sizes=True,
    ),
    Claim(
        "query.slope",
        says="J′(ρ), the mean progress of a step towards ξ over its size and 1 − ρ², tends to",
        source="B2",
        stance=Stance.AS_STATED,
        kind=Kind.MOMENT,
        observed="slope",
        formula=_slope(bracket),
        routes=(say.slope, say.slope_by_gradient),
        holds=(on.few_dimensions,),
        fails=(on.many_dimensions,),
        instead="query.slope.many-dimensions",
    ),
    Claim(
        "query.slope.many-dimensions",
        says="Where d/L → c, J′(ρ) tends to",
        source="B2",
        stance=Stance.CORRECTED,
        kind=Kind.MOMENT,
        observed="slope",
        formula=_slope(bracket - pull),
        routes=(say.slope, say.slope_by_gradient),
        holds=(on.many_dimensions,),
    ),
    Claim(
        "query.flow.dense",
        says="Without noise tokens, as the steps shrink, ρ after a time t tends to "
        "tanh(2bθt + artanh ρ₀), which is",
        source="B2, B4",
        stance=Stance.DERIVED,
        kind=Kind.ALIGNMENT,
        observed="end",
        formula=((1 + start) * grown - (1 - start)) / ((1 + start) * grown + 1 - start),
        routes=(say.solved_flow,),
        holds=(climbs.dense_flow,),
    ),
    *(
        Claim(
            name,
            says="As the steps shrink, ρ after a time t tends to the solution of dρ/dt =",
            source="B2, B4",
            stance=stance,
            kind=Kind.ALIGNMENT,
            observed="end",
            formula=(1 - rho**2) * _slope(inner),
            routes=(say.flow, say.flow_by_gradient),
            sees=flows.end_of_flow,
            holds=(model,),
        )
        for name, stance, inner, model in (
            ("query.flow", Stance.AS_STATED, bracket, climbs.flow_few),
            ("query.flow.many-dimensions", Stance.CORRECTED, bracket - pull, climbs.flow_many),
        )
    ),
    Claim(
        "query.flow.hitting-time",
        says="As the steps shrink, the sum of the steps until ρ first reaches an alignment tends "
        "to the integral over ρ of one over the flow; it is finite iff no equilibrium lies between",
        source="B4",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="hitting time",
        routes=(times.pace, times.pace_by_gradient),
        sees=flows.time_along,
        holds=(climbs.flow_few,),
    ),
    Claim(
        "query.flow.hitting-time.dense",
        says="Without noise tokens the time from ρ₀ to ρ₁ is (artanh ρ₁ − artanh ρ₀)/(2bθ), which "
        "is",
        source="B4",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="hitting time",
        formula=sp.log((1 + target) * (1 - start) / ((1 - target) * (1 + start)))
        / (4 * b * theta),
        routes=(times.hitting_time, times.hitting_time_by_solution),
        holds=(climbs.dense_flow,),
    ),
    Claim(
        "query.tracking",
        says="The distance of the query from the flow falls like the root of the step: its mean "
        "square over the step tends to (1 − ρ²) times the integral along the flow of",
        source="B4",
        stance=Stance.AS_STATED,
        kind=Kind.RATE,
        observed="wandering",
        routes=(steps.wandering_density,),
        proofs=(steps.wandering_solves_its_equation,),
        sees=flows.spread_along(say.flow),
        holds=(climbs.flow_many,),
    ),
    Claim(
        "query.misalignment",
        says="With steps along the tangent, at rest 1 − ρ over the step tends to, with J1 = J′(1) "
        "and Gamma the trace of the tangent gradient's covariance at ξ",
        source="B7",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="misalignment",
        formula=trace / (4 * climb),
        routes=(steps.misalignment,),
        sees=steps.at_rest,
        holds=(climbs.flow_many,),
    ),
    Claim(
        "query.misalignment.harmonic",
        says="With steps c₀/k along the tangent, 1 − ρ over the step tends to",
        source="B7",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="harmonic misalignment",
        formula=trace / (4 * climb - 2 / recursion.scale),
        routes=(steps.harmonic_misalignment,),
        sees=steps.at_rest,
        holds=(climbs.flow_many,),
        neighbours=(trace / (4 * climb),),
    ),
    Claim(
        "query.misalignment.noise",
        says="At ξ the trace of the covariance of the tangent gradient tends, as d/L → c, to",
        source="B7",
        stance=Stance.DERIVED,
        kind=Kind.MOMENT,
        observed="noise at signal",
        routes=(steps.squared_gradient_at_signal, steps.squared_gradient_by_tilted_scores),
        holds=(on.resting,),
    ),
    Claim(
        "query.misalignment.noise.dense",
        says="Without noise tokens this trace is",
        source="B7",
        stance=Stance.DERIVED,
        kind=Kind.MOMENT,
        observed="noise at signal",
        formula=_noise_without_noise_tokens(),
        routes=(steps.squared_gradient_at_signal, steps.squared_gradient_by_tilted_scores),
        holds=(on.dense_resting,),
    ),
    Claim(
        "query.reported",
        says="The mean final |ρ| reaches what is reported, whatever dimension, steps and θ: "
        "it is above",
        source="B7",
        stance=Stance.AS_STATED,
        kind=Kind.SIGN,
        observed="alignment",
        formula=sp.Rational(9965, 10000),
        relation=Relation.ABOVE,
        holds=(climbs.uniform_start, climbs.reaching),
        fails=(climbs.wide_reported, climbs.weak_signal),
        instead="query.reported.predicted",
    ),
    Claim(
        "query.reported.predicted",
        says="The mean final ρ is that of the recursion whose mean step over its size is",
        source="B7",
        stance=Stance.CORRECTED,
        kind=Kind.ALIGNMENT,
        observed="end",
        routes=(steps.effective_drift,),
        proofs=(steps.effective_drift_is_the_flow,),
        sees=flows.end_of_path,
        holds=(climbs.reaching, climbs.wide_reported, climbs.weak_signal),
    ),
)
