"""The bulk of S at a fixed number of tokens, and its exact moments at finite size.

With M = (V/N) Σ a_n a_nᵀ, the matrix of weighted token counts, S = E M Eᵀ/V for the Gaussian part
of the table. Given M this is compound free Poisson with the eigenvalues of M as jumps, so the
free cumulants of S are δⁿ⁻¹ times the moments of M; and these are sums over trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import sympy as sp

from theory.laws.partitions import moment_by_partitions
from theory.pooled.covariance import ONES, SIGNS, TableKind, table_direction
from theory.pooled.symbols import alpha, delta, gamma, kappa, mu2, weight_sum

# Of the size itself, for statements about every size; fourth = Σw⁴.
d, V, N = sp.symbols("d V N", positive=True, integer=True)
fourth = sp.Symbol("w4", positive=True)


def power_sum(order: int, spread: bool = False) -> sp.Expr:
    """Σ_t w_t^order for even orders: κ, Σw⁴, …; those from 4 on vanish against κ if spread."""
    if order == 2:
        return kappa
    if spread:
        return sp.S.Zero
    return fourth if order == 4 else sp.Symbol(f"w{order}", positive=True)


def set_partitions(elements: Sequence[int]) -> Iterator[list[list[int]]]:
    """All partitions of a sequence into blocks.

    >>> sum(1 for _ in set_partitions(range(4)))
    15
    """
    if not elements:
        yield []
        return
    first, rest = elements[0], elements[1:]
    for partition in set_partitions(rest):
        yield [[first], *partition]
        for k, block in enumerate(partition):
            yield [*partition[:k], [first, *block], *partition[k + 1 :]]


@lru_cache(maxsize=32)
def count_moment(order: int, spread: bool = False) -> sp.Expr:
    """The limit of tr Mⁿ/V for V, N → ∞, V/N = c, at a fixed number of tokens (A1).

    tr Mⁿ sums a_{n₁}(v₁)a_{n₁}(v₂)a_{n₂}(v₂)… over sequences n_i and tokens v_i. Which of the n_i
    and of the v_i coincide are two set partitions; a choice survives in the limit iff the graph
    of sequences and the tokens they contain is a tree. In a sequence distinct tokens sit at
    distinct positions. The tokens' classes do not matter: a leaf of the tree sums s_v to 0.

    >>> sp.factor(count_moment(2)/kappa**2)
    (delta + gamma)/delta
    """
    ratio = gamma / delta
    total = sp.S.Zero
    steps = range(order)
    for sequences in set_partitions(steps):
        for tokens in set_partitions(steps):
            factor = _tree_factor(order, sequences, tokens, spread)
            total += ratio ** (order - len(sequences)) * factor
    return sp.expand(total)


def _tree_factor(
    order: int, sequences: list[list[int]], tokens: list[list[int]], spread: bool
) -> sp.Expr:
    """Π over sequences of E Π a_n(v)^j, in units of V^−edges; 0 unless the graph is a tree."""
    owner = {i: k for k, block in enumerate(tokens) for i in block}
    contents = []
    for block in sequences:
        multiplicity: dict[int, int] = {}
        for i in block:
            for token in (owner[i], owner[(i + 1) % order]):
                multiplicity[token] = multiplicity.get(token, 0) + 1
        contents.append(multiplicity)
    edges = sum(map(len, contents))
    # A closed walk visits everything, so the graph is connected: a tree iff it has this count.
    if len(sequences) + len(tokens) - edges != 1:
        return sp.S.Zero
    return sp.prod(_distinct_positions(list(m.values()), spread) for m in contents)


def _distinct_positions(orders: list[int], spread: bool) -> sp.Expr:
    """Σ over distinct positions t₁, t₂, … of Π w_{t_i}^{order_i}, by Möbius inversion."""
    total = sp.S.Zero
    for partition in set_partitions(range(len(orders))):
        term = sp.S.One
        for block in partition:
            size = len(block)
            term *= (-1) ** (size - 1) * sp.factorial(size - 1)
            term *= power_sum(sum(orders[i] for i in block), spread)
        total += term
    return total


def bulk_cumulant(order: int, spread: bool = False) -> sp.Expr:
    """The free cumulant of the limit law of S: δⁿ⁻¹ m_n(M), from R(G) = E[D/(1 − δDG)] (A1).

    >>> sp.factor(bulk_cumulant(4) - bulk_cumulant(4, spread=True))
    delta*gamma**2*w4**2
    """
    G, D = sp.symbols("G D")
    r_transform = D / (1 - delta * D * G)
    coefficient = sp.series(r_transform, G, 0, order).removeO().coeff(G, order - 1)
    (degree,) = sp.Poly(coefficient, D).monoms()[0]
    return sp.expand(coefficient.coeff(D, degree) * count_moment(degree, spread))


def bulk_moment(order: int, spread: bool = False) -> sp.Expr:
    """The limit moment of S: free cumulants summed over non-crossing partitions (Speicher).

    >>> bulk_moment(2, spread=True).factor()
    kappa**2*(delta + gamma + 1)
    """
    return moment_by_partitions(lambda n: bulk_cumulant(n, spread), order)


def few_token_mass_at_zero() -> sp.Expr:
    """P(x = 0) for sequences of one token: jumps are the Poisson counts of the tokens (A1).

    Each of N tokens misses a column of the table with the chance 1 − 1/V; what is left of the V
    columns makes a Wishart matrix in d dimensions, which has the rank that it can.
    """
    missed = (1 - 1 / V) ** (V * delta / gamma)
    used = 1 - sp.limit(missed, V, sp.oo)
    return 1 - sp.Min(1, used / delta)


def elementary_mean(order: int, kind: TableKind) -> sp.Expr:
    """E e_k(S)/C(d, k), e_k the elementary symmetric polynomial of the eigenvalues, at every size.

    By Cauchy–Binet, e_k of Σ x xᵀ is the sum of the Gram determinants of k of its vectors. Of the
    samples, N(N−1)…(N−k+1)/Nᵏ of the population's e_k is left. The population's vectors are V − 2
    Gaussian columns, h and b; a Gaussian column adds its mean squared distance from a span.

    >>> from theory.pooled.covariance import CLASS_CENTRED
    >>> sp.expand(elementary_mean(1, CLASS_CENTRED).subs(V, 2))
    alpha*mu2/d

    Only the first few have a variance that a simulation can use.
    """
    columns = V - 2
    total = sp.S.Zero
    for directions in ((), (SIGNS,), (ONES,), (SIGNS, ONES)):
        size = len(directions)
        if size > order:
            continue
        gaussian = order - size
        gram = _gram_mean(kind, directions)
        chosen = sp.ff(columns, gaussian) / sp.factorial(gaussian) * (kappa / V) ** gaussian
        distances = sp.prod(d - size - i for i in range(gaussian))
        total += gram * chosen * distances
    samples = sp.ff(N, order) / N**order
    return samples * total / (sp.ff(d, order) / sp.factorial(order))


def _gram_mean(kind: TableKind, directions: tuple[str, ...]) -> sp.Expr:
    """The mean Gram determinant of √α h and s b, those that are asked for."""
    strength = {SIGNS: alpha, ONES: weight_sum**2}
    lengths, noises = [], []
    for direction in directions:
        mean, noise = table_direction(kind, direction)
        lengths.append(mean + noise.subs(delta, d / V))
        noises.append(noise.subs(delta, d / V) / d)
    if not directions:
        return sp.S.One
    gram = sp.prod(lengths)
    if len(directions) == 2:
        # E(h·b)²: h = μ + noise, b noise alone, all components independent.
        gram -= noises[1] * mu2 + d * noises[0] * noises[1]
    return gram * sp.prod(strength[direction] for direction in directions)

