"""The first wrong step: which line of the learner's made the value that the wrong result comes from.

A line is only ever named on proof. The reference is run again with the learner's value in the place of one of its own
steps; where it then returns what the learner's function returned, wrong as that is, the value plays that step's part
and is at fault. And the values that the line was made from have to be right, or at least known, so that the fault is
this line's and no earlier one's.
"""

from __future__ import annotations

import importlib.util
import inspect
import itertools
import math
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.catalogue import (
    MASKED,
    REDUCTIONS,
    Array,
    Catalogue,
    Form,
    Named,
    Standing,
    close,
    constant_factor,
    forms,
    show_factor,
)
from grader.errors import LessonError
from grader.expect.show import show_apart, show_index, show_number
from grader.expect.steps import Probe, Step, Steps, Trace, Traced
from grader.model import WrongStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

_Words = tuple[str, str]  # what a value is, and what it should be
SEED = 2017
MAX_WRONG = 2  # wrong results that are looked into
MAX_RUNS = 600  # of the reference with another value, for one trace
FAR = 1e-8  # what is off by more is wrong
ROUNDED = 1e-2  # what is off by less may be a matter of precision


@dataclass(frozen=True, slots=True)
class Row:
    """One traced value, and what it is."""

    traced: Traced
    named: Named

    @property
    def label(self) -> str:
        """The variable, as it is shown."""
        return label(self.traced)

    @property
    def is_array(self) -> bool:
        """Whether it is more than a number."""
        return not isinstance(self.traced.value, str) and self.traced.value.ndim > 0

    @property
    def is_bound(self) -> bool:
        """Whether it is what the learner's own variable or function has, not a value on its way there."""
        event = self.traced
        given = event.kind == "argument" and event.caller[0] < 0
        return (given or event.kind in ("set", "returned")) and not event.function.startswith("<")

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for equal values."""
        value = self.traced.value
        return (value,) if isinstance(value, str) else (value.dtype.char, value.shape, value.tobytes())

    @property
    def shape(self) -> str:
        """Its shape; a number itself."""
        value = self.traced.value
        if isinstance(value, str):
            return ""
        return str(value.shape) if value.ndim else show_number(value[()], 4)


@dataclass(frozen=True, slots=True)
class Explained:
    """A traced call.

    Attributes:
        probe: the call.
        names: of the function's parameters.
        rows: what each line made, in order.
        right: whether the result is right.
        first: the first wrong step, None where there is none or it is not known for certain.
        at: which row that is.
        complete: whether the trace goes to the end of the call.
    """

    probe: Probe
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    right: bool
    first: WrongStep | None
    at: int | None
    complete: bool


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


def load_steps(path: Path, functions: Sequence[str]) -> ModuleType:
    """The module with an exercise's probes, and its reference with the steps named.

    Raises:
        LessonError: it cannot be imported, or lacks a function.
    """
    spec = importlib.util.spec_from_file_location(f"steps_of_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise LessonError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    missing = [name for name in ("probes", *functions) if not callable(getattr(module, name, None))]
    if missing:
        raise LessonError(f"{path} has no function {', '.join(missing)}")
    return module


def as_arrays(result: Any) -> list[Array]:
    """What a reference returned, as a list of arrays."""
    return [np.asarray(item, dtype=np.float64) for item in (result if isinstance(result, tuple) else (result,))]


def follow(
    named: Any,
    trace: Callable[[Probe], Trace | None],
    references: Mapping[str, Callable[..., Any]],
    *,
    even_if_right: bool = False,
) -> Explained | None:
    """Traces a learner's functions until a wrong result is explained.

    Args:
        named: the module with the exercise's probes, and its reference with the steps named.
        trace: traces one call of the learner's.
        references: functions of the lesson by name; a call of the learner's that does what one of them does is a
            single step.
        even_if_right: whether to explain a right result, where there is no wrong one.

    Returns:
        The first wrong result with a line to blame; else the first wrong one; else, if asked for, the first call
        without a result, or the first right one of the exercise's last function. None where there is none of these.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whatever a wrong result holds may overflow here too
        return _follow(named, trace, references, even_if_right=even_if_right)


