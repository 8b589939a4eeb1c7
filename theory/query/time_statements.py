"""What the derivations say of the time a query takes: the routes of its claims."""

from __future__ import annotations

import sympy as sp

from theory.algebra import normal_form
from theory.query import landscape
from theory.query.statements import (
    QueryPremise,
    flow,
    flow_by_gradient,
    in_general,
    solved_flow,
)
from theory.query.symbols import target, time


@in_general
def pace(premise: QueryPremise) -> sp.Expr:
    """Time per alignment, one over the flow of the limit of J (B4)."""
    return 1 / flow(premise)


@in_general
def pace_by_gradient(premise: QueryPremise) -> sp.Expr:
    """Time per alignment, one over the mean of the stochastic gradient, by pairing (B4)."""
    return 1 / flow_by_gradient(premise)


@in_general
def hitting_time(premise: QueryPremise) -> sp.Expr:
    """The time to an alignment as a quadrature in closed form (B4)."""
    return landscape.closed_hitting_time(flow(premise))


@in_general
def hitting_time_by_solution(premise: QueryPremise) -> sp.Expr:
    """The time to an alignment, from the solution ρ(t), a fraction in one exponential (B4)."""
    solution = solved_flow(premise)
    (grown,) = solution.atoms(sp.exp)
    x = sp.Dummy("x", positive=True)
    (found,) = sp.solve(sp.together(solution.subs(grown, x) - target), x)
    return sp.log(normal_form(found)) / sp.diff(grown.args[0], time)
