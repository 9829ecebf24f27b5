"""Plays a model's function through probes under sets of choices, and remembers what came of it.

What a model does is the same whoever the learner is, and a cohort is asked the same probes again and again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.outcomes import Came, Frame, Shapes, outcome, parts_alike
from grader.expect.mistakes import Choice, Decision, Pick

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Sized

    from grader.expect.learner import Call
    from grader.expect.mistakes import Probe

Chosen = tuple[Choice, ...]
Asked = tuple[Decision, ...]
MOST_PLAYED, MOST_LATE = 20_000, 100  # outcomes of several choices that are kept, of some hundred bytes each
CALL_STEPS = 12  # a call takes as long as so many decisions
PARTS = 8  # bits for what came of one call


@dataclass(frozen=True)
class Case:
    """One probe with what came of its calls.

    Attributes:
        probe: the calls.
        got: the learner's outcomes.
        frames: what they are compared in the light of: the reference's outcomes, and how far they may be off.
        request: a number that calls made in one go share: their results were looked at after the last of them.
        known: which arrays are known to be close to the learner's.
        explained: how much of the case outcomes explain, by their identity; and the outcomes, which have to live on.
    """

    probe: Probe
    got: tuple[Came, ...]
    frames: tuple[Frame, ...]
    request: int
    known: dict[Any, bool] = field(default_factory=dict)
    explained: dict[Any, tuple[list[Came], float]] = field(default_factory=dict)

    @property
    def wrong(self) -> bool:
        """Whether the learner's outcome differs from the reference's."""
        return self.wrong_parts != 0

    @cached_property
    def shapes(self) -> tuple[Shapes, ...]:
        """The shapes in the learner's outcomes."""
        return tuple(got.shapes for got in self.got)

    @cached_property
    def right_shapes(self) -> tuple[Shapes, ...]:
        """The shapes in the reference's outcomes."""
        return tuple(frame.right.shapes for frame in self.frames)

    @cached_property
    def wrong_parts(self) -> int:
        """Where the learner's outcomes differ from the reference's: a bit for each part of each."""
        bits = 0
        for got, frame in zip(self.got, self.frames, strict=True):
            alike, every = parts_alike(got, frame.right, frame)
            bits = bits << PARTS | every & ~alike
        return bits


def steps(case: Case, asked: Sized) -> int:
    """What it costs to play a case in which so many decisions come up."""
    return len(case.probe.calls) * (len(asked) + CALL_STEPS)


def run_calls(probe: Probe, function: Callable[..., Any], before: Callable[[Call], None] | None = None) -> list[Came]:
    """What comes of a probe's calls of a trusted function, each with arguments of its own unless they are refilled.

    As in the worker, results are looked at after the last call: those that are views of refilled arguments show it.
    """
    outcomes: list[Came] = []
    held: list[Any] | None = None
    for call in probe.calls:
        sent = call.given
        given = [value.copy(order="K") if isinstance(value, np.ndarray) else value for value in sent]
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
        changed = [at for at, value in enumerate(sent) if isinstance(value, np.ndarray) and _differs(given[at], value)]
        outcomes.append(replace(came, changed=tuple(changed)) if changed else came)
    return outcomes


def _differs(now: Any, sent: Any) -> bool:
    return bool(now.shape != sent.shape or now.tobytes() != sent.tobytes())


@dataclass(slots=True)
class Play:
    """What one probe's calls came to under some choices.

    Attributes:
        outcomes: of the calls.
        asked: the decisions that came up.
        remembers: whether something was kept for later calls, or looked for among what was kept.
    """

    outcomes: list[Came]
    asked: Asked
    remembers: bool


