"""The walls of the house, as tests."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    package: sorted((ROOT / package).rglob("*.py")) for package in ("theory", "numerics", "verify")
}


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def _roots(package: str) -> dict[Path, set[str]]:
    return {path: {name.split(".")[0] for name in _imports(path)} for path in SOURCES[package]}


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("theory", {"numerics", "verify", "numpy", "scipy", "mpmath", "flint"}),
        ("numerics", {"theory", "verify"}),
    ],
)
def test_a_package_imports_nothing_it_must_not_know(package: str, forbidden: set[str]) -> None:
    for path, roots in _roots(package).items():
        assert not roots & forbidden, f"{path} imports {roots & forbidden}"


@pytest.mark.parametrize(
    ("package", "strangers"),
    [("theory", ("numerics", "verify", "numpy", "scipy")), ("numerics", ("theory", "verify"))],
)
def test_a_package_loads_alone(package: str, strangers: tuple[str, ...]) -> None:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in SOURCES[package]
        if path.name != "__main__.py"
    ]
    program = (
        f"import sys, importlib\nfor name in {modules}: importlib.import_module(name)\n"
        f"print([s for s in {strangers} if s in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_theory_is_exact() -> None:
    for path in SOURCES["theory"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                assert not isinstance(node.value, float), f"{path}:{node.lineno} holds a float"
            if isinstance(node, ast.Attribute):
                assert node.attr not in {"simplify", "evalf", "lambdify", "n"}, (
                    f"{path}:{node.lineno} calls {node.attr}"
                )


def test_nothing_typed_by_a_user_is_executed() -> None:
    for path in SOURCES["verify"] + SOURCES["numerics"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec"}, f"{path}:{node.lineno}"
            if isinstance(node, ast.Attribute):
                assert node.attr not in {"parse_expr"}, f"{path}:{node.lineno}"


def test_reports_read_a_record_and_nothing_else() -> None:
    for path in sorted((ROOT / "verify" / "report").rglob("*.py")):
        roots = {name.split(".")[0] for name in _imports(path)}
        assert not roots & {"theory", "numerics", "sympy", "numpy"}
        assert not {name for name in _imports(path) if name.startswith("verify")}


def test_claims_compute_nothing() -> None:
    allowed = {"sympy", "theory", "verify"}
    for path in sorted((ROOT / "verify" / "claims").rglob("*.py")):
        assert {name.split(".")[0] for name in _imports(path)} <= allowed


def test_the_two_sources_share_no_printed_name() -> None:
    import theory.pooled
    import theory.query

    first, second = (
        {str(getattr(m, name)) for name in m.__all__ if hasattr(getattr(m, name), "is_Symbol")}
        for m in (theory.pooled, theory.query)
    )
    assert first
    assert second
    assert not first & second
