"""Exact expectations over the parts of the tokens perpendicular to the query.

Given the scores, the part of token i perpendicular to q is x_i = tau_i e + z_i: e is the
perpendicular part of the hidden direction, |e|^2 = 1 - rho^2, and z_i ~ N(0, I) in d - 1
dimensions. The softmax weights depend on the scores alone, so what is to be averaged is a
polynomial in scalar products of the x_i: a sum over the ways to pair the Gaussian factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.query.model import strength
from theory.query.sums import token_sum
from theory.query.symbols import d, rho

HIDDEN = -1  # the slot of e itself


@dataclass(frozen=True)
class Word:
    """A sum over token indices of scalar factors times scalar products, and maybe a vector.

    Parameters
    ----------
    factors : for each index, a polynomial in weight, strength and noise of its token
    dots : pairs of indices, <x_i, x_j> each; HIDDEN stands for e
    vector : the index of the x left open; None for a scalar

    The perpendicular part of the output, sum a_i x_i, is Word((weight,), (), 0).
    """

    factors: tuple[Any, ...]
    dots: tuple[tuple[int, int], ...] = ()
    vector: int | None = None

    def dot(self, other: Word) -> Word:
        """The scalar product of two vector words."""
        if self.vector is None or other.vector is None:
            raise ValueError("dot needs two vectors: got a scalar word")
        shift = len(self.factors)
        moved = tuple((_shifted(i, shift), _shifted(j, shift)) for i, j in other.dots)
        joined = (self.vector, _shifted(other.vector, shift))
        return Word(self.factors + other.factors, (*self.dots, *moved, joined))


def _shifted(index: int, shift: int) -> int:
    return index if index == HIDDEN else index + shift


def hidden() -> Word:
    """The vector e."""
    return Word((), (), HIDDEN)


def perpendicular_mean(words: Sequence[Word]) -> sp.Expr:
    """The expectation over z of a sum of scalar words, given the scores.

    Returns a polynomial in token sums, d and rho.

    >>> from theory.query.sums import weight
    >>> output = Word((weight,), (), 0)
    >>> perpendicular_mean([output.dot(output)])
    d_q*TokenSum(2, 0, 0) - rho_q**2*TokenSum(1, 1, 0)**2 + TokenSum(1, 1, 0)**2
    - TokenSum(2, 0, 0)
    """
    return sp.expand(sp.Add(*(_word_mean(word) for word in words)))


def _word_mean(word: Word) -> sp.Expr:
    """Every slot is its mean tau_i e, or paired with another slot of the same token."""
    slots = [index for pair in word.dots for index in pair]
    total = sp.Integer(0)
    for pairs, means in _choices(tuple(range(len(slots)))):
        if any(HIDDEN in (slots[i], slots[j]) for i, j in pairs):
            continue
        loops = _loops(len(slots), pairs)
        value = (d - 1) ** loops * (1 - rho**2) ** (len(means) // 2)
        for group in _groups(len(word.factors), [(slots[i], slots[j]) for i, j in pairs]):
            power = sum(slots[i] in group for i in means)
            value *= token_sum(sp.prod([word.factors[i] for i in group]) * strength**power)
        total += value
    return total


def _choices(
    slots: tuple[int, ...],
) -> Iterator[tuple[list[tuple[int, int]], list[int]]]:
    """All ways to pair some of the slots and leave the others single."""
    if not slots:
        yield [], []
        return
    first, rest = slots[0], slots[1:]
    for pairs, singles in _choices(rest):
        yield pairs, [first, *singles]
    for k, partner in enumerate(rest):
        for pairs, singles in _choices(rest[:k] + rest[k + 1 :]):
            yield [(first, partner), *pairs], singles


def _loops(count: int, pairs: Sequence[tuple[int, int]]) -> int:
    """Closed loops of slots: slot 2k is tied to 2k + 1 by a dot, and to its pair.

    Each closed loop is a trace of the identity in d - 1 dimensions; each open chain ends in
    two means and is worth <e, e>.
    """
    partner = dict(pairs) | {j: i for i, j in pairs}
    unseen, closed = set(range(count)), 0
    singles = [slot for slot in unseen if slot not in partner]
    for slot in [*singles, *range(count)]:
        at: int | None = slot
        began = at in unseen
        while at is not None and at in unseen:
            unseen -= {at, at ^ 1}
            at = partner.get(at ^ 1)
        closed += began and at is not None
    return closed


def _groups(count: int, pairs: Sequence[tuple[int, int]]) -> list[set[int]]:
    """The indices that the pairs force to be the same token."""
    groups = [{i} for i in range(count)]
    for i, j in pairs:
        joined = [group for group in groups if i in group or j in group]
        groups = [group for group in groups if group not in joined]
        groups.append(set().union(*joined))
    return groups
