"""A law's derivation in words: what follows from the curve, step by step, each with its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from theory.laws.curve import PARAMETER, NotRational
from theory.laws.selection import upper_edge_rule

if TYPE_CHECKING:
    from theory.laws.law import SpectralLaw


@dataclass(frozen=True)
class Step:
    """One step: its name, the rule it applies, and what it gives."""

    name: str
    rule: str
    result: str


@dataclass(frozen=True)
class Explanation:
    """The steps of a derivation; as text, one paragraph each."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "\n".join(
            f"{k}. {step.name}  [{step.rule}]\n   {step.result}"
            for k, step in enumerate(self.steps, 1)
        )

    __repr__ = __str__


def explain(law: SpectralLaw) -> Explanation:
    """S-transform, curve, polynomial, moments, edge equation with its rule, mass at 0."""
    return Explanation(
        (_transform(law), _curve(law), _polynomial(law), _moments(law), _edges(law), _mass(law))
    )


def _transform(law: SpectralLaw) -> Step:
    m, G = sp.symbols("m G")
    rule = "S(m) = (1 + m)/(m z(m)) with m = zG − 1; under ⊠ it multiplies"
    try:
        return Step("S-transform", rule, f"S(m) = {law.s_transform(m)}")
    except NotRational as reason:
        try:
            return Step(
                "R-transform", "R(G) = z − 1/G; under ⊞ it adds", f"R(G) = {law.r_transform(G)}"
            )
        except NotRational:
            return Step("S-transform", rule, str(reason))


def _curve(law: SpectralLaw) -> Step:
    u = sp.Symbol("m" if law.curve.m == PARAMETER else "u")
    z, G = (f.subs(PARAMETER, u) for f in (law.curve.z, law.curve.G))
    inverse = "the inverse of m(z), z = (1 + m)/(m S(m))"
    rule = inverse if u.name == "m" else "z and G, both rational"
    return Step("Curve", rule, f"z({u}) = {z},  G({u}) = {G}")


def _polynomial(law: SpectralLaw) -> Step:
    z, G = sp.symbols("z G")
    rule = "eliminate the parameter; the factor that vanishes on the curve"
    return Step("Polynomial", rule, f"{law.stieltjes_polynomial(z, G)} = 0")


def _moments(law: SpectralLaw) -> Step:
    shown = ",  ".join(f"E x^{n} = {law.moment(n)}" for n in range(1, 4))
    return Step("Moments", "Lagrange inversion of z(u) at z = ∞", shown)


def _edges(law: SpectralLaw) -> Step:
    rule = "dz/du = 0; an edge is a critical point where a physical arc ends"
    lines = [f"{law.edge_equation().lhs} = 0"]
    try:
        lines.append(str(upper_edge_rule(law)))
    except ValueError as reason:
        lines.append(f"no count of its roots: {reason}")
    if not law.curve.free_symbols:
        lines.append(
            "a real arc is physical iff, followed upwards from any of its points, it ends at "
            "z = ∞, zG = 1; the support is what the physical arcs leave out:"
        )
        intervals = [f"[{_shown(a)}, {_shown(b)}]" for a, b in law.support()]
        lines.append(" ∪ ".join(intervals) or "no intervals")
    return Step("Edges", rule, "\n   ".join(lines))


def _shown(edge: sp.Expr) -> str:
    """An edge as it is where that is short, else decimals of a rational close to it, cut off."""
    if not edge.has(sp.CRootOf):
        return str(edge)
    close = edge.subs({root: root.eval_rational(n=30) for root in edge.atoms(sp.CRootOf)})
    # Twelve digits after as many zeros as numerator and denominator differ in length.
    places = 12 + max(0, len(str(close.q)) - len(str(abs(close.p))))
    scaled = int(sp.floor(abs(close) * sp.Integer(10) ** places))
    whole, rest = divmod(scaled, 10**places)
    return f"{'-' if close.is_negative else ''}{whole}.{rest:0{places}d}…"


def _mass(law: SpectralLaw) -> Step:
    rule = "(z − 0)G = 1 + m at the limit of the physical sheet over z = 0"
    try:
        return Step("Mass at 0", rule, str(law.mass_at_zero()))
    except ValueError as reason:
        return Step("Mass at 0", rule, str(reason))
