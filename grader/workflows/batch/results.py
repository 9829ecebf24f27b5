"""The gradebook and the summaries, made from the ledger's rows in passes that hold one row at a time."""

from __future__ import annotations

import json
import os
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from grader import __version__
from grader.cohort import Row, Status
from grader.errors import GradeError
from grader.reporters import gradebook, summary_html
from grader.store.ledger import PLAN
from grader.text import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import TextIO

    from grader.lesson import Lesson
    from grader.store.ledger import Ledger
    from grader.workflows.batch.tasks import Course

BOOK = "gradebook.csv"
# Of a run's time writing the gradebook takes a two hundredth at most: a row takes up to 0.15 ms.
EVERY_S = 10.0
EVERY_ROW_S = 0.03
COLUMNS = "columns"  # facts: the gradebook's columns, and the plan whose rows it has
WRITTEN = "written"
AGAIN = "again"  # said of a person whose submission is another's too, and has been counted
SLOWEST = 10
MAX_LISTED = 100
MAX_TABLE = 3_000
BINS = 10
CRASHES = {"timeout", "memory", "crash", "output_flood", "protocol"}


def write_results(out: Path, ledger: Ledger, lesson: Lesson, course: Course, *, listed: bool) -> None:
    """Writes gradebook.csv, summary.json and summary.html, each in one step.

    Raises:
        GradeError: one cannot be written.
        StoreError: the ledger cannot be read.
    """
    tally = Tally()
    for person, row in ledger.rows():
        told = json.loads(person)
        if AGAIN not in told:
            tally.add(row, unlisted="listed" in told)
    summary = tally.summary(lesson, course.seed)
    checks = {stem: [*tally.checks.get(stem, {})] for stem in lesson.stems}
    write_book(out, ledger, checks, listed=listed)
    put(out / "summary.json", lambda file: file.write(json.dumps(summary, indent=2) + "\n"))
    table = (_linked(row, out) for person, row in ledger.rows() if AGAIN not in json.loads(person))
    put(out / "summary.html", lambda file: summary_html.write(file, summary, _first(table, MAX_TABLE)))


def write_book(out: Path, ledger: Ledger, checks: Mapping[str, Sequence[str]], *, listed: bool) -> None:
    """Writes the gradebook alone, and notes which plan and which columns it has.

    Args:
        out: the folder of results.
        ledger: of that folder.
        checks: the columns, as checks by exercise.
        listed: whether there is a roster.

    Raises:
        GradeError: it cannot be written.
        StoreError: the ledger cannot be used.
    """
    rows = ((json.loads(person), row) for person, row in ledger.rows())
    # With a mark in front: without it Excel takes UTF-8 for the code page of Windows, and names for gibberish.
    put(out / BOOK, lambda file: gradebook.write(file, rows, checks, listed=listed), encoding="utf-8-sig")
    ledger.note(COLUMNS, json.dumps({stem: [*names] for stem, names in checks.items()}))
    ledger.note(WRITTEN, ledger.fact(PLAN) or "")


class Book:
    """The gradebook while a run goes on: it has every row from the start, and is brought up to date now and then.

    Args:
        out: the folder of results.
        ledger: of that folder, with the run's plan.
        lesson: whose exercises are its columns.
        listed: whether there is a roster.

    Raises:
        GradeError: it cannot be written.
        StoreError: the ledger cannot be used.
    """

    def __init__(self, out: Path, ledger: Ledger, lesson: Lesson, *, listed: bool) -> None:
        self._out, self._ledger, self._listed = out, ledger, listed
        known = json.loads(ledger.fact(COLUMNS) or "{}")
        self._checks: dict[str, dict[str, None]] = {stem: dict.fromkeys(known.get(stem, ())) for stem in lesson.stems}
        self._every_s = max(EVERY_S, EVERY_ROW_S * ledger.planned())
        if ledger.fact(WRITTEN) != ledger.fact(PLAN) or not (out / BOOK).is_file():
            self._write()
        self._due = time.monotonic() + self._every_s

    def keep(self, row: Row) -> None:
        """Has room for the checks of a row that was recorded; writes all rows if it is time."""
        for exercise in row.exercises:
            self._checks.setdefault(exercise.id, {}).update(dict.fromkeys(check.id for check in exercise.checks))
        if time.monotonic() >= self._due:
            self._write()
            self._due = time.monotonic() + self._every_s

    def _write(self) -> None:
        columns = {stem: [*names] for stem, names in self._checks.items()}
        write_book(self._out, self._ledger, columns, listed=self._listed)


def _linked(row: Row, out: Path) -> Row:
    """The row without the name of its files where there is no page to link to."""
    return row if (out / "feedback" / f"{row.file}.html").is_file() else replace(row, file="")


def _first(rows: Iterable[Row], count: int) -> Iterable[Row]:
    return (row for row, _ in zip(rows, range(count), strict=False))


