"""The one thread that reads keys, hears of saves and verdicts, and draws; it never waits for the learner's code."""

from __future__ import annotations

import contextlib
import select
import signal
import sys
import time
from typing import TYPE_CHECKING

from grader.cli.common import linker, painter
from grader.cli.hint import all_hints, one_more_hint
from grader.cli.watch.screen import Page, View, frame
from grader.cli.watch.terminal import ENDING, Gone, Terminal
from grader.cli.watch.tracing import Traced, Tracing
from grader.errors import LessonError, StoreError
from grader.workflows.explain import explained
from grader.workflows.watch.events import Changed, Events, NoEvents
from grader.workflows.watch.grading import Done, Ended, Explained, Failed, FirstProblem, Graded, Grading, Job, Ready
from grader.workflows.watch.inbox import Inbox
from grader.workflows.watch.lesson import LessonFiles
from grader.workflows.watch.state import State
from grader.workflows.workspace import EXERCISES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from grader.lesson import Lesson
    from grader.model import ExerciseResult, Isolation
    from grader.store import Progress
    from grader.workflows.workspace import Workspace

LOOK_S = 3.0  # between two looks at the files that nothing has asked for
POLL_S = 0.25
AGAIN_S = 0.02  # until the next look at a file that is half saved
BUSY_S = 0.25  # until it is said that something is being graded
QUIT, HANGUP, BY_SIGNAL = 0, 129, 128
GONE = select.POLLHUP | select.POLLERR


