"""The members of a tar, zipped or not, read in one pass whose cost its author cannot choose.

``tarfile`` and ``gzip`` take time that grows with the square of what a header holds, and memory for whatever it
announces. Here every byte is looked at once, headers are of bounded length, each and together, and of what they may
say only name, size and kind count.
"""

from __future__ import annotations

import gzip
import io
import stat
import zlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from grader.workflows.batch.faults import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

BLOCK = 512
CHUNK = 1 << 16
ZIPPED_CHUNK = 1 << 14  # what is left of one is copied after each read
MAX_PARTS = 1_000  # of a .gz, which may be several put together
MAX_HEADER_BYTES = 64 << 10
MAX_HEADERS_BYTES = 8 << 20
GZIP = b"\x1f\x8b"

MAX_DIGITS = 20
TOO_LONG = (
    f"has a header of more than {MAX_HEADER_BYTES >> 10} KiB, or more than {MAX_HEADERS_BYTES >> 20} MiB of headers; "
    "make an ordinary zip"
)
HOLES = "holds a file that is stored with holes, which is not read; make an ordinary zip"

ASCII = bytes(range(128))
REGULAR = (b"0", b"\0", b"7")
WITHOUT_DATA = {
    b"1": stat.S_IFLNK,
    b"2": stat.S_IFLNK,
    b"3": stat.S_IFCHR,
    b"4": stat.S_IFBLK,
    b"5": stat.S_IFDIR,
    b"6": stat.S_IFIFO,
}
LONG_NAME, SPARSE = b"L", b"S"
OF_NEXT = (b"x", b"X")
EXTENDED = (LONG_NAME, b"K", b"g", *OF_NEXT)  # K is of a link's target, g of all members


@dataclass(frozen=True, slots=True)
class Part:
    """One member.

    Attributes:
        name: as it stands there.
        kind: as ``stat`` has it; 0 for what is none of those.
        size: of its content in bytes.
    """

    name: str
    kind: int
    size: int


class Gunzipped(io.RawIOBase):
    """What a .gz holds, as it is asked for."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._rest = file.read(ZIPPED_CHUNK)
        if not self._rest.startswith(GZIP):
            raise gzip.BadGzipFile("no gzip")
        self._unzip = zlib.decompressobj(31)
        self._parts = 1
        self._over = False

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Reads; nothing at the end, be it followed by zeros or by what is no .gz.

        Raises:
            EOFError: it is cut off.
            Unreadable: it is made of too many parts.
        """
        while not self._over:
            packed = self._rest or self._file.read(ZIPPED_CHUNK)
            if self._unzip.eof and not self._next_part(packed):
                continue
            content = self._unzip.decompress(self._rest or packed, len(buffer))
            self._rest = self._unzip.unused_data if self._unzip.eof else self._unzip.unconsumed_tail
            if content:
                buffer[: len(content)] = content
                return len(content)
            if not packed and not self._unzip.eof:
                raise EOFError
        return 0

    def _next_part(self, packed: bytes) -> bool:
        """Begins with another .gz behind the one that has ended; False if what is there is none, or not yet one."""
        self._over = not packed
        self._rest = packed.lstrip(b"\0")
        if not self._rest:
            return False
        if not self._rest.startswith(GZIP[: len(self._rest)]):
            self._over = True
            return False
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise Unreadable(f"is made of more than {MAX_PARTS:,} .gz files; pack it in one go")
        self._unzip = zlib.decompressobj(31)
        return True


