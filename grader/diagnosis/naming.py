"""From what a learner's functions did to the names of the mistakes in them, or to a symptom where there is no name."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.garbage import no_collection
from grader.diagnosis.outcomes import Came, Frame, agreement, arrays_of, came_of
from grader.diagnosis.playing import Case, Chosen
from grader.diagnosis.search import BUDGET, Search
from grader.diagnosis.symptoms import symptom_of
from grader.expect import Verdict
from grader.expect.habits import AT_RANDOM, DROPPED, EARLIER_CALLS, NOT_REFUSED
from grader.model import Mistake

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import SimpleNamespace

    from grader.diagnosis.models import Model
    from grader.expect.learner import Answer, Answers, Call
    from grader.expect.mistakes import Wrong

Imported = frozenset[frozenset[str]]  # mistakes of other files: the id of each with those of what it may be instead
Known = tuple[Chosen, int, Imported]  # choices that are known, how many steps may be made, and what is imported
Ask = Callable[..., "Sequence[Answers]"]  # makes the calls of some ``Batches``; a batch is encoded after its last
MOST_ALTERNATIVES = 2
LEAST_BUDGET = 40_000  # of the search for a function's mistakes where those of one before it were not found
MOST_EXPLAINED = 400  # functions that are remembered with what explains them
MOST_BYTES = 1 << 18  # of what such a function did, as it was sent; a right one comes to some ten thousands
MOST_BYTES_IN_ALL = 1 << 24
COARSE = 5  # digits after the point
MOST_REPEATED = 6  # calls that are made several times in a row
LEAST_DROPPED = 5  # entries that are 0, and others that are not, before that is taken for dropout
NOTHING: Imported = frozenset()
NAMELESS: frozenset[str] = frozenset()
LEAST_VALUES = 2  # how many calls have to return a value: two functions that only raise are not known to be alike


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is known about a wrong exercise.

    Attributes:
        mistakes: those that explain all that it did; none where no known ones do.
        symptom: what is peculiar about the results, where there is no name.
        right: whether nothing was wrong with any of them.
    """

    mistakes: tuple[Mistake, ...] = ()
    symptom: str = ""
    right: bool = False


def diagnose(
    model: Model,
    reference: SimpleNamespace,
    fresh: Callable[[], Ask],
    check: Callable[[], None] | None = None,
    imported: Imported = NOTHING,
) -> Diagnosis:
    """Compares a learner's functions with a model.

    Args:
        model: of the exercise.
        reference: the solution's functions.
        fresh: gives a way to call the learner's functions, in a process that has not called them yet.
        check: is called now and then while nothing is asked of such a process; what it raises ends the work.
        imported: the mistakes that the files which this one imports are known to have; one of no ids where there is
            one without a name. Of a function that may use those files nothing is told that does not include them all:
            what explains it without them does so by chance.

    Returns:
        The names if there are any. Nothing at all when a probe takes too long, or ends the process.
    """
    known: list[Chosen] = []
    mistakes: dict[str, Mistake] = {}
    symptom = ""
    accepts = False
    budget = BUDGET
    with warnings.catch_warnings(), np.errstate(all="ignore"), no_collection():
        warnings.simplefilter("ignore")
        try:
            all_asked = _ask_all(model, reference, fresh)
        except Verdict:
            return Diagnosis()
        for name in model.functions:
            asked = all_asked[name]
            foreign = imported if imported and model.uses_others(name) else NOTHING
            if not asked.wrong or NAMELESS in foreign or (foreign and asked.unsteady):
                continue
            found: list[Chosen] = []
            whole = False
            try:
                leak = _chance(model, name, asked, fresh) if asked.unsteady else None
                if leak is None:
                    leaks = cache(partial(_leak, model, name, asked, fresh))
                    found, whole = _explain(model, name, asked, _together(known), budget, check, leaks, foreign)
                    budget = budget if found or whole else LEAST_BUDGET
                    leak = None if whole or foreign else leaks()
            except Verdict:
                return Diagnosis()
            if leak is not None:
                mistakes.setdefault(leak.id, _mistake(leak))
            elif found:
                known.append(found[0])
                mistakes |= {key: one for key, one in _mistakes(found).items() if key not in mistakes}
            elif foreign:
                continue
            elif _dropped(asked.all):
                mistakes.setdefault(DROPPED.id, _mistake(DROPPED))
            elif _accepts(asked.all):
                accepts = True
            elif not symptom:
                symptom = symptom_of(asked.all)
    if accepts and not mistakes:  # else it is one of those that were found which lets the calls through, as a rule
        mistakes[NOT_REFUSED.id] = _mistake(NOT_REFUSED)
    right = not any(asked.wrong for asked in all_asked.values())
    return Diagnosis(tuple(mistakes.values()), "" if mistakes else symptom, right)


