"""The report as JUnit XML, as Jenkins and GitLab read it.

A failure is the learner's, an error the grader's; an exercise that was not started is a failure too, since nothing of
it was shown. Points stand in properties.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from grader.model import Cause, CheckResult, Outcome, Report
from grader.reporters.words import OUTCOMES, whole
from grader.text import points

if TYPE_CHECKING:
    from grader.model import ExerciseResult


def render(report: Report) -> str:
    """Renders the report."""
    suites = ET.Element("testsuites", name=f"grade {report.lesson}".strip())
    for exercise in report.exercises:
        _suite(suites, exercise)
    if report.error and not report.exercises:
        suite = ET.SubElement(suites, "testsuite", name="grade", tests="1", errors="1", failures="0", skipped="0")
        case = ET.SubElement(suite, "testcase", classname="grade", name="the grader itself", time="0.000")
        ET.SubElement(case, "error", message=_allowed(report.error))
    ET.indent(suites)
    body: bytes = ET.tostring(suites, encoding="us-ascii")  # so that it is valid in whatever it is written to
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body.decode()}\n'


def _suite(suites: ET.Element, exercise: ExerciseResult) -> None:
    errors = sum(check.cause is Cause.GRADER_ERROR for check in exercise.checks)
    failures = len(exercise.checks) - exercise.passed_checks - errors
    suite = ET.SubElement(
        suites,
        "testsuite",
        name=exercise.id,
        tests=str(len(exercise.checks)),
        errors=str(errors),
        failures=str(failures),
        skipped="0",
        time=f"{exercise.elapsed_s:.3f}",
    )
    _properties(suite, exercise.points, exercise.max_points)
    for check in exercise.checks:
        _case(suite, exercise, check)


def _case(suite: ET.Element, exercise: ExerciseResult, check: CheckResult) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=exercise.id, name=_allowed(check.title), time=f"{check.elapsed_s:.3f}"
    )
    _properties(case, check.points, check.max_points)
    if check.outcome is not Outcome.PASSED:
        tag = "error" if check.cause is Cause.GRADER_ERROR else "failure"
        kind = check.cause.value if check.cause else check.outcome.value
        problem = ET.SubElement(case, tag, message=_allowed(check.message or OUTCOMES[check.outcome]), type=kind)
        problem.text = _allowed(whole(check))
    if check.stdout:
        ET.SubElement(case, "system-out").text = _allowed(check.stdout)


def _properties(parent: ET.Element, got: float, possible: float) -> None:
    properties = ET.SubElement(parent, "properties")
    ET.SubElement(properties, "property", name="points", value=points(got))
    ET.SubElement(properties, "property", name="max_points", value=points(possible))


def _allowed(text: str) -> str:
    """Text without the characters that XML 1.0 cannot hold, each written as ``#x1B``."""
    return "".join(char if _is_xml(ord(char)) else f"#x{ord(char):02X}" for char in text)


def _is_xml(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
