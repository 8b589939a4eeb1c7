"""Outliers of the sample covariance and their overlap with the signal (A3, A4)."""

import sympy as sp

from theory.pooled import alpha, delta, gamma, kappa, mu2, outliers, weight_sum
from verify.claim import Claim, Kind, Relation, Stance
from verify.experiments import spectra
from verify.experiments import tokens as on


def _location(x: sp.Expr) -> sp.Expr:
    return kappa * (x + 1) * (x + delta) * (x + gamma) / x**2


def _overlap(x: sp.Expr) -> sp.Expr:
    return (x**3 - (delta + gamma + delta * gamma) * x - 2 * delta * gamma) / (
        x**2 * (x + gamma)
    )


def _seen(x: sp.Expr) -> tuple[sp.Expr, ...]:
    return (x > 0, x**3 - (delta + gamma + delta * gamma) * x - 2 * delta * gamma > 0)


# The excess of a spike's strength over δ: as the summary has it, with the noise of the table
# counted, and of the vocabulary mean.
strength = alpha * mu2 / kappa
stated = strength - delta
noisy = alpha * (mu2 + delta) / kappa - delta
vocabulary = weight_sum**2 * delta / kappa - delta

CLAIMS = (
    Claim(
        "spike.sample.location",
        says="The outlier of S that carries the signal tends to",
        source="A3",
        stance=Stance.AS_STATED,
        kind=Kind.LOCATION,
        observed="signal location",
        formula=_location(stated),
        routes=(outliers.signal_location, outliers.signal_location_by_population),
        where=_seen(stated),
        holds=(on.class_centred_table, spectra.short_vocabulary),
        fails=(on.raw_table, on.centred_table),
        instead="spike.sample.location-with-table-noise",
        neighbours=(_location(noisy), _location(strength), kappa * alpha * mu2),
    ),
    Claim(
        "spike.sample.location-with-table-noise",
        says="The outlier of S that carries the signal tends to",
        source="A3",
        stance=Stance.CORRECTED,
        kind=Kind.LOCATION,
        observed="signal location",
        formula=_location(noisy),
        routes=(outliers.signal_location, outliers.signal_location_by_population),
        where=_seen(noisy),
        holds=(on.raw_table, on.centred_table, on.centred_sample),
        neighbours=(_location(stated), _location(noisy + delta)),
    ),
    Claim(
        "spike.sample.overlap",
        says="The squared overlap of the signal's eigenvector of S with u tends to",
        source="A4",
        stance=Stance.AS_STATED,
        kind=Kind.OVERLAP,
        observed="signal overlap",
        formula=_overlap(stated),
        routes=(outliers.signal_overlap, outliers.signal_overlap_by_population),
        where=_seen(stated),
        holds=(on.class_centred_table, spectra.short_vocabulary),
        fails=(on.raw_table, on.centred_table),
        instead="spike.sample.overlap-with-table-noise",
        neighbours=(
            1 - delta / stated**2,
            _overlap(noisy),
            mu2 / (mu2 + delta) * _overlap(noisy),
        ),
    ),
    Claim(
        "spike.sample.overlap-with-table-noise",
        says="The squared overlap of the signal's eigenvector of S with u tends to",
        source="A4",
        stance=Stance.CORRECTED,
        kind=Kind.OVERLAP,
        observed="signal overlap",
        formula=mu2 / (mu2 + delta) * _overlap(noisy),
        routes=(outliers.signal_overlap, outliers.signal_overlap_by_population),
        where=_seen(noisy),
        holds=(on.raw_table, on.centred_table, on.centred_sample),
        fails=(on.coincident_spikes,),
        instead="spike.coincident.overlap-sum",
        neighbours=(_overlap(noisy), _overlap(stated), mu2 / (mu2 + delta) * _overlap(stated)),
    ),
    Claim(
        "spike.vocabulary-mean.location",
        says="A raw table has a second outlier, along the vocabulary's mean, which tends to",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="vocabulary-mean location",
        routes=(
            outliers.vocabulary_mean_location,
            outliers.vocabulary_mean_location_by_population,
        ),
        where=_seen(vocabulary),
        holds=(on.raw_table,),
    ),
    Claim(
        "spike.vocabulary-mean.on-top",
        says="The vocabulary mean's outlier lies above the signal's iff this is positive; the "
        "largest eigenvalue tends to the larger of the two",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="largest outlier",
        formula=weight_sum**2 * delta - alpha * (mu2 + delta),
        routes=(outliers.top_excess,),
        where=(*_seen(noisy), *_seen(vocabulary)),
        sees=outliers.larger_outlier,
        holds=(on.raw_table,),
    ),
    Claim(
        "spike.growing-vocabulary.location",
        says="As the vocabulary outgrows d no table needs centring: the signal's outlier tends to",
        source="A3, A9",
        stance=Stance.AS_STATED,
        kind=Kind.LOCATION,
        observed="signal location",
        formula=kappa * (strength + 1) * (strength + gamma) / strength,
        routes=(outliers.signal_location, outliers.signal_location_by_population),
        where=(strength**2 - gamma > 0,),
        holds=(spectra.long_vocabulary,),
        fails=(on.raw_table,),
        instead="spike.sample.location-with-table-noise",
    ),
    Claim(
        "spike.growing-vocabulary.overlap",
        says="As the vocabulary outgrows d the squared overlap of the signal's eigenvector with u "
        "tends to",
        source="A4, A9",
        stance=Stance.AS_STATED,
        kind=Kind.OVERLAP,
        observed="signal overlap",
        formula=(strength**2 - gamma) / (strength * (strength + gamma)),
        routes=(outliers.overlap_sum, outliers.overlap_sum_by_population),
        where=(strength**2 - gamma > 0,),
        holds=(spectra.long_vocabulary,),
        fails=(on.raw_table,),
        instead="spike.sample.overlap-with-table-noise",
    ),
    Claim(
        "spike.coincident.overlap-sum",
        says="Where signal and vocabulary mean have one strength, the weight of u in the span "
        "of both eigenvectors tends to",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="overlap sum",
        routes=(outliers.overlap_sum, outliers.overlap_sum_by_population),
        where=_seen(noisy),
        holds=(on.coincident_spikes,),
    ),
    Claim(
        "spike.coincident.random-division",
        says="How that weight divides between the two eigenvectors stays random in the limit: "
        "the variance of (o₁ − o₂)/(o₁ + o₂) stays above",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.SIGN,
        observed="variance of the division",
        # Far from the 0 that it tends to where the strengths differ, and from what is seen here.
        formula=sp.Rational(1, 5),
        relation=Relation.ABOVE,
        holds=(on.coincident_spikes,),
        fails=(on.spikes_apart,),
        instead="spike.apart.settled-division",
    ),
    Claim(
        "spike.apart.settled-division",
        says="Where the strengths differ the division settles: its variance tends to less than",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.SIGN,
        observed="variance of the division",
        formula=sp.Rational(1, 5),
        relation=Relation.BELOW,
        holds=(on.spikes_apart,),
    ),
)
