"""Where the landscape is strictly monotone, exactly, with a proof by factors of known sign.

J'(rho) = 2 b theta m B(rho), so the sign of J' is the sign of B, the bracket. The steps show
that B has at most one zero in [-1, 1] and rises through it: the landscape is monotone iff
B(-1) >= 0, a quadratic in the share of informative tokens. Otherwise -xi attracts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Answer, at_point, exact, is_zero, normal_form, positive
from theory.query.landscape import informative_mass, objective
from theory.query.model import Tokens, two_classes
from theory.query.symbols import b, c, rho, share, theta

odds = sp.Symbol("omega_q", positive=True)  # share/(1 - share), at share < 1
_lean = sp.Symbol("kappa_q", positive=True)  # |b rho + theta m|
_gain = sp.Symbol("h_q", positive=True)  # exp(-b theta rho) - 1 for rho < 0
_tilt = sp.Symbol("y_q", positive=True)  # exp(b theta rho)
_scale = sp.Symbol("E_q", positive=True)  # exp(b^2)


@dataclass(frozen=True)
class Step:
    """One step of a proof: what it says, the expression whose sign or value says it."""

    says: str
    expression: sp.Expr
    answer: Answer


def positive_by_factors(expr: sp.Expr) -> Answer:
    """Is an expression positive for all values its symbols may take?

    YES: each of its factors has a sign known from the symbols' assumptions alone.
    NO: an exact point was found where it is negative. Otherwise UNKNOWN.

    >>> x, y = sp.symbols('x y', positive=True)
    >>> positive_by_factors(x**2 + x*y), positive_by_factors(x - y)
    (<Answer.YES: 'yes'>, <Answer.NO: 'no'>)
    """
    form = normal_form(expr)
    return _by_factors(form, form.is_positive, form.is_nonpositive)


def nonnegative(expr: sp.Expr) -> Answer:
    """Is an expression never negative: YES and NO as for `positive_by_factors`.

    >>> x = sp.Symbol('x', nonnegative=True)
    >>> nonnegative(x / (1 + x)), nonnegative(x - 1)
    (<Answer.YES: 'yes'>, <Answer.NO: 'no'>)
    """
    form = normal_form(expr)
    return _by_factors(form, form.is_nonnegative, form.is_negative)


def _by_factors(form: sp.Expr, holds: bool | None, fails: bool | None) -> Answer:
    """What the assumptions say of a sign, and NO where a point makes the form negative."""
    if holds:
        return Answer.YES
    if form.free_symbols and is_zero(form, where=[form < 0]).answer is Answer.NO:
        return Answer.NO
    return Answer.NO if fails else Answer.UNKNOWN


def bracket(ratio: Any = 0, inverse_temperature: Any = b) -> sp.Expr:
    """B(rho) = J'(rho)/(2 b theta m(rho)) for tokens with and without signal (B3).

    Parameters
    ----------
    ratio : exact, the limit of d/L, not negative
    inverse_temperature : exact, positive

    >>> bracket(0, 1).subs(share, 1).factor()
    1
    """
    model = two_classes(inverse_temperature=inverse_temperature)
    return _bracket_of(objective(model, ratio), model)


@lru_cache(maxsize=16)
def _bracket_of(landscape: sp.Expr, model: Tokens) -> sp.Expr:
    return normal_form(sp.diff(landscape, rho) / _prefactor(model))


def _prefactor(model: Tokens) -> sp.Expr:
    return 2 * model.inverse_temperature * theta * informative_mass(model)


@lru_cache(maxsize=1)
def _worst() -> sp.Poly:
    """B(-1) (1 + omega e^(-b theta))^2 as a polynomial in the odds omega."""
    worst = bracket(c, b).subs(rho, -1).subs(share, odds / (1 + odds))
    top, _ = sp.fraction(normal_form(worst))
    quadratic = sp.Poly(top, odds)
    # the numerator is determined up to a factor; without noise tokens the bracket is 1
    scale = sp.exp(-2 * b * theta) / quadratic.LC()
    return sp.Poly([normal_form(k * scale) for k in quadratic.all_coeffs()], odds)


def _at(expr: sp.Expr, ratio: Any, inverse_temperature: Any) -> sp.Expr:
    """An expression in c and b at given values."""
    size = exact(ratio, "ratio")
    if size.is_negative:
        raise ValueError(f"ratio must not be negative: got {size}")
    return expr.subs({c: size, b: positive(inverse_temperature, "inverse_temperature")})


def bracket_at_worst(ratio: Any = 0, inverse_temperature: Any = b) -> sp.Expr:
    """B(-1) (1 + omega e^(-b theta))^2: a quadratic in the odds omega = pi/(1 - pi).

    >>> sp.expand(bracket_at_worst(0, 1).subs(odds, 0))
    1 - theta_q
    """
    return _at(_worst().as_expr(), ratio, inverse_temperature)


def critical_share(ratio: Any = 0, inverse_temperature: Any = b) -> sp.Expr:
    """The share of informative tokens from which on the landscape is monotone (B3).

    For b theta <= 1 - c e^(b^2) (1 - e^(-b theta)) it is monotone at every share, and the
    value returned is not positive, or not real. Otherwise it is monotone iff pi >= this value.

    Parameters
    ----------
    ratio : exact, the limit of d/L, not negative
    inverse_temperature : exact, positive

    >>> critical_share(0, 1).subs(theta, 2).evalf(8)
    0.63561094
    """
    square, linear, constant = _worst().all_coeffs()
    # the larger root: the only positive one when the constant is negative
    root = (-linear + sp.sqrt(linear**2 - 4 * square * constant)) / (2 * square)
    return _at(sp.together(root / (1 + root)), ratio, inverse_temperature)


def critical_strength(ratio: Any = 0, inverse_temperature: Any = b) -> sp.Expr:
    """The strength up to which the landscape is monotone however sparse the signal (B3).

    It is 1/b at ratio 0, and smaller for a positive ratio.

    >>> critical_strength(0, 1)
    1
    >>> critical_strength('1/4', 1).evalf(10)
    0.6686435795
    """
    return _at(_sparse_zero(), ratio, inverse_temperature)


@lru_cache(maxsize=1)
def _sparse_zero() -> sp.Expr:
    """The strength at which B(-1) vanishes without informative tokens."""
    roots = [root for root in sp.solve(_worst().coeff_monomial(1), theta) if root != 0]
    if len(roots) != 1:
        raise ValueError(f"the sparse bracket must have one positive zero: got {roots}")
    return roots[0]


def monotone_proof(landscape: sp.Expr | None = None) -> tuple[Step, ...]:
    """The steps that make B(-1) >= 0 the exact condition, each answered by exact algebra.

    Parameters
    ----------
    landscape : J as an expression in rho, share, theta, b and c; that of the model by
        default. Another landscape gets answers of its own.

    Returns the steps; together they prove the claim iff every answer is YES.

    >>> {step.answer for step in monotone_proof()}
    {<Answer.YES: 'yes'>}
    """
    if landscape is None:
        landscape = objective(two_classes(inverse_temperature=b), c)
    return _proof(landscape)


@lru_cache(maxsize=4)
def _proof(climbed: sp.Expr) -> tuple[Step, ...]:
    model = two_classes(inverse_temperature=b)
    whole = _bracket_of(climbed, model)
    same = _zero("J' = 2 b theta m B", sp.diff(climbed, rho) - _prefactor(model) * whole)
    positive = _sign("2 b theta m > 0, so J' has the sign of B", _in_signs(_prefactor(model)))
    return (same, positive, *_shape_steps(whole), *_sparse_steps(whole))


def inner_zero_repels(landscape: sp.Expr, family: sp.Expr, point: Mapping[sp.Symbol, Any]) -> bool:
    """Is it proved that J' has at most one zero in (-1, 1), and rises through it (B3)?

    Either J' > 0 by the assumptions on its symbols, or J is a case of a family for which
    every step of `monotone_proof` holds.

    Parameters
    ----------
    landscape : J
    family : an expression in rho, share, theta, b and c
    point : the values of these symbols at which the family is J; theta positive

    >>> own = objective(two_classes('1/3'))
    >>> family = objective(two_classes(inverse_temperature=b), c)
    >>> inner_zero_repels(own, family, {share: sp.Rational(1, 3), c: 0, b: 1})
    True
    >>> inner_zero_repels(own + rho**2, family, {share: sp.Rational(1, 3), c: 0, b: 1})
    False
    """
    if normal_form(sp.diff(landscape, rho)).is_positive:
        return True
    if is_zero(landscape - at_point(family, point)).answer is not Answer.YES:
        return False
    return all(step.answer is Answer.YES for step in monotone_proof(family))


def _in_signs(expr: sp.Expr, lean: sp.Expr | None = None) -> sp.Expr:
    """An expression in odds and tilt, so that m and 1 - m have a visible sign.

    With `lean`, rho is written as (lean - theta m)/b.
    """
    mass = odds * _tilt / (1 + odds * _tilt)
    opened = sp.expand(expr, power_exp=True).subs(sp.exp(b * rho * theta), _tilt)
    opened = opened.subs(sp.exp(b**2), _scale).subs(share, odds / (1 + odds))
    return normal_form(opened if lean is None else opened.subs(rho, (lean - theta * mass) / b))


def _shape_steps(whole: sp.Expr) -> list[Step]:
    """B rises through its only zero."""
    plain = whole.subs(c, 0)
    pull = normal_form(-sp.diff(whole, c))
    rise, change = sp.diff(plain, rho), sp.diff(pull, rho)
    below = {_tilt: 1 / (1 + _gain)}  # rho < 0
    # where the pull is positive, B = pull (plain/pull - c): the ratio rises with rho
    ratio_rise = rise * pull - plain * change
    return [
        _zero("B is linear in c", sp.diff(whole, c, 2)),
        _sign("without c, B > 0 wherever b rho + theta m >= 0", _in_signs(plain, _lean)),
        _sign("without c, B rises wherever b rho + theta m < 0", _in_signs(rise, -_lean)),
        _sign("c pulls B down for rho < 0", _in_signs(pull).subs(below)),
        _sign("c lifts B for rho > 0", -_in_signs(pull).subs(_tilt, 1 + _gain)),
        _sign("for rho < 0 the pull weakens as rho grows", -_in_signs(change).subs(below)),
        _sign(
            "for rho < 0 and b rho + theta m >= 0 plain/pull rises",
            _in_signs(ratio_rise, _lean).subs(below),
        ),
    ]


def _sparse_steps(whole: sp.Expr) -> list[Step]:
    """B(-1) >= 0 is one threshold in the share."""
    y, slack = sp.Symbol("x_q", positive=True), sp.Symbol("epsilon_q", positive=True)
    room, spare = sp.symbols("r_q zeta_q", nonnegative=True)
    chord = sp.exp(-y) - 1 + y
    worst = whole.subs(rho, -1).subs(share, odds / (1 + odds))
    top, _ = sp.fraction(normal_form(worst))
    quadratic = sp.Poly(top, odds)
    degree = Step("B(-1) = 0 is quadratic in the odds", top, Answer.NO)
    if quadratic.degree() != 2:
        return [degree]
    square, linear, constant = quadratic.all_coeffs()
    tilt = sp.exp(-b * theta)
    scale = tilt**2 / square
    # constant >= 0: with r = 1 - b theta, e^(-b theta) = r + slack, the pull is r - spare
    pull = sp.Symbol("C_q", nonnegative=True)
    reduced = normal_form(linear * scale).subs(c, pull * sp.exp(-(b**2)) / (1 - tilt))
    reduced = sp.expand(normal_form(reduced).subs(sp.exp(-b * theta), room + slack))
    reduced = sp.expand(reduced.subs(b, (1 - room) / theta).subs(pull, room - spare))
    return [
        replace(degree, answer=Answer.YES),
        _sign("the quadratic opens upwards", square),
        _zero("e^-x - 1 + x is 0 at 0", chord.subs(y, 0)),
        _zero("and flat there", sp.diff(chord, y).subs(y, 0)),
        _sign("and convex, so e^-x >= 1 - x", sp.diff(chord, y, 2)),
        _zero(
            "the constant is 1 - b theta - c e^(b^2) (1 - e^(-b theta))",
            normal_form(constant * scale) - (1 - b * theta - c * sp.exp(b**2) * (1 - tilt)),
        ),
        _sign("where the constant is >= 0 the linear coefficient is > 0", reduced),
    ]


def _sign(says: str, expression: sp.Expr) -> Step:
    return Step(says, expression, positive_by_factors(expression))


def _zero(says: str, expression: sp.Expr) -> Step:
    return Step(says, expression, is_zero(expression).answer)
