"""Makes text that came from a submission safe to show: no control character survives, and no length surprises."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

STEERING = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # categories of characters that steer a terminal, or hide
MOST_SHOWN = 10_000
COMMAND = re.compile(r"^[ \t]*:(?=:)|#(?=#\[)", re.MULTILINE)
ROOM = 4  # how much longer than what is shown a text may be because of its white space


def visible(text: str, keep: str = "") -> str:
    r"""The text with every character that steers a terminal, or hides, written out: ``\x1b``, ``\u202e``.

    Args:
        text: anything.
        keep: control characters to leave, such as a newline.
    """
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_shown(keep))


class _Shown(dict[int, str]):
    """How each character is shown, by its number; found out when it first comes up."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if len(self) >= MOST_SHOWN:
            self.clear()
        self[code] = shown = _written_out(code) if unicodedata.category(char) in STEERING else char
        return shown


@cache
def _shown(keep: str) -> _Shown:
    return _Shown((ord(char), char) for char in keep)


def _written_out(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def one_line(text: str, limit: int = 500) -> str:
    """A text on one line, cut at a length."""
    # Cut before it is looked at: a submission chooses how long it is, and the judge's own time has no limit.
    start = text[: ROOM * limit]
    return shorten(visible(" ".join(start.split())) + (" ..." if len(start) < len(text) else ""), limit)


def block(text: str, limit: int) -> str:
    """A text of several lines, cut at a length that is said."""
    start = text[:limit]
    shown = visible(start.replace("\r\n", "\n"), keep="\n\t")
    more = len(text) - len(start) + max(0, len(shown) - limit)
    return f"{shown[:limit]}\n... ({more} more characters)" if more else shown


def no_commands(text: str) -> str:
    """The text without what GitHub's runners take for commands in a log: ``::`` first in a line, ``##[`` anywhere."""
    return COMMAND.sub(r"\g<0> ", text)


def shorten(text: str, limit: int) -> str:
    """A text cut at a length, with dots where something is missing."""
    return text if len(text) <= limit else text[: max(0, limit - 4)].rstrip() + " ..."


def nearest(name: str, names: Iterable[str]) -> str:
    """Which of these names is near one that is none of them; empty if none is."""
    import difflib

    return next(iter(difflib.get_close_matches(name, list(names), 1)), "")


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a sentence about a name that is none of these: asks for the nearest, if one is near."""
    near = nearest(name, names)
    return f"; did you mean {near!r}?" if near else ""


def count(number: int, what: str) -> str:
    """A number of things: ``1 check``, ``2 checks``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def points(value: float) -> str:
    """Points without a needless decimal: ``6``, ``2.5``."""
    return f"{value:g}"
