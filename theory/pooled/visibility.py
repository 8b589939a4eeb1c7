"""Will the top eigenvector see the signal? Outliers of S at exact numbers, and the least N (A3).

A spike of strength θ is judged by x = θ/κ − δ alone: the threshold is a polynomial in x, and
linear in γ, so that the number of sequences at which it is met has a closed form.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy as sp

from theory.pooled.covariance import sample_law, signal
from theory.pooled.outliers import PooledModel, sample_spike, sample_threshold
from theory.pooled.symbols import delta, gamma, kappa

_x = sp.Symbol("x", real=True)
_strength = sp.Dummy("strength", positive=True)


@dataclass(frozen=True)
class Bulk:
    """Where the bulk of S lies, in units of κ: the intervals of its support, and its atom at 0."""

    intervals: tuple[tuple[sp.Expr, sp.Expr], ...]

    @property
    def edges(self) -> tuple[sp.Expr, sp.Expr]:
        """The lowest and the highest end point."""
        return self.intervals[0][0], self.intervals[-1][1]


@lru_cache(maxsize=32)
def bulk(delta_value: sp.Expr, gamma_value: sp.Expr) -> Bulk:
    """The bulk of S/κ at exact δ, γ.

    >>> low, high = bulk(sp.Rational(1, 4), sp.Rational(1, 4)).edges
    >>> low.is_positive, high > sp.Rational(9, 4)
    (True, True)
    """
    law = sample_law().subs({delta: delta_value, gamma: gamma_value, kappa: 1})
    return Bulk(law.support())


def visible_above(strength: sp.Expr, delta_value: sp.Expr, gamma_value: sp.Expr) -> bool:
    """Does a spike of this strength over κ leave the bulk of S upwards?

    Its x = θ − δ has to exceed the largest root of the threshold. For x > 0 that is its only
    sign change (Descartes), so the sign of the polynomial decides.
    """
    x = strength - delta_value
    here = sample_threshold(_x).subs({delta: delta_value, gamma: gamma_value})
    return bool(x.is_positive) and bool(here.subs(_x, x).is_positive)


def visible_below(strength: sp.Expr, delta_value: sp.Expr, gamma_value: sp.Expr) -> bool:
    """Does it leave the bulk downwards, into a gap between 0 and the lower edge?

    Such a gap needs an atom at 0 made by the vocabulary, δ > max(1, γ); a strength of 0 makes
    no outlier.
    """
    if not strength.is_positive or not delta_value > sp.Max(1, gamma_value):
        return False
    x = strength - delta_value
    here = sp.Poly(sample_threshold(_x).subs({delta: delta_value, gamma: gamma_value}), _x)
    # Below the smallest root: none is left of x, and the sign there is that of −x³.
    return here.count_roots(None, x) == 0 and bool(here.eval(x).is_negative)


def critical_excesses(delta_value: sp.Expr, gamma_value: sp.Expr) -> tuple[sp.Expr, ...]:
    """The x = θ/κ − δ at which an outlier of S appears: above the bulk, and in a gap if any.

    >>> critical_excesses(sp.Rational(1, 4), sp.Rational(1, 4))
    (1/8 + sqrt(33)/8,)
    """
    here = sp.Poly(sample_threshold(_x).subs({delta: delta_value, gamma: gamma_value}), _x)
    roots = here.real_roots()
    gap = delta_value > sp.Max(1, gamma_value)
    return (roots[-1], roots[0]) if gap else (roots[-1],)


def outlier(
    strength: sp.Expr, delta_value: sp.Expr, gamma_value: sp.Expr
) -> tuple[sp.Expr, sp.Expr]:
    """(location in S/κ, squared overlap with the spike's own direction) of a visible spike."""
    general = sample_spike(_strength * kappa)
    at = {_strength: strength, delta: delta_value, gamma: gamma_value, kappa: sp.S.One}
    return general.location.subs(at), general.overlap.subs(at)


def critical_gamma(strength: sp.Expr, delta_value: sp.Expr) -> sp.Expr:
    """The γ = d/N below which a spike of this strength over κ is above the bulk of S.

    Positive iff the population itself shows it, x > √δ.

    >>> critical_gamma(sp.Integer(2), sp.S.One)
    0
    """
    (root,) = sp.solve(sample_threshold(_x), gamma)
    return sp.cancel(root).subs({_x: strength - delta_value, delta: delta_value})


def sample_excess_by_population(model: PooledModel) -> sp.Expr:
    """`outliers.sample_excess`, from where the outlier stops moving: dλ/dθ = 0."""
    slope = sp.diff(sample_spike(_strength).location, _strength)
    polynomial = sp.Poly(sp.numer(sp.together(slope)).subs(_strength, kappa * (_x + delta)), _x)
    (factor,) = (f for f, _ in polynomial.factor_list()[1] if f.degree() == 3)
    return factor.monic().as_expr().subs(_x, signal(model.table).strength / kappa - delta)
