"""What an archive or a folder holds, as members to be read one by one: nothing is ever written to disk.

Every length is capped before it is believed: of the archive, of its list, of what it unpacks to. A member that is no
plain file, or whose name leads out of the archive, is named and left out.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import stat
import struct
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from grader.sandbox.submission import KINDS, MAX_FILE_BYTES, read_plain_file
from grader.text import one_line
from grader.workflows.batch import tars
from grader.workflows.batch.faults import Unreadable, Withheld

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
TOO_MANY = f"holds more than {MAX_MEMBERS:,} files"
SPENT = f"was left out: the files of a submission may hold {MAX_UNPACKED_BYTES >> 20} MiB together"
NOT_READ = "cannot be read"  # as read_plain_file begins where the system refuses


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a submission.

    Attributes:
        path: relative, with forward slashes.
        read: gives its bytes, or what is wrong with it as the rest of a sentence; raises ``Withheld``.
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
    return MAX_NOTEBOOK_BYTES if path.lower().endswith(".ipynb") else MAX_FILE_BYTES


def too_large(path: str) -> str:
    """What is said of a file beyond its limit."""
    return f"is larger than {limit_of(path) >> 20} MiB"


def is_stray(name: str) -> bool:
    """Whether a name is one of those that systems leave behind."""
    return name in STRAY or name.startswith(".")


def is_left_by_systems(path: str) -> bool:
    """Whether a file lies where systems and editors leave things, or is such a thing itself."""
    return any(map(is_stray, path.split("/")[:-1])) or is_shadow(path)


def is_shadow(path: str) -> bool:
    """Whether a file is what macOS writes beside one that lies on another system's disk, under nearly its name."""
    return path.rpartition("/")[2].startswith("._")


def safe_path(name: str) -> str | None:
    """A member's name as a relative path, None if it leads out of the archive."""
    path = name.replace("\\", "/")
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or (len(path) > 1 and path[1] == ":") or "\0" in path:
        return None
    return "/".join(part for part in parts if part not in ("", "."))


@dataclass(slots=True)
class Held:
    """What there is in a submission.

    Attributes:
        members: the Python files and notebooks.
        remarks: on what was left out.
        others: the names of other files, and of folders that are called like a file.
        withheld: the first folder that the disk did not give, with the reason; files may be in it.
    """

    members: list[Member] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    withheld: str = ""

    def note_other(self, path: str) -> None:
        """Keeps the name of what is neither Python file nor notebook."""
        if not any(map(is_stray, path.split("/"))):
            self.others.append(path)


class Budget:
    """How many bytes of a submission may still be read."""

    def __init__(self) -> None:
        self._left = MAX_UNPACKED_BYTES

    def use(self, content: bytes | str) -> bytes | str:
        """Content that was read; or what is wrong with it, where it is too much beside what was read before."""
        self._left -= len(content)
        return SPENT if self._left < 0 else content

    def __bool__(self) -> bool:
        return self._left >= 0


def is_wanted(path: str) -> bool:
    """Whether a name is that of a Python file or a notebook, in capitals too."""
    return path.lower().endswith(WANTED)


@contextmanager
def members_of(path: Path) -> Iterator[Held]:
    """What a folder, an archive or a single file holds.

    Raises:
        Unreadable: there is nothing to be had.
        Withheld: the disk does not give it.
    """
    with ExitStack() as stack:
        try:
            held = _held(path, stack)
        except OSError as error:
            raise _why(error) from error
        yield held


def _why(error: OSError) -> Unreadable | Withheld:
    """Whose fault it is that something cannot be read; the text is the rest of a sentence."""
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return Unreadable(LINK)
    return Withheld(f"{NOT_READ}: {error.strerror or error}")


def _held(path: Path, stack: ExitStack) -> Held:
    kind = os.stat(path, follow_symlinks=False)
    if stat.S_ISDIR(kind.st_mode):
        return _in_folder(path)
    if not stat.S_ISREG(kind.st_mode):
        raise Unreadable(KINDS.get(stat.S_IFMT(kind.st_mode), "is no plain file"))
    name = path.name.lower()
    if name.endswith(WANTED):
        return Held([Member(path.name, _reader(path, path.name, Budget()))])
    if not name.endswith(SUFFIXES):
        raise Unreadable("is no folder, .zip, .tar.gz, .py or .ipynb")
    if kind.st_size > MAX_ARCHIVE_BYTES:
        raise Unreadable(f"is larger than {MAX_ARCHIVE_BYTES >> 20} MiB")
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    file = stack.enter_context(io.BufferedReader(OnDisk(handle)))
    return _in_zip(file, stack) if name.endswith(".zip") else _in_tar(file, zipped=not name.endswith(".tar"))


