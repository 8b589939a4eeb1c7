"""The asymptotic accuracy of ridge classification, from the S-transform of a population law."""

import numpy as np
import pytest
import sympy as sp

from theory.algebra import Answer, is_zero
from theory.pooled import ridge
from theory.pooled.causal import Attention, Mean
from theory.pooled.ridge import label_sum, point, residual, strength
from theory.pooled.symbols import delta, gamma, kappa


def marchenko_pastur(m: sp.Expr) -> sp.Expr:
    return 1 / (1 + delta * m)


def identity(m: sp.Expr) -> sp.Expr:
    return sp.S.One


def predicted(
    weights: tuple[sp.Expr, ...], block: range, parameter: str, size: dict[sp.Symbol, sp.Expr]
) -> float:
    """The accuracy at numbers; `size` holds δ, γ and ‖h‖²."""
    square = sum(w**2 for w in weights)
    inside = sum(weights[t] for t in block)
    rest = square - sum(weights[t] ** 2 for t in block)
    root = ridge.point_at(lambda m: marchenko_pastur(m).subs(size), parameter, size[gamma], square)
    here = {point: root.eval_rational(n=30), kappa: square, label_sum: inside, residual: rest}
    return float(ridge.accuracy(marchenko_pastur).subs(here | size).evalf(15))


def test_leverage_solves_its_fixed_point() -> None:
    """e = γκ∫t/(λ + κt/(1 + e)), the integral read off A0: st/(λ + st) = 1 − λ/(λ + st)."""
    for law in (identity, marchenko_pastur):
        found = ridge.equivalents(law)
        s = kappa / (1 + found.leverage)
        filtered = (1 - found.ridge * found.A0) / s
        assert is_zero(found.leverage - gamma * kappa * filtered).answer is Answer.YES


def test_integrals_under_the_identity() -> None:
    """One atom at 1: A0, A1, A2 are plain fractions, found without a curve."""
    found = ridge.equivalents(identity)
    s = kappa / (1 + found.leverage)
    plain = 1 / (found.ridge + s)
    assert is_zero(found.A0 - plain).answer is Answer.YES
    assert is_zero(found.A1 - plain**2).answer is Answer.YES
    assert is_zero(found.A2 - plain**2).answer is Answer.YES


@pytest.mark.parametrize("ratio", [0.1, 0.5, 2.0])
def test_integrals_under_marchenko_pastur_by_quadrature(ratio: float) -> None:
    """Against ∫ dMP_δ with the elementary density; its part away from 0 alone counts in A1, A2."""
    low, high = (1 - ratio**0.5) ** 2, (1 + ratio**0.5) ** 2
    angle = (np.arange(4000) + 0.5) * np.pi / 4000
    t = (low + high) / 2 - (high - low) / 2 * np.cos(angle)
    mass = ((high - low) / 2 * np.sin(angle)) ** 2 / (2 * np.pi * ratio * t) * np.pi / 4000
    here = {delta: sp.Rational(str(ratio)), gamma: sp.Rational(1, 3), kappa: sp.Rational(2, 5)}
    here[point] = sp.Rational(-2, 5)
    found = ridge.equivalents(marchenko_pastur)
    lam, e, a0, a1, a2 = (
        float(getattr(found, name).subs(here)) for name in ("ridge", "leverage", "A0", "A1", "A2")
    )
    s = 0.4 / (1 + e)
    atom = max(0.0, 1 - 1 / ratio)
    assert mass.sum() + atom == pytest.approx(1, abs=1e-6)
    assert (mass / (lam + s * t)).sum() + atom / lam == pytest.approx(a0, rel=1e-6)
    assert (mass * t / (lam + s * t) ** 2).sum() == pytest.approx(a1, rel=1e-6)
    assert (mass * t**2 / (lam + s * t) ** 2).sum() == pytest.approx(a2, rel=1e-6)


