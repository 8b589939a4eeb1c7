"""A prediction as text: the poolings side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

Row = dict[str, Any]

_LINES: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("κ = Σw²", lambda p: _number(p["kappa"])),
    ("α/κ = wᵀRw/Σw²", lambda p: _number(p["alpha_over_kappa"])),
    ("bulk of S", lambda p: f"{_number(p['lower_edge'])} … {_number(p['upper_edge'])}"),
    ("signal: strength θ/κ", lambda p: _number(p["signal_strength"])),
    ("signal: outlier", lambda p: _place(p)),
    ("signal: squared overlap", lambda p: _number(p["overlap"])),
    ("vocabulary mean: strength", lambda p: _number(p["vocabulary_strength"])),
    ("vocabulary mean: outlier", lambda p: _vocabulary(p)),
    ("the two mix at these sizes", lambda p: "yes" if p["mixed"] else "no"),
    ("within n^(−1/3) of a threshold", lambda p: "yes" if p["critical"] else "no"),
    ("will the top eigenvector see it?", lambda p: p["seen"]),
    ("least N for an outlier above", lambda p: _count(p["least_sequences"])),
    ("least N for it to be on top", lambda p: _count(p["least_sequences_on_top"])),
    ("ridge accuracy", lambda p: _number(p["accuracy"])),
)


def show(data: dict[str, Any], chosen: str, console: Console) -> None:
    """Print a prediction; `chosen` names the pooling that the user asked about."""
    given, rows = data["given"], data["poolings"]
    sizes = ", ".join(f"{name} = {given[name]}" for name in ("d", "V", "N", "T"))
    console.print(
        Text(f"\n{sizes}, ‖μ‖² = {given['mu2']}, {given['table']} table; {given['signs']}\n")
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for row in rows:
        mark = " *" if row["pooling"] == chosen else ""
        table.add_column(f"{row['pooling']}{mark}", max_width=28)
    for title, cell in _LINES:
        if title == "ridge accuracy" and rows[0]["accuracy"] is None:
            continue
        table.add_row(title, *(cell(row) for row in rows))
    console.print(table)
    for note in data["notes"]:
        console.print(Text(f"\nnote: {note}", end=""))
    answer = next(row["seen"] for row in rows if row["pooling"] == chosen)
    console.print(Text(f"\n* {chosen} pooling: will the top eigenvector see it? {answer}"))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"


def _count(value: int | None) -> str:
    return "never" if value is None else str(value)


def _vocabulary(row: Row) -> str:
    if row["vocabulary_mean"] is None:
        return "none"
    return f"{_number(row['vocabulary_mean'])}, {row['vocabulary_place']}"


def _place(row: Row) -> str:
    if row["outlier"] is None:
        return "none"
    return f"{_number(row['outlier'])}, {row['place']}"
