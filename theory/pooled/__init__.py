"""Source A (arXiv 2605.06826): pooled attention and sample covariance."""

from theory.pooled.symbols import alpha, delta, gamma, kappa, mu2, tokens, weight_sum

__all__ = ["alpha", "delta", "gamma", "kappa", "mu2", "tokens", "weight_sum"]
