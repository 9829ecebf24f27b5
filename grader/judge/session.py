"""Pytest as the engine of the hidden suites: collected once, run for as many submissions as there are.

Items run without pytest's reports, which cost more than the checks do; set-up, fixtures and tear-down are pytest's own.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from itertools import repeat
from pathlib import Path
from traceback import walk_tb
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
import pytest

from grader.errors import Cancelled, GradeError, LessonError
from grader.expect import CheckInfo, Learner, Verdict, info_of
from grader.expect.check import title_of
from grader.judge.bench import Ahead, Bench
from grader.judge.processes import Processes
from grader.judge.references import load_references
from grader.judge.rehearsal import Plan, rehearse
from grader.model import Cause, CheckResult, ExerciseResult, Outcome
from grader.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from grader.lesson import Exercise, Lesson
    from grader.sandbox.submission import Submission
    from grader.sandbox.zygote import Zygote

MAX_KNOWN = 8_192  # verdicts kept for answers that come again; a right solution has as many as there are checks
# Nothing of the user's own pytest may take part: no configuration, no conftest, no plugin, no cache.
ARGUMENTS = (
    "--rootdir=/", "--confcutdir=/", "--noconftest", "--import-mode=importlib", "--assert=plain",
    *(f"-pno:{name}" for name in (
        "terminal", "cacheprovider", "junitxml", "pastebin", "faulthandler", "stepwise", "legacypath", "logging",
        "unittest", "doctest", "debugging", "setuponly", "setupplan", "recwarn", "monkeypatch", "tmpdir", "capture",
        "warnings", "nose", "unraisableexception", "threadexception", "pytester", "subtests",
    )),
)  # fmt: skip


class Judge:
    """The collected suites, ready to grade submissions one after the other.

    Attributes:
        lesson: what they belong to.
        references: the functions of each exercise's solution, by exercise.
    """

    def __init__(self, lesson: Lesson, items: dict[str, list[pytest.Item]], plugin: _Plugin) -> None:
        self.lesson = lesson
        self._items = items
        self._plugin = plugin
        self.references = load_references(lesson)
        self._plans: dict[tuple[int, str, str], Plan | None] = {}
        self._known: dict[tuple[int, str, str, str, bytes], CheckResult] = {}

    def rehearse(self, seed: int) -> None:
        """Makes grading many submissions with one seed quicker, by finding out beforehand what the checks ask."""
        for stem, items in self._items.items():
            reference = self.references[stem]
            for item, following in _with_next(items):

                def run(learner: Learner, item: pytest.Item = item, after: pytest.Item | None = following) -> Any:
                    return self._plugin.run(item, after, self._words(learner, stem, item, seed))  # noqa: B023

                self._plans[seed, stem, item.name] = rehearse(reference, run)
            self._plugin.finish(items[-1])

    def _words(self, learner: Learner, stem: str, item: pytest.Item, seed: int) -> SimpleNamespace:
        """What a suite's tests ask for by name."""
        key = crc32(f"{stem}:{_name(item)}".encode())
        return SimpleNamespace(learner=learner, reference=self.references[stem], rng=np.random.default_rng([seed, key]))

    def grade_all(self, exercises: Sequence[Exercise], processes: Processes, seed: int) -> tuple[ExerciseResult, ...]:
        """Grades exercises in their order; one that fails and uses an earlier one that did not pass says so.

        Raises:
            SandboxError: the worker broke for a reason of ours.
        """
        results: dict[str, ExerciseResult] = {}
        for exercise in exercises:
            result = self._graded(exercise, processes, seed)
            results[exercise.id] = with_shaky_note(result, exercise, results)
        return tuple(results.values())

    def grade(
        self,
        exercise: Exercise,
        submission: Submission,
        zygote: Zygote,
        seed: int,
        *,
        tell: Callable[[CheckResult], None] | None = None,
    ) -> ExerciseResult:
        """Runs every check of one exercise, in a process that nothing else is graded in.

        Args:
            exercise: which.
            submission: the learner's files.
            zygote: the worker.
            seed: what the inputs are drawn from.
            tell: is told of each check as soon as it is made.

        Raises:
            SandboxError: the worker broke for a reason of ours.
            Cancelled: the worker was told that nobody wants to know any more.
        """
        with Processes(zygote, submission, self.lesson) as processes:
            return self._graded(exercise, processes, seed, tell)

    def _graded(
        self,
        exercise: Exercise,
        processes: Processes,
        seed: int,
        tell: Callable[[CheckResult], None] | None = None,
    ) -> ExerciseResult:
        started = time.perf_counter()
        bench = Bench(processes, exercise, self.references[exercise.id])
        items = self._items[exercise.id]
        checks: list[CheckResult] = []
        try:
            plans = [self._plans.get((seed, exercise.id, item.name)) for item in items]
            known = [plan for plan in plans if plan is not None]
            ahead = bench.ask_all_ahead(known) if len(known) == len(items) else None
            for (item, following), plan, came in zip(
                _with_next(items), plans, ahead or repeat(None, len(items)), strict=True
            ):
                checks.append(self._checked(item, following, exercise, bench, seed, plan, came))
                if tell:
                    tell(checks[-1])
        finally:
            self._plugin.finish(items[-1])
        outcome, cause = _overall(checks)
        return ExerciseResult(
            id=exercise.id,
            title=exercise.title,
            path=bench.path,
            outcome=outcome,
            cause=cause,
            points=sum(check.points for check in checks),
            max_points=float(exercise.points),
            checks=tuple(checks),
            uses=bench.siblings,
            elapsed_s=time.perf_counter() - started,
        )

    def verdicts(
        self, exercise: Exercise, learner: Callable[[], Learner], seed: int
    ) -> Iterator[tuple[str, Verdict | None]]:
        """Runs the checks of one exercise, in their order, on functions that the caller makes the calls of.

        Args:
            exercise: whose checks.
            learner: gives the functions for one check.
            seed: what the inputs are drawn from.

        Yields:
            A check's name, and why it did not pass; None if it did.
        """
        items = self._items[exercise.id]
        try:
            for item, following in _with_next(items):
                words = self._words(learner(), exercise.id, item, seed)
                yield _name(item), self._plugin.run(item, following, words)
        finally:
            self._plugin.finish(items[-1])

    def _checked(
        self,
        item: pytest.Item,
        following: pytest.Item | None,
        exercise: Exercise,
        bench: Bench,
        seed: int,
        plan: Plan | None,
        ahead: Ahead | None,
    ) -> CheckResult:
        """One check: run, or known already, since its calls brought the very same answers before.

        Args:
            item: the check.
            following: the one after it.
            exercise: what they belong to.
            bench: the learner's code.
            seed: of the inputs.
            plan: its calls, if they are known beforehand.
            ahead: what they brought, if they were made already.
        """
        key = None
        if ahead is not None and not ahead[1] and not bench.printed_at_load:
            key = (seed, exercise.id, item.name, bench.path, blake2b(ahead[0], digest_size=20).digest())
            if key in self._known:
                return self._known[key]
        learner = bench.learner()
        if plan is not None and ahead is None:
            ahead = bench.ask_ahead(plan)
        if plan is None or ahead is None:
            return self._run(item, following, exercise, bench, learner, seed)
        answers, printed = ahead
        bench.heard(printed)
        values = bench.use_ahead(plan, answers)
        result = self._run(item, following, exercise, bench, learner, seed)
        # What is said of an exception that is wrong names its line, which is the learner's own.
        hangs_on_answers = values or result.outcome is Outcome.PASSED
        if key is not None and hangs_on_answers and bench.as_planned and result.cause is not Cause.GRADER_ERROR:
            if len(self._known) >= MAX_KNOWN:
                del self._known[next(iter(self._known))]
            self._known[key] = result
        return result

    def _run(
        self,
        item: pytest.Item,
        following: pytest.Item | None,
        exercise: Exercise,
        bench: Bench,
        learner: Learner,
        seed: int,
    ) -> CheckResult:
        started = time.perf_counter()
        name = _name(item)
        words = self._words(learner, exercise.id, item, seed)
        verdict = bench.broken or self._plugin.run(item, following, words)
        if verdict is None and learner.judged == 0:
            verdict = _grader_fault(exercise.suite.name, "it judged nothing that the learner's function returned")
        info = _info(item)
        outcome = verdict.outcome if verdict else Outcome.PASSED
        return CheckResult(
            id=name,
            title=title_of(_function(item)),
            outcome=outcome,
            cause=verdict.cause if verdict else None,
            points=float(info.points) if outcome is Outcome.PASSED else 0.0,
            max_points=float(info.points),
            message=verdict.message if verdict else "",
            hint=info.hint if verdict and verdict is not bench.broken and _is_about_values(verdict) else "",
            path=(verdict.path or bench.path) if verdict else "",
            line=verdict.line if verdict else None,
            stdout=bench.printed(),
            counterexample=verdict.counterexample if verdict else None,
            elapsed_s=time.perf_counter() - started,
        )


