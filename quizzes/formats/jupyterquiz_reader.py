"""Reads the JSON of jupyterquiz, each question by itself, so that none spoils another."""

from __future__ import annotations

import html
import json
import math
import re
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from quizzes.formats import build, embed, markup
from quizzes.formats.build import FULL, NONE, Choice, Span
from quizzes.formats.decoding import decode
from quizzes.formats.intake import Found, Note, Reading, UnfitError
from quizzes.formats.jupyterquiz import EXPLAINED, visible
from quizzes.model import ImportFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = re.compile(r"[ \t\n\r]*")


class Digits(str):
    """A number as its author wrote it; JSON's own reader would turn 0.10 into 0.1."""

    __slots__ = ()


def read(data: bytes) -> Reading:
    """Return the questions of a jupyterquiz file."""
    text, notes = decode(data)
    reading = Reading(notes=notes)
    try:
        _gather(text, reading)
    except ImportFailedError as error:
        if not reading.found:
            raise
        # What stands before the fault is whole; what comes after it cannot be told apart.
        place, _, message = str(error).removeprefix("line ").partition(": ")
        reading.notes.append(Note(int(place), f"{message}; the rest of the file is not read", lost=True))
    return reading


def _gather(text: str, reading: Reading) -> None:
    for line, question in _questions(text):
        copy = question.get(embed.MARK) if isinstance(question, dict) else None
        copy = copy if isinstance(copy, dict) else None
        if copy and isinstance(copy.get("bank"), dict):
            reading.bank = copy["bank"]
        shown = visible(_numbered(question)) if copy else ""
        reading.add(Found(line, partial(_data, question), copy, shown))


