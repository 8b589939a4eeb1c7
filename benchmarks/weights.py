"""Speed of pooling weights, attention and ridge paths, as ratios to the work they cannot avoid.

Run it as `python benchmarks/weights.py`, with one BLAS thread.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable
from fractions import Fraction
from time import process_time

import numpy as np

from numerics.pooling import causal_weights
from numerics.simulate.attention import attention_weights
from numerics.simulate.classifier import RidgePath
from verify import predict
from verify.sequences import Signs, parse_signs
from verify.sizes import Sizes


def fastest(work: Callable[[], object], repeats: int = 20) -> float:
    """Processor seconds of the fastest of some runs: a busy machine does not count."""
    times = []
    for _ in range(repeats):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def main() -> None:
    """Print one line per target."""
    rng = np.random.default_rng(0)
    T = 10**6
    plain = np.ones(T)
    base = fastest(lambda: np.cumsum(plain))
    for mask in ("strict", "inclusive"):
        share = fastest(lambda mask=mask: causal_weights(T, mask, 1.0)) / base
        print(f"harmonic weights, {mask:9}, T = 10^6: {share:.2f} cumsums (target 3)")
    features = rng.standard_normal((300, 1200))
    labels = np.sign(features[0])
    test = rng.standard_normal((300, 1200))
    truth = np.sign(test[0])

    def path(count: int) -> object:
        return RidgePath(features, labels).accuracies(test, truth, np.logspace(-4, 1, count))

    print(f"20 ridge parameters: {fastest(lambda: path(20)) / fastest(lambda: path(1)):.2f} of one")
    table = rng.standard_normal((256, 512))
    tokens = rng.integers(0, 512, size=(200, 128))
    seconds = fastest(lambda: attention_weights(table, tokens), repeats=3)
    bare = rng.standard_normal((200, 128, 256))
    product = fastest(lambda: np.matmul(bare, bare.transpose(0, 2, 1)), repeats=3)
    print(
        f"attention, N = 200, T = 128, d = 256: {seconds:.3f} s, "
        f"{seconds / product:.1f} score products"
    )
    for T in (128, 10**4, 10**6):
        sizes = Sizes(771, 50021, 200003, T, Fraction(3, 10), "raw")
        drawn = parse_signs("prefix:31", T)

        def ask(sizes: Sizes = sizes, drawn: Signs = drawn) -> object:
            return predict.predict(sizes, drawn, predict.poolings(drawn, "strict", Fraction(0)))

        start = process_time()
        ask()
        print(f"predict at T = {T}, imports done: {process_time() - start:.2f} s (target 1 at 128)")


if __name__ == "__main__":
    main()
