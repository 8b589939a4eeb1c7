"""Pooling weights: norm, signal ratio, and the weights that maximise it, with exact certificates.

With R the correlation of the signs, κ = ‖w‖², α = wᵀRw, and the spike is driven by α/κ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Any

import sympy as sp
from sympy.polys.matrices import DomainMatrix

from theory.algebra import exact

Vector = Sequence[Any]


def squared_norm(w: Vector) -> sp.Expr:
    """κ = Σ w_t².

    >>> squared_norm([sp.Rational(1, 2)] * 2)
    1/2
    """
    return sum((entry**2 for entry in _vector(w)), sp.S.Zero)


def signal(w: Vector, R: sp.MatrixBase) -> sp.Expr:
    """α = wᵀRw, for explicit or symbolic entries.

    Raises
    ------
    ValueError : w and R of different length.

    >>> a, b, r = sp.symbols("a b r")
    >>> sp.expand(signal([a, b], sp.Matrix([[1, r], [r, 1]])))
    a**2 + 2*a*b*r + b**2
    """
    vector = sp.Matrix(_vector(w))
    if R.shape != (len(vector), len(vector)):
        raise ValueError(f"R must be {len(vector)} × {len(vector)}, as w is: got {R.shape}")
    return (vector.T * R * vector)[0]


def ratio(w: Vector, R: sp.MatrixBase) -> sp.Expr:
    """α/κ, the Rayleigh quotient of R.

    Raises
    ------
    ValueError : w = 0, w and R of different length.

    Source: A5.

    >>> ratio([1, 1], sp.ones(2))
    2
    """
    if squared_norm(w) == 0:
        raise ValueError("w must not be 0: got a vector of zeros")
    return signal(w, R) / squared_norm(w)


def label_ratio(w: Vector, block: Iterable[int]) -> sp.Expr:
    """a²/κ, a the sum of w over the block (positions from 0) whose sign is the label.

    This one moves a classifier, α/κ moves the spike: α/κ = a²/κ + (α − a²)/κ.

    >>> label_ratio([1, 1, 1], [0, 1])
    4/3
    """
    vector = _vector(w)
    return sum((vector[t] for t in block), sp.S.Zero) ** 2 / squared_norm(vector)


def gradient(w: Vector, R: sp.MatrixBase) -> sp.ImmutableMatrix:
    """The gradient of α/κ at w, by differentiation in free entries: 0 iff w is stationary.

    >>> gradient([1, 1, 0], sp.diag(sp.ones(2), 1)).T
    Matrix([[0, 0, 0]])
    """
    free = sp.symbols(f"w1:{len(w) + 1}", cls=sp.Dummy, real=True)
    here = dict(zip(free, _vector(w), strict=True))
    quotient = ratio(free, R)
    return sp.ImmutableMatrix([sp.cancel(sp.diff(quotient, x).subs(here)) for x in free])


@dataclass(frozen=True)
class Optimum:
    """The maximum of α/κ over all w ≠ 0, and every w that attains it.

    value : λ, the largest eigenvalue of R, exact.
    face : a basis of the weights that attain it.
    """

    value: sp.Expr
    face: tuple[sp.ImmutableMatrix, ...]

    @property
    def unique(self) -> bool:
        """Unique up to scale, iff the largest eigenvalue is simple."""
        return len(self.face) == 1


def optimum(R: sp.MatrixBase) -> Optimum:
    """The weights that maximise α/κ, for R with rational entries.

    λ is the largest real root of det(x − R), isolated exactly, so λ − R is positive semidefinite;
    the face is the kernel of λ − R over the field Q(λ).

    Raises
    ------
    ValueError : an entry is not rational, R is not symmetric.

    Source: A5.

    >>> best = optimum(sp.diag(sp.ones(2), 1))
    >>> best.value, best.face[0].T, best.unique
    (2, Matrix([[1, 1, 0]]), True)
    >>> len(optimum(sp.eye(3)).face)
    3
    """
    factors = DomainMatrix.from_Matrix(_rational(R)).to_field().charpoly_factor_list()
    roots = [_largest_root(coefficients) for coefficients, _ in factors]
    top = roots[0]
    for root in roots[1:]:
        top = root if (root - top).is_positive else top
    return Optimum(top, _kernel(R, top))


def is_upper_bound(value: sp.Expr, R: sp.MatrixBase) -> bool:
    """Is value·I − R positive semidefinite, that is α/κ ≤ value for every w?

    A second route to the maximum: exact pivots, no eigenvalue.

    >>> is_upper_bound(sp.Integer(2), sp.ones(2)), is_upper_bound(sp.Rational(19, 10), sp.ones(2))
    (True, False)
    """
    return is_positive_semidefinite(value * sp.eye(R.rows) - R)


def is_positive_semidefinite(matrix: sp.MatrixBase) -> bool:
    """By symmetric elimination with exact pivots; a zero pivot needs a zero row.

    Raises
    ------
    ValueError : the matrix is not symmetric, or the sign of a pivot is not decided.

    >>> is_positive_semidefinite(sp.Matrix([[0, 1], [1, 0]]))
    False
    """
    work = sp.Matrix(matrix)
    if work.rows != work.cols or not work.is_symmetric():
        raise ValueError(f"matrix must be symmetric: got {matrix}")
    while work.rows:
        pivot = sp.radsimp(work[0, 0])
        rest = work[1:, 0]
        if pivot.is_zero:
            if any(not sp.radsimp(entry).is_zero for entry in rest):
                return False
            work = work[1:, 1:]
        elif pivot.is_positive:
            work = (work[1:, 1:] - rest * rest.T / pivot).applyfunc(sp.radsimp)
        elif pivot.is_negative:
            return False
        else:
            raise ValueError(f"matrix must have pivots of decided sign: got {pivot}")
    return True


class NonNegative(Enum):
    """What Perron and Frobenius say about the top eigenvectors of R."""

    UNIQUE_POSITIVE = "unique and positive"
    EXISTS = "a non-negative one exists"
    NOT_IMPLIED = "not implied"


def perron_frobenius(R: sp.MatrixBase) -> NonNegative:
    """What R ≥ 0 implies: a non-negative optimum; if irreducible, unique and positive.

    >>> perron_frobenius(sp.eye(2)).value, perron_frobenius(sp.ones(2)).value
    ('a non-negative one exists', 'unique and positive')
    """
    if any(entry.is_nonnegative is not True for entry in R):
        return NonNegative.NOT_IMPLIED
    reached, border = {0}, [0]
    while border:
        row = border.pop()
        new = {t for t in range(R.rows) if R[row, t] != 0} - reached
        reached |= new
        border.extend(new)
    return NonNegative.UNIQUE_POSITIVE if len(reached) == R.rows else NonNegative.EXISTS


def best_nonnegative(R: sp.MatrixBase, largest: int = 8) -> Optimum:
    """The maximum of α/κ over w ≥ 0, and for each support that attains it a w.

    At a maximum the positive entries are a local, hence global, maximum of the quotient of the
    principal submatrix on their support: its top eigenvector. All supports are tried.

    Parameters
    ----------
    R : rational, symmetric, T × T
    largest : the largest T that is tried (2^T supports)

    Raises
    ------
    ValueError : T above `largest`, an entry not rational, R not symmetric.

    >>> best_nonnegative(sp.Matrix([[2, -1], [-1, 2]])/2).face
    (Matrix([
    [1],
    [0]]), Matrix([
    [0],
    [1]]))
    """
    if largest < R.rows:
        raise ValueError(f"R must have at most {largest} rows for 2^T supports: got {R.rows}")
    best = sp.S.Zero
    face: list[sp.ImmutableMatrix] = []
    for size in range(1, R.rows + 1):
        for support in map(list, combinations(range(R.rows), size)):
            local = optimum(R.extract(support, support))
            inner = local.face[0] * sp.sign(sum(local.face[0]))
            # Where the top eigenvalue is multiple, a smaller support attains it as well.
            if not local.unique or not all(entry.is_positive for entry in inner):
                continue
            if local.value > best:
                best, face = local.value, []
            if local.value == best:
                place = {t: inner[i] for i, t in enumerate(support)}
                face.append(sp.ImmutableMatrix([place.get(t, 0) for t in range(R.rows)]))
    return Optimum(best, tuple(face))


def _largest_root(coefficients: Sequence[Any]) -> sp.Expr:
    """The largest root of an irreducible factor: in radicals to degree 2, otherwise isolated."""
    factor = sp.Poly([sp.Rational(c) for c in coefficients], sp.Dummy("x"))
    return factor.real_roots(radicals=True)[-1]


def _kernel(R: sp.MatrixBase, value: sp.Expr) -> tuple[sp.ImmutableMatrix, ...]:
    """A basis of ker(value − R) over Q(value), each vector scaled to a last non-zero entry of 1."""
    shifted = value * sp.eye(R.rows) - R
    if value.is_Rational:
        basis = shifted.nullspace()
    else:
        field = sp.QQ.algebraic_field(value)
        rows = [[field.from_sympy(entry) for entry in row] for row in shifted.tolist()]
        kernel = DomainMatrix(rows, R.shape, field).nullspace().to_Matrix()
        basis = [kernel[i, :].T for i in range(kernel.rows)]
    scaled = []
    for vector in basis:
        last = next(entry for entry in reversed(list(vector)) if entry != 0)
        scaled.append(sp.ImmutableMatrix((vector / last).applyfunc(sp.radsimp)))
    return tuple(scaled)


def _rational(R: sp.MatrixBase) -> sp.MatrixBase:
    if R.rows != R.cols or R.T != R:
        raise ValueError(f"R must be symmetric: got {R}")
    for entry in R:
        if not entry.is_Rational:
            raise ValueError(f"R must have rational entries: got {entry}")
    return R


def _vector(w: Vector) -> list[sp.Expr]:
    return [exact(entry, f"w[{t}]") for t, entry in enumerate(w)]
