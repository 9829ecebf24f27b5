"""Attempts, best points and hints shown, kept so that neither a kill nor a second run at once harms them.

Every change is one SQLite transaction. A database that cannot be read, or that a later version wrote, is reported and
left exactly as it is.
"""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from grader.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from grader.model import ExerciseResult

VERSION = 2
BUSY_S = 10.0
NAME = "progress.sqlite3"
# What is wrong with the disk, its permissions or somebody else's lock: a new file would fare no better.
OF_THE_SYSTEM = {
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip

# Numbered from 1: what takes the database from one version to the next. Never edited, only added to.
MIGRATIONS = (
    """
    CREATE TABLE attempts (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        exercise TEXT NOT NULL,
        outcome TEXT NOT NULL,
        points REAL NOT NULL,
        max_points REAL NOT NULL,
        seed INTEGER NOT NULL
    );
    CREATE INDEX attempts_by_exercise ON attempts (exercise, points);
    CREATE TABLE hints (exercise TEXT PRIMARY KEY, shown INTEGER NOT NULL);
    CREATE TABLE said (what TEXT PRIMARY KEY);
    """,
    """
    ALTER TABLE attempts ADD COLUMN look TEXT NOT NULL DEFAULT '';
    """,
)


@dataclass(frozen=True, slots=True)
class Best:
    """The best attempt at one exercise so far."""

    outcome: str
    points: float
    max_points: float
    attempts: int

    @property
    def is_passed(self) -> bool:
        """Whether it got all points."""
        return self.points >= self.max_points

    @property
    def is_started(self) -> bool:
        """Whether more was graded than the stub."""
        return self.points > 0 or self.outcome != "not_started"


class Progress:
    """The database of one workspace.

    Args:
        folder: where it lies (``.grade``), made if need be; None keeps it in memory and forgets it.

    Raises:
        StoreError: it cannot be made, read or written, or a later version wrote it.
    """

    def __init__(self, folder: Path | None) -> None:
        self.path = folder / NAME if folder else None
        try:
            if folder:
                folder.mkdir(exist_ok=True)
                ignore = folder / ".gitignore"
                if not ignore.exists():
                    ignore.write_text("*\n", encoding="ascii")
            self._db = sqlite3.connect(self.path or ":memory:", timeout=BUSY_S, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{self.path} cannot be opened: {error}") from error
        try:
            self._migrate()
            self._look_through()
        except sqlite3.Error as error:
            self._db.close()
            raise self._unusable(error) from error
        except StoreError:
            self._db.close()
            raise

    def _unusable(self, error: sqlite3.Error) -> StoreError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        advice = "" if code in OF_THE_SYSTEM else "; move it away to start a new one"
        return StoreError(f"{self.path} cannot be used: {error}. It was left as it is{advice}.")

    def _migrate(self) -> None:
        with self._transaction():
            (found,) = self._db.execute("PRAGMA user_version").fetchone()
            if found > VERSION:
                raise StoreError(
                    f"{self.path} was written by a later version of grade (format {found}; this one knows {VERSION}). "
                    "It was left as it is: update grade, or move the file away."
                )
            for number, script in enumerate(MIGRATIONS[found:], found + 1):
                for statement in script.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {number}")

    def _look_through(self) -> None:
        """Finds now, rather than in the middle of the work, that the file is damaged or something else than ours."""
        for table in ("attempts (exercise, outcome, points, max_points)", "hints (exercise, shown)", "said (what)"):
            name, _, columns = table.partition(" ")
            self._db.execute(f"SELECT {columns.strip('()')} FROM {name} LIMIT 0")  # noqa: S608 - the names are ours
        ((found,),) = self._db.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise sqlite3.DatabaseError(found)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, and nobody else writes meanwhile."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def record(self, results: Iterable[ExerciseResult], seed: int) -> None:
        """Adds an attempt for each result.

        Raises:
            StoreError: the database cannot be written.
        """
        from datetime import UTC, datetime

        now = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [(now, r.id, r.outcome.value, r.points, r.max_points, seed, _look(r)) for r in results]
        try:
            with self._transaction():
                self._db.executemany(
                    "INSERT INTO attempts (at, exercise, outcome, points, max_points, seed, look) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    rows,
                )
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def best(self) -> dict[str, Best]:
        """The best attempt at each exercise; of those without a point one at more than the stub."""
        rows = self._read(
            "SELECT exercise, outcome, points, max_points, COUNT(*), MAX(points + (outcome != 'not_started')) "
            "FROM attempts GROUP BY exercise"  # SQLite takes all columns from the row with the MAX
        )
        return {exercise: Best(*rest) for exercise, *rest, _ in rows}

    def look(self, exercise: str) -> str:
        """What to look at for the mistake that was named in the last attempt at an exercise; empty if none was."""
        rows = self._read("SELECT look FROM attempts WHERE exercise = ? ORDER BY id DESC LIMIT 1", exercise)
        return str(rows[0][0]) if rows else ""

    def hints_shown(self, exercise: str) -> int:
        """How many hints of an exercise were shown."""
        rows = self._read("SELECT shown FROM hints WHERE exercise = ?", exercise)
        return int(rows[0][0]) if rows else 0

    def show_hint(self, exercise: str, available: int) -> int:
        """Counts one more hint as shown, up to those there are.

        Returns:
            How many are shown now.
        """
        try:
            with self._transaction():
                shown = min(self.hints_shown(exercise) + 1, available)
                self._db.execute("INSERT OR REPLACE INTO hints VALUES (?, ?)", (exercise, shown))
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        return shown

    def say_once(self, what: str) -> bool:
        """Whether something has yet to be said in this workspace; from now on it has been."""
        try:
            with self._transaction():
                return self._db.execute("INSERT OR IGNORE INTO said VALUES (?)", (what,)).rowcount == 1
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _read(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()


def _look(result: ExerciseResult) -> str:
    """What to look at for the first mistake that was named, and for those that behave the same; empty if none was."""
    return " ".join({one.look: None for first in result.mistakes[:1] for one in (first, *first.alternatives)})
