"""One submission as a task: plain data in, plain data out, so that any process on any machine can do it.

A process that does tasks keeps one judge and one worker for as long as it lives. The judge lives in a thread of its
own, which also starts the worker: the sandbox ends with the thread that made it.
"""

from __future__ import annotations

import gc
import os
import queue
import signal
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cohort import CheckMark, ExerciseMark, Reveal, Row, Status
from grader.errors import GradeError, LessonError, SandboxError
from grader.lesson import load_lesson, shipped_lesson
from grader.model import Isolation
from grader.sandbox.launch import Starting
from grader.workflows.batch.fingerprint import fingerprint
from grader.workflows.grade import grade_on

if TYPE_CHECKING:
    from grader.judge.session import Judge
    from grader.lesson import Lesson
    from grader.model import ExerciseResult, Report
    from grader.sandbox.submission import Submission
    from grader.sandbox.zygote import Zygote

PATIENCE = 3.0
SELDOM = 50_000, 50, 50  # in the collector's own terms: how many objects, and how many of its shorter rounds


class WeakIsolationError(SandboxError):
    """Nothing stronger than a bare process is to be had, and nobody asked for that."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is the same for all submissions of a run.

    Attributes:
        lesson: folder of the lesson, empty for the one that comes with the package.
        fingerprint: of suites and solutions, so that no machine grades with others.
        seed: what all inputs are drawn from.
        isolation: None for the strongest there is, bare processes left out.
        reveal: how much learners get to see.
    """

    lesson: str
    fingerprint: str
    seed: int
    isolation: Isolation | None
    reveal: Reveal

    def load(self) -> Lesson:
        """The lesson."""
        return load_lesson(Path(self.lesson)) if self.lesson else shipped_lesson()


@dataclass(frozen=True, slots=True)
class Task:
    """One submission to grade.

    Attributes:
        course: what is the same for all.
        key: the submission's own, which no other has.
        name: as it is shown.
        file: the name of its report and feedback.
        submission: its files.
        notes: what is to be known of these.
    """

    course: Course
    key: str
    name: str
    file: str
    submission: Submission
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graded:
    """One submission that was graded: its row, and its files as they go to disk.

    Attributes:
        key: of its task.
        starved: whether a time limit was hit without the CPU time that goes with it: on a busy machine that may be
            the machine's doing.
    """

    key: str
    row: Row
    report: str
    feedback: dict[str, str]
    starved: bool


def do(task: Task) -> Graded:
    """Grades one submission in this process.

    Raises:
        GradeError: the grader could not do its job.
        RuntimeError: a fault in the grader itself; it says which.
    """
    try:
        report, starved = _bench(task.course, os.getpid()).grade(task)
        return _rendered(task, report, starved=starved)
    except GradeError:
        raise
    except Exception as error:  # one that cannot be sent to another process would end the pool, and all its tasks
        raise RuntimeError(f"{type(error).__name__}: {error}") from error


def _rendered(task: Task, report: Report, *, starved: bool) -> Graded:
    """The files and the row of a report."""
    from grader.reporters import feedback_html, feedback_md, json
    from grader.reporters.redact import redact

    told = redact(report, task.course.reveal, _hidden(task.course))
    row = Row(
        submission=task.name,
        file=task.file,
        status=Status.NOT_GRADED if report.grader_failed else Status.GRADED,
        reason="; ".join(task.notes),
        points=report.points,
        max_points=report.max_points,
        exercises=tuple(map(_mark, report.exercises)),
        elapsed_s=round(report.elapsed_s, 4),
    )
    return Graded(
        key=task.key,
        row=row,
        report=json.render_compact(report),
        feedback={
            "html": feedback_html.render(told, task.name, task.course.reveal),
            "md": feedback_md.render(told, task.name, task.course.reveal),
        },
        starved=starved,
    )


def _mark(result: ExerciseResult) -> ExerciseMark:
    """What a row keeps of an exercise's result; mistakes that behave the same are one, by the names of all."""
    from grader.reporters.words import each, named

    return ExerciseMark(
        id=result.id,
        outcome=result.outcome.value,
        cause=result.cause.value if result.cause else "",
        points=result.points,
        max_points=result.max_points,
        checks=tuple(
            CheckMark(check.id, check.outcome.value, check.cause.value if check.cause else "", check.points)
            for check in result.checks
        ),
        mistakes=tuple(("|".join(one.id for _, one in each(mistake)), named(mistake)) for mistake in result.mistakes),
    )