@dataclass
class _Asked:
    """What one function did: on the probes to search with, and on those held back.

    Attributes:
        cases: the first.
        held_back: the others.
        size: of the answers in bytes, as far as they are kept.
        explained: the sets of choices that explain it, by what else was known when they were looked for.
    """

    cases: list[Case]
    held_back: list[Case]
    size: int
    explained: dict[Any, tuple[list[Chosen], bool]] = field(default_factory=dict)

    @property
    def all(self) -> list[Case]:
        return [*self.cases, *self.held_back]

    @cached_property
    def wrong(self) -> bool:
        """Whether anything differs from the reference."""
        return any(case.wrong for case in self.all)

    @cached_property
    def unsteady(self) -> bool:
        """Whether a call that was made twice came to two different results."""
        return _is_unsteady(self.all)

    @cached_property
    def outline(self) -> bytes:
        """Equal for functions that do the same, but for rounding."""
        return _outline(self.all)


def _ask_all(model: Model, reference: SimpleNamespace, fresh: Callable[[], Ask]) -> dict[str, _Asked]:
    """What all functions did, the last of them first: it is mostly the one that is wrong."""
    names = [*reversed(model.functions)]
    batches = {name: [model.calls(name, held_back=held_back) for held_back in (False, True)] for name in names}
    told = iter(fresh()(*(batch for name in names for batch in batches[name])))
    asked: dict[str, _Asked] = {}
    for name in names:
        answers = next(told), next(told)
        asked[name] = _asked(model, name, reference, answers)
        if asked[name].wrong and name != names[0]:  # it may be so for what calls of other functions have left behind
            asked[name] = _asked(model, name, reference, fresh()(*batches[name]))
    return asked


def _asked(model: Model, name: str, reference: SimpleNamespace, answers: Sequence[Answers]) -> _Asked:
    """What a function did: in a cohort many do the very same."""
    key = name, *(told.mark for told in answers)
    asked: _Asked | None = model.heard.pop(key, None)
    if asked is None:
        right = getattr(reference, name)
        first, other = (
            _cases(model, name, right, told.apart(), held_back=held_back)
            for told, held_back in zip(answers, (False, True), strict=True)
        )
        asked = _Asked(first, other, sum(told.size for told in answers))
        if not asked.wrong and not asked.unsteady:
            asked.cases, asked.held_back, asked.size = [], [], 0  # nobody will look at them
        _remember(model.heard, key, asked)
    return asked


def _remember(known: dict[Any, _Asked], key: Any, asked: _Asked) -> None:
    """Keeps what a function did if that is not too much, and lets go of what was of no use for longest."""
    if asked.size > MOST_BYTES:
        return
    known[key] = asked
    while len(known) > MOST_EXPLAINED or sum(one.size for one in known.values()) > MOST_BYTES_IN_ALL:
        del known[next(iter(known))]


def _explain(
    model: Model,
    name: str,
    asked: _Asked,
    start: Chosen,
    budget: int,
    check: Callable[[], None] | None,
    leaks: Callable[[], Wrong | None],
    imported: Imported,
) -> tuple[list[Chosen], bool]:
    """The sets of choices that explain a function, and whether they explain all that it did.

    In a cohort many make the same mistake: what explained a function explains another one that does the same.
    """
    known = start, budget, imported
    if known not in asked.explained:
        asked.explained[known] = _explained_anew(model, name, asked, known, check, leaks)
        for case in asked.all:  # it may be remembered for long, and this is of no use to any other search
            case.known.clear()
            case.explained.clear()
    return asked.explained[known]


