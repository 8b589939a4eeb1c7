"""Speed and accuracy of density and cdf, in one run and one thread: python benchmarks/density.py

The yardstick is the plain vectorised formula for the cubic of MP_δ ⊠ MP_γ (Cardano, real cube
roots). Accuracy is against 50 digits. Peers appear when they are installed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import numpy as np
import sympy as sp
from threadpoolctl import threadpool_limits

from numerics import cdf, density, edges
from theory import SpectralLaw, marchenko_pastur

Array = Any


def cardano(x: Array, delta: float, gamma: float) -> Array:
    """Im m/(πx) from the cubic δγm³ + (δ+γ+δγ)m² + (1+δ+γ−x)m + 1 = 0."""
    lead = delta * gamma
    b, c, d = (delta + gamma + lead) / lead, (1 + delta + gamma - x) / lead, 1 / lead
    p, q = c - b * b / 3, 2 * b**3 / 27 - b * c / 3 + d
    discriminant = (q / 2) ** 2 + (p / 3) ** 3
    root = np.sqrt(np.maximum(discriminant, 0))
    imag = np.sqrt(3) / 2 * np.abs(np.cbrt(-q / 2 + root) - np.cbrt(-q / 2 - root))
    return np.where(discriminant > 0, imag / (np.pi * x), 0)


def best(call: Callable[[], Any], repeats: int) -> float:
    """The shortest of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def speed() -> None:
    """Times per point, and against the plain formula on the same points."""
    delta, gamma = 0.5, 0.25
    laws = {
        "two factors": marchenko_pastur("1/2") @ marchenko_pastur("1/4"),
        "four factors": marchenko_pastur("1/2")
        @ marchenko_pastur("1/4")
        @ marchenko_pastur(2)
        @ marchenko_pastur("1e-3"),
    }
    print(f"{'points':>9} {'order':>7} {'what':<24} {'ns/point':>9} {'ratio':>6}")
    for points in (2_000, 1_000_000):
        ordered = np.linspace(0.001, 4, points)
        for order, x in (
            ("sorted", ordered),
            ("random", np.random.default_rng(0).permutation(ordered)),
        ):
            repeats = 200 if points < 10_000 else 7
            plain = best(lambda x=x: cardano(x, delta, gamma), repeats)
            row(points, order, "plain cubic", plain, plain)
            for name, law in laws.items():
                density(law, x[:1])
                row(
                    points,
                    order,
                    f"density, {name}",
                    best(lambda x=x, law=law: density(law, x), repeats),
                    plain,
                )
            row(
                points,
                order,
                "cdf, two factors",
                best(lambda x=x: cdf(laws["two factors"], x), repeats),
                plain,
            )


def row(points: int, order: str, what: str, seconds: float, plain: float) -> None:
    """One line of the table."""
    print(
        f"{points:>9} {order:>7} {what:<24} {seconds / points * 1e9:>9.1f} {seconds / plain:>6.2f}"
    )


def sample(law: SpectralLaw, count: int, seed: int) -> Array:
    """Points over the support, half of them close to its ends."""
    rng = np.random.default_rng(seed)
    ends = edges(law)
    found = []
    for low, high in zip(ends[::2], ends[1::2], strict=True):
        width = high - low
        found += [low + width * rng.uniform(size=count // 2)]
        offsets = width * 10.0 ** rng.uniform(-13, -1, size=count // 4)
        found += [low + offsets, high - offsets]
    return np.concatenate(found)


def accuracy(count: int = 60) -> None:
    """The worst relative error against 50 digits, and in units of 1e-15 (1 + x/distance)."""
    ratios = [
        ("1/2", "1/4"), ("1e-6", 1000), ("1e-6", "1e-6"), (1000, 1000), (1, 1), (2, 2),
        (1, "1e-6"), (1, "1.000001"), ("1/2", "1/4", "1/5"), (1, 1, 1), ("1e-3", 2, "0.7", "1e-6"),
    ]  # fmt: skip
    print(
        f"\n{'ratios':<26} {'points':>6} {'worst error':>12} {'at x':>24} "
        f"{'in units':>9} {'plain':>9}"
    )
    total, worst = 0, 0.0
    for case in ratios:
        law = marchenko_pastur(case[0])
        for c in case[1:]:
            law = law @ marchenko_pastur(c)
        x = sample(law, count, seed=len(case))
        found = density(law, x)
        ends = edges(law, dps=50)
        places = [sp.Rational(Fraction(float(v))) for v in x]
        exact = [density(law, place, dps=50) for place in places]
        kept = [k for k, f in enumerate(exact) if f != 0]
        errors = np.array([relative_error(found[k], exact[k]) for k in kept])
        room = np.array([float(min(abs(places[k] - e) for e in ends)) for k in kept])
        units = errors / (1e-15 * (1 + np.abs(x[kept]) / room))
        top = int(np.argmax(units))
        plain = ""
        if len(case) == 2:
            with np.errstate(all="ignore"):
                guess = cardano(x[kept], *(float(sp.Rational(str(c))) for c in case))
            plain = (
                f"{max(relative_error(g, exact[k]) for g, k in zip(guess, kept, strict=True)):9.1e}"
            )
        shown = ", ".join(map(str, case))
        print(
            f"{shown:<26} {len(kept):>6} {errors[top]:>12.1e} {x[kept][top]:>24.16e} "
            f"{units[top]:>9.2f} {plain:>9}"
        )
        total, worst = total + len(kept), max(worst, float(units.max()))
    print(f"{total} points; worst error {worst:.2f} in units of 1e-15 (1 + x/distance to an edge)")


def relative_error(found: float, exact: sp.Float) -> float:
    """|found/exact − 1|, in 50 digits."""
    if not np.isfinite(found):
        return float("inf")
    return float(abs(sp.Rational(Fraction(float(found))) / exact - 1))


def imports(repeats: int = 7) -> None:
    """import theory against import sympy, each in fresh processes."""
    seconds = {
        name: best(
            lambda name=name: subprocess.run([sys.executable, "-c", f"import {name}"], check=True),
            repeats,
        )
        for name in ("sympy", "theory")
    }
    print(
        f"\nimport theory {seconds['theory']:.3f} s, import sympy {seconds['sympy']:.3f} s, "
        f"ratio {seconds['theory'] / seconds['sympy']:.2f}"
    )


def peers() -> None:
    """The same density by other packages, where they are installed."""
    x = np.linspace(0.1, 3.7, 2_000)
    own = density(marchenko_pastur("1/2"), x)
    print()
    if find_spec("freealg"):
        import freealg

        law = freealg.distributions.MarchenkoPastur(0.5)
        seconds = best(lambda: law.density(x), 20)
        print(
            f"freealg, MP_1/2, 2000 points: {seconds / 2000 * 1e9:.1f} ns/point, "
            f"largest difference {np.nanmax(np.abs(law.density(x) - own)):.1e}"
        )
    else:
        print("freealg: not installed")
    print("rmtool: " + ("installed, not timed" if find_spec("rmtool") else "not installed"))


if __name__ == "__main__":
    with threadpool_limits(1):
        speed()
        accuracy()
        imports()
        peers()
