"""What a check asks, known beforehand: with one seed for a whole cohort, every submission is asked the same.

Each check is run once with the reference in the learner's place, and the calls it makes are written down. From then on
they go to the worker together, in one request a check, and the check itself runs on answers that are already there. A
check whose calls turn out otherwise is run call by call, as ever: a plan can make a verdict quicker, never another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from grader import protocol
from grader.expect import Answer, Learner, Verdict
from grader.expect.learner import copied

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import SimpleNamespace

    from grader.expect.learner import Call

MAX_CALLS = 1_000


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls of one check, in the batches in which it makes them.

    Attributes:
        batches: the calls, and whether each gets the same objects filled anew.
        frame: all of them as they go over the wire.
    """

    batches: tuple[tuple[tuple[Call, ...], bool], ...]
    frame: bytes


def rehearse(reference: SimpleNamespace, run: Callable[[Learner], Verdict | None]) -> Plan | None:
    """Runs a check on the reference and plans its calls; None where it cannot be planned.

    Args:
        reference: the functions of the solution.
        run: runs the check with a learner.
    """
    functions = vars(reference)
    batches: list[tuple[tuple[Call, ...], bool]] = []

    def send(calls: Sequence[Call], refill: bool) -> list[Answer]:  # noqa: FBT001 - the suite's words call it
        batches.append((tuple(calls), refill))
        return [_answer(functions, call) for call in calls]

    def explain(_call: Call, answer: Answer) -> Verdict:
        return Verdict(None, str(answer.detail))

    if run(Learner(functions, send, explain)) is not None or not batches:
        return None
    if sum(len(calls) for calls, _ in batches) > MAX_CALLS:
        return None
    try:
        return plan_of(tuple(batches))
    except protocol.Unencodable:
        return None


def plan_of(batches: tuple[tuple[tuple[Call, ...], bool], ...]) -> Plan:
    """A plan for these calls.

    Raises:
        Unencodable: one of them has an argument that is no plain data.
    """
    request = ["calls", [[refill, as_data(calls)] for calls, refill in batches]]
    return Plan(batches, protocol.encode(request, views=True))


def as_data(calls: Sequence[Call]) -> list[Any]:
    """Calls as they go over the wire."""
    return [[c.function, list(c.args), [list(pair) for pair in c.named.items()]] for c in calls]


def _answer(functions: dict[str, Callable[..., Any]], call: Call) -> Answer:
    """What the reference gives, as the worker would tell it."""
    try:
        value = functions[call.function](*map(copied, call.args), **{k: copied(v) for k, v in call.named.items()})
    except Exception as error:  # noqa: BLE001 - some checks ask for an exception
        family = [kind.__name__ for kind in type(error).__mro__]
        unfinished = isinstance(error, NotImplementedError)
        return Answer("raised", (type(error).__name__, str(error), [], unfinished, "", family))
    return Answer("value", (value,))


def alike(planned: Sequence[Call], made: Sequence[Call]) -> bool:
    """Whether the calls that a check makes are those that were planned."""
    return len(planned) == len(made) and all(
        one.function == other.function
        and list(one.named) == list(other.named)
        and len(one.args) == len(other.args)
        and all(map(_same, one.given, other.given))
        for one, other in zip(planned, made, strict=True)
    )


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    return type(one) is type(other) and repr(one) == repr(other)
