"""Outliers of any law: the mechanism behind A2–A4, on laws they are not about."""

from theory.laws import perturbations
from theory.laws.perturbations import strength as theta
from theory.pooled import gamma
from verify.claim import Claim, Kind, Stance
from verify.experiments import spiked as on

CLAIMS = (
    Claim(
        "spike.general.location",
        says="A rank-one perturbation of strength θ makes an outlier at the point of the law's "
        "curve that has this strength",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        observed="outlier",
        routes=(perturbations.location, perturbations.location_by_transform),
        holds=(on.two_factors, on.compound),
    ),
    Claim(
        "spike.general.overlap",
        says="The squared overlap of its eigenvector with the perturbation's direction is the "
        "residue of the resolvent at that point",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.OVERLAP,
        observed="overlap",
        routes=(perturbations.overlap, perturbations.overlap_by_transform),
        holds=(on.two_factors, on.compound),
    ),
    Claim(
        "spike.johnstone.location",
        says="In Johnstone's model, what is left of the token model as δ → 0, the outlier tends to",
        source="Baik and Silverstein 2006",
        stance=Stance.AS_STATED,
        kind=Kind.LOCATION,
        observed="outlier",
        formula=(1 + theta) * (1 + gamma / theta),
        routes=(perturbations.location, perturbations.location_by_transform),
        where=(theta**2 - gamma > 0,),
        holds=(on.johnstone,),
    ),
    Claim(
        "spike.johnstone.overlap",
        says="In Johnstone's model the squared overlap of the outlier's eigenvector tends to",
        source="Paul 2007",
        stance=Stance.AS_STATED,
        kind=Kind.OVERLAP,
        observed="overlap",
        formula=(1 - gamma / theta**2) / (1 + gamma / theta),
        routes=(perturbations.overlap, perturbations.overlap_by_transform),
        where=(theta**2 - gamma > 0,),
        holds=(on.johnstone,),
        neighbours=(1 - gamma / theta**2, (1 - gamma / theta**2) / (1 + gamma / theta**2)),
    ),
)
