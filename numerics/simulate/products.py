"""Products of independent Gaussian matrices without signal: what the top of a bulk does."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class GaussianProduct:
    """The largest eigenvalue of XXᵀ, X = Z₁Z₂⋯/√(n₁n₂⋯), Z₁ of shape (d, n₁), Z₂ (n₁, n₂), ….

    Observables of `draws` independent matrices: 'largest', the mean of their largest eigenvalues,
    and 'variance', the unbiased estimate of its variance; control 'moment 1', the mean of
    tr XXᵀ/d.

    Parameters
    ----------
    columns : n_i/d for each factor, at least 1
    draws : at least 2

    Raises
    ------
    ValueError : no factor, one narrower than d, fewer than two draws.

    >>> row = GaussianProduct((Fraction(2), Fraction(4))).draw(40, np.random.default_rng(0))
    >>> 3 < row["largest"] < 3.8
    True
    """

    columns: tuple[Fraction, ...]
    draws: int = 8

    def __post_init__(self) -> None:
        if not self.columns or min(self.columns) < 1:
            raise ValueError(f"columns must name factors of at least d columns: got {self.columns}")
        if self.draws < 2:
            raise ValueError(f"draws must be at least 2: got {self.draws}")

    def factors(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Square matrices with the singular values of X, in law, shape (draws, size, size).

        Z₁ = L₁Q₁ with L₁ lower triangular and Q₁ of orthonormal rows; Q₁Z₂ is Gaussian again and
        independent of L₁, and so on. The entries of L are independent: standard normal below the
        diagonal, χ of n, n − 1, … degrees of freedom on it (Bartlett 1933).
        """
        product = np.broadcast_to(np.eye(size), (self.draws, size, size))
        diagonal = np.arange(size)
        for ratio in self.columns:
            columns = int(ratio * size)
            lower = np.tril(rng.standard_normal((self.draws, size, size)), -1)
            chi2 = rng.chisquare(columns - diagonal, size=(self.draws, size))
            lower[:, diagonal, diagonal] = np.sqrt(chi2)
            product = product @ lower / np.sqrt(columns)
        return np.asarray(product)

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: observables and controls by name."""
        X = self.factors(size, rng)
        top = np.linalg.eigvalsh(X @ X.transpose(0, 2, 1))[:, -1]
        return {
            "largest": float(top.mean()), "variance": float(top.var(ddof=1)),
            "moment 1": float((X**2).sum() / (size * self.draws)),
        }  # fmt: skip

    def expected(self, size: int) -> dict[str, float]:
        """The exact mean of the control: every factor has orthonormal rows on average."""
        return {"moment 1": 1.0}
