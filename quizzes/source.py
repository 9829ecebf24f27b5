"""Reads a bank's bytes: regular files of a sane size, strict UTF-8, no characters that cannot be seen.

What is wrong here is E01 (characters) or E05 (size). Line ends of all kinds become newlines; numbers of lines
stay.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata

from quizzes.model import Place
from quizzes.problems import Problems
from quizzes.record import Record

# A question of four explained options is about 700 bytes, so this is some 3,000 of them; more is a mistake or worse.
MAX_BYTES = 2 * 1024 * 1024
# After that many bad characters the file is of another kind, and a longer list helps nobody.
MAX_SHOWN = 20

_NAMES = {
    "\x85": "a next-line character (U+0085)",
    "\u2028": "a line separator (U+2028)",
    "\u2029": "a paragraph separator (U+2029)",
    "\u200b": "a zero-width space (U+200B)",
    "\u2060": "a word joiner (U+2060)",
    "\ufeff": "a byte order mark inside the text (U+FEFF)",
}
# What nobody can see, or what turns the order of what can be seen; tags can spell out a whole hidden text.
HIDDEN = "\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff\U000e0000-\U000e007f"
_FORBIDDEN = f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{HIDDEN}]|^[ \t]*[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_CONTROL = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


class UnreadableError(Exception):
    """A path that no bank can be read from; the message says why, and what would do."""


class Source(Record, kw_only=False):
    """The text of a file, its lines for showing, and what was wrong with its characters."""

    name: str
    text: str
    lines: tuple[str, ...]
    problems: Problems


def read_bytes(path: str | os.PathLike[str], limit: int = MAX_BYTES) -> bytes:
    """Return the bytes of a regular file, at most one more than ``limit``; UnreadableError for anything else.

    The file is opened before it is looked at, without waiting, so that a pipe cannot hang us and a file
    cannot be swapped between the two steps.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except IsADirectoryError:
        raise UnreadableError(f"{path} is a folder; name a file in it") from None
    except FileNotFoundError:
        raise UnreadableError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableError(f"{path} cannot be read: {reason}") from None
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise UnreadableError(f"{path} is {_kind(mode)}, not a file; save the text to a file first")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read(limit + 1)
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)


def _kind(mode: int) -> str:
    for test, name in (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    ):
        if test(mode):
            return name
    return "something else"


def decode(data: bytes, name: str) -> Source:
    """Return the text of a bank's bytes, with a problem for each character that must not be there."""
    problems = Problems()
    if len(data) > MAX_BYTES:
        problems.add("E05", Place(1, 1), f"the file is larger than {MAX_BYTES} bytes", "split it into several banks")
        return Source(name, "", (), problems)
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            problems.add("E01", Place(1, 1), f"the file is {encoding}, not UTF-8", "save it as UTF-8")
            return Source(name, "", (), problems)
    if _is_utf_16(data):
        place = Place(1, data.index(0) + 1)
        problems.add("E01", place, "many bytes are 0: the file looks like UTF-16", "save it as UTF-8")
        return Source(name, "", (), problems)
    # Undecodable bytes become lone surrogates, which strict UTF-8 cannot hold: so each can be found and
    # placed.
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = tuple(text.split("\n"))
    if not text.isascii():
        _find_bad_bytes(problems, lines)
    if not problems:
        _find_forbidden(problems, text, lines)
    return Source(name, text, lines, problems)


def _is_utf_16(data: bytes) -> bool:
    """Tell whether many bytes are 0, and nearly all of them at every other place, as where text is UTF-16."""
    zeros = data.count(0)
    if not zeros or zeros < len(data) // 16:
        return False
    odd = data[1::2].count(0)
    return max(odd, zeros - odd) >= 0.9 * zeros


def _find_bad_bytes(problems: Problems, lines: tuple[str, ...]) -> None:
    for number, line in enumerate(lines, 1):
        for match in re.finditer("[\udc80-\udcff]", line):
            _report_byte(problems, Place(number, match.start() + 1), ord(match.group()) - 0xDC00)
            if len(problems) >= MAX_SHOWN:
                return


def _report_byte(problems: Problems, place: Place, byte: int) -> None:
    try:
        meant = bytes([byte]).decode("cp1252")
        message = f"byte 0x{byte:02X} is not UTF-8; the file looks like Windows-1252, where it is {meant!r}"
    except UnicodeDecodeError:
        message = f"byte 0x{byte:02X} is not UTF-8"
    problems.add("E01", place, message, "save the file as UTF-8")


def _find_forbidden(problems: Problems, text: str, lines: tuple[str, ...]) -> None:
    if text.isascii() and not re.search(_CONTROL, text):
        return
    for number, line in enumerate(lines, 1):
        for match in re.finditer(_FORBIDDEN, line):
            character = match.group()[-1]
            blank = character.isspace() and match.start() == 0 and character not in _NAMES
            fallback = f"{'a control' if unicodedata.category(character) == 'Cc' else 'an invisible'} character"
            name = _NAMES.get(character, f"{fallback} (U+{ord(character):04X})")
            message = f"{name} indents the line" if blank else f"{name} in the text"
            problems.add(
                "E01",
                Place(number, match.end()),
                message,
                "indent with ordinary spaces" if blank else "delete it",
            )
            if len(problems) >= MAX_SHOWN:
                return
