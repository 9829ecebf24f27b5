"""What a batch run has done so far, in SQLite beside its results: a kill loses what was in flight and nothing else.

A submission's row is written after its report and its feedback, in one transaction: a row that is there is done.
"""

from __future__ import annotations

import json
import sqlite3
from hashlib import blake2b
from typing import TYPE_CHECKING, Self

from grader.cohort import Row
from grader.errors import StoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

VERSION = 1
NAME = "state.sqlite3"
PLAN = "plan"
SCHEMA = """
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE done (submission TEXT PRIMARY KEY, key TEXT NOT NULL, row TEXT NOT NULL);
    CREATE TABLE plan (place INTEGER PRIMARY KEY, submission TEXT NOT NULL, person TEXT NOT NULL, row TEXT);
"""


def is_results(folder: Path) -> bool:
    """Whether a folder holds the results of a run, by the first bytes of its state and the gradebook beside it."""
    path = folder / NAME
    try:
        if path.is_symlink() or not path.is_file() or not (folder / "gradebook.csv").is_file():
            return False
        with path.open("rb") as file:
            head = file.read(64)
    except OSError:  # what cannot be read is a submission until it can be
        return False
    return head.startswith(b"SQLite format 3\0") and head[60:64] == VERSION.to_bytes(4, "big")


class Ledger:
    """The state of one folder of results.

    Args:
        folder: of the results.
        write: whether to make it if need be, and to keep others from writing meanwhile.

    Raises:
        StoreError: it cannot be opened, or another version wrote it.
        UsageError: another run is writing it, or there is none to read.
    """

    def __init__(self, folder: Path, *, write: bool = True) -> None:
        self.path = folder / NAME
        if not write and not self.path.is_file():
            raise UsageError(f"{folder} holds no results of `grade batch`: there is no {NAME}")
        self._db: sqlite3.Connection | None = None
        try:
            db = self._db = sqlite3.connect(self.path, timeout=0.2, isolation_level=None)
            (found,) = db.execute("PRAGMA user_version").fetchone()
            if found not in (0, VERSION):
                raise sqlite3.DatabaseError("another version of grade wrote it")
            if write:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")
                db.execute("PRAGMA locking_mode = EXCLUSIVE")
                db.execute("BEGIN IMMEDIATE")
                if not found:
                    for statement in SCHEMA.split(";"):
                        db.execute(statement)
                    db.execute(f"PRAGMA user_version = {VERSION}")
                db.execute("COMMIT")
        except sqlite3.Error as error:
            self.close()
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise UsageError(f"another `grade batch` is writing to {folder}; wait for it") from error
            raise self._unusable(error) from error

    @property
    def db(self) -> sqlite3.Connection:
        """The open database."""
        assert self._db is not None
        return self._db

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(f"{self.path} cannot be used: {error}. It was left as it is; choose another folder.")

    def fact(self, name: str) -> str | None:
        """What is noted under a name, None if nothing is."""
        found = self.db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found else None

    def note(self, name: str, value: str) -> None:
        """Notes something of the run as a whole."""
        self.db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def key_of(self, submission: str) -> str | None:
        """The key under which a submission was done, None if it was not."""
        found = self.db.execute("SELECT key FROM done WHERE submission = ?", (submission,)).fetchone()
        return str(found[0]) if found else None

    def record(self, submission: str, key: str, row: Row) -> None:
        """Keeps a submission's row; a second one takes the place of the first.

        Raises:
            StoreError: it cannot be written.
        """
        try:
            self.db.execute("INSERT OR REPLACE INTO done VALUES (?, ?, ?)", (submission, key, row.to_json()))
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def files(self) -> list[tuple[str, str]]:
        """The submissions that were done at some time, with the names of their files.

        Raises:
            StoreError: it cannot be read.
        """
        try:
            found = self.db.execute("SELECT submission, json_extract(row, '$.file') FROM done").fetchall()
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        return [(str(submission), str(file)) for submission, file in found]

    def forget(self, submission: str) -> None:
        """Lets go of a submission's row.

        Raises:
            StoreError: it cannot be written.
        """
        try:
            self.db.execute("DELETE FROM done WHERE submission = ?", (submission,))
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def set_plan(self, planned: Iterable[tuple[str, str, Row]]) -> None:
        """Says which rows the gradebook has, in order: submission, person as JSON, and the row until it is done.

        A mark of all of them is noted as the fact ``PLAN``.

        Raises:
            StoreError: it cannot be written.
        """
        mark = blake2b(digest_size=16)

        def marked() -> Iterator[tuple[str, str, str]]:
            for submission, person, row in planned:
                line = (submission, person, row.to_json())
                mark.update(json.dumps(line).encode() + b"\n")
                yield line

        try:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("DELETE FROM plan")
            self.db.executemany("INSERT INTO plan (submission, person, row) VALUES (?, ?, ?)", marked())
            self.note(PLAN, mark.hexdigest())
            self.db.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def planned(self) -> int:
        """How many rows the gradebook has."""
        return int(self.db.execute("SELECT COUNT(*) FROM plan").fetchone()[0])

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Person and row of all that is planned, done or not, in the plan's order, one at a time.

        Raises:
            StoreError: it cannot be read.
        """
        return ((person, row) for _, person, row in self.rows_by_key())

    def rows_by_key(self) -> Iterator[tuple[str, str, Row]]:
        """The same, each behind the submission's key, which is empty where somebody has none.

        Raises:
            StoreError: it cannot be read.
        """
        try:
            yield from (
                (submission, person, Row.from_json(text))
                for submission, person, text in self.db.execute(
                    "SELECT plan.submission, person, COALESCE(done.row, plan.row) AS text FROM plan "
                    "LEFT JOIN done ON done.submission = plan.submission WHERE text IS NOT NULL ORDER BY place"
                )
            )
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def close(self) -> None:
        """Lets go of the database; can be called again."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
