"""Correlations of signs as data: families, and the test that a matrix is one at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import sympy as sp

from theory.algebra import Answer, exact
from theory.pooled.mixtures import feasible
from theory.pooled.weights import is_positive_semidefinite


def identity(T: int) -> sp.ImmutableMatrix:
    """Independent signs.

    >>> identity(2)
    Matrix([
    [1, 0],
    [0, 1]])
    """
    return blocks(T, [])


def ones(T: int) -> sp.ImmutableMatrix:
    """One sign for the whole sequence.

    >>> ones(1)
    Matrix([[1]])
    """
    return prefix(T, T)


def prefix(T: int, L: int) -> sp.ImmutableMatrix:
    """The first L positions share one sign; source A5p.

    >>> prefix(3, 2)
    Matrix([
    [1, 1, 0],
    [1, 1, 0],
    [0, 0, 1]])
    """
    return blocks(T, [range(_within(L, T))])


def suffix(T: int, L: int) -> sp.ImmutableMatrix:
    """The last L positions share one sign.

    >>> suffix(2, 1) == identity(2)
    True
    """
    return blocks(T, [range(T - _within(L, T), T)])


def blocks(T: int, sets: Iterable[Iterable[int]]) -> sp.ImmutableMatrix:
    """Disjoint sets of positions (from 0), each sharing a sign of its own.

    Raises
    ------
    ValueError : a position outside 0..T-1, or in two sets.

    >>> blocks(3, [[0, 2]])
    Matrix([
    [1, 0, 1],
    [0, 1, 0],
    [1, 0, 1]])
    """
    owner: dict[int, int] = {}
    for index, positions in enumerate(sets):
        for t in positions:
            if not 0 <= t < _count(T):
                raise ValueError(f"positions must lie in 0..T-1={T - 1}: got {t}")
            if t in owner:
                raise ValueError(f"positions must be distinct: got {t} twice")
            owner[t] = index
    return sp.ImmutableMatrix(
        _count(T), T, lambda s, t: int(s == t or (s in owner and owner[s] == owner.get(t)))
    )


def kac_murdock_szego(T: int, r: Any) -> sp.ImmutableMatrix:
    """R_st = r^|s−t|, |r| ≤ 1: a stationary chain of signs.

    >>> kac_murdock_szego(3, "1/2")[0, :]
    Matrix([[1, 1/2, 1/4]])
    """
    rate = exact(r, "r")
    if rate.is_number and not abs(rate) <= 1:
        raise ValueError(f"r must lie in -1..1: got {rate}")
    return sp.ImmutableMatrix(_count(T), T, lambda s, t: rate ** abs(s - t))


def user(entries: Any) -> sp.ImmutableMatrix:
    """A matrix of exact entries, checked: square, symmetric, unit diagonal, entries in −1..1; of
    numbers alone also positive semidefinite, and realisable by signs wherever that is decided.

    Raises
    ------
    TypeError : an entry is a float.
    ValueError : it is no correlation of signs; the message says why.

    >>> user([[1, "1/3"], ["1/3", 1]])[0, 1]
    1/3
    >>> user([[1, "-1/2", "-1/2"], ["-1/2", 1, "-1/2"], ["-1/2", "-1/2", 1]])
    Traceback (most recent call last):
        ...
    ValueError: R must be a correlation of signs: got - R[0,1] - R[0,2] - R[1,2] = 3/2 > 1
    """
    rows = entries.tolist() if isinstance(entries, sp.MatrixBase) else [list(r) for r in entries]
    if not rows or any(len(row) != len(rows) for row in rows):
        raise ValueError(f"R must be square: got {len(rows)} rows of {[len(r) for r in rows]}")
    R = sp.ImmutableMatrix(
        [[exact(x, f"R[{s},{t}]") for t, x in enumerate(row)] for s, row in enumerate(rows)]
    )
    for s, t in combinations(range(R.rows), 2):
        if R[s, t] != R[t, s]:
            raise ValueError(
                f"R must be symmetric: got R[{s},{t}] = {R[s, t]}, R[{t},{s}] = {R[t, s]}"
            )
    for t in range(R.rows):
        if R[t, t] != 1:
            raise ValueError(f"R must have a unit diagonal: got R[{t},{t}] = {R[t, t]}")
    for s, t in combinations(range(R.rows), 2):
        if R[s, t].is_number and not abs(R[s, t]) <= 1:
            raise ValueError(f"R must have entries in -1..1: got R[{s},{t}] = {R[s, t]}")
    if R.is_symbolic():
        return R
    if not is_positive_semidefinite(R):
        raise ValueError(f"R must be positive semidefinite: got {R}")
    found = realisable(R)
    if found.answer is Answer.NO:
        raise ValueError(f"R must be a correlation of signs: got {found.reason}")
    return R


@dataclass(frozen=True)
class Realisable:
    """Whether R = E ξξᵀ for random signs ξ, with what shows it.

    mixture : for YES by the linear programme, pairs (sign vector, probability) of one component
        after another; ±ξ stand for each other, so the mean is 0.
    reason : for NO the violated inequality, for UNKNOWN why it is not decided.
    """

    answer: Answer
    mixture: tuple[tuple[tuple[int, ...], sp.Expr], ...] = ()
    reason: str = ""


def realisable(R: sp.MatrixBase, largest: int = 6) -> Realisable:
    """Is R in the cut polytope, the convex hull of ξξᵀ over ξ ∈ {±1}^T?

    In this order: triangle inequalities (for every T); equal or opposite positions merged, and
    independent components taken apart; chains R_su = R_st R_tu, which are Markov; and an exact
    linear programme over the 2^(k−1) sign patterns of a component of k ≤ `largest` positions.

    Parameters
    ----------
    R : rational, symmetric, unit diagonal, positive semidefinite

    >>> realisable(kac_murdock_szego(3, "1/2")).answer
    <Answer.YES: 'yes'>
    """
    for s, t, u in combinations(range(R.rows), 3):
        triple = ((s, t), (s, u), (t, u))
        for b, c in product((1, -1), repeat=2):
            signs = (Fraction(-b), Fraction(-c), Fraction(-b * c))
            if b * R[s, t] + c * R[s, u] + b * c * R[t, u] < -1:
                reason = _violated(R, Fraction(-1), list(zip(signs, triple, strict=True)))
                return Realisable(Answer.NO, reason=reason)
    mixture: list[tuple[tuple[int, ...], sp.Expr]] = []
    for component in _components(R):
        part = R.extract(component, component)
        if _is_chain(part):
            continue
        if len(component) > largest:
            why = f"a component of {len(component)} positions, more than {largest}"
            return Realisable(Answer.UNKNOWN, reason=why)
        patterns = [(1, *rest) for rest in product((1, -1), repeat=len(component) - 1)]
        pairs = list(combinations(range(len(component)), 2))
        rows = [[1] * len(patterns), *([x[s] * x[t] for x in patterns] for s, t in pairs)]
        yes, numbers = feasible(rows, [Fraction(1), *(_fraction(part[pair]) for pair in pairs)])
        if not yes:
            terms = zip(numbers[1:], combinations(component, 2), strict=True)
            return Realisable(Answer.NO, reason=_violated(R, numbers[0], list(terms)))
        chances = zip(patterns, map(sp.Rational, numbers), strict=True)
        mixture.extend((x, chance) for x, chance in chances if chance != 0)
    return Realisable(Answer.YES, tuple(mixture))


def _components(R: sp.MatrixBase) -> Iterator[list[int]]:
    """Classes of positions tied by non-zero entries; of equal or opposite ones, the first."""
    kept = [t for t in range(R.rows) if not any(abs(R[s, t]) == 1 for s in range(t))]
    left = set(kept)
    while left:
        border, component = [min(left)], set()
        while border:
            s = border.pop()
            component.add(s)
            border.extend(t for t in left - component if R[s, t] != 0)
        left -= component
        yield sorted(component)


def _is_chain(R: sp.MatrixBase) -> bool:
    return all(
        R[s, u] == R[s, s + 1] * R[s + 1, u]
        for s in range(R.rows - 2)
        for u in range(s + 2, R.rows)
    )


def _violated(
    R: sp.MatrixBase, constant: Fraction, terms: Sequence[tuple[Fraction, tuple[int, int]]]
) -> str:
    """A bound that holds for every sign pattern and that R exceeds."""
    used = [(c, pair) for c, pair in terms if c != 0]
    text = "".join(
        f" {'+' if c > 0 else '-'} {'' if abs(c) == 1 else f'{abs(c)}*'}R[{s},{t}]"
        for c, (s, t) in used
    )
    value = sum((c.numerator * R[pair] / c.denominator for c, pair in used), sp.S.Zero)
    return f"{text.removeprefix(' + ').strip()} = {value} > {-constant}"


def _fraction(value: sp.Rational) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _count(T: int) -> int:
    if isinstance(T, bool) or not isinstance(T, int | sp.Integer):
        raise TypeError(f"T must be an integer: got {T!r}")
    if T < 1:
        raise ValueError(f"T must be at least 1: got {T}")
    return int(T)


def _within(L: int, T: int) -> int:
    if isinstance(L, bool) or not isinstance(L, int | sp.Integer):
        raise TypeError(f"L must be an integer: got {L!r}")
    if not 1 <= L <= _count(T):
        raise ValueError(f"L must lie in 1..T={T}: got {L}")
    return int(L)
