"""Two-class ridge regression on pooled features: fitted on some sequences, tried on others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.simulate.attention import pool

Array = NDArray[np.float64]
Labels = NDArray[np.int8] | NDArray[np.float64]


class RidgePath:
    """Ridge without intercept, argmin (1/N)‖y − βᵀC‖² + λ‖β‖², for many λ from one factorisation.

    Parameters
    ----------
    features : (d, N), a column per sequence
    labels : (N,) of ±1

    Raises
    ------
    ValueError : shapes that do not fit, labels other than ±1.

    Source: A8.

    >>> path = RidgePath(np.array([[1.0, -1.0]]), np.array([1, -1]))
    >>> path.coefficients([1.0])
    array([[0.5]])
    """

    def __init__(self, features: Array, labels: Labels) -> None:
        if features.ndim != 2 or features.size == 0:
            raise ValueError(f"features must be a (d, N) matrix: got shape {features.shape}")
        _check_labels(labels, features.shape[1])
        d, N = features.shape
        y: Array = np.asarray(labels, dtype=np.float64)
        # The smaller Gram matrix: the left singular vectors are rebuilt from the right ones.
        self._wide = d <= N
        gram = features @ features.T if self._wide else features.T @ features
        self._values, self._vectors = np.linalg.eigh(gram / N)
        # What is 0 but for rounding would be divided by λ alone, however small: it carries nothing.
        null = self._values <= self._values[-1] * np.finfo(float).eps * len(gram)
        self._values[null] = 0.0
        self._features = features
        self._projected = self._vectors.T @ ((features @ y / N) if self._wide else y / N)
        self._projected[null] = 0.0

    def coefficients(self, parameters: ArrayLike) -> Array:
        """β for each λ, shape (d, number of λ)."""
        weights = self._projected[:, None] / (self._values[:, None] + _positive(parameters))
        inner = self._vectors @ weights
        return np.asarray(inner if self._wide else self._features @ inner)

    def accuracies(self, features: Array, labels: Labels, parameters: ArrayLike) -> Array:
        """For each λ the share of sequences whose label is the sign of βᵀc; a 0 counts one half."""
        if features.ndim != 2 or features.shape[0] != self._features.shape[0]:
            raise ValueError(
                f"features must have {self._features.shape[0]} rows: got shape {features.shape}"
            )
        _check_labels(labels, features.shape[1])
        scores = self.coefficients(parameters).T @ features
        agreement = np.sign(scores) * np.asarray(labels, dtype=np.float64)
        return np.asarray((1 + agreement.mean(axis=1)) / 2)


def ridge_accuracies(
    table: Array,
    tokens: NDArray[np.integer],
    labels: Labels,
    weightings: Mapping[str, Array],
    parameters: ArrayLike,
    train: int,
) -> dict[str, Array]:
    """Test accuracy of each weighting at each λ, all on the same sequences.

    The first `train` sequences are fitted, the others tried: independent draws under one table.

    Parameters
    ----------
    table : (d, V) embeddings
    tokens : (N, T) token ids
    labels : (N,) of ±1
    weightings : name → weights, (T,) or (N, T)
    parameters : the λ, positive
    train : how many sequences to fit on, in 1..N-1

    Returns
    -------
    name → (number of λ,) accuracies

    Source: A8.

    >>> tokens = np.array([[0, 0], [1, 1], [0, 1], [1, 0]])
    >>> ridge_accuracies(
    ...     np.eye(2), tokens, np.array([1, -1, 1, -1]), {"first": np.array([1.0, 0.0])}, [0.1], 2
    ... )
    {'first': array([1.])}
    """
    N = len(tokens)
    if isinstance(train, bool) or not isinstance(train, int):
        raise TypeError(f"train must be an integer: got {train!r}")
    if not 1 <= train < N:
        raise ValueError(f"train must lie in 1..N-1={N - 1}: got {train}")
    _check_labels(labels, N)
    found = {}
    for name, weights in weightings.items():
        features = pool(table, tokens, weights)
        path = RidgePath(features[:, :train], labels[:train])
        found[name] = path.accuracies(features[:, train:], labels[train:], parameters)
    return found


def block_labels(signs: NDArray[np.int8], positions: Sequence[int]) -> NDArray[np.int8]:
    """The sign that a block of positions (from 0) shares, one per sequence.

    Raises
    ------
    ValueError : the positions do not share one sign in every sequence.

    >>> block_labels(np.array([[1, 1, -1], [-1, -1, -1]], dtype=np.int8), [0, 1])
    array([ 1, -1], dtype=int8)
    """
    chosen = signs[:, list(positions)]
    if chosen.shape[1] == 0 or (chosen != chosen[:, :1]).any():
        raise ValueError(f"positions must share one sign: got {list(positions)}")
    return chosen[:, 0]


def _check_labels(labels: Labels, N: int) -> None:
    if labels.shape != (N,):
        raise ValueError(f"labels must have shape ({N},): got {labels.shape}")
    if not (np.abs(labels) == 1).all():
        raise ValueError("labels must be +1 or -1: got others")


def _positive(parameters: ArrayLike) -> Array:
    values = np.asarray(parameters, dtype=np.float64)
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"parameters must be a vector: got shape {values.shape}")
    wrong = ~(np.isfinite(values) & (values > 0))
    if wrong.any():
        raise ValueError(f"parameters must be positive: got {values[wrong][0]}")
    return values
