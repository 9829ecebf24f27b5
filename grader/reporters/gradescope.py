"""The report as Gradescope's results.json: a test for each check, whose points add up to the assignment's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from grader.model import CheckResult, ExerciseResult, Outcome, Report
from grader.reporters.words import explained

if TYPE_CHECKING:
    from collections.abc import Iterator


def render(report: Report) -> str:
    """Renders the report."""
    tests = list(_tests(report))
    results: dict[str, Any] = {
        "execution_time": round(report.elapsed_s, 3),
        "output": _output(report),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "grader": report.grader,
            "lesson": report.lesson,
            "seed": report.seed,
            "isolation": report.isolation.value if report.isolation else None,
        },
        "tests": tests,
    }
    if not tests:
        results["score"] = 0.0  # needed only without tests, whose sum it would otherwise override
    return json.dumps(results, indent=2, ensure_ascii=True) + "\n"


def _output(report: Report) -> str:
    if report.error:
        return f"The grader could not do its job, which is no fault of yours: {report.error}"
    return "\n".join(report.notes)


def _tests(report: Report) -> Iterator[dict[str, Any]]:
    for major, exercise in enumerate(report.exercises, 1):
        for minor, check in enumerate(exercise.checks, 1):
            yield _test(exercise, check, f"{major}.{minor}")


def _test(exercise: ExerciseResult, check: CheckResult, number: str) -> dict[str, Any]:
    passed = check.outcome is Outcome.PASSED
    return {
        "score": check.points,
        "max_score": check.max_points,
        "status": "passed" if passed else "failed",
        "name": f"{exercise.id}: {check.title}",
        "name_format": "text",
        "number": number,
        "output": "" if passed else explained(exercise, check),
        "output_format": "text",
        "tags": [exercise.id],
        "visibility": "visible",
        "extra_data": {"outcome": check.outcome.value, "cause": check.cause.value if check.cause else None},
    }
