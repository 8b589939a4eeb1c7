"""Shared by all tests: one BLAS thread, and one run of the registry."""

import pytest

from verify import run
from verify.run import Result


@pytest.fixture(scope="session")
def quick() -> Result:
    """The whole registry at the quick profile; its experiments are drawn once for all tests."""
    return run(profile="quick", seed=0, jobs=2)
