"""Writes a bank back: as plain data in the shape of the format, and that data as YAML that reads the same.

``to_data(bank)`` is also the canonical form from which content hashes are made and which exports may embed;
``to_yaml`` takes any data of that shape, so an importer only has to build dictionaries, lists, strings,
numbers and booleans.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from quizzes import model
from quizzes.hashing import hex_digest
from quizzes.numeric import digits
from quizzes.schema import SCHEMA
from quizzes.source import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Mapping

# Characters that the loader refuses however they are written; a foreign file's stray ones are dropped.
_DROPPED = f"[\x00-\x08\x0b-\x1f\x7f-\x9f{HIDDEN}\ud800-\udfff]"
# What may not indent a line of a bank, and so stands in quotes only.
_ODD_INDENT = "[ \t]*[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_PLAIN = r"[A-Za-z0-9.][A-Za-z0-9 _.()/+-]*"


def to_data(bank: model.Bank) -> dict[str, Any]:
    """Return the bank in the shape of its file, without what is as it would be anyway."""
    objectives = {one.id: {"text": one.text, "ref": one.ref} if one.ref else one.text for one in bank.objectives}
    mastery = {"score": digits(bank.mastery.score), "min_questions": bank.mastery.min_questions}
    return _without_nothing(
        {
            "schema": SCHEMA,
            "bank": bank.id,
            "title": bank.title,
            "lang": bank.lang if bank.lang != "en" else "",
            "description": bank.description,
            "draft": bank.draft or None,
            "mastery": mastery if bank.mastery != model.Mastery() else None,
            "objectives": objectives,
            "contexts": dict(bank.contexts),
            "questions": [question_data(question) for question in bank.questions],
            "pools": [{"name": pool.name, "pick": pool.pick, "of": list(pool.of)} for pool in bank.pools],
        }
    )


def question_data(question: model.Question) -> dict[str, Any]:
    """Return a question in the shape of a bank's file."""
    data: dict[str, Any] = {
        "id": question.id,
        "type": question.type,
        "title": question.title,
        "objective": question.objective,
        "tags": list(question.tags),
        "difficulty": question.difficulty,
        "points": None if question.points == 1 or question.type == "info" else digits(question.points),
        "attempts": None if question.attempts == 2 else question.attempts,
        "confidence": question.confidence or None,
        "context": question.context,
        "prompt": question.prompt,
        "code": {"lang": question.code.lang, "text": question.code.text} if question.code else None,
        "image": {"file": question.image.file, "alt": question.image.alt} if question.image else None,
        "params": {param.name: _param(param) for param in question.params},
        "where": list(question.where),
        **_own(question),
        "hints": list(question.hints),
        "explanation": question.explanation,
        "feedback": _feedback(question.feedback),
        "ref": question.ref,
    }
    if hasattr(question, "shuffle") and not question.shuffle:
        data["shuffle"] = False
    return _without_nothing(data)


def content_hash(question: model.Question, bank: model.Bank) -> str:
    """Return a short hash of what is asked and what is right; explanations and hints are left out."""
    data = question_data(question)
    for key in (
        "title",
        "objective",
        "tags",
        "difficulty",
        "attempts",
        "confidence",
        "hints",
        "explanation",
        "feedback",
        "ref",
    ):
        data.pop(key, None)
    data["context"] = bank.contexts.get(question.context, "")
    text = json.dumps(_asked(data), sort_keys=True, ensure_ascii=True, default=str)
    return hex_digest(text, 12)


def _asked(data: Any) -> Any:
    if isinstance(data, dict):
        return {
            key: _asked(value)
            for key, value in data.items()
            if key not in {"why", "missed", "otherwise", "why_true", "why_false"}
        }
    return [_asked(one) for one in data] if isinstance(data, list) else data


def _own(question: model.Question) -> dict[str, Any]:
    match question:
        case model.Single():
            return {"options": [_option(option) for option in question.options]}
        case model.Multiple():
            return {"grading": question.grading, "options": [_option(option) for option in question.options]}
        case model.TrueFalse():
            return {"answer": question.answer, "why_true": question.why_true, "why_false": question.why_false}
        case model.Numeric() | model.Text():
            return _rule(question.rule)
        case model.Cloze():
            return {"blanks": {blank.name: {"type": blank.type, **_rule(blank.rule)} for blank in question.blanks}}
        case model.Match():
            pairs = [{"left": pair.left, "right": pair.right} for pair in question.pairs]
            grading = None if question.grading == "each" else question.grading
            return {"grading": grading, "pairs": pairs, "distractors": list(question.distractors)}
        case model.Order():
            return {
                "grading": None if question.grading == "lcs" else question.grading,
                "items": list(question.items),
            }
        case model.Output():
            return {"expect": question.expect}
        case model.SelfGraded():
            return {"answer": question.answer}
    return {}


