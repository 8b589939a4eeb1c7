"""A record as a Markdown table: every claim with model, verdict, basis and resolution.

    python -m verify all --json results.json
    python -m verify.report.markdown results.json > claims.md
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_HEAD = """# Claims

Generated from a run of `python -m verify all` (profile {profile}, seed {seed}); source and stance
as in the registry. A percentage is the resolution that the simulation reached: of an agreement,
how far the whole interval can be from the prediction; of a failure, the interval's half width.

| claim | model | source | stance | verdict | basis | resolution | false neighbours refuted |
|---|---|---|---|---|---|---|---|
"""


def table(record: dict[str, Any]) -> str:
    """The whole page."""
    rows = [_row(claim) for claim in record["claims"]]
    return _HEAD.format(**record) + "\n".join(rows) + "\n"


def _row(claim: dict[str, Any]) -> str:
    share = claim["resolution"]
    resolution = "" if share is None else f"{100 * share:.2g} %"
    mutants = claim["mutants"]
    told = ""
    if mutants:
        different = mutants["total"] - mutants["equal"]
        told = f"{different} exactly, {mutants['killed']} by simulation"
    verdict = claim["verdict"]
    if verdict == "fails" and claim["instead"]:
        verdict = f"fails; instead `{claim['instead']}`"
    basis = (claim["basis"] or "").replace("by ", "")
    cells = [
        f"`{claim['id']}`", claim["model"], claim["source"], claim["stance"], verdict, basis,
        resolution, told,
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str]) -> int:
    """Print the table of one results file."""
    if len(arguments) != 1:
        print("usage: python -m verify.report.markdown RESULTS", file=sys.stderr)
        return 2
    path = Path(arguments[0])
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        print(table(record), end="")
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as failure:
        print(f"error: {str(path)!r} is no results file: {failure}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
