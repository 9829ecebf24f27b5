"""Compares texts that people type: both sides are brought to one form; nothing is accepted by likeness.

Likeness cannot tell a slip from the opposite claim ("is normalised", "is not normalised"), so a near miss
only earns the hint to look at the spelling, and costs no attempt.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from quizzes.model import TextMatch

MAX_ANSWER = 500
NEAR_LENGTH = 5  # a word of up to so many letters is another word after one change

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032`\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


def normalised(text: str, match: TextMatch) -> str:
    """Return the text in the form in which a question compares it."""
    if match.unicode != "exact":
        text = unicodedata.normalize("NFC" if match.unicode == "NFC" else "NFKC", text)
        # Soft hyphens, joiners and the like cannot be seen, and so cannot be typed back.
        text = text if text.isascii() else "".join(one for one in text if unicodedata.category(one) != "Cf")
    if match.quotes == "fold":
        text = text.translate(_QUOTES)
    if match.space == "remove":
        text = "".join(text.split())
    elif match.space == "collapse":
        text = " ".join(text.split())
    if match.case == "fold":
        text = text.casefold()
    return text


def plain(text: str) -> str:
    """Return the form in which two options are the same to a reader: spaces and kinds of quotes apart."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())


def is_near(typed: str, keys: Iterable[str]) -> bool:
    """Tell whether a text is one slip away from a key: a letter more, less, other, or two swapped."""
    return any(len(key) > NEAR_LENGTH and typed != key and _one_slip(typed, key) for key in keys)


def _one_slip(a: str, b: str) -> bool:
    if abs(len(a) - len(b)) > 1:
        return False
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    rest_a, rest_b = a[start:], b[start:]
    if len(a) == len(b):
        swapped = rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:]
        return rest_a[1:] == rest_b[1:] or swapped
    longer, shorter = (rest_a, rest_b) if len(a) > len(b) else (rest_b, rest_a)
    return longer[1:] == shorter
