"""The first wrong step: which line of the learner's made the value that the wrong result comes from.

A line is only ever named on proof. The reference is run again with the learner's value in the place of one of its own
steps; where it then returns what the learner's function returned, wrong as that is, the value plays that step's part
and is at fault. And the values that the line was made from have to be right, or at least known, so that the fault is
this line's and no earlier one's.
"""

from __future__ import annotations

import inspect
import itertools
import warnings
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.catalogue import (
    REDUCTIONS,
    Array,
    Catalogue,
    Form,
    Named,
    Standing,
    close,
    constant_factor,
    show_factor,
)
from grader.diagnosis.folding import fold
from grader.diagnosis.garbage import no_collection
from grader.diagnosis.lineage import Lineage, equal, is_power
from grader.diagnosis.proof import Prover, sums
from grader.diagnosis.reference import FAR, Reference, agree
from grader.expect.learner import Call
from grader.expect.show import show_apart, show_index, show_number
from grader.model import WrongStep

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from grader.diagnosis.models import Batches
    from grader.expect.steps import Probe, Step, Trace, Traced

_Words = tuple[str, str]  # what a value is, and what it should be
SEED = 2017
MAX_EXPLAINED = 300  # traces of one probe whose explanation is kept
MAX_BYTES = 1 << 16  # of the values in such a trace
MAX_WRONG = 2  # wrong results that are looked into
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


def follow(
    named: Any,
    call: Callable[[Batches], list[Any] | None],
    trace: Callable[[Probe], Trace | None],
    references: Mapping[str, Callable[..., Any]],
    *,
    even_if_right: bool = False,
) -> Explained | None:
    """Traces a learner's functions until a wrong result is explained.

    Args:
        named: the module with the exercise's probes, and its reference with the steps named.
        call: makes calls without tracing them, and gives what each returned, None where that is nothing; None for all
            if one of them does not end. It tells which calls are worth a trace, which takes longer.
        trace: traces one call of the learner's.
        references: functions of the lesson by name; a call of the learner's that does what one of them does is a
            single step.
        even_if_right: whether to explain a right result, where there is no wrong one.

    Returns:
        The first wrong result with a line to blame; else the first wrong one; else, if asked for, the first call
        without a result, or the first right one of the exercise's last function. None where there is none of these.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings(), no_collection():
        warnings.simplefilter("ignore")  # whatever a wrong result holds may overflow here too
        settings = settings_of(named)
        values = call(calls_of(named))
        if values is not None:
            settings = _worth_a_trace(settings, values, even_if_right=even_if_right)
        return _follow(settings, trace, references, even_if_right=even_if_right)


def _worth_a_trace(settings: list[Setting], values: list[Any], *, even_if_right: bool) -> list[Setting]:
    """The calls to trace: the first wrong ones; else, if asked for, one without a result, or a right one."""
    sorts: dict[bool | None, list[Setting]] = {True: [], False: [], None: []}
    for setting, value in zip(settings, values, strict=True):
        sorts[setting.is_right(value)].append(setting)
    if sorts[False] or not even_if_right:
        return sorts[False][:MAX_WRONG]
    last = settings[-1].probe.function
    return sorts[None][:1] or [setting for setting in sorts[True] if setting.probe.function == last][:1]


def _follow(
    settings: list[Setting],
    trace: Callable[[Probe], Trace | None],
    references: Mapping[str, Callable[..., Any]],
    *,
    even_if_right: bool,
) -> Explained | None:
    best: Explained | None = None
    right: list[tuple[Setting, Trace]] = []
    other: list[tuple[Setting, Trace]] = []
    wrong = 0
    for setting in settings:
        told = trace(setting.probe)
        if told is None:
            continue
        is_right = setting.is_right(told.value)
        if is_right is None:
            other.append((setting, told))
        elif is_right:
            right.append((setting, told))
        else:
            explained = _explained(setting, told, references)
            best = best or explained
            wrong += 1
            if explained.first is not None:
                return explained
            if wrong >= MAX_WRONG:
                break
    if best is None and even_if_right and (other or right):
        of_the_last = [one for one in right if one[0].probe.function == right[-1][0].probe.function]
        best = _explained(*(other or of_the_last)[0], references)
    return best


def _explained(setting: Setting, trace: Trace, references: Mapping[str, Callable[..., Any]]) -> Explained:
    """What a trace shows; in a cohort the same files come again."""
    known = setting.explained.get(trace.mark) if trace.mark else None
    if known is None:
        known = _Explainer(setting, trace, references).explain()
        if trace.mark and sum(np.asarray(event.value).nbytes for event in trace.events) <= MAX_BYTES:
            if len(setting.explained) >= MAX_EXPLAINED:
                del setting.explained[next(iter(setting.explained))]
            setting.explained[trace.mark] = known
    return known


class Setting:
    """One probe, with what the reference does on it, which is the same for every learner.

    Attributes:
        explained: what traces have shown, by their marks.
    """

    def __init__(self, function: Callable[..., Any], probe: Probe) -> None:
        self.function = function
        self.probe = probe
        self.explained: dict[bytes, Explained] = {}

    @cached_property
    def reference(self) -> Reference:
        """The reference's steps and result."""
        return Reference(self.function, self.probe)

    def is_right(self, value: Any) -> bool | None:
        """Whether a learner's function returned what it should; None for what cannot be compared at all."""
        parts = self.reference.parts_of(value)
        return all(agree(*pair, FAR) for pair in zip(parts, self.reference.parts, strict=True)) if parts else None

    @cached_property
    def catalogue(self) -> Catalogue:
        """What values are to the reference."""
        steps = list(self.reference.steps.values())
        given = [*self.probe.args, *self.probe.named.values()]
        sizes = {length for step in steps for length in step.value.shape} | {n for n in given if isinstance(n, int)}
        return Catalogue(steps, self.reference.aside, sizes)


