"""The learner's log: append-only JSON lines, one event each, on disk before the next question is shown.

Every line is ``{"schema": 1, "event": ..., "time": ..., "sitting": ..., ...}``. Appending takes a lock,
repairs a last line that a crash tore, writes one line and waits for the disk; so a killed program loses
nothing that was answered, and two at once do not mix their lines. Reading skips lines that are no events and
says how many.

Questions are known by bank id, question id and content hash: an edited question keeps its history, marked as
changed.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import time
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from quizzes.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

# Paths are plain strings here: pathlib is slow to import, and this is on the way to the first question.
SCHEMA = 1
FOLDER = "quizbank"
STALE_SECONDS = 24 * 60 * 60

Event = dict[str, Any]


class StateError(Exception):
    """The log cannot be read or written; the message says why, and what to do."""


def default_folder() -> str:
    """Return where this kind of system keeps a program's data for a user."""
    # The XDG rules say that a relative path is to be ignored: history must not hang on the current folder.
    chosen = os.environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(chosen):
        return os.path.join(chosen, FOLDER)
    home = os.path.expanduser("~")
    if not os.path.isabs(home):  # there is neither a HOME nor a user
        raise StateError("no home folder to keep the history in; name a folder with --state")
    if os.name == "nt":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"), FOLDER)
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Application Support", FOLDER)
    return os.path.join(home, ".local", "share", FOLDER)


class History(Record, kw_only=False):
    """What a log holds, and how many of its lines could not be read."""

    events: tuple[Event, ...] = ()
    unreadable: int = 0


class Log:
    """The log in a folder. The folder is made when something is first written."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.path.abspath(folder)
        self.path = os.path.join(self.folder, "log.jsonl")

    def append(self, event: str, *, sync: bool = True, **fields: Any) -> Event:
        """Write one event and return it when it is on the disk; StateError if it cannot be.

        Without ``sync`` it is left to the system when it goes there: a killed program still loses nothing,
        and a power cut only what the next answer, which waits for the disk, would have taken along.
        """
        full = {"schema": SCHEMA, "event": event, "time": now(), **fields}
        line = json.dumps(full, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        try:
            os.makedirs(self.folder, exist_ok=True)
            with open(self.path, "a+b") as stream, locked(stream):
                if _is_torn(stream):
                    line = b"\n" + line
                stream.write(line)
                stream.flush()
                if sync:
                    os.fsync(stream.fileno())
        except OSError as error:
            raise self._error("written", error) from None
        return full

    def read(self) -> History:
        """Return all events; an absent log is an empty one."""
        try:
            with open(self.path, "rb") as stream:
                return history_of(stream.read())
        except FileNotFoundError:
            return History()
        except OSError as error:
            raise self._error("read", error) from None

    def _error(self, what: str, error: OSError) -> StateError:
        reason = error.strerror or str(error)
        return StateError(f"the history in {self.folder} cannot be {what}: {reason}; name another folder with --state")

    @contextlib.contextmanager
    def hold(self, sitting: str) -> Iterator[bool]:
        """Mark a sitting as being taken by this process; give False if another one has it.

        The mark is a lock, which the system lifts when the process ends in whatever way.
        """
        path = os.path.join(self.folder, "live", sitting)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            stream = open(path, "a+b")  # noqa: SIM115 - closed below
        except OSError as error:
            raise self._error("written", error) from None
        with stream:
            if not _try_lock(stream):
                yield False
                return
            _clear_stale(os.path.dirname(path))
            yield True
        with contextlib.suppress(OSError):
            os.unlink(path)

    def is_live(self, sitting: str) -> bool:
        """Tell whether some process is taking a sitting now."""
        path = os.path.join(self.folder, "live", os.path.basename(sitting))
        try:
            with open(path, "r+b") as stream:
                return not _try_lock(stream)
        except OSError:
            return False


def now() -> str:
    """Return the time as the log writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def when(event: Event) -> datetime:
    """Return the time of an event."""
    return datetime.fromisoformat(event["time"]).astimezone(UTC)  # another program may have written it elsewhere


def history_of(data: bytes) -> History:
    """Return the events that the bytes of a log hold."""
    lines = [line for line in data.split(b"\n") if line.strip()]
    events = [event for line in lines if (event := _event(line)) is not None]
    return History(tuple(events), len(lines) - len(events))


def _event(line: bytes) -> Event | None:
    """Return the event on a line, or None if it is none that this version knows how to read."""
    try:
        event = json.loads(line)
        if not isinstance(event, dict) or event.get("schema") != SCHEMA or not isinstance(event.get("event"), str):
            return None
        time = datetime.fromisoformat(event["time"])
        # Years at the calendar's ends cannot be turned into local time; a sitting's id becomes the name of a file.
        if (
            time.tzinfo is None
            or not 2 <= time.year <= 9998
            or not re.fullmatch(r"[\w-]{0,64}", event.get("sitting", ""))
        ):
            return None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return event


def _is_torn(stream: IO[bytes]) -> bool:
    """Tell whether the last line has no end: the program that wrote it was killed in the middle."""
    end = stream.seek(0, os.SEEK_END)
    if not end:
        return False
    stream.seek(end - 1)
    torn = stream.read(1) != b"\n"
    stream.seek(0, os.SEEK_END)
    return torn


def _clear_stale(folder: str) -> None:
    """Remove the marks that killed programs left: those that are old and that nobody holds."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.stat().st_mtime < time.time() - STALE_SECONDS:
                with open(entry.path, "r+b") as stream:
                    stale = _try_lock(stream)
                if stale:
                    os.unlink(entry.path)


# Locks

if os.name == "nt":  # pragma: no cover - the other branch runs here
    import msvcrt

    @contextlib.contextmanager
    def locked(stream: IO[bytes]) -> Iterator[None]:
        """Hold the lock of a file, waiting for it."""
        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
        try:
            yield
        finally:
            stream.seek(0)
            msvcrt.locking(stream.fileno(), msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]

    def _try_lock(stream: IO[bytes]) -> bool:
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True

else:
    import fcntl

    @contextlib.contextmanager
    def locked(stream: IO[bytes]) -> Iterator[None]:
        """Hold the lock of a file, waiting for it; where the file system knows no locks, go on without."""
        with contextlib.suppress(OSError):
            fcntl.flock(stream, fcntl.LOCK_EX)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                fcntl.flock(stream, fcntl.LOCK_UN)

    def _try_lock(stream: IO[bytes]) -> bool:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # the file system knows no locks
        return True
