"""Builds questions in the shape of a bank's file from the weights, tolerances and pairs of foreign formats.

Other programs allow what a bank refuses (ranges that overlap with different credit, weights that reward
choosing everything, two lefts with one right). Each is turned into the nearest that means the same, with a
remark where it does not quite, or refused with :class:`~quizzes.formats.intake.UnfitError`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from quizzes import model
from quizzes.formats.credits import is_net
from quizzes.formats.intake import UnfitError
from quizzes.numeric import MAX_EXPONENT, MAX_LENGTH, NumberError, authored, digits
from quizzes.rules import BLANK
from quizzes.text import normalised, plain

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

FULL, NONE = model.FULL, model.NONE

# Wide enough apart that nobody types a number between, narrow enough that no answer changes sides.
EDGE = Decimal("1e-9")

MAX_ANSWERS = 500

_STAR = re.compile(r"(?<!\\)\*")

# Wildcards in one text; the engine refuses patterns that could be tried in more ways.
_MOST_STARS = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer as most formats have it: a text, what it earns in percent, what is said to who gives it."""

    text: str
    credit: Decimal = NONE
    why: str = ""


def percent(text: str) -> Decimal:
    """Return a weight; UnfitError if it is none."""
    try:
        value = Decimal(text.strip() or "0")
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite() or abs(value) > FULL:
        raise UnfitError(f"the weight `{text[:30]}` is no number from -100 to 100")
    return value


def countable(answers: Sized) -> None:
    """Refuse a question with more answers than anybody would read; UnfitError says so."""
    if len(answers) > MAX_ANSWERS:
        raise UnfitError(f"{len(answers)} answers; {MAX_ANSWERS} are the most")


# Choosing


def one_of(choices: Sequence[Choice], remarks: list[str]) -> dict[str, Any]:
    """Return a question in which one option is chosen."""
    countable(choices)
    right = [choice for choice in choices if choice.credit >= FULL]
    if len(right) > 1:
        remarks.append(f"{len(right)} options are right; it became a question in which all of them are to be chosen")
        return {
            "type": "multiple",
            "grading": "net",
            "options": [_option(one, correct=one.credit >= FULL) for one in choices],
        }
    if not right:
        raise UnfitError("no option earns 100 percent; one must be right")
    return {"type": "single", "options": options(choices)}


