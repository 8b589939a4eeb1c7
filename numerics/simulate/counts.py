"""The fourth moment of the matrix of weighted token counts, without any table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class TokenCounts:
    """M = (V/N) Σ a_n a_nᵀ, a_n = Σ_t w_t (e_{v_t} − 1/V), for tokens uniform in 1..V.

    The size is V. The mean of the counts is taken out: it makes one eigenvalue of order (Σw)²,
    which is no part of the limit law. Observable: 'moment 4' = tr M⁴/V.

    Parameters
    ----------
    sequences : N/V
    weights : one rational per position
    """

    sequences: Fraction
    weights: tuple[Fraction, ...]

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate; raises ValueError when N is not an integer at this size."""
        if (self.sequences * size).denominator != 1:
            raise ValueError(f"size must make N={self.sequences * size} an integer: got {size}")
        N, T = int(self.sequences * size), len(self.weights)
        tokens = rng.integers(0, size, size=N * T)
        data = np.tile([float(w) for w in self.weights], N)
        counts = csr_array((data, tokens, np.arange(0, N * T + 1, T)), shape=(N, size))
        counts.sum_duplicates()
        # tr M⁴ from the N × N inner products: a sparse matrix as well, less a constant.
        gram = counts @ counts.T * (size / N)
        if gram.nnz > 0.1 * N**2:
            gram = gram.toarray()
        constant = float(sum(self.weights)) ** 2 / N
        return {"moment 4": _squared_norm_of_square(gram, constant) / size}

    def expected(self, size: int) -> dict[str, float]:
        """No controls."""
        return {}


def _squared_norm_of_square(gram: NDArray[np.float64] | csr_array, constant: float) -> float:
    """‖(G − c 11ᵀ)²‖² without ever forming the full matrix c 11ᵀ.

    (G − c 11ᵀ)² = G² + B, B = c²N 11ᵀ − c(1rᵀ + r1ᵀ), r = G1.
    """
    N = gram.shape[0]
    square = gram @ gram
    r = gram @ np.ones(N)
    total, lengths = r.sum(), r @ r
    cross = constant**2 * N * lengths - 2 * constant * (r @ (gram @ r))
    low = (
        constant**4 * N**4 - 4 * constant**3 * N**2 * total
        + 2 * constant**2 * (N * lengths + total**2)
    )  # fmt: skip
    return float((square * square).sum() + 2 * cross + low)
