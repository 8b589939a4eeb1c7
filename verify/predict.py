"""What the theory says of a user's own sizes: will the top eigenvector see the signal?

Nothing is simulated. Sizes enter as exact ratios δ = d/V, γ = d/N; every number printed is a
decimal of an exact expression, or of weights in double precision where these have no closed form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from numerics.pooling import causal_weights, row_offset, temperature
from numerics.precise import evaluate
from theory.algebra import positive
from theory.pooled import ridge, visibility
from theory.pooled.comparisons import accuracy_at, squared_margin, transform
from theory.pooled.covariance import TableKind, signal, vocabulary_mean
from theory.pooled.symbols import alpha, delta, gamma, kappa, mu2, weight_sum
from verify.reading import realisable
from verify.sequences import Correlated, Signs
from verify.sizes import TABLES, Sizes
from verify.weighting import Weights

# To this length harmonic weights are summed as fractions; beyond, in double precision.
_EXACT_LENGTH = 512
_RIDGE_RANGE = 10**30
# Two spikes nearer than this many θ/√n are mixed by chance: their strengths at size n differ from
# the limits by about that much.
_MIXING = 3


@dataclass(frozen=True)
class Prediction:
    """What one pooling shows; all eigenvalues in units of S.

    strength : θ/κ of the signal, and of the vocabulary mean
    outlier, place : where the signal's eigenvalue lies, 'above', 'in the gap' or 'none'
    overlap : the squared overlap of its eigenvector with u, 0 where there is none
    vocabulary_mean, vocabulary_place : the same of the vocabulary mean's outlier
    mixed : whether the two outliers are too near to be told apart at these sizes
    critical : whether the strength is so near a threshold that the limit says little there
    seen : the answer to "will the top eigenvector see the signal?"
    least_sequences : the least N at which the signal's outlier is above the bulk; None for never
    least_sequences_on_top : the least N at which it is the top one; None for never
    accuracy : of ridge, None where there is no label or no λ
    """

    pooling: str
    kappa: float
    alpha_over_kappa: float
    lower_edge: float
    upper_edge: float
    signal_strength: float
    outlier: float | None
    place: str
    overlap: float
    vocabulary_strength: float
    vocabulary_mean: float | None
    vocabulary_place: str
    mixed: bool
    critical: bool
    seen: str
    least_sequences: int | None
    least_sequences_on_top: int | None
    accuracy: float | None


def poolings(
    signs: Signs, mask: str, tau: Fraction, given: Weights | None = None
) -> dict[str, Weights]:
    """Mean, causal and optimal weights for these signs, and the user's own if there are any."""
    T = signs.T
    found: dict[str, Weights] = {"mean": Weights((1,) * T, T)}
    row_offset(mask)
    temperature(float(tau))
    if T > 1 or mask == "inclusive":
        found["causal"] = _causal(T, mask, tau)
    found["optimal"] = signs.optimum()
    if given is not None:
        found["given"] = given
    return found


def predict(
    sizes: Sizes, signs: Signs, weightings: Mapping[str, Weights], parameter: Fraction | None = None
) -> list[Prediction]:
    """Every pooling's prediction, side by side.

    Parameters
    ----------
    sizes : of the token model
    signs : with the same T
    weightings : name → one weight per position
    parameter : λ of a ridge classifier of the block's sign, exact and positive; None for none

    Raises ValueError for λ ≤ 0, or λ with signs that have no block to label.
    """
    if parameter is not None:
        positive(parameter, "ridge")
        if not Fraction(1, _RIDGE_RANGE) <= parameter <= _RIDGE_RANGE:
            raise ValueError(f"ridge must lie in 1e-30..1e30: got {parameter}")
        if signs.label is None:
            raise ValueError(f"ridge needs signs with a block for a label: got {signs.says}")
    return [_one(sizes, signs, name, w, parameter) for name, w in weightings.items()]


