"""Weights that maximise the signal ratio, and which matrices are correlations of signs."""

from itertools import product

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.pooling import (
    best_nonnegative_weights,
    causal_weights,
    mean_weights,
    prefix_ratios,
    signal_ratio,
    suffix_ratios,
    top_weights,
)
from theory.algebra import Answer
from theory.pooled import causal, correlations, weights
from theory.pooled.weights import NonNegative

SIGNED = sp.Matrix([[1, "1/2", "-1/3"], ["1/2", 1, "-1/2"], ["-1/3", "-1/2", 1]])


@st.composite
def sign_correlations(draw: st.DrawFn, T: int = 4) -> sp.ImmutableMatrix:
    """R of a random mixture of sign patterns: a correlation of signs by construction."""
    patterns = [sp.Matrix([1, *rest]) for rest in product((1, -1), repeat=T - 1)]
    counts = draw(st.lists(st.integers(0, 4), min_size=len(patterns), max_size=len(patterns)))
    counts[0] += 1
    total = sum((c * x * x.T for c, x in zip(counts, patterns, strict=True)), sp.zeros(T))
    return sp.ImmutableMatrix(total / sum(counts))


def pentagon() -> sp.Matrix:
    """All triangle inequalities hold, R is positive semidefinite, and no signs have it."""
    return sp.Matrix(5, 5, lambda s, t: 1 if s == t else sp.Rational(-1, 4))


@pytest.mark.parametrize(("T", "L"), [(1, 1), (4, 2), (6, 5), (16, 7)])
def test_prefix_block(T: int, L: int) -> None:
    R = correlations.prefix(T, L)
    best = weights.optimum(R)
    assert best.value == L
    assert weights.ratio([1] * T, R) == sp.Rational(L * L + T - L, T)
    assert best.value - weights.ratio([1] * T, R) == sp.Rational((L - 1) * (T - L), T)
    assert weights.is_upper_bound(best.value, R)
    assert not weights.is_upper_bound(best.value - sp.Rational(1, 1000), R)
    assert best.unique == (L > 1 or T == 1)
    if L > 1:
        assert list(best.face[0]) == [1] * L + [0] * (T - L)


def test_every_weight_ties_when_signs_are_independent() -> None:
    best = weights.optimum(correlations.identity(3))
    assert (best.value, len(best.face), best.unique) == (1, 3, False)
    for w in ([1, 2, 3], [1, -1, 0]):
        assert weights.ratio(w, correlations.identity(3)) == 1
    assert weights.label_ratio([1, 0, 0], [0]) == 1
    assert weights.label_ratio([1, 1, 1], [0]) == sp.Rational(1, 3)


def test_stationary_exactly_at_eigenvectors() -> None:
    R = correlations.kac_murdock_szego(3, "1/2")
    best = weights.optimum(R)
    assert best.value == (9 + sp.sqrt(33)) / 8
    assert all(sp.radsimp(entry) == 0 for entry in weights.gradient(best.face[0], R))
    assert any(entry != 0 for entry in weights.gradient([1, 1, 1], R))
    assert weights.is_upper_bound(best.value, R)


def test_symbolic_entries() -> None:
    r, a, b = sp.symbols("r a b", positive=True)
    R = correlations.kac_murdock_szego(2, r)
    assert sp.expand(weights.signal([a, b], R) - (a**2 + 2 * r * a * b + b**2)) == 0
    assert weights.ratio([a, a], R).subs({a: 2, r: sp.Rational(1, 3)}) == sp.Rational(4, 3)


@pytest.mark.parametrize("T", [3, 4, 6])
def test_kac_murdock_szego_spectrum(T: int) -> None:
    """(1 − r²)/λ − 1 − r² = −2r cos φ turns det(λ − R) = 0 into the trigonometric one."""
    r = sp.Rational(2, 5)
    R = correlations.kac_murdock_szego(T, r)
    c, x = sp.symbols("c x")
    stated = sp.chebyshevu(T, c) - 2 * r * sp.chebyshevu(T - 1, c) + r**2 * sp.chebyshevu(T - 2, c)
    polynomial = R.charpoly().as_expr().subs(R.charpoly().gen, x)
    moved = sp.numer(sp.together(polynomial.subs(x, (1 - r**2) / (1 - 2 * r * c + r**2))))
    assert sp.Poly(moved, c).monic() == sp.Poly(stated, c).monic()


