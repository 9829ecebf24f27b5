"""Regular expressions that accept texts: which are safe to try on an answer, and which can accept one at all."""

from __future__ import annotations

import math
import re
import re._parser as _syntax  # type: ignore[import-not-found]  # what re itself uses, and has loaded
import warnings
from typing import TYPE_CHECKING, Any

from quizzes.text import MAX_ANSWER, normalised

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from quizzes.model import TextMatch

MAX_PATTERN = 200


class PatternError(ValueError):
    """A pattern that must not be used; the message is fit for its author."""


# How many texts made from a pattern are looked at before it counts as one that something may fit.
MAX_SAMPLES = 200
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
    if lost := _lost(tree, ready, match):
        evened = normalised(lost, match)
        raise PatternError(
            f"`{pattern}` can accept nothing: the answer `{lost}` is compared as `{evened}`, so write that"
        )
    return ready


def _is_dead(tree: Any, before: tuple[int, int] = (0, 0), after: tuple[int, int] = (0, 0)) -> bool:
    """Tell whether nothing can fit a pattern with so many characters, at least and at most, before and after it.

    That is so where a beginning stands after something, an end before something, or a look ahead or back where
    there is less than it wants to see. What takes more than widths to know is not found.
    """
    for index, (code, argument) in enumerate(tree):
        left = _sum(before, tree[:index].getwidth())
        right = _sum(after, tree[index + 1 :].getwidth())
        match str(code):
            case "AT":
                kind = str(argument)
                dead = (left[0] > 0 and "BEGINNING" in kind) or (right[0] > 0 and kind.startswith("AT_END"))
            case "SUBPATTERN":
                dead = _is_dead(argument[-1], left, right)
            case "ATOMIC_GROUP":
                dead = _is_dead(argument, left, right)
            case "BRANCH":
                dead = all(_is_dead(branch, left, right) for branch in argument[1])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                dead = argument[0] > 0 and _is_dead(argument[2], (left[0], MAX_ANSWER), (right[0], MAX_ANSWER))
            case "ASSERT":
                ahead = argument[0] > 0
                dead = argument[1].getwidth()[0] > (right if ahead else left)[1]
            case _:
                dead = False
        if dead:
            return True
    return False


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]


def _lost(tree: Any, ready: re.Pattern[str], match: TextMatch) -> str:
    """Return a text that a pattern is made for, where such texts no longer fit once they are evened out.

    Answers are evened out, patterns are not: in a pattern a dash may be part of a range, and a letter may be what
    `?` makes optional, so nothing in it can be exchanged safely. Where there is doubt, nothing is returned.
    """
    first = ""
    for count, sample in enumerate(_samples(tree, match)):
        fits_only_as_typed = ready.fullmatch(sample) and not ready.fullmatch(normalised(sample, match))
        if not fits_only_as_typed or count == MAX_SAMPLES:
            return ""
        first = first or sample
    return first


def _samples(tree: Any, match: TextMatch) -> Iterator[str]:
    """Give texts that a pattern is made for: each alternative, each repetition at its least and once more."""
    if not tree:
        yield ""
        return
    code, argument = tree[0]
    for piece in _pieces(str(code), argument, match):
        for rest in _samples(tree[1:], match):
            yield piece + rest


def _pieces(code: str, argument: Any, match: TextMatch) -> Iterator[str]:
    match code:
        case "LITERAL":
            yield chr(argument)
        case "IN":
            yield from _member(argument, match)
        case "ANY" | "NOT_LITERAL":
            yield "y" if argument == ord("x") else "x"
        case "SUBPATTERN":
            yield from _samples(argument[-1], match)
        case "ATOMIC_GROUP":
            yield from _samples(argument, match)
        case "BRANCH":
            for branch in argument[1]:
                yield from _samples(branch, match)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, body = argument
            for count in (low, low + 1):
                if count == 0:
                    yield ""
                elif count <= high and count * body.getwidth()[0] <= MAX_ANSWER:
                    yield from (one * count for one in _samples(body, match))
        case _:
            yield ""  # anchors and looks around take no room


# One character of each class, and the class.
_CLASSES = {
    "CATEGORY_SPACE": (" ", r"\s"), "CATEGORY_NOT_SPACE": ("x", r"\S"), "CATEGORY_DIGIT": ("0", r"\d"),
    "CATEGORY_NOT_DIGIT": ("x", r"\D"), "CATEGORY_WORD": ("x", r"\w"), "CATEGORY_NOT_WORD": ("-", r"\W"),
}  # fmt: skip
# How far a range is searched for a character that evening out leaves alone.
_FAR = 200


def _member(items: Any, match: TextMatch) -> list[str]:
    """Return a character of a set, one that evening out leaves alone if there is any."""
    if str(items[0][0]) == "NEGATE":
        found = [one for one in "x0-. " if not any(_is_in(one, item) for item in items[1:])]
    else:
        found = [one for item in items for one in _members(item)]
    return sorted(found, key=lambda one: normalised(one, match) not in {one, one.casefold()})[:1]


def _members(item: tuple[object, Any]) -> str:
    code, argument = str(item[0]), item[1]
    if code == "LITERAL":
        return chr(argument)
    if code == "RANGE":
        return "".join(map(chr, range(argument[0], min(argument[1], argument[0] + _FAR) + 1)))
    return _CLASSES[str(argument)][0]


def _is_in(character: str, item: tuple[object, Any]) -> bool:
    if str(item[0]) == "CATEGORY":
        return bool(re.match(_CLASSES[str(item[1])][1], character))
    low, high = item[1] if str(item[0]) == "RANGE" else (item[1], item[1])
    return bool(low <= ord(character) <= high)


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
