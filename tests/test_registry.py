"""Every claim of the registry, before the evidence."""

import pytest

from verify import registry
from verify.claim import Outcome, Verdict, value_at
from verify.run import Result

ITEMS = registry.items()


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_verdict_is_the_expected_one(item: object, quick: Result) -> None:
    # False alarms: each simulated comparison is made at 1e-6, so the whole registry, a few dozen
    # comparisons, rejects a true claim in fewer than one of 10 000 runs.
    (judged,) = [j for j in quick.judged if j.item == item]
    assert judged.as_expected, judged.judgement.reason


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_item_is_simulated_at_a_setting_that_meets_its_conditions(item) -> None:
    assert item.settings or item.claim.observed is None


def test_ids_are_unique_and_every_failure_has_what_holds_instead() -> None:
    assert len({item.id for item in ITEMS}) == len(ITEMS)
    for item in ITEMS:
        partner = registry.instead(item)
        assert (partner is not None) == (item.expected is Verdict.FAILS)


def test_a_failure_on_one_model_holds_on_another() -> None:
    for claim in registry.claims():
        if claim.fails and claim.stance.value == "as stated":
            assert claim.holds, f"{claim.id} is put nowhere where it holds"


def test_no_symbol_is_bound_to_a_value_that_hides_its_edits() -> None:
    for experiment in registry.experiments(ITEMS):
        ratios = [value for symbol, value in experiment.bindings.items() if str(symbol) in
                  ("delta", "gamma")]  # fmt: skip
        assert len(set(ratios)) == len(ratios), experiment.name


def test_mutants_are_all_told_exactly_and_most_by_simulation(quick: Result) -> None:
    found = [(j.item, j.neighbours) for j in quick.judged if j.neighbours is not None]
    assert found
    for item, neighbours in found:
        assert not neighbours.surviving, item.id
        assert neighbours.equal <= 2, item.id
        # A statement about nothing that is simulated has exact evidence only; and of a threshold
        # a setting tells only on which side it lies.
        if item.settings and item.claim.sees is value_at:
            assert neighbours.killed >= neighbours.total / 2, item.id


def test_every_simulated_check_has_numbers(quick: Result) -> None:
    for judged in quick.judged:
        checks = [e for e in judged.evidence if e.kind == "simulated"]
        assert len(checks) == len(judged.item.settings)
        for check in checks:
            assert check.outcome is not Outcome.ERRED
            assert None not in (check.observed, check.predicted, check.sampling, check.bias)


def test_no_replicate_needed_a_dense_decomposition(quick: Result) -> None:
    for observations in quick.table.values():
        for columns in observations.table.values():
            assert "dense" not in columns or columns["dense"].sum() == 0
