"""A reference with its steps named, run on one probe; and run again with a learner's value in a step's place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.catalogue import Array, close
from grader.errors import LessonError
from grader.expect.steps import Probe, Step, Steps
from grader.lesson.modules import load_module

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import ModuleType

FAR = 1e-8  # what is off by more is wrong


class Reference:
    """The steps of a reference on one probe, and its result with another value in a step's place.

    Args:
        function: the reference with its steps named.
        probe: what it is called with.
    """

    def __init__(self, function: Callable[..., Any], probe: Probe) -> None:
        self.function = function
        self.probe = probe
        steps, result = self._run({})
        self.steps = steps.taken
        self.aside = list(steps.aside.values())
        self.parts = as_arrays(result)
        self.count = len(result) if isinstance(result, tuple) else 1
        self._led_to: dict[str, frozenset[str]] = {}

    def _run(self, replaced: dict[str, Any]) -> tuple[Steps, Any]:
        steps = Steps(replaced)
        return steps, self.function(steps, *self.probe.args, **self.probe.named)

    def parts_of(self, value: Any) -> list[Array]:
        """What the learner's function returned, as arrays; none where the parts are not as they should be."""
        if self.count > 1 and not (isinstance(value, tuple | list) and len(value) == self.count):
            return []
        try:
            items = value if self.count > 1 else [value]
            return [np.asarray(item, dtype=np.float64) for item in items]
        except (TypeError, ValueError):
            return []

    def instead(self, name: str, value: Any) -> tuple[dict[str, Step], list[Array]] | None:
        """Steps and result with a value in the place of a step; None where it does not fit there."""
        try:
            steps, result = self._run({name: value})
        except Exception:  # noqa: BLE001 - any shape of the learner's may be tried
            return None
        return steps.taken, as_arrays(result)

    def led_to(self, name: str) -> frozenset[str]:
        """The steps that are made from one; all of them where that cannot be told."""
        if name not in self._led_to:
            value = self.steps[name].value
            moved = np.where(np.isfinite(value), value * 1.5 + 0.25, value) if value.dtype.kind != "b" else None
            run = self.instead(name, moved) if moved is not None else None
            self._led_to[name] = frozenset(
                later
                for later, step in self.steps.items()
                if run is None or not np.array_equal(run[0][later].value, step.value)
            )
        return self._led_to[name]


def load_steps(path: Path, functions: Sequence[str]) -> ModuleType:
    """The module with an exercise's probes, and its reference with the steps named.

    Raises:
        LessonError: it cannot be imported, or lacks a function.
    """
    module = load_module(path, f"steps_of_{path.stem}")
    missing = [name for name in ("probes", *functions) if not callable(getattr(module, name, None))]
    if missing:
        raise LessonError(f"{path} has no function {', '.join(missing)}")
    return module


def as_arrays(result: Any) -> list[Array]:
    """What a reference returned, as a list of arrays."""
    return [np.asarray(item, dtype=np.float64) for item in (result if isinstance(result, tuple) else (result,))]


def agree(got: Array, wanted: Array, tolerance: float = FAR) -> bool:
    """Whether two results are the same but for rounding."""
    return got.shape == wanted.shape and bool(close(got, wanted, tolerance).all())


def same(got: Array, wanted: Array) -> bool:
    """Whether two results are the same, nan in the same places."""
    if got.shape != wanted.shape:
        return False
    return bool((close(got, wanted, FAR) | (np.isnan(got) & np.isnan(wanted))).all())
