"""What watch mode does about a change, without a terminal: what is looked at, what is graded, what is a link."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from grader.cli.open import editor
from grader.cli.watch.tracing import Traced, Tracing
from grader.errors import Cancelled, LessonError, SandboxError
from grader.judge.session import judging
from grader.lesson import load_lesson
from grader.model import ExerciseResult, Isolation, Outcome
from grader.protocol import encode
from grader.reporters import links
from grader.sandbox.launch import NotAvailable, Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import connect
from grader.workflows.watch.events import Events, NoEvents
from grader.workflows.watch.grading import Done, Ended, Explained, Failed, FirstProblem, Graded, Grading, Job, Ready
from grader.workflows.watch.inbox import Flag, Inbox
from grader.workflows.watch.lesson import LessonFiles
from grader.workflows.watch.state import SETTLE_S, State
from grader.workflows.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.judge.processes import Processes
    from grader.judge.session import Judge
    from grader.lesson import Lesson

    Grade = Callable[..., Any]

MINI = Path(__file__).parent / "mini_lesson"
ALL = ["double", "total", "centre", "range"]


@pytest.fixture
def mini() -> Lesson:
    """The miniature lesson."""
    return load_lesson(MINI)


class Followed:
    """A workspace that is followed, and a judge that says what it is told to say."""

    def __init__(self, lesson: Lesson, root: Path, current: str | None = None) -> None:
        self.exercises = root / "exercises"
        self.exercises.mkdir()
        for stem in lesson.stems:
            (self.exercises / f"{stem}.py").write_text(f"# {stem}\n")
        self.jobs: list[Job] = []
        self.state = State(lesson, Workspace(root), self.jobs.append, current)
        self.now = 1.0

    def look(self, wait_s: float = 0.0) -> bool:
        """Looks at the files, some time later."""
        self.now += wait_s
        return self.state.look(self.now)

    def save(self, name: str, text: str) -> None:
        """Writes a file and looks."""
        (self.exercises / name).write_text(text)
        assert not self.look()

    def asked(self) -> list[str]:
        """The exercises of the newest job."""
        return [exercise.id for exercise in self.jobs[-1].exercises]

    def answer(self, *failing: str, uses: dict[str, tuple[str, ...]] | None = None) -> None:
        """Gives the verdicts that were asked for."""
        job = self.jobs[-1]
        for exercise in job.exercises:
            outcome = Outcome.FAILED if exercise.id in failing else Outcome.PASSED
            used = (uses or {}).get(exercise.id, ())
            result = ExerciseResult(exercise.id, exercise.title, exercise.filename, outcome, 0.0, 1.0, (), uses=used)
            told = Graded(job, result)
            assert self.state.is_current(told)
            self.state.graded(told)


@pytest.fixture
def followed(mini: Lesson, tmp_path: Path) -> Followed:
    """A workspace of the miniature lesson, all of whose exercises were graded and failed."""
    workspace = Followed(mini, tmp_path)
    workspace.look()
    assert ALL == workspace.asked()
    workspace.answer(*ALL)
    return workspace


def test_begins_with_the_first_unfinished(mini: Lesson, tmp_path: Path) -> None:
    """All is graded at first; then the first exercise that did not pass is current, and none is said to be saved."""
    workspace = Followed(mini, tmp_path)
    workspace.look()
    workspace.answer("centre", "range")

    assert ("centre", None) == (workspace.state.current, workspace.state.passed)


def test_begins_where_told(mini: Lesson, tmp_path: Path) -> None:
    """An exercise to begin with is graded first and stays current, passed or not."""
    workspace = Followed(mini, tmp_path, "total")
    workspace.look()
    assert ["total", "double", "centre", "range"] == workspace.asked()
    workspace.answer()

    assert "total" == workspace.state.current


def test_same_content(followed: Followed) -> None:
    """A file that is saved as it was is not graded again."""
    followed.save("double.py", "# double\n")

    assert 1 == len(followed.jobs)


def test_saved_becomes_current(followed: Followed) -> None:
    """The exercise that was saved becomes current; when it passes, the next unfinished one does."""
    followed.save("range.py", "# now\n")
    assert "range" == followed.state.current
    followed.answer()
    assert ("range", "double") == (followed.state.passed, followed.state.current)

    followed.save("double.py", "# now\n")
    followed.answer("double")
    assert (None, "double") == (followed.state.passed, followed.state.current)


def test_all_passed(followed: Followed) -> None:
    """When nothing is unfinished the exercise that was saved last stays current."""
    for stem in ALL:
        followed.save(f"{stem}.py", "# now\n")
        followed.answer()

    assert ("range", []) == (followed.state.current, followed.state.unfinished)


def test_what_uses_it(followed: Followed) -> None:
    """What imports a saved file is graded after it; what only might have, only where nobody knows what it imports."""
    followed.save("total.py", "# now\n")
    assert ["total", "centre"] == followed.asked()  # centre needs total, says the manifest
    followed.answer(uses={"centre": ("double", "total")})

    followed.save("double.py", "# now\n")
    assert ["double", "centre"] == followed.asked()


def test_own_modules(followed: Followed) -> None:
    """A module that is no exercise may be used by any; an editor's lock file is no module."""
    followed.save("helper.py", "one = 1\n")
    assert ["double", "total", "centre", "range"] == followed.asked()
    followed.answer()
    (followed.exercises / ".#double.py").symlink_to("nowhere")

    followed.look()

    assert 2 == len(followed.jobs)