def _follow(
    named: Any,
    trace: Callable[[Probe], Trace | None],
    references: Mapping[str, Callable[..., Any]],
    *,
    even_if_right: bool,
) -> Explained | None:
    best: Explained | None = None
    right: list[tuple[Reference, Trace]] = []
    other: list[tuple[Reference, Trace]] = []
    wrong = 0
    for probe in named.probes(np.random.default_rng(SEED)):
        told = trace(probe)
        if told is None:
            continue
        reference = Reference(getattr(named, probe.function), probe)
        parts = reference.parts_of(told.value)
        if not parts:
            other.append((reference, told))
        elif all(_agree(*pair, FAR) for pair in zip(parts, reference.parts, strict=True)):
            right.append((reference, told))
        else:
            explained = _Explainer(reference, told, references).explain()
            best = best or explained
            wrong += 1
            if explained.first is not None:
                return explained
            if wrong >= MAX_WRONG:
                break
    if best is None and even_if_right and (other or right):
        last = right[-1][0].probe.function if not other else ""
        chosen = other[0] if other else next(one for one in right if one[0].probe.function == last)
        best = _Explainer(*chosen, references).explain()
    return best


@dataclass(frozen=True, slots=True)
class _Proof:
    """That a value, in some form, plays the part of a step: the wrong part of the result comes of it."""

    step: Step
    value: Array
    part: int


