"""What is put before the evidence: statements, models, and the items the registry makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

import sympy as sp

from theory.algebra import Finding, at_point
from verify.experiment import Experiment


class Stance(Enum):
    """Whose statement it is."""

    AS_STATED = "as stated"
    CORRECTED = "corrected"
    DERIVED = "derived here"


class Kind(Enum):
    """What sort of quantity a claim is about; it fixes the resolution asked of a simulation."""

    LOCATION = "location"
    OVERLAP = "overlap"
    MOMENT = "moment"
    HIGH_MOMENT = "moment of order 4 or more"
    MASS = "mass"
    WEIGHT = "weight"
    ACCURACY = "accuracy"
    ALIGNMENT = "alignment"
    RATE = "rate"
    PROBABILITY = "probability"
    FLUCTUATION = "fluctuation"
    SIGN = "sign"


class Relation(Enum):
    """How the observed limit stands to the formula, if the claim is true."""

    EQUALS = "="
    ABOVE = ">"
    BELOW = "<"


@dataclass(frozen=True)
class Model:
    """A model for which a claim is judged: the premise of derivations, and its experiments.

    name : as it stands in an item's id, behind '@'
    says : the model in words
    premise : the argument of every derivation
    experiments : where it is simulated
    """

    name: str
    says: str
    premise: Any
    experiments: tuple[Experiment, ...]


Derivation = Callable[[Any], sp.Expr]
Proof = Callable[[Any], Sequence[Finding]]
Bindings = Mapping[sp.Symbol, Any]


def value_at(formula: sp.Expr, bindings: Bindings) -> sp.Expr:
    """What an experiment with these bindings should see: by default the formula's value."""
    return at_point(formula, bindings)


@dataclass(frozen=True)
class Claim:
    """One statement, who makes it, how it is derived, and for which models it is expected.

    id : dotted, by subject
    says : the statement in words
    source : claim ids of the sources, or 'here'
    kind : what sort of quantity it is about
    observed : the experiments' column it speaks of; None if it is not about anything seen
    formula : the statement's closed form; None for a claim 'derived here'
    routes : derivations from a model's premise; they never see `formula`. Two, from different
        principles, where there is no formula
    proofs : exact questions about a model's premise; every answer has to be YES
    where : relations under which the statement is made
    holds, fails : the models it is expected to hold or to fail for
    instead : id of the claim that holds where this one fails
    neighbours : plausible mistakes about the formula, each of which has to be refuted
    bias : powers of 1/size in which the observable approaches its limit; () where it does not
        depend on the size
    relation : how the observed limit stands to the formula
    sees : (formula, bindings) → the exact number an experiment should see, if it is not simply
        the formula's value: a threshold, say, decides between an edge and an outlier
    at_sizes : the formula is about every size, not about a limit: it has symbols that the
        experiments bind to the size
    unit : for such a claim, (formula, bindings at a size) → what a difference between seen and
        expected is measured in there; by default in units of the observable, and its resolution
        relative to what is expected at the largest size
    notes : premise → what else there is to tell of the claim for a model; empty for nothing
    """

    id: str
    says: str
    source: str
    stance: Stance
    kind: Kind
    observed: str | None = None
    routes: tuple[Derivation, ...] = ()
    formula: sp.Expr | None = None
    proofs: tuple[Proof, ...] = ()
    where: tuple[Any, ...] = ()
    holds: tuple[Model, ...] = ()
    fails: tuple[Model, ...] = ()
    instead: str | None = None
    neighbours: tuple[sp.Expr, ...] = ()
    bias: tuple[float, ...] = (1.0,)
    relation: Relation = Relation.EQUALS
    sees: Callable[[sp.Expr, Bindings], sp.Expr] = value_at
    at_sizes: bool = False
    unit: Callable[[sp.Expr, Bindings], sp.Expr] | None = None
    notes: tuple[Callable[[Any], str], ...] = ()

    def __post_init__(self) -> None:
        if not self.holds and not self.fails:
            raise ValueError(f"claim {self.id}: holds or fails must name a model")
        if self.formula is None and len(self.routes) < 2 and not self.proofs:
            raise ValueError(f"claim {self.id}: without a formula it needs two routes or a proof")
        if self.fails and self.instead is None:
            raise ValueError(f"claim {self.id}: instead must name what holds where it fails")
        if self.unit is not None and not self.at_sizes:
            raise ValueError(f"claim {self.id}: unit is for a claim at_sizes")


class Verdict(Enum):
    """What a claim's evidence amounts to."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    ERRS = "errs"


@dataclass(frozen=True)
class Item:
    """A claim for one model, with the verdict that is expected of it."""

    claim: Claim
    model: Model
    expected: Verdict

    @property
    def id(self) -> str:
        """claim id @ model name."""
        return f"{self.claim.id}@{self.model.name}"

    @property
    def settings(self) -> tuple[Experiment, ...]:
        """The model's experiments that have the claim's column and meet its conditions.

        Where a condition is not met the statement says nothing, and is not judged.
        """
        return tuple(
            e for e in self.model.experiments
            if self.claim.observed in e.columns
            and all(at_point(condition, e.bindings) == sp.true for condition in self.claim.where)
        )  # fmt: skip

    def bias(self, experiment: Experiment) -> tuple[float, ...]:
        """Powers of 1/size in which the claim's column approaches its limit in a setting."""
        assert self.claim.observed is not None
        return experiment.bias.get(self.claim.observed, self.claim.bias)

    @cached_property
    def _derived(self) -> dict[int, sp.Expr]:
        return {}

    def derived(self, index: int) -> sp.Expr:
        """What a route of the claim gives for the model: derived once, whoever asks."""
        if index not in self._derived:
            self._derived[index] = self.claim.routes[index](self.model.premise)
        return self._derived[index]

    def prediction(self) -> sp.Expr:
        """What the claim says of this model, in symbols."""
        if self.claim.formula is not None:
            return self.claim.formula
        return self.derived(0)

    def expectation(self, experiment: Experiment, size: int | None = None) -> sp.Expr:
        """The exact number that an experiment should see, at one size if that matters."""
        bindings = experiment.bindings if size is None else experiment.bindings_at(size)
        return self.claim.sees(self.prediction(), bindings)

    def unit(self, experiment: Experiment, size: int) -> sp.Expr:
        """What a difference between seen and expected is measured in at a size."""
        if self.claim.unit is None:
            return sp.S.One
        return self.claim.unit(self.prediction(), experiment.bindings_at(size))


class Outcome(Enum):
    """What one piece of evidence says."""

    PROVED = "proved"
    AGREES = "agrees"
    CONSISTENT = "consistent"
    REFUTED = "refuted"
    INCONCLUSIVE = "inconclusive"
    ERRED = "erred"


@dataclass(frozen=True)
class Evidence:
    """One check of one item.

    kind : symbolic, certified, precise or simulated
    setting : the experiment's name, where there is one
    observed, predicted : numbers compared
    sampling : half width of the interval around `observed`
    bias : how far the extrapolation goes beyond the largest size
    relative_to : the scale that resolution is measured in
    digits : to how many digits two routes agree
    detail : the reason, in words
    """

    kind: str
    outcome: Outcome
    detail: str
    setting: str | None = None
    observed: float | None = None
    predicted: float | None = None
    sampling: float | None = None
    bias: float | None = None
    relative_to: float | None = None
    digits: int | None = None
    seconds: float = field(default=0.0, compare=False)
