"""Grades a folder of submissions into a folder of results, and can be ended and started again at any time."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cohort import NOT_YET, Reveal, Row, Status
from grader.errors import UsageError
from grader.sandbox.launch import Starting
from grader.store.ledger import NAME, Ledger
from grader.text import did_you_mean, one_line, visible
from grader.workflows.batch.contents import collect
from grader.workflows.batch.fingerprint import fingerprint, key_of
from grader.workflows.batch.pool import Crew, Failed, carry_out, dask_crew, local_crew, workers_here
from grader.workflows.batch.results import AGAIN, Book, put, write_results
from grader.workflows.batch.roster import Person, match, read_roster, same_ids
from grader.workflows.batch.sources import Entry, entries_of, results_in
from grader.workflows.batch.tasks import Course, Graded, Task, refuse_weak
from grader.workflows.batch.tidy import tidy, told_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.lesson import Lesson
    from grader.model import Isolation


RESULTS = ("gradebook.csv", "summary.html", "summary.json", "reports", "feedback")


@dataclass(frozen=True, slots=True)
class Options:
    """What a person can choose.

    Attributes:
        lesson_folder: of another lesson than the one that comes with the package.
        roster: a CSV file of who is in the class.
        only: names of the submissions to look at; all of them where there is none.
        regrade: whether to grade again what has not changed.
        seed: what all inputs are drawn from; None for the one of the run before, or a new one.
        isolation: None for the strongest that works here, bare processes left out.
        reveal: how much learners get to see.
        workers: how many processes; None for one a core.
        scheduler: of a Dask cluster to use in place of local processes.
    """

    lesson_folder: Path | None = None
    roster: Path | None = None
    only: tuple[str, ...] = ()
    regrade: bool = False
    seed: int | None = None
    isolation: Isolation | None = None
    reveal: Reveal = Reveal.FULL
    workers: int | None = None
    scheduler: str | None = None


@dataclass(slots=True)
class Progress:
    """How far a run has come; told after every submission.

    Attributes:
        total: submissions to look at.
        graded: of them, newly graded.
        unchanged: of them, graded by an earlier run and the same since.
        unreadable: of them, not to be graded.
        failed: of them, not graded through the grader's own fault.
    """

    total: int
    graded: int = 0
    unchanged: int = 0
    unreadable: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        """How many have been seen to."""
        return self.graded + self.unchanged + self.unreadable + self.failed


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run came to.

    Attributes:
        progress: how far it came.
        missing: how many are on the roster without a submission.
        unlisted: the submissions of nobody on the roster.
        seed: what all inputs were drawn from.
        out: where results are.
        earlier: folders of earlier results among the submissions, which were left out.
        doubts: what is odd about the roster, in sentences.
    """

    progress: Progress
    missing: int
    unlisted: tuple[str, ...]
    seed: int
    out: Path = field(default=Path())
    earlier: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def batch(lesson: Lesson, folder: Path, out: Path, options: Options, tell: Callable[[Progress], None]) -> Finished:
    """Grades every submission that is new or has changed, and writes the results of all.

    Args:
        lesson: what is graded.
        folder: one submission a name in it.
        out: where results go, made if need be.
        options: what a person chose.
        tell: called as the run goes on.

    Raises:
        UsageError: a folder or the roster cannot be used, or isolation is too weak.
        StoreError: the results' state cannot be used.
        GradeError: the grader could not do its job.
    """
    entries = entries_of(folder, out)
    if not entries:
        raise UsageError(f"{visible(str(folder))} holds no submissions: no folder, archive or file")
    people = read_roster(options.roster) if options.roster else []
    chosen = _chosen(entries, options.only)
    _make(out, folder)
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger(out))
        _make_parts(out)
        course = _course(lesson, ledger, options)
        owners, absent = match(people, entries)
        unlisted = tuple(entry.shown for entry in entries if entry.name not in owners) if options.roster else ()
        ledger.set_plan(_plan(entries, owners, absent, lesson, listed=bool(options.roster)))
        tidy(out, ledger, entries, told_of(course.reveal, lesson))
        progress = Progress(total=len(chosen))
        book = Book(out, ledger, lesson, listed=bool(options.roster))
        run = _Run(lesson, out, ledger, book, course, progress, tell, regrade=options.regrade)
        try:
            run.go(chosen, _crew(stack, options))
        finally:  # whatever ended it, what is done is to be seen
            write_results(out, ledger, lesson, course, listed=bool(options.roster))
    earlier = tuple(map(one_line, results_in(folder, out)))
    return Finished(progress, len(absent), unlisted, course.seed, out, earlier, tuple(same_ids(people)))


