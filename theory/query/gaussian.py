"""Gaussian expectations of polynomial times exponential, by completing the square."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.algebra import exact, positive


def gaussian_mean(expr: Any, variable: sp.Symbol, mean: Any = 0, variance: Any = 1) -> sp.Expr:
    """The expectation of an expression in a Gaussian variable.

    E[x^n exp(u x^2 + t x)], x ~ N(mu, v): the exponent joins that of the density, which is
    a Gaussian again, of variance v' = v/(1 - 2uv) and mean v'(mu/v + t); what is left over is
    a constant factor, and E[x^n] follows by integration by parts. Needs 1 - 2uv > 0.

    Parameters
    ----------
    expr : exact; a sum of products of powers of `variable`, exponentials of at most quadratic
        polynomials in it, and factors free of it
    mean, variance : exact; the variance is positive

    Raises
    ------
    ValueError : for another kind of expression, or an expectation that diverges.

    >>> x, t = sp.symbols('x t')
    >>> gaussian_mean(x*sp.exp(t*x), x)
    t*exp(t**2/2)
    >>> gaussian_mean(sp.exp(-x**2/2), x)
    sqrt(2)/2
    """
    mu, v = exact(mean, "mean"), positive(variance, "variance")
    terms = sp.Add.make_args(sp.expand(exact(expr, "expr"), power_exp=False))
    return sp.Add(*(_term_mean(term, variable, mu, v) for term in terms))


def _term_mean(term: sp.Expr, x: sp.Symbol, mu: sp.Expr, v: sp.Expr) -> sp.Expr:
    """The expectation of one product."""
    outside, power, exponent = sp.Integer(1), 0, sp.Integer(0)
    for factor in sp.Mul.make_args(term):
        base, index = factor.as_base_exp()
        if not factor.has(x):
            outside *= factor
        elif base == x and index.is_Integer and index > 0:
            power += int(index)
        elif isinstance(factor, sp.exp) and factor.exp.is_polynomial(x):
            exponent += factor.exp
        else:
            raise ValueError(f"expr must be polynomial times exponential in {x}: got {factor}")
    poly = sp.Poly(exponent, x)
    if poly.degree() > 2:
        raise ValueError(f"exponents must be at most quadratic in {x}: got {exponent}")
    u, t, rest = (poly.coeff_monomial(x**k) for k in (2, 1, 0))
    narrowing = 1 - 2 * u * v
    if narrowing.is_nonpositive:
        raise ValueError(f"the expectation must be finite: got exponent {exponent}")
    variance = v / narrowing
    mean = sp.expand(variance * (mu / v + t))
    completed = sp.expand(rest + mean**2 / (2 * variance) - mu**2 / (2 * v))
    moment = _moment(power, mean, variance)
    return sp.expand(outside * moment) * sp.exp(completed) / sp.sqrt(narrowing)


def _moment(n: int, mean: sp.Expr, variance: sp.Expr) -> sp.Expr:
    """E x^n by parts: E x^n = mean E x^(n-1) + (n-1) variance E x^(n-2)."""
    last, this = sp.Integer(0), sp.Integer(1)
    for k in range(1, n + 1):
        last, this = this, sp.expand(mean * this + (k - 1) * variance * last)
    return this
