"""Pooling weights: which are best, how much better, and what that shows (A5)."""

import sympy as sp

from theory.pooled import (
    alpha,
    certificates,
    correlations,
    delta,
    gamma,
    kappa,
    mu2,
    outliers,
    visibility,
)
from theory.pooled import tokens as T
from theory.pooled.causal import length as L
from theory.pooled.covariance import CLASS_CENTRED
from verify.claim import Claim, Kind, Model, Stance
from verify.experiments import classifier as on

prefix_block = Model("prefix-block", "the first 4 of 6 signs agree", correlations.prefix(6, 4), ())
markov_chain = Model(
    "markov-chain", "R = (1/2)^|s−t|, 4 positions", correlations.kac_murdock_szego(4, "1/2"), ()
)
independent_signs = Model("independent-signs", "R = I, 3 positions", correlations.identity(3), ())
mixed_signs = Model(
    "mixed-signs",
    "positive and negative correlations of 3 positions",
    correlations.user([[1, "1/2", "-1/3"], ["1/2", 1, "-1/2"], ["-1/3", "-1/2", 1]]),
    (),
)

_x = alpha * mu2 / kappa - delta
_excess = _x**3 - (delta + gamma + delta * gamma) * _x - 2 * delta * gamma

CLAIMS = (
    Claim(
        "weights.optimum",
        says="The weights that maximise α/κ = wᵀRw/‖w‖² are the top eigenvector of R",
        source="A5",
        stance=Stance.AS_STATED,
        kind=Kind.WEIGHT,
        proofs=(certificates.stationary, certificates.maximal),
        holds=(prefix_block, markov_chain, independent_signs, mixed_signs),
    ),
    Claim(
        "weights.optimum-is-unique",
        says="and no other weights, up to scale, do",
        source="A5",
        stance=Stance.AS_STATED,
        kind=Kind.WEIGHT,
        proofs=(certificates.unique,),
        holds=(prefix_block, markov_chain, mixed_signs),
        fails=(independent_signs,),
        instead="weights.optimal-face",
    ),
    Claim(
        "weights.optimal-face",
        says="The weights that maximise α/κ are all vectors of the eigenspace of R's largest "
        "eigenvalue; with independent signs every w ties",
        source="A5",
        stance=Stance.CORRECTED,
        kind=Kind.WEIGHT,
        proofs=(certificates.whole_face,),
        holds=(prefix_block, independent_signs),
    ),
    Claim(
        "weights.prefix-optimum",
        says="If the first positions share one sign, the optimum puts all mass on them, evenly",
        source="A5p",
        stance=Stance.AS_STATED,
        kind=Kind.WEIGHT,
        proofs=(certificates.on_the_block, certificates.none_better_than_the_block),
        holds=(prefix_block,),
    ),
    Claim(
        "weights.prefix-gain",
        says="For a prefix of ℓ of T positions the optimum multiplies the α/κ of mean pooling by",
        source="A5p",
        stance=Stance.DERIVED,
        kind=Kind.WEIGHT,
        formula=L * T / (L**2 + T - L),
        routes=(certificates.prefix_gain_by_rank_one, certificates.prefix_gain_by_symmetry),
        where=(T > L,),
        holds=(prefix_block,),
        neighbours=(L * T / (L**2 + T), T / L),
    ),
    Claim(
        "weights.non-negative-optimum",
        says="If R ≥ 0, some optimum has no negative weight, so attention can approach it",
        source="A5",
        stance=Stance.DERIVED,
        kind=Kind.WEIGHT,
        proofs=(certificates.non_negative,),
        holds=(prefix_block, markov_chain, independent_signs),
    ),
    Claim(
        "weights.negative-weights-needed",
        says="With negative correlations the only optimum may have both signs; the best weights "
        "that attention can have are then the top eigenvector of a part of R",
        source="A5",
        stance=Stance.DERIVED,
        kind=Kind.WEIGHT,
        proofs=(certificates.both_signs_needed,),
        holds=(mixed_signs,),
    ),
    Claim(
        "weights.detection.outlier",
        says="Pooled with the optimum, the largest eigenvalue of S leaves the bulk and tends to",
        source="A3, A5",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="largest eigenvalue",
        routes=(outliers.signal_location, outliers.signal_location_by_population),
        where=(_x > 0, _excess > 0),
        holds=(on.optimal_pooling,),
    ),
    Claim(
        "weights.detection.overlap",
        says="Pooled with the optimum, the squared overlap of its eigenvector with u tends to",
        source="A4, A5",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="its overlap",
        routes=(outliers.signal_overlap, outliers.signal_overlap_by_population),
        where=(_x > 0, _excess > 0),
        holds=(on.optimal_pooling,),
    ),
    Claim(
        "weights.detection.no-outlier",
        says="Pooled with the mean at the same sizes this is negative: no outlier leaves the bulk, "
        "and the largest eigenvalue of S tends to the edge",
        source="A3, A5",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="largest eigenvalue",
        routes=(outliers.sample_excess, visibility.sample_excess_by_population),
        where=(_x > 0, -_excess > 0),
        sees=outliers.top_of_sample(CLASS_CENTRED),
        # The scale of Tracy and Widom.
        bias=(2 / 3,),
        holds=(on.mean_pooling,),
    ),
    Claim(
        "weights.detection.no-overlap",
        says="Pooled with the mean at the same sizes, the squared overlap of its eigenvector with "
        "u tends to",
        source="A4, A5",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="its overlap",
        formula=sp.S.Zero,
        where=(_x > 0, -_excess > 0),
        holds=(on.mean_pooling,),
    ),
)
