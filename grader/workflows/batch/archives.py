"""What an archive or a folder holds, as members to be read one by one: nothing is ever written to disk.

Every length is capped before it is believed: of the archive, of its list, of what it unpacks to. A member that is no
plain file, or whose name leads out of the archive, is named and left out.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from grader.sandbox.submission import KINDS, MAX_FILE_BYTES, read_plain_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MAX_ARCHIVE_BYTES = 256 << 20
MAX_UNPACKED_BYTES = 128 << 20
MAX_KEPT_BYTES = 32 << 20
MAX_LIST_BYTES = 4 << 20
MAX_MEMBERS = 5_000
MAX_DEPTH = 6
MAX_NOTEBOOK_BYTES = 16 << 20
WANTED = (".py", ".ipynb")
# What systems and editors leave in folders; it belongs to nobody's submission.
STRAY = {"__MACOSX", "__pycache__", ".DS_Store", "Thumbs.db", "desktop.ini", "node_modules", "venv"}
SUFFIXES = (".tar.gz", ".tgz", ".tar", ".zip", *WANTED)

LINK = KINDS[stat.S_IFLNK]


class Unreadable(Exception):  # noqa: N818 - what is wrong with a submission, not an error of the program
    """Nothing of a submission can be read; the text says why, as the rest of a sentence that starts with its name."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a submission.

    Attributes:
        path: relative, with forward slashes.
        read: gives its bytes, or what is wrong with it as the rest of a sentence.
    """

    path: str
    read: Callable[[], bytes | str]

    @property
    def folder(self) -> str:
        """What stands before the name, with its slash."""
        return self.path[: self.path.rfind("/") + 1]

    @property
    def name(self) -> str:
        """The name alone."""
        return self.path[self.path.rfind("/") + 1 :]


def limit_of(path: str) -> int:
    """How large a file may be: a notebook holds pictures too."""
    return MAX_NOTEBOOK_BYTES if path.endswith(".ipynb") else MAX_FILE_BYTES


def too_large(path: str) -> str:
    """What is said of a file beyond its limit."""
    return f"is larger than {limit_of(path) >> 20} MiB"


def is_stray(name: str) -> bool:
    """Whether a name is one of those that systems leave behind."""
    return name in STRAY or name.startswith(".")


def safe_path(name: str) -> str | None:
    """A member's name as a relative path, None if it leads out of the archive."""
    path = name.replace("\\", "/")
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or (len(path) > 1 and path[1] == ":") or "\0" in path:
        return None
    return "/".join(part for part in parts if part not in ("", "."))


@contextmanager
def members_of(path: Path) -> Iterator[tuple[list[Member], list[str]]]:
    """The Python files and notebooks of a folder, an archive or a single file, and remarks on what was left out.

    Raises:
        Unreadable: there is nothing to be had.
    """
    with ExitStack() as stack:
        try:
            found = _members(path, stack)
        except OSError as error:
            raise Unreadable(f"cannot be read: {error.strerror or error}") from error
        yield found


def _members(path: Path, stack: ExitStack) -> tuple[list[Member], list[str]]:
    kind = os.stat(path, follow_symlinks=False)
    if stat.S_ISDIR(kind.st_mode):
        return list(_in_folder(path)), []
    if not stat.S_ISREG(kind.st_mode):
        raise Unreadable(KINDS.get(stat.S_IFMT(kind.st_mode), "is no plain file"))
    name = path.name.lower()
    if name.endswith(WANTED):
        return [Member(path.name, _reader(path))], []
    if not name.endswith(SUFFIXES):
        raise Unreadable("is no folder, .zip, .tar.gz, .py or .ipynb")
    if kind.st_size > MAX_ARCHIVE_BYTES:
        raise Unreadable(f"is larger than {MAX_ARCHIVE_BYTES >> 20} MiB")
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    file = stack.enter_context(os.fdopen(handle, "rb"))
    return _in_zip(file, stack) if name.endswith(".zip") else _in_tar(file, zipped=not name.endswith(".tar"))


def _in_folder(top: Path) -> Iterator[Member]:
    """The files of a folder; a link to a folder is not followed, one to a file is told as what it is."""
    stack = [(top, "", 0)]
    seen = 0
    while stack:
        folder, below, depth = stack.pop()
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        for entry in found:
            seen += 1
            if seen > MAX_MEMBERS:
                raise Unreadable(f"holds more than {MAX_MEMBERS:,} files")
            if entry.name.endswith(WANTED) and not entry.is_dir(follow_symlinks=False):
                yield Member(below + entry.name, _reader(folder / entry.name))
            elif depth < MAX_DEPTH and not is_stray(entry.name) and entry.is_dir(follow_symlinks=False):
                stack.append((folder / entry.name, f"{below}{entry.name}/", depth + 1))


