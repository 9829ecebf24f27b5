"""Reads lesson.yaml, the only list of a lesson's exercises, and says everything that is wrong with it at once."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from grader.errors import LessonError, UsageError
from grader.limits import Limits
from grader.text import did_you_mean, nearest, visible

if TYPE_CHECKING:
    from collections.abc import Collection

FORMAT = "lesson/1"
MANIFEST = Path("exercises") / "lesson.yaml"
STEM = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
RESERVED = sys.stdlib_module_names | {"numpy", "grader"}
PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise of a lesson.

    Attributes:
        id: the stem that names it everywhere.
        title: for people.
        functions: what the learner writes, in order.
        points: of all its checks together.
        checks: how many there are; pinned, so that none is lost unseen.
        needs: earlier exercises it may use.
        hints: a ladder, the vaguest first.
        limits: what the learner's code may use.
        reference: path of the solution.
        suite: path of the hidden suite.
        steps: path of the reference with its steps named, None if the lesson has none.
        mistakes: path of the mistake model, None if the lesson has none.
        reveal: the most that learners of a cohort may see of a check, as pairs of check and level.
        named_checks: the checks that the manifest names, as pairs of check and line; only who has
            collected the suite knows whether it has them.
    """

    id: str
    title: str
    functions: tuple[str, ...]
    points: int
    checks: int
    needs: tuple[str, ...]
    hints: tuple[str, ...]
    limits: Limits
    reference: Path
    suite: Path
    steps: Path | None = None
    mistakes: Path | None = None
    reveal: tuple[tuple[str, str], ...] = ()
    named_checks: tuple[tuple[str, int], ...] = ()

    @property
    def filename(self) -> str:
        """The learner's file."""
        return f"{self.id}.py"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A folder with a manifest, and what the manifest lists."""

    id: str
    title: str
    manifest: Path
    references: Path
    exercises: tuple[Exercise, ...]

    def __getitem__(self, stem: str) -> Exercise:
        for exercise in self.exercises:
            if exercise.id == stem:
                return exercise
        raise KeyError(stem)

    @property
    def stems(self) -> tuple[str, ...]:
        """The exercises by name, in order."""
        return tuple(exercise.id for exercise in self.exercises)

    @property
    def points(self) -> int:
        """The points of all exercises."""
        return sum(exercise.points for exercise in self.exercises)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the files are that it grades with, beside the manifest."""
        paths = [
            path
            for exercise in self.exercises
            for path in (exercise.reference, exercise.suite, exercise.steps, exercise.mistakes)
            if path
        ]
        return tuple(dict.fromkeys(path.parent for path in paths))

    @property
    def files(self) -> tuple[Path, ...]:
        """The manifest, and every module that it grades with: what lies beside a suite may be imported by it."""
        return self.manifest, *sorted(path for folder in self.folders for path in folder.glob("*.py"))

    def choose(self, names: tuple[str, ...], *, commands: Collection[str] = ()) -> tuple[Exercise, ...]:
        """The exercises of these names in the lesson's order; all of them for no name.

        A name may be written as people write it: ``softmax``, ``softmax.py``, ``exercises/softmax.py``.

        Args:
            names: of exercises.
            commands: what else might have been meant, where a command may stand as well.

        Raises:
            UsageError: there is no such exercise; the message offers the nearest.
        """
        wanted = {Path(name).name.removesuffix(".py"): name for name in names}
        for stem, name in wanted.items():
            if stem not in self.stems:
                near = nearest(stem, [*self.stems, *commands])
                ask = f"Did you mean {near}? " if near else ""
                what = "exercise or command" if commands else "exercise"
                raise UsageError(f"no {what} {name!r}. {ask}The exercises are {', '.join(self.stems)}.")
        return tuple(exercise for exercise in self.exercises if not wanted or exercise.id in wanted)


def shipped_lesson() -> Lesson:
    """The lesson that comes with the package, from a wheel or from a clone."""
    in_wheel = PACKAGE / "_lesson"
    return load_lesson(in_wheel if in_wheel.is_dir() else PACKAGE.parent)


