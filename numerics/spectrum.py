"""Density, cdf, quantiles, edges and Stieltjes transform of a law, in float64 or to any precision.

One mechanism for every law: its curve is followed from z = ∞ down to the real axis. A law is
any object with `.curve`, a rational curve with attributes z, G and free_symbols.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from flint import fmpq

from numerics import inversion, pointwise
from numerics.algebraic import Algebraic, algebraic
from numerics.interpolation import Interpolant
from numerics.precise import digits, rational
from numerics.sheet import Lost
from numerics.tables import build

_FLOAT_DIGITS = 18


def density(law: Any, x: Any, dps: int | None = None) -> Any:
    """The density of the law's continuous part at x, with respect to dx.

    It is −Im G(x + i0)/π: 0 outside the support and at soft edges, inf at a hard edge. Atoms do
    not enter.

    Parameters
    ----------
    law : object with `.curve`, without free symbols
    x : real number or array (float64); with dps an int, Fraction, rational or decimal string
    dps : decimal digits of a SymPy Float to return instead of float64

    Returns
    -------
    float64 of the shape of x, with relative error about 1e-15 (1 + |x|/distance to an edge)

    Raises
    ------
    TypeError : for an object that is no law, and for floats together with dps.
    ValueError : for free symbols, NaN, and coefficients that are not rational.

    >>> from theory import marchenko_pastur
    >>> law = marchenko_pastur('1/2')
    >>> round(density(law, 1), 12)
    np.float64(0.421084399348)
    >>> density(law, '1', dps=15)
    0.421084399347792
    """
    if dps is None:
        return _vectorised(_interpolant(algebraic(law)).density, x, "x")
    return _precise(law, x, dps, pointwise.density, "density")


def cdf(law: Any, x: Any, dps: int | None = None) -> Any:
    """P(X ≤ x), atoms included, from the antiderivative of G on the curve: no quadrature.

    Parameters and errors as for `density`.

    >>> from theory import marchenko_pastur
    >>> float(cdf(marchenko_pastur(2), 0))
    0.5
    """
    if dps is None:
        return _vectorised(_interpolant(algebraic(law)).cdf, x, "x")
    return _precise(law, x, dps, pointwise.cdf, "cdf")


def quantile(law: Any, p: Any, dps: int | None = None) -> Any:
    """The smallest x with P(X ≤ x) ≥ p, for 0 ≤ p ≤ 1; the lower end of the law at p = 0.

    Parameters as for `density`. Raises ValueError for p outside [0, 1].

    >>> from theory import marchenko_pastur
    >>> quantile(marchenko_pastur('1/4'), [0, 1])
    array([0.25, 2.25])
    """
    if dps is not None:
        number = rational(p, "p")
        _check_probability(np.asarray(float(number)), number)
        return _quantile(law, number, digits(dps))
    values = _floats(p, "p")
    _check_probability(values, p)
    return _shaped(_interpolant(algebraic(law)).quantile(values.ravel()), values)


def _quantile(law: Any, p: sp.Rational, dps: int) -> sp.Expr:
    curve = algebraic(law)
    number = fmpq(int(p.p), int(p.q))
    ball = pointwise.climb(
        dps, lambda bits: inversion.quantile(curve, number, dps, bits), "the quantile"
    )
    return pointwise.to_float(ball, dps)


def _check_probability(values: Any, given: Any) -> None:
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"p must lie in [0, 1]: got {given}")


def edges(law: Any, dps: int | None = None) -> tuple[Any, ...]:
    """The end points of the support's intervals, ascending: floats, or SymPy Floats with dps.

    They are found by following the physical sheet to the real axis, without any theorem about
    the law; `SpectralLaw.edges` gives them exactly, by proof.

    >>> from theory import marchenko_pastur
    >>> edges(marchenko_pastur('1/4'))
    (0.25, 2.25)
    >>> edges(marchenko_pastur('1/2'), dps=20)[0]
    0.085786437626904951198
    """
    curve = algebraic(law)
    wanted = _FLOAT_DIGITS if dps is None else digits(dps)
    balls = pointwise.climb(wanted, lambda bits: pointwise.edges(curve, bits), "the edges")
    if dps is None:
        return tuple(float(ball) for ball in balls)
    return tuple(pointwise.to_float(ball, wanted) for ball in balls)


def stieltjes(law: Any, z: Any, dps: int | None = None) -> Any:
    """G(z) = E[1/(z − X)] on the physical sheet: Im G < 0 above the axis, zG → 1 at infinity.

    Parameters
    ----------
    law : object with `.curve`, without free symbols
    z : complex number or array, off the support; with dps an exact number, or a SymPy number
        with rational real and imaginary parts
    dps : decimal digits of a SymPy number to return instead of complex128

    Raises
    ------
    ValueError : for a real z in the support, NaN and infinite z.

    >>> from theory import marchenko_pastur
    >>> stieltjes(marchenko_pastur('1/2'), '-1', dps=12)
    -0.561552812809
    """
    curve = algebraic(law)
    if dps is not None:
        real, imag = _exact_complex(z)
        value = pointwise.climb(digits(dps), lambda bits: _above(curve, real, imag, bits), "G")
        re, im = (pointwise.to_float(part, dps) for part in value)
        return re + sp.I * im if imag else re
    values = np.asarray(z, dtype=np.complex128)
    if not np.isfinite(values).all():
        raise ValueError(f"z must be finite: got {z}")
    flat = [_stieltjes_float(curve, complex(value)) for value in values.ravel()]
    return _shaped(np.array(flat, dtype=np.complex128), values)


def _stieltjes_float(curve: Algebraic, z: complex) -> complex:
    real, imag = (fmpq(*part.as_integer_ratio()) for part in (z.real, z.imag))
    value = pointwise.climb(_FLOAT_DIGITS, lambda bits: _above(curve, real, imag, bits), "G")
    return complex(float(value[0]), float(value[1]))


def _above(curve: Algebraic, real: fmpq, imag: fmpq, bits: int) -> tuple[Any, Any]:
    """Real and imaginary part of G, by its symmetry for z below the axis."""
    if imag == 0:
        value = pointwise.stieltjes(curve, real, bits)
    else:
        value = pointwise.stieltjes(curve, (real, abs(imag)), bits)
    return value.real, value.imag if imag > 0 else -value.imag


def _exact_complex(z: Any) -> tuple[fmpq, fmpq]:
    parts = z.as_real_imag() if isinstance(z, sp.Expr) and not z.is_Rational else (z, 0)
    numbers = [rational(part, "z") for part in parts]
    return fmpq(int(numbers[0].p), int(numbers[0].q)), fmpq(int(numbers[1].p), int(numbers[1].q))


def _precise(
    law: Any, x: Any, dps: int, compute: Callable[[Algebraic, fmpq, int], Any], what: str
) -> sp.Expr:
    curve, number, wanted = algebraic(law), rational(x, "x"), digits(dps)
    point = fmpq(int(number.p), int(number.q))
    ball = pointwise.climb(wanted, lambda bits: compute(curve, point, bits), f"the {what}")
    return pointwise.to_float(ball, wanted)


@lru_cache(maxsize=128)
def _interpolant(curve: Algebraic) -> Interpolant:
    bits = 128
    while bits <= 1 << 14:
        try:
            return Interpolant(*build(curve, bits))
        except Lost as lost:
            reason = lost
        bits *= 2
    raise ArithmeticError(f"no tables in float64 for this law: {reason}")


def _floats(x: Any, name: str) -> Any:
    given = np.asarray(x)
    # Dates, truth values, text and masks would turn into numbers that nobody meant.
    if given.dtype.kind not in "iufO" or isinstance(x, np.ma.MaskedArray):
        raise ValueError(f"{name} must be real numbers: got {x!r}")
    try:
        values = given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be real numbers within double precision") from None
    if np.isnan(values).any():
        raise ValueError(f"{name} must not be NaN: got {x}")
    return values


def _vectorised(function: Callable[[Any], Any], x: Any, name: str) -> Any:
    values = _floats(x, name)
    return _shaped(function(values.ravel()), values)


def _shaped(flat: Any, like: Any) -> Any:
    return flat.reshape(like.shape) if like.ndim else flat[0]