class Loop:
    """One run of ``grade watch``.

    Args:
        reload: loads the lesson anew, to see whether it can be.
        lesson: what there is to grade.
        workspace: where the learner's files are.
        progress: takes the verdicts.
        isolation: the one to use, or None for the strongest that works here.
        poll: whether to look at the files rather than wait for events.
        current: the exercise to begin with.
        trace_options: what ``grade trace`` needs to find the same lesson.
    """

    def __init__(
        self,
        reload: Callable[[], Lesson],
        lesson: Lesson,
        workspace: Workspace,
        progress: Progress,
        *,
        isolation: Isolation | None,
        poll: bool,
        current: str | None,
        trace_options: Sequence[str],
    ) -> None:
        self._reload = reload
        self._lesson = lesson
        self._progress = progress
        self._inbox = Inbox()
        self._terminal = Terminal(self._inbox)
        self._grading = Grading(lesson, isolation, self._inbox, explain=explained)
        self._tracing = Tracing(workspace.root, trace_options, self._inbox)
        self._lesson_files = LessonFiles(lesson)
        folders = {workspace.exercises, *self._lesson_files.folders}
        self._events = None if poll else Events(folders, self._inbox)
        self._look_s = POLL_S if poll else LOOK_S
        self._look_at = 0.0
        self._looks_at_lesson = False
        self._lesson_fault = ""
        self._announced = False  # whether an event asks for the next look
        self._unannounced = False  # whether the last change was seen without an event, so far
        self.state = State(lesson, workspace, self._give, current)
        self._given_at = 0.0
        self._over = False
        self._code: int | None = None
        self._view = View(has_keys=self._terminal.keyboard is not None)
        self._paint = painter()
        self._link = linker(workspace.root, [f"{EXERCISES}/{exercise.filename}" for exercise in lesson.exercises])
        self._dirty = True
        self._drawn: tuple[float, list[str]] = (0.0, [])
        self._unrecorded: dict[str, tuple[ExerciseResult, int]] = {}

    def run(self) -> int | None:
        """Runs until it is ended; returns the exit code, or None when the lesson has changed and all has to be new.

        Raises:
            SandboxError: no worker could be started.
        """
        try:
            with self._terminal:
                try:
                    self._grading.start()
                    if self._events:
                        self._events.start()
                    self._serve()
                finally:
                    self._stop()
        except Gone:
            return HANGUP
        return self._code

    def _serve(self) -> None:
        """Waits for whatever comes next, and does what it asks for, until the end."""
        keyboard = self._terminal.keyboard
        poll = select.poll()
        poll.register(self._inbox, select.POLLIN)
        for stream in (sys.stdin, sys.stdout):  # what is told in any case is that the other side has gone
            poll.register(stream, select.POLLIN if stream.fileno() == keyboard else 0)
        while not self._over:
            now = time.monotonic()
            if now >= self._look_at:
                self._look(now)
            self._draw(now)
            if self._looks_at_lesson and (self.state.grading is None or self._view.busy):
                self._look_at_lesson()  # which can wait for a verdict, but a verdict not for it
            ready = dict(poll.poll(max(0.0, self._next_due() - time.monotonic()) * 1000 + 1))
            for item in self._inbox.take():
                self._hear(item)
            for stream in {sys.stdin.fileno(), sys.stdout.fileno()} & ready.keys():
                if stream == keyboard and ready[stream] & select.POLLIN:
                    self._type(self._terminal.keys())
                elif ready[stream] & GONE:
                    raise Gone

    def _stop(self) -> None:
        """Ends what was started; an error in one is no reason to leave another running."""
        with contextlib.ExitStack() as stack:
            stack.callback(self._record)
            stack.callback(self._grading.stop)
            if self._events:
                stack.callback(self._events.stop)
            stack.callback(self._tracing.stop)

    def _next_due(self) -> float:
        """When something has to be done that nobody will announce."""
        if self.state.grading is not None and not self._view.busy:
            return min(self._look_at, self._given_at + BUSY_S)
        return self._look_at

    # --- files

    def _give(self, job: Job) -> None:
        self._grading.give(job)
        self._given_at = time.monotonic()
        self._view.busy = False
        self._view.trouble = self._lesson_fault  # which no save of the learner's mends
        self._record()  # what was graded before, if it was called off

    def _look(self, now: float) -> None:
        """Looks at the learner's files."""
        if self._unannounced and not self._announced:
            self._look_s = POLL_S  # a change has had no event in all that time, so there are none
        given_at, trouble = self._given_at, self.state.trouble
        half_saved = self.state.look(now, settled=self._announced)
        if self._given_at != given_at:
            self._view.below = []
            self._unannounced = not self._announced
        self._dirty |= trouble != self.state.trouble
        self._look_at = now + (AGAIN_S if half_saved else self._look_s)
        self._announced &= half_saved
        self._looks_at_lesson = True

    def _look_at_lesson(self) -> None:
        """Looks whether the lesson is another one, and ends if it is, so that all begins anew."""
        self._looks_at_lesson = False
        if not self._lesson_files.were_touched():
            return
        if not self._lesson_files.have_changed():
            if self._grading.is_alive():  # else it was as it was loaded that it had a fault
                self._lesson_has("")
            return
        try:
            self._reload()
        except LessonError as error:  # an author is in the middle of it
            self._lesson_has(str(error))
        else:
            self._over = True

    def _lesson_has(self, fault: str) -> None:
        self._lesson_fault = self._view.trouble = fault
        self._dirty = True

    # --- what the threads and the signals say

    def _hear(self, item: Any) -> None:
        match item:
            case signal.Signals():
                self._signalled(item)
            case Changed():
                self._announced, self._unannounced, self._look_at = True, False, 0.0
            case NoEvents():
                self._look_s = POLL_S
                self._look_at = 0.0
            case Ready(notes):
                if notes and self._say_once(notes[0]):
                    self._view.notes += notes
            case FirstProblem() if self.state.is_current(item):
                self.state.first_problem(item)
                self._dirty |= self._view.busy
            case Graded(job, result) if self.state.is_current(item):
                self.state.graded(item)
                self._unrecorded[result.id] = result, job.seed
                self._dirty = True
            case Explained(job, result) if self.state.is_current(item):
                self.state.explained(item)
                self._unrecorded[result.id] = result, job.seed
                self._dirty = True
            case Done():
                self._record()
            case Failed(error=error) if self.state.is_current(item):
                self._view.trouble = str(error)
                self._dirty = True
            case Ended(LessonError() as error):  # a suite is at fault; its author will save it again
                self._lesson_has(str(error))
            case Ended(error):
                raise error
            case Traced(stem, lines) if stem == self.state.current:
                self._view.below = list(lines)
                self._dirty = True

    def _signalled(self, number: signal.Signals) -> None:
        if number in ENDING:
            self._end(BY_SIGNAL + number)
        elif number == signal.SIGTSTP:
            self._terminal.stand_still()
            self._go_on()
        elif number == signal.SIGCONT:
            self._go_on()
        self._dirty = True

    def _go_on(self) -> None:
        """After a stop: somebody else had the terminal, and time has passed in which nothing was measured."""
        self._terminal.take()
        self.state.again()

    def _end(self, code: int) -> None:
        self._code = code
        self._over = True

    # --- keys

    def _type(self, typed: str | None) -> None:
        if typed is None:
            self._end(QUIT)
            return
        for key in typed:
            self._press(key)

    def _press(self, key: str) -> None:
        page, self._view.page = self._view.page, Page.VERDICT
        self._dirty = True
        match key:
            case "q" | "\x04":  # Ctrl-D
                self._end(QUIT)
            case "n" | "p":
                self.state.move(1 if key == "n" else -1)
                self._view.below = []
            case "l" if page is not Page.LIST:
                self._view.page = Page.LIST
            case "?" if page is not Page.HELP:
                self._view.page = Page.HELP
            case "r":
                self.state.regrade()
            case "h":
                self._hint()
            case "t":
                self._view.below = [f"tracing {self.state.current} ..."]
                self._tracing.start(self.state.current, self._terminal.size[0])

    def _hint(self) -> None:
        exercise = self._lesson[self.state.current]
        try:
            self._view.below = one_more_hint(exercise, self._progress, again="h again")
        except StoreError as error:
            self._view.below = [f"Hints are not counted: {error}", *all_hints(exercise)]

    # --- what is shown and kept

    def _draw(self, now: float) -> None:
        grading = self.state.grading is not None
        if grading != self._view.busy and (not grading or now >= self._given_at + BUSY_S):
            self._view.busy = grading
            self._dirty = True
        if not self._dirty or (grading and not self._terminal.paints and not (self._view.busy and self._view.has_keys)):
            return  # what is printed below stays there: without keys only verdicts are, and nothing passing
        self._dirty = False
        lines = [self._link(line) for line in frame(self.state, self._view, self._terminal.size, self._paint)]
        if self._terminal.paints or self._drawn != (self._given_at, lines):
            self._terminal.show(lines)
        self._drawn = (self._given_at, lines)

    def _record(self) -> None:
        """Keeps the verdicts, with all that is said of them, when nobody waits for the next one any more."""
        results, self._unrecorded = self._unrecorded, {}
        try:
            for result, seed in results.values():
                self._progress.record([result], seed)
        except StoreError as error:
            self._note(f"progress is not kept: {error}")

    def _say_once(self, note: str) -> bool:
        try:
            return self._progress.say_once(note)
        except StoreError as error:
            self._note(f"progress is not kept: {error}")
            return True

    def _note(self, note: str) -> None:
        if note not in self._view.notes:
            self._view.notes.append(note)
            self._dirty = True
