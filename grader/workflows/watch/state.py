"""What the learner has saved, what is known of it, and what has yet to be graded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader import __version__
from grader.model import CheckResult, ExerciseResult, Outcome, Report
from grader.sandbox.submission import Submission, read_submission
from grader.workflows.grade import stray_files
from grader.workflows.watch.grading import Explained, Failed, FirstProblem, Graded, Job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from grader.lesson import Lesson
    from grader.workflows.workspace import Workspace

# How long a file may be gone or empty before that is believed: editors that write a new file in place of the old one,
# or empty it first, take less.
SETTLE_S = 0.15


class State:
    """Follows the files of one workspace.

    Args:
        lesson: what they are to become.
        workspace: where they are.
        give: takes what is to be graded, in place of what it was given before.
        current: the exercise to start with; without one it is the first that is unfinished.

    Attributes:
        current: the exercise that is shown, and that keys are about.
        passed: the exercise that was saved last, if it passed and another has become current since.
        results: the newest verdict on each exercise.
        problem: the first problem of the exercise that is being graded, if one is known already.
        notes: remarks on files that do not belong here.
        trouble: why the files cannot be read.
    """

    def __init__(
        self, lesson: Lesson, workspace: Workspace, give: Callable[[Job], None], current: str | None = None
    ) -> None:
        self.lesson = lesson
        self.current = current or lesson.stems[0]
        self.passed: str | None = None
        self.results: dict[str, ExerciseResult] = {}
        self.problem: tuple[str, CheckResult] | None = None
        self.notes: list[str] = []
        self.trouble = ""
        self._workspace = workspace
        self._give = give
        self._submission: Submission | None = None
        self._job: Job | None = None
        self._waiting: set[str] = set()
        self._moves_on = current is None
        self._saved = False
        self._doubted_since: float | None = None
        self._seen: Submission | None = None

    @property
    def unfinished(self) -> list[str]:
        """The exercises that have not passed, as far as is known."""
        return [
            stem
            for stem in self.lesson.stems
            if stem not in self.results or self.results[stem].outcome is not Outcome.PASSED
        ]

    @property
    def grading(self) -> str | None:
        """The exercise whose verdict comes next."""
        return next((e.id for e in self._job.exercises if e.id in self._waiting), None) if self._job else None

    def is_waiting(self, stem: str) -> bool:
        """Whether the newest content of an exercise has yet to be graded."""
        return stem in self._waiting

    def report(self, *stems: str) -> Report:
        """What is known of these exercises, of all where none is named, as a report."""
        known = [self.results[stem] for stem in stems or self.lesson.stems if stem in self.results]
        return Report(__version__, self.lesson.id, 0, None, tuple(known))

    def look(self, now: float, *, settled: bool = True) -> bool:
        """Reads the files, and has graded what has changed since.

        Args:
            now: in seconds.
            settled: whether it is known that nothing was written just now; else two looks have to agree.

        Returns:
            Whether an editor may be in the middle of a save, so that one has to look again soon.
        """
        found = self._read()
        before = self._submission.files if self._submission else {}
        if isinstance(found, str) or any(content and not found.files.get(path) for path, content in before.items()):
            self._doubted_since = self._doubted_since or now
            if now - self._doubted_since < SETTLE_S:
                return True
        self.trouble = found if isinstance(found, str) else ""
        if isinstance(found, str):
            return False
        self._doubted_since = None
        changed = _changed(self._submission, found)
        if not changed:
            return False
        first = self._submission is None
        if not settled and not first and found != self._seen:
            self._seen = found
            return True
        self._submission = found
        self.notes = stray_files(found)
        saved = [exercise.id for exercise in self.lesson.exercises if exercise.filename in changed]
        if not first:
            self.current = self.current if self.current in saved or not saved else saved[0]
            self.passed = None
            self._moves_on = self._saved = True
        self._grade(self._touched(saved, changed), first=saved)
        return False

    def _read(self) -> Submission | str:
        """The files; or why there are none."""
        try:
            found = read_submission(self._workspace.root)
        except OSError as error:
            return f"{self._workspace.root} cannot be read: {error.strerror}"
        # Without a prefix it is the folder above that was read.
        return found if found.prefix else f"there is no folder {self._workspace.exercises} any more"

    def _touched(self, saved: list[str], changed: set[str]) -> set[str]:
        """The exercises on which the verdict may have changed."""
        if changed - {exercise.filename for exercise in self.lesson.exercises}:
            return set(self.lesson.stems)  # a module of the learner's own, which any of them may use
        return {stem for stem in self.lesson.stems if stem in saved or not self._uses(stem).isdisjoint(saved)}

    def _uses(self, stem: str) -> set[str]:
        """What an exercise imports; what it may import, as long as its file could not be loaded."""
        if stem in self.results and self.results[stem].uses:
            return set(self.results[stem].uses)
        needs = set(self.lesson[stem].needs)
        return needs.union(*(self._uses(need) for need in needs))

    def _grade(self, stems: set[str], first: Iterable[str] = ()) -> None:
        """Has these graded, and whatever still waits."""
        assert self._submission is not None
        self._waiting |= stems
        self.problem = None
        ahead = [self.current, *first]
        order = [*dict.fromkeys(ahead), *self.lesson.stems]
        exercises = [self.lesson[stem] for stem in dict.fromkeys(order) if stem in self._waiting]
        number = self._job.number + 1 if self._job else 1
        self._job = Job(number, self._submission, self._submission.digest, tuple(exercises))
        self._give(self._job)

    def again(self) -> None:
        """Has graded anew what still waits: what was measured while the program stood still means nothing."""
        if self._waiting:
            self._grade(set())

    def regrade(self) -> None:
        """Has the current exercise graded again."""
        if self._submission is not None:
            self._grade({self.current})

    def move(self, step: int) -> None:
        """Makes the next exercise current, or the one before."""
        stems = self.lesson.stems
        self.current = stems[(stems.index(self.current) + step) % len(stems)]
        self.passed = None
        self._moves_on = False

    def is_current(self, told: Graded | FirstProblem | Explained | Failed) -> bool:
        """Whether something told is about the newest content, and not about a job that was dropped."""
        return self._job is not None and told.job.number == self._job.number

    def first_problem(self, told: FirstProblem) -> None:
        """Takes note of a problem that is known before the verdict is."""
        self.problem = (told.exercise, told.check)

    def graded(self, told: Graded) -> None:
        """Takes note of a verdict; after the last one the next unfinished exercise becomes current."""
        self.explained(told)
        self._waiting.discard(told.result.id)
        self.problem = None
        if self._waiting or not self._moves_on:
            return
        if self.current not in self.unfinished and self.unfinished:
            self.passed = self.current if self._saved else None
            self.current = self._next_unfinished()
        self._moves_on = False

    def explained(self, told: Graded | Explained) -> None:
        """Takes note of what a verdict says, or says now."""
        from grader.judge.session import with_shaky_note

        exercise = self.lesson[told.result.id]
        self.results[exercise.id] = with_shaky_note(told.result, exercise, self.results)

    def _next_unfinished(self) -> str:
        at = self.lesson.stems.index(self.current)
        order = [*self.lesson.stems[at:], *self.lesson.stems[:at]]
        return next(stem for stem in order if stem in self.unfinished)


def _changed(before: Submission | None, now: Submission) -> set[str]:
    """The paths at which something else is now, of those that can be imported."""
    old = {**before.files, **before.unreadable} if before else {}
    new: dict[str, bytes | str] = {**now.files, **now.unreadable}
    differing = (path for path in {*old, *new} if old.get(path) != new.get(path))
    # An editor's lock file, such as .#softmax.py, is no module.
    return {path for path in differing if not path or path.removesuffix(".py").replace("/", "").isidentifier()}
