"""The bulk of S (A1, A9): moments, the cubic, mass at 0, every size, few tokens."""

import sympy as sp

from theory.pooled import alpha, bulk, bulk_statements, delta, gamma, kappa, mu2, weight_sum
from verify.claim import Claim, Kind, Stance
from verify.experiments import spectra as on

ratio = gamma / delta
e1, e2, e3 = delta + gamma, delta * gamma, delta**2 + gamma**2

# tr Sᵏ/d of κ·(MP_δ ⊠ MP_γ), expanded.
MOMENTS = {
    2: kappa**2 * (1 + e1),
    3: kappa**3 * (1 + 3 * e1 + e3 + 3 * e2),
    4: kappa**4 * (1 + 6 * e1 + 6 * e3 + 16 * e2 + delta**3 + gamma**3 + 6 * e2 * e1),
}
many = kappa**4 * (1 + 6 * ratio + 6 * ratio**2 + ratio**3)


def _falling_factorials(k: int) -> sp.Expr:
    d, V, N = bulk.d, bulk.V, bulk.N
    h2, b2 = mu2 + d / V, d / V

    def omega(p: sp.Expr, k: int) -> sp.Expr:
        return sp.ff(p, k) / sp.factorial(k) * sp.ff(V - 2, k) / V**k

    s = weight_sum
    both = alpha * s**2 * (h2 * b2 - mu2 / V - d / V**2)
    total = kappa**k * omega(d, k) + kappa ** (k - 1) * (alpha * h2 + s**2 * b2) * omega(
        d - 1, k - 1
    )
    if k >= 2:
        total += kappa ** (k - 2) * both * omega(d - 2, k - 2)
    return sp.ff(N, k) / N**k * total * sp.factorial(k) / sp.ff(d, k)


