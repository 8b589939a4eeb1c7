"""Simulators: each takes numbers and a generator, and returns what was drawn."""

from numerics.simulate import signs
from numerics.simulate.queries import QueryModel
from numerics.simulate.tokens import TokenModel

__all__ = ["QueryModel", "TokenModel", "signs"]
