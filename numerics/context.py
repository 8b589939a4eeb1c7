"""Arb's working precision, one setting for the whole process: set under a lock, restored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

import flint

_lock = RLock()


@contextmanager
def working(bits: int, terms: int = 10) -> Iterator[None]:
    """Arb at `bits` of precision, power series at `terms` terms, for one thread at a time.

    >>> with working(200):
    ...     flint.ctx.prec
    200
    """
    with _lock:
        before = flint.ctx.prec, flint.ctx.cap
        flint.ctx.prec, flint.ctx.cap = bits, terms
        try:
            yield
        finally:
            flint.ctx.prec, flint.ctx.cap = before
