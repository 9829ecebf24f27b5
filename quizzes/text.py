"""Compares texts that people type: both sides are brought to one form; nothing is accepted by likeness.

Likeness cannot tell a slip from the opposite claim ("is normalised", "is not normalised"), so a near miss
only earns the hint to look at the spelling, and costs no attempt.
"""

from __future__ import annotations

import math
import re
import re._parser as _syntax  # type: ignore[import-not-found]  # what re itself uses, and has loaded
import unicodedata
import warnings
from typing import TYPE_CHECKING, Any

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


# Regular expressions

MAX_PATTERN = 200


class PatternError(ValueError):
    """A pattern that must not be used; the message is fit for its author."""


# How many ways a pattern may be tried on an answer before it counts as unsafe; each takes well under a
# microsecond.
MAX_WAYS = 1_000_000


def compiled(pattern: str, match: TextMatch) -> re.Pattern[str]:
    """Return the pattern, to match a whole normalised answer; PatternError if it is invalid or unsafe."""
    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"a pattern of {len(pattern)} characters; {MAX_PATTERN} are the most")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ready = re.compile(pattern, re.IGNORECASE if match.case == "fold" else 0)
            tree = _syntax.parse(pattern)
            ways = _ways(tree)
            dead = tree.getwidth()[1] == 0 or _is_dead(tree)
    except (re.error, OverflowError, RecursionError, ValueError, Warning) as error:
        raise PatternError(f"`{pattern}` is not a usable regular expression: {error}") from None
    if ways > math.log(MAX_WAYS):
        raise PatternError(f"`{pattern}` could take for ever: too many repetitions, or one inside another")
    if dead:
        raise PatternError(f"`{pattern}` can accept nothing: no answer fits it as a whole")
    if ready.fullmatch(""):
        raise PatternError(f"`{pattern}` accepts an empty answer")
    return ready


def _is_dead(tree: Any, before: int = 0, after: int = 0, room: int = 0) -> bool:
    """Tell whether nothing can fit a pattern with at least so many characters before and after it, ``room`` at most.

    That is so where a beginning stands after something, an end before something, or a look ahead before less
    than it wants to see. What takes more than widths to know is not found.
    """
    for index, (code, argument) in enumerate(tree):
        left, (right, most) = before + tree[:index].getwidth()[0], tree[index + 1 :].getwidth()
        right, most = right + after, int(most) + room
        match str(code):
            case "AT":
                dead = (left > 0 and "BEGINNING" in str(argument)) or (right > 0 and str(argument).startswith("AT_END"))
            case "SUBPATTERN":
                dead = _is_dead(argument[-1], left, right, most)
            case "ATOMIC_GROUP":
                dead = _is_dead(argument, left, right, most)
            case "BRANCH":
                dead = all(_is_dead(branch, left, right, most) for branch in argument[1])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                dead = argument[0] > 0 and _is_dead(argument[2], left, right, MAX_ANSWER)
            case "ASSERT":
                dead = argument[0] > 0 and argument[1].getwidth()[0] > most
            case _:
                dead = False
        if dead:
            return True
    return False


def _ways(tree: Iterable[tuple[object, Any]]) -> float:
    """Return the logarithm of the number of ways in which a pattern could be tried on the longest answer.

    Backtracking visits at most that many: a repetition multiplies by its span and, for each turn, by what its
    body can do; so a repetition inside a repetition, and a long row of optional parts, come out huge, and a
    single one does not.
    """
    total = 0.0
    for code, argument in tree:
        match str(code):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                low, high, body = argument
                high = min(int(high), MAX_ANSWER)
                total += math.log(max(high - int(low), 0) + 1) + high * _ways(body)
            case "BRANCH":
                total += math.log(sum(math.exp(min(_ways(branch), 50)) for branch in argument[1]))
            case "SUBPATTERN" | "ASSERT" | "ASSERT_NOT":
                total += _ways(argument[-1])
            case "ATOMIC_GROUP":
                total += _ways(argument)
            case "GROUPREF" | "GROUPREF_EXISTS":
                raise ValueError("it refers back to a group")
    return total
