import sympy as sp

delta, gamma, kappa, alpha, mu2 = sp.symbols("delta gamma kappa alpha mu2", positive=True)
weight_sum = sp.Symbol("s", positive=True)
tokens = sp.Symbol("T", integer=True, positive=True)