def _option(option: model.Option) -> dict[str, Any]:
    return _without_nothing(
        {
            "id": option.id if option.id != model.short_id(option.text) else "",
            "text": option.text,
            "correct": option.correct or None,
            "credit": None if option.credit is None else digits(option.credit),
            "pin": option.pin,
            "why": option.why,
            "missed": option.missed,
        }
    )


def _rule(rule: model.NumberRule | model.TextRule | model.ChoiceRule) -> dict[str, Any]:
    if isinstance(rule, model.ChoiceRule):
        return {"options": [_option(option) for option in rule.options]}
    if isinstance(rule, model.NumberRule):
        data = {
            "answers": [_answer(answer) for answer in rule.answers],
            "accept": list(rule.accept) if rule.accept != model.NumberRule(answers=()).accept else [],
            "unit": rule.unit,
            "otherwise": rule.otherwise,
        }
    else:
        usual = model.TextMatch()
        match = {
            key: getattr(rule.match, key) for key in usual.fields if getattr(rule.match, key) != getattr(usual, key)
        }
        data = {"accept": [_key(key) for key in rule.accept], "match": match, "otherwise": rule.otherwise}
    return _without_nothing(data)


def _answer(answer: model.NumericAnswer) -> dict[str, Any]:
    return _without_nothing(
        {
            "value": answer.value.text if answer.value and not answer.expr else None,
            "expr": answer.expr,
            "abs": answer.abs.text if answer.abs else None,
            "rel": answer.rel.text if answer.rel else None,
            "credit": None if answer.credit == model.FULL else digits(answer.credit),
            "why": answer.why,
        }
    )


def _key(key: model.TextKey) -> dict[str, Any]:
    credit = None if key.credit == model.FULL else digits(key.credit)
    return _without_nothing({"is": key.text, "regex": key.regex, "credit": credit, "why": key.why})


def _param(param: model.Param) -> dict[str, Any]:
    numbers = [number.text for number in param.range]
    return _without_nothing({"choice": list(param.choice), "range": numbers, "expr": param.expr})


def _feedback(feedback: model.Feedback | None) -> dict[str, Any] | None:
    if feedback is None:
        return None
    return _without_nothing({"correct": feedback.correct, "partial": feedback.partial, "incorrect": feedback.incorrect})


def _without_nothing(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None and value not in ("", [], {})}


# YAML


def to_yaml(data: Mapping[str, Any]) -> str:
    """Return the data as YAML: one value a line, every text quoted where it could mean something else."""
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(data: Any, depth: int) -> list[str]:
    pad = "  " * depth
    out: list[str] = []
    if isinstance(data, list | tuple):
        for item in data:
            if isinstance(item, dict) and item:
                first, *rest = _lines(item, depth + 1)
                out += [f"{pad}- {first.lstrip()}", *rest]
            else:
                out += _entry(f"{pad}-", item, depth)
        return out
    for key, value in data.items():
        name = scalar(str(key))
        if isinstance(value, dict | list | tuple) and value:
            out += [f"{pad}{name}:", *_lines(value, depth + 1)]
        else:
            out += _entry(f"{pad}{name}:", value, depth)
    return out


def _entry(head: str, value: Any, depth: int) -> list[str]:
    if isinstance(value, dict | list | tuple):
        return [f"{head} {'{}' if isinstance(value, dict) else '[]'}"]
    if isinstance(value, str) and (block := _block(re.sub(_DROPPED, "", value))):
        keep, lines = block
        inner = "  " * (depth + 1)
        return [f"{head} |{keep}", *(inner + line if line else "" for line in lines)]
    return [f"{head} {scalar(value)}"]


def _block(text: str) -> tuple[str, list[str]] | None:
    """Return how a text of several lines is written as a block, if a block can hold it."""
    body = text.rstrip("\n")
    if (
        "\n" not in body
        or "\t" in text
        or body[:1].isspace()
        or any(line != line.rstrip() or re.match(_ODD_INDENT, line) for line in body.split("\n"))
    ):
        return None
    ends = len(text) - len(body)
    return {0: "-", 1: ""}.get(ends, "+"), text.split("\n")[:-1] if ends else text.split("\n")


def scalar(value: Any) -> str:
    """Return one value as a YAML scalar on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return digits(value)
    if isinstance(value, int | float):
        return repr(value)
    text = re.sub(_DROPPED, "", str(value))
    if re.fullmatch(_PLAIN, text) and not text.endswith(" "):
        return text
    if text.isprintable() and text == text.strip() and text:
        return "'" + text.replace("'", "''") + "'"
    quoted = json.dumps(text, ensure_ascii=False)
    return re.sub("[\x7f-\xa0]", lambda found: f"\\x{ord(found.group()):02x}", quoted)