def _name(item: pytest.Item) -> str:
    """A check's id."""
    return item.name.removeprefix("test_")


def with_shaky_note(
    result: ExerciseResult, exercise: Exercise, results: Mapping[str, ExerciseResult]
) -> ExerciseResult:
    """A result that, if it failed and uses an exercise that did not pass, says so."""
    if result.outcome is not Outcome.FAILED:
        return result
    shaky = [stem for stem in result.uses if stem in results and results[stem].outcome is not Outcome.PASSED]
    unknown = [stem for stem in result.uses if stem not in results]
    uses = f"{exercise.filename} uses your"
    notes = [f"{uses} {' and '.join(shaky)}, not passed yet: look there first"] if shaky else []
    notes += [f"{uses} {' and '.join(unknown)}: a fault there shows here too"] if unknown else []
    return replace(result, notes=(*result.notes, *notes))


BY_VALUE = {Cause.WRONG_VALUE, Cause.WRONG_SHAPE, Cause.WRONG_TYPE, Cause.CHANGED_INPUT, Cause.EXCEPTION}


def _is_about_values(verdict: Verdict) -> bool:
    """Whether a check's own hint is about the fault; a class in a function's place is no matter of axes."""
    if verdict.cause is Cause.WRONG_TYPE:
        return verdict.counterexample is not None
    return verdict.cause in BY_VALUE


