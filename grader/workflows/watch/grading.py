"""The judge in a thread of its own: suites collected once, one warm worker, always the newest files.

The thread that starts the worker has to live as long as the worker, because bubblewrap ends it with that thread; and
the suites stay collected as long as pytest's session lasts. So one thread does both, from the first save to the last.
"""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.errors import Cancelled, SandboxError
from grader.model import CheckResult, ExerciseResult, Isolation, Outcome
from grader.sandbox.launch import Starting
from grader.workflows.watch.inbox import Flag

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.judge.processes import Processes
    from grader.judge.session import Judge
    from grader.lesson import Exercise, Lesson
    from grader.sandbox.submission import Submission
    from grader.sandbox.zygote import Zygote
    from grader.workflows.watch.inbox import Inbox

    Explain = Callable[[Judge, Processes, ExerciseResult, Sequence[ExerciseResult]], ExerciseResult]

STOP_S = 5.0


@dataclass(frozen=True, slots=True)
class Job:
    """Exercises to grade, of one state of the files."""

    number: int
    submission: Submission
    seed: int
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker is there; and what is to be said of its isolation."""

    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FirstProblem:
    """The first check of an exercise that did not pass, while the others are still being made."""

    job: Job
    exercise: str
    check: CheckResult


@dataclass(frozen=True, slots=True)
class Graded:
    """The verdict on an exercise."""

    job: Job
    result: ExerciseResult


@dataclass(frozen=True, slots=True)
class Explained:
    """The same verdict with more to say about it, which took longer to find out."""

    job: Job
    result: ExerciseResult


@dataclass(frozen=True, slots=True)
class Done:
    """All that there was to do about a job."""

    job: Job


@dataclass(frozen=True, slots=True)
class Failed:
    """The grader could not do a job; the next one may go better."""

    job: Job
    error: SandboxError


@dataclass(frozen=True, slots=True)
class Ended:
    """The thread has ended by an error."""

    error: Exception


class Grading(threading.Thread):
    """Grades what it is given; what it is given next takes the place of what it is at.

    Args:
        lesson: what there is to grade.
        isolation: the one to use, or None for the strongest that works here.
        inbox: is told ``Ready``, ``FirstProblem``, ``Graded``, ``Explained``, ``Done``, ``Failed`` and ``Ended``.
        explain: adds to a verdict on an exercise that failed what takes longer to find out. It is asked when all
            verdicts of a job have been told, so that none waits for it, and is called off by the next job whenever it
            asks something of the worker.
    """

    def __init__(
        self, lesson: Lesson, isolation: Isolation | None, inbox: Inbox, *, explain: Explain | None = None
    ) -> None:
        super().__init__(name="judge", daemon=True)
        self._lesson = lesson
        self._isolation = isolation
        self._inbox = inbox
        self._explain = explain
        self._changed = threading.Condition()
        self._next: Job | None = None
        self._stopped = False
        self._cancel = Flag()
        self._starting: Starting | None = None
        self._zygote: Zygote | None = None

    def give(self, job: Job) -> None:
        """Grades this, and drops whatever is being graded."""
        with self._changed:
            self._next = job
            self._cancel.set()
            self._changed.notify()

    def stop(self) -> None:
        """Ends the worker and the thread."""
        with self._changed:
            self._stopped = True
            self._cancel.set()
            self._changed.notify()
        self.join(STOP_S)

    def _take(self) -> Job | None:
        """Waits for the next job; None when there will be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._next or self._stopped)
            if self._stopped:
                return None
            job, self._next = self._next, None
            self._cancel.clear()
            return job

    def run(self) -> None:
        """Serves until ``stop``."""
        try:
            self._starting = Starting(self._isolation)
            # Only now, so that importing pytest and numpy overlaps with the worker's start.
            from grader.judge.session import judging

            judging(self._lesson, self._lesson.exercises, self._serve)
        except Exception as error:  # noqa: BLE001 - raised again, or told, by the thread that reads the inbox
            self._inbox.put(Ended(error))
        finally:
            if self._starting:
                self._starting.cancel()
            if self._zygote:
                self._zygote.close()

    def _serve(self, judge: Judge) -> None:
        from grader.workflows.grade import weaker_isolation

        zygote = self._worker()
        self._inbox.put(Ready(tuple(weaker_isolation(zygote))))
        while (job := self._take()) is not None:
            with contextlib.suppress(Cancelled):  # the next job holds what this one has left undone
                try:
                    results = [self._told(judge, job, exercise) for exercise in job.exercises]
                except SandboxError as error:
                    self._inbox.put(Failed(job, error))
                else:
                    self._say_more(judge, job, results)
                    self._inbox.put(Done(job))

    def _told(self, judge: Judge, job: Job, exercise: Exercise) -> ExerciseResult:
        result = self._grade(judge, job, exercise)
        self._inbox.put(Graded(job, result))
        return result

    def _say_more(self, judge: Judge, job: Job, results: list[ExerciseResult]) -> None:
        """Tells what more there is to say of the exercises that failed."""
        from grader.judge.processes import Processes

        if self._explain is None:
            return
        known: list[ExerciseResult] = []
        for result in results:
            known.append(result)
            if result.outcome is Outcome.FAILED:
                try:
                    with Processes(self._worker(), job.submission, self._lesson) as processes:
                        known[-1] = self._explain(judge, processes, result, known[:-1])
                    self._inbox.put(Explained(job, known[-1]))
                except SandboxError:  # the verdicts are known; no more is said of this one
                    self._replace()

    def _worker(self) -> Zygote:
        """The worker; a new one, kept apart in the same way, in place of one that broke."""
        from grader.sandbox.zygote import connect

        if self._zygote is None:
            self._starting = self._starting or Starting(self._isolation)
            self._zygote = connect(self._starting, cancel=self._cancel.fileno())
            self._zygote.lasting = True
            self._starting = None
            self._isolation = self._zygote.isolation
        return self._zygote

    def _grade(self, judge: Judge, job: Job, exercise: Exercise) -> ExerciseResult:
        told = False

        def tell(check: CheckResult) -> None:
            nonlocal told
            if not told and check.outcome is not Outcome.PASSED:
                told = True
                self._inbox.put(FirstProblem(job, exercise.id, check))

        try:
            return judge.grade(exercise, job.submission, self._worker(), job.seed, tell=tell)
        except SandboxError:  # it may have died since it was last asked: once more, with a new one
            self._replace()
            try:
                return judge.grade(exercise, job.submission, self._worker(), job.seed, tell=tell)
            except SandboxError:
                self._replace()
                raise

    def _replace(self) -> None:
        if self._zygote:
            self._zygote.kill()
        self._zygote = None
