"""Broken files get honest verdicts: outcome, cause, file, line and message of each, and the grader's own conduct.

All of them are graded by one judge with one worker, as ``grade batch`` would; the tests then look at the results.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.judge.session import judging
from grader.lesson import shipped_lesson
from grader.lesson.stubs import stub_of
from grader.limits import Limits
from grader.model import Cause, ExerciseResult, Outcome
from grader.sandbox.launch import Starting
from grader.sandbox.submission import MAX_FILE_BYTES, read_submission
from grader.sandbox.zygote import connect
from grader.workflows.grade import stray_files

if TYPE_CHECKING:
    from collections.abc import Callable

LESSON = shipped_lesson()
SOLUTION = {stem: LESSON[stem].reference.read_text(encoding="utf-8") for stem in LESSON.stems}
STUB = {stem: stub_of(text) for stem, text in SOLUTION.items()}
RIGHT = """\
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
ATTENTION = SOLUTION["attention"]
IMPORT_LINE = ATTENTION[: ATTENTION.index("from softmax")].count("\n") + 1
CALL_LINE = ATTENTION[: ATTENTION.rindex("softmax(scores")].count("\n") + 1
QUICK = Limits(call_s=0.5, exercise_s=2.0)
FAILED, PASSED, UNCHECKED = Outcome.FAILED, Outcome.PASSED, Outcome.COULD_NOT_CHECK
HERE = "exercises/softmax.py"
ONLY = "only numpy, the standard library and the files beside this one can be imported"
ALONE = "a file beside this one is imported by its own name alone: from its_name import ..."
CIRCLE = "the files import each other in a circle"


@dataclass(frozen=True)
class Case:
    """One broken submission, and the verdict it has to get.

    Attributes:
        name: what is broken.
        files: text or bytes by name within exercises/.
        cause: of the exercise and of its first check that did not pass; None for a pass.
        message: whole.
        line: where, None if nobody can know it.
        path: the file at fault.
        stem: the exercise.
        outcome: of the exercise.
        prepare: makes what a plain file cannot be, in exercises/.
        notes: a part of each remark that has to be made.
        printed: a part of what the first check shows as printed.
        hint: whether the check's own hint is about the fault.
    """

    name: str
    files: dict[str, str | bytes]
    cause: Cause | None = None
    message: str = ""
    line: int | None = None
    path: str = HERE
    stem: str = "softmax"
    outcome: Outcome = FAILED
    prepare: Callable[[Path], None] | None = None
    notes: tuple[str, ...] = ()
    printed: str = ""
    hint: bool = False


def syntax(name: str, text: str | bytes, line: int, message: str) -> Case:
    """A softmax.py that does not compile."""
    return Case(name, {"softmax.py": text}, Cause.SYNTAX_ERROR, message, line)


def instead(name: str, text: str, cause: Cause, message: str, line: int | None = None, *, hint: bool = False) -> Case:
    """A softmax.py that compiles and is still wrong."""
    return Case(name, {"softmax.py": text}, cause, message, line, hint=hint)


def fine(name: str, text: str | bytes, printed: str = "", **others: str) -> Case:
    """A softmax.py that is unusual and right."""
    files: dict[str, str | bytes] = {"softmax.py": text, **{f"{stem}.py": text for stem, text in others.items()}}
    return Case(name, files, outcome=PASSED, printed=printed)


def beside(name: str, softmax: str, message: str, line: int = IMPORT_LINE, **more: Any) -> Case:
    """An attention.py that is right, next to a softmax.py that is not."""
    more = {"cause": Cause.IMPORT_ERROR, "path": "exercises/attention.py"} | more
    files: dict[str, str | bytes] = {"softmax.py": softmax, "attention.py": ATTENTION}
    return Case(name, files, message=message, line=line, stem="attention", **more)


def importing(name: str, statement: str, message: str) -> Case:
    """An attention.py that imports its sibling in a way that does not work."""
    files: dict[str, str | bytes] = {
        "softmax.py": RIGHT,
        "attention.py": ATTENTION.replace("from softmax import softmax", statement),
    }
    return Case(name, files, Cause.IMPORT_ERROR, message, IMPORT_LINE, "exercises/attention.py", "attention")


def in_place(name: str, prepare: Callable[[Path], None], message: str) -> Case:
    """Something else than a plain file where softmax.py belongs."""
    return Case(name, {}, Cause.UNREADABLE_FILE, message, prepare=prepare)


