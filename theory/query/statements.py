"""What the derivations say of a softmax query, for a premise: the routes of its claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from typing import Any

import sympy as sp

from theory.algebra import Undetermined, at_point, normal_form
from theory.query import filtering, gradient, landscape
from theory.query.model import Tokens, two_classes
from theory.query.reduction import conditional_objective, mean_score
from theory.query.sums import TokenSum
from theory.query.symbols import L, R, b, c, d, rho, share, start, theta

# Of the softmax weights a and scores s: E(Σ a s)², E(Σ_informative a)², E Σ a².
score_square = sp.Symbol("S2_q", positive=True)
mass_square = sp.Symbol("A2_q", positive=True)
weight_square = sp.Symbol("Q2_q", positive=True)
noise = sp.Symbol("N_q", positive=True)  # number of noise tokens


@dataclass(frozen=True)
class QueryPremise:
    """What a derivation needs to know of a query's tokens, all exact.

    share : of the informative tokens; 1 without noise tokens
    strength : of ξ in them
    ratio : the limit of d/L; 0 for a fixed d
    inverse_temperature : of the softmax
    dimension : where it matters
    sign : of the alignment near which statements about ±ξ are made
    informative : number of informative tokens as a function of `noise`, where the share tends
        to 1
    """

    share: Any = share
    strength: Any = theta
    ratio: Any = 0
    inverse_temperature: Any = b
    dimension: Any = d
    sign: int = 1
    informative: Any = None

    @property
    def model(self) -> Tokens:
        """The tokens."""
        return two_classes(self.share, self.strength, self.inverse_temperature)

    @property
    def objective(self) -> sp.Expr:
        """The limit of J."""
        return landscape.objective(self.model, self.ratio)

    @property
    def numbers(self) -> dict[sp.Symbol, sp.Expr]:
        """Symbol → the number that stands for it; the limits at share 1 and ratio 0 stay."""
        given = {share: self.share, theta: self.strength, c: self.ratio,
                 b: self.inverse_temperature}  # fmt: skip
        given = {symbol: sp.sympify(value) for symbol, value in given.items()}
        kept = {share: sp.Integer(1), c: sp.Integer(0)}
        return {s: v for s, v in given.items() if v.is_number and v != kept.get(s)}

    @property
    def in_symbols(self) -> QueryPremise:
        """The premise with symbols for its numbers."""
        names = {share: "share", theta: "strength", c: "ratio", b: "inverse_temperature"}
        return replace(self, **{names[symbol]: symbol for symbol in self.numbers})


Route = Callable[[QueryPremise], sp.Expr]


def in_general(route: Route) -> Route:
    """Derive once in symbols, then substitute the premise's numbers."""
    derived = lru_cache(maxsize=8)(route)

    @wraps(route)
    def substituted(premise: QueryPremise) -> sp.Expr:
        return at_point(derived(premise.in_symbols), premise.numbers)

    return substituted


# --- objective and flow --------------------------------------------------------------------


def reduced_objective(premise: QueryPremise) -> sp.Expr:
    """Pairing of the tokens' parts perpendicular to the query; every size (B1)."""
    rest = sp.expand(conditional_objective() - mean_score() ** 2)
    return _in_squares(score_square + rest, premise)


def _in_squares(expr: sp.Expr, premise: QueryPremise) -> sp.Expr:
    """Token sums as the symbols of their means; the strength is that of one class."""
    known = {
        TokenSum(1, 1, 0) ** 2: premise.strength**2 * mass_square,
        TokenSum(2, 0, 0): weight_square,
    }
    found = sp.expand(expr).subs(known)
    if found.atoms(TokenSum):
        raise Undetermined(f"no mean is given of {found.atoms(TokenSum)}")
    return found


@in_general
def objective(premise: QueryPremise) -> sp.Expr:
    """The law of large numbers in the reduced objective (B2)."""
    return premise.objective


@in_general
def corrected_objective(premise: QueryPremise) -> sp.Expr:
    """The limit and its 1/L term, by the covariances of averages over tokens (B2)."""
    return premise.objective + landscape.objective_correction(premise.model) / L


@in_general
def slope(premise: QueryPremise) -> sp.Expr:
    """The derivative of the limit of J (B2, B3)."""
    return normal_form(sp.diff(premise.objective, rho))


@in_general
def slope_by_gradient(premise: QueryPremise) -> sp.Expr:
    """The mean of the stochastic gradient along ξ, by pairing (B2, B3)."""
    return normal_form(gradient.limit_progress(premise.model, premise.ratio) / (1 - rho**2))


@in_general
def flow(premise: QueryPremise) -> sp.Expr:
    """Projected ascent of the limit of J (B2, B4)."""
    return landscape.drift(premise.objective)


@in_general
def flow_by_gradient(premise: QueryPremise) -> sp.Expr:
    """The mean of the stochastic gradient, by pairing (B2, B4)."""
    return gradient.limit_progress(premise.model, premise.ratio)


@in_general
def solved_flow(premise: QueryPremise) -> sp.Expr:
    """The flow's solution by separation of variables (B2, B4)."""
    return landscape.solve_flow(flow(premise), start)


# --- filtering ------------------------------------------------------------------------------


def noise_mass_at_signal(premise: QueryPremise) -> sp.Expr:
    """The weight on all noise tokens at ±ξ, L → ∞ (B6)."""
    if premise.informative is None:
        return filtering.noise_mass(premise.model).subs(rho, premise.sign)
    odds = filtering.attention_odds(premise.inverse_temperature)
    counted = odds.subs({L: noise + premise.informative, R: premise.informative})
    mass = (1 / (1 + counted)).subs({rho: premise.sign, theta: premise.strength})
    return sp.limit(mass, noise, sp.oo)


def mass_at_signal(premise: QueryPremise) -> sp.Expr:
    """The weight on the informative tokens at ±ξ, L → ∞ (B6)."""
    return landscape.informative_mass(premise.model).subs(rho, premise.sign)


def mass(premise: QueryPremise) -> sp.Expr:
    """The weight on the informative tokens at alignment ρ, L → ∞ (B6)."""
    return landscape.informative_mass(premise.model)


def single_noise_weight(premise: QueryPremise) -> sp.Expr:
    """L times the mean weight of one noise token, by the law of large numbers (B6)."""
    return filtering.mean_weight(premise.model, 1)
