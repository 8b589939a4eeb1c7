"""Families of signs: exact correlations, and samples that have them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.simulate import signs
from numerics.simulate.families import SignFamily

FAMILIES = {
    "iid": signs.iid(5),
    "prefix": signs.prefix(5, 3),
    "suffix": signs.suffix(5, 2),
    "block": signs.block(5, [1, 3]),
    "blocks": signs.blocks(6, [[0, 1], [3, 5]]),
    "markov": signs.markov(5, "3/5"),
    "alternating": signs.markov(4, "-1/2"),
    "gaussian": signs.gaussian([[1, 0.5, 0], [0.5, 1, -0.5], [0, -0.5, 1]]),
    "thresholded": signs.thresholded([[1, 0.3], [0.3, 1]]),
}


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_sample_has_the_stated_correlation(family: SignFamily) -> None:
    """False alarm: each entry beyond 6 standard errors, at most 36 · 2·10⁻⁹ per family."""
    draws = 40_000
    sample = family.sample(np.random.default_rng(11), draws)
    assert sample.dtype == np.int8
    assert sample.shape == (draws, family.T)
    assert (np.abs(sample) == 1).all()
    wide = sample.astype(float)
    error = 6 / np.sqrt(draws)
    assert np.abs(wide.mean(axis=0)).max() < error
    assert np.abs(wide.T @ wide / draws - family.correlation).max() < error


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_exact_and_float_correlation_agree(family: SignFamily) -> None:
    exact = family.correlation_exact
    if exact is not None:
        assert all(isinstance(entry, Fraction) for row in exact for entry in row)
        assert np.allclose(np.array(exact, dtype=float), family.correlation, atol=1e-15)
    else:
        assert family is FAMILIES["thresholded"]


@given(st.integers(1, 12).flatmap(lambda T: st.tuples(st.just(T), st.integers(1, T))))
@settings(deadline=None, max_examples=30)
def test_prefix_and_suffix_mirror_each_other(sizes: tuple[int, int]) -> None:
    T, L = sizes
    early, late = signs.prefix(T, L).correlation, signs.suffix(T, L).correlation
    assert (early[::-1, ::-1] == late).all()
    assert early.sum() == L * L + T - L


def test_identical_positions_never_differ() -> None:
    family = signs.gaussian([[1, 1, -1], [1, 1, -1], [-1, -1, 1]])
    sample = family.sample(np.random.default_rng(2), 20_000)
    assert (sample[:, 0] == sample[:, 1]).all()
    assert (sample[:, 0] == -sample[:, 2]).all()


def test_a_float_rate_stands_for_its_shortest_decimal() -> None:
    assert signs.markov(3, 0.1).r == Fraction(1, 10)
    assert signs.markov(3, np.float64(0.1)).r == Fraction(1, 10)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: signs.prefix(8, 9), "L must lie in 1..T=8: got 9"),
        (lambda: signs.suffix(8, 0), "L must lie in 1..T=8: got 0"),
        (lambda: signs.iid(0), "T must be at least 1: got 0"),
        (lambda: signs.block(4, [4]), "positions must lie in 0..T-1=3: got 4"),
        (lambda: signs.block(4, []), "at least one position"),
        (lambda: signs.blocks(4, [[0, 1], [1, 2]]), "distinct"),
        (lambda: signs.markov(4, "3/2"), "r must lie in -1..1: got 3/2"),
        (lambda: signs.markov(4, float("nan")), "r must lie in -1..1: got nan"),
        (lambda: signs.gaussian([[1, 2], [2, 1]]), "positive semidefinite"),
        (lambda: signs.gaussian([[1, 0.1], [0.2, 1]]), "symmetric"),
        (lambda: signs.gaussian([[2.0]]), "unit diagonal"),
        (lambda: signs.gaussian([[1, 0]]), "square"),
        (lambda: signs.gaussian([[1, np.nan], [np.nan, 1]]), "finite"),
        # Positive semidefinite, and yet no three signs have it: the sine matrix says no too.
        (lambda: signs.thresholded(np.eye(3) * 1.5 - 0.5), "positive semidefinite"),
        (lambda: signs.iid(3).sample(np.random.default_rng(0), 0), "N must be at least 1"),
    ],
)
def test_wrong_input_is_refused(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message.replace("..", r"\.\.")):
        call()


def test_wrong_types_are_refused() -> None:
    with pytest.raises(TypeError, match="L must be an integer"):
        signs.prefix(4, 2.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="T must be an integer"):
        signs.iid(True)
