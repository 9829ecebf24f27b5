"""Whose marks differ between two folders of results, after a change of a suite for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.store.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.cohort import Row


@dataclass(frozen=True, slots=True)
class Moved:
    """One submission whose points or status differ; None where a folder has it not."""

    submission: str
    before: Row | None
    after: Row | None

    @property
    def by(self) -> float:
        """How many points it gained."""
        return (self.after.points if self.after else 0.0) - (self.before.points if self.before else 0.0)

    @property
    def checks(self) -> list[str]:
        """The checks whose points differ."""
        before, after = _points(self.before), _points(self.after)
        return [name for name in {**before, **after} if before.get(name) != after.get(name)]


def _points(row: Row | None) -> dict[str, float]:
    exercises = row.exercises if row else ()
    return {f"{exercise.id}.{check.id}": check.points for exercise in exercises for check in exercise.checks}


def compare(old: Path, new: Path) -> tuple[list[Moved], int]:
    """Compares two folders of results.

    Returns:
        Who moved, those who moved most first, and how many submissions there are in either.

    Raises:
        UsageError: one of them holds no results.
        StoreError: one of them cannot be read.
    """
    with Ledger(old, write=False) as first, Ledger(new, write=False) as second:
        before = dict(_rows(first))
        after = dict(_rows(second))  # several people's submission once
    moved = []
    for key, row in after.items():
        one = Moved(row.submission, before.get(key), row)
        if one.before is None or one.before.status != row.status or one.checks:
            moved.append(one)
    moved += [Moved(row.submission, row, None) for key, row in before.items() if key not in after]
    return sorted(moved, key=lambda one: (-abs(one.by), one.submission)), len(before.keys() | after.keys())


def _rows(ledger: Ledger) -> Iterator[tuple[tuple[str, str], Row]]:
    """The rows by submission, or by name where somebody has none."""
    for key, _, row in ledger.rows_by_key():
        yield (key, "" if key else row.submission), row
