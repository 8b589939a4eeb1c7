"""Weights over one denominator are the fractions and the doubles they were made of."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from verify.weighting import Weights

FRACTIONS = st.lists(
    st.fractions(min_value=-9, max_value=9, max_denominator=60), min_size=1, max_size=9
)
DOUBLES = st.lists(
    st.floats(min_value=-1e6, max_value=1e6, allow_subnormal=False), min_size=1, max_size=9
)


@given(FRACTIONS)
def test_fractions_come_back(values: list[Fraction]) -> None:
    w = Weights.of(values)
    assert list(w) == values
    assert w[0] == values[0]
    assert w[1:] == tuple(values[1:])
    for power in (1, 2, 4):
        assert w.power_sum(power) == sum(x**power for x in values)
    assert w.power_sum(2, range(0, len(w), 2)) == sum(x * x for x in values[::2])


@given(DOUBLES)
def test_doubles_come_back_to_62_bits_of_the_largest(values: list[float]) -> None:
    w = Weights.of_doubles(np.array(values))
    top = max(map(abs, values))
    assert all(abs(float(x) - y) <= top * 2.0**-61 for x, y in zip(w, values, strict=True))
    if top:
        assert float(w.largest) == top
        assert np.allclose(w.relative, np.array(values) / top, rtol=0, atol=1e-15)
