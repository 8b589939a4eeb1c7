"""Mixtures of sign patterns: exact linear feasibility with a certificate for either answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Row = list[Fraction]


def feasible(
    rows: Sequence[Sequence[int]], target: Sequence[Fraction]
) -> tuple[bool, tuple[Fraction, ...]]:
    """Is there p ≥ 0 with rows · p = target? With p, or with a y that shows there is none.

    Phase one of the simplex method on fractions, with Bland's rule, which cannot cycle. Either
    certificate is checked against the input before it is returned.

    Returns
    -------
    (True, p), or (False, y) with y · column ≤ 0 for every column and y · target > 0.

    >>> feasible([[1, 1], [1, -1]], [Fraction(1), Fraction(1, 2)])
    (True, (Fraction(3, 4), Fraction(1, 4)))
    >>> feasible([[1, 1], [1, -1]], [Fraction(1), Fraction(2)])
    (False, (Fraction(-1, 1), Fraction(1, 1)))
    """
    height, width = len(rows), len(rows[0])
    flips = [-1 if value < 0 else 1 for value in target]
    table = [
        [Fraction(flips[i] * x) for x in rows[i]]
        + [Fraction(i == j) for j in range(height)]
        + [Fraction(flips[i] * target[i])]
        for i in range(height)
    ]
    columns = [sum(column, Fraction(0)) for column in zip(*table, strict=True)]
    # Reduced gains of minus the sum of the artificial variables, which start as the basis.
    gains = [Fraction(0) if width <= j < width + height else c for j, c in enumerate(columns)]
    basis = list(range(width, width + height))
    while (enter := next((j for j in range(width) if gains[j] > 0), None)) is not None:
        candidates = [
            (row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > 0
        ]
        leave = min(candidates)[2]
        _pivot(table, gains, leave, enter)
        basis[leave] = enter
    if gains[-1] == 0:
        values = dict(zip(basis, (row[-1] for row in table), strict=True))
        chances = tuple(values.get(j, Fraction(0)) for j in range(width))
        if _products(rows, chances) != list(target):
            raise ArithmeticError("the probabilities must reproduce the target")
        return True, chances
    dual = tuple(flips[i] * (1 + gains[width + i]) for i in range(height))
    if not max(_products(list(zip(*rows, strict=True)), dual)) <= 0 < _products([target], dual)[0]:
        raise ArithmeticError("the inequality must separate the target")
    return False, dual


def _pivot(table: list[Row], gains: Row, leave: int, enter: int) -> None:
    pivot = table[leave][enter]
    table[leave] = [x / pivot for x in table[leave]]
    for row in [*(row for i, row in enumerate(table) if i != leave), gains]:
        factor = row[enter]
        if factor:
            row[:] = [x - factor * y for x, y in zip(row, table[leave], strict=True)]


def _products(
    rows: Sequence[Sequence[int | Fraction]], vector: Sequence[Fraction]
) -> list[Fraction]:
    return [sum((y * x for x, y in zip(row, vector, strict=True)), Fraction(0)) for row in rows]