def _explained_anew(
    model: Model,
    name: str,
    asked: _Asked,
    known: Known,
    check: Callable[[], None] | None,
    leaks: Callable[[], Wrong | None],
) -> tuple[list[Chosen], bool]:
    """The same for a function that was not heard before, but perhaps one that is like it but for rounding."""
    key = name, known, asked.outline
    before: _Asked | None = model.explained.pop(key, None)
    start, _, imported = known
    if before is not None and _do_the_same(before.all, asked.all):
        _remember(model.explained, key, before)
        if _explains_as_well(model, name, before.explained[known], asked, start):
            return before.explained[known]
    found: tuple[list[Chosen], bool] = [], False
    if imported:  # what is known of an imported file explains the rest, or it does not
        found = _search(model, name, asked, known, check, leaks, frozenset().union(*imported))
    if not found[1]:
        found = _search(model, name, asked, known, check, leaks)
    _remember(model.explained, key, asked)
    return found


def _outline(cases: Sequence[Case]) -> bytes:
    """Equal for functions that do the same, but for some of which the rounding has put a value elsewhere."""
    digest = blake2b()
    for case in cases:
        for got in case.got:
            digest.update(f"{got.kind} {got.family[:1]} {got.changed}".encode())
            for part in got.value if isinstance(got.value, tuple | list) else [got.value]:
                if isinstance(part, np.ndarray | np.generic) and part.dtype.kind in "biuf":
                    digest.update(f"{part.dtype.kind}{part.shape}".encode())
                    digest.update((np.round(np.asarray(part, np.float64), COARSE) + 0.0).tobytes())  # no -0.0
                else:
                    digest.update(type(part).__name__.encode())
    return digest.digest()


def _do_the_same(before: Sequence[Case], now: Sequence[Case]) -> bool:
    return all(
        agreement(*three) == 1.0
        for one, other in zip(before, now, strict=True)
        for three in zip(one.got, other.got, other.frames, strict=True)
    )


def _explains_as_well(model: Model, name: str, found: tuple[list[Chosen], bool], asked: _Asked, start: Chosen) -> bool:
    """Whether what was found for a function like it explains one to the end too, and nothing less does.

    Two functions may be alike by a hair's breadth, and one of them on purpose: nobody's names hang on another's.
    """
    search = Search(model.functions[name], asked.cases, played=model.played[name])
    return found[1] and all(
        _holds(search, chosen, asked.held_back)
        and not any(
            search.whole(search.run(tuple(choice for choice in chosen if choice is not left_out)))
            for left_out in chosen
            if left_out not in start
        )
        for chosen in found[0]
    )


def _search(
    model: Model,
    name: str,
    asked: _Asked,
    known: Known,
    check: Callable[[], None] | None,
    leaks: Callable[[], Wrong | None],
    among: frozenset[str] | None = None,
) -> tuple[list[Chosen], bool]:
    if not tells_enough(asked.cases):
        return [], False
    start, budget, imported = known

    def earlier() -> bool | None:
        leak = leaks()
        return None if leak is AT_RANDOM else leak is not None

    played = model.played[name]
    search = Search(model.functions[name], asked.cases, budget, 0, played, check, among, earlier)
    found = [chosen for chosen in search.explain(start) if chosen and _holds(search, chosen, asked.held_back)]
    if among is None:
        ids = [{choice.wrong.id for choice in chosen} for chosen in found]
        found = [chosen for chosen, its in zip(found, ids, strict=True) if all(its & one for one in imported)]
    found = _by_name(_nearest(_with(start, found), model))
    if not found:
        return [], False
    if not _fewest(found):  # too many would do in the place of one, but what all of them have in common is known
        certain = _certain(found)
        common = tuple(choice for choice in found[0] if choice.wrong.id in certain)
        return ([common] if common else []), False
    return found, search.whole(search.run(found[0]))


def _leak(model: Model, name: str, asked: _Asked, fresh: Callable[[], Ask]) -> Wrong | None:
    """Whether the results depend on something else than the arguments: the same calls are made in another order."""
    if not any(got.kind == "value" for case in asked.cases for got in case.got):
        return None
    if (chance := _chance(model, name, asked, fresh)) is not None:
        return chance
    before, frames = _one_by_one(asked.cases)
    order = _other_order([call for case in asked.cases if not case.probe.refill for call in case.probe.calls])
    again = _again(model, name, order, fresh)
    two = ([before[at] for at in order], again, [frames[at] for at in order])
    return EARLIER_CALLS if _differ(*two) else None


