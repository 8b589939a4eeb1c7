"""Ridge regression on pooled features: the path, the pairing, and the predicted accuracies."""

import numpy as np
import pytest
from numpy.typing import NDArray

from numerics.pooling import causal_weights, mean_weights
from numerics.simulate import signs
from numerics.simulate.classifier import RidgePath, block_labels, ridge_accuracies
from numerics.simulate.families import SignFamily

Drawn = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int8]]


def draw(rng: np.random.Generator, d: int, V: int, N: int, family: SignFamily) -> Drawn:
    """A class-centred table with ‖μ‖² = 1, tokens uniform in the class of their sign, signs."""
    table = rng.standard_normal((d, V))
    mean = np.eye(d)[:, :1]
    table[:, : V // 2] += mean - table[:, : V // 2].mean(axis=1, keepdims=True)
    table[:, V // 2 :] -= mean + table[:, V // 2 :].mean(axis=1, keepdims=True)
    drawn = family.sample(rng, N)
    tokens = rng.integers(0, V // 2, size=drawn.shape) + np.where(drawn > 0, 0, V // 2)
    return table, tokens, drawn


@pytest.mark.parametrize(("d", "N"), [(6, 20), (20, 6), (8, 8)])
def test_path_solves_the_normal_equations(d: int, N: int) -> None:
    rng = np.random.default_rng(0)
    features, labels = rng.standard_normal((d, N)), np.sign(rng.standard_normal(N))
    parameters = [1e-3, 0.5, 40.0]
    path = RidgePath(features, labels)
    for beta, lam in zip(path.coefficients(parameters).T, parameters, strict=True):
        gradient = features @ (features.T @ beta - labels) / N + lam * beta
        assert np.abs(gradient).max() < 1e-12
    alone = path.accuracies(features, labels, [0.5])
    assert path.accuracies(features, labels, parameters)[1] == alone[0]


@pytest.mark.parametrize(("d", "N"), [(30, 100), (100, 30)])
def test_what_has_rank_twelve_has_no_other_coefficients(d: int, N: int) -> None:
    """Against the singular value decomposition: λ far below rounding must not amplify it."""
    rng = np.random.default_rng(0)
    features = rng.standard_normal((d, 12)) @ rng.standard_normal((12, N))
    labels = np.sign(rng.standard_normal(N))
    u, singular, vt = np.linalg.svd(features)
    left, values, right = u[:, :12], singular[:12], vt[:12].T
    parameters = [1e-3, 1e-10, 1e-20]
    found = RidgePath(features, labels).coefficients(parameters)
    for beta, lam in zip(found.T, parameters, strict=True):
        exact = left @ (values * (right.T @ labels) / (values**2 + N * lam))
        assert np.linalg.norm(beta - exact) < 1e-9 * np.linalg.norm(exact)


def test_all_weightings_see_the_same_sequences() -> None:
    rng = np.random.default_rng(1)
    table, tokens, drawn = draw(rng, 20, 40, 60, signs.prefix(4, 2))
    labels = block_labels(drawn, [0, 1])
    w = {"a": mean_weights(4), "b": 2 * mean_weights(4)}
    found = ridge_accuracies(table, tokens, labels, w, [1.0, 4.0], train=30)
    # Twice the weights with four times λ is the same rule.
    assert found["a"][0] == found["b"][1]
    single = ridge_accuracies(table, tokens, labels, {"b": w["b"]}, [4.0], train=30)
    assert single["b"][0] == found["b"][1]


def test_training_sequences_are_not_tried() -> None:
    """With labels that are noise the accuracy is that of a coin; on the fitted ones it is near 1.

    False alarm: 6 standard errors of 2000 tosses, 2·10⁻⁹.
    """
    rng = np.random.default_rng(2)
    table, tokens, _ = draw(rng, 60, 120, 2060, signs.iid(3))
    labels = np.sign(rng.standard_normal(2060))
    found = ridge_accuracies(table, tokens, labels, {"mean": mean_weights(3)}, [1e-6], train=60)
    assert abs(found["mean"][0] - 0.5) < 6 * 0.5 / 2000**0.5


def test_a_zero_score_counts_one_half() -> None:
    path = RidgePath(np.array([[1.0, -1.0]]), np.array([1, -1]))
    assert path.accuracies(np.zeros((1, 4)), np.array([1, -1, 1, 1]), [1.0])[0] == 0.5


def mean_and_error(values: list[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1) / len(values) ** 0.5)


def test_an_unrelated_block_has_the_largest_ratio_and_no_accuracy() -> None:
    """α/κ = 8 against 4, accuracy ½ against 0.986 (limit); false alarm below 10⁻⁵ at 7 errors."""
    family = signs.blocks(32, [range(4), range(8, 16)])
    label, other = np.zeros(32), np.zeros(32)
    label[:4], other[8:16] = 1 / 4, 1 / 8
    seen: dict[str, list[float]] = {"label": [], "other": []}
    for replicate in range(24):
        rng = np.random.default_rng([7, replicate])
        table, tokens, drawn = draw(rng, 100, 200, 700, family)
        found = ridge_accuracies(
            table,
            tokens,
            block_labels(drawn, range(4)),
            {"label": label, "other": other},
            [0.1],
            200,
        )
        for name in seen:
            seen[name].append(found[name][0])
    coin, error = mean_and_error(seen["other"])
    assert abs(coin - 0.5) < 7 * error
    good, _ = mean_and_error(seen["label"])
    assert good == pytest.approx(0.9858, abs=0.02)


def test_optimal_before_causal_before_mean() -> None:
    """Paired on the same sequences at λ = 0.1, ‖μ‖² = 0.3.

    Both paired differences exceed 6 standard errors (Student's t, 15 degrees: 2·10⁻⁵).
    """
    T, L = 32, 8
    weightings = {
        "optimal": np.where(np.arange(T) < L, 1 / L, 0.0),
        "causal": causal_weights(T),
        "mean": mean_weights(T),
    }
    gaps: dict[str, list[float]] = {"optimal-causal": [], "causal-mean": []}
    for replicate in range(16):
        rng = np.random.default_rng([8, replicate])
        table, tokens, drawn = draw(rng, 100, 200, 1200, signs.prefix(T, L))
        table[0] *= 0.55
        labels = block_labels(drawn, range(L))
        found = ridge_accuracies(table, tokens, labels, weightings, [0.1], 200)
        gaps["optimal-causal"].append(found["optimal"][0] - found["causal"][0])
        gaps["causal-mean"].append(found["causal"][0] - found["mean"][0])
    for name, values in gaps.items():
        middle, error = mean_and_error(values)
        assert middle > 6 * error, name


FEATURES, LABELS = np.ones((2, 3)), np.array([1, -1, 1])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: RidgePath(FEATURES, LABELS[:2]), ValueError, "labels must have shape"),
        (lambda: RidgePath(FEATURES, LABELS * 2), ValueError, "labels must be"),
        (lambda: RidgePath(LABELS, LABELS), ValueError, "features must be"),
        (lambda: RidgePath(FEATURES, LABELS).coefficients([0.0]), ValueError, "positive: got 0.0"),
        (lambda: RidgePath(FEATURES, LABELS).coefficients([1, -2]), ValueError, "got -2.0"),
        (lambda: RidgePath(FEATURES, LABELS).coefficients([np.nan]), ValueError, "got nan"),
        (
            lambda: RidgePath(FEATURES, LABELS).accuracies(np.ones((3, 3)), LABELS, [1.0]),
            ValueError,
            "features must have 2 rows",
        ),
        (
            lambda: ridge_accuracies(np.eye(2), np.zeros((3, 2), int), LABELS, {}, [1.0], 3),
            ValueError,
            "train must lie in 1..N-1=2: got 3",
        ),
        (
            lambda: ridge_accuracies(np.eye(2), np.zeros((3, 2), int), LABELS, {}, [1.0], 1.5),
            TypeError,
            "train must be an integer",
        ),
        (lambda: block_labels(np.array([[1, -1]], dtype=np.int8), [0, 1]), ValueError, "share"),
    ],
)
def test_wrong_input(call, error, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=message):
        call()
