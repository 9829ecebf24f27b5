"""Loads a lesson's mistake models, and the calls on which a learner's functions are compared with them."""

from __future__ import annotations

import importlib
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.outcomes import Frame, frame_of
from grader.diagnosis.playing import Played, run_calls
from grader.errors import LessonError
from grader.expect.mistakes import Decision, Pick

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from grader.expect.learner import Call
    from grader.expect.mistakes import Probe

Batches = tuple[tuple[tuple["Call", ...], bool], ...]  # calls, and whether each gets the objects of the one before
PACKAGE = "_mistake_models"
# Differing primes, so that no axis passes for another; the second order is for calls that the search does not see.
SIZES, OTHER_SIZES = (3, 5, 2, 7), (2, 3, 5, 7)


@dataclass(frozen=True, slots=True)
class Model:
    """The mistake model of one exercise.

    Attributes:
        functions: the model's functions by name, each taking ``pick`` before the learner's arguments.
        probes: yields the calls to compare on, given a generator and four primes.
        own: the decisions of its own module; others belong to models that it uses.
        played: what each function did on its probes so far.
        heard: what learners' functions did, by the marks of their answers; ``naming`` looks after it.
        explained: the same by their outlines, of those that are explained; ``naming`` looks after it.
    """

    functions: dict[str, Callable[..., Any]]
    probes: Callable[[np.random.Generator, tuple[int, int, int, int]], Any]
    own: frozenset[Decision]
    played: dict[str, Played] = field(default_factory=lambda: defaultdict(Played))
    explained: dict[Any, Any] = field(default_factory=dict)
    heard: dict[Any, Any] = field(default_factory=dict)
    _asked: dict[tuple[str, bool], list[Probe]] = field(default_factory=dict)
    _batches: dict[Any, Batches] = field(default_factory=dict)
    _frames: dict[tuple[int, int], tuple[Frame, ...]] = field(default_factory=dict)

    def asked(self, function: str, *, held_back: bool) -> list[Probe]:
        """The probes of one function: those to search with, or those to test what was found on; always the same."""
        key = function, held_back
        if key not in self._asked:
            rng = np.random.default_rng(2 if held_back else 1)
            probes = list(self.probes(rng, OTHER_SIZES if held_back else SIZES))
            self._asked[key] = [probe for probe in probes if probe.calls[0].function == function]
        return self._asked[key]

    def calls(self, function: str, *, held_back: bool) -> Batches:
        """The calls of these probes: all that stand alone in one batch, then those of each with refilled arguments.

        It is always the same object: what is asked of many learners is encoded once.
        """
        key = function, held_back
        if key not in self._batches:
            probes = self.asked(function, held_back=held_back)
            alone = tuple(call for probe in probes if not probe.refill for call in probe.calls)
            self._batches[key] = ((alone, False), *((probe.calls, True) for probe in probes if probe.refill))
        return self._batches[key]

    def calls_again(self, function: str, order: tuple[int, ...]) -> Batches:
        """The calls of the search that stand alone in another order, some perhaps several times or not at all.

        It is always the same object for the same order.
        """
        key = function, order
        if key not in self._batches:
            ((alone, _), *_) = self.calls(function, held_back=False)
            self._batches[key] = ((tuple(alone[at] for at in order), False),)
        return self._batches[key]

    def uses_others(self, function: str) -> bool:
        """Whether a function goes through decisions of other modules if all goes right."""
        pick = Pick()
        run_calls(self.asked(function, held_back=False)[0], partial(self.functions[function], pick))
        return any(decision not in self.own for decision in pick.asked)

    def frames(self, probe: Probe, reference: Callable[..., Any]) -> tuple[Frame, ...]:
        """What the outcomes of one of these probes are compared in the light of."""
        key = id(probe), id(reference)
        if key not in self._frames:
            self._frames[key] = tuple(map(frame_of, probe.calls, run_calls(probe, reference)))
        return self._frames[key]


@cache
def load_model(path: Path, functions: tuple[str, ...]) -> Model:
    """The model in a file.

    Models import one another by relative imports (``from .softmax import ...``); their folder needs no ``__init__.py``.

    Raises:
        LessonError: it cannot be imported, or lacks a function or its probes.
    """
    module = _module(path.parent.resolve(), path.stem)
    missing = [name for name in (*functions, "probes") if not callable(getattr(module, name, None))]
    if missing:
        raise LessonError(f"{path} has no function {', '.join(missing)}, which a mistake model needs")
    own = frozenset(value for value in vars(module).values() if isinstance(value, Decision))
    return Model({name: getattr(module, name) for name in functions}, module.probes, own)


@cache
def _module(folder: Path, stem: str) -> ModuleType:
    package = f"{PACKAGE}_{abs(hash(str(folder))):x}"
    if package not in sys.modules:
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [str(folder)]
    try:
        return importlib.import_module(f"{package}.{stem}")
    except (Exception, SystemExit) as error:
        raise LessonError(f"{folder / stem}.py cannot be imported: {type(error).__name__}: {error}") from error
