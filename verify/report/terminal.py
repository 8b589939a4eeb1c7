"""A record as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

_STYLES = {"holds": "green", "fails": "yellow", "undecided": "magenta", "errs": "red"}


def show(record: dict[str, Any], console: Console) -> None:
    """Print every judged item under its claim, then the sum of it."""
    claims = record["claims"]
    by_item = {(c["id"], c["model"]): c for c in claims}
    for name in dict.fromkeys(c["id"] for c in claims):
        group = [c for c in claims if c["id"] == name]
        head = group[0]
        console.print()
        console.print(Text.assemble((name, "bold"), f"   {head['source']}, {head['stance']}"))
        for claim in group:
            _item(claim, by_item, console)
    console.print()
    console.print(_sum(record))


def _item(claim: dict[str, Any], by_item: dict[Any, dict[str, Any]], console: Console) -> None:
    expected = claim["verdict"] == claim["expected"]
    mark = ("as expected", "dim") if expected else (f"EXPECTED {claim['expected']}", "bold red")
    console.print(
        Text.assemble(
            "  ",
            (f"{claim['verdict']:<9}", _STYLES[claim["verdict"]]),
            f" @{claim['model']:<26} ",
            mark,
            f"   {claim['basis'] or ''}",
        )
    )
    if not expected or claim["verdict"] in ("undecided", "errs"):
        console.print(Text(f"            because {claim['reason']}"))
    partner = by_item.get((claim["instead"], claim["model"]))
    for check in claim["checks"]:
        if check["kind"] == "simulated":
            console.print(Text(f"            {_numbers(claim, check, partner)}"))
    if claim["mutants"]:
        console.print(Text(f"            {_mutants(claim['mutants'])}", style="dim"))


def _numbers(claim: dict[str, Any], check: dict[str, Any], partner: dict[str, Any] | None) -> str:
    if check["observed"] is None:
        return f"{check['setting']}: {check['detail']}"
    word = "stated" if claim["verdict"] == "fails" else "predicted"
    text = f"observed {check['observed']:.5g} ± {check['sampling']:.2g}   {word} "
    text += f"{check['predicted']:.5g}"
    if partner is not None:
        for other in partner["checks"]:
            if other["kind"] == "simulated" and other["setting"] == check["setting"]:
                if other["observed"] != check["observed"]:
                    text += f"   instead ({partner['id']}) observed {other['observed']:.5g}"
                text += f"   corrected {other['predicted']:.5g}"
    return f"{text}   [{check['setting']}]"


def _mutants(mutants: dict[str, Any]) -> str:
    return (
        f"{mutants['total']} false neighbours: {mutants['total'] - mutants['equal']} refuted "
        f"exactly, {mutants['killed']} by simulation alone, {mutants['below_resolution']} below "
        f"its resolution; {mutants['equal']} proved equal"
    )


def _sum(record: dict[str, Any]) -> Text:
    claims: Iterable[dict[str, Any]] = record["claims"]
    verdicts = [c["verdict"] for c in claims]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in _STYLES if v in verdicts)
    different = sum(c["verdict"] != c["expected"] for c in claims)
    outcome = ("every verdict as expected", "bold green")
    if different:
        outcome = (f"{different} not as expected", "bold red")
    tail = f"   profile {record['profile']}, seed {record['seed']}, {record['seconds']:.0f} s"
    return Text.assemble(f"{len(verdicts)} verdicts: {counts}; ", outcome, tail)