def _chosen(entries: list[Entry], only: tuple[str, ...]) -> list[Entry]:
    """The submissions of these names, as they stand in the folder or without their suffix.

    Raises:
        UsageError: there is none of a name.
    """
    if not only:
        return entries
    wanted = {*only, *map(one_line, only)}
    chosen = [entry for entry in entries if entry.names & wanted]
    known = {name for entry in chosen for name in entry.names}
    unknown = [name for name in only if not {name, one_line(name)} & known]
    if unknown:
        name = one_line(unknown[0])
        ask = did_you_mean(name, [one_line(entry.name) for entry in entries])
        raise UsageError(f"--only {name!r}: there is no such submission{ask}")
    return chosen


def _make(out: Path, folder: Path) -> None:
    if os.path.realpath(out) == os.path.realpath(folder):
        raise UsageError(f"-o {visible(str(out))} is the folder of the submissions; choose another")
    foreign = next((name for name in RESULTS if _is_there(out / name)), None) if not (out / NAME).exists() else None
    if foreign:
        raise UsageError(
            f"-o {visible(str(out))} holds {foreign} and no {NAME}, so `grade batch` did not write it; "
            "choose another folder, or move it away"
        )
    _make_folder(out, out)


def _make_parts(out: Path) -> None:
    """Makes what is in a folder of results, once it is known to be ours."""
    for part in ("reports", "feedback"):
        _make_folder(out, out / part)


def _make_folder(out: Path, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"-o {visible(str(out))} cannot be made: {error.strerror}") from error


def _is_there(path: Path) -> bool:
    """Whether there is a file, or a folder that is not empty."""
    return path.is_symlink() or path.is_file() or (path.is_dir() and any(path.iterdir()))


def _course(lesson: Lesson, ledger: Ledger, options: Options) -> Course:
    """One seed for all, so that all meet the same inputs; nobody could know it beforehand."""
    known = ledger.fact("seed")
    seed = options.seed if options.seed is not None else int(known) if known else secrets.randbits(31)
    ledger.note("seed", str(seed))
    lesson_folder = str(options.lesson_folder.resolve()) if options.lesson_folder else ""
    return Course(lesson_folder, fingerprint(lesson), seed, options.isolation, options.reveal)


def _plan(
    entries: list[Entry], owners: dict[str, list[Person]], absent: list[Person], lesson: Lesson, *, listed: bool
) -> Iterator[tuple[str, str, Row]]:
    """The gradebook's rows, submissions first and then who is missing."""
    most = float(lesson.points)
    for entry in entries:
        row = Row(entry.shown, entry.file, Status.NOT_GRADED, NOT_YET, max_points=most)
        people = [asdict(person) for person in owners.get(entry.name, [])] or [{"listed": "no"} if listed else {}]
        for number, person in enumerate(people):
            yield entry.key, json.dumps(person | ({AGAIN: "yes"} if number else {})), row
    for one in absent:
        row = Row(one_line(one.shown), "", Status.MISSING, "no submission", max_points=most)
        yield "", json.dumps(asdict(one)), row


def _crew(stack: ExitStack, options: Options) -> Callable[[], Crew]:
    """Makes the crew when the first task needs one: a run with nothing to do starts no process."""

    def start() -> Crew:
        if options.scheduler:
            return stack.enter_context(dask_crew(options.scheduler))
        from grader.sandbox.zygote import connect

        starting = Starting(options.isolation)
        try:
            with connect(starting) as zygote:  # asked here, once, rather than by every process
                refuse_weak(zygote, options.isolation)
        finally:
            starting.cancel()
        crew = local_crew(options.workers or workers_here())
        stack.callback(crew.close)
        return crew

    return start


