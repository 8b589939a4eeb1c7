"""The command line as its user meets it: exit codes, one-line errors, strict JSON."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from verify import record as records
from verify.claim import Evidence, Outcome
from verify.registry import experiments, items
from verify.report import markdown
from verify.run import Result
from verify.tables import generator, simulate

ROOT = Path(__file__).resolve().parent.parent


def _verify(*arguments: str, flags: tuple[str, ...] = (), **environment: str):
    return subprocess.run(
        [sys.executable, *flags, "-m", "verify", *arguments],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "spike.sample.lokation"), "near: spike.sample.location"),
        (("run", "nonsense"), "no claim matches 'nonsense'"),
        (("show", "spike.sampel.overlap"), "near: spike.sample.overlap"),
        (("all", "--seed", "-1"), "seed must be an integer in 0..2**64-1: got -1"),
        (("all", "--seed", "one"), "seed must be an integer: got 'one'"),
        (("all", "--profile", "fast"), "profile must be one of quick, standard, full: got 'fast'"),
        (("all", "--jobs", "0"), "jobs must be an integer in 1..1024: got 0"),
        (("all", "--jobs", "2.5"), "jobs must be an integer: got '2.5'"),
        (("all", "--json", "no/such/folder/o.json"), "output path must be writable"),
        (("all", "--json", "tests"), "output path must be a file: got the directory 'tests'"),
        (("all", "--colour"), "No such option"),
        (("every",), "No such command"),
        (("run",), "Missing argument"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(arguments: tuple[str, ...], message: str) -> None:
    done = _verify(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_session_takes_no_arguments() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "theory", "--nope"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "error: theory takes no arguments: got '--nope'\n"


def test_a_run_is_the_same_optimised_piped_and_in_ascii(tmp_path: Path) -> None:
    path = tmp_path / "o.json"
    arguments = ("run", "spike.sample.location@class*", "--profile", "quick", "--json", str(path))
    done = _verify(*arguments, flags=("-O",), LC_ALL="C", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "every verdict as expected" in done.stdout
    data = json.loads(path.read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert [c["verdict"] for c in data["claims"]] == ["holds"]
    assert not list(tmp_path.glob(".verify-*"))


def test_record_follows_its_schema(quick: Result) -> None:
    data = json.loads(json.dumps(records.record(quick), allow_nan=False))
    assert data.keys() == {
        "schema", "seed", "profile", "versions", "seconds", "observations", "claims",
    }  # fmt: skip
    for claim in data["claims"]:
        assert {
            "id", "model", "source", "stance", "verdict", "basis", "expected", "checks",
            "mutants", "resolution", "seconds",
        } <= claim.keys()  # fmt: skip
        for check in claim["checks"]:
            assert check.keys() == {
                "kind", "outcome", "setting", "observed", "predicted", "sampling", "bias",
                "relative_to", "digits", "detail",
            }  # fmt: skip
    sizes = data["observations"]["raw/prefix-pooling"]
    assert sizes["64"]["replicates"] == 120
    assert set(sizes["64"]["eigenvalue 1"]) == {"mean", "stderr"}


def test_a_number_that_is_not_finite_becomes_null_and_never_holds() -> None:
    evidence = Evidence("simulated", Outcome.AGREES, "", observed=float("nan"))
    assert records._check(evidence)["observed"] is None


def test_tables_depend_on_seed_alone() -> None:
    some = [e for e in experiments(items()) if e.name.startswith("centred")]
    one = simulate(some, "quick", seed=5, jobs=1)
    two = simulate(some[:1], "quick", seed=5, jobs=2)
    name = some[0].name
    for size, columns in two[name].table.items():
        for observable, values in columns.items():
            assert (values == one[name].values(size, observable)).all()
        assert len(set(columns["eigenvalue 1"])) == len(columns["eigenvalue 1"])
    other = simulate(some[:1], "quick", seed=6, jobs=1)
    assert (other[name].values(64, "eigenvalue 1") != one[name].values(64, "eigenvalue 1")).all()


def test_replicates_have_generators_of_their_own() -> None:
    first = {generator(0, "a", 64, i).integers(2**63) for i in range(100)}
    assert len(first) == 100
    assert generator(0, "a", 64, 0).integers(2**63) != generator(0, "b", 64, 0).integers(2**63)


def test_results_follow_links_and_spare_what_is_no_file(tmp_path: Path) -> None:
    real, link, pipe = (tmp_path / name for name in ("real.json", "link.json", "pipe"))
    real.write_text("{}")
    link.symlink_to(real)
    records.write({"a": 1}, link)
    assert link.is_symlink()
    assert json.loads(real.read_text()) == {"a": 1}
    umask = os.umask(0o022)
    os.umask(umask)
    assert stat.S_IMODE(real.stat().st_mode) == 0o666 & ~umask
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    records.write({"a": 1}, pipe)
    assert json.loads(os.read(reader, 100)) == {"a": 1}
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[" * 100_000, b'{"claims": 3}', b"{}"])
def test_what_is_no_results_file_is_refused_in_one_line(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(content)
    assert markdown.main([str(path)]) == 2
    assert "is no results file" in capsys.readouterr().err


def test_help_and_list_name_what_there_is() -> None:
    assert "Judge every claim" in _verify("--help").stdout
    listed = _verify("list", "spike.sample.overlap").stdout
    assert "spike.sample.overlap@raw-table" in listed
    assert "expected to fail" in listed
    shown = _verify("show", "spike.sample.overlap").stdout
    for text in ("fails for raw-table", "instead", "derived by", "mu2"):
        assert text in shown
