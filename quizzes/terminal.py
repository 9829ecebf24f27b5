"""Makes text safe and fit for any terminal: no control characters, no encoding errors, wrapped to the width.

Leaves out colour and cursor movement on purpose: what is printed stays printed, in reading order.
"""

from __future__ import annotations

import unicodedata

# Bidirectional overrides change the order in which a line is shown, zero-width characters hide in it.
_HIDDEN = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200B, 0x2060, 0xFEFF, 0x061C, 0x200E, 0x200F}


def clean(text: str) -> str:
    """Return the text with tabs widened and every character that a terminal might obey shown as a code instead."""
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
    """Return how many columns the text takes: two for wide East Asian characters, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