def a_socket(folder: Path) -> None:
    """Leaves a socket behind; bound from within, since the path of one may not be long."""
    held = Path.cwd()
    os.chdir(folder)
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("softmax.py")
    finally:
        os.chdir(held)


def a_device(folder: Path) -> None:
    """Puts the device of /dev/zero there, which only root may."""
    os.mknod(folder / "softmax.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))


DEFINED = "exercises/softmax.py defines no function softmax"
SYNTAX = [
    syntax("a colon is missing", "import numpy as np\n\ndef softmax(x, axis=-1)\n    return x\n", 3, "expected ':'"),
    syntax("a bracket stays open", "def softmax(x, axis=-1):\n    return (x\n", 2, "'(' was never closed"),
    syntax("tabs mixed", "def softmax(x, axis=-1):\n        y = x\n\treturn y\n", 3,
           "tabs and spaces are mixed: inconsistent use of tabs and spaces in indentation"),
    syntax("too deep", "def softmax(x, axis=-1):\n    y = x\n      return y\n", 3,
           "the indentation is off: unexpected indent"),
    syntax("not indented", "def softmax(x, axis=-1):\nreturn x\n", 2,
           "the indentation is off: expected an indented block after function definition on line 1"),
    syntax("a latin-1 byte", b"import numpy as np\n# na\xefve\n" + RIGHT.encode(), 2,
           "byte 0xef at column 5 is not UTF-8; save the file as UTF-8"),
    syntax("UTF-16", RIGHT.encode("utf-16"), 1, "the file is UTF-16; save it as UTF-8"),
    syntax("a NUL byte", RIGHT.encode() + b"\n# \0 here\n", 8,
           "a NUL byte at column 3; save the file as plain text in UTF-8"),
    syntax("an encoding nobody knows", b"\n# coding: klingon\n" + RIGHT.encode(), 2, "unknown encoding: klingon"),
]  # fmt: skip
FINE = [
    fine("byte-order mark", b"\xef\xbb\xbf" + RIGHT.encode()),
    fine("CRLF", RIGHT.replace("\n", "\r\n").encode()),
    fine("byte-order mark and CRLF", b"\xef\xbb\xbf" + RIGHT.replace("\n", "\r\n").encode()),
    fine("latin-1, and it says so", b"# coding: latin-1\n# na\xefve\n" + RIGHT.encode()),
    fine("a lambda", "import numpy as np\nsoftmax = lambda x, axis=-1: (lambda e: e / e.sum(axis=axis, keepdims=True))"
                     "(np.exp(x - np.max(x, axis=axis, keepdims=True)))\n"),
    fine("prints at import", RIGHT + "print('hello')\n", printed="hello\n"),
    fine("warns at import", "import warnings\nwarnings.warn('careful')\n" + RIGHT,
         printed="exercises/softmax.py:2: UserWarning: careful\n"),
    fine("warns in a call", RIGHT.replace("    e =", "    np.float64(1) / np.float64(0)\n    e ="),
         printed="exercises/softmax.py:5: RuntimeWarning: divide by zero"),
    fine("warns when compiled", RIGHT + "assert (1, 2)\n", printed="exercises/softmax.py:7: SyntaxWarning: assertion"),
    fine("exits when run as a program", RIGHT + "if __name__ == '__main__':\n    raise SystemExit(3)\n"),
    fine("a helper beside it", "from helpers import twice\n" + RIGHT, helpers="def twice(x):\n    return 2 * x\n"),
    Case("packages beside it", {
        "softmax.py": "from maths.more import half\nfrom maths import one\n" + RIGHT,
        "maths/__init__.py": "one = 1\n",
        "maths/more.py": "from . import one\nhalf = one / 2\n",
    }, outcome=PASSED),
    Case("files whose names Python has taken", {
        "softmax.py": "import random\nrandom.random()\n" + RIGHT,
        **{f"{name}.py": "raise SystemExit('stray')\n" for name in ("numpy", "conftest", "sitecustomize", "random")},
    }, outcome=PASSED, notes=(
        "exercises/conftest.py is not used here, but pytest runs it by itself: remove or rename it",
        "exercises/numpy.py is not used here, but hides Python's own numpy from your files: rename it",
        "exercises/random.py is not used here, but hides Python's own random from your files: rename it",
        "exercises/sitecustomize.py is not used here, but Python runs it at its start: remove or rename it",
    )),
]  # fmt: skip


def timed(outer: str, inner: str) -> str:
    """A softmax along the last axis behind a decorator, each with parameters of its own."""
    return f"""import functools

import numpy as np


def timed(function):
    @functools.wraps(function)
    def wrapper({outer}):
        return function({outer})

    return wrapper


@timed
def softmax({inner}):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
"""


INSTEAD = [
    instead("empty", "", Cause.MISSING_FUNCTION, "exercises/softmax.py is empty; it has to define softmax"),
    instead("only a comment", "# later\n", Cause.MISSING_FUNCTION, DEFINED),
    instead("function missing", "def other(x):\n    return x\n", Cause.MISSING_FUNCTION, DEFINED),
    instead("function misspelt", RIGHT.replace("def softmax", "def sofmax"), Cause.MISSING_FUNCTION,
            DEFINED + "; did you mean sofmax? Then rename it"),
    instead("function in other case", RIGHT.replace("def softmax", "def SoftMax"), Cause.MISSING_FUNCTION,
            DEFINED + "; did you mean SoftMax? Then rename it"),
    instead("no parameters", "def softmax():\n    return 1\n", Cause.WRONG_SIGNATURE,
            "softmax takes (no parameters) and has to take (x, axis=-1)"),
    instead("too few parameters", RIGHT.replace("x, axis=-1", "x").replace("axis=axis", "axis=-1"),
            Cause.WRONG_SIGNATURE, "softmax takes (x) and has to take (x, axis=-1)"),
    instead("too many parameters", RIGHT.replace("axis=-1", "axis, temperature"), Cause.WRONG_SIGNATURE,
            "softmax takes (x, axis, temperature) and has to take (x, axis=-1)"),
    instead("a keyword renamed", RIGHT.replace("axis", "dim").replace("dim=dim", "axis=dim"), Cause.WRONG_SIGNATURE,
            "softmax takes (x, dim) and has to take (x, axis=-1)"),
    instead("a decorator over too few parameters", timed("*args, **named", "x"), Cause.WRONG_SIGNATURE,
            "softmax takes (x) and has to take (x, axis=-1)"),
    instead("a decorator that takes too little", timed("x", "x, axis=-1"), Cause.WRONG_SIGNATURE,
            "softmax takes (x) and has to take (x, axis=-1)"),
    instead("a class", "class softmax:\n    def __init__(self, x, axis=-1):\n        pass\n", Cause.WRONG_TYPE,
            "softmax is a class; it has to be a function"),
    instead("an int", "softmax = 3\n", Cause.WRONG_TYPE, "softmax is an int; it has to be a function"),
    instead("a coroutine", RIGHT.replace("def softmax", "async def softmax"), Cause.WRONG_TYPE,
            "softmax returned a coroutine: the function is declared with async def; take async away"),
    instead("a generator", RIGHT.replace("return e", "yield e"), Cause.WRONG_TYPE,
            "softmax returned a generator; return the result where it says yield"),
    instead("an async generator", RIGHT.replace("def softmax", "async def softmax").replace("return e", "yield e"),
            Cause.WRONG_TYPE, "softmax returned an async generator; return the result where it says yield"),
    instead("returns None", RIGHT.replace("return e /", "e = e /"), Cause.WRONG_TYPE,
            "the result is None, expected an array; is a return missing?", hint=True),
    instead("does nothing", "def softmax(x, axis=-1):\n    pass\n", Cause.WRONG_TYPE,
            "the result is None, expected an array; is a return missing?", hint=True),
    instead("raises", RIGHT.replace("np.exp", "np.expp"), Cause.EXCEPTION,
            "raised AttributeError: module 'numpy' has no attribute 'expp'", 5, hint=True),
    instead("endless recursion", "def softmax(x, axis=-1):\n    return softmax(x, axis)\n", Cause.EXCEPTION,
            "raised RecursionError: maximum recursion depth exceeded", 2, hint=True),
    instead("endless loop at import", RIGHT + "while True: pass\n", Cause.TIMEOUT,
            "exercises/softmax.py did not return within 0.5 s, while it was imported", 7),
    instead("sys.exit at import", RIGHT + "raise SystemExit\n", Cause.EXCEPTION,
            "raised SystemExit, while it was imported", 7),
    instead("os._exit at import", RIGHT + "import os\nos._exit(3)\n", Cause.CRASH,
            "exercises/softmax.py ended the process, with exit code 3, instead of returning, while it was imported"),
    instead("exception at import", RIGHT + "assert softmax([1.0])[0] == 2, 'no'\n", Cause.EXCEPTION,
            "raised AssertionError: no, while it was imported", 7),
    instead("reads from the terminal", RIGHT + "input()\n", Cause.EXCEPTION,
            "raised EOFError: EOF when reading a line, while it was imported", 7),
    instead("a module that is not there", "import torch\n" + RIGHT, Cause.IMPORT_ERROR,
            f"ModuleNotFoundError: No module named 'torch'; {ONLY}", 1),
    instead("imports itself", "from softmax import softmax as s\n" + RIGHT, Cause.IMPORT_ERROR,
            f"ImportError: cannot import name 'softmax' from partially initialized module 'softmax': {CIRCLE}", 1),
    Case("prints instead of returning", {"softmax.py": RIGHT.replace("return e /", "print('weights'); e /")},
         Cause.WRONG_TYPE, "the result is None, expected an array; it printed something: return the result rather than "
         "print it", printed="weights\n", hint=True),
    instead("an unknown name", RIGHT.replace("keepdims=True", "keepdims=yes"), Cause.EXCEPTION,
            "raised NameError: name 'yes' is not defined", 5, hint=True),
    Case("no such file", {}, Cause.UNREADABLE_FILE, "there is no file exercises/softmax.py"),
    Case("a file in other case", {"Softmax.py": RIGHT}, Cause.UNREADABLE_FILE,
         "there is no file exercises/softmax.py; did you mean Softmax.py?"),
    Case("too large", {"softmax.py": RIGHT + "#" * MAX_FILE_BYTES}, Cause.UNREADABLE_FILE,
         "exercises/softmax.py is larger than 1 MiB"),
]  # fmt: skip
SIBLINGS = [
    beside("a sibling with a syntax error", "def softmax(x, axis=-1)\n    return x\n",
           "it imports exercises/softmax.py, which has an error in line 1: expected ':'"),
    beside("a sibling that raises", "ROWS = [1][3]\n" + RIGHT,
           "it imports exercises/softmax.py, which fails in line 1: IndexError: list index out of range"),
    beside("a sibling that imports what is not there", "import torch\n" + RIGHT, "it imports exercises/softmax.py, "
           f"which fails in line 1: ModuleNotFoundError: No module named 'torch'; {ONLY}"),
    beside("a sibling without the function", "def sofmax(x):\n    return x\n",
           "ImportError: cannot import name 'softmax' from 'softmax' (exercises/softmax.py)"),
    beside("a circle", "from attention import scaled_dot_product_attention\n" + RIGHT,
           "it imports exercises/softmax.py, which fails in line 1: ImportError: cannot import name "
           f"'scaled_dot_product_attention' from partially initialized module 'attention': {CIRCLE}"),
    beside("a sibling that is not written yet", STUB["softmax"],
           "needs your softmax, which is not written yet (exercises/softmax.py); do that one first", CALL_LINE,
           cause=Cause.MISSING_PREREQUISITE, outcome=UNCHECKED),
    beside("a sibling that raises in a call", "def softmax(x, axis=-1):\n    return [1][3]\n",
           "raised IndexError: list index out of range", 2, cause=Cause.EXCEPTION, path=HERE, hint=True),
    Case("no sibling", {"attention.py": ATTENTION}, Cause.IMPORT_ERROR,
         f"ModuleNotFoundError: No module named 'softmax'; {ONLY}", IMPORT_LINE, "exercises/attention.py", "attention"),
    Case("a link as a sibling", {"attention.py": ATTENTION}, Cause.IMPORT_ERROR,
         "ImportError: exercises/softmax.py is a link; put the file itself there", IMPORT_LINE,
         "exercises/attention.py", "attention",
         prepare=lambda folder: (folder / "softmax.py").symlink_to("/etc/passwd")),
    Case("only the siblings' checks fail", {f"{stem}.py": STUB[stem] for stem in ("softmax", "projections")} |
         {f"{stem}.py": SOLUTION[stem] for stem in ("attention", "multihead")}, Cause.MISSING_PREREQUISITE,
         "needs your projections, which is not written yet (exercises/projections.py); do that one first",
         SOLUTION["multihead"][: SOLUTION["multihead"].index("project_qkv(x")].count("\n") + 1,
         "exercises/multihead.py", "multihead", UNCHECKED),
    importing("by way of the folder", "from exercises.softmax import softmax",
              f"ModuleNotFoundError: No module named 'exercises'; {ALONE}"),
    importing("relative", "from .softmax import softmax",
              f"ImportError: attempted relative import with no known parent package; {ALONE}"),
    importing("from the references", "from solutions.softmax import softmax",
              f"ModuleNotFoundError: No module named 'solutions'; {ONLY}"),
]  # fmt: skip
PLACES = [
    in_place("a link", lambda folder: (folder / "softmax.py").symlink_to(LESSON["softmax"].reference),
             "exercises/softmax.py is a link; put the file itself there"),
    in_place("a link to nothing", lambda folder: (folder / "softmax.py").symlink_to("nothing"),
             "exercises/softmax.py is a link; put the file itself there"),
    in_place("a folder", lambda folder: (folder / "softmax.py").mkdir(),
             "exercises/softmax.py is a folder; it has to be a file"),
    in_place("a FIFO", lambda folder: os.mkfifo(folder / "softmax.py"),
             "exercises/softmax.py is a FIFO; it has to be a plain file"),
    in_place("a socket", a_socket, "exercises/softmax.py is a socket; it has to be a plain file"),
    *([in_place("a device", a_device, "exercises/softmax.py is a device; it has to be a plain file")]
      if os.geteuid() == 0 else []),
]  # fmt: skip


def the_folder(root: Path) -> Path:
    """exercises/ itself, still to be replaced."""
    folder = root / "exercises"
    folder.rmdir()
    return folder


def folder_case(name: str, replace_it: Callable[[Path], None], message: str) -> Case:
    """Something else than a folder where exercises/ belongs."""
    return in_place(name, lambda folder: replace_it(the_folder(folder.parent)), message)


FOLDERS = [
    folder_case("exercises is a link", lambda folder: folder.symlink_to("/"),
                "exercises is a link; it has to be a folder"),
    folder_case("exercises is a file", lambda folder: folder.touch(), "exercises is a file; it has to be a folder"),
    folder_case("exercises is a FIFO", os.mkfifo, "exercises is a FIFO; it has to be a folder"),
]  # fmt: skip
CASES = [*SYNTAX, *FINE, *INSTEAD, *SIBLINGS, *PLACES, *FOLDERS]


@dataclass(frozen=True)
class Graded:
    """What became of a case."""

    result: ExerciseResult
    notes: list[str]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Graded]:
    """All cases, graded one after the other by one judge and one worker."""
    results: dict[str, Graded] = {}

    def work(judge: Any) -> None:
        with connect(Starting()) as zygote:
            for case in CASES:
                submission = read_submission(build(case, tmp_path_factory.mktemp("case")))
                exercise = replace(LESSON[case.stem], limits=QUICK)
                result = judge.grade(exercise, submission, zygote, 0)
                results[case.name] = Graded(result, stray_files(submission))

    judging(LESSON, LESSON.exercises, work)
    return results