def put(path: Path, write: Callable[[TextIO], object], *, encoding: str = "utf-8", synced: bool = True) -> None:
    """Writes a file beside its place and moves it there: whoever reads it sees the old one or the new, whole.

    One run writes here at a time, so what a killed one left beside it has the name that the next one takes.

    Args:
        path: of the file.
        write: writes the content.
        encoding: of the text.
        synced: whether to wait until the disk has it, which takes too long for each of thousands.

    Raises:
        GradeError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.part")
    try:
        with temporary.open("w", encoding=encoding, errors="backslashreplace", newline="") as file:
            write(file)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise GradeError(f"{visible(str(path))} cannot be written: {error.strerror}") from error


@dataclass(slots=True)
class Tally:
    """Counts over all rows; its size hangs on the lesson, not on the cohort."""

    statuses: Counter[str] = field(default_factory=Counter)
    graded: Counter[float] = field(default_factory=Counter)
    unlisted: int = 0
    waiting: int = 0
    max_points: float = 0.0
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    points: Counter[str] = field(default_factory=Counter)
    checks: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    mistakes: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    crashed: list[tuple[str, str, str]] = field(default_factory=list)
    crashes: int = 0

    def add(self, row: Row, *, unlisted: bool) -> None:
        """Counts one row."""
        self.statuses[row.status.value] += 1
        self.unlisted += unlisted
        self.waiting += row.waits
        self.max_points = max(self.max_points, row.max_points)
        if row.status is not Status.GRADED:
            return
        self.graded[row.points] += 1
        self.slowest = sorted([*self.slowest, (row.elapsed_s, row.submission)], reverse=True)[:SLOWEST]
        for exercise in row.exercises:
            self.outcomes.setdefault(exercise.id, Counter())[exercise.outcome] += 1
            self.points[exercise.id] += exercise.points  # type: ignore[assignment]
            if exercise.cause:
                self.causes[exercise.id, exercise.cause] += 1
            for name, title in exercise.mistakes:
                self.mistakes[exercise.id, name, title] += 1
            counts = self.checks.setdefault(exercise.id, {})
            for check in exercise.checks:
                counts.setdefault(check.id, Counter())[check.cause or check.outcome] += 1
            hit = {check.cause for check in exercise.checks} & CRASHES
            self.crashes += bool(hit)
            if hit and len(self.crashed) < MAX_LISTED:
                self.crashed.append((row.submission, exercise.id, ", ".join(sorted(hit))))

    def summary(self, lesson: Lesson, seed: int) -> dict[str, Any]:
        """What is known of the whole cohort, as plain data."""
        counted = sorted(self.graded.elements()) if self.graded else []
        return {
            "format": "grade-batch-summary",
            "version": 1,
            "grader": __version__,
            "lesson": lesson.id,
            "title": lesson.title,
            "seed": seed,
            "max_points": self.max_points,
            "submissions": self.statuses.total() - self.statuses[Status.MISSING.value],
            "statuses": {status.value: self.statuses[status.value] for status in Status},
            "not_graded_yet": self.waiting,
            "unlisted": self.unlisted,
            "points": _figures(counted),
            "distribution": self._distribution(),
            "exercises": [self._exercise(e.id, e.title, e.points) for e in lesson.exercises],
            "causes": [{"exercise": e, "cause": c, "count": n} for (e, c), n in self.causes.most_common(30)],
            "mistakes": [
                {"exercise": exercise, "id": name, "title": title, "count": count}
                for (exercise, name, title), count in self.mistakes.most_common(50)
            ],
            "slowest": [{"submission": name, "elapsed_s": elapsed_s} for elapsed_s, name in self.slowest],
            "crashes": self.crashes,
            "crashed": [{"submission": s, "exercise": e, "causes": c} for s, e, c in self.crashed],
        }

    def _distribution(self) -> list[dict[str, float]]:
        """How many graded submissions lie in each tenth of the points; the last has full marks in it."""
        most = self.max_points or 1.0
        counts = Counter[int]()
        for points, count in self.graded.items():
            counts[min(BINS - 1, int(BINS * points / most))] += count
        return [{"from": most * at / BINS, "to": most * (at + 1) / BINS, "count": counts[at]} for at in range(BINS)]

    def _exercise(self, stem: str, title: str, most: int) -> dict[str, Any]:
        outcomes = self.outcomes.get(stem, Counter())
        return {
            "id": stem,
            "title": title,
            "max_points": most,
            "mean": round(self.points[stem] / outcomes.total(), 3) if outcomes else None,
            "outcomes": dict(outcomes),
            "checks": [
                {
                    "id": check,
                    "passed": counts["passed"],
                    "of": counts.total(),
                    "causes": {cause: count for cause, count in counts.most_common() if cause != "passed"},
                }
                for check, counts in self.checks.get(stem, {}).items()
            ],
        }


def _figures(counted: list[float]) -> dict[str, float | None]:
    """Mean, median and ends of the points of graded submissions."""
    if not counted:
        return {"mean": None, "median": None, "least": None, "most": None}
    mean, median = statistics.fmean(counted), statistics.median(counted)
    return {"mean": round(mean, 3), "median": median, "least": counted[0], "most": counted[-1]}