@cache
def _hidden(course: Course) -> dict[tuple[str, str], Reveal]:
    """How much may be seen of each check that the lesson hides, by exercise and check."""
    return {
        (exercise.id, check): Reveal(shown) for exercise in course.load().exercises for check, shown in exercise.reveal
    }


@cache
def _bench(course: Course, _pid: int) -> _Bench:
    """The judge of this process; by process too, since a fork of it has no thread."""
    return _Bench(course)


class _Bench:
    """A judge and its worker in a thread of their own; tasks go in one at a time."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.lesson = course.load()
        if fingerprint(self.lesson) != course.fingerprint:
            raise LessonError(f"the suites on {os.uname().nodename} are not those of the run: install the same version")
        self._tasks: queue.SimpleQueue[tuple[Task, Future[tuple[Report, bool]]]] = queue.SimpleQueue()
        self._broken: BaseException | None = None
        self._thread = threading.Thread(target=self._live, name="judge", daemon=True)
        self._thread.start()

    def grade(self, task: Task) -> tuple[Report, bool]:
        """Waits for the report on one task, and for whether a time limit was hit for lack of CPU time."""
        future: Future[tuple[Report, bool]] = Future()
        self._tasks.put((task, future))
        while True:
            try:
                return future.result(timeout=1.0)
            except TimeoutError:
                if not self._thread.is_alive() and not future.done():
                    _bench.cache_clear()  # the next task gets a new judge
                    if isinstance(self._broken, LessonError):  # no other submission would fare better
                        raise self._broken from None
                    raise SandboxError(f"the judge ended: {self._broken!r}") from self._broken

    def _live(self) -> None:
        from grader.judge.session import judging

        try:
            judging(self.lesson, self.lesson.exercises, self._work)
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits
            self._broken = error

    def _work(self, judge: Judge) -> None:
        judge.rehearse(self.course.seed)
        zygote: Zygote | None = None
        while True:
            task, future = self._tasks.get()
            try:
                zygote = zygote or self._connect()
                before = zygote.starved
                report = grade_on(judge, zygote, self.lesson.exercises, task.submission, task.course.seed)
                report = replace(report, notes=(*task.notes, *report.notes))
                future.set_result((report, zygote.starved > before))
                if not zygote.seccomp:  # what was graded may have started processes, or hurt the worker
                    zygote.close()
                    zygote = None
            except SandboxError as error:
                if zygote is not None:
                    zygote.kill()
                zygote = None  # the next task gets a new worker
                future.set_exception(error)
            except Exception as error:  # noqa: BLE001 - handed to whoever waits
                future.set_exception(error)

    def _connect(self) -> Zygote:
        from grader.sandbox.zygote import connect

        zygote = connect(Starting(self.course.isolation))
        refuse_weak(zygote, self.course.isolation)
        zygote.patience = PATIENCE
        zygote.lasting = True
        return zygote


def refuse_weak(zygote: Zygote, wanted: Isolation | None) -> None:
    """Ends a worker that is a bare process where nobody asked for one.

    Raises:
        WeakIsolationError: it is.
    """
    if wanted is None and zygote.isolation is Isolation.PROCESS:
        zygote.kill()
        reasons = "; ".join(f"{name}: {why}" for name, why in zygote.why_not.items())
        raise WeakIsolationError(
            f"submissions cannot be kept apart on this machine ({reasons}). `grade doctor` says more; "
            "`--isolation process` grades all the same, for submissions that you trust."
        )


def end_with_parent() -> None:
    """For a process of the local pool: leaves an interrupt to the parent, and ends when the parent is gone.

    Most of what it makes is kept for the submissions to come, so it looks for garbage seldom.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*SELDOM)
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, name="watch", daemon=True).start()


def with_note(graded: Graded, note: str) -> Graded:
    """The same, with one more remark in its row."""
    reason = "; ".join(filter(None, [graded.row.reason, note]))
    return replace(graded, row=replace(graded.row, reason=reason))
