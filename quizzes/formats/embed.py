"""The copy of a question that our own files carry, so that they come back whole from any format.

A copy is one line of JSON: the question in the shape of a bank's file, and a hash of what the other program
sees of it. Whoever edits the visible question makes the hash wrong, and then the copy is not believed: the
edit wins.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from quizzes import writer
from quizzes.hashing import hex_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from quizzes import model
    from quizzes.formats.items import Item

MARK = "quizbank"
BANK_MARK = "quizbank-bank"


def visible_hash(visible: str) -> str:
    """Return the hash of what another program sees; line ends and spaces before them do not count."""
    lines = [line.rstrip() for line in visible.replace("\r\n", "\n").strip().split("\n")]
    return hex_digest("\n".join(lines), 16)


def copy(item: Item, visible: str) -> dict[str, Any]:
    """Return the copy of what an item was made from."""
    data: dict[str, Any] = {"hash": visible_hash(visible), "question": writer.question_data(item.source)}
    if item.parts > 1:
        data["part"] = [item.part, item.parts]
    return data


def bank_copy(bank: model.Bank, written: Iterable[Item]) -> dict[str, Any]:
    """Return what belongs to the bank itself, and the questions that the format cannot show at all."""
    data = {key: value for key, value in writer.to_data(bank).items() if key not in {"schema", "questions"}}
    shown = {item.source.id for item in written}
    unasked = [writer.question_data(question) for question in bank.questions if question.id not in shown]
    if unasked:
        data |= {"unasked": unasked, "order": [question.id for question in bank.questions]}
    return data


def dumps(data: Any) -> str:
    """Return JSON on one line that can stand in a comment of XML or GIFT."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), default=str)
    # No `--` may stand in an XML comment, and Moodle looks for tags in comments. All of these can only
    # stand inside strings, where an escape means the same.
    return re.sub(r"(?<=-)-|\[(?=id:|tag:)", lambda found: f"\\u{ord(found.group()):04x}", text)


def loads(text: str) -> dict[str, Any] | None:
    """Return what a copy says, or None for what is none: anybody may write anything into a comment."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def question_of(data: Any, visible: str) -> dict[str, Any] | None:
    """Return the copied question, if the copy is one and nobody changed what it is a copy of."""
    if not isinstance(data, dict) or data.get("hash") != visible_hash(visible):
        return None
    question = data.get("question")
    return question if isinstance(question, dict) and isinstance(question.get("id"), str) else None
