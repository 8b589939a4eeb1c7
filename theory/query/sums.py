"""Sums over tokens of powers of the softmax weights: the scalars everything reduces to."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.algebra import normal_form
from theory.query.model import Tokens, score, strength
from theory.query.symbols import L, d, rho

weight = sp.Symbol("a_q", positive=True)  # softmax weight of one token
noise = sp.Symbol("g_q", real=True)  # Gaussian part of its score: s = strength * rho + g


class TokenSum(sp.Function):  # type: ignore[misc]
    """TokenSum(p, r, e): the sum over tokens i of a_i^p tau_i^r g_i^e.

    a are the softmax weights, tau the strengths, g the Gaussian parts of the scores.

    >>> TokenSum(1, 0, 0), TokenSum(2, 1, 0)
    (1, TokenSum(2, 1, 0))
    """

    nargs = 3

    @classmethod
    def eval(cls, p: sp.Integer, r: sp.Integer, e: sp.Integer) -> sp.Expr | None:
        """Softmax weights sum to 1."""
        return sp.Integer(1) if (p, r, e) == (1, 0, 0) else None


def token_sum(expr: Any) -> sp.Expr:
    """The sum over tokens of a polynomial in `weight`, `strength` and `noise`.

    >>> token_sum(weight*(strength + noise) - 2*weight)
    TokenSum(1, 0, 1) + TokenSum(1, 1, 0) - 2
    """
    poly = sp.Poly(sp.sympify(expr), weight, strength, noise)
    return sp.expand(sp.Add(*(factor * TokenSum(*powers) for powers, factor in poly.terms())))


def _mean_of_powers(model: Tokens, powers: tuple[Any, ...]) -> sp.Expr:
    """E[w^p tau^r g^e] of a token picked at random, w its weight before normalisation."""
    p, r, e = powers
    return model.mean(model.weight**p * strength**r * (score - strength * rho) ** e)


def _in_averages(
    expr: sp.Expr,
) -> tuple[sp.Expr, sp.Symbol, dict[sp.Symbol, tuple[int, ...]]]:
    """Each token sum as L^(1-p) v/u^p, u and v averages over tokens of w and w^p tau^r g^e."""
    u = sp.Dummy("u", positive=True)
    averages, found = {}, {}
    for item in sorted(expr.atoms(TokenSum), key=str):
        powers = tuple(int(k) for k in item.args)
        v = sp.Dummy("v" + "_".join(map(str, powers)), real=True)
        averages[v] = powers
        found[item] = L ** (1 - powers[0]) * v / u ** powers[0]
    return expr.xreplace(found), u, averages


def limit_of_sums(expr: sp.Expr, model: Tokens, ratio: Any = 0) -> sp.Expr:
    """The limit for L -> oo, d/L -> ratio, of an expression in token sums and d.

    By the law of large numbers a sum of a_i^p h_i is L^(1-p) E[w^p h]/E[w]^p, w = exp(b s).

    Parameters
    ----------
    expr : polynomial in token sums, `d` and symbols that do not depend on the sizes
    model : classes and inverse temperature
    ratio : exact, the limit of d/L; not negative

    >>> from theory.query.model import two_classes
    >>> from theory.query.symbols import c
    >>> limit_of_sums(d*TokenSum(2, 0, 0), two_classes(1), c)
    E*c_q
    """
    scaled, u, averages = _in_averages(expr)
    leading = _order(scaled, ratio, 0).subs(u, 1)
    total = model.mean(model.weight)
    return leading.subs(
        {
            v: normal_form(_mean_of_powers(model, powers) / total ** powers[0])
            for v, powers in averages.items()
        }
    )


def _order(expr: sp.Expr, ratio: Any, order: int) -> sp.Expr:
    """The coefficient of L^-order when d = ratio * L; with ratio 0, d stays as it is."""
    sized = sp.expand(expr.subs(d, ratio * L) if ratio != 0 else expr)
    powers = sp.collect(sized, L, evaluate=False)
    growing = [p for p in powers if p.as_base_exp()[0] == L and p.as_base_exp()[1] > 0]
    if growing:
        raise ValueError(f"expr must have a limit as L grows: got a term in {growing[0]}")
    return powers.get(L ** (-order), sp.Integer(0))


def correction_of_sums(expr: sp.Expr, model: Tokens, ratio: Any = 0) -> sp.Expr:
    """The term of order 1/L in the expectation of an expression in token sums.

    The averages u of the L tokens (fixed numbers of each class) have exactly known means and
    covariances of order 1/L; E F(u) = F(mean) + tr(F'' covariance)/2 + O(1/L^2). With ratio 0
    the dimension stays fixed and appears in the result; otherwise d = ratio * L.
    """
    scaled, u, averages = _in_averages(expr)
    averages[u] = (1, 0, 0)
    means = {v: _mean_of_powers(model, powers) for v, powers in averages.items()}
    leading = _order(scaled, ratio, 0)
    result = _order(scaled, ratio, 1).subs(means)
    for v, first in averages.items():
        for other, second in averages.items():
            curvature = sp.diff(leading, v, other)
            if curvature != 0:
                result += curvature.subs(means) * _covariance(model, first, second) / 2
    return normal_form(result)


def _covariance(model: Tokens, first: tuple[int, ...], second: tuple[int, ...]) -> sp.Expr:
    """L times the covariance of two averages: the covariance within the classes."""
    total = sp.Integer(0)
    for part, value in model.classes:
        one = Tokens(((1, value),), model.inverse_temperature)
        joint = tuple(i + j for i, j in zip(first, second, strict=True))
        product = _mean_of_powers(one, first) * _mean_of_powers(one, second)
        total += part * (_mean_of_powers(one, joint) - product)
    return total
