"""Enclosures: they hold the value, they are small, and they say when they cannot be made."""

from __future__ import annotations

import itertools
import threading

import flint
import pytest
import sympy as sp

from numerics import evaluate
from numerics.balls import (
    enclose,
    enclose_cdf,
    enclose_density,
    enclose_edges,
    enclose_masses,
    excludes_zero,
)
from numerics.context import working
from theory import discrete, marchenko_pastur, semicircle

mp = marchenko_pastur
PAIR = mp("1/2") @ mp("1/4")
TWO = discrete({1: "3/5", 10: "2/5"}) @ mp("1/20")


def rational_ball(value: sp.Rational) -> flint.arb:
    return flint.arb(flint.fmpq(int(value.p), int(value.q)))


def test_edges_are_held() -> None:
    for ball, edge in zip(enclose_edges(TWO, 200), TWO.edges(), strict=True):
        assert ball.rel_accuracy_bits() > 150
        digits = sp.Rational(str(evaluate(edge, dps=50)))
        with working(200):
            assert abs(ball - rational_ball(digits)) < 1e-48
        # The same number by exact algebra in balls.
        assert enclose(edge, bits=200).overlaps(ball)


def test_masses_are_held_and_add_to_one() -> None:
    parts = enclose_masses(TWO)
    for part, fifths in zip(parts, (3, 2), strict=True):
        assert part.mass.overlaps(flint.arb(fifths) / 5)
        assert part.mass.rel_accuracy_bits() > 90
    heavy = enclose_masses(mp(2) @ mp(4))
    assert heavy[0].low == heavy[0].high == 0
    assert heavy[0].mass == flint.arb(0.75)
    assert sum((p.mass for p in heavy), flint.arb(0)).contains(1)


@pytest.mark.parametrize("x", ["1/2", "1", "-1/3", "1999999/1000000"])
def test_density_and_cdf_of_the_semicircle(x: str) -> None:
    u = sp.Rational(x)
    f = enclose(sp.sqrt(4 - u**2) / (2 * sp.pi))
    assert enclose_density(semicircle(), x).overlaps(f)
    area = u * sp.sqrt(4 - u**2) / 4 + sp.asin(u / 2)
    level = enclose(sp.Rational(1, 2) + area / sp.pi)
    assert enclose_cdf(semicircle(), x).overlaps(level)


def test_density_of_one_factor_by_its_closed_form() -> None:
    c, x = sp.Rational(1, 2), sp.Rational(7, 10)
    closed = enclose(sp.sqrt(4 * c - (x - 1 - c) ** 2) / (2 * sp.pi * c * x))
    assert enclose_density(mp(c), x).overlaps(closed)
    assert not enclose_density(mp(c), x).overlaps(closed * flint.arb("1.0001"))


def test_enclosures_refuse_what_has_no_value() -> None:
    x = sp.Symbol("x")
    with pytest.raises(ValueError, match="no finite enclosure"):
        enclose(1 / x, {x: 0})
    with pytest.raises(ValueError, match="no value for the symbol x"):
        enclose(x)
    with pytest.raises(TypeError, match="must be exact"):
        enclose(x, {x: 0.5})
    with pytest.raises(ValueError, match="no numerical rule"):
        enclose(sp.zeta(3))


def test_zero_is_told_from_small() -> None:
    assert not excludes_zero(sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6) + 0)
    near = sp.sqrt(5 + 2 * sp.sqrt(6)) - sp.sqrt(2) - sp.sqrt(3)
    assert not excludes_zero(near)
    assert excludes_zero(near + sp.Rational(1, 10**300))


def test_close_real_roots_are_numbered_right() -> None:
    x = sp.Symbol("x")
    gap = sp.Rational(1, 10**40)
    polynomial = sp.expand((x**2 - 2) * ((x - gap) ** 2 - 2) - gap**4 * x)
    roots = [enclose(sp.CRootOf(polynomial, k), bits=600) for k in range(4)]
    assert all(a < b for a, b in itertools.pairwise(roots))


def test_threads_keep_their_precision() -> None:
    before = flint.ctx.prec
    widths = {}

    def work(bits: int) -> None:
        balls = [enclose(sp.sqrt(2) * sp.pi, bits=bits) for _ in range(50)]
        widths[bits] = [ball.rel_accuracy_bits() for ball in balls]

    threads = [threading.Thread(target=work, args=(bits,)) for bits in (64, 200, 900)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for bits, found in widths.items():
        assert len(set(found)) == 1
        assert abs(found[0] - bits) < 16
    assert flint.ctx.prec == before
