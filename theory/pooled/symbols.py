"""The symbols of source A (arXiv 2605.06826). All are dimensionless."""

import sympy as sp

# Ratios d/V and d/N of the embedding dimension to the vocabulary and to the sample.
delta = sp.Symbol("delta", positive=True)
gamma = sp.Symbol("gamma", positive=True)
# Of the pooling weights: κ = Σw², α = wᵀRw, s = Σw; T is the length of a sequence.
kappa = sp.Symbol("kappa", positive=True)
alpha = sp.Symbol("alpha", positive=True)
weight_sum = sp.Symbol("s", positive=True)
tokens = sp.Symbol("T", integer=True, positive=True)
# The squared norm of the class mean μ.
mu2 = sp.Symbol("mu2", positive=True)
