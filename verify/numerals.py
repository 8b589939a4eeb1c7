"""Numbers as typed or as stored, read exactly."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theory.algebra import exact

# No size needs more digits, and more take long to read.
_LONGEST = 40


def fraction(text: str, name: str) -> Fraction:
    """A decimal or a fraction as typed, exactly.

    >>> fraction('0.3', 'mu2')
    Fraction(3, 10)
    """
    value = exact(text, name)
    return Fraction(int(value.p), int(value.q))


def whole(text: str, name: str) -> int:
    """An integer as typed.

    >>> whole('two', 'L')
    Traceback (most recent call last):
        ...
    ValueError: L must be an integer: got 'two'
    """
    try:
        if len(text) > _LONGEST:
            raise ValueError
        return int(text)
    except ValueError:
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        raise ValueError(f"{name} must be an integer: got {shown!r}") from None


def shown(value: Fraction) -> str:
    """Six digits, also of what no double holds."""
    return str(sp.Rational(value).evalf(6))


def decimal(value: float) -> Fraction:
    """The shortest decimal that a double stands for."""
    return Fraction(repr(float(value)))
