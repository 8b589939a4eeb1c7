"""The command line: python -m verify."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import verify  # sets one BLAS thread before NumPy is loaded  # noqa: F401
from verify import explain, registry, run
from verify import record as records
from verify.experiment import PROFILES
from verify.report import terminal
from verify.run import checked

# Wide enough for one line per item where no terminal says otherwise.
_PIPED_WIDTH = 132


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--quiet", is_flag=True, help="Print nothing but errors."),
        click.option("--json", "json_path", metavar="FILE", help="Write the record as JSON."),
        click.option("--jobs", metavar="N", help="Worker processes; default: all processors."),
        click.option("--seed", metavar="N", default="0", show_default=True,
                     help="All that the simulations depend on."),
        click.option("--profile", metavar="|".join(PROFILES), default="standard",
                     show_default=True, help="How much is simulated, and the resolution asked."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Put the claims of two papers on attention before the evidence.

    Exit status: 0 every verdict as expected, 1 a verdict differs, 2 bad usage or input.
    """


@main.command("all")
@_options
def run_all(**options: Any) -> None:
    """Judge every claim."""
    _run(("*",), **options)


@main.command("run")
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@_options
def run_some(patterns: tuple[str, ...], **options: Any) -> None:
    """Judge the claims whose ids match shell patterns, such as 'spike.*'."""
    _run(patterns, **options)


@main.command("list")
@click.argument("pattern", default="*")
def list_items(pattern: str) -> None:
    """List claims and the models they are judged for."""
    console = _console()
    for item in registry.find((pattern,)):
        console.print(
            f"{item.id:<68} {item.claim.source:<5} {item.claim.stance.value:<13} "
            f"expected to {'hold' if item.expected.value == 'holds' else 'fail'}",
            highlight=False,
        )


@main.command("show")
@click.argument("claim", metavar="ID")
def show(claim: str) -> None:
    """What a claim says, how it is derived, where it holds, where it fails and why."""
    explain.show(registry.find((claim,)), claim, _console())


@main.command("predict")
@click.option("--d", required=True, metavar="INT", help="Dimension of the embeddings.")
@click.option("--V", "vocabulary", required=True, metavar="INT", help="Size of the vocabulary.")
@click.option("--N", "sequences", required=True, metavar="INT", help="Number of sequences.")
@click.option("--T", "length", required=True, metavar="INT", help="Length of a sequence.")
@click.option("--mu2", required=True, metavar="NUMBER", help="‖μ‖², as a decimal or a fraction.")
@click.option("--weights", default="mean", show_default=True, metavar="mean|causal|optimal|FILE")
@click.option("--signs", metavar="prefix:L|suffix:L|block:A-B|markov:r|independent")
@click.option("--correlation", metavar="FILE", help="R of the signs, instead of --signs.")
@click.option("--table", default="raw", show_default=True, metavar="raw|centred|class-centred")
@click.option("--mask", default="strict", show_default=True, metavar="strict|inclusive")
@click.option("--tau", default="0", show_default=True, metavar="NUMBER", help="Temperature τ.")
@click.option("--ridge", metavar="NUMBER", help="λ of a classifier of the block's sign.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def predict_sizes(**options: Any) -> None:
    """What the theory says of your own sizes: will the top eigenvector see the signal?"""
    from verify import prediction

    prediction.main(console=_console(), **options)


def _run(
    patterns: tuple[str, ...], *, profile: str, seed: str, jobs: str | None,
    json_path: str | None, quiet: bool,
) -> None:  # fmt: skip
    settings = checked(profile, _integer(seed, "seed"), _optional_integer(jobs, "jobs"))
    path = None if json_path is None else Path(json_path)
    if path is not None:
        records.check_writable(path)
    registry.find(patterns)
    with _progress(quiet) as report:
        result = run(
            patterns, profile=settings[0], seed=settings[1], jobs=settings[2], progress=report
        )
    data = records.record(result)
    if path is not None:
        records.write(data, path)
    if not quiet:
        terminal.show(data, _console())
    sys.exit(0 if result.succeeded else 1)


def _integer(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} must be an integer: got {text!r}") from None


def _optional_integer(text: str | None, name: str) -> int | None:
    return None if text is None else _integer(text, name)


def _console() -> Console:
    return Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH, soft_wrap=True)


class _progress:
    """A progress bar on standard error; silent when that is no terminal."""

    def __init__(self, quiet: bool) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
                   TimeElapsedColumn())  # fmt: skip
        self.bar = Progress(
            *columns, console=Console(stderr=True), transient=True,
            disable=quiet or not sys.stderr.isatty(),
        )  # fmt: skip
        self.tasks: dict[str, Any] = {}

    def __enter__(self) -> Callable[[str, int, int], None]:
        self.bar.start()
        return self._report

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def _report(self, what: str, done: int, total: int) -> None:
        if what not in self.tasks:
            self.tasks[what] = self.bar.add_task(what, total=total)
        self.bar.update(self.tasks[what], completed=done)


# What a shell reports of a process that wrote into a closed pipe.
_READER_LEFT = 141


def entry() -> None:
    """Run the command line; a rule that is broken becomes one line and exit status 2."""
    for stream in (sys.stdout, sys.stderr):
        # A locale that cannot show δ must not stop a run.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.ctx.get_help())
        sys.exit(2)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        sys.exit(130)
    except click.ClickException as failure:
        click.echo(f"error: {failure.format_message()}", err=True)
        sys.exit(2)
    except (ValueError, OSError) as failure:
        click.echo(f"error: {failure}", err=True)
        sys.exit(2)
    except SystemExit as leaving:
        # Click leaves with 1 when its reader has left; here 1 says that a verdict differs.
        if isinstance(leaving.__context__, BrokenPipeError):
            sys.exit(_READER_LEFT)
        raise


if __name__ == "__main__":
    entry()