@dataclass(slots=True)
class _Run:
    """One run: reads, gives out, records."""

    lesson: Lesson
    out: Path
    ledger: Ledger
    book: Book
    course: Course
    progress: Progress
    tell: Callable[[Progress], None]
    regrade: bool
    keys: dict[str, str] = field(default_factory=dict)

    def go(self, entries: list[Entry], start: Callable[[], Crew]) -> None:
        """Grades what has to be graded."""
        self.tell(self.progress)
        tasks = self._tasks(entries)
        first = next(tasks, None)
        if first is None:
            return

        def all_tasks() -> Iterator[Task]:
            yield first
            yield from tasks

        for outcome in carry_out(start(), all_tasks()):
            if isinstance(outcome, Graded):
                self._keep(outcome)
            else:
                self._give_up(outcome)

    def _tasks(self, entries: list[Entry]) -> Iterator[Task]:
        """What has to be graded, read one by one; what has not is counted on the way."""
        for entry in entries:
            found = collect(entry, self.lesson)
            if found.ours:
                self._not_graded(entry.shown, entry.file, entry.key, found.reason)
                continue
            if found.submission is None:
                row = self._empty(entry.shown, entry.file, Status.UNREADABLE, found.reason)
                key = f"unreadable {found.reason} {self.course.reveal}"
            else:
                row, key = None, key_of(found.submission, found.notes, self.course)
            if not self.regrade and self.ledger.key_of(entry.key) == key and self._has_files(entry.file):
                self.progress.unchanged += 1
                self.tell(self.progress)
            elif row is not None:
                self._write_plain(row)
                self._record(entry.key, key, row)
                self.progress.unreadable += 1
                self.tell(self.progress)
            elif found.submission is not None:
                self.keys[entry.key] = key
                yield Task(self.course, entry.key, entry.shown, entry.file, found.submission, found.notes)

    def _empty(self, name: str, file: str, status: Status, reason: str) -> Row:
        return Row(name, file, status, reason, max_points=float(self.lesson.points))

    def _has_files(self, file: str) -> bool:
        return (self.out / "feedback" / f"{file}.html").exists()

    def _keep(self, graded: Graded) -> None:
        """Files first, then the row: a row that is there has its files."""
        row = graded.row
        _put(self.out / "reports" / f"{row.file}.json", graded.report)
        for kind, text in graded.feedback.items():
            _put(self.out / "feedback" / f"{row.file}.{kind}", text)
        key = self.keys.pop(graded.key)
        self._record(graded.key, key if row.status is Status.GRADED else "", row)
        if row.status is Status.GRADED:
            self.progress.graded += 1
        else:
            self.progress.failed += 1
        self.tell(self.progress)

    def _record(self, name: str, key: str, row: Row) -> None:
        self.ledger.record(name, key, row)
        self.book.keep(row)

    def _give_up(self, failed: Failed) -> None:
        del self.keys[failed.task.key]
        self._not_graded(failed.task.name, failed.task.file, failed.task.key, one_line(failed.why))

    def _not_graded(self, shown: str, file: str, name: str, why: str) -> None:
        """A row for what could not be graded; no key, so that the next run tries again."""
        row = self._empty(shown, file, Status.NOT_GRADED, why)
        self._write_plain(row)
        self._record(name, "", row)
        self.progress.failed += 1
        self.tell(self.progress)

    def _write_plain(self, row: Row) -> None:
        """The files of a submission that has no report."""
        from grader.reporters import feedback_html, feedback_md

        told = json.dumps({"format": "grade-batch-row", "version": 1, "status": row.status, "reason": row.reason})
        _put(self.out / "reports" / f"{row.file}.json", told + "\n")
        _put(self.out / "feedback" / f"{row.file}.html", feedback_html.render_ungraded(row, self.lesson.title))
        _put(self.out / "feedback" / f"{row.file}.md", feedback_md.render_ungraded(row, self.lesson.title))


def _put(path: Path, text: str) -> None:
    put(path, lambda file: file.write(text), synced=False)
