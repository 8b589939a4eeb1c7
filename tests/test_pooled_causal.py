"""Causal pooling weights: from the attention matrix to norms, limits, crossings."""

import doctest

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.algebra import Answer, is_zero
from theory.pooled import causal, summation
from theory.pooled.causal import Attention, Mean, fraction, length, position, temperature
from theory.pooled.symbols import tokens

n = sp.Symbol("n", integer=True, positive=True)
STRICT, INCLUSIVE = Attention("strict"), Attention("inclusive")
WARM = Attention("inclusive", temperature)
f = fraction


@pytest.mark.parametrize("pooling", [STRICT, INCLUSIVE, WARM], ids=["strict", "inclusive", "warm"])
@pytest.mark.parametrize("T", [2, 3, 7])
def test_symbolic_weights_are_the_column_means_of_the_matrix(pooling: Attention, T: int) -> None:
    closed = [pooling.weight().subs({tokens: T, position: t}) for t in range(1, T + 1)]
    for ours, theirs in zip(closed, pooling.weights(T), strict=True):
        assert is_zero(sp.expand_func(ours) - theirs).answer is Answer.YES


@pytest.mark.parametrize("pooling", [STRICT, INCLUSIVE], ids=["strict", "inclusive"])
@pytest.mark.parametrize(("T", "L"), [(2, 1), (5, 2), (6, 6), (9, 4)])
def test_closed_sums_equal_explicit_ones(pooling: Attention, T: int, L: int) -> None:
    w = pooling.weights(T)
    square = sum(x**2 for x in w)
    here = {tokens: T, length: L}
    assert causal.squared_norm(pooling).subs(here) == square
    early = sum(w[:L]) ** 2 + sum(x**2 for x in w[L:])
    late = sum(w[T - L :]) ** 2 + sum(x**2 for x in w[: T - L])
    assert causal.prefix_ratio(pooling).subs(here) == early / square
    assert causal.suffix_ratio(pooling).subs(here) == late / square


def test_norm_at_any_temperature() -> None:
    """κ with a symbolic τ, in digamma and trigamma form, against the plain sum at T = 5."""
    tau = sp.Rational(1, 3)
    closed = causal.squared_norm(WARM).subs({tokens: 5, temperature: tau})
    plain = sum(w**2 for w in Attention("inclusive", tau).weights(5))
    assert abs(sp.N(closed - plain, 40)) < sp.Rational(1, 10**30)


def test_strict_norm_and_prefix_sum() -> None:
    kappa = sp.expand_func(causal.squared_norm(STRICT).subs(tokens, n + 1))
    assert is_zero(kappa - (2 * n - sp.harmonic(n)) / n**2).answer is Answer.YES
    early = causal.power_sum(STRICT, 1, sp.S.One, length).subs(tokens, n + 1)
    closed = length * (sp.harmonic(n) - sp.harmonic(length) + 1) / n
    assert sp.expand(early - closed) == 0


def test_premises_change_the_result() -> None:
    assert causal.squared_norm(INCLUSIVE) != causal.squared_norm(STRICT)
    assert causal.squared_norm(WARM).has(temperature)
    # Under a strict mask there is no self-score, so no temperature.
    assert causal.squared_norm(Attention("strict", sp.Integer(3))) == causal.squared_norm(STRICT)


@pytest.mark.parametrize("pooling", [STRICT, INCLUSIVE, WARM], ids=["strict", "inclusive", "warm"])
def test_limits_do_not_depend_on_the_mask(pooling: Attention) -> None:
    early = causal.prefix_limit(pooling)
    # A second route: the continuum weight −ln x, integrated.
    x = sp.Symbol("x", positive=True)
    energy = sp.integrate(sp.log(x) ** 2, (x, 0, 1))
    assert sp.expand(early - sp.integrate(-sp.log(x), (x, 0, f)) ** 2 / energy) == 0
    late = causal.suffix_limit(pooling)
    tail = 1 - sp.integrate(-sp.log(x), (x, 0, 1 - f))
    assert sp.expand(late - tail**2 / energy) == 0


def test_crossing_and_peak() -> None:
    early, mean = causal.prefix_limit(STRICT), causal.prefix_limit(Mean())
    assert mean == f**2
    (crossing,) = causal.crossings(early, mean)
    assert crossing == sp.exp(1 - sp.sqrt(2))
    gap = early - mean
    assert gap.subs(f, sp.Rational(66, 100)) > 0 > gap.subs(f, sp.Rational(67, 100))
    assert causal.peak(early / f) == (sp.exp(-1), 2 * sp.exp(-1))
    with pytest.raises(ValueError, match="one maximum"):
        causal.peak(mean / f)
    with pytest.raises(ValueError, match="polynomial"):
        causal.crossings(causal.suffix_limit(STRICT), mean)


