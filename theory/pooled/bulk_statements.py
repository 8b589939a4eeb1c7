"""What the derivations say of S's bulk, for a pooled model: the routes of the bulk's claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Answer, Finding, Undetermined, is_zero
from theory.laws.catalogue import marchenko_pastur
from theory.laws.law import SpectralLaw
from theory.laws.partitions import moment_by_partitions
from theory.laws.selection import upper_edge_rule
from theory.pooled import bulk
from theory.pooled.covariance import ONES, SIGNS, population_law, sample_law, token_form
from theory.pooled.model import PooledModel
from theory.pooled.symbols import alpha, delta, gamma, kappa, mu2, weight_sum

z, m = sp.symbols("z m", real=True)

Route = Callable[[PooledModel], sp.Expr]


def bulk_law(model: PooledModel) -> SpectralLaw:
    """The limit law of the bulk of S, a free product where no position keeps a share of the weight.

    Raises Undetermined otherwise: what the counts do there has no rational curve.
    """
    if not model.spread:
        raise Undetermined("at a fixed number of tokens the bulk is no free product")
    return _infinite_vocabulary() if model.long_vocabulary else sample_law()


def _named(name: str, says: str, function: Route) -> Route:
    function.__name__, function.__doc__ = name, says
    return function


def moment(order: int) -> Route:
    """tr Sᵏ/d by Lagrange inversion on the curve of κ·(MP_δ ⊠ MP_γ)."""
    return _named(
        f"moment_{order}", "Lagrange inversion on the curve of the free product.",
        lambda model: bulk_law(model).moment(order),
    )  # fmt: skip


def moment_by_counting(order: int) -> Route:
    """tr Sᵏ/d by counting trees of sequences and tokens, weights spread."""
    return _named(
        f"moment_{order}_by_counting",
        "Trees of sequences and tokens, then free cumulants over non-crossing partitions.",
        lambda model: model.limit(bulk.bulk_moment(order, spread=model.spread)),
    )


def moment_by_cumulants(order: int) -> Route:
    """tr Sᵏ/d from the law's free cumulants over non-crossing partitions (Speicher)."""
    return _named(
        f"moment_{order}_by_cumulants",
        "The law's free cumulants, summed over non-crossing partitions.",
        lambda model: moment_by_partitions(bulk_law(model).free_cumulant, order),
    )


def departure(model: PooledModel) -> sp.Expr:
    """How far a finite vocabulary moves tr S²/d from where an infinite one has it (A9)."""
    return sp.expand(bulk_law(model).moment(2) - _infinite_vocabulary().moment(2))


def departure_by_counting(model: PooledModel) -> sp.Expr:
    """`departure`, by counting trees of sequences and tokens."""
    second = bulk.bulk_moment(2, spread=model.spread)
    return sp.expand(model.limit(second) - second.subs(delta, 0))


def beside_infinite_vocabulary(
    departure: sp.Expr, bindings: Mapping[sp.Symbol, Any]
) -> sp.Expr:
    """tr S²/d, if that is its departure from an infinite vocabulary."""
    return (_infinite_vocabulary().moment(2) + departure).subs(bindings)


def _infinite_vocabulary() -> SpectralLaw:
    """The bulk of independent samples of covariance κ: no table enters."""
    law: SpectralLaw = token_form()["rest"] * marchenko_pastur(gamma)
    return law


@lru_cache(maxsize=4)
def free_factor(model: PooledModel) -> tuple[Finding, ...]:
    """The bulk over that of an infinite vocabulary, as S-transforms: the factor of MP_δ (A9)."""
    factor = bulk_law(model).s_transform(m) / _infinite_vocabulary().s_transform(m)
    test = is_zero(factor - marchenko_pastur(delta).s_transform(m))
    return (Finding(test.answer, "the vocabulary enters as a free factor MP_δ"),)