class Capped(io.RawIOBase):
    """A stream that ends in an error rather than give more than it may."""

    def __init__(self, inner: IO[bytes], most: int) -> None:
        self._inner = inner
        self._most = most
        self._left = most

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Reads.

        Raises:
            Unreadable: it is too much.
        """
        count: int = self._inner.readinto(buffer) or 0  # type: ignore[attr-defined]
        self._left -= count
        if self._left < 0:
            raise Unreadable(f"unpacks to more than {self._most >> 20} MiB")
        return count


def opened(file: IO[bytes], *, zipped: bool, most: int) -> IO[bytes]:
    """The bytes of a tar, no more than the most."""
    return io.BufferedReader(Capped(Gunzipped(file) if zipped else file, most), CHUNK)  # type: ignore[arg-type]


def parts(stream: IO[bytes], wanted: Callable[[Part], bool]) -> Iterator[tuple[Part, bytes]]:
    """The members of a tar, with the content of those that are wanted.

    Raises:
        EOFError: it is cut off.
        ValueError: it is damaged, or no tar.
        Unreadable: it holds what is not read.
    """
    told: dict[bytes, bytes] = {}
    left = MAX_HEADERS_BYTES
    block = stream.read(BLOCK)
    if len(block) < BLOCK:
        raise ValueError("no tar")
    while block.strip(b"\0"):
        kind, size = _looked_at(block)
        if kind in EXTENDED:
            left -= size
            if size > MAX_HEADER_BYTES or left < 0:
                raise Unreadable(TOO_LONG)
            content = _exactly(stream, size)
            _skip(stream, -size % BLOCK)
            told |= {b"path": content.rstrip(b"\0")} if kind == LONG_NAME else _records(content, kind)
        else:
            part = _part(block, told, kind, size)
            stored = 0 if kind in WITHOUT_DATA else part.size
            if wanted(part):
                yield part, _exactly(stream, stored)
                _skip(stream, -stored % BLOCK)
            else:
                _skip(stream, stored + -stored % BLOCK)
                yield part, b""
            told = {}
        block = stream.read(BLOCK)
        if 0 < len(block) < BLOCK:
            raise EOFError
    while stream.read(CHUNK):  # so that one that is cut off is told from one that is whole
        pass


def _looked_at(block: bytes) -> tuple[bytes, int]:
    """Kind and size in a header.

    Raises:
        ValueError: it is none.
        Unreadable: it is of a file with holes.
    """
    bare = block[:148] + b" " * 8 + block[156:]
    due = _number(block[148:156])
    total = sum(bare)
    if due not in (total, total - 256 * len(bare.translate(None, ASCII))):  # some add bytes up with a sign
        raise ValueError("no header")
    kind = block[156:157]
    if kind == SPARSE:
        raise Unreadable(HOLES)
    return kind, _number(block[124:136])


def _number(field: bytes) -> int:
    """A number in a header, in octal digits or, where it is large, in bytes.

    Raises:
        ValueError: it is none.
    """
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    return _not_negative(int(field.partition(b"\0")[0].strip() or b"0", 8))


def _not_negative(number: int) -> int:
    if number < 0:
        raise ValueError("below 0")
    return number


def _records(content: bytes, kind: bytes) -> dict[bytes, bytes]:
    """What an extended header says of the next member, as far as it matters: lines of length, name and value.

    Raises:
        ValueError: it is damaged.
        Unreadable: it is of a file with holes.
    """
    found: dict[bytes, bytes] = {}
    at = 0
    while kind in OF_NEXT and at < len(content):
        end = content.find(b" ", at, at + MAX_DIGITS)
        length = int(content[at:end]) if end > 0 else 0
        name, _, value = content[end + 1 : at + length - 1].partition(b"=")
        if name.startswith(b"GNU.sparse."):
            raise Unreadable(HOLES)
        if name in (b"path", b"size"):
            found[name] = value
        if length <= 0:
            raise ValueError("no extended header")
        at += length
    return found


def _part(block: bytes, told: Mapping[bytes, bytes], kind: bytes, size: int) -> Part:
    """The member that a header is of.

    Raises:
        ValueError: it is damaged.
    """
    name = block[:100].partition(b"\0")[0]
    if block[257:263] == b"ustar\0" and block[345:500].strip(b"\0"):
        name = block[345:500].partition(b"\0")[0] + b"/" + name
    name = told.get(b"path", name)
    if len(told.get(b"size", b"")) > MAX_DIGITS:
        raise ValueError("no size")
    folder = kind == b"\0" and name.endswith(b"/")  # as they were written before there were kinds
    what = stat.S_IFDIR if folder else stat.S_IFREG if kind in REGULAR else WITHOUT_DATA.get(kind, 0)
    return Part(name.decode("utf-8", "surrogateescape"), what, _not_negative(int(told.get(b"size", size))))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    content = stream.read(count)
    if len(content) < count:
        raise EOFError
    return content


def _skip(stream: IO[bytes], count: int) -> None:
    while count > 0:
        count -= len(_exactly(stream, min(count, CHUNK)))
