"""An interactive SymPy session with theory's names: python -m theory."""

from __future__ import annotations

import code
import sys
from importlib.util import find_spec
from typing import Any

import sympy as sp

import theory
from theory import pooled

_BANNER = """\
theory: spectral laws as rational curves; everything is exact.
  law = marchenko_pastur(delta) @ marchenko_pastur(gamma);  law.explain()
  law.moment(3);  law.subs({delta: Rational(1, 2), gamma: Rational(1, 4)}).edges()
Names: sp, Rational, Symbol, symbols, sqrt, Eq; the laws; pooled, and its delta, gamma, kappa."""


def names() -> dict[str, Any]:
    """What the session starts with."""
    found: dict[str, Any] = {"sp": sp, "theory": theory, "pooled": pooled}
    found |= {name: getattr(sp, name) for name in ("Rational", "Symbol", "symbols", "sqrt", "Eq")}
    found |= {name: getattr(pooled, name) for name in ("delta", "gamma", "kappa")}
    return found | {name: getattr(theory, name) for name in theory.__all__}


def main() -> None:
    """Start IPython if it is installed, else Python's own console."""
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(_BANNER)
        return
    if sys.argv[1:]:
        print(f"error: theory takes no arguments: got {sys.argv[1]!r}", file=sys.stderr)
        raise SystemExit(2)
    if find_spec("IPython"):
        from IPython import start_ipython  # type: ignore[import-not-found, unused-ignore]

        print(_BANNER)
        start_ipython(argv=["--no-banner"], user_ns=names())
    else:
        code.interact(banner=_BANNER, local=names(), exitmsg="")


if __name__ == "__main__":
    main()
