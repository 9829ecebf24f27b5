"""The suites on functions that are called where they are: in one process, without any isolation.

What plain pytest and other graders do, with the same inputs and the same reference; they import this file.
"""

from __future__ import annotations

import sys
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.expect.learner import Answer, Learner
from grader.judge.references import load_references
from grader.lesson import shipped_lesson
from grader.lesson.modules import load_module

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LESSON = shipped_lesson()
REFERENCES = load_references(LESSON)


def learner_of(stem: str, folder: Path | str) -> Learner:
    """A learner's functions of an exercise."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    module = __import__(stem)

    def send(calls: Sequence[Any], refill: bool) -> list[Answer]:  # noqa: FBT001 - as Learner calls it
        answers: list[Answer] = []
        held: list[Any] | None = None
        for call in calls:
            given = [value.copy() if isinstance(value, np.ndarray) else value for value in call.given]
            if refill and held is not None:
                for old, new in zip(held, given, strict=True):
                    if isinstance(old, np.ndarray):
                        old[...] = new
                given = held
            held, count = given, len(call.args)
            named = dict(zip(call.named, given[count:], strict=True))
            try:
                answers.append(Answer("value", (getattr(module, call.function)(*given[:count], **named),)))
            except Exception as error:  # noqa: BLE001 - whatever a learner's code raises
                family = [kind.__name__ for kind in type(error).__mro__]
                answers.append(Answer("raised", (type(error).__name__, str(error), [], False, "", family)))
        return answers

    return Learner(vars(REFERENCES[stem]), send, lambda _call, answer: AssertionError(str(answer)))


def rng_of(name: str) -> np.random.Generator:
    """What a check's inputs are drawn from."""
    return np.random.default_rng([0, zlib.crc32(name.encode())])


def run(stem: str, name: str, folder: Path | str) -> None:
    """Makes one check of the functions in a folder.

    Raises:
        AssertionError: it does not pass.
    """
    suite = load_module(LESSON[stem].suite, f"suite_{stem}")
    getattr(suite, name)(learner_of(stem, folder), REFERENCES[stem], rng_of(name))
