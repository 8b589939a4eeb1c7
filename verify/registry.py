"""All claims, the items they make, and how to find them by name."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

from verify import claims as subjects
from verify.claim import Claim, Item, Verdict
from verify.experiment import Experiment


class UnknownClaim(ValueError):
    """A pattern that matches no claim."""


@lru_cache(maxsize=1)
def claims() -> tuple[Claim, ...]:
    """Every claim, in the order of the subjects: the `CLAIMS` of each module of verify.claims."""
    names = sorted(module.name for module in pkgutil.iter_modules(subjects.__path__))
    found: list[Claim] = []
    for name in names:
        found += importlib.import_module(f"{subjects.__name__}.{name}").CLAIMS
    return tuple(found)


def items(selected: Iterable[Claim] | None = None) -> tuple[Item, ...]:
    """The judged items: each claim once for every model it is expected to hold or fail for.

    >>> [item.expected.value for item in items() if item.id == 'spike.sample.overlap@raw-table']
    ['fails']
    """
    found = []
    for claim in claims() if selected is None else selected:
        found += [Item(claim, model, Verdict.HOLDS) for model in claim.holds]
        found += [Item(claim, model, Verdict.FAILS) for model in claim.fails]
    return tuple(found)


def find(patterns: Sequence[str]) -> tuple[Item, ...]:
    """Items whose id, or whose claim's id, matches a shell pattern; with what holds instead.

    Raises UnknownClaim for a pattern without match, naming near ids.

    >>> find(['nothing'])
    Traceback (most recent call last):
        ...
    verify.registry.UnknownClaim: no claim matches 'nothing'; 'list' shows all
    """
    every = items()
    chosen: dict[str, Item] = {}
    for pattern in patterns:
        matching = [
            item for item in every
            if fnmatchcase(item.id, pattern) or fnmatchcase(item.claim.id, pattern)
        ]  # fmt: skip
        if not matching:
            raise UnknownClaim(f"no claim matches {pattern!r}{_near(pattern, every)}")
        chosen |= {item.id: item for item in matching}
    # A failure is judged together with what holds instead.
    for item in list(chosen.values()):
        partner = instead(item, every)
        if partner is not None:
            chosen[partner.id] = partner
    return tuple(item for item in every if item.id in chosen)


def instead(item: Item, among: Iterable[Item] | None = None) -> Item | None:
    """The item that should hold where this one is expected to fail, for the same model."""
    if item.expected is not Verdict.FAILS:
        return None
    name = f"{item.claim.instead}@{item.model.name}"
    return next(other for other in among or items() if other.id == name)


def experiments(selected: Iterable[Item]) -> tuple[Experiment, ...]:
    """The experiments that a selection reads, each once."""
    found: dict[str, Experiment] = {}
    for item in selected:
        for experiment in item.settings:
            found.setdefault(experiment.name, experiment)
    return tuple(found.values())


def _near(pattern: str, every: Sequence[Item]) -> str:
    names = sorted({item.claim.id for item in every})
    near = difflib.get_close_matches(pattern.strip("*?"), names, n=3, cutoff=0.6)
    return f"; near: {', '.join(near)}" if near else "; 'list' shows all"
