"""Rank-one perturbations of covariance-like matrices with any number of Gaussian factors."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

KINDS = ("additive", "multiplicative")


@dataclass(frozen=True, eq=False)
class SpikedMatrix:
    """A = XDXᵀ perturbed by a rank-one term of strength θ along the first axis.

    X = Z₁/√n₁ for a single factor, Z₁Z₂/√(n₁n₂) for two, Z_i Gaussian; D is diagonal. Additive:
    A + θuuᵀ; multiplicative: (1 + θuuᵀ)^{1/2} A (1 + θuuᵀ)^{1/2}. Observables: 'largest', the
    largest eigenvalue, 'overlap' = ⟨v, u⟩² of its eigenvector, 'moment 2' = tr A²/d.

    Parameters
    ----------
    kind : 'additive' or 'multiplicative'
    columns : n_i/d for each factor
    theta : the strength, at least 0
    jumps : (value, share) of D's diagonal; all 1 by default

    Raises
    ------
    ValueError : another kind, a negative strength, no factor or more than two.

    >>> null = SpikedMatrix("multiplicative", (Fraction(2),), Fraction(0))
    >>> 2.5 < null.draw(200, np.random.default_rng(0))["largest"] < 3.2
    True
    """

    kind: str
    columns: tuple[Fraction, ...]
    theta: Fraction
    jumps: tuple[tuple[Fraction, Fraction], ...] = ((Fraction(1), Fraction(1)),)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}: got {self.kind!r}")
        if self.theta < 0:
            raise ValueError(f"theta must not be negative: got {self.theta}")
        if len(self.columns) not in (1, 2):
            raise ValueError(f"columns must name one or two factors: got {len(self.columns)}")

    def matrix(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """One perturbed matrix, shape (size, size)."""
        widths = [int(c * size) for c in self.columns]
        X = rng.standard_normal((size, widths[0])) / np.sqrt(widths[0])
        if len(widths) == 2:
            X = X @ rng.standard_normal(widths) / np.sqrt(widths[1])
        edges = np.cumsum([float(share) for _, share in self.jumps]) * X.shape[1]
        which = np.searchsorted(edges, np.arange(X.shape[1]), side="right")
        X *= np.sqrt([float(value) for value, _ in self.jumps])[which]
        if self.kind == "multiplicative":
            X[0] *= np.sqrt(1 + float(self.theta))
        A = X @ X.T
        if self.kind == "additive":
            A[0, 0] += float(self.theta)
        return np.asarray(A)

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: observables by name."""
        A = self.matrix(size, rng)
        second = float((A**2).sum()) / size
        values, vectors = eigh(A, subset_by_index=(size - 1, size - 1), overwrite_a=True)
        overlap = float(vectors[0, 0] ** 2)
        return {"largest": float(values[0]), "overlap": overlap, "moment 2": second}

    def expected(self, size: int) -> dict[str, float]:
        """No controls."""
        return {}
