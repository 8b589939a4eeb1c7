"""The bulk of S: derivations against each other, against exact finite models, against drift."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp

from numerics.simulate import signs
from numerics.simulate.counts import TokenCounts
from numerics.simulate.pooled import FixedTokens, ManyTokens, WholeSpectrum, population_covariance
from numerics.simulate.tokens import TokenModel
from theory.algebra import Answer, Undetermined
from theory.pooled import (
    alpha,
    bulk,
    bulk_statements,
    delta,
    gamma,
    kappa,
    mu2,
    population,
    weight_sum,
)
from theory.pooled.covariance import CLASS_CENTRED, RAW, sample_law
from theory.pooled.model import PooledModel


def test_trees_and_curves_agree_when_weights_are_spread() -> None:
    for order in (1, 2, 3, 4):
        assert sp.expand(bulk.bulk_moment(order, spread=True) - sample_law().moment(order)) == 0


def test_few_tokens_move_the_fourth_moment_and_no_lower_one() -> None:
    for order in (1, 2, 3):
        assert sp.expand(bulk.bulk_moment(order) - bulk.bulk_moment(order, spread=True)) == 0
    moved = bulk.bulk_moment(4) - bulk.bulk_moment(4, spread=True)
    assert sp.expand(moved - delta * gamma**2 * bulk.fourth**2) == 0


def test_count_moments_against_every_draw_of_a_tiny_model() -> None:
    # E tr M²/V summed over all tokens of N = 2 sequences of T = 2 from V = 3, against the exact
    # finite form that the tree count becomes: coincidences inside and between sequences.
    w, V, N = (Fraction(1, 2), Fraction(1, 3)), 3, 2
    total = Fraction(0)
    for tokens in product(range(V), repeat=4):
        a = [[Fraction(0)] * V for _ in range(N)]
        for n in range(N):
            for t in range(2):
                a[n][tokens[2 * n + t]] += w[t]
        gram = [[sum(x * y for x, y in zip(p, q, strict=True)) for q in a] for p in a]
        total += sum(g * g for row in gram for g in row)
    mean = total * Fraction(V, N) ** 2 / V / Fraction(V) ** 4
    k = w[0] ** 2 + w[1] ** 2
    cross = 2 * w[0] * w[1]
    same = k**2 + (2 * k * cross + cross**2) / V
    both = Fraction(0)
    for p in product(range(2), repeat=4):
        # E over tokens of 1[v_p0 = v'_p1] 1[v_p2 = v'_p3], each pair of places its own tokens.
        weight = w[p[0]] * w[p[1]] * w[p[2]] * w[p[3]]
        same_places = (p[0] == p[2]) + (p[1] == p[3])
        both += weight * (Fraction(1, V) if same_places == 2 else Fraction(1, V**2))
    assert mean == Fraction(V, N) ** 2 / V * (N * same + N * (N - 1) * both)


def test_elementary_means_against_a_model_small_enough_to_average() -> None:
    # Six standard errors for each: false alarm 4e-9.
    model = TokenModel(
        d=3, V=4, N=3, weights=[0.5, 0.75], signs=signs.prefix(2, 2), mu2=2.0, table="raw"
    )
    at = {
        bulk.d: 3, bulk.V: 4, bulk.N: 3, mu2: 2, kappa: sp.Rational(13, 16),
        alpha: sp.Rational(25, 16), weight_sum: sp.Rational(5, 4),
    }  # fmt: skip
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(20_000):
        values = np.linalg.eigvalsh(model.sample(rng).covariance)
        rows.append((values.mean(), (values.sum() ** 2 - (values**2).sum()) / 6, values.prod()))
    means, errors = np.mean(rows, axis=0), np.std(rows, axis=0) / np.sqrt(len(rows))
    for order in (1, 2, 3):
        exact = float(bulk.elementary_mean(order, RAW).subs(at))
        assert abs(means[order - 1] - exact) < 6 * errors[order - 1], order


def test_statements_change_with_their_premises() -> None:
    spread, few = PooledModel(RAW), PooledModel(RAW, spread=False, one_token=True)
    for statement in (bulk_statements.fourth_count_moment, bulk_statements.mass_at_zero):
        assert statement(spread) != statement(few)
    assert population.excess(PooledModel(RAW)) != population.excess(PooledModel(CLASS_CENTRED))
    assert all(finding.answer is Answer.YES for finding in bulk_statements.shape(spread))


def test_the_lower_edge_is_the_lower_one() -> None:
    at = {kappa: 2, delta: sp.Rational(1, 4)}
    edge = population.lowest(PooledModel(CLASS_CENTRED)).subs(at)
    assert edge == sp.Rational(1, 2)


BULK_ROUTES = [bulk_statements.moment(4), bulk_statements.moment_by_counting(4),
               bulk_statements.moment_by_cumulants(5), bulk_statements.curve_polynomial,
               bulk_statements.mass_at_zero, bulk_statements.departure, bulk_statements.shape,
               bulk_statements.one_upper_edge, bulk_statements.free_factor]  # fmt: skip


@pytest.mark.parametrize("route", BULK_ROUTES, ids=lambda route: route.__name__)
def test_no_statement_on_the_bulk_survives_a_fixed_number_of_tokens(route: object) -> None:
    spread = route(PooledModel(CLASS_CENTRED))
    try:
        fixed = route(PooledModel(CLASS_CENTRED, spread=False, one_token=True))
    except Undetermined:
        return
    assert fixed != spread


def test_an_infinite_vocabulary_departs_from_itself_by_nothing() -> None:
    model = PooledModel(RAW, long_vocabulary=True)
    assert bulk_statements.departure(model) == bulk_statements.departure_by_counting(model) == 0
    assert [f.answer for f in bulk_statements.free_factor(model)] == [Answer.NO]
    assert Answer.NO in [f.answer for f in bulk_statements.shape(model)]


def test_population_covariance_is_what_many_sequences_tend_to() -> None:
    model = TokenModel(
        d=5, V=12, N=200_000, weights=[0.4, 0.3, 0.8], signs=signs.markov(3, "1/3"), mu2=1.0
    )
    sample = model.sample(np.random.default_rng(3))
    exact = population_covariance(sample.model, sample.table)
    scale = np.sqrt(np.outer(np.diag(exact), np.diag(exact)) * 3 / model.N)
    # Entries of a sample covariance of bounded vectors: seven of a generous standard error.
    assert (np.abs(sample.covariance - exact) < 7 * scale).all()


@pytest.mark.parametrize(
    ("vocabulary", "sequences", "population"),
    [("1", "1/2", False), ("1/3", "1", False), ("1/2", "1/4", False), ("1/3", "1", True)],
)
def test_a_spectrum_found_in_fewer_dimensions_is_the_whole_one(
    vocabulary: str, sequences: str, population: bool
) -> None:
    family = FixedTokens(Fraction(vocabulary), Fraction(sequences), (Fraction(1, 3),) * 3,
                         signs.iid(3), Fraction(2), "raw")  # fmt: skip
    rows = WholeSpectrum(family, population).draw(24, np.random.default_rng(5))
    sample = family.model(24).sample(np.random.default_rng(5))
    matrix = population_covariance(sample.model, sample.table) if population else sample.covariance
    values, vectors = np.linalg.eigh(matrix)
    zeros = 24 - np.linalg.matrix_rank(matrix)
    assert rows["largest"] == pytest.approx(values[-1])
    assert rows["overlap of largest"] == pytest.approx(vectors[0, -1] ** 2)
    assert rows["zero share"] == zeros / 24 >= 1 / 2
    assert rows["smallest nonzero"] == pytest.approx(values[zeros])
    assert rows["overlap of smallest"] == pytest.approx(vectors[0, zeros] ** 2)
    assert rows["moment 3"] == pytest.approx((values**3).mean())
    e2 = sum(values[i] * values[j] for i in range(24) for j in range(i)) / (24 * 23 / 2)
    assert rows["elementary 2"] == pytest.approx(e2)


def test_counts_without_their_mean_match_the_full_matrix() -> None:
    for T in (1, 3, 40):
        counts = TokenCounts(Fraction(1, 2), (Fraction(2, 3 * T),) * T)
        seen = counts.draw(60, np.random.default_rng(T))["moment 4"]
        tokens = np.random.default_rng(T).integers(0, 60, size=30 * T).reshape(30, T)
        a = np.zeros((30, 60))
        for n, row in enumerate(tokens):
            np.add.at(a[n], row, 2 / (3 * T))
        a -= 2 / 3 / 60
        M = 2 * a.T @ a
        assert seen == pytest.approx(np.trace(np.linalg.matrix_power(M, 4)) / 60)


def test_sizes_that_give_no_integers_are_refused() -> None:
    one = Fraction(1)
    family = ManyTokens(Fraction(3, 2), one, Fraction(1, 4), one, one, "raw")
    with pytest.raises(ValueError, match="integers: got 5"):
        family.model(5)
    with pytest.raises(ValueError, match="an integer: got 5"):
        TokenCounts(Fraction(1, 2), (Fraction(1),)).draw(5, np.random.default_rng(0))