def _questions(text: str) -> Iterator[tuple[int, Any]]:
    """Give each question of the list with the line on which it begins."""
    decoder = json.JSONDecoder(parse_float=Digits, parse_int=Digits, parse_constant=Digits)
    start = _after_space(text, 0)
    if text[start : start + 1] == "{":
        # A single question without its list, or questions under a key, as some tools write them.
        whole, _ = _decoded(decoder, text, start)
        inner = whole.get("questions") if isinstance(whole, dict) else None
        yield from ((1, one) for one in (inner if isinstance(inner, list) else [whole]))
        return
    if text[start : start + 1] != "[":
        raise ImportFailedError(f"line {_line(text, start)}: a list of questions is expected, beginning with `[`")
    place, line, counted = _after_space(text, start + 1), 1, 0
    while text[place : place + 1] != "]":
        # Counted from the last question on, because there may be many.
        line, counted = line + text.count("\n", counted, place), place
        value, end = _decoded(decoder, text, place)
        yield line, value
        place = _after_space(text, end)
        if text[place : place + 1] == ",":
            place = _after_space(text, place + 1)
        elif text[place : place + 1] != "]":
            raise ImportFailedError(f"line {_line(text, place)}: `,` or `]` is expected after a question")


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _decoded(decoder: json.JSONDecoder, text: str, place: int) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, place)
    except json.JSONDecodeError as error:
        raise ImportFailedError(f"line {error.lineno}: this is not JSON at column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ImportFailedError(f"line {_line(text, place)}: values are nested too deep; no quiz needs that") from None


def _numbered(value: Any) -> Any:
    """Return JSON with its numbers as numbers again, as the hash of a copy was made from them."""
    if isinstance(value, Digits):
        try:
            number = float(value)
        except ValueError:
            return str(value)
        return int(value) if re.fullmatch(r"-?\d{1,15}", value) else number
    if isinstance(value, dict):
        return {key: _numbered(one) for key, one in value.items()}
    return [_numbered(one) for one in value] if isinstance(value, list) else value


# One question


def _data(question: Any, remarks: list[str]) -> dict[str, Any]:
    if not isinstance(question, dict):
        raise UnfitError("a question is an object with `question`, `type` and `answers`")
    kind = question.get("type")
    if kind not in _KINDS:
        raise UnfitError(f"the type is {_quoted(kind)}; known are {', '.join(_KINDS)}")
    answers = question.get("answers")
    if not isinstance(answers, list) or not all(isinstance(answer, dict) for answer in answers):
        raise UnfitError("`answers` is expected to be a list of objects")
    said, whys = _explanation([_shown(answer.get("feedback", "")) for answer in answers])
    for answer, why in zip(answers, whys, strict=True):
        answer["feedback"] = why
    tags = question.get("tags")
    data: dict[str, Any] = {
        "id": _text(question.get("id", "")),
        "title": _text(question.get("title", "")),
        **build.tagged([tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []),
        "prompt": _shown(question.get("question", "")),
        **build.explained(said),
    }
    if code := _text(question.get("code", "")):
        data["code"] = {"text": html.unescape(code)}
    return data | _KINDS[kind](question, answers, remarks)


def _quoted(value: Any) -> str:
    return "missing" if value is None else f"`{str(value)[:40]}`"


def _text(value: Any) -> str:
    if not isinstance(value, str) or isinstance(value, Digits):
        raise UnfitError(f"a text is expected where {_quoted(value)} stands")
    return str(value)


def _shown(value: Any) -> str:
    """Return what a person reads of a text, which may be HTML."""
    text = _text(value)
    return markup.to_text(text) if markup.looks_like_html(text) or "\xa0" in text else text


def _explanation(whys: list[str]) -> tuple[str, list[str]]:
    """Return the explanation that our own files repeat in every feedback, and the feedbacks without it."""
    parts = [why.partition(EXPLAINED) for why in whys]
    told = {after for _, _, after in parts}
    if not whys or len(told) != 1 or not parts[0][1]:
        return "", whys
    return told.pop(), [before for before, _, _ in parts]


def _correct(answer: dict[str, Any]) -> bool:
    value = answer.get("correct", False)
    if not isinstance(value, bool):
        raise UnfitError(f"`correct` is {_quoted(value)}; true or false is expected")
    return value


def _choices(answers: list[dict[str, Any]]) -> list[Choice]:
    return [
        Choice(_shown(one.get("answer", one.get("code", ""))), FULL if _correct(one) else NONE, one["feedback"])
        for one in answers
    ]


def _one(question: dict[str, Any], answers: list[dict[str, Any]], remarks: list[str]) -> dict[str, Any]:
    del question
    choices = _choices(answers)
    own = build.one_of(choices, remarks)
    if own["type"] == "single" and [choice.text.strip().lower() for choice in choices] == ["true", "false"]:
        first, second = choices
        answer = first.credit == FULL
        return {"type": "truefalse", "answer": answer, "why_true": first.why, "why_false": second.why}
    return own


def _many(question: dict[str, Any], answers: list[dict[str, Any]], remarks: list[str]) -> dict[str, Any]:
    del question, remarks
    choices = _choices(answers)
    if not any(choice.credit for choice in choices):
        raise UnfitError("no answer is correct; at least one must be")
    listed = [{"text": one.text, "correct": bool(one.credit) or None, "why": one.why} for one in choices]
    # There, a person goes on until every right one is found.
    return {"type": "multiple", "grading": "all", "options": listed}


def _typed(question: dict[str, Any], answers: list[dict[str, Any]], remarks: list[str]) -> dict[str, Any]:
    del question
    otherwise = ""
    choices, cased = [], set()
    for answer in answers:
        if answer.get("type") == "default":
            otherwise = answer["feedback"]
            continue
        literal = _text(answer.get("answer", "")).replace("*", "\\*")
        choices.append(Choice(literal, FULL if _correct(answer) else NONE, answer["feedback"]))
        cased.add(answer.get("match_case") is True)
        if answer.get("fuzzy_threshold"):
            remarks.append("a likeness was enough for an answer (fuzzy_threshold); here it must be equal")
    if len(cased) > 1:
        remarks.append("some answers asked for equal case and some did not; case does not count")
    return build.text_rule(choices, remarks, case=cased == {True}) | {"otherwise": otherwise}


def _numeric(question: dict[str, Any], answers: list[dict[str, Any]], remarks: list[str]) -> dict[str, Any]:
    del remarks
    precision = question.get("precision")
    spans, otherwise = [], ""
    for answer in answers:
        if answer.get("type") == "default":
            otherwise = answer["feedback"]
            continue
        credit = FULL if _correct(answer) else NONE
        if "range" in answer:
            ends = answer["range"]
            if not isinstance(ends, list) or len(ends) != 2:
                raise UnfitError("`range` is expected to be a list of two numbers")
            spans.append(_range(_digits(ends[0]), _digits(ends[1]), credit, answer["feedback"]))
        elif "value" in answer:
            value = _digits(answer["value"])
            margin = _rounding(build.number(value), precision)
            spans.append(build.around(value, margin, credit, answer["feedback"]))
        else:
            raise UnfitError("a numeric answer has a `value`, a `range` or the type `default`")
    return build.number_rule(spans, otherwise)


def _digits(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str):
        raise UnfitError(f"a number is expected where {_quoted(value)} stands")
    return str(value)


def _rounding(value: Decimal, precision: Any) -> str:
    """Return the tolerance of an answer that is compared after rounding to so many digits."""
    if precision is None or not value:
        return "0"
    if not isinstance(precision, Digits) or not re.fullmatch(r"[1-9]|1\d", precision):
        raise UnfitError(f"the precision is {_quoted(precision)}; a whole number from 1 to 19 is expected")
    return f"{Decimal(5).scaleb(value.adjusted() - int(precision)):f}"


def _range(low: str, high: str, credit: Decimal, why: str) -> Span:
    """Return a range whose upper end does not belong to it."""
    last, first = build.number(high), build.number(low)
    below = math.nextafter(float(last), -math.inf)
    if len(repr(below)) < len(repr(float(last))):
        # Our writer, and careful people, name the next number after the last one that counts.
        return build.between(low, repr(below), credit, why)
    edge = build.EDGE * max(abs(last), Decimal(1))
    return build.between(low, f"{max(last - edge, first):f}", credit, why)


_KINDS = {"multiple_choice": _one, "many_choice": _many, "numeric": _numeric, "string": _typed}
