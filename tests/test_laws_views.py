"""What a law shows of itself, how laws compose, and what is refused with which words."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stdout

import pytest
import sympy as sp

from theory import (
    SpectralLaw,
    discrete,
    free_poisson,
    inverse_marchenko_pastur,
    marchenko_pastur,
    projection,
    semicircle,
)
from theory.__main__ import names
from theory.pooled import delta, gamma, kappa

mp = marchenko_pastur


def test_a_law_shows_its_curve() -> None:
    law = mp(delta) @ mp(gamma)
    assert repr(law) == "SpectralLaw(z(m) = (m + 1)*(delta*m + 1)*(gamma*m + 1)/m)"
    assert law._repr_latex_().startswith(r"$\displaystyle z(m) = \frac{")
    assert "quad G(u)" in (semicircle() + discrete({0: "1/2", 1: "1/2"}))._repr_latex_()
    with redirect_stdout(io.StringIO()) as out:
        print(law)
    assert "_u" not in out.getvalue()


def test_the_explanation_goes_step_by_step() -> None:
    text = str((kappa * (mp(delta) @ mp(gamma))).explain())
    for part in ("S-transform", "Curve", "Polynomial", "Lagrange", "exactly one positive root",
                 "1 - Min(1, 1/delta, 1/gamma)"):
        assert part in text
    numbers = mp("1/4").explain()
    assert [step.name for step in numbers.steps][-2:] == ["Edges", "Mass at 0"]
    assert "[1/4, 9/4]" in str(numbers)
    assert "[0.0559355743188…, 3.746690222677…]" in str((mp("1/2") @ mp("1/4")).explain())
    other = str((semicircle() + discrete({-1: "1/2", 1: "1/2"})).explain())
    assert "is not a rational function" in other


def test_the_cubic_of_two_factors() -> None:
    z, G = sp.symbols("z G")
    polynomial = (mp(delta) @ mp(gamma)).stieltjes_polynomial(z, G)
    assert sp.degree(polynomial, G) == 3
    m = z * G - 1
    cubic = (1 + m) * (1 + delta * m) * (1 + gamma * m) - z * m
    assert sp.expand(polynomial * z - cubic) == 0


def test_symmetric_and_scaled() -> None:
    assert mp(delta) @ mp(gamma) == mp(gamma) @ mp(delta)
    assert hash(mp("1/2")) == hash(mp(sp.Rational(1, 2)))
    for n in (1, 2, 3):
        assert sp.expand((kappa * mp(gamma)).moment(n) - kappa**n * mp(gamma).moment(n)) == 0


def test_companion_swaps_the_roles() -> None:
    # XᵀX/n has ratio 1/c after rescaling by c.
    assert mp("1/2").companion("1/2") == sp.Rational(1, 2) * mp(2)
    assert mp(gamma).companion(gamma).companion(1 / gamma) == mp(gamma)


def test_free_poisson_is_a_population_under_marchenko_pastur() -> None:
    # ZDZᵀ/n and D^{1/2}ZᵀZD^{1/2}/n share their non-zero eigenvalues.
    c, jumps = sp.Rational(1, 2), {1: "1/3", 4: "2/3"}
    sample = discrete(jumps) @ mp(1 / c)
    assert (c * sample.companion(1 / c)).free_cumulant(3) == free_poisson(c, jumps).free_cumulant(3)


def test_substitution_refuses_unknown_symbols() -> None:
    law = mp(delta)
    assert law.subs({delta: "0.1"}) == mp("1/10")
    with pytest.raises(ValueError, match="no symbol"):
        law.subs({"delta": 1})
    with pytest.raises(ValueError, match="other assumptions"):
        law.subs({sp.Symbol("delta"): 1})
    with pytest.raises(ValueError, match="delta must be positive"):
        law.subs({delta: 0})


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: mp(0.1), TypeError, r"ratio must be exact: got 0.1; write Rational\(1, 10\)"),
        (lambda: mp(0), ValueError, "ratio must be positive: got 0"),
        (lambda: mp("-1/2"), ValueError, "ratio must be positive"),
        (lambda: mp("nan"), ValueError, "ratio must be a decimal or a fraction"),
        (lambda: mp(float("nan")), TypeError, "ratio must be exact"),
        (lambda: mp(sp.nan), (TypeError, ValueError), "ratio must be"),
        (lambda: mp("__import__('os')"), ValueError, "decimal or a fraction"),
        (lambda: discrete({1: "1/2", 2: "1/3"}), ValueError, "weights must sum to 1: got 5/6"),
        (lambda: discrete({}), ValueError, "at least one atom"),
        (lambda: discrete({1: "3/2", 2: "-1/2"}), ValueError, "weight must be positive"),
        (lambda: projection(2), ValueError, "rank must be below 1"),
        (lambda: inverse_marchenko_pastur(2), ValueError, "ratio must be below 1"),
        (lambda: mp(2).inverse(), ValueError, "without mass at 0: got 1/2"),
        (lambda: mp(2).compress(2), ValueError, r"fraction must lie in \(0, 1\]"),
        (lambda: -1 * mp(2), ValueError, "factor must be positive"),
        (lambda: mp(2) @ 3, TypeError, "unsupported operand"),
        (
            lambda: (semicircle() + discrete({-1: "1/2", 1: "1/2"}))
            @ (semicircle() + discrete({-2: "1/2", 1: "1/2"})),
            ValueError,
            "⊠ needs a factor whose S-transform is rational",
        ),
        (
            lambda: projection("1/3") + projection("1/2"),
            ValueError,
            "⊞ needs a term whose R-transform is rational",
        ),
        (lambda: semicircle().s_transform(kappa), ValueError, "is not a rational function"),
        (
            lambda: SpectralLaw.from_s_transform(sp.sqrt(sp.Symbol("m")), sp.Symbol("m")),
            ValueError,
            "must be rational",
        ),
    ],
)
def test_refusals(call, error, message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_law_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        mp(2).curve = mp(3).curve


def test_the_session_starts_with_the_names() -> None:
    found = names()
    assert {"marchenko_pastur", "delta", "Rational", "pooled"} <= found.keys()


@pytest.mark.slow
def test_the_session_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "theory"],
        input="print((marchenko_pastur(2) @ marchenko_pastur(4)).mass_at_zero())\n",
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert "3/4" in done.stdout
