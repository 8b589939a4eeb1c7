"""Extrapolation and its errors: what they promise, they keep."""

import numpy as np
import pytest

from numerics.limits import SizeMean, control_probability, controlled_mean, extrapolate


def _draw(rng: np.random.Generator, limit: float, bias: float, noise: float) -> list[SizeMean]:
    return [
        controlled_mean(d, limit + bias / d + noise * rng.standard_normal(n) / np.sqrt(d))
        for d, n in ((64, 64), (128, 48), (256, 32))
    ]


def test_intervals_cover_as_often_as_they_promise() -> None:
    # At level 0.1, 2000 fits miss 200 times in mean with standard deviation 13.4; a miss count
    # outside 200 ± 80 (six deviations) has probability below 1e-8.
    rng = np.random.default_rng(0)
    limits = [extrapolate(_draw(rng, 3.0, 20.0, 1.0)) for _ in range(2000)]
    missed = sum(abs(limit.estimate - 3.0) > limit.half_width(0.1) for limit in limits)
    assert 120 < missed < 280


def test_lack_of_fit_is_seen_and_not_imagined() -> None:
    rng = np.random.default_rng(1)
    limits = [extrapolate(_draw(rng, 3.0, 20.0, 1.0)) for _ in range(1000)]
    # p-values of a right fit are below 0.01 in 10 of 1000 cases; 40 has probability < 1e-11.
    assert sum(limit.lack_of_fit < 0.01 for limit in limits) < 40
    wrong = [SizeMean(d, 1 + 5 / np.sqrt(d), 0.001, 200) for d in (64, 128, 256, 512)]
    assert extrapolate(wrong).lack_of_fit < 1e-6
    assert extrapolate(wrong, (0.5,)).lack_of_fit > 0.5


def test_controls_sharpen_without_bias() -> None:
    rng = np.random.default_rng(2)
    x = 5 + rng.standard_normal(500)
    y = 2 * x + 0.1 * rng.standard_normal(500)
    plain, sharp = controlled_mean(1, y), controlled_mean(1, y, {"x": x}, {"x": 5.0})
    assert sharp.stderr < plain.stderr / 10
    # Six standard errors: false alarm 2e-9.
    assert abs(sharp.mean - 10.0) < 6 * sharp.stderr


def test_a_control_with_a_wrong_mean_is_noticed() -> None:
    x = np.random.default_rng(3).standard_normal(400)
    assert control_probability(x, 0.0) > 1e-6
    assert control_probability(x, 1.0) < 1e-12
    assert control_probability(np.full(40, 2.0), 2.0) == 1.0
    assert control_probability(np.full(40, 2.0), 2.1) == 0.0


@pytest.mark.parametrize(
    ("values", "message"),
    [(np.zeros(31), "at least 32"), (np.full(40, np.nan), "finite: 40 are not")],
)
def test_bad_replicates_are_refused(values: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        controlled_mean(10, values)


def test_too_few_sizes_and_bad_orders_are_refused() -> None:
    means = [SizeMean(d, 1.0, 0.1, 40) for d in (10, 20)]
    with pytest.raises(ValueError, match="needs 3 sizes: got 2"):
        extrapolate(means)
    with pytest.raises(ValueError, match="positive and distinct"):
        extrapolate(means, (0.0,))
