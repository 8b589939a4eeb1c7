"""Time of a step exact in law against the plain step, and its growth with the sizes.

Run: OPENBLAS_NUM_THREADS=1 python benchmarks/queries.py
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy loads

from time import perf_counter

import numpy as np

from numerics.simulate.queries import Method, QueryModel


def seconds_a_step(model: QueryModel, method: Method, steps: int, repeats: int = 3) -> float:
    """The best of a few timings, in seconds for one step of one run."""
    rng = np.random.default_rng(0)
    query = model.uniform_query(rng)
    best = float("inf")
    for _ in range(repeats):
        began = perf_counter()
        for _ in range(steps):
            model.gradient(rng, query, method)
        best = min(best, (perf_counter() - began) / steps)
    return best


def main() -> None:
    """Prints the ratio at the largest size of the source, and nanoseconds per unit of L + d."""
    model = QueryModel(d=2_000, L=10_500, R=500, theta=1.0)
    fast = seconds_a_step(model, "exact-in-law", 300)
    plain = seconds_a_step(model, "plain", 3)
    print(f"L=10500 d=2000: plain {plain * 1e3:.1f} ms, exact in law {fast * 1e3:.3f} ms, ", end="")
    print(f"ratio {plain / fast:.0f}, {fast / 12_500 * 1e9:.1f} ns per unit of L + d")
    for factor in (1, 2, 4, 8):
        model = QueryModel(d=1_000 * factor, L=5_000 * factor, R=250 * factor, theta=1.0)
        each = seconds_a_step(model, "exact-in-law", 200 // factor)
        size = model.L + model.d
        print(f"L + d = {size}: {each * 1e3:.3f} ms, {each / size * 1e9:.1f} ns per unit")


if __name__ == "__main__":
    main()