class OnDisk(io.FileIO):
    """A file whose errors are the disk's, not to be taken for damage by whoever unpacks it."""

    def readinto(self, buffer: Any, /) -> int | None:
        """Reads, or says that the disk did not."""
        try:
            return super().readinto(buffer)
        except OSError as error:
            raise _why(error) from error

    def readall(self) -> bytes:
        """Reads all there is, or says that the disk did not give it."""
        try:
            return super().readall()
        except OSError as error:
            raise _why(error) from error


def _in_folder(top: Path) -> Held:
    """The files of a folder; a link to a folder is not followed, one to a file is told as what it is."""
    held = Held()
    budget = Budget()
    stack = [(top, "", 0)]
    seen = 0
    while stack:
        folder, below, depth = stack.pop()
        try:
            with os.scandir(folder) as entries:
                found = [(one.name, one.is_dir(follow_symlinks=False)) for one in islice(entries, MAX_MEMBERS + 1)]
        except OSError as error:
            if folder == top:
                raise
            held.withheld = held.withheld or f"{below} {_why(error)}"
            held.remarks.append(f"{below} {_why(error)}")
            continue
        seen += len(found)
        if seen > MAX_MEMBERS:
            raise Unreadable(TOO_MANY)
        for name, is_folder in sorted(found):
            path = below + name
            if is_shadow(name):
                continue
            if is_folder:
                if is_wanted(name):
                    held.note_other(f"{path}/")
                if depth < MAX_DEPTH and not is_stray(name):
                    stack.append((folder / name, f"{path}/", depth + 1))
            elif is_wanted(name):
                held.members.append(Member(path, _reader(folder / name, path, budget)))
            else:
                held.note_other(path)
    return held


def _reader(path: Path, shown: str, budget: Budget) -> Callable[[], bytes | str]:
    def read() -> bytes | str:
        if not budget:
            return SPENT
        content = read_plain_file(path, limit=limit_of(path.name))
        if isinstance(content, str) and content.startswith(NOT_READ):  # a plain file that the disk does not give
            raise Withheld(f"{shown} {content}")
        return budget.use(content)

    return read


def _in_zip(file: IO[bytes], stack: ExitStack) -> Held:
    _look_at_list(file)
    try:
        archive = stack.enter_context(zipfile.ZipFile(file))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error, OverflowError) as error:
        raise Unreadable(f"is no archive that can be opened: {_damage(error)}") from error
    found = _Found()
    budget = Budget()
    for info in archive.infolist():
        found.add(info.filename, lambda info=info: _from_zip(archive, info, budget), folder=info.is_dir())  # type: ignore[misc]
    return found.held()


def _damage(error: Exception) -> str:
    """What is wrong with an archive, for people who do not know how archives are made."""
    if isinstance(error, EOFError):
        return "it is cut off"
    if isinstance(error, gzip.BadGzipFile):
        return "it is damaged, or called .gz without being packed in that way"
    return "it is damaged"


class _Found:
    """The members of an archive as they are met."""

    def __init__(self) -> None:
        self._held = Held()
        self._members: dict[str, Member] = {}
        self._outside = 0
        self._twice: dict[str, None] = {}

    def add(self, name: str, read: Callable[[], bytes | str], *, folder: bool) -> None:
        """Adds one, as it is called in the archive; of two with one name the last counts, as when it is unpacked."""
        path = safe_path(name)
        self._outside += path is None
        if not path or is_left_by_systems(path):
            return
        if folder or not is_wanted(path):
            if not folder or is_wanted(path):
                self._held.note_other(f"{path}/" if folder else path)
            return
        if path in self._members:
            self._twice[path] = None
        self._members[path] = Member(path, read)

    def held(self) -> Held:
        """All of them, with remarks."""
        twice = [f"holds {one_line(path, 100)} more than once, and the last one counts" for path in self._twice]
        self._held.members += self._members.values()
        self._held.remarks += [*_outside(self._outside), *twice[:3]]
        return self._held