def _other_order(calls: Sequence[Call]) -> tuple[int, ...]:
    """Backwards, from a call on whose arrays have other sizes than those of the first, which is often remembered."""

    def alike(call: Call) -> int:
        shapes = [[np.shape(value)[::-1] for value in one.given] for one in (calls[0], call)]
        return sum(size == other for pair in zip(*shapes, strict=False) for size, other in zip(*pair, strict=False))

    order = range(len(calls))[::-1]
    start = min(range(len(calls)), key=lambda at: alike(calls[order[at]]))
    return (*order[start:], *order[:start])


def _chance(model: Model, name: str, asked: _Asked, fresh: Callable[[], Ask]) -> Wrong | None:
    """Whether calls that are made once more come to something else: all in the same order, or one three times."""
    before, frames = _one_by_one(asked.cases)
    if _differ(before, _again(model, name, tuple(range(len(before))), fresh), frames):
        return AT_RANDOM
    repeated = _telling(before)
    answers = _again(model, name, tuple(at for at in repeated for _ in range(3)), fresh)
    rows = zip(answers[::3], answers[1::3], answers[2::3], (frames[at] for at in repeated), strict=True)
    return AT_RANDOM if any(_is_chance(*row) for row in rows) else None


def _is_chance(first: Came, second: Came, third: Came, frame: Frame) -> bool:
    """Whether three results of one call tell of chance: where the first is right, it is what calls leave behind."""
    return (
        second.shapes == third.shapes  # the first may be kept
        and agreement(second, third, frame) < 1.0
        and agreement(first, frame.right, frame) < 1.0
    )


def _telling(before: Sequence[Came]) -> range:
    """The calls next to each other of which most returned a value: one of few rows, since what is asked is kept."""
    rows = [range(at, min(at + MOST_REPEATED, len(before))) for at in range(0, len(before), MOST_REPEATED)]
    return max(rows, key=lambda row: sum(before[at].kind == "value" for at in row), default=range(0))


def _again(model: Model, name: str, order: tuple[int, ...], fresh: Callable[[], Ask]) -> list[Came]:
    ((answers,),) = (told.apart() for told in fresh()(model.calls_again(name, order)))
    return [came_of(answer) for answer in answers]


def _one_by_one(cases: Sequence[Case]) -> tuple[list[Came], list[Frame]]:
    """The outcomes of the calls that stand alone, and what they are compared in the light of."""
    alone = [case for case in cases if not case.probe.refill]
    return [got for case in alone for got in case.got], [frame for case in alone for frame in case.frames]


def _is_unsteady(cases: Sequence[Case]) -> bool:
    """Whether a call that is made twice comes to two different results."""
    seen: dict[Any, Came] = {}
    for case in cases:
        for call, got, frame in zip(case.probe.calls, case.got, case.frames, strict=True):
            before = seen.setdefault((*map(id, call.given), *call.named), got)
            if before is not got and not case.probe.refill and agreement(before, got, frame) < 1.0:
                return True
    return False


def _dropped(cases: Sequence[Case]) -> bool:
    """Whether a part of the results is what dropout makes of it: some entries 0, the others larger by one factor."""
    plain = [
        (arrays_of(got.value), arrays_of(frame.right.value))
        for case in cases
        if not case.probe.edge
        for got, frame in zip(case.got, case.frames, strict=True)
    ]
    counts = {len(parts) for both in plain for parts in both}
    return len(counts) == 1 and any(_thinned([(got[at], right[at]) for got, right in plain]) for at in range(*counts))


def _accepts(cases: Sequence[Case]) -> bool:
    """Whether all that is wrong are calls that have to be refused, and some of them have arrays for an answer."""
    wrong = [case for case in cases if case.wrong]
    values = [got.value for case in wrong for got in case.got if got.kind == "value"]
    refused = all(frame.right.kind == "raised" for case in wrong for frame in case.frames)
    return refused and bool(values) and all(map(arrays_of, values))


def _thinned(pairs: Sequence[tuple[Any, Any]]) -> bool:
    if any(got.shape != right.shape or got.dtype.kind != "f" for got, right in pairs):
        return False
    got, right = (np.concatenate([pair[at].ravel() for pair in pairs]) for at in (0, 1))
    left = (got != 0) & (right != 0)
    gone = (got == 0) & (right != 0)
    if min(left.sum(), gone.sum()) < LEAST_DROPPED or (got[right == 0] != 0).any():
        return False
    factors = got[left] / right[left]
    return bool(factors[0] > 1 and np.allclose(factors, factors[0], rtol=1e-9, atol=0))