@pytest.mark.parametrize(
    ("T", "last"), [(2, 0), (3, 0), (4, 2), (5, 3), (8, 5), (16, 10), (32, 21), (64, 42)]
)
def test_finite_lengths(T: int, last: int) -> None:
    """A tie at L = 1, causal ahead for 2 ≤ L ≤ last and behind afterwards; late, always behind."""
    assert causal.advantage(STRICT, T) == (0, *[1] * (last - 1), *[-1] * (T - max(last, 1)))
    assert causal.advantage(STRICT, T, suffix=True) == (0, *[-1] * (T - 1))


def test_masks_differ_at_three_positions() -> None:
    assert causal.advantage(STRICT, 3) == (0, -1, -1)
    assert causal.advantage(INCLUSIVE, 3) == (0, 1, -1)


def test_weights_decrease() -> None:
    a = sp.exp(temperature)
    assert causal.decrement(STRICT) == 1 / (position * (tokens - 1))
    expected = (2 * a + position - 1) / (tokens * (position + a) * (position + a - 1))
    assert is_zero(causal.decrement(WARM) - expected).answer is Answer.YES
    assert causal.decrement(Mean()) == 0


@given(st.lists(st.integers(-5, 5), min_size=3, max_size=3), st.integers(1, 9))
@settings(deadline=None, max_examples=5)
def test_telescoping_of_polynomial_harmonic_sums(coefficients: list[int], last: int) -> None:
    a, b, c = coefficients
    h = sp.harmonic(position)
    summand = a * position * h + b * h**2 + c * h / position
    closed = summation.total(summand, position, sp.S.One, n).subs(n, last)
    assert closed == sum(summand.subs(position, t) for t in range(1, last + 1))


def test_induction_accepts_the_true_and_refuses_the_false() -> None:
    harmonic = sp.harmonic(n)
    assert summation.powers_follow_by_induction([n, n, 2 * n - harmonic], n, 1 / n) is Answer.YES
    assert summation.powers_follow_by_induction([n, n, 2 * n + harmonic], n, 1 / n) is Answer.NO
    assert summation.powers_follow_by_induction([n, n + 1, 2 * n - harmonic], n, 1 / n) is Answer.NO
    closed = length * (sp.Symbol("H_n") - sp.harmonic(length) + 1)
    summand = sp.Symbol("H_n") - sp.harmonic(position - 1)
    assert summation.follows_by_induction(closed, length, summand, position) is Answer.YES
    assert summation.follows_by_induction(closed + 1, length, summand, position) is Answer.NO
    wrong = closed.subs(sp.harmonic(length), sp.harmonic(length - 1))
    assert summation.follows_by_induction(wrong, length, summand, position) is Answer.NO


def test_sums_that_do_not_telescope_are_refused() -> None:
    for summand in (1 / (position + 1), position**-3, sp.harmonic(position) / position**2):
        with pytest.raises(ValueError, match="telescope"):
            summation.antidifference(summand, position)


def test_limits_that_are_not_decided_are_refused() -> None:
    with pytest.raises(ValueError, match="finite limit"):
        summation.limit_at_infinity(sp.harmonic(tokens), tokens)
    with pytest.raises(ValueError, match="c > 0"):
        summation.limit_at_infinity(sp.harmonic(tokens**2) - sp.harmonic(tokens), tokens)
    # SymPy's own limit answers 0 here.
    assert summation.limit_at_infinity(
        sp.harmonic(f * tokens) - sp.harmonic(tokens), tokens
    ) == sp.log(f)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Attention("causal"), ValueError, "mask must be"),
        (lambda: Attention("inclusive", 0.5), TypeError, "tau must be exact: got 0.5"),
        (lambda: Attention("inclusive", sp.oo), ValueError, "tau must be finite: got oo"),
        (lambda: Attention("inclusive", sp.I), ValueError, "tau must be real: got I"),
        (lambda: causal.crossings(fraction, fraction), ValueError, "first and second must differ"),
        (lambda: STRICT.weights(1), ValueError, "T must be at least 2 under a strict mask: got 1"),
        (lambda: STRICT.weights(0), ValueError, "T must be at least 1: got 0"),
        (lambda: Mean().weights(2.0), TypeError, "T must be an integer"),
    ],
)
def test_wrong_input(call, error, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=message):
        call()


def test_the_documented_session_runs() -> None:
    failed, tried = doctest.testfile("../docs/weights.md", optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0
    assert tried > 20
