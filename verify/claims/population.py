"""Outliers of E[ccᵀ | E], and where they and those of S begin (A2, A3)."""

import sympy as sp

from theory.pooled import alpha, delta, gamma, kappa, mu2, outliers, population
from theory.pooled.covariance import CLASS_CENTRED, RAW
from theory.pooled.model import strength_told
from verify.claim import Claim, Kind, Stance
from verify.experiments import spectra as on

stated = alpha * mu2 / kappa
noisy = alpha * (mu2 + delta) / kappa


def _location(theta: sp.Expr) -> sp.Expr:
    return kappa * (theta + theta / (theta - delta))


def _overlap(theta: sp.Expr) -> sp.Expr:
    return 1 - delta / (theta - delta) ** 2


def _cubic(x: sp.Expr) -> sp.Expr:
    return x**3 - (delta + gamma + delta * gamma) * x - 2 * delta * gamma


CLAIMS = (
    Claim(
        "spike.population.location",
        says="The outlier of E[ccᵀ | E] tends to",
        source="A2",
        stance=Stance.AS_STATED,
        kind=Kind.LOCATION,
        observed="population location",
        formula=_location(stated),
        routes=(population.location, population.location_by_resolvent),
        where=(stated - delta - sp.sqrt(delta) > 0,),
        holds=(on.class_centred,),
        fails=(on.raw, on.centred),
        instead="spike.population.location-with-table-noise",
        neighbours=(_location(noisy), kappa * stated),
    ),
    Claim(
        "spike.population.location-with-table-noise",
        says="The outlier of E[ccᵀ | E] tends to",
        source="A2",
        stance=Stance.CORRECTED,
        kind=Kind.LOCATION,
        observed="population location",
        formula=_location(noisy),
        routes=(population.location, population.location_by_resolvent),
        where=(noisy - delta - sp.sqrt(delta) > 0,),
        holds=(on.raw, on.centred),
        neighbours=(_location(stated),),
    ),
    Claim(
        "spike.population.overlap",
        says="The squared overlap of the eigenvector of E[ccᵀ | E] with u tends to",
        source="A2",
        stance=Stance.AS_STATED,
        kind=Kind.OVERLAP,
        observed="population overlap",
        formula=_overlap(stated),
        routes=(population.overlap, population.overlap_by_resolvent),
        where=(stated - delta - sp.sqrt(delta) > 0,),
        holds=(on.class_centred,),
        fails=(on.raw, on.centred),
        instead="spike.population.overlap-with-table-noise",
        neighbours=(_overlap(noisy), 1 - delta / stated**2),
    ),
    Claim(
        "spike.population.overlap-with-table-noise",
        says="The squared overlap of the eigenvector of E[ccᵀ | E] with u tends to",
        source="A2",
        stance=Stance.CORRECTED,
        kind=Kind.OVERLAP,
        observed="population overlap",
        formula=mu2 / (mu2 + delta) * _overlap(noisy),
        routes=(population.overlap, population.overlap_by_resolvent),
        where=(noisy - delta - sp.sqrt(delta) > 0,),
        holds=(on.raw, on.centred),
        neighbours=(_overlap(noisy), _overlap(stated)),
    ),
    Claim(
        "spike.population.threshold",
        says="E[ccᵀ | E] has an outlier above its bulk iff this is positive; its largest "
        "eigenvalue tends to the outlier or else to the edge",
        source="A2",
        stance=Stance.AS_STATED,
        kind=Kind.LOCATION,
        observed="top of population",
        formula=stated - delta - sp.sqrt(delta),
        routes=(population.excess,),
        sees=outliers.top_of_population(CLASS_CENTRED),
        holds=(on.class_centred,),
        fails=(on.raw,),
        instead="spike.population.threshold-with-table-noise",
        notes=(strength_told,),
    ),
    Claim(
        "spike.population.threshold-with-table-noise",
        says="E[ccᵀ | E] has an outlier of the signal above its bulk iff this is positive; its "
        "largest eigenvalue tends to the outlier or else to the edge",
        source="A2",
        stance=Stance.CORRECTED,
        kind=Kind.LOCATION,
        observed="top of population",
        formula=noisy - delta - sp.sqrt(delta),
        routes=(population.excess,),
        sees=outliers.top_of_population(RAW),
        holds=(on.raw,),
        neighbours=(stated - delta - sp.sqrt(delta),),
    ),
    Claim(
        "spike.population.nothing-below",
        says="Below the threshold nothing leaves the bulk of E[ccᵀ | E]: its smallest eigenvalue "
        "that is not 0 tends to the lower edge",
        source="A2",
        stance=Stance.AS_STATED,
        kind=Kind.LOCATION,
        observed="lowest of population",
        formula=kappa * (1 - sp.sqrt(delta)) ** 2,
        routes=(population.lowest,),
        holds=(on.class_centred,),
        fails=(on.short_vocabulary,),
        instead="spike.population.gap-location",
    ),
    Claim(
        "spike.population.gap-location",
        says="For a vocabulary shorter than d a weak signal has an outlier below the bulk, at",
        source="A2",
        stance=Stance.CORRECTED,
        kind=Kind.LOCATION,
        observed="gap location",
        formula=_location(stated),
        routes=(population.location, population.location_by_resolvent),
        where=(delta - stated - sp.sqrt(delta) > 0,),
        holds=(on.short_vocabulary,),
    ),
    Claim(
        "spike.population.gap-overlap",
        says="The squared overlap of the eigenvector below the bulk with u tends to",
        source="A2",
        stance=Stance.CORRECTED,
        kind=Kind.OVERLAP,
        observed="gap overlap",
        formula=_overlap(stated),
        routes=(population.overlap, population.overlap_by_resolvent),
        where=(delta - stated - sp.sqrt(delta) > 0,),
        holds=(on.short_vocabulary,),
    ),
    Claim(
        "spike.sample.threshold",
        says="S has an outlier above its bulk iff, beyond δ, this is positive; its largest "
        "eigenvalue tends to the outlier or else to the edge",
        source="A3",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="top of sample",
        formula=_cubic(stated - delta),
        routes=(outliers.sample_excess,),
        sees=outliers.top_of_sample(CLASS_CENTRED),
        holds=(on.class_centred,),
        fails=(on.raw,),
        instead="spike.sample.threshold-with-table-noise",
        notes=(strength_told,),
    ),
    Claim(
        "spike.sample.threshold-with-table-noise",
        says="S has an outlier of the signal above its bulk iff, beyond δ, this is positive; its "
        "largest eigenvalue tends to the outlier or else to the edge",
        source="A3",
        stance=Stance.CORRECTED,
        kind=Kind.LOCATION,
        observed="top of sample",
        formula=_cubic(noisy - delta),
        routes=(outliers.sample_excess,),
        sees=outliers.top_of_sample(RAW),
        holds=(on.raw,),
        neighbours=(_cubic(stated - delta),),
    ),
)
