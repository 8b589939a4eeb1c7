"""The token model of source A: a random table, sequences of its tokens, their pooled sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from numerics.eigenpairs import Eigenpairs, top_eigenpairs
from numerics.simulate.families import SignFamily

TABLES = ("raw", "centred", "class-centred")


@dataclass(frozen=True, eq=False)
class TokenModel:
    """Table E = μsᵀ + Z of shape (d, V), N sequences of T tokens, pooled with weights w.

    Columns e_v = s_v μ + z_v with s_v = ±1 balanced (the first V/2 are +1), z_v ~ N(0, I_d)
    and ‖μ‖² = mu2. A sequence draws signs ξ from `signs`, then each token from the class of its
    sign, uniformly or by `frequencies`; c_n = Σ_t w_t X_t and S = (1/N) Σ c_n c_nᵀ.

    Parameters
    ----------
    d, V, N : positive integers, V even
    weights : float array of shape (T,), finite, not all 0
    signs : a family of numerics.simulate.signs with the same T
    mu2 : ‖μ‖², positive and finite
    table : 'raw'; 'centred', the mean token removed from every column; or 'class-centred', the
        mean of the noise removed within each class, so that the class means are ±μ
    frequencies : relative frequencies of a class's tokens, shape (V/2,), positive and finite, the
        same for both classes; None for equal ones
    centred_sample : whether the mean c̄ of the pooled vectors is taken out of each before S

    Raises
    ------
    ValueError : any of these rules broken, naming the argument, the rule and the value.

    Source: section "Model" of A.

    >>> from numerics.simulate import signs
    >>> model = TokenModel(d=4, V=8, N=16, weights=[0.5, 0.5], signs=signs.iid(2), mu2=1.0)
    >>> model.sample(np.random.default_rng(0)).covariance.shape
    (4, 4)
    """

    d: int
    V: int
    N: int
    weights: Any
    signs: SignFamily
    mu2: float
    table: str = "raw"
    centred_sample: bool = False
    frequencies: Any = None

    def __post_init__(self) -> None:
        for name in ("d", "V", "N"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
                raise ValueError(f"{name} must be a positive integer: got {value!r}")
        if self.V % 2:
            raise ValueError(f"V must be even, for balanced classes: got {self.V}")
        if self.table not in TABLES:
            raise ValueError(f"table must be one of {', '.join(TABLES)}: got {self.table!r}")
        if not hasattr(self.signs, "correlation"):
            raise ValueError(
                f"signs must be a family of numerics.simulate.signs: got {self.signs!r}"
            )
        object.__setattr__(self, "weights", _weights(self.weights, self.signs.T))
        try:
            mu2 = float("nan") if isinstance(self.mu2, bool) else float(self.mu2)
        except (TypeError, ValueError):
            mu2 = float("nan")
        if not (np.isfinite(mu2) and mu2 > 0):
            raise ValueError(f"mu2 must be positive and finite: got {self.mu2!r}")
        object.__setattr__(self, "mu2", mu2)
        if not isinstance(self.centred_sample, bool):
            raise ValueError(f"centred_sample must be True or False: got {self.centred_sample!r}")
        object.__setattr__(self, "frequencies", _frequencies(self.frequencies, self.V // 2))

    @cached_property
    def class_chances(self) -> NDArray[np.float64]:
        """The chance of each token of a class, given its class: shape (V/2,), of sum 1."""
        if self.frequencies is None:
            return np.full(self.V // 2, 2 / self.V)
        # The largest first, so that no sum overflows.
        relative = self.frequencies / self.frequencies.max()
        return np.asarray(relative / relative.sum())

    @property
    def coincidence(self) -> float:
        """The chance that two independent tokens are the same, Σ p_v²: 1/V for equal ones."""
        return float(self.class_chances @ self.class_chances) / 2

    def sample(self, rng: np.random.Generator) -> TokenSample:
        """One draw of the table and of the sequences."""
        table = rng.standard_normal((self.d, self.V))
        halves = table.reshape(self.d, 2, self.V // 2)
        if self.table == "centred":
            table -= (halves @ self.class_chances).mean(axis=1, keepdims=True)
        if self.table == "class-centred":
            halves -= (halves @ self.class_chances)[:, :, None]
        # The noise is isotropic, so μ may as well lie along the first axis.
        table[0, : self.V // 2] += np.sqrt(self.mu2)
        table[0, self.V // 2 :] -= np.sqrt(self.mu2)
        signs = self.signs.sample(rng, self.N)
        tokens = self._tokens(rng, signs.shape)
        tokens += (signs < 0) * np.int32(self.V // 2)
        return TokenSample(self, table, tokens, signs)

    def mean_trace(self) -> float:
        """E tr S, exactly: E‖c_n‖², less E‖c̄‖² for a centred sample.

        One position contributes w_t² E‖e_v‖²; two positions w_t w_t′ E⟨e_v, e_v′⟩, where a pair
        of tokens has the chance p_v p_v′ (1 + R s_v s_v′).
        """
        w, R = self.weights, self.signs.correlation
        pairs = np.outer(w, w)
        np.fill_diagonal(pairs, 0.0)
        # The noise of the mean token b, and of h; and how much of a column is projected out.
        spread = self.d * self.coincidence
        removed = {"raw": 0, "centred": 1, "class-centred": 2}[self.table]
        own = self.d - removed * spread
        shared = {"raw": 1 + R, "centred": R, "class-centred": 0 * R}[self.table] * spread
        total = float((w @ w) * (self.mu2 + own) + (pairs * (R * self.mu2 + shared)).sum())
        if self.centred_sample:
            # Two sequences have the mean product (Σw)² E‖b‖², b the mean of all columns.
            mean = float(w.sum()) ** 2 * spread if self.table == "raw" else 0.0
            total = (1 - 1 / self.N) * (total - mean)
        return total

    def _tokens(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int32]:
        """Tokens of a class, by their chances."""
        if self.frequencies is None:
            return rng.integers(0, self.V // 2, size=shape, dtype=np.int32)
        drawn = np.searchsorted(np.cumsum(self.class_chances), rng.random(shape), side="right")
        # The last sum may round to less than 1.
        return np.minimum(drawn, self.V // 2 - 1).astype(np.int32)

    def control_means(self) -> dict[str, float]:
        """Exact finite-size means of `TokenSample.controls`, for those that vary at all."""
        noise = self.d * self.coincidence
        alpha = float(self.weights @ self.signs.correlation @ self.weights)
        means = {"mean f": 0.0, "mean f^2": alpha}
        if self.table != "class-centred":
            means |= {"h.h": self.mu2 + noise, "h.u": float(np.sqrt(self.mu2))}
        if self.table == "raw":
            means |= {"b.b": noise, "h.b": 0.0}
        return means


def _frequencies(frequencies: ArrayLike | None, count: int) -> NDArray[np.float64] | None:
    if frequencies is None:
        return None
    try:
        array = np.array(frequencies, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"frequencies must be real numbers: got {frequencies!r}") from None
    if array.shape != (count,):
        raise ValueError(f"frequencies must have shape ({count},), V/2: got {array.shape}")
    wrong = ~(np.isfinite(array) & (array > 0))
    if wrong.any():
        raise ValueError(f"frequencies must be positive and finite: got {array[wrong][0]}")
    array.setflags(write=False)
    return array


def _weights(weights: ArrayLike, T: int) -> NDArray[np.float64]:
    try:
        array = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"weights must be real numbers: got {weights!r}") from None
    if array.shape != (T,) or T == 0:
        raise ValueError(f"weights must have shape ({T},), one per position: got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"weights must be finite: got {array[~np.isfinite(array)][0]}")
    if not array.any():
        raise ValueError("weights must not all be 0")
    array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False)
class TokenSample:
    """One draw of a `TokenModel`.

    table : float array of shape (d, V)
    tokens : int array of shape (N, T), column numbers of the table
    signs : int8 array of shape (N, T)
    """

    model: TokenModel
    table: NDArray[np.float64]
    tokens: NDArray[np.int32]
    signs: NDArray[np.int8]

    @property
    def direction(self) -> NDArray[np.float64]:
        """u = μ/‖μ‖, shape (d,)."""
        u = np.zeros(self.model.d)
        u[0] = 1.0
        return u

    @cached_property
    def class_means(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean tokens of the classes +1 and −1, each of shape (d,)."""
        half, chances = self.model.V // 2, self.model.class_chances
        return self.table[:, :half] @ chances, self.table[:, half:] @ chances

    @cached_property
    def counts(self) -> csr_array:
        """Row n is Σ_t w_t e_{v_t}, the weighted token counts of sequence n; shape (N, V)."""
        N, T = self.tokens.shape
        data = np.broadcast_to(self.model.weights, (N, T)).ravel()
        indptr = np.arange(0, N * T + 1, T, dtype=np.int32)
        return csr_array((data, self.tokens.ravel(), indptr), shape=(N, self.model.V))

    @property
    def pooled(self) -> NDArray[np.float64]:
        """The vectors c_n as rows, shape (N, d); less their mean for a centred sample."""
        return self.centred(np.asarray(self.counts @ self.table.T))

    def centred(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows of one sequence each, less their mean if the model says so."""
        return rows - rows.mean(axis=0) if self.model.centred_sample else rows

    @property
    def covariance(self) -> NDArray[np.float64]:
        """S = (1/N) Σ c_n c_nᵀ, shape (d, d), formed in full."""
        pooled = self.pooled
        return np.asarray(pooled.T @ pooled / self.model.N)

    def apply_covariance(self, vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """S·vector without forming S: two passes over the table, two over the tokens."""
        pooled = self.centred(np.asarray(self.counts @ (vector @ self.table)))
        return np.asarray(self.table @ (self.counts.T @ pooled) / self.model.N)

    def top_eigenpairs(self, count: int) -> Eigenpairs:
        """The `count` largest eigenvalues of S, descending, with unit eigenvectors."""
        return top_eigenpairs(self.apply_covariance, self.model.d, count, lambda: self.covariance)

    @cached_property
    def controls(self) -> dict[str, float]:
        """Realised entries whose finite-size means are known; see `TokenModel.control_means`.

        With b, h the mean and half difference of the class means and f_n = Σ_t w_t ξ_nt: mean f,
        mean f², ‖h‖², ⟨h, u⟩, ‖b‖², ⟨h, b⟩.
        """
        first, second = self.class_means
        h, b = (first - second) / 2, (first + second) / 2
        f = self.signs @ self.model.weights
        entries = {
            "mean f": f.mean(), "mean f^2": (f**2).mean(), "h.h": h @ h,
            "h.u": h @ self.direction, "b.b": b @ b, "h.b": h @ b,
        }  # fmt: skip
        return {name: float(value) for name, value in entries.items()}