def test_dropped_jobs(followed: Followed) -> None:
    """A save while others are being graded asks for it and for what they have not come to; older verdicts are void."""
    followed.save("helper.py", "one = 1\n")
    dropped = followed.jobs[-1]
    done = ExerciseResult("double", "", "double.py", Outcome.PASSED, 1.0, 1.0, ())
    followed.state.graded(Graded(dropped, done))

    followed.save("range.py", "# now\n")

    assert ["range", "total", "centre"] == followed.asked()
    assert not followed.state.is_current(Graded(dropped, done))
    assert "range" == followed.state.grading


def test_half_saved(followed: Followed) -> None:
    """A file that is gone or empty is believed to be only after a while: its editor may be at it."""
    path = followed.exercises / "double.py"
    path.write_text("")
    assert followed.look()
    path.unlink()
    assert followed.look(SETTLE_S / 2)
    assert 1 == len(followed.jobs)
    path.write_text("# now\n")
    assert not followed.look()
    assert b"# now\n" == followed.jobs[-1].submission.files["double.py"]

    path.unlink()
    assert followed.look()
    assert not followed.look(2 * SETTLE_S)
    assert "double.py" not in followed.jobs[-1].submission.files


def test_not_settled(followed: Followed) -> None:
    """Without an event, which comes when writing is over, two looks have to see the same."""
    path = followed.exercises / "double.py"
    path.write_text("# n")
    assert followed.state.look(2.0, settled=False)
    path.write_text("# now\n")
    assert followed.state.look(2.1, settled=False)
    assert 1 == len(followed.jobs)

    assert not followed.state.look(2.2, settled=False)
    assert b"# now\n" == followed.jobs[-1].submission.files["double.py"]


def test_folder_gone(followed: Followed) -> None:
    """A folder that is gone is said to be, and taken up again when it is back."""
    away = followed.exercises.with_name("away")
    followed.exercises.rename(away)
    assert followed.look()
    assert "" == followed.state.trouble
    assert not followed.look(2 * SETTLE_S)
    assert f"there is no folder {followed.exercises} any more" == followed.state.trouble

    away.rename(followed.exercises)
    followed.save("double.py", "# now\n")
    assert "" == followed.state.trouble
    assert ["double"] == followed.asked()


def test_root_gone(followed: Followed) -> None:
    """The same is said when the folder above is gone as well."""
    root = followed.exercises.parent
    shutil.rmtree(root)

    assert followed.look()
    assert not followed.look(2 * SETTLE_S)
    assert f"{root} cannot be read: No such file or directory" == followed.state.trouble


def test_again(followed: Followed) -> None:
    """What was being graded while the program stood still is graded anew; what was not is left."""
    followed.state.again()
    assert 1 == len(followed.jobs)
    followed.save("double.py", "# now\n")

    followed.state.again()

    assert (3, ["double"]) == (len(followed.jobs), followed.asked())


# --- threads ----------------------------------------------------------------------------------------------------


def test_inbox() -> None:
    """Whatever is put in, by any thread, is taken in order; a signal comes first."""
    inbox = Inbox()
    thread = threading.Thread(target=inbox.put, args=("from a thread",))
    thread.start()
    thread.join()
    inbox.put("another")
    before = inbox.catch_signals()
    held = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        os.kill(os.getpid(), signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, held)
        signal.set_wakeup_fd(before)

    assert [signal.SIGUSR1, "from a thread", "another"] == inbox.take()
    assert [] == inbox.take()


def test_flag() -> None:
    """A flag that was set too often for its pipe is set, and is cleared at once."""
    flag = Flag()
    for _ in range(70_000):
        flag.set()
    flag.clear()

    assert b"" == flag.clear()