class _Explainer:
    """One trace beside one reference."""

    def __init__(self, reference: Reference, trace: Trace, references: Mapping[str, Callable[..., Any]]) -> None:
        self.reference = reference
        self.trace = trace
        probe = reference.probe
        steps = list(self.reference.steps.values())
        given = [*probe.args, *probe.named.values()]
        sizes = {length for step in steps for length in step.value.shape} | {n for n in given if isinstance(n, int)}
        self.catalogue = Catalogue(steps, self.reference.aside, sizes)
        self.events = fold(trace.events, references)
        self.names = [self.catalogue.name(event.value) for event in self.events]
        self._mark_defaults()
        self._mark_hidden()
        self.runs = 0
        self.proofs: dict[int, _Proof | None] = {}
        self.parts = reference.parts_of(trace.value)
        self.wrong = [at for at, part in enumerate(self.parts) if not _agree(part, self.reference.parts[at], FAR)]

    def _mark_defaults(self) -> None:
        """Marks arguments that the probe left to the learner's default, where that is another than the reference's."""
        probe = self.reference.probe
        parameters = list(inspect.signature(self.reference.function).parameters.values())[1:]  # without ``step``
        given = {parameter.name for parameter in parameters[: len(probe.args)]} | set(probe.named)
        defaults = {parameter.name: parameter.default for parameter in parameters if parameter.name not in given}
        for at, event in enumerate(self.events):
            if event.kind != "argument" or event.caller[0] >= 0 or event.variable not in defaults:
                continue
            if not np.array_equal(event.value, defaults[event.variable]):
                self.names[at] = Named(Standing.UNKNOWN, f"expected {defaults[event.variable]} by default")

    def _mark_hidden(self) -> None:
        """Marks what is -inf throughout though it was made from scores: a tile in which a mask has left nothing."""
        for at, event in enumerate(self.events):
            if self.names[at].standing is Standing.PLAIN and not isinstance(event.value, str) and event.value.ndim:
                made_from = [self.names[one].standing for one in self._inputs(at)]
                if np.isneginf(event.value).all() and any(one is not Standing.PLAIN for one in made_from):
                    self.names[at] = Named(Standing.UNKNOWN, self.names[at].text)

    def explain(self) -> Explained:
        """What each traced value is, and which line is the first wrong one."""
        at, step = None, None
        if self.wrong:
            rough = all(_agree(*pair, ROUNDED) for pair in zip(self.parts, self.reference.parts, strict=True))
            found = (self._first_imprecise() if rough else None) or self._first_wrong()
            if found is not None:
                at, step = found
        rows = tuple(Row(event, named) for event, named in zip(self.events, self.names, strict=True))
        right = bool(self.parts) and not self.wrong
        names = tuple(inspect.signature(self.reference.function).parameters)[1:]
        return Explained(self.reference.probe, names, rows, right, step, at, self.trace.complete)

    def _first_wrong(self) -> tuple[int, WrongStep] | None:
        """The first value that is proved to be at fault while what it was made from is not."""
        for at in range(len(self.events)):
            if self._may_be_at_fault(at) and self._inputs_are_fine(at):
                proof = self._part_played(at)
                if proof is not None:
                    return self._blame(at, proof.step, proof.value, proof.part)
        return self._first_misplaced()

    def _may_be_at_fault(self, at: int) -> bool:
        """Whether a value is one that a line can be blamed for."""
        event, named = self.events[at], self.names[at]
        if isinstance(event.value, str) or not event.value.ndim or not event.value.size:
            return False
        if event.kind == "argument" and event.caller[0] < 0:
            return False
        if event.value.dtype.kind == "b":
            return named.form is not Form.WHOLE  # a mask may well be inverted, to be used the other way round
        if named.standing is Standing.KNOWN and named.form is Form.WHOLE:
            return False  # another right way has it as it is
        return named.standing in (Standing.KNOWN, Standing.UNKNOWN) or self._steps_back(at)

    def _steps_back(self, at: int) -> bool:
        """Whether a value as good as a step was made from one as late or later: weights divided once more."""
        named = self.names[at]
        if named.form is not Form.LOOSE or named.standing is not Standing.RIGHT:
            return False
        before = [self.names[one] for one in self._inputs(at)]
        return any(
            self._order(other) >= self._order(named) and (other.step, other.form) != (named.step, named.form)
            for other in before
        )

    def _order(self, named: Named) -> int:
        """How late in the reference a step comes; what other ways have comes last."""
        names = list(self.reference.steps)
        return names.index(named.step) if named.step in names else len(names) if named.step else -1

    def _blame(self, at: int, step: Step, value: Array, part: int) -> tuple[int, WrongStep] | None:
        """What to say of a value at fault: that it was made from the wrong value, or what is wrong with itself."""
        event = self.events[at]
        if any(self._stands_still(one) for one in self._inputs(at) if self.events[one].line != event.line):
            return None
        for one in self._inputs(at):
            named = self.names[one]
            if named.standing is not Standing.RIGHT or named.step == step.name:
                continue
            proof = self._part_played(one)
            if proof is None or proof.step is step or proof.part != part:
                continue
            if proof.value.shape != proof.step.value.shape and proof.step.formula:
                continue
            wanted = proof.step
            origin = self.events[one]
            at_hand = self._is_at_hand(wanted, at)
            if wanted.name == named.step and not np.array_equal(proof.value, np.asarray(origin.value)):
                words = (f"made from {named.step} with its axes in another order", _due(step))
            elif origin.kind == "argument" and origin.caller[0] >= 0 and not at_hand:
                # What was handed to a function is the fault of the line that did so.
                return one, WrongStep(origin.path, origin.line, label(origin), named.text, _due(wanted))
            elif wanted.name == named.step or self._are_related(named.step, wanted.name):
                if self._is_idle(one):
                    return None  # the step that is missing may have been due in that line as well
                words = (f"made from {named.text}", f"{step.name} made from {_due(wanted)}")
            elif at_hand or origin.kind == "argument":
                words = (f"made from {named.text}", f"{step.name} made from {wanted.name}")
            elif named.form is Form.WHOLE and self._holds_alone(at, one):
                # A variable that holds one step where another was due, q where k should be, is at fault itself.
                return one, WrongStep(origin.path, origin.line, label(origin), named.text, _due(wanted))
            else:
                return None
            return at, WrongStep(event.path, event.line, label(event), *words)
        for one in self._inputs(at):
            if self._is_reduced(one):
                return self._reduced_wrongly(one)
        factored = self._as_factor(step, value)
        if factored is not None:
            return self._factor_at_fault(at, *factored)
        found = self._words(step, value)
        if self._is_sure(at):
            found = found or self._generic(step, value, self.names[at])
        elif value.shape != step.value.shape:
            return None
        return (at, WrongStep(event.path, event.line, label(event), *found)) if found is not None else None

    def _is_at_hand(self, step: Step, at: int) -> bool:
        """Whether a function had a step's own value, as an argument or in a variable, before one of its lines ran."""
        return any(
            named.step == step.name and named.form is Form.WHOLE and event.call == self.events[at].call
            for event, named in zip(self.events[:at], self.names[:at], strict=True)
        )

    def _is_reduced(self, at: int) -> bool:
        """Whether a value is a sum, a largest entry or the like of a step, though no step itself."""
        named = self.names[at]
        size, whole = np.size(self.events[at].value), self.reference.steps.get(named.step)
        known = named.standing is Standing.KNOWN and named.form is Form.MADE
        return known and whole is not None and size < whole.value.size and self.events[at].kind == "set"

    def _reduced_wrongly(self, at: int) -> tuple[int, WrongStep] | None:
        """A sum along an axis where the reference has one along another."""
        event, named = self.events[at], self.names[at]
        value = np.asarray(event.value, dtype=np.float64)
        whole = self.reference.steps[named.step].value.astype(np.float64)
        for reduce in REDUCTIONS.values():
            along = [reduce(whole, axis=axis).ravel() for axis in range(whole.ndim)]
            if not any(_agree(value.ravel(), one, FAR) for one in along):
                continue
            for step in self.reference.steps.values():
                if step.formula and any(_agree(step.value.ravel(), one, FAR) for one in along):
                    return at, WrongStep(event.path, event.line, label(event), named.text, _due(step))
        return None

    def _is_idle(self, at: int) -> bool:
        """Whether a line has not brought its value any further, or one cannot see that it has."""
        if self.events[at].kind == "argument":
            return False
        return self.names[at].form is Form.LOOSE or not self._inputs_are_fine(at) or self._stands_still(at)

    def _stands_still(self, at: int) -> bool:
        """Whether a line has worked on a value and left it as it was: something may have been meant to happen there."""
        event, step = self.events[at], self.names[at].step
        if event.kind == "argument" or event.bare:
            return False
        return any(self.names[one].step == step and _equal(self.events[one], event) for one in self._inputs(at))

    def _factor_at_fault(
        self, at: int, factor: float, due: float | None, words: _Words
    ) -> tuple[int, WrongStep] | None:
        """Whether a wrong factor is a line's own fault, or that of the number it was given."""
        event = self.events[at]
        for one in [*self._inputs(at), *self._returned_into(at)]:
            origin = self.events[one]
            if isinstance(origin.value, str) or origin.value.ndim or origin.value.dtype.kind not in "iuf":
                continue
            number = float(origin.value)
            if not _is_power(factor, number) or (origin.kind == "argument" and origin.caller[0] < 0):
                continue
            if due is None:
                return None
            if _is_power(due, number):
                if origin.value.dtype.kind in "iu":
                    continue  # the size is right, and what is made of it is not
                return None  # a root may be wrong, or what is done with it
            if origin.kind == "argument":
                return None
            if origin.kind == "returned" and self._was_given(origin.call, factor):
                continue
            found = f"{number:.4g}, which makes `{label(event)}` {words[0]}"
            return one, WrongStep(origin.path, origin.line, label(origin), found, words[1])
        return at, WrongStep(event.path, event.line, label(event), *words)

    def _was_given(self, call: int, factor: float) -> bool:
        """Whether a function was called with a number that a factor is made of."""
        given = [event.value for event in self.events if event.call == call and event.kind == "argument"]
        return any(_is_power(factor, float(value)) for value in given if not isinstance(value, str) and not value.ndim)

    def _returned_into(self, at: int) -> list[int]:
        """What the learner's own functions have returned to a statement so far."""
        event = self.events[at]
        statement = event.caller if event.kind == "argument" else (event.call, event.step)
        return [
            earlier
            for earlier, other in enumerate(self.events[:at])
            if other.kind == "returned" and other.caller == statement
        ]

    def _holds_alone(self, at: int, one: int) -> bool:
        """Whether no other variable of a statement has the value that one of them has, and its own line is its own."""
        same = [other for other in self._inputs(at) if self.names[other] == self.names[one]]
        return len(same) == 1 and self.events[one].kind in ("set", "result") and self._inputs_are_fine(one)

    def _is_sure(self, at: int) -> bool:
        """Whether a fault of which no more can be said than that entries differ is this line's for certain.

        A call of a right function, or a product of arrays with their axes moved, may well get what it should not.
        """
        if self.events[at].kind == "result":
            return False
        return all(self.names[one].form is not Form.MOVED for one in self._inputs(at))

    def _are_related(self, one: str, other: str) -> bool:
        """Whether the reference makes one step from another; what other ways have is made from all of them."""
        steps = self.reference.steps
        return one not in steps or self._leads_to(one, other) or self._leads_to(other, one)

    def _leads_to(self, earlier: str, later: str) -> bool:
        value = self.reference.steps[earlier].value
        if value.dtype.kind == "b":
            return True
        run = self.reference.instead(earlier, np.where(np.isfinite(value), value * 1.5 + 0.25, value))
        return run is None or not np.array_equal(run[0][later].value, self.reference.steps[later].value)

    def _first_misplaced(self) -> tuple[int, WrongStep] | None:
        """A part of the result that is a right value, but not the one that belongs there."""
        last = [at for at, event in enumerate(self.events) if event.kind == "returned" and event.caller[0] < 0]
        last = last[-self.reference.count :]
        if len(last) != self.reference.count:
            return None
        for part in self.wrong:
            at = last[part]
            named, due = self.names[at], self.reference.parts[part]
            wanted = next((step for step in self.reference.steps.values() if np.array_equal(step.value, due)), None)
            most = Standing.KNOWN if self.reference.count == 1 else Standing.RIGHT
            if wanted is None or named.standing > most or named.form not in (Form.WHOLE, Form.MOVED):
                continue
            made = any(name.step == wanted.name and name.form is Form.WHOLE for name in self.names)
            # Where the right value is there as well, the wrong one was picked; else the line that made it is at fault.
            picked = made and named.step != wanted.name
            same = named.step == wanted.name
            if not picked and not same and self._returned_into(at) and self._are_related(named.step, wanted.name):
                return None  # what is missing may have been due in the function that was called
            origin = at if picked else self._origin(at, part, deep=same)
            if origin is None or not self._inputs_are_fine(origin):
                return None
            found, should, event = named.text, _due(wanted), self.events[origin]
            lost = named.step == wanted.name and named.form is Form.WHOLE  # an axis, nothing else
            if lost and not any(np.shape(self.events[one].value) == due.shape for one in self._inputs(origin)):
                return None
            if np.shape(event.value) != wanted.value.shape:
                found, should = f"{found}, of shape {np.shape(event.value)}", f"{should}, of shape {wanted.value.shape}"
            return origin, WrongStep(event.path, event.line, label(event), found, should)
        return None

    def _origin(self, at: int, part: int, *, deep: bool) -> int | None:
        """The event whose line has made a value that is only handed on from there; None where it cannot be told.

        Args:
            at: the event to start from.
            part: of the result.
            deep: whether to go on into the functions that were called, which for a whole other step have done right.
        """
        event, named = self.events[at], self.names[at]
        inner = [one for one in self._returned_into(at) if self.names[one].step == named.step]
        if inner and deep:
            return self._origin(inner[-1], part, deep=deep) if _equal(self.events[inner[-1]], event) else None
        same = [one for one in self._inputs(at) if self.names[one].step == named.step]
        if event.bare and event.kind == "returned" and len(event.reads) == self.reference.count:
            # The names in `return q, k, v` stand for its parts, one by one.
            same = [one for one in same if self.events[one].variable == event.reads[part]]
        if not same:
            return at
        before = self.events[same[0]]
        if self._stands_still(same[0]):
            return None
        if len({(self.events[one].call, self.events[one].step) for one in same}) > 1:
            return None
        if not _equal(before, event):
            return None if self.names[same[0]].form is Form.PIECE else at
        if not event.bare:
            return None
        return at if before.kind == "argument" else self._origin(same[0], part, deep=deep)

    def _inputs(self, at: int) -> list[int]:
        """The events that gave the variables of a statement what they held before it."""
        event = self.events[at]
        calls = {event.caller[0] if event.kind == "argument" else event.call}
        if event.function.startswith("<"):  # a comprehension uses the variables around it
            calls.add(event.caller[0])
        wanted, found = set(event.reads), []
        if event.kind == "set" and self._before(at, in_place=True) is not None:
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

    def _inputs_are_fine(self, at: int) -> bool:
        """Whether nothing unknown went into a statement, as far as it can be seen."""
        for one in self._inputs(at):
            if self.names[one].standing is Standing.UNKNOWN or self._steps_back(one):
                return False
            # What may turn out wrong later has to come from what is fine, or the fault may lie further back.
            if self.names[one].standing is Standing.KNOWN and not self._inputs_are_fine(one):
                return False
        return all(self.names[one].standing is not Standing.UNKNOWN for one in self._returned_into(at))

    def _part_played(self, at: int) -> _Proof | None:
        """The step whose part a value plays, on proof."""
        if at not in self.proofs:
            self.proofs[at] = self._prove(at)
        return self.proofs[at]

    def _prove(self, at: int) -> _Proof | None:
        if isinstance(self.events[at].value, str):
            return None
        proofs: list[tuple[int, float, _Proof]] = []
        for step in self.reference.steps.values():
            for value, is_part in self._in_form_of(step, at):
                if self.runs >= MAX_RUNS:
                    return None
                self.runs += 1
                run = self.reference.instead(step.name, value)
                part = self._reproduced(run[1], whole=value.shape != step.value.shape) if run is not None else None
                if part is not None:
                    proofs.append((part, _distance(value, step.value) + is_part, _Proof(step, value, part)))
                    break
        if not proofs:
            return None
        # A value may do in several places: weights in the place of exponentials. It is meant for the nearest; one of
        # another shape is meant for the last, which is what is returned.
        part, distance, _ = min(proofs, key=lambda one: one[:2])
        near = [proof for *where, proof in proofs if where == [part, distance]]
        return near[-1] if distance == np.inf else near[0]

    def _in_form_of(self, step: Step, at: int) -> Iterator[tuple[Array, bool]]:
        """The ways in which a value may stand in a step's place: as all of it, or as the part that is new in it."""
        value: Array = self.events[at].value  # type: ignore[assignment]
        shape = step.value.shape
        if value.dtype.kind == "b" or step.value.dtype.kind == "b":
            if value.dtype == step.value.dtype:
                yield value, False
            return
        value = value.astype(np.float64)
        fitting = list(forms(value, shape))
        before = self._before(at)
        for form in fitting:
            yield form, False
            for old in forms(before, shape) if before is not None else ():
                new = ~close(form, old, 0.0)
                if 0 < new.sum() < new.size:
                    yield np.where(new, form, step.value), True
        if not fitting:
            for whole in _as_part(value, step.value):
                yield whole, True
            # Of another shape than it should be may be the result, or a whole other step in an argument's place.
            is_result = any(np.array_equal(step.value, part) for part in self.reference.parts)
            if is_result or (not step.formula and self._is_whole_step(at)):
                yield value, False

    def _is_whole_step(self, at: int) -> bool:
        return self.names[at].standing is Standing.RIGHT and self.names[at].form is Form.WHOLE

    def _before(self, at: int, *, in_place: bool = False) -> Array | None:
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

    def _reproduced(self, parts: list[Array], *, whole: bool) -> int | None:
        """The wrong part of the learner's result that the reference gives too, at least where it is other than before.

        Args:
            parts: the reference's result with the learner's value in it.
            whole: whether all entries have to agree, since nothing says which depend on the value.
        """
        for at in self.wrong:
            got, wanted, other = self.parts[at], self.reference.parts[at], parts[at]
            if got.shape != other.shape:
                continue
            same = close(got, other, FAR) | (np.isnan(got) & np.isnan(other))
            if other.shape != wanted.shape or whole:
                if same.all():
                    return at
                continue
            affected = ~close(other, wanted, FAR)
            if (affected & np.isfinite(got)).any() and same[affected].all():  # nan alone has too many causes
                return at
        return None

    def _first_imprecise(self) -> tuple[int, WrongStep] | None:
        """The first value of too short a kind of float, where the result is right but for its precision."""
        for at, event in enumerate(self.events):
            if isinstance(event.value, str) or event.value.dtype.char not in "ef":
                continue
            name = self.names[at].text or "a value"
            return at, WrongStep(event.path, event.line, label(event), f"{name} in {event.value.dtype}", "float64")
        return None

    def _earlier(self, step: Step) -> list[Step]:
        return list(itertools.takewhile(lambda item: item.name != step.name, self.reference.steps.values()))

    def _as_factor(self, step: Step, value: Array) -> tuple[float, float | None, _Words] | None:
        """A value as a step times a factor, the factor that was due, and both in words."""
        wanted, found = step.value, []
        if value.dtype.kind == "b" or value.shape != wanted.shape:
            return None
        for other in reversed([*self._earlier(step), step]):
            if other.value.shape == wanted.shape and other.value.dtype.kind != "b":
                precise = other.value.astype(np.float64)
                factor, due = constant_factor(value, precise, FAR), constant_factor(wanted, precise, FAR)
                if factor is not None:
                    base = f"{other.name} ({other.formula})" if other.formula else other.name
                    should = f"{step.name}: {other.name} times {show_factor(due)}" if due else _due(step)
                    found.append((factor, due, (f"{base} times {show_factor(factor)}", should)))
        # It is best told as a factor of what another factor would be right for.
        return min(found, key=lambda one: one[1] is None) if found else None

    def _words(self, step: Step, value: Array) -> _Words | None:
        """What a value is, and what it should be."""
        wanted = step.value
        should = _due(step)
        if value.shape != wanted.shape:
            return f"of shape {value.shape}", f"{should}, of shape {wanted.shape}"
        if value.dtype.kind == "b":
            return "another mask than the one given", should
        skipped = self._left_out(step, value)
        if skipped is not None:
            return skipped
        wanted_axes = _sums(wanted)
        for axes in _sums(value):
            if wanted_axes and axes not in wanted_axes:
                rather = f"{step.name}, which sum to 1 along {_axes(wanted_axes[0])}"
                return f"an array that sums to 1 along {_axes(axes)}", rather
        return None

    @staticmethod
    def _generic(step: Step, value: Array, named: Named) -> _Words | None:
        """What a value is by itself; which entry is off, where no more can be said."""
        wanted = step.value
        should = _due(step)
        if named.text and (named.form is Form.MADE or named.standing is Standing.KNOWN):
            return named.text, should
        off = ~close(value, wanted, FAR)
        if not off.any():
            return None
        place = tuple(int(i) for i in np.unravel_index(int(np.argmax(off)), off.shape))
        got, due = show_apart(value[place], wanted[place])
        found = f"off in {int(off.sum())} of {off.size} entries, {show_index('', place)} = {got}"
        return found, f"{should}; there {due}"

    def _left_out(self, step: Step, value: Array) -> _Words | None:
        """The step that was left out on the way to a value, if that explains it."""
        for before, omitted in itertools.combinations(self._earlier(step), 2):
            if before.value.shape != omitted.value.shape or before.value.dtype != omitted.value.dtype:
                continue
            run = self.reference.instead(omitted.name, before.value)
            if run is not None and _agree(value, np.asarray(run[0][step.name].value, dtype=np.float64), FAR):
                made = f"made from {before.name} as they are" if before.formula else f"made from {before.name} as it is"
                return f"{step.name} {made}", f"{step.name} made from {omitted.name}: {omitted.formula}"
        return None


