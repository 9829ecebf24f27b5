"""Finds the fewest wrong choices under which a model does what the learner's function did.

The search widens by the number of wrong choices: none, one, two, three. A set of choices is run on the probes, the
smallest first, until it differs from the learner; only then is it extended, by choices at decisions that were asked
about so far, and sets that explained more go first. So a mistake about masks costs nothing until a mask comes up.

The budget counts decisions taken, not seconds: the same files give the same names on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.outcomes import Came, Frame, agreement, outcome
from grader.expect.mistakes import Choice, Pick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from grader.expect.learner import Call
    from grader.expect.mistakes import Decision, Probe

Chosen = tuple[Choice, ...]
MOST = 3
BUDGET = 75_000  # decisions taken in one search, which is a few tenths of a second
MOST_UNUSUAL = 30  # ranks of ways to write a mistake


@dataclass(frozen=True, slots=True)
class Case:
    """One probe with what came of its calls.

    Attributes:
        probe: the calls.
        got: the learner's outcomes.
        frames: what they are compared in the light of: the reference's outcomes, and how far they may be off.
        request: a number that calls made in one go share: their results were looked at after the last of them.
    """

    probe: Probe
    got: tuple[Came, ...]
    frames: tuple[Frame, ...]
    request: int

    @property
    def wrong(self) -> bool:
        """Whether the learner's outcome differs from the reference's."""
        return any(agreement(got, frame.right, frame) < 1.0 for got, frame in zip(self.got, self.frames, strict=True))


def run_calls(probe: Probe, function: Callable[..., Any], before: Callable[[Call], None] | None = None) -> list[Came]:
    """What comes of a probe's calls of a trusted function, each with arguments of its own unless they are refilled.

    As in the worker, results are looked at after the last call: those that are views of refilled arguments show it.
    """
    outcomes: list[Came] = []
    held: list[Any] | None = None
    for call in probe.calls:
        given = [value.copy() if isinstance(value, np.ndarray) else value for value in call.given]
        if probe.refill and held is not None and [*map(np.shape, held)] == [*map(np.shape, given)]:
            for old, new in zip(held, given, strict=True):
                if isinstance(old, np.ndarray):
                    old[...] = new
            given = held
        held = given
        count = len(call.args)
        if before is not None:
            before(call)
        came = outcome(function, given[:count], dict(zip(call.named, given[count:], strict=True)))
        changed = tuple(
            at
            for at, (now, sent) in enumerate(zip(given, call.given, strict=True))
            if isinstance(sent, np.ndarray) and (now.shape != sent.shape or now.tobytes() != sent.tobytes())
        )
        outcomes.append(Came(came.kind, came.value, came.said, came.family, changed) if changed else came)
    return outcomes


@dataclass(slots=True)
class Run:
    """How far a set of choices went.

    Attributes:
        chosen: the choices.
        reached: how many cases it explained before the first that it did not.
        part: how much of that one it explained.
        asked: the decisions that came up until then, or in that case alone.
    """

    chosen: Chosen
    reached: int
    part: float
    asked: tuple[Decision, ...]

    @property
    def order(self) -> tuple[float, float]:
        """Sorts the most promising first."""
        return (-self.reached, -self.part)


@dataclass(slots=True)
class Search:
    """A search over one function's model.

    Attributes:
        function: the model's function.
        cases: what the choices are compared on, the plain ones first.
        budget: how many decisions may be taken.
        spent: decisions taken so far.
    """

    function: Callable[..., Any]
    cases: Sequence[Case]
    budget: int = BUDGET
    spent: int = field(default=0)
    _idle: dict[tuple[int, int], bool] = field(default_factory=dict)

    @property
    def plain(self) -> int:
        """How many cases are plain."""
        return sum(not case.probe.edge for case in self.cases)

    def whole(self, run: Run) -> bool:
        """Whether a set of choices explains all cases."""
        return run.reached == len(self.cases)

    def explain(self, start: Chosen = ()) -> list[Chosen]:
        """The smallest sets of choices that explain every case; none if there are none, or nothing is wrong.

        Where no set explains all cases, but plain ones were wrong and a set explains all of those, it is that set:
        whatever else goes wrong at the edges has no name.

        Args:
            start: choices already known from other functions of the exercise, which count for nothing.
        """
        seen: set[frozenset[int]] = set()
        runs = [self.run(first) for first in dict.fromkeys([start, ()])]
        plain = self.plain
        wrong_when_plain = all(run.reached < plain for run in runs if not run.chosen)
        nearly: list[Chosen] = []
        for level in range(MOST + 1):
            found = [run.chosen for run in runs if self.whole(run)]
            if found:
                return [*found, *self._rivals(found, len(self.cases))]
            if wrong_when_plain and not nearly:
                nearly = [run.chosen for run in runs if run.reached >= plain]
            if level < MOST:
                runs = list(self._extended(runs, seen))
        nearly += self._rivals(nearly, plain)
        return [chosen for chosen in nearly if self.whole(self.run(chosen))] or nearly

    def _rivals(self, found: Sequence[Chosen], least: int) -> list[Chosen]:
        """Sets that differ from the first one found in a single choice, and explain at least so many cases.

        The budget may have ended before they came up, and a name is given only if no other would do. Single choices
        have all been tried.
        """
        if not found or len(found[0]) < 2:
            return []
        known = {frozenset(map(id, chosen)) for chosen in found}
        rivals: list[Chosen] = []
        for left_out in found[0]:
            run = self.run(tuple(choice for choice in found[0] if choice is not left_out))
            taken = {choice.decision for choice in run.chosen}
            for choice in (choice for decision in run.asked for choice in decision.choices):
                chosen = (*run.chosen, choice)
                key = frozenset(map(id, chosen))
                if choice.decision in taken or choice.wrong.late or key in known or self.whole(run):
                    continue
                known.add(key)
                if self._with_more(run, chosen, even_idle=True).reached >= least:
                    rivals.append(chosen)
        return rivals

    def run(self, chosen: Chosen) -> Run:
        """Compares one set of choices with the learner, from the first call on until they differ."""
        pick = self._pick(chosen)
        if any(choice.wrong.late for choice in chosen):
            return self._run_to_the_end(chosen, pick)
        grid = _grid(chosen)
        for at, case in enumerate(self.cases):
            part = self._explains(case, pick, grid)
            if part < 1.0:
                return Run(chosen, at, part, tuple(pick.asked))
        return Run(chosen, len(self.cases), 1.0, tuple(pick.asked))

    def _run_to_the_end(self, chosen: Chosen, pick: Pick) -> Run:
        """The same for choices that change results after they were returned: all are compared in the end."""
        results: list[list[Came]] = []
        for at, case in enumerate(self.cases):
            if at and case.request != self.cases[at - 1].request:
                results = [[came.frozen() for came in outcomes] for outcomes in results]
            results.append(self._outcomes(case, pick))
        for at, (case, outcomes) in enumerate(zip(self.cases, results, strict=True)):
            part = _compared(case, outcomes, _grid(chosen))
            if part < 1.0:
                return Run(chosen, at, part, tuple(pick.asked))
        return Run(chosen, len(self.cases), 1.0, tuple(pick.asked))

    @staticmethod
    def _pick(chosen: Chosen) -> Pick:
        return Pick({choice.decision: choice.way for choice in chosen})

    def _outcomes(self, case: Case, pick: Pick) -> list[Came]:
        def before(call: Call) -> None:
            pick.call = call

        def function(*args: Any, **named: Any) -> Any:
            alive.append((args, named))  # so that no id() is used again, as in the worker within one request
            return self.function(pick, *args, **named)

        alive = pick.alive
        outcomes = run_calls(case.probe, function, before)
        self.spent += len(case.probe.calls) * len(pick.asked)
        return outcomes

    def _explains(self, case: Case, pick: Pick, grid: Any) -> float:
        for at, came in enumerate(self._outcomes(case, pick)):
            share = agreement(case.got[at], came, case.frames[at], grid)
            if share < 1.0:
                return share
        return 1.0

    def _extended(self, runs: Sequence[Run], seen: set[frozenset[int]]) -> Iterator[Run]:
        """Sets with one more choice each, the most promising first, until the budget is spent."""
        for run, choice in self._candidates(runs):
            chosen = (*run.chosen, choice)
            key = frozenset(map(id, chosen))
            if key in seen:
                continue
            seen.add(key)
            if self.spent > self.budget:
                return
            yield self._with_more(run, chosen)

    @staticmethod
    def _candidates(runs: Sequence[Run]) -> Iterator[tuple[Run, Choice]]:
        """Which set to extend by which choice: of equally promising ones, the usual ways of writing come first."""
        options = _Options()
        for _, alike in groupby(sorted(runs, key=lambda run: run.order), key=lambda run: run.order):
            group = [
                (run, sum(choice.rank for choice in run.chosen), {choice.decision for choice in run.chosen})
                for run in alike
                if not any(choice.wrong.late for choice in run.chosen)
            ]
            for total in range(MOST_UNUSUAL):
                for run, rank, taken in group:
                    for choice in options.of(run.asked, total - rank):
                        if choice.decision not in taken and not (taken and choice.wrong.late):
                            yield run, choice

    def _with_more(self, run: Run, chosen: Chosen, *, even_idle: bool = False) -> Run:
        """Tries a longer set on the case that the shorter one failed at; from the start only if that helps."""
        case = self.cases[run.reached]
        last = chosen[-1]
        if last.wrong.late:
            return self.run(chosen)
        if len(chosen) > 1 and not even_idle and self._is_idle(last, run.reached):
            return Run(chosen, -1, 0.0, ())
        pick = self._pick(chosen)
        part = self._explains(case, pick, _grid(chosen))
        if part == 1.0 or pick.remembered:
            return self.run(chosen)
        return Run(chosen, run.reached, part, tuple(pick.asked))

    def _is_idle(self, choice: Choice, at: int) -> bool:
        """Whether a choice cannot help to explain a case.

        By itself it changes nothing there; or it ends in an exception, or in no array, where the learner's does not.
        """
        key = (id(choice), at)
        if key not in self._idle:
            case = self.cases[at]
            pick = self._pick((choice,))
            outcomes = self._outcomes(case, pick)
            inert = all(
                agreement(frame.right, came, frame) == 1.0 for frame, came in zip(case.frames, outcomes, strict=True)
            )
            unlike = all(
                came.kind != "value" and got.kind == "value" for got, came in zip(case.got, outcomes, strict=True)
            )
            self._idle[key] = (inert and not pick.remembered) or unlike
        return self._idle[key]


class _Options:
    """The choices at decisions, by how unusual their way of writing is; worked out once for each set of decisions."""

    def __init__(self) -> None:
        self._known: dict[tuple[Decision, ...], dict[int, list[Choice]]] = {}

    def of(self, asked: tuple[Decision, ...], rank: int) -> Sequence[Choice]:
        """The choices of one rank."""
        if asked not in self._known:
            options: dict[int, list[Choice]] = {}
            self._known[asked] = options
            for decision in asked:
                for choice in decision.choices:
                    options.setdefault(choice.rank, []).append(choice)
        return self._known[asked].get(rank, ())


def _grid(chosen: Chosen) -> Any:
    return next((choice.wrong.grid for choice in chosen if choice.wrong.grid is not None), None)


def _compared(case: Case, came: Sequence[Came], grid: Any) -> float:
    return min(agreement(got, one, frame, grid) for got, one, frame in zip(case.got, came, case.frames, strict=True))
