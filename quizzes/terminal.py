"""Makes text safe and fit for any terminal: no control characters, no encoding errors, wrapped to the width.

Leaves out colour and cursor movement on purpose: what is printed stays printed, in reading order.
"""

from __future__ import annotations

import unicodedata

# Bidirectional overrides change the order in which a line is shown, zero-width characters hide in it.
_HIDDEN = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200B, 0x2060, 0xFEFF, 0x061C, 0x200E, 0x200F}


def clean(text: str) -> str:
    """Return the text with tabs widened and each character that a terminal might obey shown as a code."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text.expandtabs(4))


def clean_line(text: str) -> str:
    """Like :func:`clean`, on one line: a newline becomes a space."""
    return clean(text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ").replace("\t", " "))


def _shown(character: str) -> str:
    if character == "\n":
        return character
    code = ord(character)
    if code in _HIDDEN or unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}:
        return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
    return character


def width(text: str) -> int:
    """Return how many columns the text takes: two for wide characters, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text: str, columns: int, indent: str = "", first: str | None = None) -> list[str]:
    """Return the text in lines of at most so many columns, each indented, the first by ``first`` if given.

    All three are made safe: what a line begins with may be a name from a log.
    Line breaks and inner spaces stay as written; a line that is too long breaks at a space, and a word that
    is too long breaks where it must. A broken line's rest starts under the line's own indentation.
    """
    out: list[str] = []
    indent, first = clean_line(indent), first if first is None else clean_line(first)
    for line in clean(text).split("\n"):
        lead = line[: len(line) - len(line.lstrip(" "))]
        rest = line
        while True:
            head = indent if out or first is None else first
            room = max(columns - width(head), 8)
            piece, rest = _split(rest, room)
            out.append((head + piece).rstrip())
            if not rest:
                break
            rest = (lead if len(lead) < room // 2 else "") + rest
    return out


def _split(line: str, room: int) -> tuple[str, str]:
    """Return what of a line fits, and the rest."""
    if width(line) <= room:
        return line, ""
    used = end = 0
    for character in line:
        used += _columns(character)
        if used > room:
            break
        end += 1
    space = line.rfind(" ", 1, end + 1)
    if space <= 0 or not line[:space].strip():
        return line[: max(end, 1)], line[max(end, 1) :]
    return line[:space], line[space:].lstrip(" ")


# What to print where an encoding lacks a character; everything else becomes a question mark.
_PLAINER = {
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2212": "-",
    "\u2026": "...", "\u00d7": "x", "\u00b7": ".", "\u22c5": ".", "\u2192": "->", "\u2190": "<-",
    "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u2248": "~", "\u221a": "sqrt", "\u221e": "inf",
    "\u00a0": " ", "\u00b2": "^2", "\u00b3": "^3", "\u1d40": "^T", "\u22a4": "^T", "\u03b1": "alpha",
    "\u03b2": "beta", "\u03b8": "theta", "\u03c3": "sigma", "\u2211": "sum",
}  # fmt: skip


def plainer(error: UnicodeError) -> tuple[str, int]:
    """Stand in for characters that a stream's encoding lacks; for :func:`codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = "".join(_PLAINER.get(character, "?") for character in error.object[error.start : error.end])
    return text, error.end