def _differ(first: Sequence[Came], second: Sequence[Came], frames: Sequence[Frame]) -> bool:
    return any(agreement(*three) < 1.0 for three in zip(first, second, frames, strict=True))


def _cases(
    model: Model, name: str, right: Callable[..., object], told: Sequence[Sequence[Answer]], *, held_back: bool
) -> list[Case]:
    """What came of the calls: of those that stand alone in one batch, of those with refilled arguments in one each."""
    probes = model.asked(name, held_back=held_back)
    alone, *refilled = told
    answers = iter([*alone, *(answer for batch in refilled for answer in batch)])
    # As they were made: what is kept depends on it.
    ordered = sorted(probes, key=lambda probe: probe.refill)
    return [
        Case(
            probe,
            tuple(came_of(next(answers)) for _ in probe.calls),
            model.frames(probe, right),
            at if probe.refill else 0,
        )
        for at, probe in enumerate(ordered)
    ]


def _holds(search: Search, chosen: Chosen, held_back: Sequence[Case]) -> bool:
    """Whether what explains the cases of the search explains those held back as well."""
    if search.whole(search.run(chosen)):
        longer = Search(search.function, [*search.cases, *held_back], played=search.played)
        return longer.whole(longer.run(chosen))
    other = Search(search.function, held_back, played=search.played)
    return other.run(chosen).reached >= other.plain


def tells_enough(cases: Iterable[Case]) -> bool:
    """Whether a function did enough on the probes of the search to be told from others: one value says too little."""
    kinds = [got.kind for case in cases for got in case.got]
    return "missing" not in kinds and kinds.count("raised") <= len(kinds) - LEAST_VALUES


def _together(named: Iterable[Chosen]) -> Chosen:
    """The choices of several functions, one for each decision."""
    return tuple({choice.decision: choice for chosen in named for choice in chosen}.values())


def _with(start: Chosen, found: Sequence[Chosen]) -> list[Chosen]:
    """Of sets that explain the same, those with the mistakes that other functions of the exercise are known to have."""
    known = {choice.wrong.id for choice in start}
    return [chosen for chosen in found if known <= {choice.wrong.id for choice in chosen}] or [*found]


def _nearest(found: Sequence[Chosen], model: Model) -> list[Chosen]:
    """Of sets that explain the same, those that blame the file itself rather than what it imports."""
    foreign = [sum(choice.decision not in model.own for choice in chosen) for chosen in found]
    return [chosen for chosen, count in zip(found, foreign, strict=True) if count == min(foreign)]


def _by_name(found: Iterable[Chosen]) -> list[Chosen]:
    """One set of choices for each set of names: a mistake may be written in several ways."""
    return list({frozenset(choice.wrong.id for choice in chosen): chosen for chosen in reversed(list(found))}.values())[
        ::-1
    ]


def _fewest(found: Sequence[Chosen]) -> bool:
    """Whether what is found is one set, or sets that differ in one mistake each: "either ... or ..."."""
    certain = _certain(found)
    return all(len(_open(chosen, certain)) <= 1 for chosen in found) and len(found) <= MOST_ALTERNATIVES


def _certain(found: Sequence[Chosen]) -> frozenset[str]:
    return frozenset.intersection(*(frozenset(choice.wrong.id for choice in chosen) for chosen in found))


def _open(chosen: Chosen, certain: frozenset[str]) -> list[Wrong]:
    return [choice.wrong for choice in chosen if choice.wrong.id not in certain]


def _mistakes(found: Sequence[Chosen]) -> dict[str, Mistake]:
    """The mistakes of one function by id: those that are certain, and one that has alternatives."""
    certain = _certain(found)
    mistakes = {wrong.id: _mistake(wrong) for wrong in (choice.wrong for choice in found[0]) if wrong.id in certain}
    others = [_mistake(wrong) for chosen in found for wrong in _open(chosen, certain)]
    if others:
        mistakes[others[0].id] = replace(others[0], alternatives=tuple(others[1:]))
    return mistakes


def _mistake(wrong: Wrong) -> Mistake:
    return Mistake(wrong.id, wrong.title, f"{wrong.does} {wrong.why}", wrong.look)
