"""Free cumulants and moments through non-crossing partitions: the second route to both.

E[xⁿ] = Σ over the non-crossing partitions of n points of the product of κ_|block| (Speicher 1994).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy as sp

Partition = tuple[tuple[int, ...], ...]


def non_crossing(points: tuple[int, ...]) -> Iterator[Partition]:
    """All non-crossing partitions of points in a row; Catalan many.

    >>> sum(1 for _ in non_crossing((1, 2, 3, 4)))
    14
    """
    if not points:
        yield ()
        return
    first, rest = points[0], points[1:]
    for block in _blocks(rest):
        whole = (first, *block)
        # What lies between two neighbours of a block, or after it, stays among itself.
        cuts = [rest.index(b) for b in block]
        starts, ends = [0, *(c + 1 for c in cuts)], [*cuts, len(rest)]
        gaps = [rest[a:b] for a, b in zip(starts, ends, strict=True)]
        for parts in _products(gaps):
            yield (whole, *parts)


def _blocks(points: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All subsets, each in its order."""
    if not points:
        yield ()
        return
    for tail in _blocks(points[1:]):
        yield tail
        yield (points[0], *tail)


def _products(gaps: list[tuple[int, ...]]) -> Iterator[Partition]:
    if not gaps:
        yield ()
        return
    for head in non_crossing(gaps[0]):
        for tail in _products(gaps[1:]):
            yield (*head, *tail)


def moment_by_partitions(cumulant: Callable[[int], sp.Expr], n: int) -> sp.Expr:
    """E[xⁿ] from the free cumulants.

    >>> moment_by_partitions(lambda k: sp.S.One, 4)
    14
    """
    points = tuple(range(1, n + 1))
    of_size = {size: cumulant(size) for size in points}
    total = sum(
        (sp.prod([of_size[len(block)] for block in p]) for p in non_crossing(points)), sp.S.Zero
    )
    return sp.expand(total)


def free_cumulant_by_partitions(moment: Callable[[int], sp.Expr], n: int) -> sp.Expr:
    """κₙ from the moments: what E[xⁿ] has beyond the partitions with smaller blocks.

    >>> [free_cumulant_by_partitions(lambda k: sp.catalan(k), n) for n in (1, 2, 3)]
    [1, 1, 1]
    """
    known: dict[int, sp.Expr] = {}
    for order in range(1, n + 1):
        known[order] = sp.S.Zero
        known[order] = sp.expand(moment(order) - moment_by_partitions(known.__getitem__, order))
    return known[n]
