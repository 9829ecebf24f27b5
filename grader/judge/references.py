"""Imports a lesson's solutions, which use one another as siblings just as the learner's files do."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

from grader.errors import LessonError
from grader.lesson.modules import load_module

if TYPE_CHECKING:
    from types import ModuleType

    from grader.lesson import Exercise, Lesson


def load_references(lesson: Lesson) -> dict[str, SimpleNamespace]:
    """The functions of each exercise's solution, by exercise.

    A solution is importable by its plain name only while the solutions are loaded: afterwards ``import softmax`` in
    this process finds nothing of the lesson's.

    Raises:
        LessonError: a solution cannot be imported or lacks a function that the manifest names.
    """
    loaded: dict[str, ModuleType] = {}
    held = {stem: sys.modules.pop(stem) for stem in lesson.stems if stem in sys.modules}
    try:
        for exercise in lesson.exercises:
            loaded[exercise.id] = sys.modules[exercise.id] = load_module(exercise.reference, exercise.id)
    finally:
        for stem in lesson.stems:
            sys.modules.pop(stem, None)
        sys.modules.update(held)
    return {exercise.id: _functions(exercise, loaded[exercise.id]) for exercise in lesson.exercises}


def _functions(exercise: Exercise, module: ModuleType) -> SimpleNamespace:
    missing = [name for name in exercise.functions if not callable(getattr(module, name, None))]
    if missing:
        raise LessonError(f"{exercise.reference} has no function {', '.join(missing)}, which lesson.yaml names")
    return SimpleNamespace(**{name: getattr(module, name) for name in exercise.functions})