def curve_polynomial(model: PooledModel) -> sp.Expr:
    """The polynomial of (z, m), m = zG − 1, that the law's curve satisfies."""
    law = bulk_law(model)
    G = sp.Dummy("G")
    polynomial = law.stieltjes_polynomial(z, G).subs(G, (1 + m) / z)
    top = sp.fraction(sp.factor(polynomial))[0]
    (relevant,) = [f for f, _ in sp.factor_list(top, m)[1] if f.has(m) and f.has(z)]
    # Normalised to the coefficient of zm.
    return sp.expand(relevant / sp.Poly(relevant, m, z).coeff_monomial(m * z))


def resolvent_at_minus_kappa(polynomial: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
    """tr (S + κ)⁻¹/d = −G(−κ), from a polynomial in z and m = zG − 1.

    At a negative z a law on [0, ∞) has −1 < m < 0; exactly one root has to be there.
    """
    at_point = sp.together(polynomial.subs(bindings).subs(z, -bindings[kappa]))
    at = sp.Poly(sp.fraction(at_point)[0], m)
    roots = [root for root in at.real_roots() if -1 < root < 0]
    if len(roots) != 1:
        return sp.nan
    return (1 + roots[0]) / bindings[kappa]


def mass_at_zero(model: PooledModel) -> sp.Expr:
    """The mass at 0: of the free product, or for sequences of one token by their counts."""
    return bulk.few_token_mass_at_zero() if model.one_token else bulk_law(model).mass_at_zero()


def fourth_count_moment(model: PooledModel) -> sp.Expr:
    """tr M⁴/V, at the model's number of tokens."""
    return bulk.count_moment(4, spread=model.spread)


def elementary(order: int) -> Route:
    """E e_k(S)/C(d, k) by Cauchy–Binet and the distances of Gaussian columns."""
    return _named(
        f"elementary_{order}", "Cauchy–Binet, and the distances of Gaussian columns.",
        lambda model: bulk.elementary_mean(order, model.table),
    )  # fmt: skip


@lru_cache(maxsize=4)
def shape(model: PooledModel) -> tuple[Finding, ...]:
    """Scale, symmetry and limits of the bulk's curve."""
    law = bulk_law(model)
    z_of_m = law.curve.z
    swapped = z_of_m.subs({delta: gamma, gamma: delta}, simultaneous=True)
    form = token_form()
    questions = {
        "z(m)/κ is free of κ": sp.diff(z_of_m / kappa, kappa),
        "the curve is symmetric in δ and γ": z_of_m - swapped,
        "δ → 0 gives κ·MP_γ": z_of_m.subs(delta, 0) - kappa * marchenko_pastur(gamma).curve.z,
        "γ → 0 gives κ·MP_δ": z_of_m.subs(gamma, 0) - population_law().curve.z,
        "outside h and b the population is κ times a Wishart matrix": form["rest"] - kappa,
    }
    findings = [Finding(is_zero(expr).answer, says) for says, expr in questions.items()]
    bent = is_zero(sp.diff(z_of_m, delta)).answer
    depends = Answer.YES if bent is Answer.NO else Answer.NO
    findings.append(Finding(depends, "the curve depends on δ: the vocabulary is seen"))
    spikes = {ONES, SIGNS} <= form.keys() and not z_of_m.has(alpha, weight_sum, mu2)
    findings.append(
        Finding(Answer.YES if spikes else Answer.NO, "α, Σw and ‖μ‖² enter through spikes only")
    )
    return tuple(findings)


@lru_cache(maxsize=4)
def one_upper_edge(model: PooledModel) -> tuple[Finding, ...]:
    """One positive root of the edge equation for all δ, γ > 0, and with a third factor."""
    third = sp.Symbol("epsilon", positive=True)
    found = []
    for law in (bulk_law(model), bulk_law(model) @ marchenko_pastur(third)):
        rule = upper_edge_rule(law)
        found.append(Finding(Answer.YES if rule.proved else Answer.UNKNOWN, str(rule)))
    return tuple(found)
