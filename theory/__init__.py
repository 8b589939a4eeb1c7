"""Exact theory: spectral laws, the two sources' models, and what follows from them."""

from theory.laws.catalogue import (
    discrete,
    free_poisson,
    fuss_catalan,
    inverse_marchenko_pastur,
    marchenko_pastur,
    projection,
    semicircle,
)
from theory.laws.law import SpectralLaw

__all__ = [
    "SpectralLaw",
    "discrete",
    "free_poisson",
    "fuss_catalan",
    "inverse_marchenko_pastur",
    "marchenko_pastur",
    "projection",
    "semicircle",
]
