"""Leaves out of a trace what happened inside calls that did right."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.reference import as_arrays, same

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from grader.expect.steps import Traced


def fold(events: Sequence[Traced], references: Mapping[str, Callable[..., Any]]) -> list[Traced]:
    """Leaves out the inside of every call that does what a function of the lesson does; its result stays.

    The result is shown at the line with the call, for that line decided what to call and with what.
    """
    arguments: dict[int, list[Traced]] = {}
    returned: dict[int, list[Traced]] = {}
    for event in events:
        if event.caller[0] >= 0:
            by_call = {"argument": arguments, "returned": returned}.get(event.kind)
            if by_call is not None:
                by_call.setdefault(event.call, []).append(event)
    right = {call for call, given in arguments.items() if _does_as_reference(given, returned.get(call, []), references)}
    inside: set[int] = set()
    found = []
    for event in events:
        if event.caller[0] in right | inside:
            inside.add(event.call)
        elif event.call not in right or event.kind == "argument":
            found.append(event)
        elif event.kind == "returned":
            made, (call, step) = arguments[event.call][0], event.caller
            name = f"{event.function}(...){event.variable}"
            result = replace(made, call=call, step=step, kind="result", variable=name, value=event.value)
            found.append(replace(result, caller=(-1, -1)))
    return found


def _does_as_reference(
    given: list[Traced], returned: list[Traced], references: Mapping[str, Callable[..., Any]]
) -> bool:
    if not returned or any(isinstance(event.value, str) for event in [*given, *returned]):
        return False
    for function in references.values():
        names = list(inspect.signature(function).parameters)
        if len(given) > len(names):
            continue
        named = {event.variable: event.value for event in given}
        if set(named) <= set(names):
            args, keywords = [], named
        else:
            args, keywords = [event.value for event in given], {}
        try:
            plain = {name: _number(value) for name, value in keywords.items()}
            parts = as_arrays(function(*map(_number, args), **plain))
        except Exception:  # noqa: BLE001, S112 - most calls fit no other function than their own
            continue
        got = [np.asarray(event.value, dtype=np.float64) for event in returned]
        if len(got) == len(parts) and all(same(*pair) for pair in zip(got, parts, strict=True)):
            return True
    return False


def _number(value: Any) -> Any:
    """A number as such; a traced value is an array throughout."""
    return value.item() if isinstance(value, np.ndarray) and not value.ndim else value
