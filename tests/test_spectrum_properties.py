"""What holds for every law: symmetry, scaling, mass, inverses, limits, the upper half plane."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import cdf, density, edges, quantile, stieltjes
from theory import SpectralLaw, marchenko_pastur
from theory.laws.branch import atoms
from verify.strategies import heights, laws, products, ratios

mp = marchenko_pastur
few = settings(max_examples=4, deadline=None)


def grid(law: SpectralLaw, points: int = 41) -> np.ndarray:
    """Points inside every interval, close to both ends and in the middle."""
    s = np.sin(np.linspace(0.02, np.pi / 2 - 0.02, points)) ** 2
    ends = edges(law)
    return np.concatenate([a + (b - a) * s for a, b in zip(ends[::2], ends[1::2], strict=True)])


@few
@given(ratios(), ratios())
def test_symmetry(first: sp.Rational, second: sp.Rational) -> None:
    left, right = mp(first) @ mp(second), mp(second) @ mp(first)
    assert left == right
    assert edges(left) == edges(right)


@few
@given(products(most=2), ratios(Fraction(1, 100), 100))
def test_scaling(law: SpectralLaw, factor: sp.Rational) -> None:
    x = grid(law)
    c = float(factor)
    room = np.min([np.abs(x - e) for e in edges(law)], axis=0)
    error = np.abs(c * density(factor * law, c * x) / density(law, x) - 1)
    assert (error < 4e-15 * (1 + np.abs(x) / room)).all()


@few
@given(laws())
def test_mass_is_one_and_rises(law: SpectralLaw) -> None:
    x = np.sort(np.concatenate([grid(law), edges(law), [-1e300, 0.0, 1e300]]))
    levels = cdf(law, x)
    assert (levels[0], levels[-1]) == (0, 1)
    assert (np.diff(levels) >= -3e-16).all()
    assert cdf(law, 0.0) - cdf(law, -5e-324) == pytest.approx(
        float(law.mass_at_zero()), abs=1e-15
    )


@few
@given(laws())
def test_quantile_inverts_the_cdf(law: SpectralLaw) -> None:
    x = grid(law, 15)
    p = cdf(law, x)
    slack = 1e-15 * np.abs(x) + 3e-16 / density(law, x)
    assert (np.abs(quantile(law, p) - x) <= 4 * slack).all()
    inside = np.linspace(0.01, 0.99, 23)
    found = quantile(law, inside)
    rounding = 2e-15 * (1 + np.abs(found) * density(law, found))
    assert (cdf(law, found) >= inside - rounding).all()


@few
@given(laws())
def test_edges_enclose_the_quantiles(law: SpectralLaw) -> None:
    mass = float(law.mass_at_zero())
    p = np.linspace(mass + 1e-3, 1, 50)
    ends = np.array(edges(law))
    x = quantile(law, p)
    inside = np.zeros(x.shape, dtype=bool)
    for low, high in zip(ends[::2], ends[1::2], strict=True):
        inside |= (x >= low) & (x <= high)
    assert inside.all()


@few
@given(laws(), st.lists(heights(), min_size=3, max_size=6))
def test_the_upper_half_plane(law: SpectralLaw, points: list[complex]) -> None:
    z = np.array(points)
    G = stieltjes(law, z)
    assert (G.imag < 0).all()
    # |G| ≤ 1/Im z, and the polynomial of the law vanishes there.
    assert (np.abs(G) * z.imag <= 1 + 1e-14).all()
    assert stieltjes(law, 1e12j) * 1e12j == pytest.approx(1, rel=1e-6)


@few
@given(laws(), heights())
def test_stieltjes_is_the_integral_of_the_density(law: SpectralLaw, z: complex) -> None:
    nodes, weights = np.polynomial.legendre.leggauss(400)
    total = 0.0 + 0.0j
    ends = edges(law)
    for low, high in zip(ends[::2], ends[1::2], strict=True):
        for corner, direction in ((low, 1), (high, -1)):
            # The substitution x − edge = s⁶ tames edges of orders 2 and 3.
            top = ((high - low) / 2) ** (1 / 6)
            s, w = (nodes + 1) * top / 2, weights * top / 2
            x = corner + direction * s**6
            f = density(law, x)
            total += np.sum(np.where(s > 0, w * 6 * s**5 * f / (z - x), 0))
    for place, mass in atoms(law.curve):
        total += complex(mass) / (z - complex(place))
    assert stieltjes(law, z) == pytest.approx(total, rel=1e-6)


@pytest.mark.parametrize("c", ["1e-6", "1e-3"])
def test_a_small_second_ratio_changes_little(c: str) -> None:
    law, limit = mp("1/2") @ mp(c), mp("1/2")
    x = grid(limit)[5:-5]
    # ⊠ MP_c spreads each point by √c of itself.
    assert np.abs(density(law, x) / density(limit, x) - 1).max() < 60 * float(c)


@pytest.mark.parametrize(
    ("first", "second"), [("1e-6", 1000), (1000, 1000), ("1e-6", "1e-6"), (1, "1.000001")]
)
def test_extreme_ratios_against_fifty_digits(first, second) -> None:
    law = mp(first) @ mp(second)
    ends = [float(e) for e in edges(law, dps=20)]
    exact_ends = edges(law, dps=50)
    rng = np.random.default_rng(3)
    low, high = ends
    x = np.concatenate([low + (high - low) * rng.uniform(size=3),
                        low + (high - low) * 10.0 ** rng.uniform(-9, -1, 3),
                        high - (high - low) * 10.0 ** rng.uniform(-9, -1, 3)])
    for value, found in zip(x, density(law, x), strict=True):
        place = sp.Rational(Fraction(value))
        exact = density(law, place, dps=50)
        room = min(abs(place - end) for end in exact_ends)
        assert abs(sp.Rational(Fraction(float(found))) / exact - 1) < sp.Float("1e-15") * (
            1 + abs(place) / room
        )
