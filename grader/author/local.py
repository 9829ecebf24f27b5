"""A model's functions as a suite sees a learner's: called in this process, since models are trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from grader import protocol
from grader.expect import Answer, Learner, Verdict
from grader.expect.mistakes import Pick, Refused
from grader.model import Cause

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from grader.expect.learner import Call
    from grader.expect.mistakes import Choice


class Deviation:
    """A model under some wrong choices; what it remembers lasts as long as this object.

    Args:
        functions: the model's functions by name.
        reference: the solution's functions by name, for the names of parameters.
        chosen: the wrong choices, one at a decision; none is the solution itself.
    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., Any]],
        reference: dict[str, Callable[..., Any]],
        chosen: Sequence[Choice] = (),
    ) -> None:
        self._functions = functions
        self._reference = reference
        self._pick = Pick({choice.decision: choice.way for choice in chosen})

    def learner(self) -> Learner:
        """The functions for one check."""
        return Learner(self._reference, self._send, self._explain)

    def _send(self, calls: Sequence[Call], refill: bool) -> list[Answer]:  # noqa: FBT001 - the suite's words call it
        """Makes the calls as the worker does: results are looked at after the last of them."""
        answers: list[tuple[Answer, tuple[tuple[int, Any], ...]]] = []
        held: list[Any] | None = None
        for call in calls:
            given = [value.copy(order="K") if isinstance(value, np.ndarray) else value for value in call.given]
            if refill and held is not None:
                for old, new in zip(held, given, strict=True):
                    if isinstance(old, np.ndarray):
                        old[...] = new
                given = held
            held = given
            self._pick.alive.append(given)  # so that no id() is used again
            self._pick.call = call
            answer = self._call(call, given)
            changed = tuple(
                (at, now)
                for at, (now, sent) in enumerate(zip(given, call.given, strict=True))
                if isinstance(sent, np.ndarray) and (now.shape != sent.shape or now.tobytes() != sent.tobytes())
            )
            answers.append((answer, changed))
        return [_through_the_wire(answer, changed) for answer, changed in answers]

    def _call(self, call: Call, given: list[Any]) -> Answer:
        count = len(call.args)
        named = dict(zip(call.named, given[count:], strict=True))
        try:
            return Answer("value", (self._functions[call.function](self._pick, *given[:count], **named),))
        except Refused:
            return Answer("signature", ("other parameters",))
        except Exception as error:  # noqa: BLE001 - a wrong choice may raise whatever a learner's code may
            family = [kind.__name__ for kind in type(error).__mro__]
            return Answer("raised", (type(error).__name__, str(error), [], False, "", family))

    @staticmethod
    def _explain(call: Call, answer: Answer) -> Verdict:
        return Verdict(Cause.EXCEPTION, f"{call.function}: {answer.kind}")


def _through_the_wire(answer: Answer, changed: tuple[tuple[int, Any], ...]) -> Answer:
    """A value as it comes back from the worker; one that is no plain data is named instead."""
    if answer.kind != "value":
        return Answer(answer.kind, answer.detail, changed)
    try:
        value = protocol.decode(protocol.encode(answer.value)[protocol.LENGTH.size :])
    except protocol.Unencodable as error:
        return Answer("unsupported", (str(error),), changed)
    return Answer("value", (value,), changed)