def judging(lesson: Lesson, exercises: Sequence[Exercise], work: Callable[[Judge], None]) -> None:
    """Collects the suites of the exercises and hands a ``Judge`` to ``work``, inside one pytest session.

    Raises:
        LessonError: a suite cannot be collected, or is not what the manifest says.
        GradeError: whatever ``work`` raises.
    """
    plugin = _Plugin(lesson, exercises, work)
    try:
        os.getcwd()
    except OSError:  # the current folder was deleted; pytest asks for its name, and relative paths lead nowhere
        os.chdir("/")
    with _clean_environment():
        status = pytest.main(
            [*ARGUMENTS, f"-c{os.devnull}", *(str(exercise.suite) for exercise in exercises)],
            plugins=[plugin],
        )
    if plugin.error is not None:
        raise plugin.error
    if not plugin.worked:
        raise LessonError("\n".join(plugin.problems) or f"pytest ended with status {status} before a check was run")


class _Plugin:
    """What pytest calls back: gives the suites their words and takes the place of pytest's own loop."""

    def __init__(self, lesson: Lesson, exercises: Sequence[Exercise], work: Callable[[Judge], None]) -> None:
        self.lesson = lesson
        self.exercises = exercises
        self.work = work
        self.words: SimpleNamespace = SimpleNamespace()
        self.problems: list[str] = []
        self.error: BaseException | None = None
        self.worked = False

    @pytest.fixture
    def learner(self) -> Learner:
        """The learner's functions; a call runs in the sandbox."""
        return self.words.learner  # type: ignore[no-any-return]

    @pytest.fixture
    def reference(self) -> SimpleNamespace:
        """The same functions of the solution."""
        return self.words.reference  # type: ignore[no-any-return]

    @pytest.fixture
    def rng(self) -> np.random.Generator:
        """Random numbers that depend on the run's seed, the exercise and the check, and on nothing else."""
        return self.words.rng  # type: ignore[no-any-return]

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Takes a suite that ends the program for one that cannot be collected; pytest would end with it."""
        try:
            return (yield)
        except SystemExit as error:
            self.problems.append(_not_collected(collector, error))
            return pytest.CollectReport(collector.nodeid, "failed", None, [])

    @pytest.hookimpl
    def pytest_exception_interact(self, node: pytest.Collector, call: pytest.CallInfo[Any]) -> None:
        """Keeps what went wrong while a suite was collected."""
        assert call.excinfo is not None
        error = call.excinfo.value
        if isinstance(error, node.CollectError) and error.__cause__ is not None:  # made of it by pytest, for its report
            error = error.__cause__
        self.problems.append(_not_collected(node, error))

    @pytest.hookimpl
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Keeps an interrupt that came while suites were collected; pytest would make a status of it."""
        if isinstance(excinfo.value, KeyboardInterrupt):
            self.error = excinfo.value

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Runs the work in place of pytest's loop over the items."""
        if self.problems:
            return True
        items = {exercise.id: _items_of(exercise, session.items) for exercise in self.exercises}
        try:
            for exercise in self.exercises:
                _pin(exercise, items[exercise.id], self.lesson.manifest)
            self.work(Judge(self.lesson, items, self))
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - raised again by judging
            # Carried past pytest, which would print it and turn it into a status of its own.
            self.error = error
        self.worked = True
        return True

    def run(self, item: pytest.Item, following: pytest.Item | None, words: SimpleNamespace) -> Verdict | None:
        """Runs one check and says why it did not pass; None if it did."""
        self.words = words
        where = f"{item.path.name}, {item.name}"
        call = _plain_call(item, words)
        try:
            if call is not None:
                call()
            else:
                self._run_with_fixtures(item, following)
        except Verdict as verdict:
            verdict.__context__ = None  # the frames, and so long an answer that made no sense, would live on with it
            return verdict.with_traceback(None)
        except (GradeError, KeyboardInterrupt, Cancelled):
            raise
        except pytest.skip.Exception as error:
            return _grader_fault(where, f"it skips itself ({error}); a skipped check cannot pass")
        except AssertionError as error:
            if words.learner.judged == 0:  # nothing of the learner's was looked at, so nothing of it can be wrong
                return _grader_fault(where, f"AssertionError: {error}")
            return Verdict(Cause.WRONG_VALUE, str(error) or "what was asserted does not hold")
        except BaseException as error:  # noqa: BLE001 - whatever a suite raises is the grader's fault, not the learner's
            return _grader_fault(where, f"{type(error).__name__}: {error}")
        return None

    @staticmethod
    def _run_with_fixtures(item: pytest.Item, following: pytest.Item | None) -> None:
        """Runs a check as pytest does: set-up, fixtures, the check, tear-down as far as the next one needs."""
        state = _state(item)
        if hasattr(item, "_initrequest"):
            item._initrequest()  # noqa: SLF001 - so that an item can run again for the next submission
        try:
            state.setup(item)
            item.runtest()
        finally:
            state.teardown_exact(following)

    @staticmethod
    def finish(item: pytest.Item) -> None:
        """Tears down what is still set up, when the checks of an exercise ended before the last of them ran."""
        _state(item).teardown_exact(None)