def test_perron_frobenius() -> None:
    block = correlations.prefix(4, 2)
    assert weights.perron_frobenius(block) is NonNegative.EXISTS
    chain = correlations.kac_murdock_szego(4, "1/3")
    assert weights.perron_frobenius(chain) is NonNegative.UNIQUE_POSITIVE
    best = weights.optimum(chain)
    assert best.unique
    assert all(entry.is_positive for entry in best.face[0])
    assert weights.perron_frobenius(SIGNED) is NonNegative.NOT_IMPLIED


def test_best_nonnegative_where_the_optimum_changes_sign() -> None:
    assert any(entry.is_negative for entry in weights.optimum(SIGNED).face[0])
    best = weights.best_nonnegative(SIGNED)
    assert best.value == sp.Rational(3, 2)
    assert [list(w) for w in best.face] == [[1, 1, 0]]
    assert best.value < weights.optimum(SIGNED).value
    grid = [w for w in product(range(5), repeat=3) if any(w)]
    assert max(weights.ratio(w, SIGNED) for w in grid) == best.value


@given(sign_correlations())
@settings(deadline=None, max_examples=5)
def test_mixtures_are_realisable_and_solvers_agree(R: sp.ImmutableMatrix) -> None:
    found = correlations.realisable(R)
    assert found.answer is Answer.YES
    assert correlations.user(R) == R
    dense = np.array(R, dtype=float)
    exact = float(weights.best_nonnegative(R).value)
    ours = best_nonnegative_weights(dense)
    assert ours.min() >= 0
    assert signal_ratio(ours, dense) == pytest.approx(exact, abs=1e-9)
    assert signal_ratio(top_weights(dense), dense) == pytest.approx(
        float(weights.optimum(R).value), abs=1e-9
    )


def test_the_optimiser_agrees_with_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    draws = np.sign(rng.standard_normal((40, 9)))
    R = draws.T @ draws / 40
    enumerated = signal_ratio(best_nonnegative_weights(R), R)
    monkeypatch.setattr("numerics.pooling._ENUMERATED", 0)
    assert signal_ratio(best_nonnegative_weights(R), R) == pytest.approx(enumerated, rel=1e-6)


def test_mixture_reproduces_the_correlation() -> None:
    R = sp.Matrix(4, 4, lambda s, t: 1 if s == t else sp.Rational(1, 4 + s + t))
    found = correlations.realisable(R)
    assert found.answer is Answer.YES
    assert sum(chance for _, chance in found.mixture) == 1
    mixed = sum((p * sp.Matrix(x) * sp.Matrix(x).T for x, p in found.mixture), sp.zeros(4))
    assert mixed == R


