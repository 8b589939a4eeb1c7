"""What S shows of a signal on either side of its bulk, where the vocabulary is shorter than d."""

import sympy as sp

from theory.pooled import alpha, delta, gamma, kappa, mu2, outliers, visibility
from theory.pooled.visibility import m, x
from verify.claim import Claim, Kind, Stance
from verify.experiments import spectra as on

a1, b1 = delta + gamma + delta * gamma, delta * gamma
# The excess of the signal's strength over δ, for a class-centred table.
excess = alpha * mu2 / kappa - delta


def _threshold(x: sp.Expr) -> sp.Expr:
    return x**3 - a1 * x - 2 * b1


# Below the smallest root of the threshold: the local maximum of a cubic parts its two lower roots.
_BELOW = (
    excess < 0, _threshold(excess) < 0, 3 * excess**2 - a1 > 0, delta - 1 > 0, delta - gamma > 0,
)  # fmt: skip

CLAIMS = (
    Claim(
        "spike.sample.nothing-below",
        says="S has an outlier iff the signal exceeds the threshold, so that below it nothing "
        "leaves the bulk: the smallest eigenvalue that is not 0 tends to the edge, where z′(m) = 0",
        source="A3",
        stance=Stance.AS_STATED,
        kind=Kind.LOCATION,
        observed="lowest of sample",
        formula=2 * b1 * m**3 + a1 * m**2 - 1,
        routes=(visibility.edge_polynomial,),
        sees=visibility.lower_edge,
        holds=(on.class_centred,),
        fails=(on.short_vocabulary,),
        instead="spike.sample.gap-location",
    ),
    Claim(
        "spike.sample.gap-location",
        says="For a vocabulary shorter than d a weak signal has an outlier of S below the bulk, at",
        source="A3",
        stance=Stance.CORRECTED,
        kind=Kind.LOCATION,
        observed="sample gap location",
        formula=kappa * (excess + 1) * (excess + delta) * (excess + gamma) / excess**2,
        routes=(outliers.signal_location, outliers.signal_location_by_population),
        where=_BELOW,
        holds=(on.short_vocabulary,),
    ),
    Claim(
        "spike.sample.gap-overlap",
        says="The squared overlap of the eigenvector below the bulk of S with u tends to",
        source="A4",
        stance=Stance.CORRECTED,
        kind=Kind.OVERLAP,
        observed="sample gap overlap",
        formula=_threshold(excess) / (excess**2 * (excess + gamma)),
        routes=(outliers.signal_overlap, outliers.signal_overlap_by_population),
        where=_BELOW,
        holds=(on.short_vocabulary,),
    ),
    Claim(
        "spike.sample.visible-above",
        says="The top eigenvector of S sees u iff x, the strength's excess over δ, lies above "
        "every root of this: its squared overlap with u tends to the outlier's, or else to 0",
        source="A3",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="overlap above",
        formula=_threshold(x),
        routes=(
            visibility.threshold_polynomial, visibility.threshold_polynomial_by_population,
        ),
        sees=visibility.overlap_above,
        holds=(on.class_centred, on.short_vocabulary),
    ),
    Claim(
        "spike.sample.visible-below",
        says="The eigenvector of the smallest eigenvalue of S that is not 0 sees u iff "
        "δ > max(1, γ) and x lies below every root of this: the signal is seen again where it is "
        "weak",
        source="A3",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="overlap below",
        formula=_threshold(x),
        routes=(
            visibility.threshold_polynomial, visibility.threshold_polynomial_by_population,
        ),
        sees=visibility.overlap_below,
        holds=(on.class_centred, on.short_vocabulary),
    ),
)  # fmt: skip