def _agree(got: Array, wanted: Array, tolerance: float) -> bool:
    return got.shape == wanted.shape and bool(close(got, wanted, tolerance).all())


def _equal(one: Traced, other: Traced) -> bool:
    if isinstance(one.value, str) or isinstance(other.value, str) or one.value.shape != other.value.shape:
        return False
    return bool(np.array_equal(one.value, other.value))


def _is_power(factor: float, number: float) -> bool:
    """Whether a factor is a number, its square or root, or one over these."""
    return number > 0 and any(np.isclose(factor, number**power, rtol=1e-6) for power in (2, 1, 0.5, -0.5, -1, -2))


def _due(step: Step) -> str:
    """A step by name and formula."""
    return f"{step.name}: {step.formula}" if step.formula else step.name


def _distance(value: Array, wanted: Array) -> float:
    """How far a value is from a step, for it to be told which of two it is nearer to."""
    if value.shape != wanted.shape:
        return np.inf
    if value.dtype.kind == "f":
        value = np.where(value <= MASKED, -np.inf, value)
    both = np.isfinite(value) & np.isfinite(wanted)
    got, due = value[both].astype(np.float64), wanted[both].astype(np.float64)
    if bool(_sums(value)) != bool(_sums(wanted)):
        return 2.0 * value.size  # weights are no exponentials, however near they may come
    off = np.abs(got - due) / np.maximum(np.abs(got) + np.abs(due), 1e-9)
    return float(np.sum(off)) + float(np.sum(~both & (np.isfinite(value) != np.isfinite(wanted))))