def options(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    """Return the options of a choice of one, with their credits where they are not all or nothing."""
    countable(choices)
    out = []
    for choice in choices:
        option = _option(choice, correct=choice.credit >= FULL)
        if choice.credit not in {FULL, NONE}:
            option["credit"] = digits(choice.credit)
        out.append(option)
    return out


def some_of(choices: Sequence[Choice], remarks: list[str]) -> dict[str, Any]:
    """Return a question in which several options are chosen and their weights add up."""
    countable(choices)
    marked = [(choice.credit > 0, choice.credit) for choice in choices]
    right = [credit for correct, credit in marked if correct]
    if not right:
        raise UnfitError("no option has a weight above 0; one must be right")
    bare = [_option(choice, correct=choice.credit > 0) for choice in choices]
    question = {"type": "multiple", "grading": "net", "options": bare}
    if is_net(marked):
        return question
    if _is_even(marked):
        return question | {"grading": "weights"}
    total = sum(right, NONE)
    everything = sum((credit for _, credit in marked), NONE)
    if abs(total - FULL) > Decimal("0.1"):
        remarks.append(f"the weights of the right options add up to {digits(total)}, not 100; graded `net` instead")
        return question
    if everything > Decimal("99.9"):
        remarks.append("choosing every option would earn everything; graded `net` instead")
        return question
    if total + max((credit for correct, credit in marked if not correct), default=-FULL) >= Decimal("99.9"):
        remarks.append("choosing a wrong option too would earn everything; graded `net` instead")
        return question
    for option, (_, credit) in zip(bare, marked, strict=True):
        option["credit"] = digits(credit)
    return question | {"grading": "weights"}


def _is_even(marked: Sequence[tuple[bool, Decimal]]) -> bool:
    """Tell whether the weights are those that `grading: weights` has where none is written."""
    right = sum(correct for correct, _ in marked)
    wrong = len(marked) - right
    shares = {True: FULL / right, False: -FULL / max(wrong, 1)}
    return wrong > 0 and all(abs(credit - shares[correct]) < Decimal("0.001") for correct, credit in marked)


def _option(choice: Choice, *, correct: bool) -> dict[str, Any]:
    return {"text": choice.text, "correct": correct or None, "why": choice.why}


# Typing a text


def text_rule(choices: Sequence[Choice], remarks: list[str], *, case: bool = False) -> dict[str, Any]:
    r"""Return the rule for a typed text. ``*`` stands for anything, ``\*`` for itself."""
    countable(choices)
    accept: list[dict[str, Any]] = []
    otherwise = ""
    match = model.TextMatch(case="exact" if case else "fold")
    seen: set[str] = set()
    for choice in sorted(choices, key=lambda one: _STAR.search(one.text) is not None):  # patterns last
        pieces = _STAR.split(choice.text)
        literal = choice.text.replace("\\*", "*")
        if choice.text.strip() == "*" and choice.credit <= 0:
            otherwise = otherwise or choice.why
            continue
        form = normalised(choice.text, match)
        if form in seen:
            remarks.append(f"`{literal[:40]}` is accepted twice; the first counts")
            continue
        seen.add(form)
        key: dict[str, Any] = {"is": literal}
        if len(pieces) > 1:
            if len(pieces) - 1 > _MOST_STARS:
                raise UnfitError(f"`{choice.text[:40]}` has {len(pieces) - 1} wildcards; {_MOST_STARS} are the most")
            key = {"regex": _pattern(pieces, match)}
        if choice.credit != FULL:
            key["credit"] = digits(max(choice.credit, NONE))
        accept.append(key | {"why": choice.why})
    if not accept:
        raise UnfitError("no text is accepted; at least one answer must be right")
    return {
        "type": "text",
        "accept": accept,
        "match": {"case": "exact"} if case else {},
        "otherwise": otherwise,
    }


def _pattern(pieces: Sequence[str], match: model.TextMatch) -> str:
    """Return a wildcard text as a pattern, evened out as the answers are on which it is tried."""
    even = model.TextMatch(case=match.case, space="exact")
    plain_pieces = [re.sub(r"\s+", " ", normalised(piece.replace("\\*", "*"), even)) for piece in pieces]
    pattern = ".*".join(re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", piece) for piece in plain_pieces)
    return ".+" if pattern in {".*", ".*.*"} else pattern


# Typing a number


@dataclass(frozen=True, slots=True)
class Span:
    """The numbers that count as one answer, both ends included."""

    low: Decimal
    high: Decimal
    credit: Decimal = FULL
    why: str = ""
    value: str = ""  # as written, while the span is what was written
    margin: str = ""

    def data(self) -> dict[str, Any]:
        """Return the span as an answer of a bank."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        answer: dict[str, Any] = {"value": self.value or digits(middle), "abs": self.margin or digits(half)}
        if self.credit != FULL:
            answer["credit"] = digits(max(self.credit, NONE))
        return answer | {"why": self.why}


def number(text: str) -> Decimal:
    """Return a number that a foreign file has; UnfitError if it is none."""
    short = text.strip().replace("\u2212", "-")
    try:
        value = Decimal(short) if len(short) <= MAX_LENGTH else Decimal("nan")
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite() or (value and abs(value.adjusted()) > MAX_EXPONENT):
        hint = "; the decimal sign is a point" if re.fullmatch(r"[+-]?\d+,\d+", short) else ""
        raise UnfitError(f"`{text.strip()[:40]}` is no number{hint}; a number such as 3, 0.125 or -1e-4 is expected")
    return value


def around(value: str, margin: str, credit: Decimal = FULL, why: str = "") -> Span:
    """Return the numbers that are at most ``margin`` from a value."""
    middle, half = number(value), number(margin or "0")
    if half < 0:
        raise UnfitError(f"the tolerance `{margin.strip()[:40]}` is below 0; 0 or more is expected")
    return Span(middle - half, middle + half, credit, why, _written(value, middle), _written(margin or "0", half))


def between(low: str, high: str, credit: Decimal = FULL, why: str = "") -> Span:
    """Return the numbers from ``low`` to ``high``."""
    first, last = number(low), number(high)
    if last < first:
        raise UnfitError(f"the range {low.strip()[:30]}..{high.strip()[:30]} ends before it begins")
    return Span(first, last, credit, why)


def _written(text: str, value: Decimal) -> str:
    """Return a number with the digits that its author wrote, if a bank takes them so."""
    try:
        return authored(text.strip()).text
    except NumberError:
        return digits(value)


def number_rule(spans: Sequence[Span], otherwise: str = "", unit: str = "") -> dict[str, Any]:
    """Return the rule for a typed number. Where spans overlap, the narrower one keeps what both have."""
    countable(spans)
    kept: list[Span] = []
    # Full marks for a value and some for its neighbourhood are written in either order.
    for span in sorted(spans, key=lambda one: (one.high - one.low, -one.credit)) if _clash(spans) else spans:
        rest = [span]
        for earlier in kept:
            if earlier.credit != span.credit:
                rest = [piece for one in rest for piece in _without(one, earlier)]
        kept += rest
    if not kept:
        raise UnfitError("no number is accepted; at least one answer must be right")
    answers = [span.data() for span in kept]
    return {"type": "numeric", "answers": answers, "unit": unit, "otherwise": otherwise}


def _clash(spans: Sequence[Span]) -> bool:
    """Tell whether a number would earn this by one answer and that by another."""
    ordered = sorted(spans, key=lambda one: one.low)
    reach: dict[Decimal, Decimal] = {}
    for span in ordered:
        if any(high >= span.low for credit, high in reach.items() if credit != span.credit):
            return True
        reach[span.credit] = max(reach.get(span.credit, span.high), span.high)
    return False


def _without(span: Span, taken: Span) -> list[Span]:
    if span.high < taken.low or taken.high < span.low:
        return [span]
    edge = max(EDGE * max(abs(taken.low), abs(taken.high), Decimal(1)), Decimal("1e-30"))
    out = []
    if span.low < taken.low - edge:
        out.append(replace(span, high=taken.low - edge, value="", margin=""))
    if span.high > taken.high + edge:
        out.append(replace(span, low=taken.high + edge, value="", margin=""))
    return out


# Pairs


def pairs_of(pairs: Sequence[tuple[str, str]], prompt: str, remarks: list[str]) -> dict[str, Any]:
    """Return a match of pairs; a pair without a left is a distractor. Equal rights make it a cloze."""
    countable(pairs)
    whole = [(left, right) for left, right in pairs if left.strip()]
    spare = list(dict.fromkeys(right for left, right in pairs if not left.strip()))
    if len(whole) < 2:
        raise UnfitError(f"a match of {len(whole)} pair{'s' * (len(whole) != 1)}; at least two are expected")
    rights = {plain(right): right for _, right in whole}
    spare = [one for one in spare if plain(one) not in rights]
    if len(rights) == len(whole):
        return {
            "type": "match",
            "prompt": prompt,
            "pairs": [{"left": left, "right": right} for left, right in whole],
            "distractors": spare,
        }
    remarks.append("two pairs have the same right side; it became a text with a choice for each")
    lines, blanks = [], {}
    for index, (left, right) in enumerate(whole, 1):
        lines.append(f"{no_blanks(left)}: [[b{index}]]")
        listed = [*rights.values(), *spare]
        blanks[f"b{index}"] = {
            "type": "choice",
            "options": [{"text": one, "correct": plain(one) == plain(right) or None} for one in listed],
        }
    return {"type": "cloze", "prompt": "\n".join([no_blanks(prompt), "", *lines]), "blanks": blanks}


def no_blanks(text: str) -> str:
    """Return a text that a cloze question does not take for one of its blanks."""
    return BLANK.sub(r"[ [\1] ]", text)


# What stands at the end of an explanation

_SEE = re.compile(r"(?:^|\n\n)See: (\S[^\n]*)\Z")


def explained(text: str) -> dict[str, str]:
    """Return an explanation, and where to read more if its last line says so."""
    found = _SEE.search(text)
    return {"explanation": text[: found.start()], "ref": found[1]} if found else {"explanation": text}


# Tags that stand for other fields


def tagged(tags: Sequence[str]) -> dict[str, Any]:
    """Return tags, with those that stand for an objective or a difficulty as what they stand for."""
    out: dict[str, Any] = {"tags": []}
    for tag in dict.fromkeys(tag.strip() for tag in tags if tag.strip()):
        kind, _, value = tag.partition(":")
        if kind == "objective" and re.fullmatch(r"[a-z][a-z0-9-]{0,39}", value):
            out["objective"] = value
        elif kind == "difficulty" and re.fullmatch(r"[1-5]", value):
            out["difficulty"] = int(value)
        else:
            out["tags"].append(tag)
    return out


def tags_of(question: model.Question) -> list[str]:
    """Return a question's tags, and tags that stand for its objective and its difficulty."""
    out = list(question.tags)
    if question.objective:
        out.append(f"objective:{question.objective}")
    if question.difficulty is not None:
        out.append(f"difficulty:{question.difficulty}")
    return out


def topic(category: str, question_id: str) -> list[str]:
    """Return the last part of a category as a tag; a category of our own files only names its bank."""
    empty = {"", "$course$", "$system$", "top"}
    parts = [part.strip() for part in category.split("/") if part.strip().lower() not in empty]
    bank, slash, _ = question_id.rpartition("/")
    if not parts or (slash and bank in parts) or parts[-1].lower().startswith("default"):
        return []
    return parts[-1:]