CLAIMS = (
    *(
        Claim(
            f"bulk.moment-{k}",
            says=f"The spectrum of S is that of κ·(MP_δ ⊠ MP_γ): tr S^{k}/d tends to",
            source="A1",
            stance=Stance.AS_STATED,
            kind=Kind.MOMENT if k < 4 else Kind.HIGH_MOMENT,
            observed=f"moment {k}",
            formula=formula,
            routes=(bulk_statements.moment(k), bulk_statements.moment_by_counting(k)),
            holds=(on.many_tokens,),
            neighbours=(formula.subs(gamma, 0), formula.subs(delta, 0)),
        )
        for k, formula in MOMENTS.items()
    ),
    *(
        Claim(
            f"bulk.moment-{k}",
            says=f"The spectrum of S is that of κ·(MP_δ ⊠ MP_γ): tr S^{k}/d tends to",
            source="A1",
            stance=Stance.DERIVED,
            kind=Kind.HIGH_MOMENT,
            observed=f"moment {k}",
            routes=(bulk_statements.moment(k), bulk_statements.moment_by_cumulants(k)),
            holds=(on.many_tokens,),
        )
        for k in (5, 6)
    ),
    Claim(
        "bulk.infinite-vocabulary",
        says="With an infinite vocabulary the spectrum of S is κ·MP_γ: tr S²/d tends to",
        source="A9",
        stance=Stance.AS_STATED,
        kind=Kind.MOMENT,
        observed="moment 2",
        formula=kappa**2 * (1 + gamma),
        routes=(bulk_statements.moment(2), bulk_statements.moment_by_counting(2)),
        holds=(on.long_vocabulary,),
        fails=(on.many_tokens,),
        instead="bulk.moment-2",
    ),
    Claim(
        "bulk.departure",
        says="A finite vocabulary multiplies the spectrum freely by MP_δ: tr S²/d exceeds that of "
        "an infinite one by",
        source="A9",
        stance=Stance.AS_STATED,
        kind=Kind.MOMENT,
        observed="moment 2",
        formula=kappa**2 * delta,
        routes=(bulk_statements.departure, bulk_statements.departure_by_counting),
        proofs=(bulk_statements.free_factor,),
        sees=bulk_statements.beside_infinite_vocabulary,
        holds=(on.many_tokens,),
    ),
    Claim(
        "bulk.cubic",
        says="The Stieltjes transform of S satisfies a cubic; at z = −κ it is its only root that "
        "a law on [0, ∞) can have, and tr (S + κ)⁻¹/d tends to",
        source="A1",
        stance=Stance.AS_STATED,
        kind=Kind.MOMENT,
        observed="resolvent",
        formula=bulk_statements.z * bulk_statements.m
        - kappa * (1 + bulk_statements.m) * (1 + delta * bulk_statements.m)
        * (1 + gamma * bulk_statements.m),
        routes=(bulk_statements.curve_polynomial,),
        sees=bulk_statements.resolvent_at_minus_kappa,
        holds=(on.many_tokens,),
    ),
    Claim(
        "bulk.zero-mass",
        says="The share of eigenvalues of S that are 0 tends to",
        source="A1",
        stance=Stance.AS_STATED,
        kind=Kind.MASS,
        observed="zero share",
        formula=1 - sp.Min(1, 1 / delta, 1 / gamma),
        routes=(bulk_statements.mass_at_zero,),
        holds=(on.many_tokens,),
        fails=(on.one_token,),
        instead="bulk.zero-mass-of-one-token",
    ),
    Claim(
        "bulk.zero-mass-of-one-token",
        says="With one token a sequence, the share of eigenvalues of S that are 0 tends to",
        source="A1",
        stance=Stance.CORRECTED,
        kind=Kind.MASS,
        observed="zero share",
        formula=1 - sp.Min(1, (1 - sp.exp(-delta / gamma)) / delta),
        routes=(bulk_statements.mass_at_zero,),
        holds=(on.one_token,),
    ),
    Claim(
        "bulk.counts",
        says="The token counts behave as Gaussian ones, M ~ κ·MP_{V/N}: tr M⁴/V tends to",
        source="A1",
        stance=Stance.AS_STATED,
        kind=Kind.MOMENT,
        observed="fourth moment of counts",
        formula=many,
        routes=(bulk_statements.fourth_count_moment,),
        holds=(on.many_token_counts,),
        fails=(on.one_token_counts,),
        instead="bulk.counts-of-few-tokens",
    ),
    Claim(
        "bulk.counts-of-few-tokens",
        says="At a fixed number of tokens tr M⁴/V tends to",
        source="A1",
        stance=Stance.CORRECTED,
        kind=Kind.MOMENT,
        observed="fourth moment of counts",
        formula=many + ratio**2 * bulk.fourth**2,
        routes=(bulk_statements.fourth_count_moment,),
        holds=(on.one_token_counts, on.few_token_counts),
        neighbours=(many, many + ratio * bulk.fourth**2, many + ratio**2 * bulk.fourth),
    ),
    *(
        Claim(
            f"bulk.elementary-{k}",
            says="At every size, with a raw table and any number of tokens, the mean of the "
            f"elementary symmetric polynomial e_{k}(S)/C(d, {k}) is",
            source="here",
            stance=Stance.DERIVED,
            kind=Kind.MOMENT if k < 3 else Kind.HIGH_MOMENT,
            observed=f"elementary {k}",
            formula=_falling_factorials(k),
            routes=(bulk_statements.elementary(k),),
            holds=(on.every_size,),
            bias=(),
            at_sizes=True,
        )
        for k in (1, 2, 3)
    ),
    Claim(
        "bulk.shape",
        says="The shape of the spectrum depends on (δ, γ) only and symmetrically, its scale on κ "
        "only; δ → 0 gives MP_γ and γ → 0 gives MP_δ",
        source="A1, A9",
        stance=Stance.AS_STATED,
        kind=Kind.MOMENT,
        proofs=(bulk_statements.shape,),
        holds=(on.many_tokens,),
    ),
    Claim(
        "bulk.upper-edge",
        says="For all δ, γ > 0 the edge equation has exactly one positive root m₊, and z(m₊) is "
        "the upper edge",
        source="here",
        stance=Stance.DERIVED,
        kind=Kind.LOCATION,
        proofs=(bulk_statements.one_upper_edge,),
        holds=(on.many_tokens,),
    ),
)
