"""Observables of attention weights and of ridge classification on token sequences.

Like `numerics.simulate.pooled`: functions of a size and a generator, for whatever repeats them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from numerics.pooling import Mask, mean_weights
from numerics.simulate.attention import attention_weights
from numerics.simulate.classifier import block_labels, ridge_accuracies
from numerics.simulate.families import SignFamily
from numerics.simulate.tokens import TokenModel


@dataclass(frozen=True, eq=False)
class CausalAttention:
    """Causal self-attention on the tokens themselves, with d = size and V/d fixed.

    Each sequence n has its own weights a_n, the column means of its attention matrix.
    Observables: 'weight', the mean over sequences of a_nt at `position`; 'norm', the mean of
    Σ_t a_nt²; 'gain', mean(f²)/mean(‖a‖²) with f_n = Σ_t a_nt ξ_nt, less the same for mean pooling
    of the same sequences.

    Parameters
    ----------
    vocabulary : V/d
    sequences : N, the same at every size
    signs : a family of numerics.simulate.signs
    mu2 : ‖μ‖²
    mask, tau : see numerics.simulate.attention
    position : counted from 1
    table : see TokenModel

    Source: A6, A7.
    """

    vocabulary: Fraction
    sequences: int
    signs: SignFamily
    mu2: Fraction
    mask: Mask
    tau: Fraction
    position: int
    table: str = "raw"

    def model(self, size: int) -> TokenModel:
        """The token model with d = size; its weights are those of mean pooling."""
        V = _whole(self.vocabulary * size, "V", size)
        weights = mean_weights(self.signs.T)
        return TokenModel(
            size, V, self.sequences, weights, self.signs, float(self.mu2), self.table
        )

    def expected(self, size: int) -> dict[str, float]:
        """The exact mean of f² under mean pooling."""
        return {"mean f^2": self.model(size).control_means()["mean f^2"]}

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: a table, its sequences, and their attention."""
        sample = self.model(size).sample(rng)
        weights = attention_weights(sample.table, sample.tokens, float(self.tau), self.mask)
        norm = float((weights**2).sum(axis=1).mean())
        attended = float(((weights * sample.signs).sum(axis=1) ** 2).mean())
        pooled = float((sample.signs.mean(axis=1) ** 2).mean())
        return {
            "weight": float(weights[:, self.position - 1].mean()),
            "norm": norm,
            "gain": attended / norm - pooled * self.signs.T,
            "mean f^2": pooled,
        }


@dataclass(frozen=True, eq=False)
class RidgeOnPooled:
    """Test accuracy of ridge on pooled features for several poolings of the same sequences.

    Observables: 'accuracy p' for each pooling p, and 'p − q' for each two, the difference of
    their accuracies: paired, since table, sequences and labels are shared.

    Parameters
    ----------
    vocabulary, sequences : V/d and N/d of the sequences that are fitted
    tried : how many fresh sequences of the same table, over d
    weightings : name → one rational per position
    signs : a family of numerics.simulate.signs
    label : positions (from 0) that share the label
    mu2 : ‖μ‖²
    parameter : λ
    table : see TokenModel

    Source: A8.
    """

    vocabulary: Fraction
    sequences: Fraction
    tried: Fraction
    weightings: Mapping[str, tuple[Fraction, ...]]
    signs: SignFamily
    label: tuple[int, ...]
    mu2: Fraction
    parameter: Fraction
    table: str = "class-centred"

    def expected(self, size: int) -> dict[str, float]:
        """No control has a known mean that would tell an accuracy."""
        return {}

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, float]:
        """One replicate: a table, sequences to fit and to try, every pooling on both."""
        V = _whole(self.vocabulary * size, "V", size)
        train = _whole(self.sequences * size, "N", size)
        count = train + _whole(self.tried * size, "the number tried", size)
        plain = mean_weights(self.signs.T)
        model = TokenModel(size, V, count, plain, self.signs, float(self.mu2), self.table)
        sample = model.sample(rng)
        weightings = {
            name: np.array([float(w) for w in weights])
            for name, weights in self.weightings.items()
        }
        found = ridge_accuracies(
            sample.table, sample.tokens, block_labels(sample.signs, self.label), weightings,
            [float(self.parameter)], train,
        )  # fmt: skip
        accuracy = {name: float(values[0]) for name, values in found.items()}
        row = {f"accuracy {name}": value for name, value in accuracy.items()}
        for p, q in combinations(accuracy, 2):
            row[f"{p} − {q}"] = accuracy[p] - accuracy[q]
        return row


def _whole(value: Fraction, name: str, size: int) -> int:
    if value.denominator != 1:
        raise ValueError(f"size must make {name}={value} an integer: got {size}")
    return int(value)
