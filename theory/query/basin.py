"""The trap around -xi: its boundary, and how likely a random start falls into it."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.algebra import exact
from theory.query.monotone import bracket
from theory.query.symbols import b, boundary, d, rho


def basin_equation(ratio: Any = 0, inverse_temperature: Any = b) -> sp.Equality:
    """The equation of the boundary of the trap around -xi, an unknown rho in (-1, 0) (B3, B5).

    It has one solution where the landscape is not monotone, and none where it is.

    Parameters
    ----------
    ratio : exact, the limit of d/L, not negative
    inverse_temperature : exact, positive

    >>> from sympy import Rational
    >>> from theory.query.symbols import share, theta
    >>> equation = basin_equation(0, 1).subs({theta: 2, share: Rational(1, 21)})
    >>> (equation.lhs.subs(rho, -1).evalf(3), equation.lhs.subs(rho, 0).evalf(3))
    (-0.960, 1.18)
    """
    return sp.Eq(bracket(ratio, inverse_temperature), 0)


def coordinate_density(dimension: Any = d) -> sp.Expr:
    """The density of one coordinate of a uniform unit vector, as a function of `rho`.

    A standard Gaussian vector has a uniform direction. With r its length, its first
    coordinate is r rho and the length of the others r sqrt(1 - rho^2); r is integrated out.

    Parameters
    ----------
    dimension : exact, at least 2; may be a symbol

    Raises
    ------
    ValueError : for a number that is not an integer of at least 2.

    >>> coordinate_density(3)
    1/2
    >>> coordinate_density(2)
    1/(pi*sqrt(1 - rho_q**2))
    """
    n = _dimension(dimension)
    r, w = sp.Dummy("r", positive=True), sp.Dummy("w", positive=True)
    # the length of the other n - 1 coordinates: volume grows like w^(n-2)
    shape = w ** (n - 2) * sp.exp(-(w**2) / 2)
    total = _half_line(shape, w)
    first = sp.exp(-((r * rho) ** 2) / 2) / sp.sqrt(2 * sp.pi)
    rest = sp.sqrt(1 - rho**2)
    jacobian = r / rest
    joint = first * shape.subs(w, r * rest) / total * jacobian
    return sp.gammasimp(sp.powsimp(_half_line(sp.powsimp(sp.expand_power_base(joint)), r)))


def _half_line(integrand: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """The integral of a power of x times a Gaussian, over x > 0."""
    result = sp.integrate(sp.powsimp(sp.expand(integrand)), (x, 0, sp.oo), conds="none")
    return sp.powsimp(result)


def _dimension(value: Any) -> sp.Expr:
    n = exact(value, "dimension")
    if n.is_number and not (n.is_Integer and n >= 2):
        raise ValueError(f"dimension must be an integer of at least 2: got {n}")
    return n


def trap_probability(edge: Any = boundary, dimension: Any = d) -> sp.Expr:
    """The probability that a uniform start lies in [-1, edge) (B5).

    Half of all starts have rho < 0; those between the edge and 0 are not in it.

    Parameters
    ----------
    edge : exact, in [-1, 0]; may be a symbol
    dimension : exact, at least 2; may be a symbol

    >>> trap_probability(sp.Rational(-1, 2), 3)
    1/4
    >>> trap_probability(sp.Rational(-1, 2), 2)
    1/3
    """
    end, n = exact(edge, "edge"), _dimension(dimension)
    if end.is_number and not (end >= -1 and end <= 0):
        raise ValueError(f"edge must lie in [-1, 0]: got {end}")
    return sp.Rational(1, 2) - _between(end, n)


def _between(end: sp.Expr, n: sp.Expr) -> sp.Expr:
    """The probability of a coordinate between `end` and 0."""
    density = coordinate_density(n)
    if n.is_number:  # in the angle, rho = sin(phi), the integrand is a power of a cosine
        phi = sp.Dummy("phi", nonnegative=True)
        integrand = sp.powsimp(density.subs(rho, sp.sin(phi)) * sp.cos(phi))
        cosine = sp.expand(integrand.subs(sp.sin(phi) ** 2, 1 - sp.cos(phi) ** 2))
        return sp.integrate(cosine.replace(sp.Abs, lambda x: x), (phi, 0, sp.asin(-end)))
    exponent = sp.Dummy("p", positive=True)
    power = sp.integrate((1 - rho**2) ** exponent, rho)
    # SymPy marks the sheet of a hypergeometric function; |rho| < 1 is on the first
    within = power.subs(sp.exp_polar(2 * sp.I * sp.pi), 1)
    within = within.subs(exponent, (n - 3) / 2).subs(rho, -end)
    return density.subs(rho, 0) * within
