"""Finds the fewest wrong choices under which a model does what the learner's function did.

The search widens by the number of wrong choices: none, one, two, three. A set of choices is run on the probes, the
smallest first, until it differs from the learner; only then is it extended, by choices at decisions that were asked
about so far, and sets that explained more go first. So a mistake about masks costs nothing until a mask comes up.

The budget counts decisions taken, not seconds: the same files give the same names on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.outcomes import PRECISE, SINGLE, Came, agreement, outcome
from grader.expect.mistakes import Choice, Pick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from grader.expect.mistakes import Decision, Probe

Chosen = tuple[Choice, ...]
MOST = 3
BUDGET = 40_000  # decisions taken in one search


@dataclass(frozen=True, slots=True)
class Case:
    """One probe with what came of its calls.

    Attributes:
        probe: the calls.
        got: the learner's outcomes.
        right: the reference's.
        request: a number that calls made in one go share: their results were looked at after the last of them.
    """

    probe: Probe
    got: tuple[Came, ...]
    right: tuple[Came, ...]
    request: int

    def tolerance(self, at: int) -> float:
        """How far results of one of the calls may be apart."""
        given = self.probe.calls[at].given
        return SINGLE if any(isinstance(v, np.ndarray) and v.dtype == np.float32 for v in given) else PRECISE


def run_calls(
    probe: Probe, function: Callable[..., Any], before: Callable[[Any], None] = lambda call: None
) -> Iterator[Came]:
    """What comes of a probe's calls of a trusted function, each with arguments of its own unless they are refilled."""
    held: list[Any] | None = None
    for call in probe.calls:
        given = [value.copy() if isinstance(value, np.ndarray) else value for value in call.given]
        if probe.refill and held is not None:
            for old, new in zip(held, given, strict=True):
                if isinstance(old, np.ndarray):
                    old[...] = new
            given = held
        held = given
        count = len(call.args)
        before(call)
        came = outcome(function, given[:count], dict(zip(call.named, given[count:], strict=True)))
        changed = tuple(
            at
            for at, (now, sent) in enumerate(zip(given, call.given, strict=True))
            if isinstance(sent, np.ndarray) and (now.shape != sent.shape or now.tobytes() != sent.tobytes())
        )
        yield Came(came.kind, came.value, came.said, came.family, changed) if changed else came


@dataclass(slots=True)
class Run:
    """How far a set of choices went.

    Attributes:
        chosen: the choices.
        reached: how many cases it explained before the first that it did not.
        part: how much of that one it explained.
        asked: the decisions that came up until then.
        whole: whether it explained all of them.
        plain: whether it explained at least all plain ones.
    """

    chosen: Chosen
    reached: int
    part: float
    asked: tuple[Decision, ...]
    whole: bool
    plain: bool

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

    @property
    def plain(self) -> int:
        """How many cases are plain."""
        return sum(not case.probe.edge for case in self.cases)

    def run(self, chosen: Chosen, cases: Sequence[Case] | None = None) -> Run:
        """Compares one set of choices with the learner, until they differ."""
        cases = self.cases if cases is None else cases
        pick = Pick({choice.decision: choice.way for choice in chosen})
        grid = next((choice.wrong.grid for choice in chosen if choice.wrong.grid is not None), None)
        late = any(choice.wrong.late for choice in chosen)
        reached, part, whole = 0, 0.0, True
        results: list[list[Came]] = []
        for at, case in enumerate(cases):
            if late and at and case.request != cases[at - 1].request:
                results = [[came.frozen() for came in outcomes] for outcomes in results]
            part = self._explains(case, pick, grid, results if late else None)
            if part < 1.0:
                whole = False
                break
            reached += 1
        if late:  # nothing was compared on the way
            shares = [_compared(case, came, grid) for case, came in zip(cases, results, strict=True)]
            whole = all(share == 1.0 for share in shares)
            reached = next((at for at, share in enumerate(shares) if share < 1.0), len(shares))
        return Run(chosen, reached, part, tuple(pick.asked), whole, reached >= self.plain)

    def _explains(self, case: Case, pick: Pick, grid: Any, results: list[list[Came]] | None) -> float:
        def before(call: Any) -> None:
            pick.call = call

        def function(*args: Any, **named: Any) -> Any:
            alive.append((args, named))  # so that no id() is used again, as in the worker within one request
            return self.function(pick, *args, **named)

        alive = pick.keep("arguments", list)

        self.spent += len(case.probe.calls) * max(4, len(pick.asked))
        outcomes = run_calls(case.probe, function, before)
        if results is not None:
            results.append(list(outcomes))
            return 1.0
        for at, came in enumerate(outcomes):
            share = agreement(case.got[at], came, case.right[at], case.tolerance(at), grid)
            if share < 1.0:
                return share
        return 1.0

    def explain(self, start: Chosen = ()) -> list[Chosen]:
        """The smallest sets of choices that explain every case; none if there are none, or nothing is wrong.

        Where no set explains all cases, but plain ones were wrong and a set explains all of those, it is that set:
        whatever else goes wrong at the edges has no name.

        Args:
            start: choices already known from other functions of the exercise, which count for nothing.
        """
        seen: set[frozenset[int]] = set()
        runs = [self.run(first) for first in dict.fromkeys([start, ()])]
        wrong_when_plain = not any(run.plain for run in runs if not run.chosen)
        nearly: list[Chosen] = []
        for level in range(MOST + 1):
            found = [run.chosen for run in runs if run.whole]
            if found:
                return found
            if wrong_when_plain and not nearly:
                nearly = [run.chosen for run in runs if run.plain]
            if level < MOST:
                runs = list(self._extended(sorted(runs, key=lambda run: run.order), seen))
        return nearly

    def _extended(self, runs: Sequence[Run], seen: set[frozenset[int]]) -> Iterator[Run]:
        for run in runs:
            taken = {choice.decision for choice in run.chosen}
            if any(choice.wrong.late for choice in run.chosen):
                continue
            for decision in run.asked:
                if decision in taken:
                    continue
                for choice in decision.choices:
                    if run.chosen and choice.wrong.late:
                        continue
                    chosen = (*run.chosen, choice)
                    key = frozenset(map(id, chosen))
                    if key in seen:
                        continue
                    seen.add(key)
                    if self.spent > self.budget:
                        return
                    yield self.run(chosen)


def _compared(case: Case, came: Sequence[Came], grid: Any) -> float:
    shares = [
        agreement(got, one, right, case.tolerance(at), grid)
        for at, (got, one, right) in enumerate(zip(case.got, came, case.right, strict=True))
    ]
    return min(shares)
