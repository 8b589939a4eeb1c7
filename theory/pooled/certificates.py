"""Exact questions about pooling weights, functions of a correlation R: findings, not formulas.

The optimum is asked for by its definition, a maximum of α/κ over all w; nothing here looks at an
eigenvalue except `weights.optimum`, whose answer is what is being examined.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from theory.algebra import Answer, Finding, Undetermined, is_zero
from theory.pooled import weights
from theory.pooled.causal import length
from theory.pooled.correlations import prefix
from theory.pooled.symbols import tokens


def stationary(R: sp.MatrixBase) -> list[Finding]:
    """Does the gradient of α/κ vanish on every top eigenvector of R? (A5)

    >>> [finding.answer.value for finding in stationary(sp.ones(2))]
    ['yes']
    """
    best = weights.optimum(R)
    slopes = [entry for w in best.face for entry in weights.gradient(list(w), R)]
    answer = _all(is_zero(slope).answer for slope in slopes)
    return [Finding(answer, f"the gradient of α/κ vanishes on {_count(best)}")]


def maximal(R: sp.MatrixBase) -> list[Finding]:
    """Is λ, the value on the top eigenvectors, the largest α/κ? Exact pivots of λ − R. (A5)"""
    best = weights.optimum(R)
    attained = _all(
        is_zero(weights.ratio(list(w), R) - best.value).answer for w in best.face
    )
    bound = Answer.YES if weights.is_upper_bound(best.value, R) else Answer.NO
    return [
        Finding(attained, f"α/κ = {best.value} on {_count(best)}"),
        Finding(bound, f"{best.value} − R is positive semidefinite, so no w has a larger α/κ"),
    ]


def unique(R: sp.MatrixBase) -> list[Finding]:
    """Is the maximum attained by one w only, up to scale? (A5)

    >>> [finding.answer.value for finding in unique(sp.eye(2))]
    ['no']
    """
    best = weights.optimum(R)
    if best.unique:
        return [Finding(Answer.YES, f"{best.value} is a simple eigenvalue of R")]
    first, second = (list(w) for w in best.face[:2])
    return [Finding(Answer.NO, f"w = {first} and w = {second} both have α/κ = {best.value}")]


def whole_face(R: sp.MatrixBase) -> list[Finding]:
    """Is α/κ = λ for every combination of the top eigenvectors, and for nothing else? (A5)

    For λ − R positive semidefinite, wᵀ(λ − R)w = 0 iff (λ − R)w = 0; so the weights that attain
    the maximum are a space of dimension T less the rank of λ − R.
    """
    best = weights.optimum(R)
    free = sp.symbols(f"c1:{len(best.face) + 1}", real=True)
    mixed = sum((c * w for c, w in zip(free, best.face, strict=True)), sp.zeros(R.rows, 1))
    gap = sp.expand(weights.signal(list(mixed), R) - best.value * weights.squared_norm(list(mixed)))
    shifted = (best.value * sp.eye(R.rows) - R).applyfunc(sp.radsimp)
    dimension = R.rows - shifted.rank(simplify=sp.radsimp)
    whole = Answer.YES if dimension == len(best.face) else Answer.NO
    return [
        Finding(is_zero(gap).answer, f"α = {best.value}·κ on all combinations of {_count(best)}"),
        Finding(whole, f"the weights that attain the maximum are a space of dimension {dimension}"),
    ]


def on_the_block(R: sp.MatrixBase) -> list[Finding]:
    """Is the optimum constant on the block of the first position and 0 elsewhere? (A5p)"""
    best = weights.optimum(R)
    block = [sp.Integer(int(R[0, t] == 1)) for t in range(R.rows)]
    same = best.unique and sp.Matrix.hstack(best.face[0], sp.Matrix(block)).rank() == 1
    return [Finding(Answer.YES if same else Answer.NO, f"the optimum is proportional to {block}")]


def none_better_than_the_block(R: sp.MatrixBase) -> list[Finding]:
    """α ≤ Lκ for a block of L among any number of positions, by Lagrange's identity. (A5p)

    With S₁, S₂ the sums of w and w² over the block, α = S₁² + κ − S₂; L S₂ − S₁² is half the sum
    of (w_s − w_t)² over the block. The size of the block is that of R's first position.
    """
    size = sum(1 for t in range(R.rows) if R[0, t] == 1)
    w = sp.symbols(f"w1:{size + 1}", real=True)
    outside = sp.Symbol("outside", nonnegative=True)
    first, second = sum(w), sum(x**2 for x in w)
    alpha, kappa = first**2 + outside, second + outside
    squares = sum(((x - y) ** 2 for x in w for y in w), sp.S.Zero) / 2
    gap = size * kappa - alpha - ((size - 1) * outside + squares)
    return [Finding(is_zero(gap).answer, f"{size}κ − α is a sum of squares for every T")]


def non_negative(R: sp.MatrixBase) -> list[Finding]:
    """Has some optimum w ≥ 0, and is that implied by R ≥ 0? (Perron, Frobenius)"""
    best = weights.optimum(R)
    implied = weights.perron_frobenius(R)
    some = any(_one_sign(w) for w in best.face)
    return [
        Finding(Answer.YES if some else Answer.NO, "one of the optima has weights of one sign"),
        Finding(
            Answer.NO if implied is weights.NonNegative.NOT_IMPLIED else Answer.YES,
            f"R ≥ 0: a non-negative optimum is {implied.value}",
        ),
    ]


def both_signs_needed(R: sp.MatrixBase) -> list[Finding]:
    """Has the only optimum weights of both signs, and which w ≥ 0 is best?

    The bound for w ≥ 0: value − R less its positive entries off the diagonal is positive
    semidefinite, and the entries taken away only add to wᵀ(value − R)w.
    """
    best, allowed = weights.optimum(R), weights.best_nonnegative(R)
    mixed = best.unique and not _one_sign(best.face[0])
    attained = _all(
        is_zero(weights.ratio(list(w), R) - allowed.value).answer for w in allowed.face
    )
    margin = (allowed.value * sp.eye(R.rows) - R).as_mutable()
    for s in range(R.rows):
        for t in range(R.rows):
            if s != t and margin[s, t].is_positive:
                margin[s, t] = sp.S.Zero
    bound = Answer.YES if weights.is_positive_semidefinite(margin) else Answer.UNKNOWN
    return [
        Finding(Answer.YES if mixed else Answer.NO, f"the only optimum is {list(best.face[0])}"),
        Finding(attained, f"w = {list(allowed.face[0])} has α/κ = {allowed.value}"),
        Finding(bound, f"no w ≥ 0 has α/κ above {allowed.value}, by a copositive certificate"),
    ]


def prefix_gain_by_rank_one(R: sp.MatrixBase) -> sp.Expr:
    """The largest α/κ over that of mean pooling for a prefix of R's kind and any length. (A5p)

    R is 1ₗ1ₗᵀ on the prefix and 1 elsewhere, so by the matrix determinant lemma its eigenvalues
    other than 0 and 1 solve 1 − 1ₗᵀ1ₗ/x = 0. The mean's α counts the pairs of equal signs.

    Raises Undetermined for an R that is no prefix block.
    """
    _require_prefix(R)
    x = sp.Symbol("x", positive=True)
    (largest,) = sp.solve(1 - length / x, x)
    pairs = length * length + (tokens - length)
    return sp.cancel(largest / (pairs / tokens**2 / (tokens / tokens**2)))


def prefix_gain_by_symmetry(R: sp.MatrixBase) -> sp.Expr:
    """The same, by maximising over weights p on the prefix and q elsewhere.

    Permuting positions inside either part changes nothing, and averaging cannot lose where the
    optimum is simple; the stationary q/p is found by differentiation.

    Raises Undetermined for an R that is no prefix block.
    """
    _require_prefix(R)
    q = sp.Symbol("q", real=True)
    quotient = (length**2 + (tokens - length) * q**2) / (length + (tokens - length) * q**2)
    slope = sp.factor(sp.numer(sp.together(sp.diff(quotient, q))))
    stationary_points = sp.solve(slope, q)
    (best,) = (quotient.subs(q, point) for point in stationary_points)
    return sp.cancel(best / quotient.subs(q, 1))


def _require_prefix(R: sp.MatrixBase) -> None:
    size = sum(1 for t in range(R.rows) if R[0, t] == 1)
    if prefix(R.rows, size) != R:
        raise Undetermined(f"R must be a prefix block: got {R}")


def _one_sign(w: sp.MatrixBase) -> bool:
    return all(entry.is_nonnegative for entry in w) or all(entry.is_nonpositive for entry in w)


def _count(best: weights.Optimum) -> str:
    return f"{len(best.face)} top eigenvector{'s' if len(best.face) > 1 else ''}"


def _all(answers: Iterable[Answer]) -> Answer:
    found = set(answers)
    for answer in (Answer.NO, Answer.UNKNOWN):
        if answer in found:
            return answer
    return Answer.YES
