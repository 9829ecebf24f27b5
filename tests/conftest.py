"""What many tests need: the program as a subprocess, folders of exercises, and the judge without the program.

The fixtures hand out real things: processes, sandboxes, folders. Nothing here replaces a part of the grader.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.lesson import Lesson, shipped_lesson
from grader.lesson.stubs import stub_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

REPO = Path(__file__).resolve().parent.parent
# What the machine that runs the tests may have set, and a test must not depend on.
PLATFORM = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "LINES", "PYTHONIOENCODING", "PYTHONUTF8", "GITHUB_OUTPUT",
            "CLASSROOM", "ASSIGNMENT", "ASSIGNMENT_TYPE", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL", "REVIEW_URL",
            "PYTHONPATH", "PYTHONSAFEPATH", "PYTHONWARNINGS",
            "GRADE_LINKS", "INSIDE_EMACS", "SSH_CONNECTION")  # fmt: skip


collect_ignore_glob = ["content/*", "hostile/submissions/*"]  # what is graded in tests, not tests


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that writes the golden files anew."""
    parser.addoption("--regenerate-golden", action="store_true", help="write tests/golden anew, to be read in a diff")


@dataclass(frozen=True)
class Ran:
    """What a run of the program came to."""

    code: int
    out: str
    err: str


def clean_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without what a platform or a person may have set; warnings are errors in it."""
    kept = {name: value for name, value in os.environ.items() if name not in PLATFORM}
    return kept | {"PYTHONWARNINGS": "error", "TERM": "xterm-256color"} | dict(more or {})


BOUNDED = """
import resource, sys
from pathlib import Path
from grader.lesson import shipped_lesson
from grader.workflows.batch.contents import collect
from grader.workflows.batch.sources import entries_of
lesson = shipped_lesson()
(entry,) = entries_of(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_CPU, (15, 15))
resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))
found = collect(entry, lesson)
print(found.reason or "; ".join(found.notes))
"""


@pytest.fixture
def bounded(tmp_path: Path) -> Callable[[Path], str]:
    """Gives what is said of the one submission of a folder, by a process that dies if that takes a lot or for ever."""
    if sys.platform != "linux":
        pytest.skip("elsewhere memory cannot be limited")

    def said(folder: Path) -> str:
        done = subprocess.run(
            [sys.executable, "-c", BOUNDED, str(folder)],
            capture_output=True, text=True, check=False, cwd=tmp_path, env=clean_environment(),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-500:]
        assert len(done.stdout) < 4_000
        return done.stdout.strip()

    return said


@pytest.fixture(scope="session")
def repo() -> Path:
    """The folder with exercises/, solutions/ and grader/."""
    return REPO


@pytest.fixture(scope="session")
def environment() -> Callable[..., dict[str, str]]:
    """Makes an environment for a subprocess."""
    return clean_environment


@pytest.fixture(scope="session")
def lesson() -> Lesson:
    """The lesson that comes with the package."""
    return shipped_lesson()


@pytest.fixture(scope="session")
def cold_grade() -> Callable[..., Ran]:
    """Runs ``python -m grader`` and waits for it."""

    def run(*args: str | Path, cwd: Path, env: Mapping[str, str] | None = None, **more: Any) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "grader", *map(str, args)],
            cwd=cwd,
            env=clean_environment(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
            **more,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


class Warm:
    """A process that has imported the program and forks one for each run, one at a time."""

    def __init__(self) -> None:
        self.server = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("warm_grade.py")],
            env=clean_environment({"OPENBLAS_NUM_THREADS": "1"}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    def start(self, args: Sequence[str | Path], cwd: Path, env: Mapping[str, str] | None, *streams: str | Path) -> int:
        """Starts a run with these files as its standard streams; returns its process number."""
        names = dict(zip(("stdin", "stdout", "stderr"), map(str, streams), strict=True))
        request = {"args": list(map(str, args)), "cwd": str(cwd), "env": clean_environment(env), **names}
        assert self.server.stdin is not None
        self.server.stdin.write(json.dumps(request).encode() + b"\n")
        return self.told()

    def told(self) -> int:
        """The next number it tells: of the process, or the exit code; not a byte more is read than that line."""
        assert self.server.stdout is not None
        return int(self.server.stdout.readline())


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """Runs the program without paying for its imports; for what does not turn on them."""
    warm = Warm()
    with warm.server:
        yield warm


@pytest.fixture(scope="session")
def grade(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> Callable[..., Ran]:
    """Runs the program and waits for it."""
    folder = tmp_path_factory.mktemp("streams")
    streams = [folder / name for name in ("stdin", "stdout", "stderr")]

    def run(*args: str | Path, cwd: Path, env: Mapping[str, str] | None = None, given: str = "") -> Ran:
        for path in streams:
            path.write_text(given if path.name == "stdin" else "", encoding="utf-8")
        warm.start(args, cwd, env, *streams)
        code = warm.told()
        return Ran(code, *(path.read_text(encoding="utf-8") for path in streams[1:]))

    return run


@pytest.fixture
def workspace(tmp_path: Path, lesson: Lesson) -> Path:
    """A folder as ``grade init`` makes it: exercises/ with all stubs."""
    root = tmp_path / "work"
    (root / "exercises").mkdir(parents=True)
    for exercise in lesson.exercises:
        stub = stub_of(exercise.reference.read_text(encoding="utf-8"))
        (root / "exercises" / exercise.filename).write_text(stub, encoding="utf-8")
    return root


@pytest.fixture
def solve(lesson: Lesson) -> Callable[..., None]:
    """Puts right solutions into a workspace."""

    def put(root: Path, *stems: str) -> None:
        for stem in stems or lesson.stems:
            solution = lesson[stem].reference.read_bytes()
            (root / "exercises" / f"{stem}.py").write_bytes(solution)

    return put


def descendants(pid: int) -> Iterator[int]:
    """All processes below one, as /proc knows them."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from descendants(child)


def cpu_ticks(pid: int) -> int:
    """CPU time of a process so far; 0 when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])
    except (OSError, IndexError):
        return 0


@pytest.fixture(scope="session")
def hanging() -> Callable[[int], list[int]]:
    """Lists all processes below one, once the last of them has computed for half a second; none before that."""

    def look(pid: int) -> list[int]:
        # The child that runs the learner's file is the last of the line, and burns time as soon as it hangs.
        below = list(descendants(pid))
        return below if len(below) > 1 and cpu_ticks(below[-1]) > 50 else []

    return look
