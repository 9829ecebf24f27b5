"""The gradebook: a line a submission, as CSV that a spreadsheet opens without running any of it."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Protocol

from grader.cohort import Row, Status
from grader.text import points, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HEAD = ("submission", "id", "name", "email", "status", "reason", "points", "max_points")
LISTED = "listed"
# What a spreadsheet may take for the start of a formula, wide forms of the signs too.
FORMULA = ("=", "+", "-", "@", "|", "%", "\uff1d", "\uff0b", "\uff0d", "\uff20")


class Writable(Protocol):
    """Something that takes text."""

    def write(self, text: str, /) -> object:
        """Takes it."""


def write(
    file: Writable,
    rows: Iterable[tuple[Mapping[str, str], Row]],
    checks: Mapping[str, Sequence[str]],
    *,
    listed: bool = False,
) -> None:
    """Writes the gradebook, one row at a time.

    Args:
        file: opened with ``newline=""``.
        rows: person and row; the person may be empty.
        checks: the columns, as checks by exercise.
        listed: whether there is a roster, so that it is said of each row whether it is on it.
    """
    writer = csv.writer(file, lineterminator="\r\n")
    columns = [(exercise, check) for exercise, names in checks.items() for check in names]
    extra = [LISTED] if listed else []
    writer.writerow([*HEAD, *extra, *checks, "mistakes", *(f"{exercise}.{check}" for exercise, check in columns)])
    for person, row in rows:
        got = {(exercise.id, check.id): check.points for exercise in row.exercises for check in exercise.checks}
        whole = {exercise.id: exercise.points for exercise in row.exercises}
        nothing = "0" if row.status in (Status.MISSING, Status.UNREADABLE) else ""
        cells = [row.submission, *(person.get(key, "") for key in ("id", "name", "email")), row.status.value]
        writer.writerow(
            [
                *map(cell, [*cells, row.reason]),
                "" if row.status is Status.NOT_GRADED else points(row.points),
                points(row.max_points),
                *([person.get(LISTED, "yes")] if listed else []),
                *(points(whole[exercise]) if exercise in whole else nothing for exercise in checks),
                cell(mistakes(row)),
                *(points(got[column]) if column in got else nothing for column in columns),
            ]
        )


def mistakes(row: Row) -> str:
    """The named mistakes of a row, each behind its exercise."""
    return "; ".join(f"{exercise.id}: {title}" for exercise in row.exercises for _, title in exercise.mistakes)


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula, and no terminal for a command."""
    shown = visible(" ".join(text.split()))
    return f"'{shown}" if shown.startswith(FORMULA) else shown
