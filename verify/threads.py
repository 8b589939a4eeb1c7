"""One BLAS thread per process: two of them beside one busy process slow `eigh` tenfold."""

import os

VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def limit_to_one() -> None:
    """Set before NumPy is loaded, inherited by worker processes."""
    for variable in VARIABLES:
        os.environ[variable] = "1"
