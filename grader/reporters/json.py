"""The report as JSON: docs/report-format.md and docs/report.schema.json describe it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.model import CheckResult, ExerciseResult, Mistake, Report, WrongStep

FORMAT = "grade-report"
VERSION = 1


def render(report: Report) -> str:
    """Renders the report."""
    return json.dumps(as_data(report), indent=2, ensure_ascii=True) + "\n"


def render_compact(report: Report) -> str:
    """Renders the report on one line: for thousands of them, which programs read."""
    return json.dumps(as_data(report), ensure_ascii=True, separators=(",", ":")) + "\n"


def as_data(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "grader": report.grader,
        "lesson": report.lesson,
        "seed": report.seed,
        "isolation": report.isolation.value if report.isolation else None,
        "points": report.points,
        "max_points": report.max_points,
        "elapsed_s": round(report.elapsed_s, 4),
        "error": report.error or None,
        "notes": list(report.notes),
        "exercises": [_exercise(exercise) for exercise in report.exercises],
    }


def _exercise(exercise: ExerciseResult) -> dict[str, Any]:
    return {
        "id": exercise.id,
        "title": exercise.title,
        "path": exercise.path,
        "outcome": exercise.outcome.value,
        "cause": exercise.cause.value if exercise.cause else None,
        "points": exercise.points,
        "max_points": exercise.max_points,
        "elapsed_s": round(exercise.elapsed_s, 4),
        "notes": list(exercise.notes),
        "checks": [_check(check) for check in exercise.checks],
        "mistakes": [_mistake(mistake) for mistake in exercise.mistakes],
        "symptom": exercise.symptom,
        "first_wrong_step": _wrong_step(exercise.first_wrong_step),
    }


def _mistake(mistake: Mistake) -> dict[str, Any]:
    return {
        "id": mistake.id,
        "title": mistake.title,
        "explanation": mistake.explanation,
        "look": mistake.look,
        "line": mistake.line,
        "alternatives": [_mistake(other) for other in mistake.alternatives],
    }


def _wrong_step(step: WrongStep | None) -> dict[str, Any] | None:
    if step is None:
        return None
    return {
        "path": step.path,
        "line": step.line,
        "variable": step.variable,
        "is": step.found,
        "should_be": step.should_be,
    }


def _check(check: CheckResult) -> dict[str, Any]:
    example = check.counterexample
    return {
        "id": check.id,
        "title": check.title,
        "outcome": check.outcome.value,
        "cause": check.cause.value if check.cause else None,
        "points": check.points,
        "max_points": check.max_points,
        "message": check.message,
        "hint": check.hint,
        "path": check.path,
        "line": check.line,
        "stdout": check.stdout,
        "elapsed_s": round(check.elapsed_s, 4),
        "counterexample": example
        and {
            "call": example.call,
            "got": example.got,
            "expected": example.expected,
            "differs": example.differs,
        },
    }
