"""Will the top eigenvector see the signal? Outliers of S at exact numbers, and the least N (A3).

A spike of strength θ is judged by x = θ/κ − δ alone: the threshold is a polynomial in x, and
linear in γ, so that the number of sequences at which it is met has a closed form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Undetermined
from theory.pooled.covariance import CLASS_CENTRED, sample_law, signal
from theory.pooled.model import PooledModel
from theory.pooled.outliers import sample_spike, sample_threshold
from theory.pooled.symbols import delta, gamma, kappa

# The excess x = θ/κ − δ of a spike's strength, and the coordinate of the bulk's curve.
x, m = sp.symbols("x m", real=True)
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
    excess = strength - delta_value
    here = _threshold(delta_value, gamma_value)
    return bool(excess.is_positive) and bool(here.eval(excess).is_positive)


def visible_below(strength: sp.Expr, delta_value: sp.Expr, gamma_value: sp.Expr) -> bool:
    """Does it leave the bulk downwards, into a gap between 0 and the lower edge?

    Such a gap needs an atom at 0 made by the vocabulary, δ > max(1, γ); a strength of 0 makes
    no outlier.
    """
    if not strength.is_positive or not _has_gap(delta_value, gamma_value):
        return False
    excess = strength - delta_value
    here = _threshold(delta_value, gamma_value)
    # Below the smallest root: none is left of x, and the sign there is that of −x³.
    return here.count_roots(None, excess) == 0 and bool(here.eval(excess).is_negative)


def critical_excesses(delta_value: sp.Expr, gamma_value: sp.Expr) -> tuple[sp.Expr, ...]:
    """The x = θ/κ − δ at which an outlier of S appears: above the bulk, and in a gap if any.

    >>> critical_excesses(sp.Rational(1, 4), sp.Rational(1, 4))
    (1/8 + sqrt(33)/8,)
    """
    roots = _threshold(delta_value, gamma_value).real_roots()
    return (roots[-1], roots[0]) if _has_gap(delta_value, gamma_value) else (roots[-1],)


@lru_cache(maxsize=32)
def _threshold(delta_value: sp.Expr, gamma_value: sp.Expr) -> sp.Poly:
    return sp.Poly(sample_threshold(x).subs({delta: delta_value, gamma: gamma_value}), x)


def _has_gap(delta_value: sp.Expr, gamma_value: sp.Expr) -> bool:
    """Whether the vocabulary makes the atom at 0, so that a gap parts it from the bulk."""
    return bool(delta_value > sp.Max(1, gamma_value))


@lru_cache(maxsize=64)
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
    (root,) = sp.solve(sample_threshold(x), gamma)
    return sp.cancel(root).subs({x: strength - delta_value, delta: delta_value})


def threshold_polynomial(model: PooledModel) -> sp.Expr:
    """The polynomial whose outer roots bound the x that S hides: where the overlap vanishes."""
    return sample_threshold(x)


def threshold_polynomial_by_population(model: PooledModel) -> sp.Expr:
    """`threshold_polynomial`, from where the outlier stops moving: dλ/dθ = 0."""
    slope = sp.diff(sample_spike(_strength).location, _strength)
    polynomial = sp.Poly(sp.numer(sp.together(slope)).subs(_strength, kappa * (x + delta)), x)
    (factor,) = (f for f, _ in polynomial.factor_list()[1] if f.degree() == 3)
    return factor.monic().as_expr()


def sample_excess_by_population(model: PooledModel) -> sp.Expr:
    """`outliers.sample_excess`, from where the outlier stops moving: dλ/dθ = 0."""
    polynomial = threshold_polynomial_by_population(model)
    return polynomial.subs(x, signal(model.table).strength / kappa - delta)


def overlap_above(polynomial: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
    """The limit of the top eigenvector's squared overlap with u, for a class-centred table.

    The outlier's if x lies above every root of `polynomial`, otherwise 0.
    """
    strength, roots = _at(polynomial, bindings)
    if not roots:
        return sp.nan
    beyond = strength - bindings[delta] > roots[-1]
    return _overlap(strength, bindings) if beyond else sp.S.Zero


def overlap_below(polynomial: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
    """The same for the eigenvector of the smallest eigenvalue that is not 0.

    The outlier's if the vocabulary leaves a gap, δ > max(1, γ), and x lies below every root of
    `polynomial`, otherwise 0.
    """
    strength, roots = _at(polynomial, bindings)
    if not roots:
        return sp.nan
    gap = _has_gap(bindings[delta], bindings[gamma])
    beyond = strength - bindings[delta] < roots[0]
    return _overlap(strength, bindings) if gap and beyond else sp.S.Zero


def _at(
    polynomial: sp.Expr, bindings: Mapping[sp.Symbol, Any]
) -> tuple[sp.Expr, list[sp.Expr]]:
    """The signal's strength over κ, and the real roots in x, ascending."""
    strength = (signal(CLASS_CENTRED).strength / kappa).subs(bindings)
    return strength, _real_roots(polynomial.subs(bindings), x)


def _real_roots(polynomial: sp.Expr, unknown: sp.Symbol) -> list[sp.Expr]:
    """Ascending; of a fraction, those of its numerator."""
    numerator = sp.Poly(sp.fraction(sp.together(polynomial))[0], unknown)
    return [] if numerator.is_ground else list(numerator.real_roots())


def _overlap(strength: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
    return outlier(strength, bindings[delta], bindings[gamma])[1]


def edge_polynomial(model: PooledModel) -> sp.Expr:
    """The polynomial in m that vanishes where z′(m) does; `lower_edge` reads it.

    Raises Undetermined for a vocabulary shorter than d, where the signal's strength decides what
    lies lowest.
    """
    if model.short_vocabulary:
        raise Undetermined("below the bulk there may be an outlier: see the gap's location")
    return sample_law().edge_equation(m).lhs


def lower_edge(polynomial: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
    """The lower edge of the bulk of S, from the polynomial that z′ vanishes with.

    m is negative there; of the critical values at negative m the largest is the edge, the other
    one is not positive.
    """
    roots = _real_roots(polynomial.subs(bindings), m)
    curve = sample_law().curve.z.subs({s: bindings[s] for s in (delta, gamma, kappa)})
    (parameter,) = curve.free_symbols
    values = [curve.subs(parameter, root) for root in roots if root.is_negative]
    return max(values, default=sp.nan)