def notes(sizes: Sizes, signs: Signs, weightings: Mapping[str, Weights]) -> list[str]:
    """What a reader should know beside the numbers."""
    found = []
    if "causal" not in weightings:
        found.append("causal pooling: a strict mask needs T ≥ 2")
    best = weightings["optimal"]
    squares = best.power_sum(2)
    if abs(signs.signal(best) - squares) < squares / 10**9:
        found.append("the largest α/κ is 1: the signs are independent, and all weights tie")
    if min(best.numerators) < 0:
        found.append("the optimal weights have both signs: attention weights cannot")
    if isinstance(signs, Correlated) and realisable(signs.R) is None:
        found.append("R: no three signs contradict it; whether signs have it was not decided")
    for name, w in weightings.items():
        if w.power_sum(4) > w.power_sum(2) ** 2 / 8:
            found.append(f"{name} pooling: fewer than 8 effective tokens; the limits are rough")
    if sizes.V % 2:
        found.append(f"V = {sizes.V} is odd: the two classes cannot be balanced")
    return found


def as_data(sizes: Sizes, signs: Signs, found: list[Prediction], said: list[str]) -> dict[str, Any]:
    """The prediction as JSON data."""
    given = {"d": sizes.d, "V": sizes.V, "N": sizes.N, "T": sizes.T, "mu2": str(sizes.mu2),
             "table": sizes.table, "signs": signs.says}  # fmt: skip
    return {"schema": 1, "given": given, "poolings": [asdict(p) for p in found], "notes": said}


def _one(
    sizes: Sizes, signs: Signs, name: str, w: Weights, parameter: Fraction | None
) -> Prediction:
    values = _values(sizes, signs, w)
    kind, ratios, unit = TABLES[sizes.table], (values[delta], values[gamma]), values[kappa]
    term = signal(kind)
    strength = term.strength.subs(values) / unit
    rival = vocabulary_mean(kind).strength.subs(values) / unit
    above = visibility.visible_above(strength, *ratios)
    below = not above and visibility.visible_below(strength, *ratios)
    outlier = visibility.outlier(strength, *ratios) if above or below else None
    rival_above = visibility.visible_above(rival, *ratios)
    rival_below = not rival_above and visibility.visible_below(rival, *ratios)
    same_side = (above and rival_above) or (below and rival_below)
    near = _near(strength, rival, sizes)
    thresholds = _thresholds_within_reach(strength, ratios, sizes)
    on_top = bool(rival > strength) and rival_above
    least = _least(strength, sizes)
    low, high = (_number(edge * unit) for edge in visibility.bulk(*ratios).edges)
    return Prediction(
        pooling=name,
        kappa=_number(unit),
        alpha_over_kappa=_number(values[alpha] / unit),
        lower_edge=low,
        upper_edge=high,
        signal_strength=_number(strength),
        outlier=None if outlier is None else _number(outlier[0] * unit),
        place="above" if above else "in the gap" if below else "none",
        overlap=0.0 if outlier is None else _number(outlier[1] * term.alignment.subs(values)),
        vocabulary_strength=_number(rival),
        vocabulary_mean=(
            _number(visibility.outlier(rival, *ratios)[0] * unit)
            if rival_above or rival_below
            else None
        ),
        vocabulary_place="above" if rival_above else "in the gap" if rival_below else "none",
        mixed=same_side and near,
        critical=bool(thresholds),
        seen=_answer(above, below, rival_above and near, any(x > 0 for x in thresholds), on_top),
        least_sequences=least,
        least_sequences_on_top=None if rival >= strength else least,
        accuracy=None if parameter is None else _accuracy(kind, signs, w, values, parameter),
    )


def _values(sizes: Sizes, signs: Signs, w: Weights) -> dict[sp.Symbol, sp.Expr]:
    return {
        **sizes.ratios,
        mu2: sp.Rational(sizes.mu2),
        kappa: sp.Rational(w.power_sum(2)),
        alpha: sp.Rational(signs.signal(w)),
        weight_sum: sp.Rational(w.power_sum(1)),
    }


