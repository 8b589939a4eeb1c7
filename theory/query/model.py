"""The tokens and the softmax that looks at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.algebra import Answer, exact, is_zero, positive
from theory.query.gaussian import gaussian_mean
from theory.query.symbols import rho, share, theta

score = sp.Symbol("s_q", real=True)


@dataclass(frozen=True)
class Tokens:
    """Classes of tokens x = strength * xi + z, z ~ N(0, I), under softmax(b <q, x>).

    Parameters
    ----------
    classes : tuple of (share, strength), exact; the shares are positive and sum to 1
    inverse_temperature : exact, positive

    Raises
    ------
    TypeError, ValueError : for what is not exact, a share outside (0, 1], shares that do not
        sum to 1, or an inverse temperature that is not positive.

    The score s = <q, x> of a token of a class is N(strength * rho, 1), rho = <q, xi>.

    >>> Tokens(((sp.Rational(1, 3), theta), (sp.Rational(1, 3), 0)), 1)
    Traceback (most recent call last):
        ...
    ValueError: shares must sum to 1: got 2/3
    """

    classes: tuple[tuple[Any, Any], ...]
    inverse_temperature: Any = 1

    def __post_init__(self) -> None:
        classes = tuple(
            (positive(p, "share"), exact(strength, "strength")) for p, strength in self.classes
        )
        total = sp.Add(*(p for p, _ in classes))
        if is_zero(total - 1).answer is not Answer.YES:
            raise ValueError(f"shares must sum to 1: got {total}")
        object.__setattr__(self, "classes", classes)
        b = positive(self.inverse_temperature, "inverse_temperature")
        object.__setattr__(self, "inverse_temperature", b)

    def mean(self, expr: Any) -> sp.Expr:
        """The expectation, over a token picked at random, of an expression in its score.

        `strength` in the expression is the strength of the token picked.

        >>> two_classes().mean(score)
        pi_q*rho_q*theta_q
        """
        return sp.Add(*(p * self.mean_in(value, expr) for p, value in self.classes))

    @staticmethod
    def mean_in(power: Any, expr: Any) -> sp.Expr:
        """The same over the tokens of one strength.

        >>> Tokens.mean_in(2, score)
        2*rho_q
        """
        return gaussian_mean(sp.sympify(expr).subs(strength, power), score, power * rho)

    @property
    def informative(self) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
        """The classes with signal: those of strength other than 0, or else the first class.

        A model in which every strength is 0 has tokens of one law only; which of them are
        called informative is then a matter of their class, as in `two_classes` at signal 0.

        >>> two_classes('1/3', 0).informative
        ((1/3, 0),)
        """
        found = tuple(one for one in self.classes if is_zero(one[1]).answer is not Answer.YES)
        return found or self.classes[:1]

    @property
    def weight(self) -> sp.Expr:
        """The softmax weight of a token before it is divided by the sum of them all."""
        return sp.exp(self.inverse_temperature * score)


strength = sp.Symbol("tau_q", real=True)


def two_classes(
    informative: Any = share, signal: Any = theta, inverse_temperature: Any = 1
) -> Tokens:
    """The model of the source: a share of tokens with the signal, the others pure noise.

    Parameters
    ----------
    informative : exact, in (0, 1]; 1 is the dense limit, without noise tokens
    signal : exact, the strength of xi in an informative token, not negative
    inverse_temperature : exact, positive

    >>> two_classes(1).classes
    ((1, theta_q),)
    >>> two_classes('3/2')
    Traceback (most recent call last):
        ...
    ValueError: informative must be at most 1: got 3/2
    """
    part = positive(informative, "informative")
    power = exact(signal, "signal")
    if part.is_number and part > 1:
        raise ValueError(f"informative must be at most 1: got {part}")
    if power.is_negative:
        raise ValueError(f"signal must not be negative: got {power}")
    if part == 1:
        return Tokens(((part, power),), inverse_temperature)
    return Tokens(((part, power), (1 - part, sp.Integer(0))), inverse_temperature)
