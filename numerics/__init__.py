"""Numbers from exact objects, and simulations of the models themselves."""

from numerics.precise import evaluate
from numerics.spectrum import cdf, density, edges, quantile, stieltjes

__all__ = ["cdf", "density", "edges", "evaluate", "quantile", "stieltjes"]
