"""Outliers of a rank-one perturbation: points of the bulk's curve, for any law.

A perturbation enters through the resolvent forms of its own directions. With M(s) the matrix of
those forms in the bulk, and Θ(s) the coupling, the perturbed forms are M(1 − ΘM)⁻¹: an outlier
is a zero of det(1 − ΘM), and the squared overlap of its eigenvector with the direction is the
residue there. Only M and Θ differ between kinds of perturbation; no kind knows any law.

References: Benaych-Georges and Nadakuditi (2011, 2012) for the three kinds below.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.algebra import exact, positive
from theory.laws.curve import PARAMETER, mobius_inverse, reduced
from theory.laws.law import SpectralLaw

# The spectral variable s, the law's z and m at s, and the strength, while a kind is set up.
_s, _z, _m, _strength = sp.symbols("s z m theta", cls=sp.Dummy)


@dataclass(frozen=True)
class Spike:
    """An outlier as a point u of the bulk's curve: where it lies, how strong, what it shows.

    location : the outlier z(u)
    strength : the strength of the perturbation that puts it there
    overlap : the squared overlap of its eigenvector with the perturbation's direction

    All three are rational in `parameter`. On the physical sheet outside the support every point
    is the outlier of exactly one strength.
    """

    location: sp.Expr
    strength: sp.Expr
    overlap: sp.Expr
    parameter: sp.Symbol = PARAMETER

    @lru_cache(maxsize=64)  # noqa: B019  equal spikes share one entry; nothing is kept alive
    def at(self, strength: Any) -> Spike:
        """The spike of a given strength, all three as expressions in that strength.

        Raises ValueError when more than one point of the curve has this strength; then
        `threshold` and the parametric form serve instead.

        >>> from theory import semicircle
        >>> theta = sp.Symbol('theta', positive=True)
        >>> spike = additive(semicircle()).at(theta)
        >>> spike.location, spike.overlap
        ((theta**2 + 1)/theta, (theta - 1)*(theta + 1)/theta**2)
        """
        value = exact(strength, "strength")
        # Once for a symbol; then any strength is a substitution.
        general = self._general()
        location, overlap = (
            reduced(f.subs(_strength, value)) for f in (general.location, general.overlap)
        )
        return Spike(location, value, overlap)

    @lru_cache(maxsize=64)  # noqa: B019  see above
    def _general(self) -> Spike:
        inverse = mobius_inverse(self.strength)
        if inverse is None:
            raise ValueError(
                f"strength = {self.strength} has several points for one value; "
                "use the parametric form"
            )
        point = inverse.subs(PARAMETER, _strength)
        location, overlap = (
            reduced(f.subs(PARAMETER, point)) for f in (self.location, self.overlap)
        )
        return Spike(location, _strength, overlap)

    def threshold(self) -> sp.Expr:
        """The polynomial in the parameter whose roots are the points with overlap 0.

        At such a point the outlier meets an edge: the strength there is critical.
        """
        return sp.expand(sp.fraction(self.overlap)[0])


@lru_cache(maxsize=64)
def additive(law: SpectralLaw) -> Spike:
    """A + θuuᵀ, A with the given law, u a unit vector in general position.

    >>> from theory import semicircle
    >>> additive(semicircle()).strength
    1/_u
    """
    G = (1 + _m) / _z
    return _spike(law, sp.Matrix([[G]]), sp.Matrix([[_strength]]), spectral=_z)


@lru_cache(maxsize=64)
def multiplicative(law: SpectralLaw) -> Spike:
    """(1 + θuuᵀ)^{1/2} A (1 + θuuᵀ)^{1/2}, A ≥ 0 with the given law: Johnstone's model for MP.

    >>> from theory import marchenko_pastur
    >>> from theory.pooled import gamma
    >>> theta = sp.Symbol('theta', positive=True)
    >>> multiplicative(marchenko_pastur(gamma)).at(theta).location
    (gamma + theta)*(theta + 1)/theta
    """
    # uᵀ(z − BAB)⁻¹u with B = 1 + (√(1+θ) − 1)uuᵀ equals that of A + z θ/(1+θ) uuᵀ over 1 + θ.
    G = (1 + _m) / _z
    coupling = sp.Matrix([[_z * _strength / (1 + _strength)]])
    return _spike(law, sp.Matrix([[G]]), coupling, spectral=_z, weight=1 / (1 + _strength))


@lru_cache(maxsize=64)
def rectangular(law: SpectralLaw, ratio: Any) -> Spike:
    """XXᵀ for X = Y + √θ u vᵀ, with u and v unit vectors independent of Y, YYᵀ of the given law.

    `ratio` is rows over columns of Y. The overlap is that of the left vector with u.

    >>> from theory import marchenko_pastur
    >>> from theory.pooled import gamma
    >>> theta = sp.Symbol('theta', positive=True)
    >>> rectangular(marchenko_pastur(gamma), gamma).at(theta).location
    (gamma + theta)*(theta + 1)/theta
    """
    c = positive(ratio, "ratio")
    # The matrix [[0, X], [Xᵀ, 0]] has the eigenvalues ±√z; at s = √z its two diagonal resolvent
    # forms are sG and sG̃, G̃ the companion's. An eigenvector is (left, right)/√2.
    forms = sp.diag((1 + _m) / _s, (1 + c * _m) / _s)
    coupling = sp.sqrt(_strength) * sp.Matrix([[0, 1], [1, 0]])
    return _spike(law, forms, coupling, spectral=_s, weight=sp.Integer(2))


@lru_cache(maxsize=64)
def weighted_columns(law: SpectralLaw, gain: Any, projected: bool = False) -> Spike:
    """XXᵀ for X = (Y + √θ u qᵀ)K, Y = ZD^{1/2}/√n compound free Poisson, K² = 1 + (gain − 1)qqᵀ.

    q = D^{1/2}s/√n for signs s of mean 0 that do not depend on D: unlike in `rectangular` the
    right vector leans towards the columns of large weight. `projected` takes Yq out of Y first.
    The overlap is that of the left vector with u.

    >>> from theory import marchenko_pastur
    >>> from theory.pooled import delta
    >>> sp.factor(weighted_columns(marchenko_pastur(delta), 1).strength)
    1/_u
    """
    t = positive(gain, "gain")
    # Σ_v (D_v/n)(z − YᵀY)⁻¹_vv = R(G)/z, the R-transform at G; and R(G) = z − 1/G. What is
    # projected out has the companion's resolvent 1/z.
    right = 1 / _s if projected else _s * _m / (1 + _m)
    forms = sp.diag((1 + _m) / _s, right)
    # XKb = sa, KXᵀa = sb is, for Kb instead of b, a change s(1 − K⁻²) of the lower right corner.
    root = sp.sqrt(_strength)
    coupling = sp.Matrix([[0, root], [root, _s * (1 - 1 / t)]])
    return _spike(law, forms, coupling, spectral=_s, weight=sp.Integer(2))


def _spike(
    law: SpectralLaw,
    forms: sp.Matrix,
    coupling: sp.Matrix,
    spectral: sp.Symbol,
    weight: sp.Expr = sp.S.One,
) -> Spike:
    """Zero and residue of M(1 − ΘM)⁻¹ on the curve of the law."""
    secular = sp.eye(forms.rows) - coupling * forms
    determinant = sp.expand(secular.det())
    numerator = (forms * secular.adjugate())[0, 0]
    # d/ds at fixed strength: m moves with z, and z with s when s = √z.
    dz_ds = 2 * _s if spectral == _s else sp.S.One
    dm_dz = law.curve.derivative(law.curve.m)
    slope = sp.diff(determinant, spectral) + sp.diff(determinant, _m) * dm_dz * dz_ds
    on_curve = {_z: law.curve.z, _m: law.curve.m}
    strength = sp.solve(determinant.subs(_s, sp.sqrt(_z)), _strength)
    if len(strength) != 1:
        raise ArithmeticError(f"the secular equation has {len(strength)} strengths, not one")
    residue = weight * numerator / slope
    overlap = residue.subs(_s, sp.sqrt(_z)).subs(_strength, strength[0])
    return Spike(
        location=law.curve.z,
        strength=reduced(strength[0].subs(on_curve, simultaneous=True)),
        overlap=reduced(sp.powsimp(overlap).subs(on_curve, simultaneous=True)),
    )

