"""The stochastic gradient of |f_q|^2 along the sphere: its mean and its size.

d a_i/dq = b a_i (x_i - f), so the gradient of |f|^2 for one sequence is
2b sum_i a_i (<x_i, f> - |f|^2) x_i. Its expectations come from pairing the Gaussian parts of
the tokens, not from the objective: a second route to the drift.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Any

import sympy as sp

from theory.algebra import exact, normal_form
from theory.query.model import Tokens, strength
from theory.query.reduction import mean_score
from theory.query.sums import limit_of_sums, noise, weight
from theory.query.symbols import b, rho
from theory.query.wick import Word, hidden, perpendicular_mean

_SCORE = rho * strength + noise


def _tangent_words(inverse_temperature: Any) -> list[Word]:
    """The part perpendicular to q: 2b sum_i a_i (s_i S + x_i.f - S^2 - f.f) x_i."""
    double, mean = 2 * inverse_temperature, mean_score()
    return [
        Word((double * weight * (_SCORE * mean - mean**2),), (), 0),
        Word((double * weight, weight), ((0, 1),), 0),
        Word((-double * weight, weight, weight), ((1, 2),), 0),
    ]


def mean_progress(inverse_temperature: Any = b) -> sp.Expr:
    """E[<gradient, e> given the scores], e the part of xi perpendicular to q: exact.

    Parameters
    ----------
    inverse_temperature : exact, positive

    Returns a polynomial in token sums, d and rho; its expectation is (1 - rho^2) J'(rho).
    """
    words = [word.dot(hidden()) for word in _tangent_words(inverse_temperature)]
    return perpendicular_mean(words)


def squared_length(inverse_temperature: Any = b) -> sp.Expr:
    """E[|tangent gradient|^2 given the scores]: exact, a polynomial in token sums, d and rho."""
    words = _tangent_words(inverse_temperature)
    squares = perpendicular_mean([word.dot(word) for word in words])
    # The scalar product is symmetric.
    products = perpendicular_mean([one.dot(other) for one, other in combinations(words, 2)])
    return sp.expand(squares + 2 * products)


def radial_part(inverse_temperature: Any = b) -> sp.Expr:
    """E[<gradient, q> given the scores]: exact, a polynomial in token sums, d and rho."""
    words = _tangent_words(inverse_temperature)
    scalars = [Word((word.factors[0] * _SCORE, *word.factors[1:]), word.dots) for word in words]
    return perpendicular_mean(scalars)


def limit_progress(model: Tokens, ratio: Any = 0) -> sp.Expr:
    """The drift of rho as the mean of the stochastic gradient, L -> oo, d/L -> ratio.

    >>> from theory.query.model import two_classes
    >>> limit_progress(two_classes(1))                  # dense limit
    -2*theta_q*(rho_q - 1)*(rho_q + 1)
    """
    return normal_form(_limit(mean_progress, model, exact(ratio, "ratio")))


def limit_squared_length(model: Tokens, ratio: Any = 0) -> sp.Expr:
    """E|tangent gradient|^2 at alignment rho, L -> oo, d/L -> ratio."""
    return _limit(squared_length, model, exact(ratio, "ratio"))


def limit_radial(model: Tokens, ratio: Any = 0) -> sp.Expr:
    """The part of the gradient along the query itself, L -> oo, d/L -> ratio."""
    return normal_form(_limit(radial_part, model, exact(ratio, "ratio")))


@lru_cache(maxsize=16)
def _limit(part: Callable[[Any], sp.Expr], model: Tokens, ratio: sp.Expr) -> sp.Expr:
    """The limit of one of the exact conditional expectations above."""
    return limit_of_sums(part(model.inverse_temperature), model, ratio)


def noise_trace(model: Tokens, ratio: Any) -> sp.Expr:
    """The trace of the covariance of the tangent gradient at alignment rho (B4, B7).

    The mean points along e, so its square is (mean progress)^2/(1 - rho^2).

    Parameters
    ----------
    model : classes and inverse temperature
    ratio : exact, the limit of d/L, positive: without it the noise vanishes

    >>> from theory.query.model import two_classes
    >>> from theory.query.symbols import c
    >>> sp.factor(noise_trace(two_classes(1), c).subs(rho, 1).coeff(c, 0))
    0
    """
    mean = limit_progress(model, ratio)
    return limit_squared_length(model, ratio) - mean * sp.cancel(mean / (1 - rho**2))
