"""The limit of the objective, its drift on the sphere, and the flow of the alignment."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import Answer, exact, is_zero, normal_form
from theory.query.model import Tokens
from theory.query.reduction import conditional_objective
from theory.query.sums import correction_of_sums, limit_of_sums
from theory.query.symbols import rho, start, target, time


def objective(model: Tokens, ratio: Any = 0) -> sp.Expr:
    """J(rho) = lim E|f_q|^2 for L -> oo at fixed shares, d/L -> ratio (B2).

    Parameters
    ----------
    model : classes and inverse temperature
    ratio : exact, not negative; 0 also covers a fixed d

    Raises
    ------
    ValueError : for a negative ratio.

    >>> from theory.query.model import two_classes
    >>> objective(two_classes(1))                       # dense limit
    2*rho_q*theta_q + theta_q**2 + 1
    """
    size = exact(ratio, "ratio")
    if size.is_negative:
        raise ValueError(f"ratio must not be negative: got {size}")
    return _objective(model, size)


@lru_cache(maxsize=64)
def _objective(model: Tokens, ratio: sp.Expr) -> sp.Expr:
    return normal_form(limit_of_sums(conditional_objective(), model, ratio))


def objective_correction(model: Tokens, ratio: Any = 0) -> sp.Expr:
    """L (E|f_q|^2 - J) to leading order: the 1/L term, at fixed d or at d = ratio * L (B2).

    With ratio 0 the dimension stays fixed, and the term has a part proportional to d.

    >>> from theory.query.model import two_classes
    >>> objective_correction(two_classes(1))
    E*(d_q - 2*rho_q*theta_q - 1)
    """
    return correction_of_sums(conditional_objective(), model, exact(ratio, "ratio"))


def informative_mass(model: Tokens) -> sp.Expr:
    """The total softmax weight m(rho) on the tokens with signal, L -> oo (B6).

    Those are the tokens of all classes in `Tokens.informative`: of every strength but 0, or of
    the first class where every strength is 0.

    >>> from theory.query.model import two_classes
    >>> informative_mass(two_classes())
    pi_q*exp(rho_q*theta_q)/(pi_q*exp(rho_q*theta_q) - pi_q + 1)
    """
    parts = (part * model.mean_in(power, model.weight) for part, power in model.informative)
    return normal_form(sp.Add(*parts) / model.mean(model.weight))


def drift(landscape: sp.Expr) -> sp.Expr:
    """d rho/dt under projected gradient ascent of an objective that depends on rho alone.

    dq/dt = (I - q q^T) grad J, and grad J = J'(rho) xi up to a multiple of q: what is left
    of xi after the projection has the product 1 - rho^2 with xi.

    >>> from theory.query.symbols import theta
    >>> drift(2*rho*theta)
    2*theta_q*(1 - rho_q**2)
    """
    xi, q = sp.Matrix([1, 0]), sp.Matrix([rho, sp.sqrt(1 - rho**2)])
    velocity = (sp.eye(2) - q * q.T) * xi
    return sp.expand((velocity.T * xi)[0]) * sp.factor(sp.diff(landscape, rho))


def rate_at(landscape: sp.Expr, sign: int) -> sp.Expr:
    """The rate at which 1 - |rho| decays near sign * xi: positive there means stable (B5).

    >>> from theory.query.symbols import theta
    >>> rate_at(2*rho*theta, 1), rate_at(2*rho*theta, -1)
    (4*theta_q, -4*theta_q)
    """
    if sign not in (1, -1):
        raise ValueError(f"sign must be 1 or -1: got {sign}")
    return normal_form(-sp.diff(drift(landscape), rho).subs(rho, sign))


def solve_flow(flow: sp.Expr, begin: Any = start) -> sp.Expr:
    """rho(t) of d rho/dt = flow(rho), rho(0) = begin, by separation of variables.

    The time from `begin` to rho is an integral; where SymPy finds it in closed form and one
    solution takes the value `begin` at t = 0, that solution is returned.

    Raises
    ------
    ValueError : where the integral or its inverse is not found.

    >>> solve_flow(-rho)
    rho0_q*exp(-t_q)
    """
    begin = exact(begin, "begin")
    antiderivative = sp.integrate(1 / flow, rho)
    if antiderivative.has(sp.Integral):
        raise ValueError(f"flow must have an elementary time integral: got {flow}")
    # exponentials of both sides, so that constants like log(-1) cancel
    scale = _log_scale(antiderivative)
    side = sp.powsimp(sp.exp(sp.expand(antiderivative / scale)))
    found = sp.solve(sp.together(side - side.subs(rho, begin) * sp.exp(time / scale)), rho)
    matching = [
        solution
        for solution in found
        if is_zero(solution.subs(time, 0) - begin).answer is Answer.YES
        and is_zero(sp.diff(solution, time) - flow.subs(rho, solution)).answer is not Answer.NO
    ]
    if len(matching) != 1:
        raise ValueError(f"flow must have one solution in closed form: got {len(matching)}")
    return matching[0]


def closed_hitting_time(flow: sp.Expr, begin: Any = start, end: Any = target) -> sp.Expr:
    """The time from one alignment to another, where its integral is one logarithm.

    Raises
    ------
    ValueError : where it is not.

    >>> closed_hitting_time(-rho, 1, sp.Rational(1, 2))
    log(2)
    """
    antiderivative = sp.integrate(1 / flow, rho)
    scale = _log_scale(antiderivative)
    side = sp.powsimp(sp.exp(sp.expand(antiderivative / scale)))
    if side.has(sp.exp, sp.log, sp.Integral):
        raise ValueError(f"flow must have a logarithm as its time integral: got {flow}")
    ratio = side.subs(rho, exact(end, "end")) / side.subs(rho, exact(begin, "begin"))
    if scale.could_extract_minus_sign():
        scale, ratio = -scale, 1 / ratio
    return scale * sp.log(normal_form(ratio))


def _log_scale(antiderivative: sp.Expr) -> sp.Expr:
    """The coefficient of the first logarithm."""
    for term in sp.Add.make_args(sp.expand(antiderivative)):
        if term.has(sp.log):
            return term.as_independent(sp.log)[0]
    return sp.Integer(1)


def hitting_time(flow: sp.Expr, begin: Any = start, end: Any = target) -> sp.Integral:
    """The time the flow takes from one alignment to another, as an integral.

    Its integrand is exact; it is finite iff no equilibrium lies between the two.

    >>> hitting_time(1 - rho, 0, sp.Rational(1, 2)).doit()
    log(2)
    """
    return sp.Integral(1 / flow, (rho, exact(begin, "begin"), exact(end, "end")))