def build(case: Case, root: Path) -> Path:
    """Writes a case's files."""
    folder = root / "exercises"
    folder.mkdir()
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if case.prepare:
        case.prepare(folder)
    return root


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_verdict(case: Case, graded: dict[str, Graded]) -> None:
    """A broken file gets its outcome, its cause, the file and line at fault, and a message that says what to do."""
    result = graded[case.name].result
    problem = result.first_problem

    assert (case.outcome, case.cause) == (result.outcome, result.cause)
    if case.outcome is PASSED:
        assert result.max_points == result.points
    else:
        assert problem is not None
        assert (case.path, case.line, case.message) == (problem.path, problem.line, problem.message)
        assert case.hint == bool(problem.hint)
        assert case.outcome == problem.outcome
    assert case.printed == (problem or result.checks[0]).stdout[: len(case.printed)]
    assert list(case.notes) == graded[case.name].notes


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_points(case: Case, graded: dict[str, Graded]) -> None:
    """A check is never lost: each has its points or none, and a file that cannot be imported has none at all."""
    result = graded[case.name].result

    assert LESSON[case.stem].checks == len(result.checks)
    assert LESSON[case.stem].points == sum(check.max_points for check in result.checks)
    assert result.points == sum(check.max_points for check in result.checks if check.outcome is PASSED)
    if case.cause in {Cause.SYNTAX_ERROR, Cause.IMPORT_ERROR, Cause.UNREADABLE_FILE, Cause.MISSING_FUNCTION}:
        assert result.points == 0.0


