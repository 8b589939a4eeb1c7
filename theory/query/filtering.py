"""How the attention divides between tokens with and without the signal."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.algebra import exact, normal_form
from theory.query.landscape import informative_mass
from theory.query.model import Tokens, two_classes
from theory.query.symbols import L, R, b


def noise_mass(model: Tokens) -> sp.Expr:
    """The total softmax weight on the tokens without signal, L -> oo (B6).

    What is left of 1 beside `informative_mass`.

    >>> from theory.query.symbols import rho
    >>> noise_mass(two_classes()).subs(rho, 0)
    1 - pi_q
    """
    return normal_form(1 - informative_mass(model))


def attention_odds(inverse_temperature: Any = b) -> sp.Expr:
    """Informative over noise mass at given R and L: the noise mass vanishes iff it grows (B6).

    The noise mass is 1/(1 + odds), so at xi it vanishes iff R e^(b theta)/(L - R) -> oo.

    >>> attention_odds(1)
    R_q*exp(rho_q*theta_q)/(L_q - R_q)
    """
    mass = informative_mass(two_classes(R / L, inverse_temperature=inverse_temperature))
    return normal_form(mass / (1 - mass))


def filtering_gain(inverse_temperature: Any = b) -> sp.Expr:
    """Informative mass less the share of informative tokens: negative where filtering fails.

    Its sign is that of rho: at -xi informative tokens get less than their share (B6).

    >>> from theory.query.symbols import rho
    >>> filtering_gain().subs(rho, 0)
    0
    """
    model = two_classes(inverse_temperature=inverse_temperature)
    return normal_form(informative_mass(model) - model.classes[0][0])


def mean_weight(model: Tokens, index: int) -> sp.Expr:
    """L times the mean softmax weight of a single token of a class, L -> oo (B6).

    Parameters
    ----------
    model : classes and inverse temperature
    index : which class, from 0

    Raises
    ------
    ValueError : for an index that is not that of a class.

    >>> mean_weight(two_classes(), 1)
    1/(pi_q*exp(rho_q*theta_q) - pi_q + 1)
    """
    if not 0 <= index < len(model.classes):
        raise ValueError(f"index must lie in 0..{len(model.classes) - 1}: got {index}")
    own = model.mean_in(model.classes[index][1], model.weight)
    return normal_form(own / model.mean(model.weight))


def largest_noise_weight(level: Any = "1/2", inverse_temperature: Any = b) -> sp.Expr:
    """A quantile of the largest weight of a noise token, times L, to leading order (B6).

    The largest of L - R standard Gaussian scores is at most x with probability
    Phi(x)^(L - R); the weights divide by a sum that obeys the law of large numbers.

    Parameters
    ----------
    level : exact, in (0, 1): the probability of a smaller weight
    inverse_temperature : exact, positive
    """
    q = exact(level, "level")
    if q.is_number and not (q > 0 and q < 1):
        raise ValueError(f"level must lie in (0, 1): got {q}")
    model = two_classes(R / L, inverse_temperature=inverse_temperature)
    x = sp.Dummy("x", real=True)
    below = (1 + sp.erf(x / sp.sqrt(2))) / 2
    (largest,) = sp.solve(below - q ** (1 / (L - R)), x)
    return sp.exp(model.inverse_temperature * largest) / model.mean(model.weight)
