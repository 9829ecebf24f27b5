"""Runs a lesson's suites on what they have to tell apart: stubs, solutions, and the mistakes of the models.

Every wrong choice of a model is a mutant of the solution. A suite that passes one has a hole, or the choice is no
mistake within the contract: either way it is the author's to mend.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.author import PAIRS
from grader.author.local import Deviation
from grader.diagnosis.models import Model, load_model
from grader.diagnosis.naming import LEAST_VALUES, tells_enough
from grader.diagnosis.playing import Case, run_calls
from grader.diagnosis.search import Search
from grader.expect.mistakes import Pick
from grader.judge.session import judging

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import SimpleNamespace

    from grader.diagnosis.outcomes import Came
    from grader.expect.mistakes import Choice, Decision, Probe
    from grader.judge.session import Judge
    from grader.lesson import Exercise, Lesson

SEED = 0


@dataclass
class Checked:
    """What came of one exercise.

    Attributes:
        exercise: its name.
        decisions: how many decision points its model has.
        singles: wrong choices tried one by one.
        idle: those, and pairs, that change nothing in this exercise: a wrong width where all widths are the same.
        pairs: pairs of them that were tried, and how many there are.
        survivors: mutants that the suite passed.
        faults: a stub that is not one, a solution, or a model without a wrong choice, that the suite refused.
        warnings: what keeps learners from being told a mistake.
    """

    exercise: str
    decisions: int = 0
    singles: int = 0
    idle: int = 0
    pairs: tuple[int, int] = (0, 0)
    survivors: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def check(lesson: Lesson, exercises: Sequence[Exercise], *, pairs: int = PAIRS) -> list[Checked]:
    """Checks exercises, each with at most so many pairs of wrong choices.

    Raises:
        LessonError: a suite, a model or the manifest cannot be used.
    """
    results: list[Checked] = []

    def work(judge: Judge) -> None:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            results.extend(_check(judge, lesson, exercise, pairs) for exercise in exercises)

    judging(lesson, exercises, work)
    return results


def _check(judge: Judge, lesson: Lesson, exercise: Exercise, most_pairs: int) -> Checked:
    checked = Checked(exercise.id)
    reference = vars(judge.references[exercise.id])
    checked.faults += _stub_faults(lesson, exercise)
    solution = {name: partial(_without_pick, function) for name, function in reference.items()}
    refused = _refused(judge, exercise, Deviation(solution, reference))
    checked.faults += [f"{name} refuses the solution: {why}" for name, why in refused[:1]]
    if exercise.mistakes is None:
        checked.faults.append("there is no model of its mistakes")
        return checked
    model = load_model(exercise.mistakes, exercise.functions)
    refused = _refused(judge, exercise, Deviation(model.functions, reference))
    checked.faults += [f"{name} refuses the model without a wrong choice: {why}" for name, why in refused[:1]]
    checked.warnings += _unnameable(model, judge.references[exercise.id])
    choices = [choice for decision in decisions_of(model) for choice in decision.choices]
    checked.decisions = len({choice.decision for choice in choices})
    every = [pair for pair in combinations(choices, 2) if pair[0].decision is not pair[1].decision]
    step = max(1, -(-len(every) // most_pairs)) if most_pairs else 1
    pairs = every[::step] if most_pairs else []
    cases = cases_of(model, judge.references[exercise.id])
    for chosen in (*((choice,) for choice in choices), *pairs):
        if not _is_refused(judge, exercise, Deviation(model.functions, reference, chosen)):
            if has_effect(model, cases, chosen):
                checked.survivors.append(" with ".join(map(_called, chosen)))
            else:
                checked.idle += 1
    checked.singles = len(choices)
    checked.pairs = (len(pairs), len(every))
    return checked


def _without_pick(function: Callable[..., Any], _pick: Pick, *args: Any, **named: Any) -> Any:
    return function(*args, **named)


def _stub_faults(lesson: Lesson, exercise: Exercise) -> list[str]:
    """What keeps a stub from being reported as not started; it is only read, not run."""
    path = lesson.manifest.parent / exercise.filename
    if not path.is_file():
        return [f"there is no stub {path.parent.name}/{path.name}"]
    functions = {
        node.name: node.body[-1]
        for node in ast.parse(path.read_bytes()).body
        if isinstance(node, ast.FunctionDef) and node.name in exercise.functions
    }
    return [
        f"the stub's {name} does not raise NotImplementedError"
        for name in exercise.functions
        if not isinstance(last := functions.get(name), ast.Raise) or "NotImplementedError" not in ast.unparse(last)
    ]


def decisions_of(model: Model) -> list[Decision]:
    """The decisions that a model asks about when nothing is chosen, in the order in which they come up."""
    asked: dict[Decision, None] = {}
    for name, function in model.functions.items():
        pick = Pick(asked=asked)
        for probe in model.asked(name, held_back=False):
            run_calls(probe, partial(function, pick), partial(setattr, pick, "call"))
    return list(asked)


def cases_of(model: Model, reference: SimpleNamespace) -> dict[str, list[Case]]:
    """The model's probes by function, with what the solution makes of them."""
    return {
        name: [
            _case(model, probe, getattr(reference, name))
            for held_back in (False, True)
            for probe in model.asked(name, held_back=held_back)
        ]
        for name in model.functions
    }


def _case(model: Model, probe: Probe, function: Callable[..., Any]) -> Case:
    frames = model.frames(probe, function)
    return Case(probe, tuple(_in_floats(frame.right) for frame in frames), frames, 0)


def _in_floats(came: Came) -> Came:
    """The same with floats for whole numbers, which do as well: to make floats of them is no effect."""

    def floats(part: Any) -> Any:
        return part.astype(float) if isinstance(part, np.ndarray | np.generic) and part.dtype.kind in "iu" else part

    parts = came.value
    return replace(came, value=tuple(map(floats, parts)) if isinstance(parts, tuple) else floats(parts))


def _unnameable(model: Model, reference: SimpleNamespace) -> list[str]:
    """Which functions have too few probes for any name: what a learner's does on them is never enough to tell it."""
    return [
        f"no mistake in {name} can be named: at least {LEAST_VALUES} calls of its probes have to return a value"
        for name in model.functions
        if not tells_enough(
            _case(model, probe, getattr(reference, name)) for probe in model.asked(name, held_back=False)
        )
    ]


def has_effect(model: Model, cases: dict[str, list[Case]], chosen: Sequence[Choice]) -> bool:
    """Whether wrong choices change anything on any probe; if not, no suite can be asked to see them."""
    searches = [Search(model.functions[name], asked) for name, asked in cases.items()]
    return not all(search.whole(search.run(tuple(chosen))) for search in searches)


def _called(choice: Choice) -> str:
    ways = choice.wrong.ways
    more = f" (way {ways.index(choice.way) + 1})" if len(ways) > 1 else ""
    return choice.wrong.id + more


def verdicts(judge: Judge, exercise: Exercise, deviation: Deviation) -> Iterator[tuple[str, str]]:
    """The checks in their order, each with why it refused a deviation; an empty text if it did not."""
    for name, verdict in judge.verdicts(exercise, deviation.learner, SEED):
        yield name, verdict.message if verdict else ""


def _refused(judge: Judge, exercise: Exercise, deviation: Deviation) -> list[tuple[str, str]]:
    return [(name, why) for name, why in verdicts(judge, exercise, deviation) if why]


def _is_refused(judge: Judge, exercise: Exercise, deviation: Deviation) -> bool:
    return any(why for _, why in verdicts(judge, exercise, deviation))
