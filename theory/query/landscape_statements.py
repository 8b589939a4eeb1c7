"""What the derivations say of the landscape, and of where the flow ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import sympy as sp

from theory.algebra import Answer, Finding, Undetermined, is_zero, normal_form
from theory.query import landscape, monotone
from theory.query.basin import trap_probability
from theory.query.model import two_classes
from theory.query.statements import QueryPremise, flow, in_general
from theory.query.symbols import b, boundary, c, rho, share, theta


def monotone_region(premise: QueryPremise) -> tuple[Finding, ...]:
    """J rises on [−1, 1] iff B(−1) ≥ 0, J′ = 2bθm·B: signs of factors (B3)."""
    steps = monotone.monotone_proof(_family(premise).objective)
    return tuple(Finding(step.answer, step.says) for step in steps)


def _family(premise: QueryPremise) -> QueryPremise:
    """The premise with every number free."""
    return replace(premise, share=share, strength=theta, ratio=c, inverse_temperature=b)


def monotone_here(premise: QueryPremise) -> tuple[Finding, ...]:
    """Whether J rises on all of [−1, 1] for these tokens, by the sign of B(−1) (B3)."""
    worst = _worst(premise)
    shown = f"J′/(2bθm) at ρ = −1 is {sp.N(worst, 6)}"
    if worst.is_negative:
        return (Finding(Answer.NO, f"{shown}: negative, J falls there"),)
    if not worst.is_nonnegative:
        return (Finding(Answer.UNKNOWN, f"{shown}: no known sign"),)
    if not _inner_zero_repels(premise):
        return (Finding(Answer.UNKNOWN, f"{shown}: not negative; zeros of J′ are not excluded"),)
    return (Finding(Answer.YES, f"{shown}: not negative, so J rises on [−1, 1]"),)



def monotone_up_to(bound: sp.Rational) -> Callable[[QueryPremise], tuple[Finding, ...]]:
    """The proof that J rises on [−1, 1] at every share where bθ ≤ bound, at the premise's d/L."""

    def monotone_for_weak_signals(premise: QueryPremise) -> tuple[Finding, ...]:
        """B(−1) ≥ 0 at every share of informative tokens, for every strength up to a bound (B3)."""
        room = sp.Symbol("r_q", nonnegative=True)
        weakest = monotone.bracket_at_worst(premise.ratio, premise.inverse_temperature)
        # Every bθ in (0, bound] is bound/(1 + r); the share tends to 0.
        sparse = weakest.subs(monotone.odds, 0)
        sparse = sparse.subs(theta, bound / (1 + room) / premise.inverse_temperature)
        says = f"B(−1) ≥ 0 for the sparsest tokens where bθ ≤ {bound}"
        return (
            *monotone_region(premise),
            Finding(monotone.nonnegative(sparse), says),
        )

    return monotone_for_weak_signals


@in_general
def _worst(premise: QueryPremise) -> sp.Expr:
    """B(−1) for these tokens."""
    whole = sp.diff(premise.objective, rho)
    mass = landscape.informative_mass(premise.model)
    prefactor = 2 * premise.inverse_temperature * premise.strength * mass
    return normal_form(whole / prefactor).subs(rho, -1)


def end_of_flow(premise: QueryPremise) -> sp.Expr:
    """Where the flow goes from a start next to −ξ, by the sign of J′ there (B3, B5)."""
    worst = _worst(premise)
    if worst.is_negative:
        return sp.Integer(-1)
    if not worst.is_positive:
        raise Undetermined("the sign of J′ at −1 is not determined by the premise")
    if not _inner_zero_repels(premise):
        raise Undetermined("an equilibrium between −ξ and ξ is not excluded by the premise")
    return sp.Integer(1)  # a zero that J′ rises through has J′ < 0 before it


def _inner_zero_repels(premise: QueryPremise) -> bool:
    """Whether it is proved that J′ has at most one zero in (−1, 1) and rises through it."""
    own = premise.in_symbols
    point = {share: own.share, theta: own.strength, c: own.ratio, b: own.inverse_temperature}
    signal = bool(sp.sympify(premise.strength).is_positive)
    return signal and monotone.inner_zero_repels(own.objective, _family(own).objective, point)


def critical_share_by_mass(premise: QueryPremise) -> tuple[Finding, ...]:
    """B(−1) = 0 solved for the mass m(−1) has the same critical share, where d/L → 0 (B3)."""
    answer = Answer.YES if _shares_agree() else Answer.UNKNOWN
    return (Finding(answer, "B(−1) = 0 solved for m(−1) gives the same critical share"),)


@lru_cache(maxsize=1)
def _shares_agree() -> bool:
    m = sp.Dummy("m", positive=True)
    mass = landscape.informative_mass(two_classes(inverse_temperature=b)).subs(rho, -1)
    (part,) = sp.solve(mass - m, share)
    worst = normal_form(monotone.bracket(0, b).subs(rho, -1).subs(share, part))
    shares = [part.subs(m, root) for root in sp.roots(sp.Poly(sp.numer(worst), m))]
    known = monotone.critical_share(0, b)
    return any(is_zero(found - known).answer is Answer.YES for found in shares)




def attracting(premise: QueryPremise) -> sp.Expr:
    """|ρ| where the flow can end: at equilibria that attract (B5)."""
    found = flow(premise)
    ends = {abs(sign) for sign in (1, -1) if found.subs(rho, sign) == 0}
    if not (_rate_at_plus(premise).is_positive and len(ends) == 1):
        raise Undetermined("the rates at ±ξ have no known sign")
    if not _inner_zero_repels(premise):
        raise Undetermined("an equilibrium that attracts between −ξ and ξ is not excluded")
    return sp.Integer(ends.pop())


@in_general
def _rate_at_minus(premise: QueryPremise) -> sp.Expr:
    """The rate at which 1 + ρ decays near −ξ."""
    return landscape.rate_at(premise.objective, -1)


@in_general
def _rate_at_plus(premise: QueryPremise) -> sp.Expr:
    """The rate at which 1 − ρ decays near ξ."""
    return landscape.rate_at(premise.objective, 1)


def minus_attracts(premise: QueryPremise) -> tuple[Finding, ...]:
    """Whether −ξ attracts, by the rate there (B5)."""
    rate = _rate_at_minus(premise)
    shown = f"1 + ρ decays near −ξ at the rate {sp.N(rate, 6)}"
    if rate.is_positive:
        return (Finding(Answer.YES, f"{shown}: −ξ attracts"),)
    if rate.is_negative:
        return (Finding(Answer.NO, f"{shown}: −ξ repels"),)
    return (Finding(Answer.UNKNOWN, f"{shown}, of no known sign"),)


def plus_attracts(premise: QueryPremise) -> tuple[Finding, ...]:
    """Whether ξ attracts and −ξ does not (B5)."""
    (minus,) = minus_attracts(premise)
    rate = _rate_at_plus(premise)
    turned = {Answer.YES: Answer.NO, Answer.NO: Answer.YES, Answer.UNKNOWN: Answer.UNKNOWN}
    first = Answer.YES if rate.is_positive else Answer.NO if rate.is_negative else Answer.UNKNOWN
    return (
        Finding(first, f"1 − ρ decays near ξ at the rate {sp.N(rate, 6)}"),
        Finding(turned[minus.answer], minus.reason),
    )


def trap(premise: QueryPremise) -> sp.Expr:
    """The share of the sphere below the trap's boundary, by the law of a coordinate (B5)."""
    return trap_probability(boundary, premise.dimension)
