"""The learner's files as bytes: only plain files are opened, no link is followed, nothing is parsed."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from grader.text import visible

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE_BYTES = 1 << 20
MAX_FILES = 200
MAX_TOTAL_BYTES = 8 << 20
MAX_DEPTH = 3
UNSEEN = "has a name with characters that cannot be seen, so it is not used; rename it"

KINDS = {
    stat.S_IFLNK: "is a link; put the file itself there",
    stat.S_IFDIR: "is a folder; it has to be a file",
    stat.S_IFIFO: "is a FIFO; it has to be a plain file",
    stat.S_IFSOCK: "is a socket; it has to be a plain file",
    stat.S_IFCHR: "is a device; it has to be a plain file",
    stat.S_IFBLK: "is a device; it has to be a plain file",
}


@dataclass(frozen=True, slots=True)
class Submission:
    """One person's files.

    Attributes:
        prefix: what stands before a file's name when it is shown: "exercises/" or nothing.
        files: content by path relative to the folder, as bytes.
        unreadable: what is in a file's place instead, by path: "is a link; ...".
    """

    prefix: str
    files: dict[str, bytes] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)

    @property
    def digest(self) -> int:
        """A number that changes with the files: the seed, where none is given.

        So the same files always meet the same inputs, and a file that holds a table of answers to them has
        changed the inputs by holding it.
        """
        state = blake2b(digest_size=4)
        for path, data in sorted(self.files.items()):
            state.update(f"{path}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
        return int.from_bytes(state.digest(), "little") >> 1

    def add(self, path: str, content: bytes | str) -> bool:
        """Adds a file within the limits on all of them together.

        One whose name could steer a terminal, or break a line of a log, is not used: names are shown wherever a file
        is spoken of, and no import needs one like that.

        Args:
            path: relative to the folder.
            content: its bytes, or what is wrong with it, as the rest of a sentence.

        Returns:
            Whether there was room for one more.
        """
        if len(self.files) + len(self.unreadable) >= MAX_FILES:
            self.unreadable.setdefault("", f"holds more than {MAX_FILES} Python files")
            return False
        if (shown := visible(path)) != path:
            self.unreadable[shown] = UNSEEN
            return True
        used = sum(map(len, self.files.values()))
        if isinstance(content, bytes) and used + len(content) > MAX_TOTAL_BYTES:
            content = f"is too much: the files may hold {MAX_TOTAL_BYTES >> 20} MiB together"
        if isinstance(content, bytes):
            self.files[path] = content
        else:
            self.unreadable[path] = content
        return True


def read_submission(folder: Path) -> Submission:
    """Reads the Python files of ``folder/exercises``, or of ``folder`` itself where there is no such folder.

    Raises:
        NotADirectoryError: ``folder`` is no folder.
        OSError: ``folder`` cannot be read.
    """
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            inner = os.stat("exercises", dir_fd=top, follow_symlinks=False)
        except FileNotFoundError:
            return _read(top, "")
        if not stat.S_ISDIR(inner.st_mode):
            why = KINDS.get(stat.S_IFMT(inner.st_mode), "is a file").partition(";")[0]
            return Submission("exercises/", {}, {"": f"{why}; it has to be a folder"})
        try:
            handle = os.open("exercises", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
        except OSError as error:
            return Submission("exercises/", {}, {"": f"cannot be read: {error.strerror}"})
        try:
            return _read(handle, "exercises/")
        finally:
            os.close(handle)
    finally:
        os.close(top)


def _read(folder: int, prefix: str) -> Submission:
    submission = Submission(prefix)
    _read_into(submission, folder, "", 0)
    return submission


def _read_into(submission: Submission, folder: int, below: str, depth: int) -> None:
    """Adds the .py files of an open folder, and of the packages in it."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        path = below + entry.name
        if entry.name.endswith(".py"):
            if not submission.add(path, read_plain_file(entry.name, folder)):
                return
        elif depth < MAX_DEPTH and entry.is_dir(follow_symlinks=False):
            _read_package(submission, folder, entry.name, path, depth)


def _read_package(submission: Submission, folder: int, name: str, path: str, depth: int) -> None:
    """Goes into a folder if it is a package; whatever else lies beside the exercises is no concern of ours."""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return  # a folder that cannot be read holds no module; an import of it will say so
    try:
        if "__init__.py" in os.listdir(handle):
            _read_into(submission, handle, path + "/", depth + 1)
    finally:
        os.close(handle)


def read_plain_file(
    name: str | os.PathLike[str], folder: int | None = None, *, limit: int = MAX_FILE_BYTES
) -> bytes | str:
    """The bytes of a plain file; or what is wrong with it, as the rest of a sentence that starts with its name.

    Opening never waits (a FIFO), never follows a link, and has no effect (a device) beyond the opening itself,
    which happens only after the kind of file was seen to be plain.
    """
    try:
        kind = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if not stat.S_ISREG(kind):
            return KINDS.get(stat.S_IFMT(kind), "is no plain file")
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            return KINDS[stat.S_IFLNK]
        return f"cannot be read: {error.strerror}"
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):  # it was swapped between the look and the opening
            return "is no plain file"
        try:
            content = file.read(limit + 1)
        except OSError as error:
            return f"cannot be read: {error.strerror}"
    if len(content) > limit:
        return f"is larger than {limit >> 20} MiB"
    return content
