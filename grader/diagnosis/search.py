"""Finds the fewest wrong choices under which a model does what the learner's function did.

The search widens by the number of wrong choices: none, one, two, three. A set of choices is run on the probes, the
smallest first, until it differs from the learner; only then is it extended, by choices at decisions that were asked
about so far, and sets that explained more go first. So a mistake about masks costs nothing until a mask comes up.

The budget counts decisions taken, not seconds: the same files give the same names on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
AFTERWARDS = 10_000  # those of them that are left once something was found, to see whether anything else would do
MOST_PLAYED, MOST_LATE = 20_000, 100  # outcomes that are kept, of some hundred bytes each
MOST_UNUSUAL = 30  # ranks of ways to write a mistake


@dataclass(frozen=True, slots=True)
class Case:
    """One probe with what came of its calls.

    Attributes:
        probe: the calls.
        got: the learner's outcomes.
        frames: what they are compared in the light of: the reference's outcomes, and how far they may be off.
        request: a number that calls made in one go share: their results were looked at after the last of them.
        known: which arrays are known to be close to the learner's.
    """

    probe: Probe
    got: tuple[Came, ...]
    frames: tuple[Frame, ...]
    request: int
    known: dict[Any, bool] = field(default_factory=dict)

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


@dataclass(frozen=True, slots=True)
class Play:
    """What one probe's calls came to under some choices.

    Attributes:
        outcomes: of the calls.
        asked: the decisions that came up.
        remembers: whether something was kept for later calls, or looked for among what was kept.
    """

    outcomes: list[Came]
    asked: tuple[Decision, ...]
    remembers: bool


class Played:
    """What a model's function did on its probes under sets of choices: the same whoever the learner is.

    It is kept from one search to the next, where the same probes are put to many learners.
    """

    def __init__(self) -> None:
        self._plays: dict[tuple[frozenset[Choice], int, int], Play] = {}
        self._late: dict[tuple[frozenset[Choice], tuple[int, ...]], list[Play]] = {}
        self._trails: dict[tuple[int, int], int] = {}

    def trail(self, before: int, probe: Probe) -> int:
        """A number for the probes that a set of choices has been through; 0 is none."""
        return self._trails.setdefault((before, id(probe)), len(self._trails) + 1)

    def get(self, chosen: frozenset[Choice], trail: int, probe: Probe) -> Play | None:
        """What a probe came to, for choices that remember those before it."""
        return self._plays.get((chosen, trail, id(probe)))

    def keep(self, chosen: frozenset[Choice], trail: int, probe: Probe, play: Play) -> None:
        """Remembers it, for as long as the probe lives."""
        if len(self._plays) >= MOST_PLAYED:
            self._plays.clear()
        self._plays[chosen, trail, id(probe)] = play

    def in_the_end(
        self, chosen: frozenset[Choice], cases: Sequence[Case], play: Callable[[], list[Play]]
    ) -> list[Play]:
        """What a row of probes came to, for choices that change results after they were returned."""
        key = chosen, tuple(id(case.probe) for case in cases)
        if key not in self._late:
            if len(self._late) >= MOST_LATE:
                self._late.clear()
            self._late[key] = play()
        return self._late[key]


@dataclass(slots=True)
class Search:
    """A search over one function's model.

    Attributes:
        function: the model's function.
        cases: what the choices are compared on, the plain ones first.
        budget: how many decisions may be taken.
        spent: decisions taken so far, those included whose outcome was known already.
        played: what is known of the function.
    """

    function: Callable[..., Any]
    cases: Sequence[Case]
    budget: int = BUDGET
    spent: int = field(default=0)
    played: Played = field(default_factory=Played)
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
                runs = list(self._extended(runs, seen, all_of_them=level == 0))
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
        player = _Player(self, chosen)
        if player.late:
            return self._run_to_the_end(chosen, player)
        for at, case in enumerate(self.cases):
            part = self._explains(case, player)
            if part < 1.0:
                return Run(chosen, at, part, tuple(player.asked))
        return Run(chosen, len(self.cases), 1.0, tuple(player.asked))

    def _run_to_the_end(self, chosen: Chosen, player: _Player) -> Run:
        """The same for choices that change results after they were returned: all are compared in the end."""
        plays = self.played.in_the_end(player.chosen, self.cases, lambda: player.play_all(self.cases))
        asked: dict[Decision, None] = {}
        for case, play in zip(self.cases, plays, strict=True):
            asked.update(dict.fromkeys(play.asked))
            self.spent += len(case.probe.calls) * len(asked)
        for at, (case, play) in enumerate(zip(self.cases, plays, strict=True)):
            part = min(
                agreement(got, one, frame, player.grid, case.known)
                for got, one, frame in zip(case.got, play.outcomes, case.frames, strict=True)
            )
            if part < 1.0:
                return Run(chosen, at, part, tuple(asked))
        return Run(chosen, len(self.cases), 1.0, tuple(asked))

    def _explains(self, case: Case, player: _Player) -> float:
        for at, came in enumerate(player.play(case)):
            share = agreement(case.got[at], came, case.frames[at], player.grid, case.known)
            if share < 1.0:
                return share
        return 1.0

    def _extended(self, runs: Sequence[Run], seen: set[frozenset[int]], *, all_of_them: bool) -> Iterator[Run]:
        """Sets with one more choice each, the most promising first, until the budget is spent.

        Once one of them explains everything little more is spent, unless all are asked for: sets near to it come up
        as its rivals.
        """
        limit = self.budget
        for run, choice in self._candidates(runs):
            chosen = (*run.chosen, choice)
            key = frozenset(map(id, chosen))
            if key in seen:
                continue
            seen.add(key)
            if self.spent > limit:
                return
            extended = self._with_more(run, chosen)
            if not all_of_them and self.whole(extended):
                limit = min(limit, self.spent + AFTERWARDS)
            yield extended

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
        player = _Player(self, chosen)
        part = self._explains(case, player)
        if part == 1.0 or player.remembers:
            return self.run(chosen)
        return Run(chosen, run.reached, part, tuple(player.asked))

    def _is_idle(self, choice: Choice, at: int) -> bool:
        """Whether a choice cannot help to explain a case.

        By itself it changes nothing there; or it ends in an exception, or in no array, where the learner's does not.
        """
        key = (id(choice), at)
        if key not in self._idle:
            case = self.cases[at]
            player = _Player(self, (choice,))
            outcomes = player.play(case)
            inert = all(
                agreement(frame.right, came, frame) == 1.0 for frame, came in zip(case.frames, outcomes, strict=True)
            )
            unlike = all(
                came.kind != "value" and got.kind == "value" for got, came in zip(case.got, outcomes, strict=True)
            )
            self._idle[key] = (inert and not player.remembers) or unlike
        return self._idle[key]


class _Player:
    """Plays one set of choices through probes, or tells what is known of that already.

    Attributes:
        asked: the decisions that came up so far.
        remembers: whether something was kept for later calls.
    """

    def __init__(self, search: Search, chosen: Chosen) -> None:
        self.chosen = frozenset(chosen)
        self.asked: dict[Decision, None] = {}
        self.remembers = False
        self.late = any(choice.wrong.late for choice in chosen)
        self.grid = next((choice.wrong.grid for choice in chosen if choice.wrong.grid is not None), None)
        self._search = search
        self._trail = 0
        self._behind: list[Case] = []  # what was told from memory, and has to be played if memory ends
        self._pick: Pick | None = None

    def play(self, case: Case) -> list[Came]:
        """What comes of a case after those that were played before."""
        played, probe = self._search.played, case.probe
        trail = self._trail if self.remembers else 0
        play = played.get(self.chosen, trail, probe)
        if play is None:
            for earlier in self._behind if self.remembers else ():
                self._really(earlier)
            self._behind.clear()
            play = self._really(case)
            if not self.late:
                played.keep(self.chosen, trail, probe, play)
        else:
            self._behind.append(case)
        self._trail = played.trail(self._trail, probe)
        self.remembers = self.remembers or play.remembers
        self.asked.update(dict.fromkeys(play.asked))
        self._search.spent += len(probe.calls) * len(self.asked)
        return play.outcomes

    def play_all(self, cases: Sequence[Case]) -> list[Play]:
        """Plays a row of cases; outcomes are as they are in the end, of those of one request."""
        plays: list[Play] = []
        for at, case in enumerate(cases):
            if at and case.request != cases[at - 1].request:
                plays = [replace(play, outcomes=[came.frozen() for came in play.outcomes]) for play in plays]
            plays.append(self._really(case))
        return plays

    def _really(self, case: Case) -> Play:
        if self._pick is None:
            self._pick = Pick({choice.decision: choice.way for choice in self.chosen})
        pick = self._pick
        pick.asked = {}

        def before(call: Call) -> None:
            pick.call = call

        def function(*args: Any, **named: Any) -> Any:
            alive.append((args, named))  # so that no id() is used again, as in the worker within one request
            return self._search.function(pick, *args, **named)

        alive = pick.alive
        outcomes = run_calls(case.probe, function, before)
        return Play(outcomes, tuple(pick.asked), pick.remembered)


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
