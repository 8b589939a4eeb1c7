"""Hypothesis strategies for property tests of laws: exact, bounded, shrinking to simple values.

>>> from hypothesis import find
>>> find(ratios(), lambda c: c > 1)
2
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from theory import SpectralLaw, discrete, free_poisson, marchenko_pastur, semicircle


def ratios(
    smallest: Any = Fraction(1, 10**6), largest: Any = 1000
) -> st.SearchStrategy[sp.Rational]:
    """Exact ratios p/q · 10^k between two positive bounds; 1 and ties with it are frequent.

    Parameters
    ----------
    smallest, largest : int, Fraction or SymPy rational
    """
    low, high = sp.Rational(smallest), sp.Rational(largest)
    plain = st.builds(sp.Rational, st.integers(1, 12), st.integers(1, 12))
    scaled = st.builds(lambda r, k: r * sp.Integer(10) ** k, plain, st.integers(-6, 3))
    return st.one_of(st.just(sp.S.One), plain, scaled).filter(lambda r: low <= r <= high)


def populations(most: int = 3) -> st.SearchStrategy[dict[sp.Rational, sp.Rational]]:
    """Discrete laws {atom: weight} on 2 to `most` distinct positive integers."""
    atoms = st.lists(st.integers(1, 12), min_size=2, max_size=most, unique=True)

    def weighted(points: list[int]) -> st.SearchStrategy[dict[sp.Rational, sp.Rational]]:
        counts = st.lists(st.integers(1, 4), min_size=len(points), max_size=len(points))
        return counts.map(
            lambda c: {
                sp.Integer(a): sp.Rational(k, sum(c)) for a, k in zip(points, c, strict=True)
            }
        )

    return atoms.flatmap(weighted)


@st.composite
def products(draw: st.DrawFn, /, most: int = 3, **bounds: Any) -> SpectralLaw:
    """MP_{c₁} ⊠ … ⊠ MP_{c_k}, 1 ≤ k ≤ most; `bounds` as for `ratios`."""
    law = marchenko_pastur(draw(ratios(**bounds)))
    for _ in range(draw(st.integers(0, most - 1))):
        law = law @ marchenko_pastur(draw(ratios(**bounds)))
    return law


@st.composite
def laws(draw: st.DrawFn, /) -> SpectralLaw:
    """Laws of every kind of curve: products, populations under MP, free Poisson, semicircles."""
    kind = draw(st.integers(0, 3))
    bounds: dict[str, Any] = {"smallest": Fraction(1, 100), "largest": 100}
    if kind == 0:
        return draw(products(**bounds))
    population, ratio = draw(populations()), draw(ratios(**bounds))
    if kind == 1:
        return discrete(population) @ marchenko_pastur(ratio)
    if kind == 2:
        return free_poisson(ratio, population)
    return discrete(population) + semicircle(ratio)


def heights(smallest: Any = Fraction(1, 100)) -> st.SearchStrategy[Any]:
    """Complex numbers above the axis, exact doubles, |Re| ≤ 20 and Im in [smallest, 20]."""
    whole = st.integers(-20 * 64, 20 * 64).map(lambda k: k / 64)
    above = st.integers(max(1, int(64 * smallest)), 20 * 64).map(lambda k: k / 64)
    return st.builds(complex, whole, above)
