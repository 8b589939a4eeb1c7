"""Density, cdf, quantile and Stieltjes transform at inputs that are easy to get wrong."""

from __future__ import annotations

import threading
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest
import sympy as sp

from numerics import cdf, density, edges, evaluate, quantile, stieltjes
from numerics.spectrum import _interpolant
from theory import discrete, marchenko_pastur, projection, semicircle
from theory.pooled import delta

mp = marchenko_pastur
HALF = mp("1/2")
PAIR = mp("1/2") @ mp("1/4")
TRIPLE_TIE = mp(1) @ mp(1)
TWO = discrete({1: "1/2", 10: "1/2"}) @ mp("1/20")
CUSP = semicircle() + discrete({-1: "1/2", 1: "1/2"})


@pytest.mark.parametrize(
    ("law", "z", "value"),
    [
        (HALF, -1, -0.561552812809),
        (HALF, 0.5 + 0.1j, -0.159512857784 - 1.787806109040j),
        (HALF, 4, 0.359611796798),
        (PAIR, 4, 0.398136402105867),
        (PAIR, 8, 0.145480794912081),
        (TRIPLE_TIE, 8, (5**0.5 - 1) / 8),
    ],
)
def test_stieltjes_on_the_physical_sheet(law, z: complex, value: complex) -> None:
    assert stieltjes(law, z) == pytest.approx(value, rel=5e-12)
    assert stieltjes(law, np.conj(z)) == pytest.approx(np.conj(value), rel=5e-12)


def test_stieltjes_near_the_edge_of_a_triple_tie() -> None:
    value = stieltjes(TRIPLE_TIE, sp.Rational(27, 4) + sp.Rational(1, 10**20), dps=12)
    assert abs(value - sp.Rational(2, 9)) < sp.Float("1e-9")


@pytest.mark.parametrize("z", [1, "1"])
def test_stieltjes_refuses_the_support(z) -> None:
    with pytest.raises(ValueError, match="off the support"):
        stieltjes(PAIR, z, dps=10 if isinstance(z, str) else None)


def test_stieltjes_refuses_atoms_and_infinity() -> None:
    with pytest.raises(ValueError, match="off the support: got the atom"):
        stieltjes(mp(2), 0)
    with pytest.raises(ValueError, match="finite"):
        stieltjes(mp(2), complex("nan"))


def test_density_is_zero_outside_and_at_soft_edges() -> None:
    low, high = edges(HALF)
    x = [0, low, low - 1e-3, high, high + 1e-3, -np.inf, np.inf, 1]
    expected = [0, 0, 0, 0, 0, 0, 0, 0.421084399347792]
    assert density(HALF, x) == pytest.approx(expected, rel=1e-14)


def test_density_of_three_factors_outside_their_support() -> None:
    law = PAIR @ mp("1/5")
    assert edges(law) == pytest.approx([0.0407605, 4.3810392], rel=2e-6)
    assert (density(law, [-0.02, 0.012]) == 0).all()
    assert (cdf(law, [-0.02, 0.012]) == 0).all()
    assert cdf(law, 4.4) == 1


def test_hard_edges_diverge_like_their_power() -> None:
    x = np.array([1e-300, 1e-200, 1e-100])
    assert density(TRIPLE_TIE, 0) == np.inf
    ratio = density(TRIPLE_TIE, x) * np.cbrt(x) ** 2
    assert ratio == pytest.approx(np.full(3, np.sqrt(3) / (2 * np.pi)), rel=1e-14)
    assert density(mp(1), x) * np.sqrt(x) == pytest.approx(np.full(3, 1 / np.pi), rel=1e-14)
    # Beside an atom the density is the same power, down to where the atom is 10^40 times as high.
    tie = density(mp(2) @ mp(2), x) * np.sqrt(x)
    assert tie == pytest.approx(np.full(3, tie[0]), rel=1e-14)
    assert density(TRIPLE_TIE, 5e-324) > 1e200
    assert density(TRIPLE_TIE, 27 / 4) == 0


