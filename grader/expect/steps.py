"""The words in which a lesson names the steps of its reference, and what a trace of the learner's code is made of.

A file of steps holds, for each function of an exercise, the reference once more with its intermediates named, and the
small inputs that a learner's function is traced on, the first of them for a first look:

    def probes(rng):
        yield Probe("softmax", (rng.normal(size=(3, 5)),))

    def softmax(step, x, axis=-1):
        shifted = step("shifted scores", x - np.max(x, axis=axis, keepdims=True), "x - maxima", shift=axis)
        exponentials = step("exponentials", np.exp(shifted), "exp(shifted scores)", factor=axis)
        ...

What ``step`` returns has to be used from there on, as here: the engine asks what the result would be, had a step had
another value, and so finds out which part a value of the learner's plays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Probe:
    """One call that a function is traced on."""

    function: str
    args: tuple[Any, ...]
    named: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """A named intermediate of the reference.

    Attributes:
        name: ``scaled scores``.
        value: on one probe.
        formula: how it is made: ``scores / sqrt(d_k)``; of an argument it is empty.
        shift: an axis along which a shift changes nothing later, None for none.
        factor: an axis along which a factor changes nothing later, None for none.
    """

    name: str
    value: np.ndarray[Any, Any]
    formula: str = ""
    shift: int | None = None
    factor: int | None = None


class Steps:
    """Takes down the steps of one run of a reference; puts another value in the place of one of them if asked.

    Args:
        replaced: values by the name of the step.
    """

    def __init__(self, replaced: dict[str, Any] | None = None) -> None:
        self.taken: dict[str, Step] = {}
        self.aside: dict[str, Step] = {}
        self._replaced = replaced or {}

    def __call__(
        self, name: str, value: Any, formula: str = "", *, shift: int | None = None, factor: int | None = None
    ) -> Any:
        """Names a step and gives the value to go on with."""
        value = self._replaced.get(name, value)
        self.taken[name] = Step(name, np.asarray(value), formula, shift, factor)
        return value

    def also(self, name: str, value: Any, *, shift: int | None = None, factor: int | None = None) -> None:
        """Names a value that the reference has no need of, but that other right ways to the result have."""
        self.aside[name] = Step(name, np.asarray(value), "", shift, factor)


@dataclass(frozen=True, slots=True)
class Traced:
    """What a line of the learner's code has made of a variable.

    Attributes:
        path: of the file.
        line: where the statement begins.
        function: whose variable it is.
        call: number of that function's call.
        step: how many statements of that call had begun.
        kind: "set" by the statement, "argument" of a call in it, "returned" by it.
        variable: its name; empty for what is returned.
        value: an array, or the name of what is neither array nor number.
        reads: the names that the statement uses.
        caller: number of the calling function's call, and its step; (-1, -1) for the grader's own call.
        bare: whether the statement only hands on what names hold: ``return q, k, v``.
    """

    path: str
    line: int
    function: str
    call: int
    step: int
    kind: str
    variable: str
    value: np.ndarray[Any, Any] | str
    reads: tuple[str, ...]
    caller: tuple[int, int]
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """One traced call.

    Attributes:
        value: what it returned, None if nothing.
        events: what its lines did.
        complete: whether these are all.
        mark: the same for the same call that has done the very same, empty where that is not known.
    """

    value: Any
    events: tuple[Traced, ...]
    complete: bool
    mark: bytes = b""