@cache
def settings_of(named: Any) -> list[Setting]:
    """The probes of an exercise's steps."""
    probes = named.probes(np.random.default_rng(SEED))
    return [Setting(getattr(named, probe.function), probe) for probe in probes]


@cache
def calls_of(named: Any) -> Batches:
    """The calls of these probes; always the same object."""
    probes = (setting.probe for setting in settings_of(named))
    return ((tuple(Call(probe.function, probe.args, probe.named) for probe in probes), False),)


class _Explainer:
    """One trace beside one reference."""

    def __init__(self, setting: Setting, trace: Trace, references: Mapping[str, Callable[..., Any]]) -> None:
        self.reference = reference = setting.reference
        self.trace = trace
        catalogue = setting.catalogue
        events = fold(trace.events, references)
        self.lineage = Lineage(events, [catalogue.name(event.value) for event in events], list(reference.steps))
        self._mark_defaults()
        self._mark_hidden()
        self.parts = reference.parts_of(trace.value)
        self.wrong = [at for at, part in enumerate(self.parts) if not agree(part, reference.parts[at])]
        self.prover = Prover(reference, self.lineage, self.parts, self.wrong)

    def _mark_defaults(self) -> None:
        """Marks arguments that the probe left to the learner's default, where that is another than the reference's."""
        probe = self.reference.probe
        parameters = list(inspect.signature(self.reference.function).parameters.values())[1:]  # without ``step``
        given = {parameter.name for parameter in parameters[: len(probe.args)]} | set(probe.named)
        defaults = {parameter.name: parameter.default for parameter in parameters if parameter.name not in given}
        for at, event in enumerate(self.lineage.events):
            if event.kind != "argument" or event.caller[0] >= 0 or event.variable not in defaults:
                continue
            if not np.array_equal(event.value, defaults[event.variable]):
                self.lineage.names[at] = Named(Standing.UNKNOWN, f"expected {defaults[event.variable]} by default")

    def _mark_hidden(self) -> None:
        """Marks what is -inf throughout though it was made from scores: a tile in which a mask has left nothing."""
        for at, event in enumerate(self.lineage.events):
            if (
                self.lineage.names[at].standing is Standing.PLAIN
                and not isinstance(event.value, str)
                and event.value.ndim
            ):
                made_from = [self.lineage.names[one].standing for one in self.lineage.inputs(at)]
                if np.isneginf(event.value).all() and any(one is not Standing.PLAIN for one in made_from):
                    self.lineage.names[at] = Named(Standing.UNKNOWN, self.lineage.names[at].text)

    def explain(self) -> Explained:
        """What each traced value is, and which line is the first wrong one."""
        at, step = None, None
        if self.wrong:
            rough = all(agree(*pair, ROUNDED) for pair in zip(self.parts, self.reference.parts, strict=True))
            found = (self._first_imprecise() if rough else None) or self._first_wrong()
            if found is not None:
                at, step = found
        rows = tuple(Row(event, named) for event, named in zip(self.lineage.events, self.lineage.names, strict=True))
        right = bool(self.parts) and not self.wrong
        names = tuple(inspect.signature(self.reference.function).parameters)[1:]
        return Explained(self.reference.probe, names, rows, right, step, at, self.trace.complete)

    def _first_wrong(self) -> tuple[int, WrongStep] | None:
        """The first value that is proved to be at fault while what it was made from is not."""
        for at in range(len(self.lineage.events)):
            if self._may_be_at_fault(at) and self.lineage.inputs_are_fine(at):
                proof = self.prover.part_played(at)
                if proof is not None:
                    return self._blame(at, proof.step, proof.value, proof.part)
        return self._first_misplaced()

    def _may_be_at_fault(self, at: int) -> bool:
        """Whether a value is one that a line can be blamed for."""
        event, named = self.lineage.events[at], self.lineage.names[at]
        if isinstance(event.value, str) or not event.value.ndim or not event.value.size:
            return False
        if event.kind == "argument" and event.caller[0] < 0:
            return False
        if event.value.dtype.kind == "b":
            return named.form is not Form.WHOLE  # a mask may well be inverted, to be used the other way round
        if named.standing is Standing.KNOWN and named.form is Form.WHOLE:
            return False  # another right way has it as it is
        return named.standing in (Standing.KNOWN, Standing.UNKNOWN) or self.lineage.steps_back(at)

    def _blame(self, at: int, step: Step, value: Array, part: int) -> tuple[int, WrongStep] | None:
        """What to say of a value at fault: that it was made from the wrong value, or what is wrong with itself."""
        event = self.lineage.events[at]
        if any(
            self.lineage.stands_still(one)
            for one in self.lineage.inputs(at)
            if self.lineage.events[one].line != event.line
        ):
            return None
        for one in self.lineage.inputs(at):
            named = self.lineage.names[one]
            if named.standing is not Standing.RIGHT or named.step == step.name:
                continue
            proof = self.prover.part_played(one)
            if proof is None or proof.step is step or proof.part != part:
                continue
            if proof.value.shape != proof.step.value.shape and proof.step.formula:
                continue
            wanted = proof.step
            origin = self.lineage.events[one]
            at_hand = self.lineage.is_at_hand(wanted, at)
            if wanted.name == named.step and not np.array_equal(proof.value, np.asarray(origin.value)):
                words = (f"made from {named.step} with its axes in another order", _due(step))
            elif origin.kind == "argument" and origin.caller[0] >= 0 and not at_hand:
                # What was handed to a function is the fault of the line that did so.
                return one, WrongStep(origin.path, origin.line, label(origin), named.text, _due(wanted))
            elif wanted.name == named.step or self.prover.are_related(named.step, wanted.name):
                if self.lineage.is_idle(one):
                    return None  # the step that is missing may have been due in that line as well
                words = (f"made from {named.text}", f"{step.name} made from {_due(wanted)}")
            elif at_hand or origin.kind == "argument":
                words = (f"made from {named.text}", f"{step.name} made from {wanted.name}")
            elif named.form is Form.WHOLE and self.lineage.holds_alone(at, one):
                # A variable that holds one step where another was due, q where k should be, is at fault itself.
                return one, WrongStep(origin.path, origin.line, label(origin), named.text, _due(wanted))
            else:
                return None
            return at, WrongStep(event.path, event.line, label(event), *words)
        for one in self.lineage.inputs(at):
            if self._is_reduced(one):
                return self._reduced_wrongly(one)
        factored = self._as_factor(step, value)
        if factored is not None:
            return self._factor_at_fault(at, *factored)
        found = self._words(step, value)
        if self._is_sure(at):
            found = found or self._generic(step, value, self.lineage.names[at])
        elif value.shape != step.value.shape:
            return None
        return (at, WrongStep(event.path, event.line, label(event), *found)) if found is not None else None

    def _is_reduced(self, at: int) -> bool:
        """Whether a value is a sum, a largest entry or the like of a step, though no step itself."""
        named = self.lineage.names[at]
        size, whole = np.size(self.lineage.events[at].value), self.reference.steps.get(named.step)
        known = named.standing is Standing.KNOWN and named.form is Form.MADE
        return known and whole is not None and size < whole.value.size and self.lineage.events[at].kind == "set"

    def _reduced_wrongly(self, at: int) -> tuple[int, WrongStep] | None:
        """A sum along an axis where the reference has one along another."""
        event, named = self.lineage.events[at], self.lineage.names[at]
        value = np.asarray(event.value, dtype=np.float64)
        whole = self.reference.steps[named.step].value.astype(np.float64)
        for reduce in REDUCTIONS.values():
            along = [reduce(whole, axis=axis).ravel() for axis in range(whole.ndim)]
            if not any(agree(value.ravel(), one, FAR) for one in along):
                continue
            for step in self.reference.steps.values():
                if step.formula and any(agree(step.value.ravel(), one, FAR) for one in along):
                    return at, WrongStep(event.path, event.line, label(event), named.text, _due(step))
        return None

    def _factor_at_fault(
        self, at: int, factor: float, due: float | None, words: _Words
    ) -> tuple[int, WrongStep] | None:
        """Whether a wrong factor is a line's own fault, or that of the number it was given."""
        event = self.lineage.events[at]
        for one in [*self.lineage.inputs(at), *self.lineage.returned_into(at)]:
            origin = self.lineage.events[one]
            if isinstance(origin.value, str) or origin.value.ndim or origin.value.dtype.kind not in "iuf":
                continue
            number = float(origin.value)
            if not is_power(factor, number) or (origin.kind == "argument" and origin.caller[0] < 0):
                continue
            if due is None:
                return None
            if is_power(due, number):
                if origin.value.dtype.kind in "iu":
                    continue  # the size is right, and what is made of it is not
                return None  # a root may be wrong, or what is done with it
            if origin.kind == "argument":
                return None
            if origin.kind == "returned" and self.lineage.was_given(origin.call, factor):
                continue
            found = f"{number:.4g}, which makes `{label(event)}` {words[0]}"
            return one, WrongStep(origin.path, origin.line, label(origin), found, words[1])
        return at, WrongStep(event.path, event.line, label(event), *words)

    def _is_sure(self, at: int) -> bool:
        """Whether a fault of which no more can be said than that entries differ is this line's for certain.

        A call of a right function, or a product of arrays with their axes moved, may well get what it should not.
        """
        if self.lineage.events[at].kind == "result":
            return False
        return all(self.lineage.names[one].form is not Form.MOVED for one in self.lineage.inputs(at))

    def _first_misplaced(self) -> tuple[int, WrongStep] | None:
        """A part of the result that is a right value, but not the one that belongs there."""
        last = [at for at, event in enumerate(self.lineage.events) if event.kind == "returned" and event.caller[0] < 0]
        last = last[-self.reference.count :]
        if len(last) != self.reference.count:
            return None
        for part in self.wrong:
            at = last[part]
            named, due = self.lineage.names[at], self.reference.parts[part]
            wanted = next((step for step in self.reference.steps.values() if np.array_equal(step.value, due)), None)
            most = Standing.KNOWN if self.reference.count == 1 else Standing.RIGHT
            if wanted is None or named.standing > most or named.form not in (Form.WHOLE, Form.MOVED):
                continue
            made = any(name.step == wanted.name and name.form is Form.WHOLE for name in self.lineage.names)
            # Where the right value is there as well, the wrong one was picked; else the line that made it is at fault.
            picked = made and named.step != wanted.name
            same = named.step == wanted.name
            if (
                not picked
                and not same
                and self.lineage.returned_into(at)
                and self.prover.are_related(named.step, wanted.name)
            ):
                return None  # what is missing may have been due in the function that was called
            origin = at if picked else self._origin(at, part, deep=same)
            if origin is None or not self.lineage.inputs_are_fine(origin):
                return None
            if origin != at and named.form is Form.MOVED:
                return None  # axes may have been moved wrongly there, or left where they were afterwards
            found, should, event = named.text, _due(wanted), self.lineage.events[origin]
            lost = named.step == wanted.name and named.form is Form.WHOLE  # an axis, nothing else
            if lost and not any(
                np.shape(self.lineage.events[one].value) == due.shape for one in self.lineage.inputs(origin)
            ):
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
        event, named = self.lineage.events[at], self.lineage.names[at]
        inner = [one for one in self.lineage.returned_into(at) if self.lineage.names[one].step == named.step]
        if inner and deep:
            return self._origin(inner[-1], part, deep=deep) if equal(self.lineage.events[inner[-1]], event) else None
        same = [one for one in self.lineage.inputs(at) if self.lineage.names[one].step == named.step]
        if event.bare and event.kind == "returned" and len(event.reads) == self.reference.count:
            # The names in `return q, k, v` stand for its parts, one by one.
            same = [one for one in same if self.lineage.events[one].variable == event.reads[part]]
        if not same:
            return at
        before = self.lineage.events[same[0]]
        if self.lineage.stands_still(same[0]):
            return None
        if len({(self.lineage.events[one].call, self.lineage.events[one].step) for one in same}) > 1:
            return None
        if not equal(before, event):
            return None if self.lineage.names[same[0]].form is Form.PIECE else at
        if not event.bare:
            return None
        return at if before.kind == "argument" else self._origin(same[0], part, deep=deep)

    def _first_imprecise(self) -> tuple[int, WrongStep] | None:
        """The first value of too short a kind of float, where the result is right but for its precision."""
        for at, event in enumerate(self.lineage.events):
            if isinstance(event.value, str) or event.value.dtype.char not in "ef":
                continue
            name = self.lineage.names[at].text or "a value"
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
        wanted_axes = sums(wanted)
        for axes in sums(value):
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
            if run is not None and agree(value, np.asarray(run[0][step.name].value, dtype=np.float64), FAR):
                made = f"made from {before.name} as they are" if before.formula else f"made from {before.name} as it is"
                return f"{step.name} {made}", f"{step.name} made from {omitted.name}: {omitted.formula}"
        return None


def _due(step: Step) -> str:
    """A step by name and formula."""
    return f"{step.name}: {step.formula}" if step.formula else step.name


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