def _reader(path: Path) -> Callable[[], bytes | str]:
    return lambda: read_plain_file(path, limit=limit_of(path.name))


def _in_zip(file: IO[bytes], stack: ExitStack) -> tuple[list[Member], list[str]]:
    _look_at_list(file)
    try:
        archive = stack.enter_context(zipfile.ZipFile(file))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error, OverflowError) as error:
        raise Unreadable(f"is no archive that can be opened: {error}") from error
    found: dict[str, Member] = {}
    outside = 0
    budget = _Budget()
    for info in archive.infolist():
        path = safe_path(info.filename)
        outside += path is None
        if path and path.endswith(WANTED) and not info.is_dir():
            found[path] = Member(path, lambda info=info: _from_zip(archive, info, budget))  # type: ignore[misc]
    return list(found.values()), _outside(outside)


def _look_at_list(file: IO[bytes]) -> None:
    """Refuses a zip whose list alone would fill the memory, before ``zipfile`` reads it.

    Raises:
        Unreadable: it is too long.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - (1 << 16) - 42))
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + 22:
        raise Unreadable("is no archive that can be opened: it has no list of its files, so it is cut off or no zip")
    entries, list_bytes = struct.unpack_from("<HI", tail, at + 10)
    if b"PK\6\7" in tail or entries > MAX_MEMBERS or list_bytes > MAX_LIST_BYTES:
        raise Unreadable(f"holds more than {MAX_MEMBERS:,} files")
    file.seek(0)


class _Budget:
    """How many bytes an archive may still unpack to."""

    def __init__(self) -> None:
        self.left = MAX_UNPACKED_BYTES


def _from_zip(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: _Budget) -> bytes | str:
    """One member's bytes, as many as it may have, whatever its header says."""
    kind = info.external_attr >> 16
    if stat.S_ISLNK(kind):
        return LINK
    if info.flag_bits & 1:
        return "is encrypted; send it without a password"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is packed in an unusual way; make an ordinary zip"  # others unpack without a limit on their memory
    limit = min(limit_of(info.filename), budget.left)
    try:
        with archive.open(info) as file:
            content = file.read(limit + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, OSError, zlib.error) as error:
        return f"cannot be unpacked: {error}"
    budget.left -= len(content)
    return too_large(info.filename) if len(content) > limit else content


class _Capped(io.RawIOBase):
    """A stream that ends in an error rather than unpack more than it may."""

    def __init__(self, inner: IO[bytes]) -> None:
        self._inner = inner
        self._left = MAX_UNPACKED_BYTES

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        most = self._left + 1
        content = self._inner.read(most if size < 0 else min(size, most))
        self._left -= len(content)
        if self._left < 0:
            raise Unreadable(f"unpacks to more than {MAX_UNPACKED_BYTES >> 20} MiB")
        return content


def _in_tar(file: IO[bytes], *, zipped: bool) -> tuple[list[Member], list[str]]:
    """The members of a tar, read in one pass, since a zipped one cannot be gone back in."""
    stream = _Capped(gzip.GzipFile(fileobj=file) if zipped else file)  # type: ignore[arg-type]
    found: dict[str, Member] = {}
    outside = 0
    try:
        with tarfile.open(fileobj=stream, mode="r|", errorlevel=1) as archive:
            for info in _bounded(archive):
                path = safe_path(info.name)
                outside += path is None
                if path and path.endswith(WANTED) and not info.isdir():
                    content = _from_tar(archive, info)
                    found[path] = Member(path, lambda content=content: content)  # type: ignore[misc]
    except Unreadable:
        raise
    except Exception as error:  # tarfile, gzip and zlib raise many kinds over a damaged file
        raise Unreadable(f"is no archive that can be opened: {error}") from error
    return list(found.values()), _outside(outside)


def _bounded(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members, as long as there are not too many and what is kept of them is not too much."""
    kept = 0
    for number, info in enumerate(archive):
        kept += info.size if info.name.endswith(WANTED) and info.size <= limit_of(info.name) else 0
        if number >= MAX_MEMBERS:
            raise Unreadable(f"holds more than {MAX_MEMBERS:,} files")
        if kept > MAX_KEPT_BYTES:
            raise Unreadable(f"holds more than {MAX_KEPT_BYTES >> 20} MiB of Python files")
        yield info


def _from_tar(archive: tarfile.TarFile, info: tarfile.TarInfo) -> bytes | str:
    if info.issym() or info.islnk():
        return LINK
    if not info.isreg():
        return "is no plain file"
    if info.size > limit_of(info.name):
        return too_large(info.name)
    file = archive.extractfile(info)
    return file.read() if file else "is no plain file"


def _outside(count: int) -> list[str]:
    if not count:
        return []
    names = "1 name leads" if count == 1 else f"{count} names lead"
    return [f"{names} out of the archive and {'was' if count == 1 else 'were'} left out"]