def test_nothing_of_ours_is_shown(graded: dict[str, Graded]) -> None:
    """A learner sees lines of their own files only, never one of the grader's."""
    shown = [f"{check.message} {check.stdout} {check.path}" for one in graded.values() for check in one.result.checks]

    assert [] == [text for text in shown if "grader/" in text or "/worker" in text or "suite_" in text]


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be read is named as such, with the system's own reason."""
    folder = tmp_path / "exercises"
    folder.mkdir()
    (folder / "softmax.py").write_text(RIGHT)
    (folder / "softmax.py").chmod(0)
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)  # the folders above may be shut to anybody else
    user = os.geteuid()
    try:
        if user == 0:
            os.seteuid(65534)  # root may read anything
        submission = read_submission(Path())
    finally:
        os.seteuid(user)

    assert {"softmax.py": "cannot be read: Permission denied"} == submission.unreadable
    assert {} == submission.files


def test_broken_file_spoils_no_other(workspace: Path, solve: Callable[..., None], grade: Callable[..., Any]) -> None:
    """A file that cannot be imported costs its own points, and those of the exercises that import it, nothing else."""
    solve(workspace)
    (workspace / "exercises" / "softmax.py").write_text("def softmax(x, axis=-1)\n")

    ran = grade("--format", "json", cwd=workspace)
    outcomes = {e["id"]: (e["outcome"], e["cause"], e["points"]) for e in json.loads(ran.out)["exercises"]}

    assert {
        "softmax": ("failed", "syntax_error", 0.0),
        "projections": ("passed", None, 11.0),
        "attention": ("failed", "import_error", 0.0),
        "multihead": ("failed", "import_error", 0.0),
    } == outcomes
    assert (1, "") == (ran.code, ran.err)


