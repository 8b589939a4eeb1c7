"""Source A: pooled sequence models."""

from theory.pooled.symbols import alpha, delta, gamma, kappa, mu2, tokens, weight_sum

__all__ = ["alpha", "delta", "gamma", "kappa", "mu2", "tokens", "weight_sum"]
