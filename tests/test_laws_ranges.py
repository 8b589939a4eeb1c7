"""A law carries the ranges of its symbols: no number outside them gives a law."""

from __future__ import annotations

import pytest
import sympy as sp

from theory import (
    discrete,
    free_poisson,
    inverse_marchenko_pastur,
    marchenko_pastur,
    projection,
    semicircle,
)

mp = marchenko_pastur
p = sp.Symbol("p", positive=True)
x = sp.Symbol("x")


@pytest.mark.parametrize(
    ("law", "value", "message"),
    [
        (projection(p), 2, "rank must be below 1: got 2"),
        (inverse_marchenko_pastur(p), 3, "ratio must be below 1: got 3"),
        (mp(p).inverse(), 3, "without mass at 0: got 2/3"),
        (mp(p).companion(2), "1/4", "mass off 0 must be at most 1: got 2"),
        (mp(1).compress(p), 3, r"fraction must lie in \(0, 1\]: got 3"),
        (discrete({0: p, 1: 1 - p}), 2, "weight must be positive: got -1"),
        (free_poisson(1, {1: p, 2: 1 - p}), 2, "weight must be positive: got -1"),
        # Every operation keeps the ranges of what it is made of.
        (mp(2) @ projection(p), 2, "rank must be below 1"),
        (projection(p) + mp(2), 2, "rank must be below 1"),
        (3 * projection(p), 2, "rank must be below 1"),
        ((projection(p) + 1).compress("1/2"), 2, "rank must be below 1"),
    ],
)
def test_numbers_outside_the_ranges_are_refused(law, value, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        law.subs({p: value})


@pytest.mark.parametrize(
    ("law", "value", "message"),
    [
        (mp(x), -1, "ratio must be positive: got -1"),
        (semicircle(x), -1, "variance must be positive: got -1"),
        (x * mp(1), -1, "factor must be positive: got -1"),
        (discrete({x: 1}), sp.I, "atom must be real: got I"),
        (mp(1) + x, sp.I, "offset must be real: got I"),
    ],
)
def test_symbols_without_assumptions_have_ranges_too(law, value, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        law.subs({x: value})


def test_ranges_survive_a_symbol_in_place_of_another() -> None:
    q = sp.Symbol("q", positive=True)
    law = projection(p).subs({p: q})
    assert law.subs({q: "1/3"}) == projection("1/3")
    with pytest.raises(ValueError, match="rank must be below 1: got 2"):
        law.subs({q: 2})
    assert mp(p).companion(2).subs({p: 3}).mass_at_zero() == sp.Rational(1, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mp("1/2").companion(2), "mass off 0 must be at most 1: got 2"),
        (lambda: semicircle().companion(1), r"law on \[0, ∞\), its lowest point: got -2"),
        (lambda: semicircle().inverse(), "without 0 inside its support"),
        (lambda: mp(1).inverse(), "no moments: its support is unbounded"),
        (lambda: mp(p).inverse().subs({p: 1}).moment(1), "no moments"),
        (lambda: (semicircle("1/100") + discrete({-1: "1/2", 1: "1/2"})).inverse(), "one point"),
    ],
)
def test_laws_that_an_operation_does_not_have(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_an_inverse_over_both_signs() -> None:
    law = discrete({-1: "1/2", 2: "1/2"}).inverse()
    expected = discrete({-1: "1/2", "1/2": "1/2"})
    z, G = sp.symbols("z G")
    assert law.stieltjes_polynomial(z, G) == expected.stieltjes_polynomial(z, G)
    assert [law.moment(n) for n in (1, 2)] == [expected.moment(n) for n in (1, 2)]