def _answer(above: bool, below: bool, near: bool, critical: bool, second: bool) -> str:
    """Will the top eigenvector see the signal?

    near : the vocabulary mean has an outlier above the bulk, of about the signal's strength
    critical : the threshold of the outlier above the bulk is within reach
    second : the vocabulary mean has an outlier above the bulk, of more strength
    """
    if second and not near:
        # On which side of its own threshold the signal falls is nothing to the top eigenvector.
        place = ", the signal is second" if above and not critical else ""
        return f"no: the vocabulary mean is on top{place}"
    if critical:
        return "cannot tell: at these sizes it is within reach of the threshold"
    if above and near:
        return "partly: it mixes with the vocabulary mean"
    if above:
        return "yes"
    if below:
        return "no: the outlier lies below the bulk"
    return "no: the signal stays in the bulk"


def _near(strength: sp.Expr, rival: sp.Expr, sizes: Sizes) -> bool:
    scale = sp.Max(strength, rival)
    return bool((strength - rival) ** 2 * sizes.smallest < _MIXING**2 * scale**2)


def _thresholds_within_reach(
    strength: sp.Expr, ratios: tuple[sp.Expr, sp.Expr], sizes: Sizes
) -> list[sp.Expr]:
    """The critical x_c with |x/x_c − 1| < n^(−1/3): outlier and edge fluctuate into each other.

    n is the smallest of d, V and N: the rank of S, and what limits repeat over. Below x_c > 0 the
    outlier above the bulk disappears, above x_c < 0 the one below it.
    """
    x = strength - ratios[0]
    return [
        root for root in visibility.critical_excesses(*ratios)
        if sizes.smallest * abs((x - root).evalf(20)) ** 3 < abs(root.evalf(20)) ** 3
    ]  # fmt: skip


def _least(strength: sp.Expr, sizes: Sizes) -> int | None:
    """The least N with d/N below the critical γ; None where the population shows nothing."""
    shape = sizes.ratios[delta]
    if not (strength > shape and (strength - shape) ** 2 > shape):
        return None
    critical = visibility.critical_gamma(strength, shape)
    return int(sp.floor(sizes.d / critical)) + 1


def _accuracy(
    kind: TableKind, signs: Signs, w: Weights, values: Mapping[sp.Symbol, sp.Expr],
    parameter: Fraction,
) -> float:  # fmt: skip
    assert signs.label is not None
    inside = sp.Rational(w.power_sum(1, signs.label))
    numbers = {
        **values, ridge.label_sum: inside, ridge.residual: values[alpha] - inside**2,
        ridge.point: _point(values, sp.Rational(parameter)),
    }  # fmt: skip
    if inside == 0:
        return 0.5
    return _number(accuracy_at(squared_margin(kind), numbers))


def _point(values: Mapping[sp.Symbol, sp.Expr], parameter: sp.Expr) -> sp.Rational:
    """The point of the curve at which λ is reached, to 40 digits."""
    root = ridge.point_at(
        lambda m: transform(m).subs(delta, values[delta]), parameter, values[gamma], values[kappa]
    )
    return sp.Rational(str(evaluate(root, dps=40)))


@lru_cache(maxsize=8)
def _causal(T: int, mask: str, tau: Fraction) -> Weights:
    """The harmonic weights, as fractions where e^τ does not enter and T is not too long."""
    if T > _EXACT_LENGTH or (mask == "inclusive" and tau != 0):
        return Weights.of_doubles(causal_weights(T, mask, float(tau)))  # type: ignore[arg-type]
    first = 1 if mask == "strict" else 0
    weights, tail = [], Fraction(0)
    for t in range(T, 0, -1):
        # A row i attends to t if t < i (strict) or t ≤ i, and has i − 1 or i positions to see.
        if t + first <= T:
            tail += Fraction(1, t)
        weights.append(tail / (T - first))
    return Weights.of(reversed(weights))


def _number(value: sp.Expr) -> float:
    number = float(evaluate(value, dps=17)) if value != 0 else 0.0
    if not math.isfinite(number):
        raise ValueError(f"the prediction must be finite: got {number}")
    return number
