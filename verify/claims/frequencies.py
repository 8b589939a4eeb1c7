"""Outliers of S when some tokens are more frequent than others: what A2–A4 do not cover."""

from theory.pooled import alpha, delta, frequencies, kappa, mu2, weight_sum
from theory.pooled.frequencies import point
from verify.claim import Claim, Kind, Stance
from verify.experiments import frequencies as on

# R(G) = E[D/(1 − δDG)] and E D² of the law that is simulated.
R = sum(p * D / (1 - delta * D * point) for D, p in on.raw.premise.jumps)
second = sum(p * D**2 for D, p in on.raw.premise.jumps)

CLAIMS = (
    Claim(
        "spike.frequencies.signal",
        says="With unequal token frequencies the signal's outlier lies at the point G of the "
        "bulk's curve at which ‖μ‖² equals",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="signal location",
        formula=(1 / R - 1 + kappa / alpha) / point,
        routes=(frequencies.signal_strength, frequencies.signal_strength_by_groups),
        sees=frequencies.location_where(mu2, 1, on.raw.premise),
        holds=(on.raw,),
        # As if the frequencies lengthened h and left it free of the bulk.
        neighbours=(kappa / (alpha * point) - delta * second, kappa / (alpha * point) - delta),
    ),
    Claim(
        "spike.frequencies.signal-class-centred",
        says="With unequal token frequencies and class means ±μ the signal's outlier lies where "
        "‖μ‖² equals",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="signal location",
        formula=kappa / (alpha * point),
        routes=(frequencies.signal_strength, frequencies.signal_strength_by_groups),
        sees=frequencies.location_where(mu2, 1, on.class_centred.premise),
        holds=(on.class_centred,),
    ),
    Claim(
        "spike.frequencies.vocabulary-mean",
        says="With unequal token frequencies the vocabulary mean's outlier lies where (Σw)² equals",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="vocabulary-mean location",
        formula=kappa / (1 - 1 / R),
        routes=(frequencies.vocabulary_strength, frequencies.vocabulary_strength_by_groups),
        sees=frequencies.location_where(weight_sum, 2, on.raw.premise),
        holds=(on.raw,),
        neighbours=(kappa / (delta * second * point),),
    ),
    *(
        Claim(
            f"spike.frequencies.overlap{suffix}",
            says="With unequal token frequencies the squared overlap of the signal's eigenvector "
            "of S with u tends to",
            source="here",
            stance=Stance.DERIVED,
            kind=Kind.OVERLAP,
            observed="signal overlap",
            routes=(frequencies.sample_overlap, frequencies.sample_overlap_by_groups),
            sees=frequencies.overlap_at_signal(model.premise),
            holds=(model,),
        )
        for suffix, model in (("", on.raw), ("-class-centred", on.class_centred))
    ),
)

