"""Sign and factor errors planted in the sources: the whole machine has to notice each."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

SPIKES = ("spike.sample.location*", "spike.sample.overlap*", "spike.vocabulary*", "spike.coin*sum")
BULK = ("bulk.*",)
OUTPUTS = ("query.reduction", "query.slope.many-dimensions")
ASCENTS = ("query.misalignment", "query.flow.hitting-time*")

# (claims that are run, file, what stands there, what is planted instead)
THEORY = [
    (SPIKES, "theory/pooled/covariance.py", "correlated = alpha - exact",
     "correlated = alpha + exact"),
    (SPIKES, "theory/pooled/covariance.py", "sp.Matrix([1, -1])", "sp.Matrix([1, 1])"),
    (SPIKES, "theory/laws/spikes.py", "forms = sp.diag((1 + _m) / _s, (1 + c * _m) / _s)",
     "forms = sp.diag((1 + _m) / _s, (1 - c * _m) / _s)"),
    (SPIKES, "theory/laws/spikes.py", "secular = sp.eye(forms.rows) - coupling * forms",
     "secular = sp.eye(forms.rows) + coupling * forms"),
    (SPIKES, "theory/laws/catalogue.py", "from_s_transform(1 / (1 + c * u), u)",
     "from_s_transform(1 / (1 - c * u), u)"),
    (SPIKES, "theory/pooled/outliers.py", "(population.location / _strength - 1)",
     "(population.location / _strength + 1)"),
    (BULK, "theory/pooled/bulk.py", "term *= (-1) ** (size - 1)", "term *= (-1) ** size"),
    (BULK, "theory/pooled/bulk.py", "gram -= noises[1] * mu2", "gram += noises[1] * mu2"),
    (BULK, "theory/laws/partitions.py", "cuts = [rest.index(b) for b in block]",
     "cuts = [rest.index(b) for b in block[:1]]"),
    (OUTPUTS, "theory/query/wick.py", "value = (d - 1) ** loops *", "value = d ** loops *"),
    (ASCENTS, "theory/query/recursion.py", "(squared + step**2", "(squared + 2 * step**2"),
]  # fmt: skip
NUMERICS = [
    (SPIKES, "numerics/simulate/tokens.py", "table[0, self.V // 2 :] -= np.sqrt(self.mu2)",
     "table[0, self.V // 2 :] += np.sqrt(self.mu2)"),
    (SPIKES, "numerics/simulate/tokens.py", "halves -= (halves @ self.class_chances)[:, :, None]",
     "halves += (halves @ self.class_chances)[:, :, None]"),
    (SPIKES, "numerics/simulate/tokens.py", "(signs < 0) * np.int32", "(signs < 2) * np.int32"),
    (SPIKES, "numerics/simulate/tokens.py", "h, b = (first - second) / 2",
     "h, b = (first + second) / 2"),
    (SPIKES, "numerics/limits.py", "columns.append(column - mean)",
     "columns.append(column + mean)"),
    (SPIKES, "numerics/simulate/families.py", "signs[:, block] = signs[:, block[:1]]",
     "signs[:, block] = -signs[:, block[:1]] * signs[:, block]"),
    (SPIKES, "numerics/simulate/pooled.py",
     'f"overlap 1..{k + 1}"] = float(overlaps[: k + 1].sum())',
     'f"overlap 1..{k + 1}"] = float(overlaps[: k + 1].sum() - 2 * overlaps[k])'),
    (BULK, "numerics/simulate/counts.py", "2 * cross + low", "2 * cross - low"),
    (BULK, "numerics/simulate/pooled.py", "(p1**2 - p2) / 2", "(p1**2 + p2) / 2"),
    (OUTPUTS, "numerics/simulate/query_gradient.py", "pull -= mean**2 + length**2",
     "pull -= mean**2 - length**2"),
    (ASCENTS, "numerics/simulate/query_gradient.py", "gradient *= 2", "gradient *= 1"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("patterns", "file", "right", "wrong"), THEORY + NUMERICS, ids=lambda value: str(value)[:40]
)
def test_a_planted_error_is_noticed(
    tmp_path: Path, patterns: tuple[str, ...], file: str, right: str, wrong: str
) -> None:
    for package in ("theory", "numerics", "verify"):
        shutil.copytree(ROOT / package, tmp_path / package,
                        ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
    source = tmp_path / file
    text = source.read_text(encoding="utf-8")
    assert text.count(right) == 1, f"{right!r} stands in {file} {text.count(right)} times"
    source.write_text(text.replace(right, wrong), encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", "verify", "run", *patterns,
         "--profile", "quick", "--jobs", "1", "--quiet"],
        cwd=tmp_path, capture_output=True, text=True, env=environment,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