def _look_at_list(file: IO[bytes]) -> None:
    """Refuses a zip whose list alone would fill the memory, before ``zipfile`` reads it.

    Raises:
        Unreadable: it is too long.
    """
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - (1 << 16) - 42)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + 22:
        raise Unreadable("is no archive that can be opened: it has no list of its files, so it is cut off or no zip")
    entries, list_bytes = struct.unpack_from("<HI", tail, at + 10)
    told = [] if entries == 0xFFFF or list_bytes == 0xFFFFFFFF else [(entries, list_bytes)]
    if tail[max(0, at - 20) : at].startswith(b"PK\6\7"):  # a second, larger record: some programs always write one
        (place,) = struct.unpack_from("<Q", tail, at - 12)
        told += [*_large_list(file, place, size), *_large_list(file, start + at - 20 - 56, size)]
    if any(count > MAX_MEMBERS or length > MAX_LIST_BYTES for count, length in told or [(entries, list_bytes)]):
        raise Unreadable(TOO_MANY)
    file.seek(0)


def _large_list(file: IO[bytes], place: int, size: int) -> Iterator[tuple[int, int]]:
    """What the zip64 record at a place says of the list, if there is one: how many entries, and how many bytes."""
    if 0 <= place <= size - 56:
        file.seek(place)
        record = file.read(56)
        if record.startswith(b"PK\6\6"):
            yield struct.unpack_from("<QQ", record, 32)


def _from_zip(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes | str:
    """One member's bytes, as many as it may have, whatever its header says."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return KINDS.get(kind, "is no plain file")
    if info.flag_bits & 1:
        return "is encrypted; send it without a password"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is packed in an unusual way; make an ordinary zip"  # others unpack without a limit on their memory
    if not budget:
        return SPENT
    limit = limit_of(info.filename)
    try:
        with archive.open(info) as file:
            content = file.read(limit + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, OSError, zlib.error) as error:
        return f"cannot be unpacked: {_damage(error)}"
    left = budget.use(content)
    return too_large(info.filename) if len(content) > limit else left


def _in_tar(file: IO[bytes], *, zipped: bool) -> Held:
    """The members of a tar, read in one pass, since a zipped one cannot be gone back in."""
    found = _Found()
    wanted = _Wanted()
    try:
        for part, content in tars.parts(tars.opened(file, zipped=zipped, most=MAX_UNPACKED_BYTES), wanted):
            got: bytes | str = content
            if part.kind != stat.S_IFREG:
                got = KINDS.get(part.kind, "is no plain file")
            elif part.size > limit_of(part.name):
                got = too_large(part.name)
            found.add(part.name, lambda got=got: got, folder=part.kind == stat.S_IFDIR)  # type: ignore[misc]
    except (EOFError, ValueError, OSError, zlib.error) as error:
        why = "it is cut off, damaged or no tar" if isinstance(error, ValueError) else _damage(error)
        raise Unreadable(f"is no archive that can be opened: {why}") from error
    return found.held()


class _Wanted:
    """Says which members of a tar are read, as long as there are not too many and they are not too much."""

    def __init__(self) -> None:
        self._count = 0
        self._kept = 0

    def __call__(self, part: tars.Part) -> bool:
        wanted = part.kind == stat.S_IFREG and is_wanted(part.name) and part.size <= limit_of(part.name)
        wanted = wanted and not is_left_by_systems(safe_path(part.name) or "")
        self._count += 1
        self._kept += part.size if wanted else 0
        if self._count > MAX_MEMBERS:
            raise Unreadable(TOO_MANY)
        if self._kept > MAX_KEPT_BYTES:
            raise Unreadable(f"holds more than {MAX_KEPT_BYTES >> 20} MiB of Python files")
        return wanted


def _outside(count: int) -> list[str]:
    if not count:
        return []
    names = "1 name leads" if count == 1 else f"{count} names lead"
    return [f"{names} out of the archive and {'was' if count == 1 else 'were'} left out"]
