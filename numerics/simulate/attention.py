"""Causal self-attention without parameters, on actual token sequences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numerics.pooling import Mask, row_offset, temperature

Array = NDArray[np.float64]

# Scores of this many entries are held at a time (about 64 MB).
_SCORES_AT_ONCE = 2**23
# Scores are sums of products of two entries.
_LARGEST = 1e140


def attention_weights(
    table: Array, tokens: NDArray[np.integer], tau: float = 1.0, mask: Mask = "strict"
) -> Array:
    """The pooling weights that self-attention gives each sequence: the column means of its matrix.

    Row i of the attention matrix is the softmax of (τ/d)⟨x_i, x_j⟩ over j < i (strict) or j ≤ i
    (inclusive). Under a strict mask the first row has nothing to attend to: it is zero, and the
    mean is over the other T − 1 rows. Each row of the result sums to 1.

    Parameters
    ----------
    table : (d, V) embeddings, one per column, entries of size up to 1e140
    tokens : (N, T) token ids, 0 ≤ id < V
    tau : temperature, |tau| ≤ 700
    mask : "strict" (T ≥ 2) or "inclusive"

    Returns
    -------
    (N, T) weights

    Raises
    ------
    ValueError, TypeError : shapes, ids, mask or temperature outside these.

    Source: A6.

    >>> table = np.eye(2)
    >>> attention_weights(table, np.array([[0, 1, 0]]), tau=0.0)
    array([[0.75, 0.25, 0.  ]])
    """
    offset = row_offset(mask)
    _check(table, tokens)
    N, T = tokens.shape
    if offset and T < 2:
        raise ValueError(f"tokens must have at least 2 columns under a strict mask: got {T}")
    largest = float(np.abs(table).max())
    if largest > _LARGEST:
        raise ValueError(f"table must have entries of at most {_LARGEST:g}: got {largest:g}")
    scale = temperature(tau) / table.shape[0]
    used, place = np.unique(tokens, return_inverse=True)
    embedded = np.ascontiguousarray(table[:, used].T, dtype=np.float64)
    place = place.reshape(N, T)
    hidden = np.triu(np.ones((T, T), dtype=bool), k=1 - offset)[offset:]
    weights = np.empty((N, T))
    batch = max(1, _SCORES_AT_ONCE // (T * T))
    for start in range(0, N, batch):
        x = embedded[place[start : start + batch]]
        scores = np.matmul(x[:, offset:], x.transpose(0, 2, 1))
        scores *= scale
        scores[:, hidden] = -np.inf
        scores -= scores.max(axis=2, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=2, keepdims=True)
        weights[start : start + batch] = scores.mean(axis=1)
    return weights


def pool(table: Array, tokens: NDArray[np.integer], weights: Array) -> Array:
    """The pooled features c_n = Σ_t w_t x_t, as columns.

    Parameters
    ----------
    table : (d, V) embeddings, one per column
    tokens : (N, T) token ids
    weights : (T,) for all sequences, or (N, T) for each its own

    Returns
    -------
    (d, N)

    >>> pool(np.eye(2), np.array([[0, 1, 1]]), np.array([0.5, 0.25, 0.25]))
    array([[0.5],
           [0.5]])
    """
    from scipy.sparse import csr_array

    _check(table, tokens)
    if weights.shape not in (tokens.shape, tokens.shape[1:]):
        raise ValueError(
            f"weights must have shape {tokens.shape[1:]} or {tokens.shape}: got {weights.shape}"
        )
    if not np.isfinite(weights).all():
        raise ValueError("weights must be finite: got a value that is not")
    N, T = tokens.shape
    # A sparse token-count matrix: a sequence never costs more than its T tokens.
    counts = csr_array(
        (
            np.broadcast_to(weights, tokens.shape).ravel(),
            tokens.ravel(),
            np.arange(0, N * T + 1, T),
        ),
        shape=(N, table.shape[1]),
    )
    return np.ascontiguousarray((counts @ table.T).T)


def _check(table: Array, tokens: NDArray[np.integer]) -> None:
    if table.ndim != 2 or table.size == 0 or not np.isfinite(table).all():
        raise ValueError(f"table must be a finite (d, V) matrix: got shape {table.shape}")
    if not np.issubdtype(tokens.dtype, np.integer):
        raise TypeError(f"tokens must be integers: got {tokens.dtype}")
    if tokens.ndim != 2 or tokens.size == 0:
        raise ValueError(f"tokens must be a (N, T) matrix: got shape {tokens.shape}")
    if tokens.min() < 0 or tokens.max() >= table.shape[1]:
        worst = tokens.min() if tokens.min() < 0 else tokens.max()
        raise ValueError(f"tokens must lie in 0..V-1={table.shape[1] - 1}: got {worst}")
