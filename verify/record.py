"""The record of a run: plain data, written whole or not at all."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from verify.claim import Evidence, Outcome, Verdict
from verify.experiment import Observations
from verify.run import Judged, Result

SCHEMA = 1
_PACKAGES = ("attention-theory-verifier", "numpy", "scipy", "sympy", "mpmath", "python-flint")


def record(result: Result) -> dict[str, Any]:
    """A run as JSON data. Absent values are None, never NaN.

    Keys: schema, seed, profile, versions, seconds, observations, claims; see docs/results.md.
    """
    return {
        "schema": SCHEMA,
        "seed": result.seed,
        "profile": result.profile,
        "versions": _versions(),
        "seconds": round(result.seconds, 3),
        "observations": {name: _observed(table) for name, table in result.table.items()},
        "claims": [_claim(judged) for judged in result.judged],
    }


def _versions() -> dict[str, str | None]:
    found: dict[str, str | None] = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def _observed(observations: Observations) -> dict[str, Any]:
    sizes: dict[str, Any] = {}
    for size, columns in observations.table.items():
        entry: dict[str, Any] = {"replicates": len(next(iter(columns.values()), ()))}
        for name, values in columns.items():
            spread = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else None
            entry[name] = {"mean": _number(values.mean()), "stderr": _number(spread)}
        sizes[str(size)] = entry
    return sizes


def _claim(judged: Judged) -> dict[str, Any]:
    item, claim = judged.item, judged.item.claim
    found = judged.neighbours
    return {
        "id": claim.id,
        "model": item.model.name,
        "says": claim.says,
        "formula": None if claim.formula is None else str(claim.formula),
        "source": claim.source,
        "stance": claim.stance.value,
        "verdict": judged.judgement.verdict.value,
        "expected": item.expected.value,
        "basis": basis(judged),
        "reason": judged.judgement.reason,
        "instead": claim.instead if item.expected is Verdict.FAILS else None,
        "checks": [_check(evidence) for evidence in judged.evidence],
        "mutants": None if found is None else {
            "total": found.total, "killed": found.killed,
            "below_resolution": len(found.below_resolution), "equal": found.equal,
            "not_told_apart": [
                {"edit": edit, "half_widths": _number(d)} for edit, d in found.below_resolution
            ],
        },
        "resolution": _number(achieved(judged)),
        "seconds": round(judged.seconds, 3),
    }  # fmt: skip


def _check(evidence: Evidence) -> dict[str, Any]:
    return {
        "kind": evidence.kind,
        "outcome": evidence.outcome.value,
        "setting": evidence.setting,
        "observed": _number(evidence.observed),
        "predicted": _number(evidence.predicted),
        "sampling": _number(evidence.sampling),
        "bias": _number(evidence.bias),
        "relative_to": _number(evidence.relative_to),
        "digits": evidence.digits,
        "detail": evidence.detail,
    }


def basis(judged: Judged) -> str | None:
    """What the verdict rests on, in words: 'by proof; by observation to 1.2 %'."""
    words = [f"by {word}" for word in judged.judgement.basis]
    share = achieved(judged)
    if share is not None and judged.judgement.verdict is Verdict.HOLDS:
        words = [f"{w} to {100 * share:.2g} %" if w == "by observation" else w for w in words]
    return "; ".join(words) or None


def achieved(judged: Judged) -> float | None:
    """The resolution reached: the largest relative half width, with the distance if it agrees."""
    shares = []
    for e in judged.evidence:
        if e.kind != "simulated" or e.observed is None or e.predicted is None:
            continue
        if e.sampling is None or not e.relative_to:
            continue
        apart = abs(e.observed - e.predicted) if e.outcome is Outcome.AGREES else 0.0
        shares.append((apart + e.sampling) / e.relative_to)
    return max(shares, default=None)


def _number(value: Any) -> float | None:
    """A finite float; None for what is absent or not finite."""
    if value is None:
        return None
    number = float(value)
    return number if np.isfinite(number) else None


def check_writable(path: Path) -> None:
    """Raise ValueError, before anything is computed, if a file cannot be written there."""
    if path.is_dir():
        raise ValueError(f"output path must be a file: got the directory {str(path)!r}")
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent or Path("."), prefix=".verify-")
        os.close(descriptor)
        os.unlink(name)
    except OSError as failure:
        raise ValueError(
            f"output path must be writable: got {str(path)!r} ({failure.strerror})"
        ) from None


def write(data: dict[str, Any], path: Path) -> None:
    """Write strict JSON to a temporary file beside `path`, then rename it.

    A link is followed; what is no regular file, a terminal or a pipe, is written to as it is.
    """
    text = json.dumps(data, indent=1, allow_nan=False, ensure_ascii=False) + "\n"
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=".verify-", delete=False, encoding="utf-8"
    ) as temporary:
        temporary.write(text)
    # A temporary file is its owner's alone; a result is as any other file.
    umask = os.umask(0)
    os.umask(umask)
    os.chmod(temporary.name, 0o666 & ~umask)
    os.replace(temporary.name, path)