def _same(got: Array, wanted: Array) -> bool:
    """Whether two results are the same, nan in the same places."""
    if got.shape != wanted.shape:
        return False
    return bool((close(got, wanted, FAR) | (np.isnan(got) & np.isnan(wanted))).all())


def _as_part(value: Array, whole: Array) -> Iterator[Array]:
    """A step with a value in the place of one of its parts: a row, a column, one head."""
    shape = tuple(length for length in value.shape if length > 1)
    for fixed in itertools.product((False, True), repeat=whole.ndim):
        free = [length for length, held in zip(whole.shape, fixed, strict=True) if not held]
        if not any(fixed) or tuple(length for length in free if length > 1) != shape:
            continue
        if value.size != math.prod(free):
            continue
        choices: list[Any] = [
            range(length) if held else [slice(None)] for length, held in zip(whole.shape, fixed, strict=True)
        ]
        for index in itertools.product(*choices):
            changed = whole.astype(np.float64)
            changed[index] = value.reshape(free)
            yield changed


def _sums(value: Array) -> list[tuple[int, ...]]:
    """The axes along which an array sums to 1."""
    found = []
    for count in range(1, value.ndim + 1):
        for axes in itertools.combinations(range(value.ndim), count):
            if len(axes) < 3 or count == value.ndim:
                sums = value.sum(axis=axes)
                if close(np.asarray(sums), np.ones(np.shape(sums)), FAR).all() and (value >= 0).all():
                    found.append(tuple(axis - value.ndim for axis in axes))
    return found


def _axes(axes: tuple[int, ...]) -> str:
    return f"axis {axes[0]}" if len(axes) == 1 else f"axes {' and '.join(map(str, axes))} together"


def label(event: Traced) -> str:
    """The variable of an event, as it is shown."""
    inner = event.caller[0] >= 0
    if event.function.startswith("<") and event.kind != "set":
        return "an item"  # of a comprehension
    if event.kind == "returned":
        return f"result{event.variable}" + (f" of {event.function}" if inner else "")
    return f"{event.variable} of {event.function}" if event.kind == "argument" and inner else event.variable


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
        if len(got) == len(parts) and all(_same(*pair) for pair in zip(got, parts, strict=True)):
            return True
    return False


def _number(value: Any) -> Any:
    """A number as such; a traced value is an array throughout."""
    return value.item() if isinstance(value, np.ndarray) and not value.ndim else value
