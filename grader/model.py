"""What a grading run says: frozen dataclasses that every layer above passes on and none changes.

Points are floats, times are seconds. The names are those of the JSON report (docs/report-format.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What became of a check, or of an exercise."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_STARTED = "not_started"
    COULD_NOT_CHECK = "could_not_check"


class Cause(StrEnum):
    """Why a check did not pass."""

    WRONG_VALUE = "wrong_value"
    WRONG_SHAPE = "wrong_shape"
    WRONG_TYPE = "wrong_type"
    CHANGED_INPUT = "changed_input"
    EXCEPTION = "exception"
    MISSING_FUNCTION = "missing_function"
    WRONG_SIGNATURE = "wrong_signature"
    SYNTAX_ERROR = "syntax_error"
    IMPORT_ERROR = "import_error"
    UNREADABLE_FILE = "unreadable_file"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"
    OUTPUT_FLOOD = "output_flood"
    PROTOCOL = "protocol"
    MISSING_PREREQUISITE = "missing_prerequisite"
    GRADER_ERROR = "grader_error"


class Isolation(StrEnum):
    """How the learner's code was kept apart, strongest first."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    PROCESS = "process"


@dataclass(frozen=True, slots=True)
class Counterexample:
    """One call that shows the fault: what was called, what came back, what was expected."""

    call: str
    got: str
    expected: str
    differs: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check: a question that a suite asks, worth points."""

    id: str
    title: str
    outcome: Outcome
    points: float
    max_points: float
    cause: Cause | None = None
    message: str = ""
    hint: str = ""
    path: str = ""
    line: int | None = None
    stdout: str = ""
    counterexample: Counterexample | None = None
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known mistake that reproduces what the learner's code did.

    Attributes:
        id: its name for machines.
        title: one sentence in the second person.
        explanation: what comes of it, and why that is wrong.
        look: what to look at next.
        line: of the learner's file, where it is known.
        alternatives: mistakes that behave the same here: either this one or one of those.
    """

    id: str
    title: str
    explanation: str
    look: str
    line: int | None = None
    alternatives: tuple[Mistake, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """Its id, and those of what it may be instead."""
        return frozenset(one.id for one in (self, *self.alternatives))


@dataclass(frozen=True, slots=True)
class WrongStep:
    """The first line of the learner's after which a value is wrong, though what it was made from is not.

    Attributes:
        path: of the file.
        line: where the statement begins.
        variable: what holds the value; ``return`` and the part for what is returned.
        found: what the value is ("is" in the report).
        should_be: what it should be.
    """

    path: str
    line: int
    variable: str
    found: str
    should_be: str


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """One exercise: its checks, and what they add up to."""

    id: str
    title: str
    path: str
    outcome: Outcome
    points: float
    max_points: float
    checks: tuple[CheckResult, ...]
    cause: Cause | None = None
    uses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    symptom: str = ""
    first_wrong_step: WrongStep | None = None
    elapsed_s: float = 0.0

    @property
    def first_problem(self) -> CheckResult | None:
        """The check to look at first: suites go from the smallest telling input to the largest."""
        return next((check for check in self.checks if check.outcome is not Outcome.PASSED), None)

    @property
    def passed_checks(self) -> int:
        """How many checks passed."""
        return sum(check.outcome is Outcome.PASSED for check in self.checks)


@dataclass(frozen=True, slots=True)
class Report:
    """One run of the grader over one submission.

    Attributes:
        notes: remarks on the run.
        weaker: those of them that say why isolation is not the strongest: the same for every run on a machine.
    """

    grader: str
    lesson: str
    seed: int
    isolation: Isolation | None
    exercises: tuple[ExerciseResult, ...]
    notes: tuple[str, ...] = ()
    weaker: tuple[str, ...] = ()
    error: str = ""
    elapsed_s: float = 0.0

    @property
    def points(self) -> float:
        """The points of all exercises."""
        return sum(exercise.points for exercise in self.exercises)

    @property
    def max_points(self) -> float:
        """The points that could be had."""
        return sum(exercise.max_points for exercise in self.exercises)

    @property
    def passed(self) -> bool:
        """Whether everything asked for passed, and the grader itself did its job."""
        return not self.error and all(e.outcome is Outcome.PASSED for e in self.exercises)

    @property
    def grader_failed(self) -> bool:
        """Whether something could not be checked through a fault of the grader's or the lesson's."""
        return bool(self.error) or any(
            check.cause is Cause.GRADER_ERROR for exercise in self.exercises for check in exercise.checks
        )
