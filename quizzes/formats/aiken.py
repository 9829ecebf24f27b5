"""Reads Aiken: a question, options with letters, and a line ``ANSWER:`` with the letter of the right one.

There is no writer: Aiken holds no explanation, so it would lose what a bank is for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from quizzes.formats.build import FULL, NONE, Choice, options
from quizzes.formats.decoding import decode
from quizzes.formats.intake import Found, Reading, UnfitError

_OPTION = re.compile(r"\s*([A-Za-z])\s*[.)]\s*(.*)")
_ANSWER = re.compile(r"\s*ANSWER\s*:\s*(.*)", re.IGNORECASE)


@dataclass(slots=True)
class _Question:
    """What stands between two answer lines."""

    line: int = 0
    stem: list[str] = field(default_factory=list)
    options: list[list[str]] = field(default_factory=list)  # each in its lines
    answer: str = ""
    answer_line: int = 0
    gap: bool = False  # an empty line since the last text


def read(data: bytes) -> Reading:
    """Return the questions of an Aiken file."""
    text, notes = decode(data)
    reading = Reading(notes=notes)
    current = _Question()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            current.gap = True
            continue
        if current.options and current.gap and not _ANSWER.match(line) and not _continues(current, line):
            # A new stem begins though the question above has no answer yet.
            _finish(current, reading)
            current = _Question()
        _add(current, number, line)
        current.gap = False
        if current.answer_line:
            _finish(current, reading)
            current = _Question()
    if current.stem or current.options:
        _finish(current, reading)
    return reading


def _letter(current: _Question) -> str:
    """The letter that the next option must have."""
    return chr(ord("A") + len(current.options))


def _continues(current: _Question, line: str) -> bool:
    found = _OPTION.match(line)
    return found is not None and found[1].upper() == _letter(current)


def _add(current: _Question, number: int, line: str) -> None:
    current.line = current.line or number
    if found := _ANSWER.match(line):
        current.answer, current.answer_line = found[1].strip(), number
    elif current.stem and _continues(current, line):
        current.options.append([_OPTION.sub(r"\2", line).strip()])
    elif current.options:
        current.options[-1].append(line.strip())
    else:
        if current.gap and current.stem:
            current.stem.append("")
        current.stem.append(line.strip())


def _finish(current: _Question, reading: Reading) -> None:
    reading.add(Found(current.line, partial(_data, current)))


def _data(question: _Question, remarks: list[str]) -> dict[str, Any]:
    del remarks
    if not question.stem:
        raise UnfitError("a line ANSWER: without a question before it")
    if len(question.options) < 2:
        raise UnfitError(
            f"{len(question.options)} option{'s are' if len(question.options) != 1 else ' is'} found; "
            "at least two are expected, each a line such as `A. text` or `A) text`"
        )
    if not question.answer_line:
        raise UnfitError("there is no line `ANSWER: X` after the options")
    letter = question.answer.strip(" .)").upper()
    last = chr(ord("A") + len(question.options) - 1)
    if not re.fullmatch("[A-Z]", letter) or letter > last:
        raise UnfitError(
            f"the answer is `{question.answer[:30]}`; one letter from A to {last} is expected",
            question.answer_line,
        )
    right = ord(letter) - ord("A")
    choices = [Choice("\n".join(text), FULL if index == right else NONE) for index, text in enumerate(question.options)]
    return {"type": "single", "prompt": "\n".join(question.stem), "options": options(choices)}
