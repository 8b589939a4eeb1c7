"""The command `predict`: options as typed, read exactly, answered as text or JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import click
from rich.console import Console

from numerics.pooling import temperature
from verify import predict
from verify.numerals import fraction, whole
from verify.reading import read_correlation, read_weights
from verify.report import prediction as report
from verify.sequences import Signs, parse_signs
from verify.sizes import Sizes

NAMES = ("mean", "causal", "optimal")


def main(
    *, console: Console, d: str, vocabulary: str, sequences: str, length: str, mu2: str,
    weights: str, signs: str | None, correlation: str | None, table: str, mask: str, tau: str,
    ridge: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Print the prediction for these options.

    Raises ValueError naming the first option that breaks a rule.
    """
    sizes = Sizes(
        whole(d, "d"), whole(vocabulary, "V"), whole(sequences, "N"), whole(length, "T"),
        fraction(mu2, "mu2"), table,
    )  # fmt: skip
    drawn = _signs(signs, correlation, sizes.T)
    given = None if weights in NAMES else read_weights(_file(weights), sizes.T)
    weightings = predict.poolings(drawn, mask, _temperature(tau), given)
    chosen = "given" if given is not None else weights
    if chosen not in weightings:
        raise ValueError(f"T must be at least 2 under a strict mask: got {sizes.T}")
    parameter = None if ridge is None else fraction(ridge, "ridge")
    found = predict.predict(sizes, drawn, weightings, parameter)
    data = predict.as_data(sizes, drawn, found, predict.notes(sizes, drawn, weightings))
    if as_json:
        click.echo(json.dumps(data, indent=1, allow_nan=False, ensure_ascii=False))
    else:
        report.show(data, chosen, console)


def _signs(signs: str | None, correlation: str | None, T: int) -> Signs:
    if (signs is None) == (correlation is None):
        raise ValueError("give either --signs or --correlation: got both or neither")
    if correlation is not None:
        return read_correlation(Path(correlation), T)
    assert signs is not None
    return parse_signs(signs, T)


def _file(weights: str) -> Path:
    path = Path(weights)
    if path.suffix not in (".npy", ".csv"):
        raise ValueError(
            f"weights must be one of {', '.join(NAMES)}, or a .npy or .csv file: got {weights!r}"
        )
    return path


def _temperature(text: str) -> Fraction:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    temperature(value)
    return fraction(text, "tau")
