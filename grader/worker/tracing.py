"""Records what the learner's own variables hold, line by line, while one call runs.

After each line of the learner's files every local variable whose value is new, by a new binding or by a change in
place, gives an event; so does each argument of a call into the learner's functions, and each value they return.

Nothing here is trusted: the learner's code may stop the tracing or invent events. It is bounded in lines, events,
bytes and depth, and whatever goes wrong in it ends the tracing rather than the call.
"""

from __future__ import annotations

import ast
import inspect
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from grader.protocol import DTYPES, describe

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

MAX_LINES = 4_000  # lines that are looked at
MAX_EVENTS = 400
MAX_BYTES = 256 * 1024
MAX_ENTRIES = 1_024  # of one value
MAX_FRAMES = 12  # of the learner's, one inside the other
MAX_VARIABLES = 40  # of one function
MAX_READS = 20
NUMERIC = frozenset(DTYPES.values())
INSIDE = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")
# What holds no value that a line could go wrong by: it is not worth an event.
SILENT = {"NoneType", "str", "bytes", "function", "builtin_function_or_method", "module", "type", "range", "slice",
          "ellipsis", "method", "ufunc", "_ArrayFunctionDispatcher", "partial", "Generator", "tuple", "list",
          "list_iterator", "enumerate", "zip", "ABCMeta", "set", "frozenset"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the source.

    Attributes:
        line: where it begins.
        reads: the names that it uses.
        returns: whether it is a ``return``.
        bare: whether it does nothing but hand on what names hold.
        blank: whether it makes an array that holds whatever was in memory.
    """

    line: int
    reads: tuple[str, ...]
    returns: bool = False
    bare: bool = False
    blank: bool = False


@dataclass(slots=True)
class Running:
    """A function of the learner's that is running.

    Attributes:
        number: tells it from every other call.
        caller: number and step of the learner's function that called it; -1 twice for none.
        step: counts the statements that it has begun.
        statement: the one that is running.
        returning: the last one that says ``return``; the end of a ``with`` may run after it.
        seen: what its variables held when last looked at.
    """

    number: int
    caller: tuple[int, int]
    statement: Statement
    step: int = 0
    returning: Statement | None = None
    seen: dict[str, Any] = field(default_factory=dict)


class Tracer:
    """Traces one call.

    Args:
        prefix: what the learner's files are shown under; only their functions are looked at.
        files: the text of each of them.

    Attributes:
        events: lists of path, line, function, call, step, kind, variable, value, names read, calling call, its step,
            and whether the statement is bare.
        complete: whether nothing had to be left out.
    """

    def __init__(self, prefix: str, files: dict[str, bytes]) -> None:
        self.events: list[list[Any]] = []
        self.complete = True
        self._prefix = prefix
        self._files = files
        self._statements: dict[str, dict[int, Statement]] = {}
        self._running: dict[FrameType, Running] = {}
        self._paused: dict[FrameType, Running] = {}  # generators, between two of their values
        self._calls = self._lines = self._bytes = 0
        self._over = False

    def __enter__(self) -> Self:
        sys.settrace(self._enter)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        self._over = True

    def _stop(self) -> None:
        self.complete = False
        self._over = True
        sys.settrace(None)

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        """What Python calls when a function begins, and when a generator goes on."""
        code = frame.f_code
        if self._over or not self._is_own(code.co_filename) or code.co_name == "<module>":
            return None
        try:
            if len(self._running) >= MAX_FRAMES:
                self.complete = False
                return None
            if frame in self._paused:
                self._running[frame] = self._paused.pop(frame)
            else:
                self._begin(frame)
        except BaseException:  # noqa: BLE001 - a value that cannot be looked at must not end the learner's call
            self._stop()
            return None
        return self._follow

    def _is_own(self, filename: str) -> bool:
        return filename.startswith(self._prefix) and filename.removeprefix(self._prefix) in self._files

    def _begin(self, frame: FrameType) -> None:
        """Records the arguments of a call, at the line that makes it."""
        code = frame.f_code
        above = frame.f_back
        while above is not None and above not in self._running:
            above = above.f_back
        caller = self._running.get(above) if above is not None else None
        self._calls += 1
        now = Running(
            self._calls,
            (caller.number, caller.step) if caller else (-1, -1),
            self._statement(code.co_filename, code.co_firstlineno),
        )
        self._running[frame] = now
        for name, value in self._variables(frame):
            now.seen[name] = value
            # Where the call stands in the learner's own code, that is the line that made the value.
            path, statement = (above.f_code.co_filename, caller.statement) if above and caller else (None, None)
            self._record(
                now, path or code.co_filename, statement or now.statement, code.co_name, "argument", name, value
            )

    def _follow(self, frame: FrameType, event: str, argument: Any) -> Any:
        """What Python calls before each line, and when a function returns."""
        if self._over:
            return None
        try:
            now = self._running[frame]
            code = frame.f_code
            if event == "line":
                self._lines += 1
                if self._lines > MAX_LINES:
                    self._stop()
                    return None
                self._compare(frame, now)
                statement = self._statement(code.co_filename, frame.f_lineno)
                # Python comes back to the first line of a long statement in order to end it.
                if statement is not now.statement:
                    now.statement = statement
                    now.step += 1
                    now.returning = statement if statement.returns else now.returning
            elif event == "return":
                self._compare(frame, now)
                now.statement = now.returning or now.statement
                for name, value in _parts_of("", argument):
                    self._record(now, code.co_filename, now.statement, code.co_name, "returned", name, value)
                gone = self._running.pop(frame)
                if code.co_flags & inspect.CO_GENERATOR:  # whether it is at its end cannot be seen
                    self._paused[frame] = gone
        except BaseException:  # noqa: BLE001 - as above
            self._stop()
            return None
        return self._follow

    def _compare(self, frame: FrameType, now: Running) -> None:
        """Records what the statement that has just run has changed."""
        for name, value in self._variables(frame):
            if name not in now.seen or not _same(now.seen[name], value):
                now.seen[name] = value
                if now.statement.blank:
                    continue  # it means nothing yet, and may look like anything
                code = frame.f_code
                self._record(now, code.co_filename, now.statement, code.co_name, "set", name, value)

    @staticmethod
    def _variables(frame: FrameType) -> Iterator[tuple[str, Any]]:
        for number, (name, value) in enumerate(list(frame.f_locals.items())):
            if number < MAX_VARIABLES and not name.startswith("."):
                yield from _parts_of(name, value)

    def _record(
        self, now: Running, path: str, statement: Statement, function: str, kind: str, variable: str, value: Any
    ) -> None:
        if function in INSIDE and not isinstance(value, np.ndarray):
            return  # the numbers that an expression goes through are too many, and the expression has its own event
        self._bytes += value.nbytes if isinstance(value, np.ndarray) else 8
        if len(self.events) >= MAX_EVENTS or self._bytes > MAX_BYTES:
            self._stop()
            return
        self.events.append(
            [path, statement.line, function[:100], now.number, now.step, kind, variable[:100], value,
             list(statement.reads), *now.caller, statement.bare]
        )  # fmt: skip

    def _statement(self, path: str, line: int) -> Statement:
        known = self._statements.get(path)
        if known is None:
            known = self._statements[path] = statements(self._files[path.removeprefix(self._prefix)])
        return known.setdefault(line, Statement(line, ()))


def _parts_of(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A value as plain data under its name; the parts of a tuple that is no array as ``name[0]``, ``name[1]``."""
    plain = plain_value(value)
    if plain is not None:
        yield name, plain
    elif issubclass(type(value), tuple | list):
        for number, item in enumerate(value[:8]):
            plain = plain_value(item)
            if plain is not None:
                yield f"{name}[{number}]", plain


def plain_value(value: Any) -> Any:
    """A copy of a value that can be compared: an array, a number, or the name of what is neither; None to ignore it."""
    kind = type(value)
    if kind is bool or kind is float:
        return value
    if kind is int:
        return value if abs(value) < 2**63 else None
    if issubclass(kind, np.generic):  # isinstance would ask the value itself
        value, kind = np.asarray(value), np.ndarray
    if kind is np.ndarray:
        if value.size > MAX_ENTRIES:
            return f"an array of shape {value.shape}"
        if value.dtype.kind == "f" and value.dtype not in NUMERIC:
            return value.astype(np.float64)  # long doubles have no place on the wire
        return np.array(value) if value.dtype in NUMERIC else f"an array of dtype {str(value.dtype)[:40]}"
    if kind is list or (kind is tuple and value and all(type(item) in (int, float) for item in value)):
        return _stacked(value)
    return None if type.__getattribute__(kind, "__name__") in SILENT else describe(value)


def _stacked(items: Any) -> Any:
    """Nested lists of numbers, or a list of arrays of one shape, as one array; None if they are no such thing."""
    if not 0 < len(items) <= MAX_ENTRIES:
        return None
    parts = [plain_value(item) for item in items]
    if any(part is None or isinstance(part, str) for part in parts):
        return None
    if len({np.shape(part) for part in parts}) != 1 or sum(np.size(part) for part in parts) > MAX_ENTRIES:
        return None
    return np.array(parts)


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
        return old.dtype == new.dtype and old.shape == new.shape and old.tobytes() == new.tobytes()
    return type(old) is type(new) and (old == new or (old != old and new != new))  # noqa: PLR0124 - nan


def statements(source: bytes) -> dict[int, Statement]:
    """The statement that each line of a source belongs to."""
    found: dict[int, Statement] = {}
    for node in ast.walk(ast.parse(source)):  # the outer ones first, so that an inner one has the last word
        if not isinstance(node, ast.stmt):
            continue
        inside = [item for item in ast.iter_child_nodes(node) if isinstance(item, ast.stmt)]
        last = max(node.lineno, inside[0].lineno - 1) if inside else (node.end_lineno or node.lineno)
        reads = tuple(dict.fromkeys(_reads(node)))[:MAX_READS]
        parts = [part for part in ast.walk(node) if isinstance(part, ast.expr)]
        called = {
            getattr(part.func, "attr", getattr(part.func, "id", "")) for part in parts if isinstance(part, ast.Call)
        }
        statement = Statement(
            node.lineno,
            reads,
            returns=isinstance(node, ast.Return),
            bare=not isinstance(node, ast.AugAssign) and all(isinstance(part, ast.Name | ast.Tuple) for part in parts),
            blank=not called.isdisjoint(("empty", "empty_like")),
        )
        for line in range(node.lineno, last + 1):
            found[line] = statement
    return found


def _reads(node: ast.AST) -> Iterator[str]:
    """The names whose values a statement uses, without those of the statements inside it."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            yield node.id
        return
    if isinstance(node, ast.AugAssign):  # x += 1 uses x, and so does x[0] += 1
        yield from (name.id for name in ast.walk(node.target) if isinstance(name, ast.Name))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            continue
        stored_into = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and child is node.value
        if not (stored_into and isinstance(child, ast.Name)):  # x[0] = 1 does not use what x held
            yield from _reads(child)
