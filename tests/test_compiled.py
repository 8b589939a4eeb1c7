"""Compiled float64 functions against the same expressions to many digits."""

import math

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.compiled import compiled
from numerics.flow import trajectory
from numerics.precise import evaluate

x, y, a = sp.symbols("x y a")
EXPRESSIONS = (
    a * sp.exp(a * x) / (a * sp.exp(a * x) + 1 + y**2) - sp.Rational(1, 3),
    sp.tanh(x) * sp.sqrt(1 + y**2) + sp.pi,
    (x + y) ** 3 / (2 + sp.Abs(x * y)) + sp.erf(x) ** sp.Integer(2),
)
small = st.fractions(min_value=-2, max_value=2, max_denominator=50)


@settings(deadline=None, max_examples=40)
@given(at_x=small, at_y=small, at_a=st.fractions(min_value="1/8", max_value=2, max_denominator=8))
def test_it_is_the_expression_to_double_precision(at_x, at_y, at_a) -> None:
    for expr in EXPRESSIONS:
        function = compiled(expr, [x, y], {a: at_a})
        expected = float(evaluate(expr, {x: at_x, y: at_y, a: at_a}, 20))
        assert function(float(at_x), float(at_y)) == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_arguments_keep_their_order_and_a_function_its_constants() -> None:
    function = compiled(x - 2 * y, [y, x])
    assert [function(1.0, 5.0), function(2.0, 5.0), function(1.0, 5.0)] == [3.0, 1.0, 3.0]
    assert compiled(sp.Integer(7), [x])(0.0) == 7.0


def test_a_symbol_without_a_number_is_named() -> None:
    with pytest.raises(ValueError, match=r"got none for \['a'\]"):
        compiled(a * x, [x])


@pytest.mark.parametrize(
    ("expr", "at"), [(sp.log(x), -1.0), (1 / x, 0.0), (sp.exp(x), 1e4), (x ** sp.pi, -1.0)]
)
def test_no_finite_real_value_is_an_error(expr: sp.Expr, at: float) -> None:
    with pytest.raises((ArithmeticError, ValueError)):
        compiled(expr, [x])(at)


def test_a_flow_without_an_end_is_given_up() -> None:
    # to the left of 0 it points up and to the right down, ever faster
    with pytest.raises(ValueError, match="flow must"):
        trajectory(-1 / x, x, 1.0, [1.0], evaluations=500)
    assert trajectory(-x, x, 1.0, [1.0], evaluations=500)[0] == pytest.approx(math.exp(-1))
