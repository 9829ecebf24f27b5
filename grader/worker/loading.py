"""Imports the learner's files from memory: no folder of theirs ever stands on the import path.

A sibling (``from softmax import softmax``) is found among the files that were sent. Names of the standard library
and of numpy are never taken from the learner's files, so a stray ``random.py`` or ``numpy.py`` changes nothing.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import linecache
import os
import sys
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.worker import plain

if TYPE_CHECKING:
    from types import CodeType, ModuleType

# The lesson's files may be as large as people write them; what follows keeps messages short.
MAX_MESSAGE = 2_000
MAX_FRAMES = 20


@dataclass(frozen=True)
class Broken:
    """Why a file could not be imported, in plain data for the wire."""

    kind: str  # a Cause by its value: syntax_error, import_error, exception, memory
    message: str
    path: str
    line: int

    def frame(self) -> list[Any]:
        """The value that crosses the wire."""
        return ["broken", self.kind, self.message, self.path, self.line]


class Submission(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The files that were sent, as a place to import from.

    Args:
        files: text of each file by its path relative to the exercises folder ("helpers/maths.py" too).
        unreadable: why a file that is there was not sent, by path.
        prefix: what to put before a path when it is shown ("exercises/").
    """

    def __init__(self, files: dict[str, bytes], unreadable: dict[str, str], prefix: str) -> None:
        self.files = files
        self.unreadable = unreadable
        self.prefix = prefix
        self.by_module = {_module_name(path): path for path in [*unreadable, *files]}
        self._compiled: dict[str, CodeType] = {}

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        """Finds a module among the files; leaves every reserved name to Python."""
        if name.partition(".")[0] in RESERVED:
            return None
        path = self.by_module.get(name)
        if path is None:
            return None
        package = path.endswith("__init__.py")
        origin = self.prefix + path
        spec = importlib.machinery.ModuleSpec(name, self, origin=origin, is_package=package)
        spec.has_location = True
        return spec

    def create_module(self, _spec: Any) -> None:
        """Leaves making the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Runs the file's code in the new module."""
        assert module.__spec__ is not None
        path = self.by_module[module.__spec__.name]
        if path in self.unreadable:
            raise ImportError(f"{self.prefix}{path} {self.unreadable[path]}", name=module.__spec__.name)
        exec(self.compile(path), module.__dict__)  # noqa: S102 - running it is what the sandbox is for

    def compile(self, path: str) -> CodeType:
        """Compiles a file as Python would, coding line and all."""
        if path in self._compiled:
            return self._compiled[path]
        shown = self.prefix + path
        source = self.files[path]
        explain_encoding(source, shown)
        lines = source.decode("utf-8", "replace").splitlines(keepends=True)
        linecache.cache[shown] = (len(source), None, lines, shown)
        self._compiled[path] = compile(source, shown, "exec", dont_inherit=True)
        return self._compiled[path]

    def is_plain(self, stem: str) -> bool:
        """Whether a file is plain, and all that it imports of the others; one that cannot be compiled is not.

        No other is compiled: there are files that take the compiler for ever.
        """
        waiting, seen = [stem], set()
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.by_module:
                continue
            seen.add(name)
            code = self._looked_into(self.by_module[name])
            if code is None or not plain.is_plain(code, self.by_module):
                return False
            waiting += plain.imports(code)
        return True

    def _looked_into(self, path: str) -> CodeType | None:
        """A file's code, before it is imported; None if it is too long for that, or has none."""
        if len(self.files.get(path, b"")) > plain.MAX_BYTES:
            return None
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                code = self.compile(path)
            except Exception:  # noqa: BLE001 - importing it will say why, with its line
                return None
        if said:  # what the compiler has to say is said when the file is imported, so it has to say it again
            del self._compiled[path]
        return code

    def preload(self, stem: str) -> None:
        """Imports what a file and its siblings import from the standard library and numpy, before their code runs.

        For a process that may open no file once the learner's code is running. What is imported here is chosen by
        the learner, and some modules act when they are imported, so the process has to be confined already.
        """
        waiting, seen = [stem], set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            path = self.by_module.get(name)
            if path in self.files:
                waiting += _imports(self.files[path], name, is_package=path.endswith("__init__.py"))
            elif name.partition(".")[0] in PRELOADED:
                try:
                    __import__(name)
                except BaseException:  # noqa: BLE001, S112 - the learner's own import will say so, with its line
                    continue


RESERVED = frozenset(sys.stdlib_module_names) | {"numpy", "grader"}
PRELOADED = RESERVED - {"grader"}  # beside the worker stand the judge, the suites and, in a wheel, the solutions