def test_margin_in_the_stated_form() -> None:
    """The same margin with e, A0, A1, A2 kept, as source A's accuracy is usually arranged."""
    found = ridge.equivalents(marchenko_pastur)
    energy = strength * found.A0
    k = 1 + residual * energy / (1 + found.leverage)
    v = gamma * kappa**2 * found.A2 / (1 + found.leverage) ** 2
    tokens = kappa * strength * found.A1 + residual * energy**2
    variance = (label_sum**2 * tokens / k**2 + gamma * kappa**2 * found.A2) / (1 - v)
    stated = (label_sum**2 * energy / k) ** 2 / variance
    at = {delta: sp.Rational(1, 3), gamma: sp.Rational(2, 7), kappa: sp.Rational(1, 5)}
    at |= {label_sum: sp.Rational(1, 2), residual: sp.Rational(1, 11), strength: sp.Rational(3, 4)}
    for m in (sp.Rational(-1, 9), sp.Rational(-3, 4)):
        gap = (ridge.margin(marchenko_pastur) ** 2 - stated).subs(at | {point: m})
        assert gap == 0
    changed = ridge.margin(identity).subs(at | {point: sp.Rational(-1, 9)})
    assert changed != ridge.margin(marchenko_pastur).subs(at | {point: sp.Rational(-1, 9)})


def test_infinite_ridge_is_the_difference_of_class_means() -> None:
    """As m → 0⁻, β ∝ Cy/N: mean a²‖h‖², variance a²κ‖h‖² + γκ²(1 + δ) + τ₀a²‖h‖⁴."""
    squared = ridge.margin(marchenko_pastur) ** 2
    at = {delta: sp.Rational(1, 3), gamma: sp.Rational(2, 7), kappa: sp.Rational(1, 5)}
    at |= {label_sum: sp.Rational(1, 2), residual: sp.Rational(1, 11), strength: sp.Rational(3, 4)}
    a, h, tau = at[label_sum], at[strength], at[residual]
    spread = a**2 * at[kappa] * h + at[gamma] * at[kappa] ** 2 * (1 + at[delta])
    expected = (a**2 * h) ** 2 / (spread + tau * a**2 * h**2)
    assert sp.cancel(squared.subs(at)).subs(point, 0) == expected


def test_order_and_its_flip() -> None:
    """α/κ: causal 28.58 above mean 27.91; accuracy agrees at λ = 1 and flips at λ = 10⁻⁴."""
    size = {delta: sp.Rational(1, 10), gamma: sp.Integer(1), strength: sp.Rational(238, 1000)}
    T, block = 64, range(42)
    causal, mean = Attention("strict").weights(T), Mean().weights(T)
    assert predicted(causal, block, "1", size) == pytest.approx(0.9923, abs=5e-5)
    assert predicted(mean, block, "1", size) == pytest.approx(0.9891, abs=5e-5)
    assert predicted(causal, block, "1e-4", size) == pytest.approx(0.8068, abs=5e-5)
    assert predicted(mean, block, "1e-4", size) == pytest.approx(0.8277, abs=5e-5)


def test_no_label_weight_is_a_coin() -> None:
    assert ridge.accuracy(marchenko_pastur).subs(label_sum, 0) == sp.Rational(1, 2)


def test_point_is_exact_and_on_the_physical_branch() -> None:
    law = lambda m: marchenko_pastur(m).subs(delta, sp.Rational(1, 3))  # noqa: E731
    found = ridge.point_at(law, "1/2", "1/4", 2)
    at = {kappa: 2, gamma: sp.Rational(1, 4), point: found}
    assert sp.simplify(ridge.equivalents(law).ridge.subs(at) - sp.Rational(1, 2)) == 0
    assert -1 < found < 0
    previous = sp.S.Zero
    for parameter in ("100", "1", "1/100", "1e-6"):
        here = ridge.point_at(law, parameter, "1/4", 2)
        assert here < previous
        previous = here


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("0", "1/2", 1), ValueError, "ridge must be positive: got 0"),
        (("-1", "1/2", 1), ValueError, "ridge must be positive: got -1"),
        (("1", "0", 1), ValueError, "gamma must be positive: got 0"),
        ((0.1, "1/2", 1), TypeError, "ridge must be exact: got 0.1"),
    ],
)
def test_wrong_input(arguments, error, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=message):
        ridge.point_at(identity, *arguments)
    with pytest.raises(ValueError, match="free of symbols"):
        ridge.point_at(marchenko_pastur, "1", "1/2", 1)
