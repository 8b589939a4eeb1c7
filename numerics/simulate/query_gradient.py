"""One stochastic gradient of |f_q|^2, from the tokens themselves and exactly in law without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GradientSize:
    """What a gradient depends on besides the query: sizes, strength, inverse temperature."""

    L: int
    R: int
    theta: float
    b: float


@dataclass(frozen=True)
class Draw:
    """Gradients for n queries, each from one fresh sequence of tokens.

    gradient : (n, d), that of |f|^2 in R^d
    squared_output, informative_mass, squared_weights : (n,), |f|^2, A and sum a_i^2
    """

    gradient: Floats
    squared_output: Floats
    informative_mass: Floats
    squared_weights: Floats


def softmax(scores: Floats) -> Floats:
    """Weights exp(s)/sum exp(s) along the last axis; large scores do not overflow.

    >>> softmax(np.array([0.0, 1000.0]))
    array([0., 1.])
    """
    weights: Floats = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def plain_gradient(rng: np.random.Generator, query: Floats, size: GradientSize) -> Draw:
    """The gradient from L x d tokens, as the definition has it; xi is the first axis.

    d a_i/dq = b a_i (x_i - f), so the gradient is 2b sum a_i (<x_i, f> - |f|^2) x_i.
    """
    n, d = query.shape
    gradient, scalars = np.empty((n, d)), np.empty((3, n))
    for row, q in enumerate(query):
        tokens = rng.standard_normal((size.L, d))
        tokens[: size.R, 0] += size.theta
        weights = softmax(size.b * (tokens @ q))
        output = weights @ tokens
        squared = output @ output
        pull = size.b * weights * (tokens @ output - squared)
        gradient[row] = 2 * (pull @ tokens)
        scalars[:, row] = squared, weights[: size.R].sum(), weights @ weights
    return Draw(gradient, *scalars)


def exact_in_law_gradient(rng: np.random.Generator, query: Floats, size: GradientSize) -> Draw:
    """A gradient of the same law in O(L + d): no tokens are drawn.

    Let e = xi - rho q. The part of token i perpendicular to q is theta 1[i <= R] e + z_i.

    1. The scores s_i = theta rho 1[i <= R] + g_i are independent of the z_i, which are
       N(0, I) in the d - 1 dimensions perpendicular to q. They fix a = softmax(b s).
    2. Given s, f = (a.s) q + theta A e + zeta, zeta = sum a_i z_i ~ N(0, |a|^2 I).
    3. Let Z have the rows z_i. Given s and zeta, Z = a zeta^T/|a|^2 + P Z', with P the
       projection off a and Z' an independent copy of Z. Let v be the direction of the
       perpendicular part of f: it is fixed by s and zeta, so P Z'v = r = P g, g ~ N(0, I_L),
       and the scores of the tokens along v are a <zeta, v>/|a|^2 + r.
    4. They fix every <x_i, f>, hence pull_i = b a_i (<x_i, f> - |f|^2). The gradient is
       2 sum pull_i x_i, whose perpendicular random part is Z^T pull =
       (a.pull) zeta/|a|^2 + (pull.r) v + the part of Z'^T P pull perpendicular to v, and this
       last is independent of r: N(0, |P pull|^2 I) in the d - 2 dimensions left.
    """
    n, d = query.shape
    R, theta = size.R, size.theta
    rho = query[:, :1]
    scores = rng.standard_normal((n, size.L))
    scores[:, :R] += theta * rho
    weights = softmax(size.b * scores)
    mass = weights[:, :R].sum(axis=1)[:, None]
    squares = np.vecdot(weights, weights)[:, None]
    mean = np.vecdot(weights, scores)[:, None]

    hidden = -rho * query
    hidden[:, 0] += 1.0
    zeta = _without(rng.standard_normal((n, d)), query)
    zeta *= np.sqrt(squares)
    across = theta * mass * hidden + zeta
    length = np.sqrt(np.vecdot(across, across))[:, None]
    direction = across / length
    share = np.vecdot(zeta, direction)[:, None] / squares

    along = rng.standard_normal((n, size.L))  # becomes the scores of the z_i along direction
    along += (share - np.vecdot(weights, along)[:, None] / squares) * weights
    pull = mean * scores
    pull += length * along
    pull[:, :R] += length * theta * np.vecdot(hidden, direction)[:, None]
    pull -= mean**2 + length**2
    pull *= size.b * weights
    overlap = np.vecdot(weights, pull)[:, None]
    radial = np.vecdot(pull, scores)[:, None]
    informative = pull[:, :R].sum(axis=1)[:, None]
    forward = np.vecdot(pull, along)[:, None] - share * overlap
    pull -= (overlap / squares) * weights
    rest = np.sqrt(np.vecdot(pull, pull))[:, None]

    gradient = _without(_without(rng.standard_normal((n, d)), query), direction)
    gradient *= rest
    gradient += radial * query
    gradient += (theta * informative) * hidden
    gradient += (overlap / squares) * zeta
    gradient += forward * direction
    gradient *= 2
    return Draw(gradient, (mean**2 + length**2)[:, 0], mass[:, 0], squares[:, 0])


def _without(vectors: Floats, axis: Floats) -> Floats:
    """The vectors, in place, less their parts along unit vectors."""
    vectors -= np.vecdot(vectors, axis)[:, None] * axis
    return vectors
