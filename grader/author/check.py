"""Runs a lesson's suites on what they have to tell apart: stubs, solutions, and the mistakes of the models.

Every wrong choice of a model is a mutant of the solution. A suite that passes one has a hole, or the choice is no
mistake within the contract: either way it is the author's to mend.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from grader.author.local import Deviation
from grader.diagnosis.models import Model, load_model
from grader.diagnosis.search import run_calls
from grader.expect.mistakes import Pick
from grader.judge.session import judging

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from grader.expect.mistakes import Choice, Decision
    from grader.judge.session import Judge
    from grader.lesson import Exercise, Lesson

SEED = 0
PAIRS = 2_000  # of one exercise, unless told otherwise


@dataclass
class Checked:
    """What came of one exercise.

    Attributes:
        exercise: its name.
        decisions: how many decision points its model has.
        singles: wrong choices tried one by one.
        pairs: pairs of them that were tried, and how many there are.
        survivors: what the suite passed though it should not: a mutant, or the stub.
        faults: what it refused though it should not: the solution, or a model without a wrong choice.
    """

    exercise: str
    decisions: int = 0
    singles: int = 0
    pairs: tuple[int, int] = (0, 0)
    survivors: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def check(lesson: Lesson, exercises: Sequence[Exercise], *, pairs: int = PAIRS) -> list[Checked]:
    """Checks exercises, each with at most so many pairs of wrong choices.

    Raises:
        LessonError: a suite, a model or the manifest cannot be used.
    """
    results: list[Checked] = []

    def work(judge: Judge) -> None:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            results.extend(_check(judge, exercise, pairs) for exercise in exercises)

    judging(lesson, exercises, work)
    return results


def _check(judge: Judge, exercise: Exercise, most_pairs: int) -> Checked:
    checked = Checked(exercise.id)
    reference = vars(judge.references[exercise.id])
    if exercise.mistakes is None:
        checked.faults.append("there is no model of its mistakes")
        return checked
    model = load_model(exercise.mistakes, exercise.functions)
    refused = _refused(judge, exercise, Deviation(model.functions, reference))
    checked.faults += [f"{name} refuses the model without a wrong choice: {why}" for name, why in refused[:1]]
    choices = [choice for decision in decisions_of(model) for choice in decision.choices]
    checked.decisions = len({choice.decision for choice in choices})
    for choice in choices:
        checked.singles += 1
        if not _is_refused(judge, exercise, Deviation(model.functions, reference, [choice])):
            checked.survivors.append(_called(choice))
    every = [pair for pair in combinations(choices, 2) if pair[0].decision is not pair[1].decision]
    step = max(1, -(-len(every) // most_pairs)) if most_pairs else len(every) + 1
    tried = every[::step] if most_pairs else []
    for pair in tried:
        if not _is_refused(judge, exercise, Deviation(model.functions, reference, pair)):
            checked.survivors.append(" with ".join(map(_called, pair)))
    checked.pairs = (len(tried), len(every))
    return checked


def decisions_of(model: Model) -> list[Decision]:
    """The decisions that a model asks about when nothing is chosen, in the order in which they come up."""
    asked: dict[Decision, None] = {}
    for name, function in model.functions.items():
        pick = Pick(asked=asked)
        for probe in model.asked(name, held_back=False):

            def call(*args: object, pick: Pick = pick, function: object = function, **named: object) -> object:
                return function(pick, *args, **named)  # type: ignore[operator]

            run_calls(probe, call, lambda made, pick=pick: setattr(pick, "call", made))  # type: ignore[misc]
    return list(asked)


def _called(choice: Choice) -> str:
    more = f" (way {choice.rank + 1})" if len(choice.wrong.ways) > 1 else ""
    return choice.wrong.id + more


def verdicts(judge: Judge, exercise: Exercise, deviation: Deviation) -> Iterator[tuple[str, str]]:
    """The checks in their order, each with why it refused a deviation; an empty text if it did not."""
    for name, verdict in judge.verdicts(exercise, deviation.learner, SEED):
        yield name, verdict.message if verdict else ""


def _refused(judge: Judge, exercise: Exercise, deviation: Deviation) -> list[tuple[str, str]]:
    return [(name, why) for name, why in verdicts(judge, exercise, deviation) if why]


def _is_refused(judge: Judge, exercise: Exercise, deviation: Deviation) -> bool:
    return any(why for _, why in verdicts(judge, exercise, deviation))
