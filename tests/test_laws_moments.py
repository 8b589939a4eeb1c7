"""Moments and free cumulants by routes that share nothing but the law."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import given, settings

from theory import (
    SpectralLaw,
    discrete,
    free_poisson,
    fuss_catalan,
    inverse_marchenko_pastur,
    marchenko_pastur,
    projection,
    semicircle,
)
from theory.laws.partitions import free_cumulant_by_partitions, moment_by_partitions, non_crossing
from theory.pooled import delta, gamma, kappa
from verify.strategies import laws

mp = marchenko_pastur
LAWS = {
    "two factors": mp(delta) @ mp(gamma),
    "scaled": kappa * mp(gamma),
    "semicircle": semicircle(gamma) + 1,
    "population": discrete({1: "1/2", 10: "1/2"}) @ mp("1/20"),
    "free Poisson": free_poisson("1/2", {1: "1/3", 3: "2/3"}),
    "inverse": inverse_marchenko_pastur("1/3"),
    "corner": projection("1/3").compress("1/2"),
}


def moments_by_polynomial(law: SpectralLaw, most: int) -> list[sp.Expr]:
    """Solve P(z, G) = 0 for G = Σ mₙ z^(−n−1), order by order."""
    z, G, w = sp.symbols("z G w")
    polynomial = sp.Poly(law.stieltjes_polynomial(z, G), z, G)
    unknown = sp.symbols(f"x1:{most + 1}")
    series = w + sum(x * w ** (n + 1) for n, x in enumerate(unknown, 1))
    lift = max(i for i, _ in polynomial.monoms())
    terms = [c * w ** (lift - i) * series**j for (i, j), c in polynomial.terms()]
    residual = sp.expand(sum(terms))
    found: dict[sp.Symbol, sp.Expr] = {}
    for c in sp.Poly(residual, w).all_coeffs()[::-1]:
        c = sp.expand(c.subs(found))
        missing = sorted(c.free_symbols & set(unknown), key=str)
        if len(missing) == 1 and len(found) < most:
            found[missing[0]] = sp.cancel(sp.solve(c, missing[0])[0])
    return [found[x] for x in unknown]


@pytest.mark.parametrize("name", LAWS)
def test_moments_by_three_routes(name: str) -> None:
    law = LAWS[name]
    direct = [law.moment(n) for n in range(1, 5)]
    partitions = [moment_by_partitions(law.free_cumulant, n) for n in range(1, 5)]
    elimination = moments_by_polynomial(law, 4)
    for a, b, c in zip(direct, partitions, elimination, strict=True):
        assert sp.cancel(a - b) == 0
        assert sp.cancel(a - c) == 0


@settings(max_examples=5, deadline=None)
@given(laws())
def test_cumulants_invert_moments(law: SpectralLaw) -> None:
    for n in (2, 4):
        assert free_cumulant_by_partitions(law.moment, n) == law.free_cumulant(n)


def test_known_sequences() -> None:
    assert [len(list(non_crossing(tuple(range(n))))) for n in range(7)] == [1, 1, 2, 5, 14, 42, 132]
    assert [fuss_catalan(3).moment(n) for n in range(1, 6)] == [
        sp.binomial(4 * n, n) / (3 * n + 1) for n in range(1, 6)
    ]
    assert [semicircle().moment(2 * n) for n in range(5)] == [sp.catalan(n) for n in range(5)]
    # Free cumulants of MP_c are c^(n−1); the ratio is rows over samples, so E x² = 1 + c.
    assert [mp(gamma).free_cumulant(n) for n in range(1, 5)] == [gamma**k for k in range(4)]
    assert mp("1/4").moment(2) == sp.Rational(5, 4)


def test_crossing_partitions_are_left_out() -> None:
    found = {tuple(sorted(p)) for p in non_crossing((1, 2, 3, 4))}
    assert ((1, 3), (2, 4)) not in found
    assert ((1, 4), (2, 3)) in found


def test_cumulants_of_sums_add_and_transforms_of_products_multiply() -> None:
    m = sp.Symbol("m")
    a, b = mp(delta), semicircle(gamma)
    total = a + b
    for n in range(1, 5):
        assert sp.expand(total.free_cumulant(n) - a.free_cumulant(n) - b.free_cumulant(n)) == 0
    product = mp(delta) @ inverse_marchenko_pastur("1/2")
    factors = mp(delta).s_transform(m) * inverse_marchenko_pastur("1/2").s_transform(m)
    assert sp.cancel(product.s_transform(m) - factors) == 0


def test_compression_rescales_cumulants() -> None:
    p = sp.Rational(2, 5)
    law = discrete({1: "1/2", 3: "1/2"})
    for n in range(1, 5):
        assert law.compress(p).free_cumulant(n) == p ** (n - 1) * law.free_cumulant(n)


@pytest.mark.parametrize("order", [-1, 1.0, True, "2"])
def test_orders_are_checked(order) -> None:
    with pytest.raises(ValueError, match="n must be an integer"):
        mp(2).moment(order)
