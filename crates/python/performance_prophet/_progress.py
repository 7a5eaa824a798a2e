"""Shows a sweep's progress, with tqdm's bar if tqdm is installed."""

from __future__ import annotations

import sys
from typing import Any


class Bar:
    """Shows how many points are done."""

    def __init__(self) -> None:
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._make = None
        else:
            self._make = tqdm

    def __call__(self, done: int, total: int) -> None:
        if self._make is None:
            end = "\n" if done == total else ""
            print(f"\r{done} of {total} points", end=end, file=sys.stderr, flush=True)
            return
        if self._bar is None:
            self._bar = self._make(total=total, unit="point")
        self._bar.update(done - self._bar.n)
        if done == total:
            self._bar.close()
