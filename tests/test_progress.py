"""Progress survives kills and runs at the same time; a database that is not ours to touch is left as it is."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.errors import StoreError
from grader.model import ExerciseResult, Mistake, Outcome
from grader.store import Best, Progress
from grader.store.progress import MIGRATIONS, NAME, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    Grade = Callable[..., Any]

MINI = Path(__file__).parent / "mini_lesson"
# Attempts without end, three results in each, and a word for each that was kept.
WRITER = """
import sys
from pathlib import Path
from grader.model import ExerciseResult, Outcome
from grader.store import Progress

results = [ExerciseResult(name, name, f"{name}.py", Outcome.FAILED, 1.0, 2.0, ()) for name in "abc"]
with Progress(Path(sys.argv[1])) as progress:
    for seed in range(int(sys.argv[2])):
        progress.record(results, seed)
        progress.show_hint("a", 1_000_000)
        print(seed, flush=True)
"""


def result(stem: str, points: float, outcome: Outcome = Outcome.FAILED) -> ExerciseResult:
    """An attempt at an exercise worth ten points."""
    return ExerciseResult(stem, stem, f"{stem}.py", outcome, points, 10.0, ())


def attempts(folder: Path) -> list[tuple[Any, ...]]:
    """What the database holds, read without the grader."""
    db = sqlite3.connect(folder / NAME)
    try:
        assert [("ok",)] == db.execute("PRAGMA integrity_check").fetchall()
        return db.execute("SELECT seed, exercise FROM attempts ORDER BY id").fetchall()
    finally:
        db.close()


def test_best(tmp_path: Path) -> None:
    """The best attempt counts, with its own outcome, and how many there were; hints are counted up to the last."""
    with Progress(tmp_path / "state") as progress:
        progress.record([result("a", 3.0), result("b", 0.0, Outcome.NOT_STARTED)], 1)
        progress.record([result("a", 10.0, Outcome.PASSED)], 2)
        progress.record([result("a", 0.0)], 3)
        progress.record([result("c", 0.0, outcome) for outcome in (Outcome.NOT_STARTED, Outcome.FAILED)], 4)
        assert [1, 2, 2] == [progress.show_hint("a", 2) for _ in range(3)]

    with Progress(tmp_path / "state") as progress:
        best = progress.best()
        assert [Best("passed", 10.0, 10.0, 3), Best("not_started", 0.0, 10.0, 1)] == [best["a"], best["b"]]
        assert Best("failed", 0.0, 10.0, 2) == best["c"]
        assert (2, 0) == (progress.hints_shown("a"), progress.hints_shown("b"))


def test_look() -> None:
    """What to look at is kept of the last attempt: of the first mistake, and of each that it may be instead."""
    one, other = (Mistake(name, name, "", f"Look at {name}?") for name in ("one", "other"))
    with Progress(None) as progress:
        for mistakes, look in (((one, other), "Look at one?"), ((), "")):
            progress.record([replace(result("a", 0.0), mistakes=mistakes)], 1)
            assert look == progress.look("a")
        progress.record([replace(result("a", 0.0), mistakes=(replace(one, alternatives=(other,)),))], 1)
        assert "Look at one? Look at other?" == progress.look("a")


def test_said_once(tmp_path: Path) -> None:
    """A remark is new once, also across runs."""
    for expected in (True, False):
        with Progress(tmp_path / "state") as progress:
            assert expected == progress.say_once("something")
            assert not progress.say_once("something")


def test_in_memory() -> None:
    """Without a folder progress works and is forgotten."""
    with Progress(None) as progress:
        progress.record([result("a", 3.0)], 1)
        assert {"a": Best("failed", 3.0, 10.0, 1)} == progress.best()


def test_state_is_ignored_by_git(workspace: Path, grade: Grade) -> None:
    """The state has a .gitignore of its own, which leaves out everything in it; one that is there is kept."""
    grade("softmax", cwd=workspace)
    ignore = workspace / ".grade" / ".gitignore"

    assert "*\n" == ignore.read_text()
    ignore.write_text("mine\n")
    grade("softmax", cwd=workspace)
    assert "mine\n" == ignore.read_text()
    assert {".gitignore", NAME} == set(os.listdir(workspace / ".grade"))


def test_migrations(tmp_path: Path) -> None:
    """A database of any earlier version, from an empty one on, becomes one of this version with its rows kept."""
    assert VERSION == len(MIGRATIONS)
    for version in range(VERSION + 1):
        folder = tmp_path / str(version)
        folder.mkdir()
        db = sqlite3.connect(folder / NAME)
        for number, script in enumerate(MIGRATIONS[:version], 1):
            db.executescript(script)
            db.execute(f"PRAGMA user_version = {number}")
        if version:
            db.execute(
                "INSERT INTO attempts (id, at, exercise, outcome, points, max_points, seed)"
                " VALUES (1, '2026-01-01T00:00:00+00:00', 'a', 'failed', 3, 10, 0)"
            )
        db.commit()
        db.close()

        with Progress(folder) as progress:
            kept = {"a": Best("failed", 3.0, 10.0, 1)} if version else {}
            assert kept == progress.best()
            progress.record([result("a", 4.0)], 1)
        db = sqlite3.connect(folder / NAME)
        assert (VERSION,) == db.execute("PRAGMA user_version").fetchone()
        db.close()


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """A writer killed at any moment leaves whole attempts only, and none that it has told of is lost."""
    folder = tmp_path / "state"
    total = 0
    for round_ in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, folder, "1000000"], stdout=subprocess.PIPE, encoding="utf-8"
        )
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(1 + 3 * round_)]
        time.sleep(0.001 * round_)  # so that the kill falls on other moments of a transaction
        writer.send_signal(signal.SIGKILL)
        told += writer.stdout.read().splitlines(keepends=True)
        writer.wait()
        writer.stdout.close()
        rows = attempts(folder)[total:]
        written = [seed for seed, exercise in rows if exercise == "a"]

        assert [(seed, name) for seed in written for name in "abc"] == rows
        assert list(range(len(written))) == written
        assert len([line for line in told if line.endswith("\n")]) <= len(written)
        total += len(rows)
    with Progress(folder) as progress:
        assert total // 3 == progress.best()["a"].attempts


def test_killed_while_it_is_made(tmp_path: Path) -> None:
    """A run killed while it makes the database leaves none, or one that the next run can use."""
    for step in range(6):
        folder = tmp_path / str(step)
        writer = subprocess.Popen([sys.executable, "-c", WRITER, folder, "1"], stdout=subprocess.DEVNULL)
        while not (folder / NAME).exists() and writer.poll() is None:
            pass
        time.sleep(0.0004 * step)
        writer.kill()
        writer.wait()

        with Progress(folder) as progress:
            progress.record([result("a", 3.0)], 1)
            assert "a" in progress.best()


def test_many_writers_at_once(tmp_path: Path) -> None:
    """Writers at the same time wait for one another: nothing is lost, and the first one alone makes the tables."""
    folder = tmp_path / "state"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, folder, "25"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    ends = [(writer.communicate()[1], writer.returncode) for writer in writers]

    assert [("", 0)] * 4 == ends
    assert 4 * 25 * 3 == len(attempts(folder))
    with Progress(folder) as progress:
        assert 100 == progress.hints_shown("a")


def test_two_runs_at_once(tmp_path: Path, environment: Callable[..., dict[str, str]]) -> None:
    """Two `grade` runs in one workspace both end well and are both remembered."""
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "double.py").write_bytes((MINI / "solutions" / "double.py").read_bytes())
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "grader", "double", "--lesson", MINI],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    ends = [(run.communicate(timeout=60)[1], run.returncode) for run in runs]

    assert [(b"", 0)] * 2 == ends
    assert 2 == len(attempts(tmp_path / ".grade"))


# --- a database that is not ours to touch ---------------------------------------------------------------------


def garbage(path: Path) -> None:
    """Bytes that are no database."""
    path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 20)


def a_text(path: Path) -> None:
    """A text, as an editor may leave it there."""
    path.write_text("not a database, and long enough to be seen to be none\n" * 30)


def newer(path: Path) -> None:
    """A database of a version to come."""
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE things (one TEXT)")
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()


def another(path: Path) -> None:
    """A database of this version's number, but of something else."""
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE things (one TEXT)")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.close()


