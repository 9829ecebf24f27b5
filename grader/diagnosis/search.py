"""Finds the fewest wrong choices under which a model does what the learner's function did.

The search widens by the number of wrong choices: none, one, two, three. A set of choices is run on the probes, the
smallest first, until it differs from the learner; only then is it extended, by choices at decisions that were asked
about so far, and sets that explained more go first. So a mistake about masks costs nothing until a mask comes up.

The budget counts decisions taken and calls made, not seconds: the same files give the same names on every machine.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, lru_cache, partial
from itertools import groupby, repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.outcomes import Came, Shapes, agreement, distance, parts_alike
from grader.diagnosis.playing import PARTS, Asked, Case, Chosen, Played, Player, steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from grader.expect.mistakes import Choice, Decision

MOST = 3
BUDGET = 86_000  # steps of one search, which are a few tenths of a second
AFTERWARDS = 8_000  # those of them that are left once something was found, to see whether anything else would do
EDGES = 24_000  # and once all is explained but the edges
RIVALS = 20_000  # steps that are spent on what may stand in the place of one of the choices found
REMEMBERING = 36_000  # steps for sets that remember, where it is known that what comes hangs on earlier calls
MEDDLING = 4_000  # steps that are spent on sets of which it is known that they would have to meddle with each other
CHECK_EVERY = 50  # sets, some milliseconds
MOST_UNUSUAL = 30  # ranks of ways to write a mistake


class Sort(Enum):
    """What is tried together as one more choice of a set."""

    NEW = "at a decision that the first wrong case did not come to, since it is explained without"
    ANY = "any other"
    REMEMBERING = "one that remembers, so that all calls have to be made for it"
    MEDDLING = "one that would have to meddle with the others"


LIKELY, UNLIKELY = (Sort.NEW, Sort.ANY, Sort.REMEMBERING), (Sort.MEDDLING,)  # in this order


@dataclass(slots=True)
class Run:
    """How far a set of choices went.

    Attributes:
        chosen: the choices.
        reached: how many cases it explained before the first that it did not.
        part: how much of that one it explained.
        came: what it came to there.
        asked: the decisions that came up until then, or in that case alone.
    """

    chosen: Chosen
    reached: int
    part: float
    came: Sequence[Came]
    asked: Asked

    @property
    def order(self) -> tuple[float, float]:
        """Sorts the most promising first."""
        return (-self.reached, -self.part)


@dataclass(frozen=True, slots=True)
class Effect:
    """What choices do to a case by themselves: a bit for each part of each outcome.

    Attributes:
        explains: the parts that come to what they are with the learner.
        touches: the parts that are no longer what they should be.
        remembers: whether anything is kept for later calls.
        shapes: those of what is returned.
    """

    explains: int
    touches: int
    remembers: bool
    shapes: tuple[Shapes, ...]


@dataclass(slots=True)
class Search:
    """A search over one function's model.

    Attributes:
        function: the model's function.
        cases: what the choices are compared on, the plain ones first.
        budget: how many steps may be made, a step being a decision; a call is as much as some.
        spent: steps made so far, those included whose outcome is known from an earlier search.
        played: what is known of the function.
        check: is called now and then; what it raises ends the search.
        among: the ids of the mistakes to look among; None for all that there are.
        earlier: finds out whether results hang on earlier calls; None if they are a matter of chance. It is asked once
            no single choice has explained them: then only sets that remember can, or none at all.
    """

    function: Callable[..., Any]
    cases: Sequence[Case]
    budget: int = BUDGET
    spent: int = field(default=0)
    played: Played = field(default_factory=Played)
    check: Callable[[], None] | None = None
    among: frozenset[str] | None = None
    earlier: Callable[[], bool | None] = lambda: False
    _paid: set[tuple[frozenset[Choice], int]] = field(default_factory=set)
    _effects: dict[tuple[Chosen, int], Effect | None] = field(default_factory=dict)
    _effects_of: dict[int, dict[Choice, Effect | None]] = field(default_factory=lambda: defaultdict(dict))
    _known_effects: dict[Effect | None, Effect | None] = field(default_factory=dict)
    _by_turn: dict[Any, list[Choice]] = field(default_factory=dict)
    _alike: dict[Any, Callable[[int], list[Choice]]] = field(default_factory=dict)
    _asked: dict[int, frozenset[Decision]] = field(default_factory=dict)
    _first: int = 0  # the first wrong case, on which each choice is tried by itself
    _must_remember: bool = False

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
        self._first = next(run.reached for run in runs if not run.chosen)
        wrong_when_plain = all(run.reached < plain for run in runs if not run.chosen)
        nearly: list[Chosen] = []
        for level in range(MOST + 1):
            found = [run.chosen for run in runs if self.whole(run) and not self._cancel_out(run.chosen)]
            if found:
                return [*found, *self._rivals(found, len(self.cases))]
            if wrong_when_plain and not nearly:
                nearly = [run.chosen for run in runs if run.reached >= plain and not self._cancel_out(run.chosen)]
                self.budget = min(self.budget, self.spent + EDGES) if nearly else self.budget
            if level == 1:
                earlier = self.earlier()
                if earlier is None:
                    break
                if earlier:
                    self._must_remember, self.budget = True, min(self.budget, self.spent + REMEMBERING)
            if level < MOST:
                runs = [run for run in runs if not self.whole(run)]
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
        shorter = [self.run(tuple(choice for choice in found[0] if choice is not left_out)) for left_out in found[0]]
        shorter = [run for run in shorter if not self.whole(run)]
        rivals: list[Chosen] = []
        for turns, most in (LIKELY, RIVALS), (UNLIKELY, MEDDLING):
            limit = self.spent + most
            for run, choice in (one for turn in turns for one in self._usual_first(shorter, turn, limit)):
                chosen = (*run.chosen, choice)
                key = frozenset(map(id, chosen))
                if key in known:
                    continue
                if self.spent > limit:
                    break
                known.add(key)
                if self._with_more(run, chosen).reached >= least and not self._cancel_out(chosen):
                    rivals.append(chosen)
        return rivals

    def run(self, chosen: Chosen) -> Run:
        """Compares one set of choices with the learner, from the first call on until they differ."""
        player = Player(self.function, self.played, chosen)
        if player.late:
            return self._run_to_the_end(chosen, player)
        for at, case in enumerate(self.cases):
            part, came = self._explains(case, player)
            if part < 1.0:
                return Run(chosen, at, part, came, player.asked)
        return Run(chosen, len(self.cases), 1.0, (), player.asked)

    def _run_to_the_end(self, chosen: Chosen, player: Player) -> Run:
        """The same for choices that change results after they were returned: all are compared in the end."""
        plays = self.played.in_the_end(player.chosen, self.cases, lambda: player.play_all(self.cases))
        asked: dict[Decision, None] = {}
        for case, play in zip(self.cases, plays, strict=True):
            asked.update(dict.fromkeys(play.asked))
            self.spent += steps(case, asked)
        for at, (case, play) in enumerate(zip(self.cases, plays, strict=True)):
            part = min(
                agreement(got, one, frame, player.grid, case.known)
                for got, one, frame in zip(case.got, play.outcomes, case.frames, strict=True)
            )
            if part < 1.0:
                return Run(chosen, at, part, play.outcomes, tuple(asked))
        return Run(chosen, len(self.cases), 1.0, (), tuple(asked))

    def _played_by(self, player: Player, case: Case) -> list[Came]:
        """What comes of a case; the second time that is remembered, and costs nothing."""
        before = player.spent
        outcomes = player.play(case)
        key = player.chosen, id(case)
        if key not in self._paid:
            self._paid.add(key)
            self.spent += player.spent - before
        return outcomes

    def _explains(self, case: Case, player: Player) -> tuple[float, list[Came]]:
        """How much of a case choices explain, and what it comes to."""
        outcomes = self._played_by(player, case)
        key = id(outcomes), player.grid
        if key not in case.explained:
            shares = map(agreement, case.got, outcomes, case.frames, repeat(player.grid), repeat(case.known))
            case.explained[key] = outcomes, next((share for share in shares if share < 1.0), 1.0)
        return case.explained[key][1], outcomes

    def _far(self, run: Run) -> float:
        """How far a run was off the learner's numbers where it failed."""
        return sum(map(distance, self.cases[run.reached].got, run.came)) if run.came else np.inf

    def _extended(self, runs: Sequence[Run], seen: set[frozenset[int]], *, all_of_them: bool) -> Iterator[Run]:
        """Sets with one more choice each, the most promising first, until the budget is spent.

        Once one of them explains everything little more is spent, unless all are asked for: sets near to it come up
        as its rivals.
        """
        for turns in LIKELY, UNLIKELY:
            limit = self.budget if turns is LIKELY else min(self.budget, self.spent + MEDDLING)
            if self.spent > limit:  # to put very many sets into order takes long, too
                return
            for run, choice in self._candidates(runs, turns, limit):
                chosen = (*run.chosen, choice)
                key = frozenset(map(id, chosen))
                if key in seen:
                    continue
                seen.add(key)
                if self.spent > limit:
                    return
                if self.check and len(seen) % CHECK_EVERY == 0:
                    self.check()
                extended = self._with_more(run, chosen)
                if not all_of_them and self.whole(extended):
                    limit = min(limit, self.spent + AFTERWARDS)
                yield extended

    def _candidates(self, runs: Sequence[Run], turns: Sequence[Sort], limit: int) -> Iterator[tuple[Run, Choice]]:
        """Which set to extend by which choice, the most promising sets first.

        Of two mistakes one mostly comes nearer to the learner's numbers by itself than what is not in the file does.
        """
        promising = sorted(
            (run for run in runs if not any(choice.wrong.late for choice in run.chosen)), key=lambda run: run.order
        )
        for _, alike in groupby(promising, key=lambda run: run.order):
            group = sorted(alike, key=self._far)
            # If some choice has to remember, those that are known to do so come first.
            for turn in sorted(turns, key=lambda turn: self._must_remember and turn is Sort.ANY):
                yield from self._usual_first(group, turn, limit)

    def _usual_first(self, runs: Sequence[Run], turn: Sort, limit: int) -> Iterator[tuple[Run, Choice]]:
        """Each run with each choice that it may be extended by, whose turn it is: the usual ways of writing first.

        It ends once more than the limit is spent: to find out whose turn it is costs steps as well.
        """
        waiting: dict[int, list[tuple[Run, int, Callable[[int], list[Choice]], set[Decision]]]] = defaultdict(list)
        for run in runs:
            rank, taken = sum(one.rank for one in run.chosen), {one.decision for one in run.chosen}
            must = self._must_remember and not any(self._remembers(one, run.reached) for one in run.chosen)
            options = self._options(run, turn, must=must)
            for more in _ranks(run.asked):
                waiting[rank + more].append((run, more, options, taken))
        for total in sorted(total for total in waiting if total < MOST_UNUSUAL):
            for run, more, options, taken in waiting[total]:
                if self.spent > limit:
                    return
                for choice in options(more):
                    if choice.decision not in taken and not (taken and choice.wrong.late):
                        yield run, choice

    def _options(self, run: Run, turn: Sort, *, must: bool) -> Callable[[int], list[Choice]]:
        """Gives the choices of a rank, at the decisions that a run came to, whose turn it is.

        Very many runs do the same to the cases that matter.
        """
        if not run.chosen:
            return partial(self._of_all, run.asked, turn)
        effects = (id(self._effect(run.chosen, at)) for at in (self._first, run.reached))
        key = turn.value, must, run.asked, run.reached, *effects
        if key not in self._alike:
            self._alike[key] = cache(partial(self._whose_turn_it_is, run, turn, must=must))
        return self._alike[key]

    def _whose_turn_it_is(self, run: Run, turn: Sort, rank: int, *, must: bool) -> list[Choice]:
        key = run.asked, run.reached, turn, rank
        if (key, must) not in self._by_turn:
            self._by_turn[key, must] = self._of_turn(*key, must=must)
        likely = self._likely_after(run)
        return [choice for choice in self._by_turn[key, must] if likely(choice) is not (turn is Sort.MEDDLING)]

    def _of_turn(self, asked: Asked, reached: int, turn: Sort, rank: int, *, must: bool) -> list[Choice]:
        """The choices of a rank whose turn it is, but for what other choices do; those that remember, if they must."""
        choices = self._of_rank(asked, rank)
        if turn is not Sort.MEDDLING:
            new = self._asked_at(reached) - self._asked_at(self._first)
            choices = [choice for choice in choices if (choice.decision in new) is (turn is Sort.NEW)]
        if turn in (Sort.ANY, Sort.REMEMBERING):
            choices = [choice for choice in choices if self._remembers(choice) is (turn is Sort.REMEMBERING)]
        # Last, since it is not known yet of the case that was reached.
        return [choice for choice in choices if self._remembers(choice, reached)] if must else choices

    def _remembers(self, choice: Choice, at: int | None = None) -> bool:
        """Whether a choice is known to keep anything for later calls, or to look for what was kept.

        In the first wrong case; or in another one, if it is given.
        """
        effects = [self._effect_of(choice, one) for one in (self._first, at) if one is not None]
        return any(effect is not None and effect.remembers for effect in effects)

    def _of_all(self, asked: Asked, turn: Sort, rank: int) -> list[Choice]:
        return self._of_rank(asked, rank) if turn is Sort.ANY else []

    def _of_rank(self, asked: Asked, rank: int) -> list[Choice]:
        found = _of_rank(asked, rank)
        return found if self.among is None else [choice for choice in found if choice.wrong.id in self.among]

    def _likely_after(self, run: Run) -> Callable[[Choice], bool]:
        """Tells whether a set with one more choice would explain the case that it fails at if neither meddled.

        What two mistakes do to a result is mostly what one does and what the other does: of two that leave the shapes
        alone no other shape is expected. And the first wrong case, if it is explained without the choice, must not be
        spoilt by it. Where one of them ends in no array by itself nothing is known.
        """
        first, at = self._first, run.reached
        before, here = self._effect(run.chosen, first), self._effect(run.chosen, at)
        spoils: dict[int, bool] = {}  # by what the choice does, which many have in common
        fits: dict[int, bool] = {}

        def likely(choice: Choice) -> bool:
            if at > first:
                effect = self._effect_of(choice, first)
                if id(effect) not in spoils:
                    spoils[id(effect)] = effect is None or bool(before and effect.touches & ~before.touches)
                if spoils[id(effect)]:
                    return False
            effect = self._effect_of(choice, at)
            if id(effect) not in fits:
                fits[id(effect)] = _fits(self.cases[at], here, effect)
            return fits[id(effect)]

        return likely

    def _with_more(self, run: Run, chosen: Chosen) -> Run:
        """Tries a longer set on the case that the shorter one failed at; from the start only if that helps."""
        case = self.cases[run.reached]
        last = chosen[-1]
        if last.wrong.late:
            return self.run(chosen)
        if len(chosen) > 1 and not self._may_help(last, run.reached):
            return Run(chosen, -1, 0.0, (), ())
        player = Player(self.function, self.played, chosen)
        part, came = self._explains(case, player)
        if part == 1.0 or player.remembers:
            return self.run(chosen)
        return Run(chosen, run.reached, part, came, player.asked)

    def _may_help(self, choice: Choice, at: int) -> bool:
        """Whether a choice does anything to a case by itself, or may do so after others."""
        effect = self._effect_of(choice, at)
        return effect is not None and effect.touches != 0

    def _cancel_out(self, chosen: Chosen) -> bool:
        """Whether each of several choices does something to the simplest case, and all of them together do nothing."""
        alone = [self._effect_of(choice, 0) for choice in chosen] if len(chosen) > 1 else []
        together = self._effect(chosen, 0) if alone and all(one and one.touches for one in alone) else None
        return together is not None and together.touches == 0

    def _effect_of(self, choice: Choice, at: int) -> Effect | None:
        """What one choice does to a case by itself."""
        known = self._effects_of[at]
        if choice not in known:
            known[choice] = self._effect((choice,), at)
        return known[choice]

    def _effect(self, chosen: Chosen, at: int) -> Effect | None:
        """What choices do to a case by themselves; None where it ends in no array, and the learner's does."""
        key = chosen, at
        if key not in self._effects:
            # A choice at a decision that does not come up is no choice.
            alone = len(chosen) == 1 and chosen[0].decision not in self._asked_at(at)
            effect = self._effect((), at) if alone else self._found_effect(chosen, at)
            self._effects[key] = self._known_effects.setdefault(effect, effect)
        return self._effects[key]

    def _asked_at(self, at: int) -> frozenset[Decision]:
        """The decisions that come up in a case by itself, if all goes right."""
        if at not in self._asked:
            player = Player(self.function, self.played, ())
            self._played_by(player, self.cases[at])
            self._asked[at] = frozenset(player.asked)
        return self._asked[at]

    def _found_effect(self, chosen: Chosen, at: int) -> Effect | None:
        """The same, found out; a case before which something may have been kept is played after those before it."""
        case = self.cases[at]
        player = Player(self.function, self.played, chosen)
        outcomes = self._played_by(player, case)
        if player.remembers and at:
            player = Player(self.function, self.played, chosen)
            for one in self.cases[: at + 1]:
                outcomes = self._played_by(player, one)
        if all(came.kind != "value" and got.kind == "value" for got, came in zip(case.got, outcomes, strict=True)):
            return None
        explains = touches = 0
        for got, came, frame in zip(case.got, outcomes, case.frames, strict=True):
            alike, every = parts_alike(got, came, frame, player.grid, case.known)
            same, _ = parts_alike(frame.right, came, frame, None, case.known)
            explains = explains << PARTS | alike
            touches = touches << PARTS | every & ~same
        return Effect(explains, touches, player.remembers, tuple(came.shapes for came in outcomes))


def _fits(case: Case, first: Effect | None, other: Effect | None) -> bool:
    """Whether what two sets of choices do to a case, each by itself, comes to what is the matter with it."""
    if first is None or other is None:
        return False
    moved = [shapes for shapes in (first.shapes, other.shapes) if shapes != case.right_shapes]
    if len(moved) < 2 and case.shapes != (moved or [case.right_shapes])[0]:
        return False
    wrong = case.wrong_parts
    explained = first.explains | other.explains | (first.touches & other.touches)
    return not (wrong & ~explained or ~wrong & (first.touches ^ other.touches))


@lru_cache(maxsize=10_000)
def _ranks(asked: Asked) -> list[int]:
    """How unusual the choices at decisions are."""
    return sorted({choice.rank for decision in asked for choice in decision.choices})


@lru_cache(maxsize=10_000)
def _of_rank(asked: Asked, rank: int) -> list[Choice]:
    """The choices at decisions whose way of writing is so unusual."""
    return [choice for decision in asked for choice in decision.choices if choice.rank == rank]