WATCH = textwrap.dedent("""
    import os, stat, sys
    from pathlib import Path

    folder = sys.argv[1]
    seen = []

    def hook(event, args):
        # Compiling, parsing and running name the file; importing names the module or the file it lies in.
        if event in ("compile", "exec", "import", "marshal.loads", "code.__new__"):
            told = []
            for item in args:
                told.append(getattr(item, "co_filename", item))
            for item in told:
                text = item.decode("latin-1") if isinstance(item, bytes) else str(item)
                if "LEARNERS_OWN" in text or folder in text or text.endswith("exercises/softmax.py"):
                    seen.append(f"{event} {text[:80]}")
        elif event == "open" and isinstance(args[0], (str, bytes, os.PathLike)):
            # By its name alone, below an open folder, or by a path; the reference of that name lies elsewhere.
            name = os.fsdecode(args[0]).removeprefix(f"{folder}/exercises/")
            if name in ("fifo.py", "link.py", "attention.py"):
                seen.append(f"open {name}")

    sys.addaudithook(hook)
    compile("LEARNERS_OWN = 1", "x", "exec")
    control, seen[:] = list(seen), []
    from grader.cli import main

    try:
        main(["--in", folder, "--format", "json"])
    except SystemExit as end:
        print(end.code, control, seen, file=sys.stderr)
""")


def test_trusted_side_reads_bytes_only(tmp_path: Path, environment: Callable[..., dict[str, str]]) -> None:
    """The process that knows the answers never compiles, parses, imports or runs a learner's file.

    Nor does it open a FIFO, which would wait for a writer, or a link, which may lead anywhere.
    """
    folder = tmp_path / "exercises"
    folder.mkdir()
    (folder / "softmax.py").write_text("LEARNERS_OWN = 1\n" + RIGHT)
    (folder / "projections.py").write_text("LEARNERS_OWN = (\n")
    os.mkfifo(folder / "attention.py")
    os.mkfifo(folder / "fifo.py")
    (folder / "link.py").symlink_to("/etc/passwd")

    done = subprocess.run(
        [sys.executable, "-c", WATCH, tmp_path],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )

    assert "1 ['compile LEARNERS_OWN = 1'] []\n" == done.stderr
    exercises = json.loads(done.stdout)["exercises"]
    assert ["passed", "failed", "failed", "failed"] == [exercise["outcome"] for exercise in exercises]
