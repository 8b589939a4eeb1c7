"""The token model against its own definition."""

import itertools

import numpy as np
import pytest
from scipy.sparse.linalg import ArpackNoConvergence

from numerics.eigenpairs import top_eigenpairs
from numerics.simulate import signs
from numerics.simulate.pooled import TopOfCovariance, population_covariance
from numerics.simulate.tokens import TokenModel


def _model(**changes: object) -> TokenModel:
    settings = {
        "d": 6, "V": 8, "N": 40, "weights": [0.5, 0.3, 0.2], "signs": signs.prefix(3, 2),
        "mu2": 1.5, "table": "raw",
    }  # fmt: skip
    return TokenModel(**(settings | changes))


@pytest.mark.parametrize("frequencies", [None, [3.0, 1.0]])
@pytest.mark.parametrize("table", ["raw", "centred", "class-centred"])
def test_population_covariance_is_the_sum_over_all_sequences(
    table: str, frequencies: list[float] | None
) -> None:
    model = _model(V=4, table=table, frequencies=frequencies)
    sample = model.sample(np.random.default_rng(5))
    w, half, total = model.weights, model.V // 2, np.zeros((model.d, model.d))
    for first, last in itertools.product((1, -1), repeat=2):
        pattern = (first, first, last)
        columns = [range(half) if sign > 0 else range(half, model.V) for sign in pattern]
        for tokens in itertools.product(*columns):
            c = sample.table[:, list(tokens)] @ w
            chance = np.prod([model.class_chances[v % half] for v in tokens]) / 4
            total += chance * np.outer(c, c)
    np.testing.assert_allclose(population_covariance(model, sample.table), total, atol=1e-12)


@pytest.mark.parametrize("table", ["raw", "centred", "class-centred"])
def test_covariance_given_the_table_is_the_exact_identity(table: str) -> None:
    # E[ccᵀ | E] by summing over every sequence of signs and of tokens, against
    # κ W_c + α hhᵀ + (Σw)² bbᵀ.
    model = _model(V=4, table=table)
    E = model.sample(np.random.default_rng(5)).table
    w, R, half = model.weights, model.signs.correlation, model.V // 2
    total = np.zeros((model.d, model.d))
    for first, last in itertools.product((1, -1), repeat=2):
        pattern = (first, first, last)
        columns = [range(half) if sign > 0 else range(half, model.V) for sign in pattern]
        for tokens in itertools.product(*columns):
            c = E[:, list(tokens)] @ w
            total += np.outer(c, c) / (4 * half**3)
    s = np.repeat([1, -1], half)
    h, b = E @ s / model.V, E.sum(axis=1) / model.V
    rest = E - b[:, None] - np.outer(h, s)
    expected = (w @ w) * rest @ rest.T / model.V + (w @ R @ w) * np.outer(h, h)
    expected += w.sum() ** 2 * np.outer(b, b)
    np.testing.assert_allclose(total, expected, atol=1e-12)


def test_centred_tables_are_centred() -> None:
    rng = np.random.default_rng(0)
    centred = _model(table="centred").sample(rng).table
    np.testing.assert_allclose(centred.sum(axis=1), 0, atol=1e-12)
    classes = _model(table="class-centred").sample(rng)
    for half, sign in ((classes.table[:, :4], 1), (classes.table[:, 4:], -1)):
        mean = sign * np.sqrt(1.5) * classes.direction
        np.testing.assert_allclose(half.mean(axis=1), mean, atol=1e-12)


def test_tokens_come_from_the_class_of_their_sign_and_uniformly() -> None:
    model = _model(N=20_000)
    sample = model.sample(np.random.default_rng(1))
    np.testing.assert_array_equal(sample.tokens < 4, sample.signs > 0)
    counts = np.bincount(sample.tokens.ravel(), minlength=8)
    # 60 000 tokens, 7500 each; the prefix correlation does not touch a single token's law.
    # Six standard deviations of a binomial of twice that spread: false alarm below 1e-8.
    assert np.abs(counts - 7500).max() < 6 * np.sqrt(2 * 7500)


def test_matrix_free_agrees_with_the_matrix() -> None:
    sample = _model(d=160, V=200, N=320).sample(np.random.default_rng(2))
    S, pooled = sample.covariance, sample.pooled
    direct = np.array([sample.table[:, t] @ sample.model.weights for t in sample.tokens])
    np.testing.assert_allclose(pooled, direct, atol=1e-12)
    v = np.random.default_rng(3).standard_normal(160)
    np.testing.assert_allclose(sample.apply_covariance(v), S @ v, atol=1e-12)
    pairs = sample.top_eigenpairs(3)
    np.testing.assert_allclose(pairs.values, np.linalg.eigvalsh(S)[::-1][:3], rtol=1e-9)
    assert not pairs.dense
    assert pairs.residual < 1e-7


