"""Shared by all tests: one BLAS thread, and one run of the registry."""

import pytest

from verify import run
from verify.run import Result


@pytest.fixture(scope="session")
def quick() -> Result:
    """The whole registry at the quick profile; its experiments are drawn once for all tests."""
    return run(profile="quick", seed=0, jobs=2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker takes all tests of the registry's run: with several it would be drawn again."""
    for item in items:
        if "quick" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("registry"))