def test_semidefinite_but_no_signs() -> None:
    assert weights.is_positive_semidefinite(pentagon())
    found = correlations.realisable(pentagon())
    assert found.answer is Answer.NO
    assert found.reason.endswith("= 5/2 > 2")
    inside = pentagon() * sp.Rational(4, 5) + sp.eye(5) / 5
    assert correlations.realisable(inside).answer is Answer.YES
    # A chain and a block of any length are decided; a large tangle is not.
    assert correlations.realisable(correlations.kac_murdock_szego(20, "1/2")).answer is Answer.YES
    assert correlations.realisable(correlations.prefix(20, 9)).answer is Answer.YES
    tangle = sp.Matrix(9, 9, lambda s, t: 1 if s == t else sp.Rational(1, 9))
    assert correlations.realisable(tangle).answer is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([[1, 0]], "square"),
        ([[1, "1/2"], ["1/3", 1]], r"symmetric: got R\[0,1\] = 1/2, R\[1,0\] = 1/3"),
        ([[1, 0], [0, 2]], r"unit diagonal: got R\[1,1\] = 2"),
        ([[1, 2], [2, 1]], r"entries in -1..1: got R\[0,1\] = 2"),
        ([[1, 2, sp.Symbol("r")], [2, 1, 0], [sp.Symbol("r"), 0, 1]], "entries in -1..1"),
        (sp.ones(3) - sp.Matrix(3, 3, lambda s, t: 2 * int({s, t} == {0, 1})), "semidefinite"),
        (sp.eye(3) * sp.Rational(3, 2) - sp.ones(3) / 2, "correlation of signs"),
        (pentagon(), "correlation of signs"),
    ],
)
def test_matrices_refused(entries, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        correlations.user(entries)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: correlations.prefix(8, 9), ValueError, "L must lie in 1..T=8: got 9"),
        (lambda: correlations.prefix(8, 0), ValueError, "L must lie in 1..T=8: got 0"),
        (lambda: correlations.identity(0), ValueError, "T must be at least 1: got 0"),
        (lambda: correlations.blocks(3, [[3]]), ValueError, "positions must lie"),
        (lambda: correlations.blocks(3, [[1, 1]]), ValueError, "distinct"),
        (lambda: correlations.kac_murdock_szego(3, "2"), ValueError, "r must lie in"),
        (lambda: correlations.kac_murdock_szego(3, 0.5), TypeError, "r must be exact: got 0.5"),
        (lambda: correlations.user([[1, 0.5], [0.5, 1]]), TypeError, "must be exact"),
        (lambda: weights.ratio([0, 0], sp.eye(2)), ValueError, "w must not be 0"),
        (lambda: weights.signal([1], sp.eye(2)), ValueError, "R must be 1 × 1"),
        (lambda: weights.optimum(sp.Matrix([[1, 2], [0, 1]])), ValueError, "symmetric"),
        # A square of 2 w₁w₂: α/κ reaches 1, whatever the one entry left of the diagonal.
        (lambda: weights.is_upper_bound(sp.Rational(1, 10), sp.Matrix([[0, 2], [0, 0]])),
         ValueError, "matrix must be symmetric"),
        (lambda: weights.best_nonnegative(sp.eye(9)), ValueError, "at most 8 rows"),
        (lambda: causal_weights(0), ValueError, "T must be at least 1: got 0"),
        (lambda: causal_weights(1), ValueError, "at least 2 under a strict mask"),
        (lambda: causal_weights(4, "inclusive", float("nan")), ValueError, "tau must be finite"),
        (lambda: causal_weights(4, "inclusive", 1e3), ValueError, "tau must be finite"),
        (lambda: causal_weights(4, "full"), ValueError, "mask must be"),
        (lambda: signal_ratio([1, 1], np.eye(3)), ValueError, "R must be 2 × 2"),
        (lambda: prefix_ratios([0.0, 0.0]), ValueError, "not all 0"),
        (lambda: top_weights([[1, 2], [0, 1]]), ValueError, "symmetric"),
    ],
)
def test_wrong_input(call, error, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("T", [10**6, 10**7])
def test_long_sequences_keep_their_digits(T: int) -> None:
    """κ against its closed form; a float32 sum is off by percents here."""
    harmonic = np.log(T) + np.euler_gamma + 1 / (2 * T)
    inclusive = causal_weights(T, "inclusive", 0.0)
    assert inclusive @ inclusive == pytest.approx((2 * T - harmonic) / T**2, rel=1e-12)
    n = T - 1
    strict = causal_weights(T)
    assert strict @ strict == pytest.approx((2 * n - (harmonic - 1 / T)) / n**2, rel=1e-12)
    assert strict[-1] == 0
    assert strict[-2] * n * n == pytest.approx(1, rel=1e-13)


@pytest.mark.parametrize(("mask", "tau"), [("strict", 0), ("inclusive", 0), ("inclusive", 2)])
def test_arrays_equal_the_exact_weights(mask: causal.Mask, tau: int) -> None:
    exact = causal.Attention(mask, sp.Integer(tau)).weights(9)
    ours = causal_weights(9, mask, tau)
    assert np.allclose(ours, [float(w) for w in exact], rtol=1e-14, atol=0)
    assert ours.sum() == pytest.approx(1, abs=1e-14)
    assert (np.diff(ours) < 0).all()
    if tau == 0:
        assert np.allclose(
            prefix_ratios(ours), [float(x) for x in causal.finite_ratios(exact)], rtol=1e-13
        )


@pytest.mark.parametrize("tau", [-700.0, -40.0, 40.0, 700.0])
def test_extreme_temperatures(tau: float) -> None:
    weights = causal_weights(50, "inclusive", tau)
    assert weights.sum() == pytest.approx(1, abs=1e-13)
    assert (weights > 0).all()
    expected = mean_weights(50) if tau > 0 else np.append(causal_weights(50) * 49, 0)[:50] / 50
    expected = expected if tau > 0 else expected + np.eye(50)[0] / 50
    assert np.allclose(weights, expected, atol=1e-13)


def test_ratio_curves() -> None:
    w = causal_weights(40)
    ratios = [signal_ratio(w, np.array(correlations.prefix(40, L), float)) for L in (1, 7, 40)]
    assert np.allclose(prefix_ratios(w)[[0, 6, 39]], ratios)
    assert suffix_ratios(w)[6] == pytest.approx(
        signal_ratio(w, np.array(correlations.suffix(40, 7), float))
    )