class Played:
    """What a model's function did on its probes under sets of choices: the same whoever the learner is.

    It is kept from one search to the next, where the same probes are put to many learners.
    """

    def __init__(self) -> None:
        # Those under one choice or none are never forgotten: every search asks for them.
        self._alone: dict[tuple[frozenset[Choice], int, int], Play] = {}
        self._plays: dict[tuple[frozenset[Choice], int, int], Play] = {}
        self._late: dict[tuple[frozenset[Choice], tuple[int, ...]], list[Play]] = {}
        self._trails: dict[tuple[int, int], int] = {}
        self._outcomes: dict[Any, list[Came]] = {}
        self._asked: dict[Asked, Asked] = {}
        self._joined: dict[tuple[int, int], Asked] = {}

    def trail(self, before: int, probe: Probe) -> int:
        """A number for the probes that a set of choices has been through; 0 is none."""
        return self._trails.setdefault((before, id(probe)), len(self._trails) + 1)

    def get(self, chosen: frozenset[Choice], trail: int, probe: Probe) -> Play | None:
        """What a probe came to, for choices that remember those before it."""
        return self._kept(chosen).get((chosen, trail, id(probe)))

    def keep(self, chosen: frozenset[Choice], trail: int, probe: Probe, play: Play) -> None:
        """Remembers it, for as long as the probe lives."""
        if len(self._plays) >= MOST_PLAYED:
            self._plays.clear()
            self._outcomes.clear()
        self._kept(chosen)[chosen, trail, id(probe)] = play

    def _kept(self, chosen: frozenset[Choice]) -> dict[tuple[frozenset[Choice], int, int], Play]:
        return self._plays if len(chosen) > 1 else self._alone

    def alike(self, probe: Probe, outcomes: list[Came]) -> list[Came]:
        """The same outcomes as other choices had, where they had: most choices change nothing on most probes."""
        return self._outcomes.setdefault((id(probe), *(came.content for came in outcomes)), outcomes)

    def same(self, asked: Asked) -> Asked:
        """The very object for decisions that came up before in the same order: most plays come to the same ones."""
        return self._asked.setdefault(asked, asked)

    def joined(self, before: Asked, more: Asked) -> Asked:
        """Decisions with others that came up after them; both as ``same`` gives them."""
        if before is more or not before:
            return more
        key = id(before), id(more)
        if key not in self._joined:
            self._joined[key] = self.same(tuple(dict.fromkeys((*before, *more))))
        return self._joined[key]

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


class Player:
    """Plays one set of choices through probes, or tells what is known of that already.

    Attributes:
        asked: the decisions that came up so far.
        remembers: whether something was kept for later calls.
        spent: steps made, those included whose outcome was known.
        late: whether a choice changes results after they were returned.
        grid: a type of few digits that a choice computes in.
    """

    def __init__(self, function: Callable[..., Any], played: Played, chosen: Chosen) -> None:
        self.chosen, self.late, self.grid = _about(chosen)
        self.asked: Asked = ()
        self.remembers = False
        self.spent = 0
        self._function = function
        self._played = played
        self._trail = 0
        self._passed: list[Probe] = []  # that the trail does not know of yet
        self._behind: list[Case] = []  # what was told from memory, and has to be played if memory ends
        self._pick: Pick | None = None

    def play(self, case: Case) -> list[Came]:
        """What comes of a case after those that were played before."""
        played, probe = self._played, case.probe
        trail = self._trailed() if self.remembers else 0
        play = played.get(self.chosen, trail, probe)
        if play is None:
            for earlier in self._behind if self.remembers else ():
                self._really(earlier)
            self._behind.clear()
            play = self._really(case)
            if not self.late:
                play.outcomes = played.alike(probe, play.outcomes)
                played.keep(self.chosen, trail, probe, play)
        else:
            self._behind.append(case)
        self._passed.append(probe)
        self.remembers = self.remembers or play.remembers
        self.asked = played.joined(self.asked, play.asked)
        self.spent += steps(case, self.asked)
        return play.outcomes

    def _trailed(self) -> int:
        """The trail of all probes so far."""
        for probe in self._passed:
            self._trail = self._played.trail(self._trail, probe)
        self._passed.clear()
        return self._trail

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
            return self._function(pick, *args, **named)

        alive = pick.alive
        outcomes = run_calls(case.probe, function, before)
        return Play(outcomes, self._played.same(tuple(pick.asked)), pick.remembered)


@lru_cache(maxsize=MOST_PLAYED)
def _about(chosen: Chosen) -> tuple[frozenset[Choice], bool, Any]:
    """A set of choices, whether one of them is late, and the type of few digits that one of them computes in."""
    grids = [choice.wrong.grid for choice in chosen if choice.wrong.grid is not None]
    return frozenset(chosen), any(choice.wrong.late for choice in chosen), grids[0] if grids else None