def test_no_such_folder(tmp_path: Path) -> None:
    """A folder that cannot be watched is told of, so that it can be looked at instead."""
    inbox = Inbox()
    events = Events([tmp_path / "nowhere"], inbox)
    events.run()

    (told,) = inbox.take()
    assert isinstance(told, NoEvents)
    events.stop()


def test_grading(mini: Lesson) -> None:
    """The thread says that it is ready, then the first problem, then the verdict; and leaves nothing behind."""
    inbox = Inbox()
    grading = Grading(mini, None, inbox)
    submission = Submission("", {"double.py": b"def double(x):\n    return 3 * x\n"})
    job = Job(1, submission, 0, (mini["double"], mini["total"]))
    grading.give(job)
    grading.start()
    told = hear(inbox, Ready, FirstProblem, Graded, FirstProblem, Graded, Done)
    grading.stop()

    assert not grading.is_alive()
    assert ["values", "last_axis"] == [item.check.id for item in told if isinstance(item, FirstProblem)]
    verdicts = [item.result.outcome for item in told if isinstance(item, Graded)]
    assert [Outcome.FAILED] * 2 == verdicts


def test_explained(mini: Lesson) -> None:
    """What takes longer to find out about a failure is told after all verdicts; the next job calls it off."""
    inbox = Inbox()
    begun = threading.Event()

    def explain(_: Judge, processes: Processes, result: ExerciseResult, _siblings: Any) -> ExerciseResult:
        if b"hang" in processes.submission.files["double.py"]:
            child = processes.zygote.fork(mini["double"].limits)
            endless = np.frombuffer(b"while True:\n    pass\n", np.uint8)
            begun.set()
            try:
                request = encode(["load", "double", "", [["double.py", endless]], [], []])
                child.exchange([request], 2, 600, frozenset())
            finally:
                child.end()
        return replace(result, notes=("explained",))

    grading = Grading(mini, None, inbox, explain=explain)
    grading.start()
    hear(inbox, Ready)
    exercises = (mini["double"], mini["total"])
    hanging = Submission("", {"double.py": b"def double(x):\n    return 'hang'\n"})
    files = {"double.py": b"def double(x):\n    return 3 * x\n", "total.py": b"def total(x, axis=-1):\n    return x\n"}

    grading.give(Job(1, Submission("", files), 0, exercises))
    kinds = (FirstProblem, Graded, FirstProblem, Graded, Explained, Explained, Done)
    assert [("explained",)] * 2 == [item.result.notes for item in hear(inbox, *kinds)[4:6]]
    grading.give(Job(2, hanging, 0, exercises[:1]))
    hear(inbox, FirstProblem, Graded)
    assert begun.wait(60)
    grading.give(Job(3, Submission("", files), 0, exercises[:1]))
    hear(inbox, FirstProblem, Graded, Explained, Done)
    grading.stop()


def hear(inbox: Inbox, *kinds: type) -> list[Any]:
    """Waits until the last of these kinds is told; they come in this order, and nothing else does."""
    told: list[Any] = []
    while len(told) < len(kinds):
        assert select.select([inbox], [], [], 60)[0]
        told += inbox.take()
    assert list(kinds) == [type(item) for item in told]
    return told


