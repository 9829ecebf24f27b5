"""One learner's page as Markdown, for where a pull request, an issue or a mail takes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.cohort import Reveal, Row
from grader.model import CheckResult, ExerciseResult, Outcome, Report
from grader.reporters.words import OUTCOMES, about, details, first_wrong_step, place, verdict
from grader.text import points, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~@&:$=])")


def render(report: Report, name: str, reveal: Reveal) -> str:
    """Renders a report that holds only what the learner may see."""
    lines = [
        f"# {plain(name)}",
        "",
        f"**{points(report.points)} of {points(report.max_points)} points.**",
        "",
        "| exercise | points | verdict |",
        "|---|---:|---|",
    ]
    for exercise in report.exercises:
        said = OUTCOMES[exercise.outcome] if reveal is Reveal.POINTS else verdict(exercise)
        scored = f"{points(exercise.points)} of {points(exercise.max_points)}"
        lines.append(f"| {plain(exercise.title)} | {scored} | {said} |")
    lines += [line for note in report.notes for line in ("", plain(note))]
    for exercise in report.exercises:
        if exercise.outcome is not Outcome.PASSED:
            lines += _exercise(exercise, reveal)
    return "\n".join(lines) + "\n"


def render_ungraded(row: Row, title: str) -> str:
    """The page of a submission that could not be graded, with the reason."""
    if row.status == "not_graded":
        return f"# {plain(row.submission)}\n\nIt could not be graded yet, through no fault of yours.\n"
    return (
        f"# {plain(row.submission)}\n\n{plain(title)}\n\n**0 of {points(row.max_points)} points.** "
        f"Your submission {plain(row.reason)}.\n"
    )


def plain(text: str) -> str:
    """A text on one line in which nothing is markup."""
    return SPECIAL.sub(r"\\\1", visible(" ".join(text.split())))


def _code(text: str) -> str:
    """A text as code, whatever backquotes it has."""
    body = visible(text.rstrip(), keep="\n\t")
    fence = "`" * (max(map(len, re.findall("`+", body)), default=0) + 1)
    if "\n" in body:
        fence = max(fence, "```", key=len)
        return f"\n{fence}\n{body}\n{fence}\n"
    return f"{fence} {body} {fence}" if "`" in body else f"`{body}`"


def _exercise(exercise: ExerciseResult, reveal: Reveal) -> Iterator[str]:
    yield from ("", f"## {plain(exercise.title)}")
    if reveal is not Reveal.POINTS:
        for note in exercise.notes:
            yield from ("", plain(note))
        for title, *texts in about(exercise):
            yield from ("", (f"**{plain(title)}** " if title else "") + plain(" ".join(texts)))
        if exercise.first_wrong_step is not None:
            yield from ("", plain(first_wrong_step(exercise.first_wrong_step)))
    said: set[str] = set()
    for check in exercise.checks:
        if check.outcome is not Outcome.PASSED:
            yield from _check(check, brief=not check.counterexample and check.message in said)
            said.add(check.message)


def _check(check: CheckResult, *, brief: bool) -> Iterator[str]:
    yield from ("", f"### {plain(check.title)}: {OUTCOMES[check.outcome]}")
    if brief or not check.message:
        return
    at = f" ({_code(place(check))})" if check.line and place(check) not in check.message else ""
    yield from ("", plain(check.message) + at, "")
    for label, text in details(check):
        yield f"- {label}: {plain(text) if label == 'hint' else _code(text)}"
    if check.stdout.strip():
        yield f"- printed: {_code(check.stdout)}"