def _imports(source: bytes, name: str, *, is_package: bool) -> list[str]:
    """The modules that a source may import, as far as its text tells, and the packages they are in."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # loading it will say so, with its line
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                package = name.split(".")[: None if is_package and node.level == 1 else is_package - node.level]
                module = ".".join([*package, *filter(None, [module])])
            found += [module, *(f"{module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy"):
            found.append(f"numpy.{node.attr}")
    return [inner.rsplit(".", cut)[0] for inner in found for cut in range(inner.count(".") + 1)]


def _module_name(path: str) -> str:
    stem = path.removesuffix(".py").removesuffix("/__init__")
    return stem.replace("/", ".")


def explain_encoding(source: bytes, shown: str) -> None:
    """Raises SyntaxError, with line and column, for bytes that Python would refuse less clearly."""
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SyntaxError("the file is UTF-16; save it as UTF-8", (shown, 1, 1, None))
    if b"\0" in source:
        line, column = _position(source, source.index(b"\0"))
        raise SyntaxError(
            f"a NUL byte at column {column}; save the file as plain text in UTF-8",
            (shown, line, column, None),
        )
    head = source.split(b"\n", 2)[:2]
    if not any(b"coding" in line and line.lstrip().startswith(b"#") for line in head):
        try:
            source.decode("utf-8")
        except UnicodeDecodeError as error:
            line, column = _position(source, error.start)
            text = f"byte 0x{source[error.start]:02x} at column {column} is not UTF-8; save the file as UTF-8"
            raise SyntaxError(text, (shown, line, column, None)) from None


def coding_line(source: bytes) -> int:
    """The line that names the encoding, 0 if none does: for an unknown one Python gives no line."""
    head = source.split(b"\n", 2)[:2]
    return next((number for number, line in enumerate(head, 1) if b"coding" in line), 0)


def _position(source: bytes, at: int) -> tuple[int, int]:
    before = source[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return before.count(b"\n") + 1, at - (source.rfind(b"\n", 0, at) + 1) + 1


def load(submission: Submission, stem: str) -> tuple[ModuleType | None, Broken | None]:
    """Imports one exercise: the module, or why there is none."""
    shown = f"{submission.prefix}{stem}.py"
    try:
        __import__(stem)
        return sys.modules[stem], None
    except BaseException as error:  # noqa: BLE001 - whatever a learner's file raises is told, not passed on
        return None, explain(error, submission, shown)


def forget(submission: Submission) -> None:
    """Lets every file of a submission be imported anew, and what they hold go at once."""
    for name in submission.by_module:
        module = sys.modules.pop(name, None)
        if module is not None:
            vars(module).clear()


def explain(error: BaseException, submission: Submission, shown: str) -> Broken:
    """Says why an import failed: kind, message, file and line."""
    path, line = where(error, submission.prefix) or (shown, 0)
    if isinstance(error, SyntaxError) and str(error.filename).startswith(submission.prefix):
        # The file at fault may be a sibling that this one imports.
        message = _syntax_message(error)
        at = str(error.filename)
        if at != shown:
            message = f"it imports {at}, which has an error in line {error.lineno or '?'}: {message}"
            return Broken("import_error", message, path, line)
        source = submission.files.get(at.removeprefix(submission.prefix), b"")
        return Broken("syntax_error", message, at, int(error.lineno or coding_line(source)))
    if path != shown and path.startswith(submission.prefix):
        first = first_line_in(error, shown)
        message = f"it imports {path}, which fails in line {line}: {_said(error, submission)}"
        return Broken("import_error", message, shown, first)
    if isinstance(error, ImportError):
        return Broken("import_error", _said(error, submission), path, line)
    if isinstance(error, MemoryError):
        return Broken("memory", "it ran out of memory while it was imported", path, line)
    return Broken("exception", f"raised {_said(error, submission)}, while it was imported", path, line)


def _said(error: BaseException, submission: Submission) -> str:
    """An exception as Python names it, in words that help on where an import is at fault."""
    text = _import_message(error, submission) if isinstance(error, ImportError) else message_of(error)
    return f"{type(error).__name__}: {text}" if text.strip() else type(error).__name__


def _syntax_message(error: SyntaxError) -> str:
    words = {TabError: "tabs and spaces are mixed: ", IndentationError: "the indentation is off: "}
    return words.get(type(error), "") + str(error.msg)[:MAX_MESSAGE]


def _import_message(error: ImportError, submission: Submission) -> str:
    message = message_of(error)
    name = str(error.name or "")
    if "partially initialized" in message or "circular import" in message:
        return f"{message.partition(' (')[0]}: the files import each other in a circle"
    top = name.partition(".")[0]
    if "attempted relative import" in message or top == (submission.prefix.rstrip("/") or "exercises"):
        return f"{message}; a file beside this one is imported by its own name alone: from its_name import ..."
    if isinstance(error, ModuleNotFoundError) and top and top not in RESERVED:
        return f"{message}; only numpy, the standard library and the files beside this one can be imported"
    if f"{top}.py" in submission.files and top in RESERVED:
        return f"{message}; {submission.prefix}{top}.py is not used, since its name is taken by Python: rename it"
    return message


def message_of(error: BaseException) -> str:
    """The text of an exception, whatever its __str__ does short of hanging."""
    try:
        return str(error)[:MAX_MESSAGE]
    except BaseException:  # noqa: BLE001 - a learner's __str__ may raise anything
        return "(its message could not be made into text)"


def frames(error: BaseException, prefix: str) -> list[tuple[str, int, str]]:
    """File, line and function of each step of the traceback that lies in the learner's own files."""
    found: list[tuple[str, int, str]] = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if (
            code.co_filename.startswith(prefix)
            and code.co_filename.endswith(".py")
            and not os.path.isabs(code.co_filename)
        ):
            found.append((code.co_filename, step.tb_lineno or 0, code.co_name))
        step = step.tb_next
    return found[-MAX_FRAMES:]


def where(error: BaseException, prefix: str) -> tuple[str, int] | None:
    """The learner's own file and line that ran last before the exception."""
    own = frames(error, prefix)
    return own[-1][:2] if own else None


def first_line_in(error: BaseException, shown: str) -> int:
    """The first line of one file in the traceback, 0 if there is none."""
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == shown:
            return step.tb_lineno or 0
        step = step.tb_next
    return 0
