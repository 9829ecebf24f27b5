"""One exercise of one submission on the worker: loads it, makes the suite's calls, explains what came back."""

from __future__ import annotations

import difflib
import os
import time
from collections import deque
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.errors import LessonError
from grader.expect import Answer, Learner, Verdict
from grader.expect.learner import Answers, Call
from grader.expect.steps import Trace, Traced
from grader.judge.rehearsal import alike, as_data
from grader.model import Cause, Outcome
from grader.protocol import LENGTH, ProtocolError, Unencodable, decode, encode
from grader.sandbox.child import Child, Fault
from grader.text import block, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import SimpleNamespace

    from grader.expect.steps import Probe
    from grader.judge.processes import Processes
    from grader.judge.rehearsal import Plan
    from grader.lesson import Exercise

Ahead = tuple[bytes, str]  # the answers to the calls of a check as they came, and what was printed meanwhile
MAX_OUTPUT = 2_000
# Calls that are asked together get this part of what one may take: what is slower is asked one by one.
AHEAD = 0.5
MAX_NAMES = 100
MAX_NAME = 80  # characters of a name
MAX_EVENTS = 400  # of one trace
MAX_ENTRIES = 1_024  # of a value in it: what is forged may be of any size, and is calculated with
MAX_EVENT_BYTES = 1 << 19  # of all its values together
MAX_STEPS = 20  # of a traceback
MAX_LINE = 10**7
# What an event of a trace is made of: grader/worker/tracing.py names the parts.
EVENT = (str, int, str, int, int, str, str, object, list, int, int, bool)
# What each kind of answer carries, so that an invented one is told from a real one before it is used.
SHAPES: dict[str, tuple[type, ...]] = {
    "value": (object,),
    "raised": (str, str, list, bool, str, list),
    "unsupported": (str,),
    "missing": (str,),
    "uncallable": (str,),
    "signature": (str,),
}
# Why a file cannot be imported, as the worker may say it; what only the judge can know is not for it to say.
BREAKING = (Cause.SYNTAX_ERROR, Cause.IMPORT_ERROR, Cause.EXCEPTION, Cause.MEMORY)


