"""What the learner's code may have changed for whatever runs in the process after it, as far as it shows.

Files are imported anew for each exercise, so what they keep is gone. What is left is what all code in a process shares:
numpy and the standard library with all that somebody has put in their places, settings, threads.
"""

from __future__ import annotations

import sys
import threading
import warnings
from operator import is_
from typing import Any

import numpy as np

SHARED = {"builtins", "math", "numpy", "numpy.linalg"}


class Surroundings:
    """The state of the process when this was made."""

    def __init__(self) -> None:
        self._modules = [
            module for name, module in list(sys.modules.items()) if name in SHARED and hasattr(module, "__dict__")
        ]
        self._values, self._settings = self._held(), _settings()

    def _held(self) -> list[Any]:
        """Everything in the public modules; held, so that nothing new can have its place in memory."""
        return [value for module in self._modules for value in vars(module).values()]

    def are_as_before(self) -> bool:
        """Whether nothing has changed since."""
        now = self._held()
        return len(now) == len(self._values) and all(map(is_, now, self._values)) and _settings() == self._settings


def _settings() -> list[Any]:
    return [
        np.geterr(),
        np.get_printoptions(),
        sys.getrecursionlimit(),
        sys.gettrace(),
        sys.getprofile(),
        [*map(id, sys.meta_path)],
        [*sys.path],
        [*map(id, warnings.filters)],
        threading.active_count(),
    ]