def load_lesson(folder: Path) -> Lesson:
    """Reads ``folder/exercises/lesson.yaml``.

    Raises:
        LessonError: the manifest is missing or wrong; the message names the file, each line and what to write.
    """
    path = folder / MANIFEST
    text = _text(path)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        raise LessonError(f"{path} is no YAML: {error}") from error
    problems: list[tuple[int, str]] = []
    lesson = _lesson(_Reader(node, problems), path)
    if problems:
        in_order = sorted(problems, key=lambda problem: problem[0])
        raise LessonError("\n".join(f"{path}:{line}: {text}" for line, text in in_order))
    return lesson


def _text(path: Path) -> str:
    """The text of a file.

    Raises:
        LessonError: it cannot be read, or holds what no YAML may hold; neither decoder nor parser knows the line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LessonError(f"{path} cannot be read: {error.strerror}") from error
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, byte = data.count(b"\n", 0, error.start) + 1, data[error.start]
        raise LessonError(f"{path}:{line}: byte 0x{byte:02x} is not UTF-8; save the file as UTF-8") from error
    if wrong := yaml.reader.Reader.NON_PRINTABLE.search(text):
        line = text.count("\n", 0, wrong.start()) + 1
        raise LessonError(f"{path}:{line}: {visible(wrong[0])} is a character that YAML forbids; take it out")
    return text


def _lesson(top: _Reader, path: Path) -> Lesson:
    top.literal("format", FORMAT)
    folder = path.parent
    references = folder / top.text("references", default="../solutions")
    suites = folder / top.text("suites", default="suites")
    steps = folder / top.text("steps", default="steps")
    mistakes = folder / top.text("mistakes", default="mistakes")
    limits = _limits(top, Limits())
    exercises: list[Exercise] = []
    for entry in top.entries("exercises"):
        stem = entry.text("id")
        if stem and not STEM.match(stem):
            entry.problem(f"id {stem!r} has to be a lower-case name: letters, digits and _")
        if stem in RESERVED:
            entry.problem(f"id {stem!r} is a name that Python has taken: a file of that name could not be imported")
        if stem in {exercise.id for exercise in exercises}:
            entry.problem(f"id {stem!r} is there twice")
        reveal, named = _reveal(entry)
        exercise = Exercise(
            id=stem,
            title=entry.text("title"),
            functions=entry.texts("functions"),
            points=entry.number("points"),
            checks=entry.number("checks"),
            needs=entry.texts("needs", default=()),
            hints=entry.texts("hints"),
            limits=_limits(entry, limits),
            reference=references / f"{stem}.py",
            suite=suites / f"suite_{stem}.py",
            steps=steps / f"{stem}.py" if (steps / f"{stem}.py").is_file() else None,
            mistakes=mistakes / f"{stem}.py" if (mistakes / f"{stem}.py").is_file() else None,
            reveal=reveal,
            named_checks=named,
        )
        for needed in exercise.needs:
            if needed not in {earlier.id for earlier in exercises}:
                entry.problem(f"needs {needed!r}, which is no earlier exercise")
        for file in (exercise.reference, exercise.suite):
            if STEM.match(stem) and not file.is_file():
                entry.problem(f"there is no {file}")
        entry.nothing_else()
        exercises.append(exercise)
    lesson = Lesson(top.text("lesson"), top.text("title"), path, references, tuple(exercises))
    top.nothing_else()
    return lesson


def _reveal(entry: _Reader) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, int], ...]]:
    """What learners may see of checks: ``hidden_checks: [name]``, or ``reveal: {name: full|message|points}``.

    Returns:
        The level of each check, and the line of each name.
    """
    named = entry.texts_with_lines("hidden_checks", default=())
    levels = dict.fromkeys((check for check, _ in named), "message")
    inner = entry.inner("reveal")
    if inner is not None:
        from grader.cohort import Reveal

        for check, node in inner.nodes.items():
            named = (*named, (check, node.start_mark.line + 1))
            levels[check] = inner.text(check)
            if levels[check] not in list(Reveal):
                inner.problem(f"reveal of {check!r} is {levels[check]!r} and has to be one of {', '.join(Reveal)}")
    return tuple(levels.items()), named


def _limits(reader: _Reader, default: Limits) -> Limits:
    inner = reader.inner("limits")
    if inner is None:
        return default
    values = {field.name: inner.number(field.name, default=getattr(default, field.name)) for field in fields(Limits)}
    inner.nothing_else()
    return Limits(**values)


class _Reader:
    """One mapping of the manifest: takes its keys one by one and collects what is wrong, with the line."""

    def __init__(self, node: Any, problems: list[tuple[int, str]]) -> None:
        self.problems = problems
        self.line = node.start_mark.line + 1 if node is not None else 1
        self.taken: set[str] = set()
        self.nodes: dict[str, Any] = {}
        self.is_mapping = isinstance(node, yaml.MappingNode)
        if not self.is_mapping:
            self.problem("here a mapping is expected: key: value")
            return
        for key, value in node.value:
            name, line = str(key.value), key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                self.problem("a key has to be a text", line)
                continue
            if name in self.nodes:
                self.problem(f"{name!r} is there twice", line)
            self.nodes[name] = value

    def problem(self, text: str, line: int | None = None) -> None:
        self.problems.append((line or self.line, text))

    def take(self, key: str, kind: type[Any], what: str, default: Any) -> Any:
        self.taken.add(key)
        node = self.nodes.get(key)
        if node is None:
            if default is None and self.is_mapping:  # else that was said, and every key would be missing
                self.problem(f"{key!r} is missing: {what}")
            return None
        if not isinstance(node, kind):
            self.problem(f"{key!r} has to be {what}", node.start_mark.line + 1)
            return None
        if kind is yaml.SequenceNode and not node.value and default is None:
            self.problem(f"{key!r} is empty and has to be {what}", node.start_mark.line + 1)
        return node

    def text(self, key: str, default: str | None = None) -> str:
        node = self.take(key, yaml.ScalarNode, "a text", default)
        return str(node.value) if node is not None else (default or "")

    def literal(self, key: str, value: str) -> None:
        found = self.text(key)
        if found and found != value:
            self.problem(f"{key} is {found!r}; this version of grade reads {value!r}")

    def texts(self, key: str, default: tuple[()] | None = None) -> tuple[str, ...]:
        return tuple(text for text, _ in self.texts_with_lines(key, default))

    def texts_with_lines(self, key: str, default: tuple[()] | None = None) -> tuple[tuple[str, int], ...]:
        node = self.take(key, yaml.SequenceNode, "a list of texts", default)
        if node is None:
            return ()
        for item in node.value:
            if not isinstance(item, yaml.ScalarNode):
                self.problem(f"{key!r} holds something that is no text; quote it", item.start_mark.line + 1)
        return tuple((str(item.value), item.start_mark.line + 1) for item in node.value)

    def number(self, key: str, default: float | None = None) -> Any:
        node = self.take(key, yaml.ScalarNode, "a number", default)
        if node is None:
            return default if default is not None else 1
        kind = float if isinstance(default, float) else int
        try:
            value = kind(node.value)
        except ValueError:
            value = kind(0)
        if not 0 < value < 10**9:
            what = "a number" if kind is float else "a whole number"
            self.problem(f"{key!r} is {node.value!r} and has to be {what} above 0", node.start_mark.line + 1)
        return value

    def entries(self, key: str) -> list[_Reader]:
        node = self.take(key, yaml.SequenceNode, "a list of exercises", None)
        return [_Reader(item, self.problems) for item in node.value] if node is not None else []

    def inner(self, key: str) -> _Reader | None:
        node = self.take(key, yaml.MappingNode, "a mapping", {})
        return _Reader(node, self.problems) if node is not None else None

    def nothing_else(self) -> None:
        for key in self.nodes.keys() - self.taken:
            self.problem(f"unknown key {key!r}{did_you_mean(key, self.taken)}", self.nodes[key].start_mark.line + 1)
