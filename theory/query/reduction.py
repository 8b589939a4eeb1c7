"""The objective at finite sizes, reduced to scalar expectations."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.query.model import strength
from theory.query.sums import TokenSum, noise, token_sum, weight
from theory.query.symbols import b, rho
from theory.query.wick import Word, perpendicular_mean

OUTPUT = Word((weight,), (), 0)  # the part of f perpendicular to q


def mean_score() -> sp.Expr:
    """<q, f>: the scores averaged with the softmax weights.

    >>> mean_score()
    rho_q*TokenSum(1, 1, 0) + TokenSum(1, 0, 1)
    """
    return token_sum(weight * (rho * strength + noise))


def conditional_objective() -> sp.Expr:
    """E[|f|^2 given the scores]: exact for every d, L and number of classes (B1).

    |f|^2 = <q, f>^2 + |f perpendicular|^2; the expectation of the second part over what the
    scores do not fix depends on q through rho alone.

    >>> conditional_objective().subs(rho, 1)
    d_q*TokenSum(2, 0, 0) + TokenSum(1, 0, 1)**2 + 2*TokenSum(1, 0, 1)*TokenSum(1, 1, 0)
    + TokenSum(1, 1, 0)**2 - TokenSum(2, 0, 0)
    """
    return sp.expand(mean_score() ** 2 + perpendicular_mean([OUTPUT.dot(OUTPUT)]))


def finite_objective(inverse_temperature: Any = b) -> sp.Expr:
    """J as the expectation of a polynomial in sums of powers of the softmax weights (B1).

    The Gaussian parts of the scores are removed by integration by parts, so J(rho) is the
    expectation of a bounded function of the weights. Exact for every d, L and R.

    Parameters
    ----------
    inverse_temperature : exact, positive

    >>> finite_objective(0)                             # uniform weights: no rho is left
    d_q*TokenSum(2, 0, 0) + TokenSum(1, 1, 0)**2
    """
    return by_parts(conditional_objective(), inverse_temperature)


def by_parts(expr: sp.Expr, inverse_temperature: Any = b) -> sp.Expr:
    """An expression of the same expectation without `noise`.

    E[g_i F] = E[dF/dg_i], with da_j/dg_i = b a_j (1[i = j] - a_i): every sum with a factor g
    is traded for derivatives, which have one factor g less.

    Parameters
    ----------
    expr : polynomial in token sums
    inverse_temperature : exact

    >>> by_parts(TokenSum(1, 0, 1))
    -b_q*TokenSum(2, 0, 0) + b_q
    """
    done, todo = sp.Integer(0), sp.expand(expr)
    while todo != 0:
        left = sp.Integer(0)
        for term in sp.Add.make_args(todo):
            sums = sorted((s for s in term.atoms(TokenSum) if s.args[2] > 0), key=str)
            if sums:
                left += _traded(term / sums[0], sums[0], inverse_temperature)
            else:
                done += term
        todo = sp.expand(left)
    return done


def _traded(rest: sp.Expr, removed: TokenSum, b: Any) -> sp.Expr:
    """E[sum_i a_i^p tau_i^r g_i^e * rest] with one factor g_i traded for a derivative."""
    p, r, e = removed.args
    local = weight**p * strength**r * noise ** (e - 1)
    result = token_sum(_own_slope(local, b)) * rest
    for item in rest.atoms(TokenSum):
        k, q, f = item.args
        inside = weight**k * strength**q * noise**f
        # in direction i: what token i itself adds, less what the normalisation takes away
        added = b * weight * sp.diff(inside, weight) + sp.diff(inside, noise)
        taken = token_sum(b * weight * local) * k * item
        result += _slope(rest, item) * (token_sum(local * added) - taken)
    return sp.expand(result)


def _slope(expr: sp.Expr, item: TokenSum) -> sp.Expr:
    """The derivative of a polynomial in token sums by one of them."""
    free = sp.Dummy()
    return sp.diff(expr.xreplace({item: free}), free).xreplace({free: item})


def _own_slope(local: sp.Expr, b: Any) -> sp.Expr:
    """The derivative of a function of token i alone along its own g_i."""
    return sp.diff(local, weight) * b * weight * (1 - weight) + sp.diff(local, noise)
