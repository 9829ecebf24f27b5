"""The words that mistake models are written in.

A model is the solution with its decision points open. Each decision has one right way and the wrong ways that people
are known to take, and a model's function asks ``pick`` which of them to go:

    SCALE = Decision(
        "how scores are scaled",
        lambda scores, d_k: scores / np.sqrt(d_k),
        Wrong(
            "scale-by-dk",
            "Your scores are divided by d_k, not by its square root.",
            does="Dividing by d_k makes the scores so small that all weights come out nearly the same.",
            why="The spread of a sum of d_k products grows with the root of d_k, so the root is what evens it out.",
            look="Which function of d_k does the formula have below the fraction line?",
            ways=(lambda scores, d_k: scores / d_k,),
        ),
    )

    def attention(pick, q, k, v):
        scores = pick(SCALE)(q @ np.swapaxes(k, -1, -2), q.shape[-1])
        ...

Nothing lists the decisions: those that a function asks about are found by running it. ``probes(rng, sizes)`` of the
same module yields the calls on which a learner's function and the model are compared, the smallest first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from grader.expect.learner import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

Way = Callable[..., Any]
NO_CALL = Call("", (), {})


class Refused(Exception):  # noqa: N818 - an outcome of a model, no error of the program
    """A model's call does not fit the parameters that the learner's function would have."""


class AnyText(str):
    """What a wrong choice returns where learners return a text: it stands for one of any wording."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Wrong:
    """A wrong choice at a decision, which is a mistake with a name.

    Attributes:
        id: its name for machines: ``scale-by-dk``.
        title: what the learner's code does, one sentence in the second person.
        does: what comes of it, one sentence.
        why: why that is wrong, one sentence.
        look: what to look at next; not the corrected line.
        ways: the code of it; several where one mistake can be written in ways that behave differently.
        grid: the type whose few digits blur the result, so that the order of operations shows in it.
        late: whether it changes results after they were returned, so that they have to be looked at in the end.
        rare: how much more unusual it is than others, so that it is looked for later beside another mistake.
    """

    id: str
    title: str
    does: str
    why: str
    look: str
    ways: tuple[Way, ...]
    grid: type[np.floating[Any]] | None = None
    late: bool = False
    rare: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One way to go at one decision; the rank says how unusual it is."""

    decision: Decision
    wrong: Wrong
    way: Way
    rank: int


class Decision:
    """A point at which the solution goes one way and known mistakes go others.

    Args:
        about: what is decided, as the rest of a sentence.
        right: the solution's way.
        wrong: the others; all ways of a decision take the same arguments.
    """

    def __init__(self, about: str, right: Way, *wrong: Wrong) -> None:
        self.about = about
        self.right = right
        self.wrong = wrong
        self.choices = tuple(
            Choice(self, one, way, rank) for one in wrong for rank, way in enumerate(one.ways, one.rare)
        )

    def __repr__(self) -> str:
        return f"<Decision {self.about}>"


@dataclass(slots=True)
class Pick:
    """Goes through a model: takes the chosen way at each decision, the right one where nothing was chosen.

    Attributes:
        remembered: whether something was kept, or looked for among what was kept.
        call: the call that is being made.
        asked: the decisions that were asked about.
        alive: what the caller wants to be kept alive.
    """

    chosen: Mapping[Decision, Way] = field(default_factory=dict)
    remembered: bool = False
    call: Call = NO_CALL
    asked: dict[Decision, None] = field(default_factory=dict)
    alive: list[Any] = field(default_factory=list)
    _memory: dict[Any, Any] = field(default_factory=dict)

    def __call__(self, decision: Decision) -> Way:
        """The way to go at a decision."""
        self.asked[decision] = None
        return self.chosen.get(decision) or decision.right

    @property
    def memory(self) -> dict[Any, Any]:
        """What wrong choices keep from one call to the next; a new ``Pick`` has forgotten everything."""
        self.remembered = True
        return self._memory

    def keep(self, key: Any, work: Callable[[], Any]) -> Any:
        """What was kept under a key; the work's result, now kept, where nothing was."""
        memory = self.memory
        if key not in memory:
            memory[key] = work()
        return memory[key]

    def keep_while(self, name: str, key: Any, work: Callable[[], Any]) -> Any:
        """What was kept under a name, as long as the key stays the same; a new key has the work done again."""
        memory = self.memory
        if name not in memory or memory[name][0] != key:
            memory[name] = key, work()
        return memory[name][1]


@dataclass(frozen=True, slots=True)
class Probe:
    """Calls made one after the other in one go.

    Attributes:
        calls: what is called; their results are looked at only after the last.
        refill: whether all of them get the same array objects, filled with the next values.
        edge: whether much else than the mistake may show in the result: large numbers, infinities, other types.
    """

    calls: tuple[Call, ...]
    refill: bool = False
    edge: bool = False


def ask(function: str, *args: Any, **named: Any) -> Probe:
    """One call of a function by name."""
    return Probe((Call(function, args, named),))


def edge(function: str, *args: Any, **named: Any) -> Probe:
    """One call with large numbers, infinities or another type: much else than one mistake may show in the result."""
    return Probe((Call(function, args, named),), edge=True)


def also(wrong: Wrong, *ways: Way) -> Wrong:
    """The same mistake at another decision, where it is written in other ways."""
    return replace(wrong, ways=ways)


def usual(decision: Decision, most: int) -> Decision:
    """The same decision with only the first ways of each mistake: for a model in which it is one among very many."""
    return usually(most)[decision]


@cache
def usually(most: int | None) -> Mapping[Decision, Decision]:
    """Every decision with only the first ways of each mistake, or with all of them."""
    return _Usual(most)


class _Usual(dict[Decision, Decision]):
    """Decisions made as they are asked for: a look-up in a dictionary is what a model has time for."""

    def __init__(self, most: int | None) -> None:
        super().__init__()
        self._most = most

    def __missing__(self, decision: Decision) -> Decision:
        wrong = (replace(wrong, ways=wrong.ways[: self._most]) for wrong in decision.wrong)
        self[decision] = decision if self._most is None else Decision(decision.about, decision.right, *wrong)
        return self[decision]


def refilled(function: str, *inputs: tuple[Any, ...]) -> Probe:
    """A call for each tuple of arguments, all of them with the very same array objects, filled anew."""
    return Probe(tuple(Call(function, args, {}) for args in inputs), refill=True, edge=True)
