"""Writes docs/dials.md: how wrong A1 and A2 are, against the assumption that makes them right.

Run it as `python docs/dials.py` from the top folder; it takes about three minutes on one core.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import sympy as sp  # noqa: E402

from numerics.limits import Limit, controlled_mean, extrapolate  # noqa: E402
from numerics.simulate import signs as families  # noqa: E402
from numerics.simulate.counts import TokenCounts  # noqa: E402
from numerics.simulate.pooled import FixedTokens, WholeSpectrum  # noqa: E402
from theory.pooled import alpha, bulk, delta, gamma, kappa, mu2, population  # noqa: E402
from theory.pooled.covariance import CLASS_CENTRED, RAW  # noqa: E402
from theory.pooled.model import PooledModel  # noqa: E402
from verify.experiment import Simulation  # noqa: E402

# Weights of one to sixteen tokens, and a heavy one among lighter ones.
WEIGHTS: tuple[tuple[Fraction, ...], ...] = (
    (Fraction(3, 2),), (Fraction(1), Fraction(1, 3)), (Fraction(3, 4),) * 2,
    (Fraction(1), *(Fraction(1, 4),) * 8), (Fraction(3, 8),) * 4, (Fraction(3, 16),) * 8,
    (Fraction(3, 32),) * 16,
)  # fmt: skip
COUNT_PLAN = ((3000, 400), (6000, 300), (12000, 160))
VOCABULARIES = (Fraction(1), Fraction(2), Fraction(4), Fraction(8), Fraction(16), Fraction(32))
TABLE_PLAN = ((64, 400), (128, 160), (256, 64))
MU2, T, BLOCK = Fraction(5, 4), 16, 8


def limit(
    simulation: Simulation, column: str, plan: tuple[tuple[int, int], ...], key: int
) -> Limit:
    """What one column tends to; the seed is a function of the setting alone."""
    means = []
    for size, replicates in plan:
        rows = [
            simulation.draw(size, np.random.default_rng([key, size, i])) for i in range(replicates)
        ]
        expected = simulation.expected(size)
        controls = {name: [row[name] for row in rows] for name in expected}
        means.append(controlled_mean(size, [row[column] for row in rows], controls, expected))
    return extrapolate(means)


def number(expr: sp.Expr, values: Mapping[sp.Symbol, sp.Expr]) -> float:
    """A closed form at exact values."""
    return float(expr.subs(values).evalf(20))


def few_tokens() -> Iterator[str]:
    """A1: the fourth moment of the counts at a fixed number of tokens, over that of many."""
    stated, derived = bulk.count_moment(4, spread=True), bulk.count_moment(4)
    for key, weights in enumerate(WEIGHTS):
        squares, fourths = (sum((w**k for w in weights), Fraction(0)) for k in (2, 4))
        values = {delta: sp.Rational(1, 2), gamma: sp.Rational(3, 2),
                  kappa: sp.Rational(squares), bulk.fourth: sp.Rational(fourths)}  # fmt: skip
        reference = number(stated, values)
        seen = limit(TokenCounts(Fraction(1, 3), weights), "moment 4", COUNT_PLAN, key)
        yield (
            f"| {', '.join(map(str, weights[:2]))}{', …' if len(weights) > 2 else ''} "
            f"({len(weights)}) | {float(fourths / squares**2):.4f} "
            f"| {number(derived, values) / reference - 1:.4f} "
            f"| {seen.estimate / reference - 1:.4f} ± {seen.stderr / reference:.4f} |\n"
        )


def finite_vocabularies() -> Iterator[str]:
    """A2 read literally, for a raw table: its errors against δ, derived and seen."""
    weights = (Fraction(1, BLOCK),) * BLOCK + (Fraction(0),) * (T - BLOCK)
    raw, literal = PooledModel(RAW), PooledModel(CLASS_CENTRED)
    for key, vocabulary in enumerate(VOCABULARIES):
        values = {delta: sp.Rational(1 / vocabulary), kappa: sp.Rational(1, BLOCK),
                  alpha: sp.S.One, mu2: sp.Rational(MU2)}  # fmt: skip
        tokens = FixedTokens(
            vocabulary, Fraction(1), weights, families.prefix(T, BLOCK), MU2, "raw"
        )
        simulation = WholeSpectrum(tokens, population=True)
        cells = []
        for route, column in ((population.location, "largest"),
                              (population.overlap, "overlap of largest")):  # fmt: skip
            stated = number(route(literal), values)
            seen = limit(simulation, column, TABLE_PLAN, key)
            cells.append(
                f"{stated / number(route(raw), values) - 1:+.4f} "
                f"| {stated / seen.estimate - 1:+.4f} ± {seen.stderr / seen.estimate:.4f}"
            )
        yield f"| {1 / vocabulary} | {cells[0]} | {cells[1]} |\n"


def page() -> str:
    """The page."""
    return (
        "# Assumption dials\n\n"
        "Two statements of source A, as its summary has them, hold in a limit that the summary "
        "leaves open.\nHere each is put at settings on the way to that limit: how wrong it is "
        "according to what is derived\nhere, and according to the model, simulated, in the limit "
        "of large sizes, with one standard error.\n`python docs/dials.py` writes this page.\n\n"
        "## A1 against Σw⁴/κ²\n\n"
        "The bulk is κ·(MP_δ ⊠ MP_γ) only as no token keeps a share of the weight. Below, the "
        "relative\nexcess of the fourth moment of the matrix of token counts over that of many "
        "tokens, at V/N = 3;\nin S it moves the fourth free cumulant by δ³ times as much. It falls "
        "like (Σw⁴/κ²)².\n\n"
        "| weights (their number) | Σw⁴/κ² | excess derived | seen |\n|---|---|---|---|\n"
        + "".join(few_tokens())
        + "\n## A2 against δ\n\n"
        f"The relative error of the outlier of E[ccᵀ given E] and of its squared overlap with u, "
        f"with the\nstrength as stated, ρ = α‖μ‖²/κ, for a raw table: ‖μ‖² = {MU2}, pooling over "
        f"the {BLOCK} of {T} positions\nthat share a sign, so that α/κ = {BLOCK}. Both errors "
        "vanish like δ.\n\n"
        "| δ = d/V | location: error derived | seen | overlap: error derived | seen |\n"
        "|---|---|---|---|---|\n" + "".join(finite_vocabularies())
    )


if __name__ == "__main__":
    (ROOT / "docs" / "dials.md").write_text(page(), encoding="utf-8")
