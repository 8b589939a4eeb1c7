"""Experiments on pooling as a user meets it: is the signal seen, and how well do labels follow?"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from numerics.simulate import signs
from numerics.simulate.families import SignFamily
from numerics.simulate.pooled import TopOfCovariance
from numerics.simulate.sequences import RidgeOnPooled
from theory.pooled import alpha, correlations, delta, gamma, kappa, mu2, ridge, weight_sum, weights
from theory.pooled.causal import Attention, Mean
from theory.pooled.comparisons import RidgeSetting, transform
from theory.pooled.covariance import CLASS_CENTRED
from theory.pooled.model import PooledModel
from verify.claim import Model
from verify.experiment import Experiment

Plan = Mapping[str, tuple[tuple[int, int], ...]]
Poolings = Mapping[str, tuple[sp.Expr, ...]]

TOP = {
    "quick": ((40, 64), (80, 48), (160, 32)),
    "standard": ((64, 400), (128, 220), (256, 100)),
    "full": ((128, 2500), (256, 1200), (512, 240)),
}
# A hidden signal's limits are approached slowly: the edge like d^(−2/3).
EDGE = {**TOP, "full": ((128, 1200), (256, 600), (512, 200), (1536, 32))}
ORDER = {
    "quick": ((40, 64), (80, 48), (160, 32)),
    "standard": ((50, 320), (100, 190), (200, 110)),
    "full": ((50, 2000), (100, 1200), (200, 600), (400, 120)),
}
SHORT = {
    "quick": ((48, 160), (96, 80), (192, 40)),
    "standard": ((48, 900), (96, 520), (192, 260)),
    "full": ((96, 2400), (192, 1200), (384, 400)),
}
# The smallest gap of all: at the edge of interpolation accuracies vary much from table to table,
# and small tables tell it at the least cost.
FLIP = {
    "quick": ((24, 700), (48, 400), (120, 120)),
    "standard": ((24, 1400), (48, 900), (120, 280)),
    "full": ((24, 8000), (48, 5000), (120, 1600)),
}
UNRELATED = {
    "quick": ((32, 48), (64, 40), (128, 32)),
    "standard": ((24, 600), (48, 400), (96, 160)),
    "full": ((48, 4000), (96, 2000), (192, 400)),
}
ONE = {
    "quick": ((48, 96), (96, 64), (192, 40)),
    "standard": ((48, 400), (96, 300), (192, 100)),
    "full": ((96, 1600), (192, 800), (384, 200)),
}


# --- is the signal seen? -----------------------------------------------------------------------


def _top(
    name: str, pooling: tuple[Fraction, ...], family: SignFamily, R: sp.MatrixBase, plan: Plan
) -> Model:
    """One pooling at the sizes V = 8d, N = 4d, ‖μ‖² = 1/4, its largest eigenvalue observed."""
    vocabulary, sequences, size = Fraction(8), Fraction(4), Fraction(1, 4)
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
    experiment = Experiment(f"detection/{name}", bindings, columns, simulation, plan)
    return Model(
        name, "T = 48, the first 8 share a sign, V = 8d, N = 4d, ‖μ‖² = 1/4",
        PooledModel(CLASS_CENTRED), (experiment,),
    )  # fmt: skip


_T, _L = 48, 8
# 1/6 and not 1/8 on the block: with weights of sum 1 the symbol α would be bound to 1.
optimal_pooling = _top(
    "optimal-pooling", (Fraction(1, 6),) * _L + (Fraction(0),) * (_T - _L),
    signs.prefix(_T, _L), correlations.prefix(_T, _L), TOP,
)  # fmt: skip
mean_pooling = _top(
    "mean-pooling", (Fraction(1, _T),) * _T, signs.prefix(_T, _L), correlations.prefix(_T, _L), EDGE
)


# --- ridge -------------------------------------------------------------------------------------


def _ridge(
    name: str, setting: RidgeSetting, family: SignFamily, columns: Mapping[str, str], plan: Plan,
    told: str, at: sp.Rational | None = None,
) -> Experiment:  # fmt: skip
    """The experiment of one setting; `told` is the pooling whose numbers are bound.

    at : the point m of the curve for that pooling, where λ was chosen by it
    """
    simulation = RidgeOnPooled(
        _fraction(1 / setting.delta), _fraction(1 / setting.gamma), Fraction(4),
        {name: tuple(map(_fraction, w)) for name, w in setting.poolings.items()},
        family, setting.label, _fraction(setting.mu2), _fraction(setting.parameter),
    )  # fmt: skip
    bindings = setting.numbers(told) | {mu2: setting.mu2}
    del bindings[ridge.strength]
    if at is not None:
        bindings[ridge.point] = at
    return Experiment(f"ridge/{name}", bindings, columns, simulation, plan)


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


def _many_tokens() -> Model:
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
    long = _ridge("long-block", setting, signs.prefix(T, L), columns, ORDER, "mean", at)
    return Model(
        "many-tokens", "the label is the sign of the first 16 of 64 positions, or 23 of 128",
        setting, (long, _short_vocabulary()),
    )  # fmt: skip


def _short_vocabulary() -> Experiment:
    """V = 2d/3 and a small λ: every term of the accuracy counts."""
    T, L = 128, 23
    at = sp.Rational(-1, 2)
    given = {delta: sp.Rational(3, 2), gamma: sp.Rational(1, 2), kappa: sp.Rational(1, T)}
    setting = _setting(
        correlations.prefix(T, L), range(L), {"mean": Mean().weights(T)}, _parameter(at, given),
        ("3/2", "1/2"), "1/10",
    )  # fmt: skip
    columns = {"accuracy": "accuracy mean"}
    return _ridge("short-vocabulary", setting, signs.prefix(T, L), columns, SHORT, "mean", at)


def _interpolation() -> Model:
    T, L = 128, 85
    poolings = {"causal": Attention("strict").weights(T), "mean": Mean().weights(T)}
    setting = _setting(
        correlations.prefix(T, L), range(L), poolings, sp.Rational(1, 2000), ("1/10", "1"), "1/10"
    )
    columns = {"causal − mean": "causal − mean"}
    return Model(
        "interpolation", "the label is the sign of the first 85 of 128 positions, V = 10d, N = d, "
        "λ = 1/2000", setting,
        (_ridge("interpolation", setting, signs.prefix(T, L), columns, FLIP, "mean"),),
    )  # fmt: skip


def _unrelated_block() -> Model:
    T, label, other = 48, range(16), range(16, 40)
    poolings = {"optimal": _block(T, other), "next": _block(T, label)}
    setting = _setting(
        correlations.blocks(T, [label, other]), label, poolings, sp.Rational(1, 10), ("1/2", "2/5"),
        "3/10",
    )  # fmt: skip
    columns = {"optimal − next": "optimal − next", "accuracy of the optimum": "accuracy optimal"}
    family = signs.blocks(T, [label, other])
    return Model(
        "unrelated-block", "of 48 positions a block of 16 carries the label, one of 24 does not",
        setting, (_ridge("unrelated-block", setting, family, columns, UNRELATED, "next"),),
    )  # fmt: skip


def _one_token() -> Model:
    at = sp.Rational(-2, 3)
    poolings = {"token": (sp.Rational(2, 3),)}
    given = {delta: sp.Rational(4, 3), gamma: sp.Rational(1, 2), kappa: sp.Rational(4, 9)}
    setting = _setting(
        correlations.identity(1), range(1), poolings, _parameter(at, given), ("4/3", "1/2"), "1/10"
    )
    columns = {"accuracy": "accuracy token"}
    return Model(
        "one-token", "sequences of one token, V = 3d/4, N = 2d: most tokens tried were fitted",
        setting, (_ridge("one-token", setting, signs.iid(1), columns, ONE, "token", at),),
    )  # fmt: skip


many_tokens = _many_tokens()
interpolation = _interpolation()
unrelated_block = _unrelated_block()
one_token = _one_token()
