"""Writes docs/poolings.md: three poolings at one setting, predicted and seen.

Run it as `python docs/poolings.py` from the top folder; it takes about a minute on one core.
"""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from numerics.simulate import signs as families  # noqa: E402
from numerics.simulate.sequences import RidgeOnPooled  # noqa: E402
from numerics.simulate.tokens import TokenModel  # noqa: E402
from verify import predict  # noqa: E402
from verify.sequences import parse_signs  # noqa: E402
from verify.sizes import Sizes  # noqa: E402
from verify.weighting import Weights  # noqa: E402

D, V, N, T, L = 256, 2048, 1024, 64, 8
MU2, RIDGE, TABLE = Fraction(1, 4), Fraction(1, 10), "class-centred"
REPLICATES = 32
HEADER = (
    "| pooling | α/κ | outlier above the bulk | largest eigenvalue: predicted | seen "
    "| squared overlap: predicted | seen | ridge accuracy: predicted | seen |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)


def seen(weights: Weights, replicate: int) -> tuple[float, float]:
    """The largest eigenvalue of S and its squared overlap with u, in one draw."""
    model = TokenModel(
        D, V, N, [float(x) for x in weights], families.prefix(T, L), float(MU2), TABLE
    )
    sample = model.sample(np.random.default_rng([1, replicate]))
    pairs = sample.top_eigenpairs(1)
    return float(pairs.values[0]), float((sample.direction @ pairs.vectors[:, 0]) ** 2)


def accuracies(weightings: dict[str, Weights]) -> dict[str, list[float]]:
    """Test accuracies of every pooling on the same draws."""
    simulation = RidgeOnPooled(
        Fraction(V, D), Fraction(N, D), Fraction(4), weightings, families.prefix(T, L),
        tuple(range(L)), MU2, RIDGE, TABLE,
    )  # fmt: skip
    rows = [simulation.draw(D, np.random.default_rng([2, i])) for i in range(REPLICATES)]
    return {name: [row[f"accuracy {name}"] for row in rows] for name in weightings}


def shown(values: list[float]) -> str:
    """Mean and standard error."""
    error = np.std(values, ddof=1) / len(values) ** 0.5
    return f"{np.mean(values):.4f} ± {error:.4f}"


def table() -> str:
    """The page."""
    sizes = Sizes(D, V, N, T, MU2, TABLE)
    drawn = parse_signs(f"prefix:{L}", T)
    weightings = predict.poolings(drawn, "strict", Fraction(0))
    classified = accuracies(weightings)
    predictions = predict.predict(sizes, drawn, weightings, RIDGE)
    lines = []
    for found in predictions:
        draws = [seen(weightings[found.pooling], i) for i in range(REPLICATES)]
        top = found.upper_edge if found.outlier is None else found.outlier
        lines.append(
            f"| {found.pooling} | {found.alpha_over_kappa:.4f} "
            f"| {'yes' if found.place == 'above' else 'no'} "
            f"| {top:.4f}{' (edge)' if found.outlier is None else ''} "
            f"| {shown([value for value, _ in draws])} "
            f"| {found.overlap:.4f} | {shown([overlap for _, overlap in draws])} "
            f"| {found.accuracy:.4f} | {shown(classified[found.pooling])} |\n"
        )
    return (
        "# Three poolings, predicted and seen\n\n"
        f"d = {D}, V = {V}, N = {N}, T = {T}, the first {L} positions share a sign, "
        f"‖μ‖² = {MU2}, {TABLE} table, λ = {RIDGE}; causal: strict mask. Predictions are limits; "
        f"seen: mean and standard error of {REPLICATES} draws at this d, where edge and "
        "overlap still carry their finite-size bias. Written by `python docs/poolings.py`.\n\n"
        + HEADER + "".join(lines)
        + "\nWill the top eigenvector see it? "
        + "; ".join(f"{found.pooling}: {found.seen}" for found in predictions) + ".\n"
    )  # fmt: skip


if __name__ == "__main__":
    (ROOT / "docs" / "poolings.md").write_text(table(), encoding="utf-8")
