"""Ridge classification of pooled features, for a population law given by its S-transform.

Features c_n = f_n h + g_n, g_n ~ N(0, κW), labels y_n = ±1, f_n = a y_n + r_n with r_n independent
of y_n, of variance τ₀ = α − a². The rule minimises (1/N) Σ (y_n − βᵀc_n)² + λ‖β‖².

Two signal-to-noise ratios meet here: α/κ moves the spike, a²/κ the classifier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import positive
from theory.pooled.symbols import gamma, kappa

label_sum = sp.Symbol("a_y", positive=True)
residual = sp.Symbol("tau_0", nonnegative=True)
strength = sp.Symbol("M_2", positive=True)
point = sp.Symbol("m_lambda", negative=True)

Transform = Callable[[sp.Expr], sp.Expr]


@dataclass(frozen=True)
class Equivalents:
    """What the resolvents tend to, at one point m of the curve of W, −1 < m < 0.

    ridge : the parameter λ at which this point is reached.
    leverage : e, the limit of tr(κW(S + λ)⁻¹)/N.
    A0, A1, A2 : the integrals of 1/(λ + st), t/(λ + st)², t²/(λ + st)² under W, s = κ/(1 + e).
    """

    ridge: sp.Expr
    leverage: sp.Expr
    A0: sp.Expr
    A1: sp.Expr
    A2: sp.Expr


def equivalents(s_transform: Transform) -> Equivalents:
    """The deterministic equivalents, as functions of m = `point`, γ and κ.

    The sample law W ⊠ MP_γ scaled by κ has the curve z(m) = s·z_W(m) with s = κ(1 + γm), and the
    resolvents at −λ are those of the population at −λ/s: one point m serves both. Derivatives in
    s at fixed λ follow from λ = −s z_W(m).

    Parameters
    ----------
    s_transform : m ↦ S(m) of the law of W, such as `law.s_transform`

    Source: the ridge accuracy behind A8.

    >>> equivalents(lambda m: sp.S.One).A0            # W = I: the integral is 1/(λ + s)
    -m_lambda/(kappa*(gamma*m_lambda + 1))
    """
    m = point
    z = (1 + m) / (m * s_transform(m))
    s = sp.Symbol("s_fixed", positive=True)
    ridge = -s * z
    resolvent, filtered = (1 + m) / ridge, -m / s
    # dm/ds at fixed λ, by the implicit function theorem.
    slope = -sp.diff(ridge, s) / sp.diff(ridge, m)
    scale = {s: kappa * (1 + gamma * m)}

    def at_fixed_ridge(expr: sp.Expr) -> sp.Expr:
        return sp.diff(expr, s) + sp.diff(expr, m) * slope

    # ∂(1/(λ + st))/∂s = −t/(λ + st)², where (1 + m)/λ is 1/(λ + st) with λ held.
    held = sp.Symbol("lambda_held", positive=True)
    first = -at_fixed_ridge((1 + m) / held).subs(held, ridge)
    second = -at_fixed_ridge(filtered)
    values = (ridge, gamma * kappa * filtered, resolvent, first, second)
    return Equivalents(*(sp.factor(sp.cancel(value.subs(scale))) for value in values))


@lru_cache(maxsize=16)
def squared_margin(s_transform: Transform) -> sp.Expr:
    """The square of `margin`: rational in all its symbols if the S-transform is.

    S = S₀ + x_f hᵀ + h x_fᵀ + α hhᵀ with x_f = Xf/N: a perturbation of rank two, solved by
    Woodbury. The noise βᵀκWβ is −d/dη of the form qᵀ(S + λ + ηκW)⁻¹q, along which e and A move.

    Symbols: `point` for λ, `label_sum` a = Σ_block w, `residual` τ₀, `strength` ‖h‖², γ, κ.
    """
    given = equivalents(s_transform)
    leverage, energy, first, second = sp.symbols("e A A1 A2", positive=True)
    form, projection = _perturbed(leverage, energy)
    # s moves with η as κ(1 − e'/(1 + e)²), and e = γκ∫t/(λ + st) with it: one linear equation.
    rate = sp.Symbol("e_rate")
    speed = kappa * (1 - rate / (1 + leverage) ** 2)
    moving = sp.solve(rate + gamma * kappa * second * speed, rate)[0]
    energy_rate = -strength * first * speed.subs(rate, moving)
    noise = -(sp.diff(form, leverage) * moving + sp.diff(form, energy) * energy_rate)
    squared = sp.factor(label_sum**2 * projection**2 / (noise + residual * projection**2))
    # The curve enters last: expanded over it the fraction would have thousands of terms.
    here = {
        leverage: given.leverage,
        energy: strength * given.A0,
        first: given.A1,
        second: given.A2,
    }
    return sp.factor(squared.subs(here))


def margin(s_transform: Transform) -> sp.Expr:
    """Mean over standard deviation of y βᵀc for a fresh sequence, in the limit."""
    return sp.sqrt(squared_margin(s_transform))


def accuracy(s_transform: Transform) -> sp.Expr:
    """The probability Φ(margin) that the sign of βᵀc is the label of a fresh sequence.

    Exact in the limit where the residual r is Gaussian (many tokens outside the block) or 0.
    """
    return (1 + sp.erf(margin(s_transform) / sp.sqrt(2))) / 2


def point_at(s_transform: Transform, ridge: Any, gamma_value: Any, kappa_value: Any) -> sp.Expr:
    """The point m of the curve at which λ is reached: exact, an isolated root.

    m falls from 0 as λ falls from ∞, so it is the largest negative root of λ(m) = λ. For digits,
    put `root.eval_rational(n=50)` into the formulas: an exact root inside them is slow.

    Parameters
    ----------
    s_transform : rational, without free symbols
    ridge, gamma_value, kappa_value : λ, γ, κ, exact and positive

    Raises
    ------
    ValueError : a parameter is not positive, or a free symbol is left.

    >>> point_at(lambda m: sp.S.One, "1/2", "1/2", 1)
    -2 + sqrt(2)
    """
    values = {gamma: positive(gamma_value, "gamma"), kappa: positive(kappa_value, "kappa")}
    wanted = positive(ridge, "ridge")
    gap = sp.together(equivalents(s_transform).ridge.subs(values) - wanted)
    if gap.free_symbols != {point}:
        raise ValueError(f"s_transform must be free of symbols: got {s_transform(point)}")
    roots = sp.Poly(sp.numer(gap), point).real_roots()
    return max((root for root in roots if root.is_negative), key=lambda root: sp.N(root, 30))


def _perturbed(leverage: sp.Expr, energy: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """qᵀ(S + λ)⁻¹q and hᵀ(S + λ)⁻¹q with q = x_y + a h, from e and A = hᵀ(S₀ + λ)⁻¹h.

    Under (S₀ + λ)⁻¹ the vectors x_y, x_f have the products of y, f over N times e/(1 + e), and
    are orthogonal to h.
    """
    total = label_sum**2 + residual
    share = leverage / (1 + leverage)
    products = sp.diag(total * share, energy)
    core = (sp.Matrix([[0, 1], [1, total]]).inv() + products).inv()
    with_q = sp.Matrix([label_sum * share, label_sum * energy])
    with_h = sp.Matrix([0, energy])
    form = share + label_sum**2 * energy - (with_q.T * core * with_q)[0]
    projection = label_sum * energy - (with_h.T * core * with_q)[0]
    return sp.factor(form), sp.factor(projection)
