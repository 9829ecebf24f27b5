"""Where the values of a trace come from: what each statement was made from, and whether that is fine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.diagnosis.catalogue import Array, Form, Named, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.expect.steps import Step, Traced


class Lineage:
    """The events of a trace with what each value is.

    Args:
        events: in order.
        names: what the value of each event is.
        steps: the names of the reference's steps, in order.
    """

    def __init__(self, events: Sequence[Traced], names: list[Named], steps: Sequence[str]) -> None:
        self.events = events
        self.names = names
        self._steps = list(steps)

    def inputs(self, at: int) -> list[int]:
        """The events that gave the variables of a statement what they held before it."""
        event = self.events[at]
        calls = {event.caller[0] if event.kind == "argument" else event.call}
        if event.function.startswith("<"):  # a comprehension uses the variables around it
            calls.add(event.caller[0])
        wanted, found = set(event.reads), []
        if event.kind == "set" and self.before(at, in_place=True) is not None:
            wanted.add(event.variable)  # what was only changed in part is still made of what was there before
        for earlier in range(at - 1, -1, -1):
            other = self.events[earlier]
            if other.call in calls and other.kind in ("set", "argument"):
                name = other.variable.partition("[")[0]
                if name in wanted:
                    found.append(earlier)
                    if name == other.variable:
                        wanted.discard(name)
        return found

    def returned_into(self, at: int) -> list[int]:
        """What the learner's own functions have returned to a statement so far."""
        event = self.events[at]
        statement = event.caller if event.kind == "argument" else (event.call, event.step)
        return [
            earlier
            for earlier, other in enumerate(self.events[:at])
            if other.kind == "returned" and other.caller == statement
        ]

    def inputs_are_fine(self, at: int) -> bool:
        """Whether nothing unknown went into a statement, as far as it can be seen."""
        for one in self.inputs(at):
            if self.names[one].standing is Standing.UNKNOWN or self.steps_back(one):
                return False
            # What may turn out wrong later has to come from what is fine, or the fault may lie further back.
            if self.names[one].standing is Standing.KNOWN and not self.inputs_are_fine(one):
                return False
        return all(self.names[one].standing is not Standing.UNKNOWN for one in self.returned_into(at))

    def steps_back(self, at: int) -> bool:
        """Whether a value as good as a step was made from one as late or later: weights divided once more."""
        named = self.names[at]
        if named.form is not Form.LOOSE or named.standing is not Standing.RIGHT:
            return False
        before = [self.names[one] for one in self.inputs(at)]
        return any(
            self.order(other) >= self.order(named) and (other.step, other.form) != (named.step, named.form)
            for other in before
        )

    def order(self, named: Named) -> int:
        """How late in the reference a step comes; what other ways have comes last."""
        if named.step in self._steps:
            return self._steps.index(named.step)
        return len(self._steps) if named.step else -1

    def stands_still(self, at: int) -> bool:
        """Whether a line has worked on a value and left it as it was: something may have been meant to happen there."""
        event, step = self.events[at], self.names[at].step
        if event.kind == "argument" or event.bare:
            return False
        return any(self.names[one].step == step and equal(self.events[one], event) for one in self.inputs(at))

    def is_idle(self, at: int) -> bool:
        """Whether a line has not brought its value any further, or one cannot see that it has."""
        if self.events[at].kind == "argument":
            return False
        return self.names[at].form is Form.LOOSE or not self.inputs_are_fine(at) or self.stands_still(at)

    def holds_alone(self, at: int, one: int) -> bool:
        """Whether no other variable of a statement has the value that one of them has, and its own line is its own."""
        same = [other for other in self.inputs(at) if self.names[other] == self.names[one]]
        return len(same) == 1 and self.events[one].kind in ("set", "result") and self.inputs_are_fine(one)

    def is_at_hand(self, step: Step, at: int) -> bool:
        """Whether a function had a step's own value, as an argument or in a variable, before one of its lines ran."""
        return any(
            named.step == step.name and named.form is Form.WHOLE and event.call == self.events[at].call
            for event, named in zip(self.events[:at], self.names[:at], strict=True)
        )

    def before(self, at: int, *, in_place: bool = False) -> Array | None:
        """What the variable held before, if that had the same shape; and something in common, if asked for."""
        event = self.events[at]
        for other in reversed(self.events[:at]):
            if other.call == event.call and other.variable == event.variable and other.kind != "returned":
                if isinstance(other.value, str) or other.value.shape != np.shape(event.value):
                    return None
                if in_place and not (other.value == event.value).any():
                    return None
                return other.value.astype(np.float64)
        return None

    def was_given(self, call: int, factor: float) -> bool:
        """Whether a function was called with a number that a factor is made of."""
        given = [event.value for event in self.events if event.call == call and event.kind == "argument"]
        return any(is_power(factor, float(value)) for value in given if not isinstance(value, str) and not value.ndim)

    def is_whole_step(self, at: int) -> bool:
        """Whether a value is a step as it is."""
        return self.names[at].standing is Standing.RIGHT and self.names[at].form is Form.WHOLE


def equal(one: Traced, other: Traced) -> bool:
    """Whether two events have the same array."""
    if isinstance(one.value, str) or isinstance(other.value, str) or one.value.shape != other.value.shape:
        return False
    return bool(np.array_equal(one.value, other.value))


def is_power(factor: float, number: float) -> bool:
    """Whether a factor is a number, its square or root, or one over these."""
    return number > 0 and any(np.isclose(factor, number**power, rtol=1e-6) for power in (2, 1, 0.5, -0.5, -1, -2))
