"""What a batch run has done so far, in SQLite beside its results: a kill loses what was in flight and nothing else.

A submission's row is written after its report and its feedback, in one transaction: a row that is there is done.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from grader.cohort import Row
from grader.errors import GradeError, StoreError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSION = 1
NAME = "state.sqlite3"
PLAN = "plan"
TABLES = {"facts", "done", "plan"}
SCHEMA = """
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE done (submission TEXT PRIMARY KEY, key TEXT NOT NULL, row TEXT NOT NULL);
    CREATE TABLE plan (place INTEGER PRIMARY KEY, submission TEXT NOT NULL, person TEXT NOT NULL, row TEXT NOT NULL);
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
        UsageError: another run is writing it, it is another program's, or there is none to read.
    """

    def __init__(self, folder: Path, *, write: bool = True) -> None:
        self.path = folder / NAME
        self._db: sqlite3.Connection | None = None
        self._closing = ExitStack()
        try:
            if not write and not self.path.is_file():
                raise UsageError(f"{folder} holds no results of `grade batch`: there is no {NAME}")
            with self._using():
                self._open(folder, write=write)
        except OSError as error:
            self.close()
            raise StoreError(f"{self.path} cannot be read: {error.strerror}") from error
        except GradeError:
            self.close()
            raise

    def _open(self, folder: Path, *, write: bool) -> None:
        db = self._db = self._writer() if write else self._reader()
        (found,) = db.execute("PRAGMA user_version").fetchone()
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables >= TABLES and (found or tables or not write):
            whose = f"holds a {NAME} that is not of `grade batch` and was left as it is"
            raise UsageError(f"{folder} {whose}; choose another folder")
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
            if not found:
                db.execute("PRAGMA wal_checkpoint")  # so that the file itself says what it is, even after a kill

    def _writer(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=0.2, isolation_level=None)

    def _reader(self) -> sqlite3.Connection:
        """A connection that changes nothing on the disk, which may be one that nothing can be written to.

        A run that was killed leaves a log beside the database, and SQLite reads a log only where it may write: there
        both are copied.
        """
        uri = self.path.absolute().as_uri()
        log = self.path.with_name(f"{NAME}-wal")
        if not log.is_file() or not log.stat().st_size:
            return sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True)
        self._refuse_busy(uri)
        place = Path(self._closing.enter_context(TemporaryDirectory()))
        for path in (self.path, log):
            shutil.copyfile(path, place / path.name)
        return sqlite3.connect(place / NAME)

    @staticmethod
    def _refuse_busy(uri: str) -> None:
        """Raises ``sqlite3.OperationalError`` where a run is writing.

        Else what is asked for here cannot be had by somebody who only reads, and nothing is made beside the database.
        """
        db = sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=0.2)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("PRAGMA user_version")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise
        finally:
            db.close()

    @property
    def db(self) -> sqlite3.Connection:
        """The open database."""
        assert self._db is not None
        return self._db

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Tells errors of the database as what they are to whoever grades.

        Raises:
            StoreError: it cannot be used.
            UsageError: another run is using it.
        """
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise UsageError(f"another `grade batch` is writing to {self.path.parent}; wait for it") from error
            if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                raise StoreError(
                    f"{self.path} cannot be written: {error}. Its disk is full, or files may not grow (`ulimit -f`): "
                    "make room, and run the same command again. What is done is kept."
                ) from error
            raise StoreError(
                f"{self.path} cannot be used: {error}. It was left as it is; choose another folder."
            ) from error

    def fact(self, name: str) -> str | None:
        """What is noted under a name, None if nothing is."""
        with self._using():
            found = self.db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found else None

    def note(self, name: str, value: str) -> None:
        """Notes something of the run as a whole."""
        with self._using():
            self.db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def key_of(self, submission: str) -> str | None:
        """The key under which a submission was done, None if it was not."""
        with self._using():
            found = self.db.execute("SELECT key FROM done WHERE submission = ?", (submission,)).fetchone()
        return str(found[0]) if found else None

    def record(self, submission: str, key: str, row: Row) -> None:
        """Keeps a submission's row; a second one takes the place of the first.

        Raises:
            StoreError: it cannot be written.
        """
        with self._using():
            self.db.execute("INSERT OR REPLACE INTO done VALUES (?, ?, ?)", (submission, key, row.to_json()))

    def files(self) -> list[tuple[str, str]]:
        """The submissions that were done at some time, with the names of their files.

        Raises:
            StoreError: it cannot be read.
        """
        with self._using():
            found = self.db.execute("SELECT submission, json_extract(row, '$.file') FROM done").fetchall()
        return [(str(submission), str(file)) for submission, file in found]

    def forget(self, submission: str) -> None:
        """Lets go of a submission's row.

        Raises:
            StoreError: it cannot be written.
        """
        with self._using():
            self.db.execute("DELETE FROM done WHERE submission = ?", (submission,))

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

        with self._using():
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("DELETE FROM plan")
            self.db.executemany("INSERT INTO plan (submission, person, row) VALUES (?, ?, ?)", marked())
            self.note(PLAN, mark.hexdigest())
            self.db.execute("COMMIT")

    def planned(self) -> int:
        """How many rows the gradebook has."""
        with self._using():
            return int(self.db.execute("SELECT COUNT(*) FROM plan").fetchone()[0])

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Person and row of all that is planned, done or not, in the plan's order, one at a time.

        Raises:
            StoreError: it cannot be read.
        """
        return ((person, row) for _, person, row in self.rows_by_key())

    def rows_by_key(self) -> Iterator[tuple[str, str, Row]]:
        """The same, each behind the submission's key, which is empty where somebody has none.

        What a submission is called hangs on what there is beside it, so each has the name that it has in the plan.

        Raises:
            StoreError: it cannot be read.
        """
        with self._using():
            yield from (
                (submission, person, replace(Row.from_json(text), submission=shown))
                for submission, person, text, shown in self.db.execute(
                    "SELECT plan.submission, person, COALESCE(done.row, plan.row), "
                    "json_extract(plan.row, '$.submission') "
                    "FROM plan LEFT JOIN done ON done.submission = plan.submission ORDER BY place"
                )
            )

    def close(self) -> None:
        """Lets go of the database; can be called again."""
        if self._db is not None:
            self._db.close()
            self._db = None
        self._closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