def _plain_call(item: pytest.Item, words: SimpleNamespace) -> Callable[[], Any] | None:
    """The call of a check that asks for nothing but our words, which need no setting up; None for any other."""
    if not isinstance(item, pytest.Function) or item.cls is not None or not vars(words).keys() >= {*item.fixturenames}:
        return None
    return partial(item.obj, **{name: getattr(words, name) for name in item.fixturenames})


def _state(item: pytest.Item) -> Any:
    return item.session._setupstate  # noqa: SLF001 - pytest offers no public way to run an item without reports


def _not_collected(node: pytest.Collector, error: BaseException) -> str:
    """Why a suite cannot be collected, with the line of it if that is known."""
    suite = str(node.path)
    said = str(error).replace(f"{suite[1:]}::", "")  # pytest's name of a check begins with the path below the root
    lines = [number for frame, number in walk_tb(error.__traceback__) if frame.f_code.co_filename == suite]
    if isinstance(error, SyntaxError) and error.filename == suite:  # then none of it has run
        said, lines = error.msg, [error.lineno or 1]
    place = f"{suite}:{lines[-1]}" if lines else suite
    return f"{place}: the suite cannot be collected: {type(error).__name__}: {said}"


def _grader_fault(where: str, what: str) -> Verdict:
    message = f"the grader's own fault, not yours: {where}: {what}"
    return Verdict(Cause.GRADER_ERROR, message, outcome=Outcome.COULD_NOT_CHECK)


