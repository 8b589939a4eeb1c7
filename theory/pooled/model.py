"""What a derivation needs to know of a pooled token model."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from theory.pooled.covariance import SIGNS, TableKind, signal, table_direction
from theory.pooled.symbols import delta, kappa


@dataclass(frozen=True)
class PooledModel:
    """What a derivation needs to know of a token model.

    table : how the table is prepared
    spikes_apart : False where signal and vocabulary mean have the same strength in the limit;
        then the outliers' eigenvectors are random combinations of both
    spread : whether no position keeps a share of the weight, Σw⁴/κ² → 0
    one_token : whether sequences have a single token
    short_vocabulary : whether V < d
    long_vocabulary : whether V grows faster than d, δ → 0
    centred_sample : whether c̄ is taken out of the pooled vectors
    """

    table: TableKind
    spikes_apart: bool = True
    spread: bool = True
    one_token: bool = False
    short_vocabulary: bool = False
    long_vocabulary: bool = False
    centred_sample: bool = False

    def limit(self, expr: sp.Expr) -> sp.Expr:
        """What becomes of an expression in δ, where the model says what becomes of δ.

        >>> from theory.pooled.covariance import RAW
        >>> PooledModel(RAW, long_vocabulary=True).limit(1 + delta)
        1
        """
        return expr.subs(delta, 0) if self.long_vocabulary else expr


def strength_told(model: PooledModel) -> str:
    """Where the signal's strength comes from, for a table of this kind, in words.

    >>> from theory.pooled.covariance import CLASS_CENTRED
    >>> print(strength_told(PooledModel(CLASS_CENTRED)))
    half the difference of the class means has the squared length mu2 + 0 of signal and of table
    noise, hence strength/kappa = alpha*mu2/kappa over the bulk kappa*MP_delta
    """
    mean, noise = table_direction(model.table, SIGNS)
    return (
        f"half the difference of the class means has the squared length {mean} + {noise} of "
        "signal and of table noise, hence strength/kappa = "
        f"{signal(model.table).strength / kappa} over the bulk kappa*MP_delta"
    )