def damaged(path: Path) -> None:
    """A database of ours with a hole in its middle."""
    with Progress(path.parent) as progress:
        progress.record([result("softmax", 3.0)] * 500, 1)
    content = bytearray(path.read_bytes())
    content[8192:20480] = bytes(12288)
    path.write_bytes(content)


LATER = (
    f"was written by a later version of grade (format {VERSION + 1}; this one knows {VERSION}). "
    "It was left as it is: update grade, or move the file away."
)
UNUSABLE = {
    "garbage": (garbage, "cannot be used: "),
    "text": (a_text, "cannot be used: file is not a database. It was left as it is; move it away to start a new one."),
    "newer": (newer, LATER),
    "another": (another, "cannot be used: no such table: attempts. It was left as it is"),
    "damaged": (damaged, "cannot be used: "),
    "folder": (Path.mkdir, "cannot be opened: "),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNUSABLE)
def test_unusable_database(kind: str, workspace: Path, solve: Callable[..., None], grade: Grade) -> None:
    """It is reported, left byte for byte as it is, and the exercises are graded all the same."""
    make, message = UNUSABLE[kind]
    solve(workspace, "softmax")
    state = workspace / ".grade"
    state.mkdir()
    make(state / NAME)
    before = None if kind == "folder" else (state / NAME).read_bytes()

    for command, code in ((["softmax"], 0), (["list"], 0), (["hint", "softmax"], 0), (["solution", "softmax"], 2)):
        ran = grade(*command, cwd=workspace)

        assert code == ran.code
        assert f"Progress is not kept: {state / NAME} {message}" in ran.err
        assert "Traceback" not in ran.err
        if command[0] == "hint":  # nobody could get beyond the first
            assert [f"{number}." for number in range(1, 5)] == re.findall(r"^\d\.", ran.out, re.MULTILINE)
            assert ran.out.endswith("These are all, since which you have seen is not kept.\n")
        if command == ["softmax"]:
            assert ran.out.startswith("softmax  13/13  passed\n")
    assert before == (None if kind == "folder" else (state / NAME).read_bytes())
    assert {NAME, ".gitignore"} >= set(os.listdir(state))


