"""Causal self-attention on token sequences, against a plain loop and the limiting weights."""

import numpy as np
import pytest

from numerics.pooling import causal_weights
from numerics.simulate import attention
from numerics.simulate.attention import attention_weights, pool


def by_loops(table, tokens, tau: float, mask: str):  # type: ignore[no-untyped-def]
    """The definition, one position at a time."""
    d, T = len(table), tokens.shape[1]
    result = np.zeros(tokens.shape)
    for n, sequence in enumerate(tokens):
        x = table[:, sequence]
        rows = []
        for i in range(T):
            seen = x[:, : i + (mask == "inclusive")]
            if seen.shape[1]:
                raw = np.exp(tau / d * (x[:, i] @ seen))
                rows.append(np.append(raw / raw.sum(), np.zeros(T - len(raw))))
        result[n] = np.mean(rows, axis=0)
    return result


@pytest.mark.parametrize("mask", ["strict", "inclusive"])
@pytest.mark.parametrize("tau", [0.0, 1.5, -2.0])
def test_equals_the_definition(mask: attention.Mask, tau: float) -> None:
    rng = np.random.default_rng(1)
    table, tokens = rng.standard_normal((6, 10)), rng.integers(0, 10, size=(5, 7))
    found = attention_weights(table, tokens, tau, mask)
    assert np.allclose(found, by_loops(table, tokens, tau, mask), atol=1e-14)
    assert np.allclose(found.sum(axis=1), 1)


def test_batches_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    table, tokens = rng.standard_normal((6, 10)), rng.integers(0, 10, size=(11, 7))
    whole = attention_weights(table, tokens)
    monkeypatch.setattr(attention, "_SCORES_AT_ONCE", 2 * 49)
    assert (attention_weights(table, tokens) == whole).all()


def test_scores_that_would_overflow() -> None:
    """Scores up to 10000, in single precision: the softmax is taken against its largest score."""
    table = np.array([[0.0, 50.0, 100.0]], dtype=np.float32)
    found = attention_weights(table, np.array([[0, 1, 2, 2]]), tau=1.0, mask="inclusive")
    assert np.isfinite(found).all()
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize("mask", ["strict", "inclusive"])
def test_mean_weights_approach_the_limit(mask: attention.Mask) -> None:
    """Within 8 standard errors plus the bias, below 0.3/d: a false alarm has probability 10⁻¹³."""
    rng = np.random.default_rng(3)
    d, draws = 200, 2000
    table = rng.standard_normal((d, 4 * d))
    found = attention_weights(table, rng.integers(0, 4 * d, size=(draws, 8)), 1.0, mask)
    gap = np.abs(found.mean(axis=0) - causal_weights(8, mask, 1.0))
    assert (gap <= 8 * found.std(axis=0) / draws**0.5 + 0.3 / d).all()
    if mask == "inclusive":
        # The self-score keeps these away from the harmonic weights.
        assert np.abs(found.mean(axis=0) - causal_weights(8)).max() > 0.05


def test_pooling_by_counts_equals_the_sum() -> None:
    rng = np.random.default_rng(4)
    table, tokens = rng.standard_normal((5, 9)), rng.integers(0, 9, size=(7, 6))
    one, each = rng.standard_normal(6), rng.standard_normal((7, 6))
    assert np.allclose(pool(table, tokens, one), np.einsum("dnt,t->dn", table[:, tokens], one))
    assert np.allclose(pool(table, tokens, each), np.einsum("dnt,nt->dn", table[:, tokens], each))


TABLE, TOKENS = np.eye(3), np.array([[0, 1, 2]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: attention_weights(TABLE, TOKENS, np.inf), ValueError, "tau must be finite"),
        (lambda: attention_weights(TABLE, TOKENS, 800), ValueError, "tau must be finite"),
        (lambda: attention_weights(TABLE, TOKENS, 1, "both"), ValueError, "mask must be"),
        (lambda: attention_weights(TABLE, TOKENS[:, :1]), ValueError, "at least 2 columns"),
        (lambda: attention_weights(TABLE, TOKENS + 1), ValueError, "must lie in 0..V-1=2: got 3"),
        (lambda: attention_weights(TABLE, TOKENS - 1), ValueError, "got -1"),
        (lambda: attention_weights(TABLE, TOKENS / 1), TypeError, "tokens must be integers"),
        (lambda: attention_weights(TABLE * 1e200, TOKENS), ValueError, "at most 1e.140: got 1e"),
        (lambda: attention_weights(TABLE * np.nan, TOKENS), ValueError, "table must be a finite"),
        (lambda: pool(TABLE, TOKENS, np.ones(2)), ValueError, "weights must have shape"),
        (lambda: pool(TABLE, TOKENS, np.full(3, np.nan)), ValueError, "weights must be finite"),
    ],
)
def test_wrong_input(call, error, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=message):
        call()
