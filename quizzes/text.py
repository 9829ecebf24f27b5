"""Compares texts that people type: both sides are brought to one form; nothing is accepted by likeness.

Likeness cannot tell a slip from the opposite claim ("is normalised", "is not normalised"), so a near miss
only earns the hint to look at the spelling, and costs no attempt.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import TYPE_CHECKING

from quizzes.model import TextMatch

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_ANSWER = 500
NEAR_LENGTH = 5  # a word of up to so many letters is another word after one change
_BETWEEN_WORDS = " -'"  # what words that belong together may have between and in them

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032`\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys(DASHES, "-"),
    }
)

_AS_READ = TextMatch(case="exact")

# Format characters are not drawn, but for the signs before Arabic, Syriac and Kaithi numbers.
_DRAWN = "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]"
# Marks, letters and signs that are not drawn either: the grapheme joiner, fillers of Hangul, vowels of Khmer,
# selectors of a variant, the empty cell of braille.
_EMPTY = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
_RAISED = "[\u207a\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+"


def is_invisible(character: str) -> bool:
    """Tell whether nobody can see a character; spaces are none of these."""
    if unicodedata.category(character) == "Cf":
        return not re.match(_DRAWN, character)
    return bool(re.match(_EMPTY, character))


def visible(text: str) -> str:
    """Return the text without what cannot be seen, and so cannot be told apart or typed back."""
    return text if text.isascii() else "".join(one for one in text if not is_invisible(one))


def normalised(text: str, match: TextMatch) -> str:
    """Return the text in the form in which a question compares it.

    One step can undo another: NFKC makes a space and a mark of an accent, and without the space the mark joins the
    letter before it. So the steps are taken until nothing changes.
    """
    while (evened := _evened_out(text, match)) != text:
        text = evened
    return text


def _evened_out(text: str, match: TextMatch) -> str:
    # Quotes come first, for NFKC takes some of them apart.
    if match.quotes == "fold":
        text = text.translate(_QUOTES)
    if match.unicode != "exact" and not text.isascii():
        text = unicodedata.normalize("NFC" if match.unicode == "NFC" else "NFKC", visible(text))
    if match.space == "remove":
        text = "".join(text.split())
    elif match.space == "collapse":
        text = " ".join(text.split())
    return text.casefold() if match.case == "fold" else text


def plain(text: str) -> str:
    """Return the form in which two options are the same to a reader.

    Kinds of spaces and quotes are made one, and what cannot be seen is left out, also where it is right: a joiner
    within an emoji or a Persian word is no difference that a reader could go by.
    """
    return normalised(text, _AS_READ)


def raised(text: str) -> str:
    """Return the text with raised digits as they are typed on most keyboards: after a circumflex."""
    return re.sub(_RAISED, lambda found: f"^{unicodedata.normalize('NFKC', found[0])}", text)


def bare(text: str) -> str:
    """Return a text without what people put around a word: quotes, code marks, dollars, a point at its end."""
    while (shorter := _without_wrapping(text)) != text:
        text = shorter
    return text


def _without_wrapping(text: str) -> str:
    found = re.fullmatch(r"""(['"`$])((?:(?!\1).)+)\1|(.*[^.\s])\s?\.""", text.strip(), re.DOTALL)
    return found[2] or found[3] if found else text


def is_near(typed: str, keys: Iterable[str]) -> bool:
    """Tell whether a text is one slip away from a key: a letter of its words more, less, other, or two swapped.

    A space may be too many or missing. Another digit or sign, or another name in a formula, is no slip: ``O(n^3)`` is
    another claim than ``O(n^2)``, and so is ``d_v`` than ``d_k``.
    """
    return any(_one_slip(typed, key) for key in keys)


def _one_slip(typed: str, key: str) -> bool:
    before = _common_start(typed, key)
    rest, wanted = typed.removeprefix(before), key.removeprefix(before)
    after = _common_start(rest[::-1], wanted[::-1])[::-1]
    rest, wanted = rest.removesuffix(after), wanted.removesuffix(after)
    swapped = len(rest) == 2 and rest == wanted[::-1]
    if not swapped and {len(rest), len(wanted)} not in ({0, 1}, {1}):
        return False
    if not all(one.isalpha() or one == " " for one in rest + wanted):
        return False
    words = _words(before[::-1]) + _words(wanted) + _words(after)
    return sum(map(str.isalpha, words)) > NEAR_LENGTH


def _common_start(a: str, b: str) -> str:
    return "".join(one for one, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _words(text: str) -> str:
    """Return the words that a text begins with, up to the first sign or digit."""
    return "".join(itertools.takewhile(lambda one: one.isalpha() or one in _BETWEEN_WORDS, text))
