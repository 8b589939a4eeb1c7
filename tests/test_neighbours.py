"""False neighbours that are not rational: harmonic numbers, logarithms, poles, complex values."""

import pytest
import sympy as sp

from verify.claims.causal import CLAIMS
from verify.evidence.neighbours import _differs, _witnesses, examine
from verify.registry import items

T = sp.Symbol("T", integer=True, positive=True)
f = sp.Symbol("f", positive=True)


@pytest.mark.parametrize(
    ("mutant", "formula", "told"),
    [
        (sp.harmonic(T - 1), sp.harmonic(T), True),
        (sp.harmonic(1 - T), sp.harmonic(T - 1), True),  # a pole at integers
        (f**2 * sp.log(-f), f**2 * sp.log(f), True),  # not real
        (sp.sqrt(-f) + f, sp.sqrt(f) + f, True),
        (sp.log(f**2), 2 * sp.log(f), False),
        (sp.zoo + f, f, True),
        (sp.exp(1 + f), sp.exp(f), True),
    ],
)
def test_exact_points_tell_what_differs(mutant: sp.Expr, formula: sp.Expr, told: bool) -> None:
    assert _differs(mutant, formula, _witnesses(formula, ())) is told


def test_an_inequality_has_no_false_neighbours_but_its_converse() -> None:
    (item,) = [item for item in items(CLAIMS) if item.id == "causal.advantage@early-block"]
    assert examine(item, []) is None
