"""What finite steps do: the spread around xi, and the drift they add away from it."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.algebra import exact, normal_form
from theory.query.gradient import limit_radial, limit_squared_length, noise_trace
from theory.query.landscape import drift, objective
from theory.query.model import Tokens
from theory.query.symbols import eta, rho

climb = sp.Symbol("J1_q", positive=True)  # J'(1), the pull towards xi
trace = sp.Symbol("Gamma_q", positive=True)  # trace of the covariance of the tangent gradient
scale = sp.Symbol("c0_q", positive=True)  # steps scale/k^exponent
_k = sp.Symbol("k_q", positive=True, integer=True)


def pull_at_signal(model: Tokens, ratio: Any = 0) -> sp.Expr:
    """J'(1): the rate at which the part of the query perpendicular to xi decays.

    >>> from theory.query.model import two_classes
    >>> pull_at_signal(two_classes(1))
    2*theta_q
    """
    return normal_form(sp.diff(objective(model, ratio), rho).subs(rho, 1))


def noise_at_signal(model: Tokens, ratio: Any) -> sp.Expr:
    """The trace of the covariance of the tangent gradient at xi, L -> oo, d/L -> ratio.

    >>> from theory.query.model import two_classes
    >>> from theory.query.symbols import c, theta
    >>> normal_form(noise_at_signal(two_classes(1), c) / c).subs(c, 0)   # d much below L
    4*E*(2*theta_q**2 + 6*theta_q + 5)
    """
    return sp.factor(normal_form(noise_trace(model, ratio).subs(rho, 1)))


def next_spread(
    spread: Any, step: Any, alignment: Any = 1, pull: Any = climb, noise: Any = trace
) -> sp.Expr:
    """E|u|^2 after one step, to first order in |u|^2 and Gamma; u is perpendicular to xi.

    q becomes (q + h T)/|q + h T|. The mean of T is J'(rho)(xi - rho q), the gradient of J(rho)
    along the sphere; xi has no part in u's directions. The rest of T has mean 0, is independent
    of u, and |T|^2 has the mean Gamma + (1 - rho^2) J'^2. At xi, u is all of q but xi, and the
    misalignment is 1 - rho = |u|^2/2.

    Parameters
    ----------
    spread : |u|^2
    step : h
    alignment, pull, noise : rho, J'(rho) and Gamma there

    >>> w, h = sp.symbols("w h")
    >>> sp.expand(next_spread(w, h) - (1 - h*climb)**2*w - h**2*trace)
    0
    """
    u, small = sp.symbols("u epsilon", positive=True, cls=sp.Dummy)
    moved = u + step * pull * (0 - alignment * u)
    length = small * noise + (1 - sp.sympify(alignment) ** 2) * pull**2
    squared = sp.expand(moved**2).subs(u, sp.sqrt(small * spread))
    after = (squared + step**2 * small * noise) / (1 + step**2 * length)
    return normal_form(sp.diff(after, small).subs(small, 0))


def constant_misalignment(step: Any = eta) -> sp.Expr:
    """1 - rho in the stationary state at constant steps, near xi (B7).

    >>> sp.factor(constant_misalignment())
    -Gamma_q*eta_q/(2*J1_q*(J1_q*eta_q - 2))
    """
    spread = sp.Dummy("v", positive=True)
    (fixed,) = sp.solve(sp.Eq(next_spread(spread, step), spread), spread)
    return fixed / 2


def decaying_misalignment(exponent: Any) -> sp.Expr:
    """(1 - rho_k)/eta_k for k -> oo with steps eta_k = c0 k^-exponent, near xi (B7).

    The spread is C eta_k to leading order; C makes the leading order of the recursion vanish.
    With exponent 1 it needs c0 > 1/(2 J'(1)).

    Parameters
    ----------
    exponent : exact, in (0, 1]

    Raises
    ------
    ValueError : for another exponent.

    >>> decaying_misalignment('1/2')
    Gamma_q/(4*J1_q)
    >>> sp.factor(decaying_misalignment(1))
    Gamma_q*c0_q/(2*(2*J1_q*c0_q - 1))
    """
    power = exact(exponent, "exponent")
    if not (power.is_number and power > 0 and power <= 1):
        raise ValueError(f"exponent must lie in (0, 1]: got {power}")
    constant = sp.Dummy("C")
    now, later = scale * _k**-power, scale * (_k + 1) ** -power
    excess = next_spread(constant * now, now) - constant * later
    x = sp.Dummy("x", positive=True)  # 1/k
    leading = sp.limit(sp.powsimp((excess / now**2).subs(_k, 1 / x)), x, 0, "+")
    (found,) = sp.solve(sp.expand(leading), constant)
    return found / 2


def normalised_change(progress: Any, length: Any, size: Any) -> sp.Expr:
    """The change of rho over h, where q becomes (q + h T)/|q + h T|.

    T is perpendicular to q, <T, xi> the progress and |T|^2 the length. With n = |q + h T| the
    change is (rho + h progress)/n - rho; rho (1 - n) is written as -rho h^2 |T|^2/(1 + n), so
    that no difference of nearly equal numbers is left and h may be 0.

    >>> p, l, h = sp.symbols('p l h', positive=True)
    >>> change = normalised_change(p, l, h)
    >>> normal_form(rho + h*change - (rho + h*p)/sp.sqrt(1 + h**2*l)), change.subs(h, 0)
    (0, p)
    """
    stretched = sp.sqrt(1 + size**2 * length)
    return (progress - rho * size * length / (1 + stretched)) / stretched


def effective_drift(model: Tokens, ratio: Any, step: Any = eta, full: bool = True) -> sp.Expr:
    """The change of rho in one step, over the size of the step, L -> oo, d/L -> ratio (B4, B7).

    At a fixed step both <T, xi> and |T|^2, T the tangent gradient, obey the law of large
    numbers: the recursion itself has a limit, without noise. Its zero near 1 is the alignment
    in the stationary state. With the part r of the gradient along q, q (1 + eta r) + eta T has
    the direction of q + h T at h = eta/(1 + eta r): exactly a shorter step.

    Parameters
    ----------
    model : classes and inverse temperature
    ratio : exact, the limit of d/L, positive
    step : exact, not negative
    full : whether the gradient keeps its part along q

    >>> from theory.query.model import two_classes
    >>> first = effective_drift(two_classes(1), 1, 0)
    >>> sp.factor(first) == sp.factor(drift(objective(two_classes(1), 1)))
    True
    """
    size = exact(ratio, "ratio")
    shortened = 1 / (1 + step * limit_radial(model, size)) if full else sp.Integer(1)
    progress = drift(objective(model, size))
    length = limit_squared_length(model, size)
    return shortened * normalised_change(progress, length, step * shortened)
