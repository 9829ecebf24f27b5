"""The report for GitHub: Classroom 50's result file, and what a workflow shows and hands on.

``render`` gives the result file (``classroom50/result/v1``), ``workflow_commands`` the lines that a workflow turns
into remarks beside the code, and ``classroom`` the object that the reporter of the former GitHub Classroom takes, in
base64, from a step's ``result`` output.
"""

from __future__ import annotations

import base64
import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from grader.model import Cause, CheckResult, Outcome, Report
from grader.reporters.words import OUTCOMES, whole
from grader.text import points

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from grader.model import ExerciseResult

MAX_MESSAGE = 2_000


def render(report: Report, environment: Mapping[str, str] = os.environ) -> str:
    """Renders Classroom 50's result file."""
    scale = _scale(report)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    result = {
        "schema": "classroom50/result/v1",
        "classroom": environment.get("CLASSROOM", ""),
        "assignment": environment.get("ASSIGNMENT", report.lesson),
        "assignment_type": environment.get("ASSIGNMENT_TYPE", "individual"),
        "submission": environment.get("SUBMISSION_TAG", ""),
        "commit": environment.get("COMMIT_URL", ""),
        "release": environment.get("RELEASE_URL", ""),
        "review": environment.get("REVIEW_URL", ""),
        "datetime": now,
        "score": round(report.points * scale),
        "max-score": round(report.max_points * scale),
        "tests": [
            {
                "test-name": f"{exercise.id}: {check.title}",
                "passed": check.outcome is Outcome.PASSED,
                "score": round(check.points * scale),
                "max-score": round(check.max_points * scale),
                "message": check.message[:MAX_MESSAGE],
            }
            for exercise, check in _checks(report)
        ]
        or [{"test-name": "grade", "passed": False, "score": 0, "max-score": 0, "message": report.error[:MAX_MESSAGE]}],
    }
    return json.dumps(result, indent=2, ensure_ascii=True) + "\n"


def _scale(report: Report) -> int:
    """Scores there are whole numbers; ours are too, unless a lesson gives parts of points."""
    whole_numbers = all(value == int(value) for _, c in _checks(report) for value in (c.points, c.max_points))
    return 1 if whole_numbers else 100


def _checks(report: Report) -> Iterator[tuple[ExerciseResult, CheckResult]]:
    for exercise in report.exercises:
        for check in exercise.checks:
            yield exercise, check


def classroom(report: Report) -> str:
    """The former GitHub Classroom's result, in base64."""
    tests = [_classroom_test(exercise, check) for exercise, check in _checks(report)]
    if report.error and not tests:
        tests = [{"name": "grade", "status": "error", "score": 0, "message": report.error, "test_code": "",
                  "filename": "", "line_no": 0, "duration": 0}]  # fmt: skip
    status = "error" if report.grader_failed else "pass" if report.passed else "fail"
    result = {"version": 1, "status": status, "max_score": report.max_points, "tests": tests}
    return base64.b64encode(json.dumps(result).encode()).decode()


def _classroom_test(exercise: ExerciseResult, check: CheckResult) -> dict[str, Any]:
    passed = check.outcome is Outcome.PASSED
    status = "pass" if passed else "error" if check.cause is Cause.GRADER_ERROR else "fail"
    return {
        "name": f"{exercise.id}: {check.title}",
        "status": status,
        "score": check.points,
        "message": "" if passed else whole(check)[:MAX_MESSAGE],
        "test_code": "",
        "filename": check.path,
        "line_no": check.line or 0,
        "duration": round(check.elapsed_s * 1000),
    }


def workflow_commands(report: Report) -> str:
    """Workflow commands: an error beside the code for the first problem of each exercise, then the totals."""
    lines = []
    for exercise in report.exercises:
        problem = exercise.first_problem
        if problem is None:
            continue
        level = "notice" if problem.outcome is Outcome.NOT_STARTED else "error"
        where = f"file={_property(problem.path)},line={problem.line or 1}," if problem.path else ""
        text = whole(problem) if problem.message else OUTCOMES[problem.outcome]
        lines.append(f"::{level} {where}title={_property(f'{exercise.id}: {problem.title}')}::{_data(text)}")
    if report.error:
        lines.append(f"::error title=grade::{_data(report.error)}")
    got, possible = points(report.points), points(report.max_points)
    lines.append(f"::notice title=Autograding complete::Points {got}/{possible}")
    totals = json.dumps({"totalPoints": report.points, "maxPoints": report.max_points}, separators=(",", ":"))
    lines.append(f"::notice title=Autograding report::{totals}")
    return "\n".join(lines) + "\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
