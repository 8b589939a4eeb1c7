"""One replicate of the token model: matrix-free against forming S and decomposing it.

Prints the ratio of the two at d = 2000, V = 2d, N = 4d, T = 16, draws included, both with one
BLAS thread in this one process, and the exponent of the matrix-free time in d.

    python benchmarks/eigenpairs.py
"""

from __future__ import annotations

import time

from verify.threads import limit_to_one

limit_to_one()

import numpy as np  # noqa: E402
from scipy.linalg import eigh  # noqa: E402

from numerics.simulate import signs  # noqa: E402
from numerics.simulate.tokens import TokenModel  # noqa: E402


def _model(d: int) -> TokenModel:
    family = signs.prefix(16, 8)
    return TokenModel(d=d, V=2 * d, N=4 * d, weights=np.full(16, 1 / 16), signs=family, mu2=0.3)


def matrix_free(d: int, seed: int) -> float:
    """Seconds of a draw and its two top eigenpairs."""
    start = time.perf_counter()
    _model(d).sample(np.random.default_rng(seed)).top_eigenpairs(2)
    return time.perf_counter() - start


def formed(d: int, seed: int) -> float:
    """Seconds of a draw, S in full and all its eigenpairs."""
    start = time.perf_counter()
    eigh(_model(d).sample(np.random.default_rng(seed)).covariance)
    return time.perf_counter() - start


def main() -> None:
    """Run both in turn, so that a drift of the machine meets both."""
    matrix_free(200, 0)
    pairs = [(matrix_free(2000, seed), formed(2000, seed)) for seed in range(3)]
    ratio = np.median([slow / fast for fast, slow in pairs])
    fast, slow = np.median(pairs, axis=0)
    print(f"d = 2000: matrix-free {fast:.3f} s, formed {slow:.3f} s, ratio {ratio:.1f}")
    sizes = np.array([500, 1000, 2000])
    times = [np.median([matrix_free(d, seed) for seed in range(5)]) for d in sizes]
    exponent = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    print(f"exponent of the matrix-free time in d: {exponent:.2f}")


if __name__ == "__main__":
    main()