class Bench:
    """Holds the worker's child of one exercise; a child that dies is replaced when the next check needs one.

    Args:
        processes: give the child, with the learner's files.
        exercise: which.
        reference: the functions of the solution.

    Attributes:
        siblings: the earlier exercises that the file imports.
        printed_at_load: what the file has printed while it was imported, until a check is told so.
        as_planned: whether the check has made no call but those whose answers ``use_ahead`` laid ready.
    """

    def __init__(
        self,
        processes: Processes,
        exercise: Exercise,
        reference: SimpleNamespace,
    ) -> None:
        self._processes = processes
        self._zygote = processes.zygote
        self._lesson = processes.lesson
        self._exercise = exercise
        self._submission = submission = processes.submission
        self._functions = vars(reference)
        self._child: Child | None = None
        self._names: list[str] = []
        self._broken: Verdict | None = self._not_there()
        self._loaded = False
        self._budget_s = exercise.limits.exercise_s
        self._known = frozenset(submission.prefix + path for path in submission.files)
        self._lines: dict[str, int] = {}
        self._printed = ""
        self.printed_at_load = ""
        self._ahead: deque[tuple[Sequence[Call], bool, list[Any]]] = deque()
        self._one_by_one = False
        self.as_planned = True
        self.siblings: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The learner's file, as it is shown."""
        return self._submission.prefix + self._exercise.filename

    @property
    def broken(self) -> Verdict | None:
        """Why the file cannot be used at all; known once a call was made."""
        return self._broken

    def learner(self) -> Learner:
        """The learner's functions for one check."""
        self._printed, self.printed_at_load = self.printed_at_load, ""
        self._ahead.clear()
        self.as_planned = True
        return Learner(self._functions, self._send, self._explain)

    def printed(self) -> str:
        """What the learner's code has printed since ``learner`` was called."""
        return block(self._printed, MAX_OUTPUT)

    def _end(self) -> None:
        """Ends the child and whatever it left."""
        self._child = None
        self._processes.close()

    def ask_all_ahead(self, plans: Sequence[Plan]) -> list[Ahead] | None:
        """Has all calls of all checks made at once, before the first check runs.

        Returns:
            What came, check by check; None if the checks have to be asked one by one.
        """
        if self._broken is None:
            self._load()
        self.printed_at_load, self._printed = self._printed, ""
        if self._broken is not None:
            return None
        ahead = self._in_advance(plans)
        if ahead is None:
            self.printed_at_load = ""
            self._end()
        return ahead

    def ask_ahead(self, plan: Plan) -> Ahead | None:
        """Has all calls of a check made at once.

        Returns:
            What came; None if the calls have to be made one by one, to see which of them it is that
            takes too long, ends the process or makes no sense.
        """
        if self._one_by_one or self._budget_s <= 0:
            return None
        if self._broken is None and self._child is None:
            try:
                self._load()
            except Verdict:
                return None
        ahead = self._in_advance([plan]) if self._broken is None else None
        return ahead[0] if ahead else None

    def _in_advance(self, plans: Sequence[Plan]) -> list[Ahead] | None:
        """What the calls of some checks brought, None if there is anything amiss with one of them."""
        budget_s, printed = self._budget_s, self._printed
        mark = f"\0{os.urandom(8).hex()}\0"
        try:
            assert self._child is not None
            frames = self._zygote.requests(self._child, [plan.frame for plan in plans], mark)
            limit_s = AHEAD * self._exercise.limits.call_s
            answers = self._timed(
                lambda child, wall_s: child.exchange(frames, len(plans), wall_s, self._known), limit_s
            )
        except Verdict:
            self._one_by_one = True
            self._budget_s = budget_s  # it is spent when the calls are made one by one
            self._printed = printed
            return None
        said = self._printed[len(printed) :].split(mark)
        self._printed = printed
        if len(said) == 1 and (not said[0] or len(plans) == 1):  # a worker that sets no marks
            said *= len(plans)
        elif len(said) == len(plans) + 1:
            said.pop()
        else:
            return None  # of which check it is can only be told if they are asked one by one
        return [(bytes(answer), text) for answer, text in zip(answers, said, strict=True)]

    def heard(self, text: str) -> None:
        """What the calls of the check that follows have printed beforehand."""
        self._printed += text

    def answers(self, plans: Sequence[Plan]) -> list[Answers]:
        """Has the calls of some plans made, one right after the other.

        Raises:
            Verdict: there is no answer to one of them.
        """
        if self._broken is None and self._child is None:
            self._load()
        if self._broken is not None:
            raise self._broken
        assert self._child is not None
        frames = self._zygote.requests(self._child, [plan.frame for plan in plans])
        limit_s = self._exercise.limits.call_s * len(plans)
        came = self._timed(lambda child, wall_s: child.exchange(frames, len(plans), wall_s, self._known), limit_s)
        return [
            Answers(blake2b(answer, digest_size=20).digest(), len(answer), partial(self._apart, plan, answer))
            for plan, answer in zip(plans, came, strict=True)
        ]

    def _apart(self, plan: Plan, frame: bytearray) -> list[list[Answer]]:
        """The answers to the calls of a plan, batch by batch.

        Raises:
            Verdict: they make no sense.
        """
        batches = self._decoded(frame)
        if not _has_shape(batches, plan):
            raise self._forged()
        return [
            [self._answer(answer, call) for answer, call in zip(batch, calls, strict=True)]
            for batch, (calls, _) in zip(batches, plan.batches, strict=True)
        ]

    def use_ahead(self, plan: Plan, answers: bytes) -> bool:
        """Lays ready what ``ask_ahead`` brought, for the calls that the check is about to make.

        Returns:
            Whether every answer is a value, so that what the check says hangs on the answers alone.
        """
        try:
            batches = decode(answers[LENGTH.size :])
        except ProtocolError:
            batches = None
        if not _has_shape(batches, plan):
            self._afresh()
            return False
        self._ahead.extend((calls, refill, b) for (calls, refill), b in zip(plan.batches, batches, strict=True))
        return all(isinstance(answer, list) and answer[:1] == ["value"] for batch in batches for answer in batch)

    def _afresh(self) -> None:
        """From here on the calls are made one by one, in a new child."""
        self._ahead.clear()
        self.as_planned = False
        self._one_by_one = True
        self._printed = ""
        self._end()

    def _not_there(self) -> Verdict | None:
        """The verdict on a file that was not sent, if so."""
        name = self._exercise.filename
        if name in self._submission.files:
            return None
        unreadable = self._submission.unreadable
        for path in (name, ""):
            if path in unreadable:
                at = (self._submission.prefix + path).rstrip("/") or "the folder"
                return Verdict(Cause.UNREADABLE_FILE, one_line(f"{at} {unreadable[path]}"), path=self.path)
        near = difflib.get_close_matches(name.lower(), [file.lower() for file in self._submission.files], 1, 0.8)
        lookalike = [file for file in self._submission.files if near and file.lower() == near[0]]
        ask = f"; did you mean {lookalike[0]}?" if lookalike and lookalike[0] not in self._filenames() else ""
        return Verdict(Cause.UNREADABLE_FILE, one_line(f"there is no file {self.path}{ask}"), path=self.path)

    def _filenames(self) -> set[str]:
        return {exercise.filename for exercise in self._lesson.exercises}

    def _ask(self, request: list[Any], wall_s: float | None = None) -> Any:
        """One request to the child, and its answer as plain data."""
        return self._timed(lambda child, limit_s: child.ask(request, limit_s, self._known), wall_s)

    def _timed(self, ask: Callable[[Child, float], Any], wall_s: float | None = None) -> Any:
        """Asks the child, within a limit (that of a call, if none is given) and what is left of the exercise's time."""
        assert self._child is not None
        limit = wall_s or self._exercise.limits.call_s
        started = time.monotonic()
        try:
            return ask(self._child, min(limit, self._budget_s))
        except Fault as fault:
            message = fault.message
            if fault.cause is Cause.TIMEOUT and self._budget_s < limit:
                message += f", all that was left of the {self._exercise.limits.exercise_s:g} s for this exercise"
            raise Verdict(fault.cause, message, path=fault.path, line=fault.line) from None
        finally:
            self._budget_s -= time.monotonic() - started
            # No more is kept than the limit on one call, however many calls a check makes.
            room = (self._exercise.limits.output_kib << 10) - len(self._printed)
            self._printed += self._child.printed.decode("utf-8", "replace")[:room]
            if self._child.ended is not None:
                self._child = None

    def _send(self, calls: Sequence[Call], refill: bool) -> list[Answer]:  # noqa: FBT001 - the suite's words call it
        if self._ahead:
            planned, refilled, ready = self._ahead.popleft()
            if refill == refilled and alike(planned, calls):
                return [self._answer(answer, call) for answer, call in zip(ready, calls, strict=True)]
            self._afresh()
        if self._budget_s <= 0 and self._broken is None:
            total = self._exercise.limits.exercise_s
            raise Verdict(Cause.TIMEOUT, f"not run: the checks before used up the {total:g} s of this exercise")
        if self._broken is None and self._child is None:
            self._load()
        if self._broken is not None:
            raise self._broken
        try:
            answers = self._ask(["call", refill, as_data(calls)])
        except Unencodable as error:
            raise LessonError(f"{self._exercise.suite} passes {error} to the learner's function") from error
        if not isinstance(answers, list) or len(answers) != len(calls):
            raise self._forged()
        return [self._answer(answer, call) for answer, call in zip(answers, calls, strict=True)]

    def trace(self, probe: Probe, wall_s: float) -> Trace | None:
        """Makes one call with every line of the learner's files looked at; None if there was no end to it.

        Args:
            probe: the call.
            wall_s: how long it may take.
        """
        request = ["trace", probe.function, list(probe.args), [list(pair) for pair in probe.named.items()]]
        try:
            if self._broken is None and self._child is None:
                self._load()  # which may find that earlier requests have left no time for it
            if self._broken is not None:
                return None
            (raw,) = self._timed(
                lambda child, limit_s: child.exchange([encode(request, views=True)], 1, limit_s, self._known), wall_s
            )
            told = self._decoded(raw)
            if not isinstance(told, list) or len(told) != 3 or not isinstance(told[1], list):
                raise self._forged()
            answer = self._answer(told[0], Call(probe.function, probe.args, probe.named))
        except Verdict:
            return None
        events, room = [], MAX_EVENT_BYTES
        for item in told[1][:MAX_EVENTS]:
            event = self._event(item)
            room -= np.asarray(event.value).nbytes if event is not None else 0
            if event is not None and room >= 0:
                events.append(event)
        value = answer.value if answer.kind == "value" else None
        mark = blake2b(raw, digest_size=20).digest() if len(events) == len(told[1]) else b""
        return Trace(value, tuple(events), told[2] is True, mark)

    def _decoded(self, frame: bytearray) -> Any:
        """What an answer holds.

        Raises:
            Verdict: nothing that can be read.
        """
        try:
            return decode(memoryview(frame)[LENGTH.size :])
        except ProtocolError:
            raise self._forged() from None

    def _event(self, item: Any) -> Traced | None:
        """Takes an event of a trace apart, trusting nothing about it; None for one that makes no sense."""
        if not isinstance(item, list) or len(item) != len(EVENT) or not all(map(isinstance, item, EVENT)):
            return None
        path, line, function, call, step, kind, variable, value, reads, caller, at, bare = item
        if path not in self._known or not 0 < line < MAX_LINE or kind not in ("set", "argument", "returned"):
            return None
        if isinstance(value, str):
            value = one_line(value, MAX_NAME)
        elif isinstance(value, bool | int | float | np.ndarray) and np.size(value) <= MAX_ENTRIES:
            value = np.asarray(value)
        else:
            return None
        function, variable = one_line(function, MAX_NAME), one_line(variable, MAX_NAME)
        names = tuple(name for name in reads if isinstance(name, str))
        return Traced(path, line, function, call, step, kind, variable, value, names, (caller, at), bare)

    def _answer(self, answer: Any, call: Call) -> Answer:
        """Takes an answer apart, trusting nothing about it."""
        if not isinstance(answer, list) or len(answer) < 2 or not isinstance(answer[0], str):
            raise self._forged()
        kind, *detail, changed = answer
        types = SHAPES.get(kind)
        if types is None or len(detail) != len(types) or not all(map(isinstance, detail, types)):
            raise self._forged()
        if kind == "raised":
            detail[2] = [step for step in detail[2][-MAX_STEPS:] if self._is_frame(step)]
            detail[5] = [name for name in detail[5][:MAX_STEPS] if isinstance(name, str)]
        if kind != "value":
            detail = [one_line(item) if isinstance(item, str) else item for item in detail]
        if not isinstance(changed, list) or not all(_is_change(item, call.given) for item in changed):
            raise self._forged()
        return Answer(kind, tuple(detail), tuple((at, value) for at, value in changed), self.printed())

    def _is_frame(self, step: Any) -> bool:
        return (
            isinstance(step, list) and len(step) == 3 and isinstance(step[0], str) and self._is_line(step[0], step[1])
        )

    def _is_line(self, path: str, line: Any) -> bool:
        """Whether one of the learner's files has a line of that number."""
        if path not in self._known or type(line) is not int:
            return False
        if path not in self._lines:  # a file may be long, and be named again and again
            source = self._submission.files[path.removeprefix(self._submission.prefix)]
            self._lines[path] = source.count(b"\n") + source.count(b"\r") + 1
        return 0 < line <= self._lines[path]

    def _forged(self) -> Verdict:
        self._end()
        return Verdict(Cause.PROTOCOL, "wrote to the grader's own channel: an answer that makes no sense")

    def _load(self) -> None:
        """Has a process import the file; remembers why if it cannot."""
        self._child, has_files = self._processes.child(self._exercise)
        try:
            answer = self._opened(["anew", self._exercise.id] if has_files else self._files())
        except Verdict as verdict:
            verdict.message = f"{self.path} {verdict.message}, while it was imported"
            if self._loaded:  # it can be imported; this time it was not, and the next check may try again
                raise
            self._broken = verdict
            return
        match answer:
            case [str(kind), list(names), list(stems)] if kind == "loaded":
                self._loaded = True
                self._names = [name for name in names[:MAX_NAMES] if _is_name(name)]
                imported = {stem for stem in stems if isinstance(stem, str)}
                self.siblings = tuple(
                    stem for stem in self._lesson.stems if stem in imported and stem != self._exercise.id
                )
            case [str(kind), str(cause), str(message), str(path), line] if kind == "broken" and cause in BREAKING:
                at = path if path in self._known else self.path
                where = line if self._is_line(at, line) else None
                self._broken = Verdict(Cause(cause), one_line(message), path=at, line=where)
                self._end()
            case _:
                self._broken = self._forged()

    def _opened(self, request: list[Any]) -> Any:
        """What came of importing the file, in a process that gets the files or has them.

        Raises:
            Verdict: the process ended, or what it says makes no sense.
        """
        before = self._processes.plain or request[0] == "load"
        frames = self._timed(lambda child, limit_s: child.exchange([encode(request)], 2, limit_s, self._known))
        read, answer = map(self._decoded, frames)
        # Said before any code has run there but that of plain files, so it can be relied on.
        self._processes.plain = before and read == ["read", True]
        return answer

    def _files(self) -> list[Any]:
        """The request that brings a new process the files."""
        files = [[path, np.frombuffer(data, np.uint8)] for path, data in self._submission.files.items()]
        unreadable = [[path, why] for path, why in self._submission.unreadable.items() if path]
        return ["load", self._exercise.id, self._submission.prefix, files, unreadable, list(self._lesson.stems)]

    def _explain(self, call: Call, answer: Answer) -> Verdict:
        """The verdict on an answer that is no value."""
        match answer.kind:
            case "missing":
                return self._missing(call.function)
            case "uncallable":
                return Verdict(Cause.WRONG_TYPE, answer.detail[0], path=self.path)
            case "unsupported":
                return self._unsupported(call.function, answer)
            case "signature":
                wanted = ", ".join(self._parameters(call.function))
                return Verdict(
                    Cause.WRONG_SIGNATURE,
                    f"{call.function} takes ({answer.detail[0]}) and has to take ({wanted})",
                    path=self.path,
                )
        return self._raised(answer)

    def _parameters(self, function: str) -> list[str]:
        import inspect

        found = inspect.signature(self._functions[function]).parameters.values()
        return [str(parameter) for parameter in found]

    def _missing(self, function: str) -> Verdict:
        source = self._submission.files.get(self._exercise.filename, b"")
        if not source.strip():
            return Verdict(Cause.MISSING_FUNCTION, f"{self.path} is empty; it has to define {function}", path=self.path)
        others = [name for name in self._names if name not in self._functions]
        near = difflib.get_close_matches(function, others, 1, 0.6)
        folded = [name for name in others if name.lower().replace("_", "") == function.lower().replace("_", "")]
        guess = (folded or near or [""])[0]
        ask = f"; did you mean {guess}? Then rename it" if guess else ""
        return Verdict(Cause.MISSING_FUNCTION, f"{self.path} defines no function {function}{ask}", path=self.path)

    def _unsupported(self, function: str, answer: Answer) -> Verdict:
        what = answer.detail[0]
        advice = ""
        if "generator" in what:
            advice = "; return the result where it says yield"
        elif "coroutine" in what:
            advice = "; take async away"
        return Verdict(Cause.WRONG_TYPE, f"{function} returned {what}{advice}", path=self.path)

    def _raised(self, answer: Answer) -> Verdict:
        name, text, frames, unfinished, _, family = answer.detail
        path, line, _ = frames[-1] if frames else (self.path, None, "")
        stem = os.path.basename(path).removesuffix(".py")
        if unfinished and stem == self._exercise.id:
            return Verdict(None, f"not started: {path}", outcome=Outcome.NOT_STARTED, path=path, line=line)
        if unfinished and stem in self._lesson.stems:
            own = [step for step in frames if step[0] == self.path]
            message = f"needs your {stem}, which is not written yet ({path}); do that one first"
            return Verdict(
                Cause.MISSING_PREREQUISITE,
                message,
                outcome=Outcome.COULD_NOT_CHECK,
                path=self.path,
                line=own[-1][1] if own else None,
            )
        if "MemoryError" in family:
            limit = self._exercise.limits.memory_mib
            return Verdict(Cause.MEMORY, f"ran out of memory: the limit is {limit} MiB", path=path, line=line)
        said = f"{name}: {text}" if text else name
        return Verdict(Cause.EXCEPTION, f"raised {said}", path=path, line=line)


def _has_shape(batches: Any, plan: Plan) -> bool:
    """Whether there are as many answers in as many batches as a plan has calls."""
    if not isinstance(batches, list) or not all(isinstance(batch, list) for batch in batches):
        return False
    return [*map(len, batches)] == [len(calls) for calls, _ in plan.batches]


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and len(name) <= MAX_NAME and name.isidentifier()


def _is_change(item: Any, given: Sequence[Any]) -> bool:
    """Whether a worker's word that an argument was changed is about an argument, and one that did change."""
    match item:
        case [int(at), np.ndarray() as now] if 0 <= at < len(given) and isinstance(given[at], np.ndarray):
            then = given[at]
            return bool(now.shape != then.shape or now.dtype != then.dtype or now.tobytes() != then.tobytes())
    return False