def test_state_is_a_file(workspace: Path, grade: Grade) -> None:
    """A file where the state's folder belongs is left alone, too."""
    (workspace / ".grade").write_text("mine\n")

    ran = grade("softmax", cwd=workspace)

    assert 1 == ran.code
    assert f"Progress is not kept: {workspace}/.grade/{NAME} cannot be opened: " in ran.err
    assert "mine\n" == (workspace / ".grade").read_text()


def test_unwritable_folder(tmp_path: Path) -> None:
    """A folder that may not be written is named, with the system's reason."""
    tmp_path.chmod(0o555)
    user = os.geteuid()
    held = Path.cwd()
    os.chdir(tmp_path)  # the folders above may be shut to anybody else
    try:
        if user == 0:
            os.seteuid(65534)  # root may write anywhere
        with pytest.raises(StoreError, match=rf"^\.grade/{NAME} cannot be opened: .*Permission denied: '\.grade'$"):
            Progress(Path(".grade"))
    finally:
        os.seteuid(user)
        os.chdir(held)
    assert [] == os.listdir(tmp_path)


def test_doctor_tells(workspace: Path, grade: Grade) -> None:
    """Doctor says of an unusable database what is wrong with it, and leaves it."""
    (workspace / ".grade").mkdir()
    newer(workspace / ".grade" / NAME)
    before = (workspace / ".grade" / NAME).read_bytes()

    ran = grade("doctor", cwd=workspace)

    assert 0 == ran.code
    assert f"! {workspace / '.grade' / NAME} {LATER}".replace(" ", "") in "".join(ran.out.split())
    assert before == (workspace / ".grade" / NAME).read_bytes()
