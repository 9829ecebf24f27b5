"""The learner's functions as a suite sees them: called here, run in the worker."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from grader.expect.show import show_call
from grader.model import Cause, Counterexample, Outcome


class Verdict(AssertionError):  # noqa: N818 - what a check found, not an error of the program
    """What a check found: raised by the words of a suite, turned into a result by the judge."""

    def __init__(
        self,
        cause: Cause | None,
        message: str,
        *,
        outcome: Outcome = Outcome.FAILED,
        path: str = "",
        line: int | None = None,
        counterexample: Counterexample | None = None,
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.message = message
        self.outcome = outcome
        self.path = path
        self.line = line
        self.counterexample = counterexample


@dataclass(frozen=True, slots=True)
class Answer:
    """What the worker said of one call.

    Attributes:
        kind: "value", or why there is none: "raised", "unsupported", "missing", "uncallable", "signature".
        detail: the value; or what the kind has to say, in the order of docs/wire-protocol.md.
        changed: position and new value of each argument that the call changed.
        printed: what was written to standard output and error, the last call of a batch having all of it.
    """

    kind: str
    detail: tuple[Any, ...]
    changed: tuple[tuple[int, Any], ...] = ()
    printed: str = ""

    @property
    def value(self) -> Any:
        """The returned value, of an answer of that kind."""
        return self.detail[0]


@dataclass(frozen=True, slots=True)
class Answers:
    """What the worker said of many calls, not looked into yet.

    Attributes:
        mark: equal for the same answers to the same calls, to the last byte.
        size: of them in bytes.
        apart: takes them apart, batch by batch; raises a ``Verdict`` where they make no sense.
    """

    mark: bytes
    size: int
    apart: Callable[[], list[list[Answer]]]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a function by name, with the arguments as they were sent."""

    function: str
    args: tuple[Any, ...]
    named: dict[str, Any]

    @property
    def given(self) -> list[Any]:
        """All arguments, those by keyword after the others."""
        return [*self.args, *self.named.values()]


Send = Callable[[Sequence[Call], bool], Sequence[Answer]]
Judge = Callable[[Call, Answer], Verdict]


@dataclass(slots=True)
class Returned:
    """One call and what came of it, to be judged by ``same``, ``part``, ``unchanged`` or ``raises``."""

    learner: Learner
    call: Call
    answer: Answer
    names: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The call as a person would write it."""
        return show_call(self.call.function, self.call.args, self.call.named, self.names)

    @property
    def value(self) -> Any:
        """The value that came back.

        Raises:
            Verdict: none did; it says why.
        """
        self.learner.judged += 1
        if self.answer.kind != "value":
            verdict = self.learner.explain(self.call, self.answer)
            if verdict.cause is Cause.EXCEPTION:
                verdict.counterexample = Counterexample(self.shown, "", "")
            raise verdict
        return self.answer.value


@dataclass
class Learner:
    """The learner's functions: ``learner.softmax(x, axis=0)``.

    Args:
        functions: the reference's functions by name, for the names of parameters.
        send: takes calls to the worker; the flag asks for the same objects to be filled and passed again.
        explain: turns an answer without a value into the verdict.

    Attributes:
        judged: how many answers were looked at; a check that has looked at none has proved nothing.
    """

    functions: dict[str, Callable[..., Any]]
    send: Send
    explain: Judge
    judged: int = field(default=0)

    def __getattr__(self, name: str) -> RemoteFunction:
        if name.startswith("_") or name not in self.functions:
            raise AttributeError(f"the exercise has no function {name}; it has {', '.join(self.functions)}")
        return RemoteFunction(self, name, _parameters(self.functions[name]))


@cache
def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a reference's parameters; asked for at every call, and always the same."""
    return tuple(inspect.signature(function).parameters)


@dataclass(frozen=True, slots=True)
class RemoteFunction:
    """One of the learner's functions."""

    learner: Learner
    name: str
    names: tuple[str, ...]

    def __call__(self, *args: Any, **named: Any) -> Returned:
        """Calls the learner's function in the worker."""
        return self._send([self._call(args, named)], refill=False)[0]

    def each(self, *inputs: tuple[Any, ...], **named: Any) -> list[Returned]:
        """Calls it once for each tuple of arguments, and looks at the results only after the last call.

        A dict at the end of a tuple gives arguments by keyword. A function that hands out the same array twice, or
        keeps anything from one call to the next, shows here.
        """
        return self._send([self._call(*_apart(args, named)) for args in inputs], refill=False)

    def refilled(self, *inputs: tuple[Any, ...], **named: Any) -> list[Returned]:
        """Like ``each``, but every call gets the very same array objects, filled with the next values."""
        return self._send([self._call(*_apart(args, named)) for args in inputs], refill=True)

    def _call(self, args: tuple[Any, ...], named: dict[str, Any]) -> Call:
        return Call(self.name, tuple(copied(value) for value in args), {k: copied(v) for k, v in named.items()})

    def _send(self, calls: list[Call], *, refill: bool) -> list[Returned]:
        answers = self.learner.send(calls, refill)
        return [Returned(self.learner, call, answer, self.names) for call, answer in zip(calls, answers, strict=True)]


def _apart(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments by place and by keyword; those of a dict at the end are by keyword too."""
    if args and isinstance(args[-1], dict):
        return args[:-1], named | args[-1]
    return args, named


def copied(value: Any) -> Any:
    """Arguments as they were at the time of the call, whatever the suite does with its arrays later."""
    return value.copy(order="K") if isinstance(value, np.ndarray) else value