def test_no_worker_any_more(mini: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no worker can take the place of one that broke, that is told; the next job tries again."""
    inbox = Inbox()
    grading = Grading(mini, Isolation.PROCESS, inbox)
    submission = Submission("", {"double.py": b"def double(x):\n    return 2 * x\n"})
    grading.start()
    hear(inbox, Ready)
    assert grading._zygote is not None
    grading._zygote.kill()

    def refuse(*_: object, **__: object) -> None:
        raise SandboxError("no worker could be started")

    with monkeypatch.context() as broken:
        broken.setattr("grader.sandbox.zygote.connect", refuse)
        grading.give(Job(1, submission, 0, (mini["double"],)))
        (failed,) = hear(inbox, Failed)
        assert "no worker could be started" == str(failed.error)
    grading.give(Job(2, submission, 0, (mini["double"],)))
    graded, _ = hear(inbox, Graded, Done)
    assert Outcome.PASSED is graded.result.outcome
    grading.stop()


def test_no_worker_at_all(mini: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no worker can be started at all, the thread ends and says so."""

    def refuse(isolation: Isolation) -> None:
        raise NotAvailable(f"no {isolation} here")

    monkeypatch.setattr("grader.sandbox.launch.start", refuse)
    inbox = Inbox()
    grading = Grading(mini, Isolation.PROCESS, inbox)
    grading.start()

    (ended,) = hear(inbox, Ended)
    assert isinstance(ended.error, SandboxError)
    assert "no process here" in str(ended.error)
    grading.join()


def test_grading_of_a_broken_lesson(tmp_path: Path) -> None:
    """A suite that cannot be collected ends the thread, which says so."""
    folder = tmp_path / "lesson"
    shutil.copytree(MINI, folder)
    (folder / "suites" / "suite_double.py").write_text("def broken(:\n")
    inbox = Inbox()
    grading = Grading(load_lesson(folder), None, inbox)
    grading.start()
    grading.join()

    (told,) = inbox.take()
    assert isinstance(told, Ended)
    assert isinstance(told.error, LessonError)


def test_cancelled(mini: Lesson) -> None:
    """A worker whose flag is set calls off what is asked of it, past all that handles errors, and goes on."""
    flag = Flag()
    submission = Submission("", {"double.py": b"def double(x):\n    return 2 * x\n"})
    outcomes: list[Outcome] = []

    def work(judge: Judge) -> None:
        with connect(Starting(), cancel=flag.fileno()) as zygote:
            flag.set()
            with pytest.raises(Cancelled):
                judge.grade(mini["double"], submission, zygote, 0)
            flag.clear()
            outcomes.append(judge.grade(mini["double"], submission, zygote, 0).outcome)

    judging(mini, (mini["double"],), work)

    assert [Outcome.PASSED] == outcomes


def test_tracing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace runs beside everything else; the next one ends it, and so does the end."""
    code = (
        "import os, sys, time; print(os.getpid(), *sys.argv[1:], flush=True); 'hang' in sys.argv and time.sleep(1000)"
    )
    monkeypatch.setattr("grader.cli.watch.tracing.this_program", lambda: [sys.executable, "-c", code])
    inbox = Inbox()
    tracing = Tracing(tmp_path, ["--lesson", "here"], inbox)

    tracing.start("hang", 80)
    hanging = tracing._process
    tracing.start("double", 80)
    (traced,) = hear(inbox, Traced)
    assert "double" == traced.exercise
    assert traced.lines[0].endswith(" trace --lesson here double")
    assert hanging is not None
    assert -signal.SIGKILL == hanging.returncode
    tracing.stop()
    tracing.stop()
    assert [] == inbox.take()


# --- the lesson's own files -------------------------------------------------------------------------------------


def test_lesson_files(tmp_path: Path) -> None:
    """Manifest, suites, solutions and what lies beside them count, by content."""
    folder = tmp_path / "lesson"
    shutil.copytree(MINI, folder, ignore=shutil.ignore_patterns("__pycache__"))
    lesson = load_lesson(folder)

    for path in ("exercises/lesson.yaml", "suites/suite_total.py", "solutions/range.py", "suites/helper.py"):
        changed = folder / path
        changed.touch()
        before = changed.read_bytes()
        files = LessonFiles(lesson)
        assert not files.were_touched()
        changed.write_bytes(before + b"# more\n")
        assert files.were_touched()
        assert files.have_changed()
        changed.write_bytes(before)
        assert files.were_touched()
        assert not files.were_touched()
        assert not files.have_changed()
    assert {folder / "exercises", folder / "suites", folder / "solutions"} == {
        Path(os.path.normpath(path)) for path in LessonFiles(lesson).folders
    }


# --- links ------------------------------------------------------------------------------------------------------


def test_links() -> None:
    """A place becomes a link with its line; a path that is not one of those given, or a part of another, does not."""
    linked = links.linker(Path("/home/a b"), ["exercises/double.py"], links.FILE)

    text = "at exercises/double.py:12, not my/exercises/double.py:1 or exercises/double.pyc or exercises/other.py"
    first, rest = (
        "\x1b]8;;file:///home/a%20b/exercises/double.py#12\x1b\\exercises/double.py:12\x1b]8;;\x1b\\",
        text[len("at exercises/double.py:12") :],
    )
    assert f"at {first}{rest}" == linked(text)
    assert "exercises/double.py#1\x1b" in linked("exercises/double.py")


def test_where_links_are() -> None:
    """Links are for terminals that do something about them, and can be switched off or written otherwise."""
    term = {"TERM": "xterm-256color"}

    assert links.FILE == links.template(term)
    assert links.template(term | {"GRADE_LINKS": "0"}) is None
    assert links.template({"TERM": "dumb"}) is None
    assert links.template({}) is None
    assert links.template(term | {"INSIDE_EMACS": "29"}) is None
    own = links.template(term | {"GRADE_LINKS": "vscode://file{path}:{line}"})
    assert own is not None
    assert "vscode://file/w/a.py:3\x1b" in links.linker(Path("/w"), ["a.py"], own)("a.py:3")


# --- open -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "command"),
    [
        ("vim", ["vim", "+7", "/w/a.py"]),
        ("/usr/bin/nano -l", ["/usr/bin/nano", "-l", "+7", "/w/a.py"]),
        ("code --wait", ["code", "--wait", "--goto", "/w/a.py:7"]),
        ("hx", ["hx", "/w/a.py:7"]),
        ("'/Applications/My Editor/charm'", ["/Applications/My Editor/charm", "--line", "7", "/w/a.py"]),
        ("some-editor", ["some-editor", "/w/a.py"]),
    ],
)
def test_editors(wanted: str, command: list[str]) -> None:
    """Each editor is told the line in its own way; one that nobody knows gets the file alone."""
    assert command == editor(wanted, Path("/w/a.py"), 7)


def test_no_editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without an editor it is the system's opener, if there is one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [] == editor(" ", Path("/w/a.py"), 7)

    for name in ("open", "xdg-open"):
        (tmp_path / name).touch(mode=0o755)
    (opener, path) = editor("", Path("/w/a.py"), 7)
    assert (str(tmp_path), "/w/a.py") == (os.path.dirname(opener), path)


@pytest.fixture
def recorder(tmp_path: Path) -> Path:
    """An editor, called vim, that writes down what it is given."""
    path = tmp_path / "vim"
    path.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/given\n')
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("args", "text", "line"),
    [
        (["double"], "\n\ndef double(x):\n    return x.no_such_thing\n", 4),
        ([], "# first\ndef double(x):\n    return 3 * x\n", 2),
        (["double"], "\n\n\ndef double(x):\n    return 2 * x\n", 4),
        (["double.py"], "x = 1\n", 1),
        (["double"], "def double(x):\n    return (\n", 2),
    ],
    ids=["the line that raised", "wrong value", "right", "no function", "syntax error"],
)
def test_open(args: list[str], text: str, line: int, tmp_path: Path, recorder: Path, grade: Grade) -> None:
    """`grade open` goes to the line of the first problem, where there is none to the function."""
    root = tmp_path / "work"
    (root / "exercises").mkdir(parents=True)
    path = root / "exercises" / "double.py"
    path.write_text(text)

    ran = grade("open", *args, "--lesson", MINI, cwd=root, env={"EDITOR": "nothing", "VISUAL": str(recorder)})

    assert (0, "") == (ran.code, ran.err)
    given = (tmp_path / "given").read_text()
    at = int(re.findall(r"^\+(\d+) ", given)[0])
    assert f"+{at} {path}\n" == given
    assert f"{path}:{at}\n" == ran.out
    assert line == at


def test_open_next(tmp_path: Path, recorder: Path, grade: Grade) -> None:
    """`grade open` without a name opens the first exercise that is unfinished."""
    (tmp_path / "exercises").mkdir()
    for stem in ("double", "total"):
        (tmp_path / "exercises" / f"{stem}.py").write_bytes((MINI / "solutions" / f"{stem}.py").read_bytes())
    grade("double", "--lesson", MINI, cwd=tmp_path)

    assert 0 == grade("open", "--lesson", MINI, cwd=tmp_path, env={"EDITOR": str(recorder)}).code

    assert (tmp_path / "given").read_text().endswith("/exercises/total.py\n")


def test_open_cannot(tmp_path: Path, grade: Grade) -> None:
    """What stands in the way of opening is said, with what to do about it."""
    (tmp_path / "exercises").mkdir()
    path = tmp_path / "exercises" / "double.py"

    ran = grade("open", "double", "--lesson", MINI, cwd=tmp_path)
    assert (2, f"grade: there is no file {path}; `grade reset double` makes it anew\n") == (ran.code, ran.err)

    path.write_text("def double(x):\n    return 2 * x\n")
    nothing = {"PATH": str(tmp_path), "EDITOR": "", "VISUAL": ""}
    ran = grade("open", "double", "--lesson", MINI, cwd=tmp_path, env=nothing)
    wanted = f"grade: no editor was found for {path}:1; name yours in $VISUAL or $EDITOR\n"
    assert (2, wanted) == (ran.code, ran.err)

    ran = grade("open", "double", "--lesson", MINI, cwd=tmp_path, env={"EDITOR": "no-such-editor"})
    wanted = "grade: the editor 'no-such-editor' cannot be started: No such file or directory\n"
    assert (2, wanted) == (ran.code, ran.err)

    ran = grade("open", "double", "--lesson", MINI, cwd=tmp_path, env={"EDITOR": "false"})
    assert (3, "grade: the editor 'false' ended with 1\n") == (ran.code, ran.err)
