"""A softmax query trained without supervision on tokens with a hidden direction (source B).

L tokens x_i in R^d, R of them theta * xi + z_i, the rest z_i, z_i ~ N(0, I_d) and |xi| = 1.
f_q = sum a_i x_i with a = softmax(b <q, x_i>), |q| = 1, ascends J(q) = E|f_q|^2 on the sphere.
"""

from theory.query.basin import basin_equation, coordinate_density, trap_probability
from theory.query.filtering import (
    attention_odds,
    filtering_gain,
    largest_noise_weight,
    mean_weight,
    noise_mass,
)
from theory.query.gradient import limit_progress, limit_radial, limit_squared_length, noise_trace
from theory.query.landscape import (
    closed_hitting_time,
    drift,
    hitting_time,
    informative_mass,
    objective,
    objective_correction,
    rate_at,
    solve_flow,
)
from theory.query.model import Tokens, two_classes
from theory.query.monotone import (
    bracket,
    critical_share,
    critical_strength,
    monotone_proof,
)
from theory.query.recursion import (
    climb,
    constant_misalignment,
    decaying_misalignment,
    effective_drift,
    noise_at_signal,
    pull_at_signal,
    trace,
)
from theory.query.reduction import conditional_objective, finite_objective
from theory.query.sums import TokenSum, token_sum
from theory.query.symbols import (
    L,
    R,
    b,
    boundary,
    c,
    d,
    eta,
    rho,
    share,
    start,
    target,
    theta,
    time,
)

__all__ = [
    "L",
    "R",
    "TokenSum",
    "Tokens",
    "attention_odds",
    "b",
    "basin_equation",
    "boundary",
    "bracket",
    "c",
    "climb",
    "closed_hitting_time",
    "conditional_objective",
    "constant_misalignment",
    "coordinate_density",
    "critical_share",
    "critical_strength",
    "d",
    "decaying_misalignment",
    "drift",
    "effective_drift",
    "eta",
    "filtering_gain",
    "finite_objective",
    "hitting_time",
    "informative_mass",
    "largest_noise_weight",
    "limit_progress",
    "limit_radial",
    "limit_squared_length",
    "mean_weight",
    "monotone_proof",
    "noise_at_signal",
    "noise_mass",
    "noise_trace",
    "objective",
    "objective_correction",
    "pull_at_signal",
    "rate_at",
    "rho",
    "share",
    "solve_flow",
    "start",
    "target",
    "theta",
    "time",
    "token_sum",
    "trace",
    "trap_probability",
    "two_classes",
]
