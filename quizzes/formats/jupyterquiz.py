"""Writes the JSON of jupyterquiz, which shows questions of four types in a notebook.

It shows texts as HTML and takes ``$`` for mathematics and ``[a](b)`` for a link, so texts are written as
HTML that shows them as they are. What it has no key for (id, title, tags) stands under keys of our own,
which it overlooks.
"""

from __future__ import annotations

import html
import json
import math
import sys
from fractions import Fraction
from typing import Any

from quizzes import model
from quizzes.formats import build, embed, markup
from quizzes.formats.items import explanation, image_bytes, items, stem
from quizzes.numeric import tolerance

LARGEST = sys.float_info.max
EXPLAINED = "\n\nExplanation: "


def write(bank: model.Bank) -> dict[str, bytes]:
    """Return the files of the export: the questions, and the pictures that they name."""
    files: dict[str, bytes] = {}
    out: list[dict[str, Any]] = []
    written = items(bank, "jupyterquiz")
    for item in written:
        question = item.question
        data = _question(question, bank)
        carried = embed.copy(item, visible(data))
        if not out:
            carried["bank"] = embed.bank_copy(bank, written)
        out.append(data | {embed.MARK: carried})
        picture = image_bytes(question, bank)
        if question.image and picture is not None:
            files[question.image.file] = picture
    if not out:  # nor is there anything to carry the copies
        message = f"jupyterquiz can ask none of the questions of `{bank.id}`: it knows neither `self` nor `info`"
        raise model.ExportFailedError(f"{message}; the other formats hold them")
    text = json.dumps(out, ensure_ascii=False, indent=1, default=_number)
    return {f"{bank.id}.json": (text + "\n").encode(), **files}


def visible(data: dict[str, Any]) -> str:
    """Return what a question shows, for the hash of its copy."""
    shown = {key: value for key, value in data.items() if key != embed.MARK}
    return json.dumps(shown, ensure_ascii=True, sort_keys=True, default=_number)


def _number(value: object) -> float | int:
    """JSON has no exact decimals; these are written as the nearest number that JavaScript has."""
    assert isinstance(value, Fraction)
    if value.denominator == 1 and abs(value) < 2**53:
        return int(value)
    most = Fraction(LARGEST)
    return float(max(-most, min(value, most)))


def _question(question: model.Question, bank: model.Bank) -> dict[str, Any]:
    kind, answers = _answers(question)
    after = explanation(question)
    picture = image_bytes(question, bank)
    data: dict[str, Any] = {"question": _shown(stem(question, bank, alt=picture is None)), "type": kind}
    if question.image and picture is not None:
        source, alt = html.escape(question.image.file), html.escape(question.image.alt)
        data["question"] += f'<br><br><img src="{source}" alt="{alt}">'
    if question.code:
        data["code"] = html.escape(question.code.text, quote=False)
    for answer in answers:
        # It shows "undefined" for a range without a feedback.
        answer["feedback"] = _shown(answer["feedback"] + (f"{EXPLAINED}{after}" if after else ""))
    data["answers"] = answers
    data["id"] = f"{bank.id}/{question.id}"
    extra = {"title": question.title, "tags": build.tags_of(question)}
    return data | {key: value for key, value in extra.items() if value}


def _shown(text: str) -> str:
    return markup.to_html(text).replace("$", "&#36;").replace("](", "]&#40;")


def _answers(question: model.Question) -> tuple[str, list[dict[str, Any]]]:
    match question:
        case model.Single():
            return "multiple_choice", [_option(o.text, o.why, correct=o.correct) for o in question.options]
        case model.Multiple():
            return "many_choice", [_option(o.text, o.why, correct=o.correct) for o in question.options]
        case model.TrueFalse():
            return "multiple_choice", [
                _option("True", question.why_true, correct=question.answer),
                _option("False", question.why_false, correct=not question.answer),
            ]
        case model.Numeric():
            return "numeric", _numbers(question.rule)
        case model.Text():
            return "string", _texts(question.rule)
    raise AssertionError(f"{question.type} is asked in another way")


def _option(text: str, why: str, *, correct: bool) -> dict[str, Any]:
    return {"answer": _shown(text), "correct": correct, "feedback": why}


def _numbers(rule: model.NumberRule) -> list[dict[str, Any]]:
    out = []
    for answer in rule.answers:
        if answer.value is None:
            continue
        key = Fraction(answer.value.value)
        margin = tolerance(answer.value.value, answer.abs, answer.rel)
        data: dict[str, Any] = {"correct": answer.credit == model.FULL, "feedback": answer.why}
        if margin:
            # The upper end of a range does not belong to it, the upper end of a tolerance does.
            data = {
                "type": "range",
                "range": [_number(key - margin), math.nextafter(_number(key + margin), LARGEST)],
                **data,
            }
        else:
            data = {"type": "value", "value": _number(key), **data}
        out.append(data)
    if rule.otherwise:
        out.append({"type": "default", "feedback": rule.otherwise})
    return out


def _texts(rule: model.TextRule) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for key in rule.accept:
        if key.text:
            data = {"answer": key.text, "correct": key.credit == model.FULL, "feedback": key.why}
            out.append(data | ({"match_case": True} if rule.match.case == "exact" else {}))
    if rule.otherwise:
        out.append({"type": "default", "feedback": rule.otherwise})
    return out