def moment_by_gauss(law, n: int) -> float:
    """∫ xⁿ f over each half of the support, with the edge's root taken out by x − edge = s³."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    total = 0.0
    ends = edges(law)
    for low, high in zip(ends[::2], ends[1::2], strict=True):
        for corner, direction in ((low, 1), (high, -1)):
            top = np.cbrt((high - low) / 2)
            s, w = (nodes + 1) * top / 2, weights * top / 2
            x = corner + direction * s**3
            total += float(np.sum(w * 3 * s**2 * x**n * density(law, x)))
    return total


def test_rational_edges_are_recognised_at_any_precision() -> None:
    law = mp("1/9")
    assert [float(density(law, x, dps=20)) for x in ("4/9", "16/9")] == [0, 0]
    assert [float(cdf(law, x, dps=20)) for x in ("4/9", "16/9")] == [0, 1]
    assert density(TRIPLE_TIE, 0, dps=10) == sp.oo
    assert float(density(CUSP, 0, dps=10)) == 0
    with pytest.raises(ValueError, match="off the support"):
        stieltjes(law, "4/9", dps=20)


def test_a_few_doubles_from_an_edge() -> None:
    for edge, direction in zip(edges(PAIR), (1, -1), strict=True):
        x = edge + direction * np.spacing(edge) * np.array([2, 5, 40])
        for value, found in zip(x, density(PAIR, x), strict=True):
            exact = density(PAIR, Fraction(float(value)), dps=30)
            assert abs(found / float(exact) - 1) < 1e-14


def test_the_gap_has_one_falling_branch() -> None:
    # Inside the gap lies the point at which the coordinate of the curve is infinite.
    _, low, high, _ = edges(TWO)
    G = stieltjes(TWO, np.linspace(low, high, 203)[1:-1])
    assert (G.imag == 0).all()
    assert (np.diff(G.real) < 0).all()


@pytest.mark.parametrize(
    ("law", "moments"),
    [(TRIPLE_TIE, {0: 1, 3: 12}), (PAIR, {0: 1, 1: 1, 2: 1.75}), (TWO, {0: 1, 1: 5.5})],
)
def test_density_integrates_to_the_moments(law, moments: dict[int, float]) -> None:
    for n, value in moments.items():
        assert moment_by_gauss(law, n) == pytest.approx(value, rel=1e-9)
        assert float(law.moment(n)) == value


def test_atoms_enter_the_cdf_at_their_place() -> None:
    assert cdf(mp(2), [-1e-300, -0.0, 0, 5]).tolist()[:3] == [0, 0.5, 0.5]
    assert cdf(mp(2) @ mp(4), [-1, 0]).tolist() == pytest.approx([0, 0.75])
    two_atoms = discrete({-1: "1/4", 2: "3/4"})
    assert cdf(two_atoms, [-2, -1, 0, 2, 3]).tolist() == [0, 0.25, 0.25, 1, 1]
    assert quantile(two_atoms, [0, 0.25, 0.26, 1]).tolist() == [-1, -1, 2, 2]
    assert (density(two_atoms, [-1, 0, 2]) == 0).all()
    corner = projection("1/3").compress("3/4")
    assert cdf(corner, 1) == 1
    assert cdf(corner, np.nextafter(1, 0)) == pytest.approx(1 - 1 / 9)


def test_two_intervals_share_the_mass() -> None:
    low, first, second, high = edges(TWO)
    assert [low, first, second, high] == pytest.approx(
        [0.68582590, 1.3084416, 7.1160922, 13.439640], rel=1e-6
    )
    assert cdf(TWO, [first, 4, second]).tolist() == pytest.approx([0.5] * 3, abs=1e-15)
    assert quantile(TWO, [0, 0.5, 0.5000001, 1]) == pytest.approx([low, first, second, high], 1e-3)
    assert quantile(TWO, "1/2", dps=20) == edges(TWO, dps=20)[1]


def test_a_cusp_is_a_zero_inside() -> None:
    x = np.array([-1e-9, 0, 1e-9])
    f = density(CUSP, x)
    assert f[1] == 0
    # u³ = −x near the cusp, so G ~ −u and f = (√3/2π) x^{1/3}.
    assert f[[0, 2]] == pytest.approx([np.sqrt(3) / (2 * np.pi) * 1e-3] * 2, rel=1e-5)
    assert str(cdf(CUSP, "0", dps=20)) == "0.50000000000000000000"


def test_subnormal_ratios() -> None:
    tiny = sp.Rational(1, 10**310)
    law = mp(tiny) @ HALF
    assert density(law, [0.5, 1]) == pytest.approx(density(HALF, [0.5, 1]), rel=1e-14)


@pytest.mark.slow
def test_a_law_narrower_than_a_double() -> None:
    law = mp(sp.Rational(1, 10**310))
    assert edges(law) == (1.0, 1.0)
    assert density(law, [0.9, 1, 1.1]) == pytest.approx([0, 1e155 / np.pi, 0], rel=1e-13)


@pytest.mark.parametrize("name", ["density", "cdf", "quantile", "stieltjes"])
def test_any_precision_agrees_with_float64_and_itself(name: str) -> None:
    function = {"density": density, "cdf": cdf, "quantile": quantile, "stieltjes": stieltjes}[name]
    at = "5" if name == "stieltjes" else "0.7"
    low, high = (function(PAIR, at, dps=dps) for dps in (30, 60))
    assert abs(low - high) < abs(high) * sp.Float("1e-29")
    assert complex(function(PAIR, float(at))) == pytest.approx(complex(high), rel=3e-15)


def test_a_thousand_digits() -> None:
    digits = edges(PAIR, dps=1000)
    exact = [evaluate(edge, dps=1000) for edge in PAIR.edges()]
    for a, b in zip(digits, exact, strict=True):
        assert abs(a - b) < sp.Float(10, 1000) ** -998


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: density(PAIR, [1, float("nan")]), ValueError, "x must not be NaN"),
        (lambda: quantile(PAIR, 1.5), ValueError, r"p must lie in \[0, 1\]"),
        (lambda: quantile(PAIR, float("nan")), ValueError, "NaN"),
        (lambda: quantile(PAIR, "-1", dps=10), ValueError, r"p must lie in \[0, 1\]"),
        (lambda: density(PAIR, 0.5, dps=10), TypeError, "x must be exact: got 0.5"),
        (lambda: density(PAIR, "1", dps=0), ValueError, "dps must be"),
        (lambda: density(PAIR, 10**400), ValueError, "x must be real numbers within double"),
        (lambda: density(PAIR, True), ValueError, "x must be real numbers: got True"),
        (lambda: density(PAIR, np.datetime64("2020")), ValueError, "x must be real numbers"),
        (lambda: density(PAIR, np.ma.masked_less([1.0, 2.0], 2)), ValueError, "x must be real"),
        (lambda: edges(mp(delta)), ValueError, "free symbols: it still has delta"),
        (lambda: edges(mp(sp.sqrt(2))), ValueError, "rational coefficients"),
        (lambda: density(3, 1), TypeError, "law must have a curve"),
    ],
)
def test_refusals(call, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_shapes_are_kept() -> None:
    assert density(PAIR, np.ones((2, 3))).shape == (2, 3)
    assert density(PAIR, []).shape == (0,)
    assert isinstance(density(PAIR, 1), np.float64)
    assert stieltjes(PAIR, [[5, 6]]).shape == (1, 2)


def test_block_boundaries_do_not_show() -> None:
    x = np.linspace(-1, 5, 10_001)
    assert (density(PAIR, x) == [density(PAIR, value) for value in x]).all()
    shuffled = np.random.default_rng(7).permutation(10_001)
    assert (cdf(PAIR, x)[shuffled] == cdf(PAIR, x[shuffled])).all()


def test_threads_do_not_share_a_precision() -> None:
    mpmath_before, flint_before = mpmath.mp.prec, flint.ctx.prec
    wanted = {20: None, 50: None, 80: None, 35: None}

    def work(dps: int) -> None:
        for k in range(4):
            wanted[dps] = density(PAIR, Fraction(k + 1, 3), dps=dps), edges(TWO, dps=dps)[2]

    threads = [threading.Thread(target=work, args=(dps,)) for dps in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for dps, found in wanted.items():
        assert found == (density(PAIR, Fraction(4, 3), dps=dps), edges(TWO, dps=dps)[2])
        assert abs(found[0] - wanted[80][0]) < sp.Float(10, 100) ** -(dps - 1)
    assert (mpmath.mp.prec, flint.ctx.prec) == (mpmath_before, flint_before)


def test_tables_are_kept_per_law() -> None:
    from numerics.algebraic import algebraic

    again = mp("1/2") @ mp("1/4")
    assert again is not PAIR
    assert _interpolant(algebraic(again)) is _interpolant(algebraic(PAIR))
