"""The page on laws runs as it is printed."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_session_of_the_page() -> None:
    page = Path(__file__).parent.parent / "docs" / "laws.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried > 20
    assert failed == 0
