"""The pages run as they are printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGES = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize(("page", "least"), [("laws.md", 20), ("spikes.md", 10)])
def test_the_session_of_a_page(page: str, least: int) -> None:
    failed, tried = doctest.testfile(str(PAGES / page), module_relative=False)
    assert tried >= least
    assert failed == 0
