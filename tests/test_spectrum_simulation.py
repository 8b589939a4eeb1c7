"""A population of two atoms, sampled: the eigenvalues follow the law with two intervals."""

from __future__ import annotations

import numpy as np
import pytest

from numerics import cdf, edges
from theory import discrete, marchenko_pastur


def eigenvalues(rows: int, columns: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    population = np.repeat([1.0, 10.0], rows // 2)
    sample = np.sqrt(population)[:, None] * rng.standard_normal((rows, columns))
    return np.linalg.eigvalsh(sample @ sample.T / columns)


def test_two_intervals_against_eigenvalues() -> None:
    law = discrete({1: "1/2", 10: "1/2"}) @ marchenko_pastur("1/20")
    ends = edges(law)
    assert len(ends) == 4
    levels = cdf(law, ends)
    assert levels[1] - levels[0] + levels[3] - levels[2] == pytest.approx(1, abs=1e-15)
    rows = 200
    found = eigenvalues(rows, 20 * rows, seed=11)
    # The gap is respected exactly for large sizes (Bai and Silverstein 1998), and eigenvalues are
    # rigid: the distance of the cdfs is O(log(p)/p). Over 400 other seeds it was 2.07/p with a
    # standard deviation of 0.31/p, at most 3.12/p: at 5/p false alarms are below 1e-6.
    assert np.sum(found < (ends[1] + ends[2]) / 2) == rows // 2
    steps = np.arange(1, rows + 1) / rows
    distance = np.max(np.abs(cdf(law, found) - steps + 0.5 / rows))
    assert distance < 5 / rows
    # The same eigenvalues scaled by 5 % are told apart.
    assert np.max(np.abs(cdf(law, 1.05 * found) - steps + 0.5 / rows)) > 8 / rows
