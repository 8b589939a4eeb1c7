"""Letters of the softmax query model. Each prints with the subscript q.

The two sources use the same letters for different things, and SymPy merges symbols of equal
printed name silently: no name printed here is printed by `theory.pooled`.
"""

from __future__ import annotations

import sympy as sp

theta = sp.Symbol("theta_q", positive=True)  # strength of the hidden direction in a token
rho = sp.Symbol("rho_q", real=True)  # alignment of the query with the hidden direction
share = sp.Symbol("pi_q", positive=True)  # share R/L of the informative tokens, at most 1
b = sp.Symbol("b_q", positive=True)  # inverse temperature of the softmax
c = sp.Symbol("c_q", nonnegative=True)  # limit of d/L
d = sp.Symbol("d_q", positive=True, integer=True)  # dimension, at least 2
L = sp.Symbol("L_q", positive=True, integer=True)  # tokens in a sequence
R = sp.Symbol("R_q", positive=True, integer=True)  # informative ones among them
eta = sp.Symbol("eta_q", positive=True)  # step size
time = sp.Symbol("t_q", nonnegative=True)  # time of the flow: the sum of the steps
start = sp.Symbol("rho0_q", real=True)  # alignment at time 0
target = sp.Symbol("rho1_q", real=True)  # alignment to be reached
boundary = sp.Symbol("rhostar_q", negative=True)  # upper end of the trap around -1
