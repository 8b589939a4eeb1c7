"""The verdict rule, case by case: it can say no, and it can say that it cannot tell."""

import math

import pytest

from numerics.limits import Limit, SizeMean
from verify.claim import Evidence, Outcome, Relation, Verdict
from verify.evidence.simulated import compare
from verify.verdict import Judgement, judge, right_failure


def _evidence(kind: str, outcome: Outcome, **numbers: float) -> Evidence:
    return Evidence(kind, outcome, "because", **numbers)


PROOF = _evidence("symbolic", Outcome.PROVED)
SEEN = _evidence("simulated", Outcome.AGREES, observed=1.0, predicted=1.0)
NOT_SEEN = _evidence("simulated", Outcome.REFUTED, observed=2.0, predicted=1.0)
UNSURE = _evidence("simulated", Outcome.INCONCLUSIVE, observed=1.5, predicted=1.0)
DIGITS = _evidence("precise", Outcome.CONSISTENT)


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        ([PROOF, SEEN], Verdict.HOLDS),
        ([SEEN], Verdict.HOLDS),
        ([PROOF, NOT_SEEN], Verdict.FAILS),
        ([NOT_SEEN, UNSURE], Verdict.FAILS),
        ([PROOF, UNSURE], Verdict.UNDECIDED),
        ([], Verdict.UNDECIDED),
        ([DIGITS], Verdict.UNDECIDED),
        ([PROOF, NOT_SEEN, _evidence("precise", Outcome.ERRED)], Verdict.ERRS),
        ([PROOF, _evidence("simulated", Outcome.AGREES, observed=math.nan)], Verdict.ERRS),
    ],
)
def test_first_rule_that_applies(evidence: list[Evidence], verdict: Verdict) -> None:
    assert judge(evidence).verdict is verdict


def _limit(estimate: float, stderr: float, fit: float = 0.5, reach: float = 0.0) -> Limit:
    return Limit(estimate, stderr, 1000.0, fit, reach, (SizeMean(100, estimate, stderr, 99),))


@pytest.mark.parametrize(
    ("limit", "outcome"),
    [
        (_limit(1.000, 0.001), Outcome.AGREES),
        (_limit(1.100, 0.001), Outcome.REFUTED),
        # A wide interval that holds the prediction decides nothing.
        (_limit(1.000, 0.050), Outcome.INCONCLUSIVE),
        (_limit(1.100, 0.050), Outcome.INCONCLUSIVE),
        # Within the interval, but the interval reaches beyond the resolution.
        (_limit(1.028, 0.007), Outcome.INCONCLUSIVE),
        # A fit that the sizes reject refutes nothing, and one that is rejected strongly agrees
        # with nothing.
        (_limit(1.100, 0.001, fit=1e-5), Outcome.INCONCLUSIVE),
        (_limit(1.000, 0.001, fit=1e-5), Outcome.AGREES),
        (_limit(1.000, 0.001, fit=1e-7), Outcome.INCONCLUSIVE),
        # Too far beyond the largest size.
        (_limit(1.000, 0.001, reach=0.02), Outcome.INCONCLUSIVE),
        (_limit(math.nan, 0.001), Outcome.ERRED),
    ],
)
def test_simulated_comparison(limit: Limit, outcome: Outcome) -> None:
    assert compare(limit, prediction=1.0, tolerance=0.03)[0] is outcome


@pytest.mark.parametrize(
    ("estimate", "relation", "outcome"),
    [
        (1.1, Relation.ABOVE, Outcome.AGREES),
        (0.9, Relation.ABOVE, Outcome.REFUTED),
        (1.001, Relation.ABOVE, Outcome.INCONCLUSIVE),
        (0.9, Relation.BELOW, Outcome.AGREES),
        (1.1, Relation.BELOW, Outcome.REFUTED),
    ],
)
def test_an_inequality_needs_the_whole_interval(
    estimate: float, relation: Relation, outcome: Outcome
) -> None:
    assert compare(_limit(estimate, 0.01), 1.0, 0.0, relation)[0] is outcome


def test_a_failure_by_a_hair_is_not_the_right_failure() -> None:
    check = Evidence("simulated", Outcome.REFUTED, "", setting="s", observed=1.02, predicted=1.0)
    holds = Judgement(Verdict.HOLDS, ("proof",), "")
    assert right_failure([check], holds, {"s": 0.01}) is None
    assert "misses what is observed by" in str(right_failure([check], holds, {"s": 0.05}))
    unsure = Judgement(Verdict.UNDECIDED, (), "too wide")
    assert "too wide" in str(right_failure([check], unsure, {"s": 0.01}))