def _function(item: pytest.Item) -> Any:
    return getattr(item, "function", None)


def _info(item: pytest.Item) -> CheckInfo:
    info = info_of(_function(item))
    assert info is not None, "pinned when the suite was collected"
    return info


def _items_of(exercise: Exercise, items: Sequence[pytest.Item]) -> list[pytest.Item]:
    suite = exercise.suite.resolve()
    return [item for item in items if Path(item.path).resolve() == suite]


def _pin(exercise: Exercise, items: Sequence[pytest.Item], manifest: Path) -> None:
    """The suite is what the manifest says: no check was lost, points add up, and what is to be hidden is there.

    Raises:
        LessonError: it is not.
    """
    for item in items:
        if info_of(_function(item)) is None:
            raise LessonError(f"{exercise.suite}: {item.name} has no @check(points=..., hint=...)")
        if not title_of(_function(item)):
            raise LessonError(f"{exercise.suite}: {item.name} has no docstring, which is the learner's text")
    if len(items) != exercise.checks:
        raise LessonError(f"{exercise.suite} has {len(items)} checks; lesson.yaml says {exercise.checks}")
    points = sum(_info(item).points for item in items)
    if points != exercise.points:
        raise LessonError(f"{exercise.suite} gives {points} points; lesson.yaml says {exercise.points}")
    names = [_name(item) for item in items]
    unknown = [
        f"{manifest}:{line}: {exercise.suite.name} has no check {check!r}{did_you_mean(check, names)}"
        for check, line in exercise.named_checks
        if check not in names
    ]
    if unknown:  # nothing would be hidden under a name that no check has
        raise LessonError("\n".join(unknown))


def _overall(checks: Sequence[CheckResult]) -> tuple[Outcome, Cause | None]:
    """What the checks of an exercise come to, and the cause of the first that did not pass."""
    outcomes = {check.outcome for check in checks}
    if outcomes == {Outcome.PASSED, Outcome.COULD_NOT_CHECK}:  # nothing is known to be wrong
        outcomes.remove(Outcome.PASSED)
    outcome = outcomes.pop() if len(outcomes) == 1 else Outcome.FAILED
    first = next((check for check in checks if check.outcome is not Outcome.PASSED), None)
    return outcome, first.cause if first else None


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


@contextmanager
def _clean_environment() -> Iterator[None]:
    """Pytest reads options and plugins from the environment; for the hidden suites it must not."""
    names = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    held = {name: os.environ.pop(name) for name in names if name in os.environ}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        os.environ.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
        os.environ.update(held)
