"""How the largest eigenvalue fluctuates about a soft edge, for any law.

Near its upper edge a density is that of √: with n eigenvalues, the largest lies at
λ₊ + σ n^(−2/3) TW, TW the Tracy–Widom law, where the density is √(λ₊ − x)/(π σ^{3/2}). On the curve
the edge is a point with z′ = 0, and σ³ = z″/(2G′²) there, whatever the parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import prod
from typing import Any

import sympy as sp

from theory.algebra import Answer, Finding, is_zero
from theory.laws.curve import PARAMETER, reduced
from theory.laws.law import SpectralLaw

# Mean and variance of the Tracy–Widom law of real symmetric matrices.
tracy_widom_mean = sp.Symbol("tau1", real=True)
tracy_widom_variance = sp.Symbol("tau2", positive=True)
# The coordinate q = d·m of a curve in counts.
q = sp.Symbol("q", real=True)

HALF = sp.Rational(1, 2)


@dataclass(frozen=True)
class SizedLaw:
    """The limit law of d eigenvalues, and the counts that its symbols are ratios to.

    law : given in m, with the ratios d/n as its symbols
    dimension : d
    counts : (ratio, n) for each of them
    """

    law: SpectralLaw
    dimension: sp.Symbol
    counts: tuple[tuple[sp.Symbol, sp.Symbol], ...]


def edge_cube(law: SpectralLaw) -> sp.Expr:
    """σ³ along the curve, to be read at an edge: z″/(2G′²).

    >>> from theory import semicircle
    >>> edge_cube(semicircle()).subs(PARAMETER, 1)
    1
    """
    z, G = law.curve.z, law.curve.G
    return reduced(sp.diff(z, PARAMETER, 2) / (2 * sp.diff(G, PARAMETER) ** 2))


def edge_cube_by_polynomial(law: SpectralLaw) -> sp.Expr:
    """`edge_cube` from the branch point of P(z, G) = 0: −P_GG/(2P_z)."""
    z, G = sp.symbols("z G", cls=sp.Dummy)
    P = law.stieltjes_polynomial(z, G)
    on_curve = {z: law.curve.z, G: law.curve.G}
    return reduced((-sp.diff(P, G, 2) / (2 * sp.diff(P, z))).subs(on_curve, simultaneous=True))


def equal_at_edges(left: sp.Expr, right: sp.Expr, law: SpectralLaw) -> Answer:
    """Whether two functions along the curve have the same values wherever z′ = 0."""
    top = sp.fraction(sp.together(left - right))[0]
    edge = law.edge_equation(PARAMETER).lhs
    return is_zero(sp.rem(sp.Poly(top, PARAMETER), sp.Poly(edge, PARAMETER)).as_expr()).answer


def scale_of_edges(model: SizedLaw) -> tuple[Finding, ...]:
    """σ by two routes, in the coordinate m, and how it scales."""
    law = model.law
    cube, z = edge_cube(law), law.curve.z
    factor = sp.Symbol("c", positive=True)
    dilated = is_zero(edge_cube(factor * law) - factor**3 * cube).answer
    by_z = reduced(z**2 * sp.diff(z, PARAMETER, 2) / 2)
    return (
        Finding(
            equal_at_edges(cube, edge_cube_by_polynomial(law), law),
            "z″/(2G′²) on the curve is −P_GG/(2P_z) at the branch point of its polynomial",
        ),
        Finding(equal_at_edges(cube, by_z, law), "in the coordinate m it is z²z″/2"),
        Finding(dilated, "σ of the law of c·x is cσ"),
    )


def in_counts(model: SizedLaw) -> sp.Expr:
    """The curve multiplied by all counts n, in q = d·m.

    >>> from theory import marchenko_pastur
    >>> c, d, n = sp.symbols("c d n", positive=True)
    >>> in_counts(SizedLaw(marchenko_pastur(c), d, ((c, n),)))
    (d + q)*(n + q)/q
    """
    if model.law.curve.m != PARAMETER:
        raise ValueError(f"law must have m as the coordinate of its curve: got {model.law}")
    d = model.dimension
    values = {ratio: d / n for ratio, n in model.counts}
    z = model.law.curve.z.subs(values).subs(PARAMETER, q / d)
    return reduced(z * prod(n for _, n in model.counts))


def half_shifted(model: SizedLaw) -> sp.Expr:
    """`in_counts` with every dimension less ½, which real Gaussian matrices ask for.

    For one factor the edge is then (√(d − ½) + √(n − ½))² (Ma 2012), and the mean is off by
    O(d^(−2/3)) instead of O(d^(−1/3)) in units of the fluctuation.
    """
    sizes = (model.dimension, *(n for _, n in model.counts))
    return in_counts(model).subs({n: n - HALF for n in sizes}, simultaneous=True)


def symmetric_in_counts(model: SizedLaw) -> tuple[Finding, ...]:
    """All dimensions play the same part: no permutation of them changes the curve in q."""
    sizes = (model.dimension, *(n for _, n in model.counts))
    y = in_counts(model)
    answers = [
        is_zero(y - y.subs(dict(zip(sizes, order, strict=True)), simultaneous=True)).answer
        for order in permutations(sizes)
    ]
    every = Answer.YES if all(answer is Answer.YES for answer in answers) else Answer.NO
    return (Finding(every, f"{y} is symmetric in {', '.join(map(str, sizes))}"),)


Seen = Callable[[sp.Expr, Mapping[sp.Symbol, Any]], sp.Expr]


def top_mean(model: SizedLaw) -> Seen:
    """(y, bindings) → E λ_max at a size: (y₊ + (y₊²y₊″/2)^{1/3} τ₁)/(n₁n₂⋯).

    y is a curve in counts, y₊ its minimum over q > 0, where the arc from infinity first turns.
    """

    def mean(y: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
        edge, scale = _edge_and_scale(y, model, bindings)
        return edge + scale * bindings[tracy_widom_mean]

    return mean


def top_variance(model: SizedLaw) -> Seen:
    """(y, bindings) → the variance of λ_max at a size: its scale squared, times τ₂."""

    def variance(y: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
        return _edge_and_scale(y, model, bindings)[1] ** 2 * bindings[tracy_widom_variance]

    return variance


def mean_shift(model: SizedLaw) -> Seen:
    """(y, bindings) → how far E λ_max lies from the edge at a size: what is to be resolved."""

    def shift(y: sp.Expr, bindings: Mapping[sp.Symbol, Any]) -> sp.Expr:
        return abs(_edge_and_scale(y, model, bindings)[1] * bindings[tracy_widom_mean])

    return shift


def _edge_and_scale(
    y: sp.Expr, model: SizedLaw, bindings: Mapping[sp.Symbol, Any]
) -> tuple[sp.Expr, sp.Expr]:
    """y₊ and (y₊²y₊″/2)^{1/3}, over the product of the counts; nan without a minimum."""
    counts = prod(bindings[n] for _, n in model.counts)
    edge, scale = _minimum(y.subs(bindings))
    return edge / counts, scale / counts


@lru_cache(maxsize=64)
def _minimum(y: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    top, bottom = (sp.Poly(part, q) for part in sp.fraction(sp.cancel(y)))
    # The numerator of y′ over bottom²; where it is 0, its slope over bottom² is y″.
    slope = top.diff(q) * bottom - top * bottom.diff(q)
    roots = [] if slope.is_ground else slope.real_roots()
    # Rationals within 1e-25 of a root and of a value keep arithmetic simple; the minimum itself
    # feels the former by its square.
    points = [_near(root.eval_rational(n=40)) if isinstance(root, sp.CRootOf) else root
              for root in roots if root.is_positive]  # fmt: skip
    bent = slope.diff(q)
    minima = [point for point in points if bent.eval(point).is_positive]
    if not minima:
        return sp.nan, sp.nan
    edges = {point: top.eval(point) / bottom.eval(point) for point in minima}
    point = min(minima, key=lambda point: edges[point])
    cube = edges[point] ** 2 * bent.eval(point) / bottom.eval(point) ** 2 / 2
    return edges[point], sp.cbrt(_near(cube) if cube.is_Rational else cube)


def _near(value: sp.Rational) -> sp.Rational:
    return value.limit_denominator(10**25)
