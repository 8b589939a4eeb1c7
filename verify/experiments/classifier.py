"""Experiments on pooling as a user meets it: is the signal seen, and how well do labels follow?"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from numerics.simulate import signs
from numerics.simulate.pooled import TopOfCovariance
from numerics.simulate.sequences import RidgeOnPooled
from numerics.simulate.signs import SignFamily
from theory.pooled import alpha, correlations, delta, gamma, kappa, mu2, ridge, weight_sum, weights
from theory.pooled.causal import Attention, Mean
from theory.pooled.comparisons import RidgeSetting, transform
from theory.pooled.covariance import CLASS_CENTRED
from theory.pooled.outliers import PooledModel
from verify.claim import Model
from verify.experiment import Experiment

Plan = Mapping[str, tuple[tuple[int, int], ...]]
Poolings = Mapping[str, tuple[sp.Expr, ...]]

TOP = {
    "quick": ((48, 64), (96, 48), (192, 32)),
    "standard": ((64, 160), (128, 120), (256, 80), (512, 32)),
    "full": ((128, 600), (256, 400), (512, 200), (1024, 64)),
}
ORDER = {
    "quick": ((50, 64), (100, 40), (200, 32)),
    "standard": ((50, 160), (100, 80), (200, 64), (400, 32)),
    "full": ((100, 400), (200, 240), (400, 120), (800, 48)),
}
# The smallest gap: at the edge of interpolation accuracies vary much from table to table, and
# small tables tell it at the least cost.
FLIP = {
    "quick": ((24, 640), (64, 320), (160, 64)),
    "standard": ((24, 1600), (64, 1000), (160, 240)),
    "full": ((32, 8000), (64, 6000), (128, 3000), (256, 800)),
}
FEW = {
    "quick": ((48, 96), (96, 64), (192, 40)),
    "standard": ((48, 600), (96, 400), (192, 160)),
    "full": ((96, 2400), (192, 1200), (384, 400)),
}


# --- is the signal seen? -----------------------------------------------------------------------


def _top(name: str, pooling: tuple[Fraction, ...], family: SignFamily, R: sp.MatrixBase) -> Model:
    """One pooling at the sizes V = 8d, N = 4d, ‖μ‖² = 1/5, its largest eigenvalue observed."""
    vocabulary, sequences, size = Fraction(8), Fraction(4), Fraction(1, 5)
    w = tuple(map(sp.Rational, pooling))
    bindings = {
        delta: sp.Rational(1 / vocabulary), gamma: sp.Rational(1 / sequences),
        mu2: sp.Rational(size), kappa: weights.squared_norm(w), alpha: weights.signal(w, R),
        weight_sum: sum(w, sp.S.Zero),
    }  # fmt: skip
    simulation = TopOfCovariance(
        vocabulary, sequences, pooling, family, size, "class-centred", count=1
    )
    columns = {"largest eigenvalue": "eigenvalue 1", "its overlap": "overlap 1"}
    experiment = Experiment(f"detection/{name}", bindings, columns, simulation, TOP)
    return Model(
        name, f"T = 32, the first 8 share a sign, V = 8d, N = 4d, ‖μ‖² = 1/5; {name}",
        PooledModel(CLASS_CENTRED), (experiment,),
    )  # fmt: skip


_T, _L = 32, 8
# 1/6 and not 1/8 on the block: with weights of sum 1 the symbol α would be bound to 1.
optimal_pooling = _top(
    "optimal-pooling", (Fraction(1, 6),) * _L + (Fraction(0),) * (_T - _L),
    signs.prefix(_T, _L), correlations.prefix(_T, _L),
)  # fmt: skip
mean_pooling = _top(
    "mean-pooling", (Fraction(1, _T),) * _T, signs.prefix(_T, _L), correlations.prefix(_T, _L)
)


# --- ridge -------------------------------------------------------------------------------------


def _ridge(
    name: str, says: str, setting: RidgeSetting, family: SignFamily, columns: Mapping[str, str],
    plan: Plan, told: str, at: sp.Rational | None = None,
) -> Model:  # fmt: skip
    """A model with one experiment; `told` is the pooling whose numbers are bound.

    at : the point m of the curve for that pooling, where λ was chosen by it
    """
    simulation = RidgeOnPooled(
        _fraction(1 / setting.delta), _fraction(1 / setting.gamma), Fraction(4),
        {name: tuple(map(_fraction, w)) for name, w in setting.poolings.items()},
        family, range(min(setting.label), max(setting.label) + 1), _fraction(setting.mu2),
        _fraction(setting.parameter),
    )  # fmt: skip
    bindings = setting.numbers(told) | {mu2: setting.mu2}
    del bindings[ridge.strength]
    if at is not None:
        bindings[ridge.point] = at
    experiment = Experiment(f"ridge/{name}", bindings, columns, simulation, plan)
    return Model(name, says, setting, (experiment,))


def _parameter(at: sp.Rational, given: Mapping[sp.Symbol, sp.Expr]) -> sp.Rational:
    """The rational λ that is reached at a rational point m of the curve."""
    return ridge.equivalents(transform).ridge.subs({**given, ridge.point: at})


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _block(T: int, positions: range) -> tuple[sp.Expr, ...]:
    share = sp.Rational(1, len(positions))
    return tuple(share if t in positions else sp.S.Zero for t in range(T))


def _setting(
    R: sp.ImmutableMatrix, label: range, poolings: Poolings, parameter: sp.Rational,
    ratios: tuple[str, str], size: str,
) -> RidgeSetting:  # fmt: skip
    d, g = map(sp.Rational, ratios)
    return RidgeSetting(
        CLASS_CENTRED, d, g, sp.Rational(size), parameter, R, tuple(label), poolings
    )


def _ordered() -> Model:
    T, L = 64, 16
    at = sp.Rational(-3, 25)
    poolings = {
        "optimal": _block(T, range(L)), "causal": Attention("strict").weights(T),
        "mean": Mean().weights(T),
    }  # fmt: skip
    given = {delta: sp.Rational(1, 2), gamma: sp.Rational(2, 5), kappa: sp.Rational(1, T)}
    setting = _setting(
        correlations.prefix(T, L), range(L), poolings, _parameter(at, given), ("1/2", "2/5"), "3/10"
    )
    columns = {
        "optimal − next": "optimal − causal", "causal − mean": "causal − mean",
        "accuracy": "accuracy mean",
    }  # fmt: skip
    return _ridge(
        "many-tokens", "T = 64, the first 16 positions share the label, V = 2d, N = 5d/2, λ = 0.1",
        setting, signs.prefix(T, L), columns, ORDER, "mean", at,
    )  # fmt: skip


def _interpolating() -> Model:
    T, L = 128, 84
    poolings = {"causal": Attention("strict").weights(T), "mean": Mean().weights(T)}
    setting = _setting(
        correlations.prefix(T, L), range(L), poolings, sp.Rational(1, 2000), ("1/10", "1"), "1/10"
    )
    return _ridge(
        "interpolation", "T = 128, the first 84 positions share the label, V = 10d, N = d, "
        "λ = 1/2000", setting, signs.prefix(T, L), {"causal − mean": "causal − mean"}, FLIP, "mean",
    )  # fmt: skip


def _unrelated() -> Model:
    T, label, other = 48, range(16), range(16, 40)
    poolings = {"optimal": _block(T, other), "next": _block(T, label)}
    setting = _setting(
        correlations.blocks(T, [label, other]), label, poolings, sp.Rational(1, 10), ("1/2", "2/5"),
        "3/10",
    )  # fmt: skip
    columns = {"optimal − next": "optimal − next", "accuracy of the optimum": "accuracy optimal"}
    return _ridge(
        "unrelated-block", "T = 48, a block of 16 carries the label, one of 24 does not", setting,
        signs.blocks(T, [label, other]), columns, ORDER, "next",
    )  # fmt: skip


def _one_token() -> Model:
    at = sp.Rational(-2, 3)
    poolings = {"token": (sp.Rational(2, 3),)}
    given = {delta: sp.Rational(4, 3), gamma: sp.Rational(1, 2), kappa: sp.Rational(4, 9)}
    setting = _setting(
        correlations.identity(1), range(1), poolings, _parameter(at, given), ("4/3", "1/2"), "1/10"
    )
    return _ridge(
        "one-token", "sequences of one token, V = 3d/4, N = 2d: most tokens tried were fitted",
        setting, signs.iid(1), {"accuracy": "accuracy token"}, FEW, "token", at,
    )  # fmt: skip


many_tokens = _ordered()
interpolation = _interpolating()
unrelated_block = _unrelated()
one_token = _one_token()
