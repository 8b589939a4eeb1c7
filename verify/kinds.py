"""The resolution asked of a simulation: one table for all claims, by kind and profile."""

from __future__ import annotations

from collections.abc import Mapping

from verify.claim import Kind

# Two-sided error probability of one comparison, and of rejecting a fit before a refutation or
# an agreement is believed.
COMPARISON_LEVEL = 1e-6
FIT_LEVEL_FOR_REFUTATION = 1e-4
FIT_LEVEL_FOR_AGREEMENT = 1e-6
CONTROL_LEVEL = 1e-6

RESOLUTION: Mapping[Kind, Mapping[str, float]] = {
    Kind.LOCATION: {"quick": 0.10, "standard": 0.03, "full": 0.01},
    Kind.OVERLAP: {"quick": 0.20, "standard": 0.05, "full": 0.02},
    Kind.MOMENT: {"quick": 0.05, "standard": 0.02, "full": 0.005},
    Kind.HIGH_MOMENT: {"quick": 0.20, "standard": 0.08, "full": 0.03},
    Kind.MASS: {"quick": 0.05, "standard": 0.02, "full": 0.01},
    Kind.WEIGHT: {"quick": 0.10, "standard": 0.03, "full": 0.01},
    Kind.ACCURACY: {"quick": 0.05, "standard": 0.02, "full": 0.01},
    Kind.ALIGNMENT: {"quick": 0.10, "standard": 0.03, "full": 0.01},
    Kind.RATE: {"quick": 0.50, "standard": 0.25, "full": 0.10},
    Kind.PROBABILITY: {"quick": 0.50, "standard": 0.25, "full": 0.10},
    # Relative to the distance of the top eigenvalue from the edge, or to its variance. That
    # distance is approached like d^(−1/3): at d = 200 about a tenth is still missing, and a limit
    # may lie no farther beyond the largest size than half the resolution.
    Kind.FLUCTUATION: {"quick": 0.50, "standard": 0.25, "full": 0.15},
    # A sign is decided by an interval that excludes 0, and by nothing else.
    Kind.SIGN: {"quick": 0.0, "standard": 0.0, "full": 0.0},
}


def resolution(kind: Kind, profile: str) -> float:
    """Relative resolution; absolute where the prediction is 0."""
    return RESOLUTION[kind][profile]
