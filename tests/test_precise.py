"""Digits of exact expressions: a precision of one's own, floats refused, residuals looked at."""

from __future__ import annotations

import threading

import mpmath
import pytest
import sympy as sp

from numerics import evaluate

x = sp.Symbol("x")


def test_a_decimal_is_not_a_float() -> None:
    value = evaluate(x, {x: "0.1"}, dps=50)
    assert str(value) == "0.10000000000000000000000000000000000000000000000000"
    with pytest.raises(TypeError, match=r"x must be exact: got 0\.1"):
        evaluate(x, {x: 0.1})
    with pytest.raises(TypeError, match="expr must be exact"):
        evaluate(sp.Float("0.1") * x, {x: 1})


def test_constants_have_every_digit() -> None:
    value = evaluate(sp.Rational(1, 3) + sp.sqrt(2) * 0 + x, {x: 0}, dps=50)
    assert str(value) == "0." + "3" * 50


def test_cancellation_is_outrun() -> None:
    small = sp.sqrt(10**40 + x) - 10**20
    assert abs(evaluate(small, {x: 1}, dps=20) * 2 * 10**20 - 1) < sp.Float("1e-19")
    near = sp.sqrt(5 + 2 * sp.sqrt(6)) - sp.sqrt(2) - sp.sqrt(3)
    assert float(evaluate(near, dps=20)) == 0


@pytest.mark.parametrize("dps", [10, 25, 60, 150])
def test_the_ladder_of_precisions(dps: int) -> None:
    root = sp.CRootOf(x**5 - x - 1, 0)
    value = evaluate(root, dps=dps)
    reference = evaluate(root, dps=200)
    assert abs(value - reference) < sp.Float(10, 200) ** (1 - dps)
    with mpmath.workdps(dps + 10):
        v = mpmath.mpf(str(value))
        assert abs(v**5 - v - 1) < mpmath.mpf(10) ** (2 - dps)


def test_flat_and_complex_roots() -> None:
    # Six nearly equal factors: Newton's iteration in plain arithmetic does not settle here.
    polynomial = sp.expand(sp.prod([10**3 * x - 10**3 - k for k in range(6)]) + 1)
    values = [evaluate(r, dps=30) for r in sp.Poly(polynomial, x).real_roots()]
    assert all(abs(polynomial.subs(x, v)) < sp.Float("1e-3") for v in values)
    for k in range(5):
        value = evaluate(sp.CRootOf(x**5 - x + 1, k), dps=30)
        assert abs(sp.expand(value**5 - value + 1)) < sp.Float("1e-27")


def test_threads_leave_the_global_precision_alone() -> None:
    before = mpmath.mp.dps
    entered, leave = threading.Event(), threading.Event()
    seen: dict[str, str] = {}

    def first() -> None:
        entered.wait()
        seen["a"] = str(evaluate(sp.pi, dps=50))
        leave.set()

    def second() -> None:
        entered.set()
        seen["b"] = str(evaluate(sp.pi, dps=20))
        leave.wait()

    threads = [threading.Thread(target=f) for f in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(seen["a"]), len(seen["b"])) == (51, 21)
    assert mpmath.mp.dps == before


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: evaluate(x), ValueError, "none for x"),
        (lambda: evaluate(x, {x: "abc"}), ValueError, "x must be a decimal or a fraction"),
        (lambda: evaluate(x, {x: "nan"}), ValueError, "x must be"),
        (lambda: evaluate(1 / x, {x: 0}), ValueError, "not finite"),
        (lambda: evaluate(sp.log(x), {x: 0}), ValueError, "not finite"),
        (lambda: evaluate(x, {x: 1}, dps=0), ValueError, "dps must be an integer"),
        (lambda: evaluate(x, {x: 1}, dps=2.5), ValueError, "dps must be an integer"),
    ],
)
def test_refusals(call, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