def test_small_matrices_are_decomposed_in_full() -> None:
    sample = _model().sample(np.random.default_rng(4))
    pairs = sample.top_eigenpairs(2)
    values, vectors = np.linalg.eigh(sample.covariance)
    np.testing.assert_allclose(pairs.values, values[::-1][:2], rtol=1e-12)
    np.testing.assert_allclose(abs(pairs.vectors), abs(vectors[:, ::-1][:, :2]), atol=1e-10)
    assert not pairs.dense


def test_an_iteration_that_does_not_settle_gives_way_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise ArpackNoConvergence("no convergence", np.empty(0), np.empty(0))

    monkeypatch.setattr("numerics.eigenpairs.eigsh", failing)
    matrix = np.diag(np.arange(200.0))
    pairs = top_eigenpairs(lambda v: matrix @ v, 200, 1, lambda: matrix)
    assert pairs.dense
    assert pairs.values[0] == pytest.approx(199)


@pytest.mark.parametrize("table", ["raw", "centred", "class-centred"])
@pytest.mark.parametrize("frequencies", [None, [6.0] + [1.0] * 11])
def test_controls_have_the_means_they_claim(
    table: str, frequencies: list[float] | None
) -> None:
    model = _model(d=20, V=24, N=50, table=table, frequencies=frequencies)
    rows = [model.sample(np.random.default_rng(i)).controls for i in range(800)]
    for name, mean in model.control_means().items():
        values = np.array([row[name] for row in rows])
        # Six standard errors: false alarm 2e-9 each.
        assert abs(values.mean() - mean) < 6 * values.std() / np.sqrt(800), name


@pytest.mark.parametrize("centred_sample", [False, True])
@pytest.mark.parametrize("table", ["raw", "centred", "class-centred"])
@pytest.mark.parametrize("frequencies", [None, [5, 1, 1, 1]])
def test_the_trace_has_the_mean_it_claims(
    table: str, centred_sample: bool, frequencies: list[int] | None
) -> None:
    model = _model(
        d=8, V=8, N=5, table=table, centred_sample=centred_sample, frequencies=frequencies
    )
    traces = [np.trace(model.sample(np.random.default_rng(i)).covariance) for i in range(3000)]
    # Six standard errors: false alarm 2e-9 each.
    assert abs(np.mean(traces) - model.mean_trace()) < 6 * np.std(traces) / np.sqrt(3000)


def test_a_centred_sample_has_mean_zero_with_and_without_its_matrix() -> None:
    sample = _model(d=30, V=40, N=50, centred_sample=True).sample(np.random.default_rng(3))
    np.testing.assert_allclose(sample.pooled.mean(axis=0), 0, atol=1e-12)
    v = np.random.default_rng(4).standard_normal(30)
    np.testing.assert_allclose(sample.apply_covariance(v), sample.covariance @ v, atol=1e-12)


def test_a_replicate_depends_on_its_generator_alone() -> None:
    from fractions import Fraction

    quarter = (Fraction(1, 4),) * 4
    simulation = TopOfCovariance(
        Fraction(2), Fraction(4), quarter, signs.prefix(4, 2), Fraction(2), "raw"
    )
    first = simulation.draw(40, np.random.default_rng(7))
    np.random.standard_normal(10)  # noqa: NPY002  the global generator must not matter
    assert simulation.draw(40, np.random.default_rng(7)) == first
    assert simulation.draw(40, np.random.default_rng(8)) != first


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d": 0}, "d must be a positive integer: got 0"),
        ({"d": 2.5}, "d must be a positive integer: got 2.5"),
        ({"N": -1}, "N must be a positive integer: got -1"),
        ({"V": 7}, "V must be even, for balanced classes: got 7"),
        ({"mu2": 0.0}, "mu2 must be positive and finite: got 0.0"),
        ({"mu2": float("inf")}, "mu2 must be positive and finite: got inf"),
        ({"mu2": True}, "mu2 must be positive and finite: got True"),
        ({"signs": None}, "signs must be a family of numerics.simulate.signs: got None"),
        ({"centred_sample": "no"}, "centred_sample must be True or False: got 'no'"),
        ({"mu2": "x"}, "mu2 must be positive and finite: got 'x'"),
        ({"weights": []}, r"weights must have shape \(3,\)"),
        ({"weights": [0, 0, 0]}, "weights must not all be 0"),
        ({"weights": [1, float("nan"), 0]}, "weights must be finite: got nan"),
        ({"weights": [1, 2]}, r"weights must have shape \(3,\), one per position: got \(2,\)"),
        ({"frequencies": [1, 2]}, r"frequencies must have shape \(4,\), V/2: got \(2,\)"),
        ({"frequencies": [1, 2, 0, 1]}, "frequencies must be positive and finite: got 0.0"),
        ({"table": "sorted"}, "table must be one of raw, centred, class-centred: got 'sorted'"),
    ],
)
def test_wrong_input_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _model(**changes)
