"""Which check refuses which mistake: docs/kill-matrix.md."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from grader.author.check import cases_of, decisions_of, has_effect, verdicts
from grader.author.local import Deviation
from grader.diagnosis.models import load_model
from grader.judge.session import judging

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grader.judge.session import Judge
    from grader.lesson import Exercise, Lesson

HEAD = """# Kill matrix

Which check refuses which mistake. `grade author matrix` writes this file from the mistake models and the hidden suites.
A row is a mistake of a model, in the first of its ways that changes anything; a column is a check, by its number in the
suite. x: the check refuses the mistake. A row without an x is a hole in the suite; a mistake that changes nothing in an
exercise (a wrong width where all widths are the same) is left out there.
"""


def matrix(lesson: Lesson, exercises: Sequence[Exercise]) -> str:
    """The matrix of some exercises, as Markdown.

    Raises:
        LessonError: a suite, a model or the manifest cannot be used.
    """
    parts = [HEAD]

    def work(judge: Judge) -> None:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            parts.extend("\n".join(_table(judge, exercise)) for exercise in exercises if exercise.mistakes)

    judging(lesson, exercises, work)
    return "\n".join(parts) + "\n"


def _table(judge: Judge, exercise: Exercise) -> Iterator[str]:
    assert exercise.mistakes is not None
    model = load_model(exercise.mistakes, exercise.functions)
    reference = vars(judge.references[exercise.id])
    checks = [name for name, _ in verdicts(judge, exercise, Deviation(model.functions, reference))]
    rows: dict[str, list[bool]] = {}
    cases = cases_of(model, judge.references[exercise.id])
    for choice in (choice for decision in decisions_of(model) for choice in decision.choices):
        if choice.wrong.id in rows:
            continue
        refused = [bool(why) for _, why in verdicts(judge, exercise, Deviation(model.functions, reference, [choice]))]
        if any(refused) or has_effect(model, cases, [choice]):
            rows[choice.wrong.id] = refused
    yield f"## {exercise.id}"
    yield ""
    counts = Counter(at for row in rows.values() for at, refused in enumerate(row) if refused)
    for at, name in enumerate(checks):
        yield f"{at + 1}. {name.replace('_', ' ')}: refuses {counts[at]} of {len(rows)}"
    yield ""
    yield "| mistake | " + " | ".join(str(at + 1) for at in range(len(checks))) + " |"
    yield "|---|" + "---|" * len(checks)
    for name, row in rows.items():
        yield f"| {name} | " + " | ".join("x" if refused else "" for refused in row) + " |"
    yield ""
