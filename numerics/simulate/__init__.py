"""Simulators: they take numbers and know no prediction."""

from numerics.simulate.queries import QueryModel, StepSizes

__all__ = ["QueryModel", "StepSizes"]
