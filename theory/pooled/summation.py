"""Sums of harmonic numbers: found by telescoping, proved by induction, followed to infinity.

H(x, k) stands for `harmonic(x, k)`, with H(x, k) − H(x − 1, k) = x^(−k) for every real x > 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import sympy as sp

from theory.algebra import Answer, is_zero


def antidifference(summand: sp.Expr, index: sp.Symbol, place: sp.Expr | None = None) -> sp.Expr:
    """F(t) with F(t) − F(t − 1) = summand(t), a polynomial in x, H(x) and H(x, 2).

    The coefficients of an ansatz are solved for: linear equations, without a guess.

    Parameters
    ----------
    summand : polynomial in x, 1/x and harmonic numbers H(x), H(x − 1), H(x, 2), H(x − 1, 2),
        with coefficients free of `index`
    index : the summation index t
    place : x = t + c, at which the harmonic numbers are taken; t by default

    Raises
    ------
    ValueError : the summand has no antidifference of this form.

    >>> t = sp.Symbol("t", integer=True, positive=True)
    >>> antidifference(sp.harmonic(t), t)
    t*harmonic(t) - t + harmonic(t)
    """
    place = index if place is None else place
    x, *numbers = sp.symbols("x h1 h2", cls=sp.Dummy, positive=True)
    numerator, pole = _in_ring(summand, index, place, x, numbers)
    tops = (numerator.degree(x) - pole, numerator.degree(numbers[0]), numerator.degree(numbers[1]))
    ranges = [range(max(top, 0) + extra) for top, extra in zip(tops, (2, 3, 2), strict=True)]
    terms = [x**i * numbers[0] ** j * numbers[1] ** k for i, j, k in product(*ranges)][1:]
    unknowns = sp.symbols(f"c:{len(terms)}", cls=sp.Dummy)
    ansatz = sum((c * term for c, term in zip(unknowns, terms, strict=True)), sp.S.Zero)
    step = {x: x - 1, numbers[0]: numbers[0] - 1 / x, numbers[1]: numbers[1] - x**-2}
    depth = max(pole, ranges[1].stop + 2 * ranges[2].stop)
    change = sp.expand(x**depth * (ansatz - ansatz.subs(step, simultaneous=True)))
    gap = sp.Poly(change, x, *numbers) - numerator * sp.Poly(x ** (depth - pole), x, *numbers)
    solutions = list(sp.linsolve(gap.coeffs(), unknowns))
    if not solutions:
        raise ValueError(f"summand must telescope in harmonic numbers: got {summand}")
    values = solutions[0].subs(dict.fromkeys(unknowns, sp.S.Zero))
    found = ansatz.subs(dict(zip(unknowns, values, strict=True)))
    back = {x: place, numbers[0]: sp.harmonic(place), numbers[1]: sp.harmonic(place, 2)}
    return sp.expand(found.subs(back))


def total(
    summand: sp.Expr,
    index: sp.Symbol,
    first: sp.Expr,
    last: sp.Expr,
    place: sp.Expr | None = None,
) -> sp.Expr:
    """The sum of summand(t) over t = first, …, last, by telescoping; 0 when last = first − 1.

    Parameters and errors as for `antidifference`.

    >>> t, n = sp.symbols("t n", integer=True, positive=True)
    >>> total((sp.harmonic(n) - sp.harmonic(t - 1))**2, t, sp.S.One, n)
    2*n - harmonic(n)
    """
    primitive = antidifference(summand, index, place)
    difference = primitive.subs(index, last) - primitive.subs(index, first - 1)
    return sp.expand(difference)


def follows_by_induction(
    closed: sp.Expr, last: sp.Symbol, summand: sp.Expr, index: sp.Symbol
) -> Answer:
    """Is closed(n) the sum of summand(t) over t = 1..n, for every n ≥ 1?

    The base is closed(1) = summand(1), the step closed(n) − closed(n − 1) = summand(n).
    Nothing here searches: a wrong closed form is answered with NO.

    >>> t, n = sp.symbols("t n", integer=True, positive=True)
    >>> follows_by_induction((n + 1)*sp.harmonic(n) - n, n, sp.harmonic(t), t)
    <Answer.YES: 'yes'>
    """
    base = closed.subs(last, 1) - summand.subs(index, 1)
    step = closed - closed.subs(last, last - 1) - summand.subs(index, last)
    return _all_zero([base, step])


def powers_follow_by_induction(
    closed: Sequence[sp.Expr], last: sp.Symbol, increment: sp.Expr
) -> Answer:
    """Are closed[p](n) the sums of (c_t + … + c_n)^p over t = 1..n, for p = 0, 1, …, together?

    The summand moves with n, so the step is binomial: with c = c_n, the sum of order p at n is
    Σ_q C(p, q) c^(p−q) closed[q](n − 1) + c^p. Each order leans on the lower ones.

    Parameters
    ----------
    closed : closed[p] is the claimed sum of order p, a function of `last`
    last : n
    increment : c_n, a function of `last`

    >>> n = sp.Symbol("n", integer=True, positive=True)
    >>> powers_follow_by_induction([n, n, 2*n - sp.harmonic(n)], n, 1/n)
    <Answer.YES: 'yes'>
    """
    before = [form.subs(last, last - 1) for form in closed]
    gaps = [form.subs(last, 1) - increment.subs(last, 1) ** p for p, form in enumerate(closed)]
    for p, form in enumerate(closed):
        step = sum(
            (sp.binomial(p, q) * increment ** (p - q) * before[q] for q in range(p + 1)),
            increment**p,
        )
        gaps.append(form - step)
    return _all_zero(gaps)


def limit_at_infinity(expr: sp.Expr, large: sp.Symbol) -> sp.Expr:
    """The limit of a rational function of `large` and of harmonic numbers H(c·large + b).

    H(x) = ln x + EulerGamma + O(1/x) and H(x, 2) = π²/6 + O(1/x). Every remainder is carried as a
    bounded unknown over `large`, and the limit is read off the leading coefficients: it is refused
    if an unknown or a logarithm of `large` is left in it. A rate c of unknown sign, as 1 − f,
    is taken to be positive.

    Raises
    ------
    ValueError : the limit is infinite, or not decided by the leading terms.

    >>> T, f = sp.symbols("T f", positive=True)
    >>> limit_at_infinity(sp.harmonic(f*T) - sp.harmonic(T), T)
    log(f)
    """
    log_large = sp.Dummy("log_large", positive=True)
    unknowns: list[sp.Symbol] = []

    def leading(x: sp.Expr, order: sp.Expr = sp.S.One) -> sp.Expr:
        rate = sp.diff(x, large)
        if rate == 0:
            return sp.harmonic(x, order)
        if rate.has(large) or rate.is_positive is False or order not in (1, 2):
            raise ValueError(f"harmonic numbers must be H(c·{large} + b), c > 0: got {x}")
        unknowns.append(sp.Dummy("bounded", real=True))
        main = sp.log(rate) + log_large + sp.EulerGamma if order == 1 else sp.zeta(order)
        return main + unknowns[-1] / large

    top, bottom = sp.fraction(sp.cancel(sp.together(expr.replace(sp.harmonic, leading))))
    over, under = sp.Poly(top, large), sp.Poly(bottom, large)
    if over.degree() < under.degree() and not under.LC().has(*unknowns):
        return sp.S.Zero
    value = sp.cancel(over.LC() / under.LC())
    if over.degree() > under.degree() or value.has(log_large, *unknowns):
        raise ValueError(f"expr must have a finite limit in {large}: got {expr}")
    return value


def _all_zero(gaps: Sequence[sp.Expr]) -> Answer:
    answers = {is_zero(sp.expand_func(sp.expand(gap))).answer for gap in gaps}
    for answer in (Answer.NO, Answer.UNKNOWN):
        if answer in answers:
            return answer
    return Answer.YES


def _in_ring(
    summand: sp.Expr, index: sp.Symbol, place: sp.Expr, x: sp.Symbol, numbers: Sequence[sp.Symbol]
) -> tuple[sp.Poly, int]:
    """P and p with summand = P(x, H(x), H(x, 2))/x^p."""

    def read(argument: sp.Expr, order: sp.Expr = sp.S.One) -> sp.Expr:
        offset = sp.expand(argument - place)
        if order not in (1, 2) or offset not in (0, -1):
            return sp.harmonic(argument, order)
        return numbers[int(order) - 1] + offset * x**-order

    moved = summand.replace(sp.harmonic, read).subs(index, x - (place - index))
    top, bottom = sp.fraction(sp.cancel(moved))
    poles = sp.Poly(bottom, x).terms()
    if len(poles) > 1:
        raise ValueError(f"summand must telescope in harmonic numbers: got {summand}")
    (pole,), scale = poles[0]
    try:
        return sp.Poly(top, x, *numbers) * sp.Poly(1 / scale, x, *numbers), pole
    except sp.PolynomialError as error:
        raise ValueError(f"summand must telescope in harmonic numbers: got {summand}") from error
