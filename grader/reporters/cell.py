"""The verdict on a notebook cell, as a fragment of HTML: no style sheet, no script, every text escaped."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from grader.model import Outcome
from grader.reporters.words import about, details, first_wrong_step, place, verdict
from grader.text import count, points, visible

if TYPE_CHECKING:
    from grader.model import CheckResult, ExerciseResult, Report

# Colours that can be read on a light page and on a dark one; the words say the same.
COLOURS = {
    Outcome.PASSED: "#2e9b4f",
    Outcome.FAILED: "#d0453a",
    Outcome.NOT_STARTED: "#b58900",
    Outcome.COULD_NOT_CHECK: "#b0449b",
}


def render(report: Report) -> str:
    """Renders the exercises of a report, one below the other."""
    return "".join(map(_exercise, report.exercises)) + "".join(f"<p>Note: {_text(note)}</p>" for note in report.notes)


def _exercise(exercise: ExerciseResult) -> str:
    colour = COLOURS[exercise.outcome]
    score = f"{points(exercise.points)}/{points(exercise.max_points)}"
    parts = [
        f'<p><b>{_text(exercise.id)}</b> {score} <b style="color: {colour}">{_text(verdict(exercise))}</b></p>',
    ]
    problem = exercise.first_problem
    if problem is not None and exercise.outcome is not Outcome.NOT_STARTED:
        parts += [f"<p><b>{_text(title)}</b> {_text(' '.join(texts))}</p>" for title, *texts in about(exercise)]
        parts.append(_problem(problem))
        if exercise.first_wrong_step is not None:
            parts.append(f"<p>{_text(first_wrong_step(exercise.first_wrong_step))}</p>")
        more = sum(check.outcome is not Outcome.PASSED for check in exercise.checks) - 1
        if more:
            parts.append(f"<p>{count(more, 'more check')} not passed.</p>")
    parts += [f"<p>{_text(note)}</p>" for note in exercise.notes]
    printed = next((check.stdout for check in exercise.checks if check.stdout.strip()), "")
    if printed:
        parts.append(f"<p>printed:</p><pre>{_text(printed)}</pre>")
    return f'<div style="border-left: 4px solid {colour}; padding-left: 1em">{"".join(parts)}</div>'


def _problem(check: CheckResult) -> str:
    """What a check asks, what is wrong, and the call that shows it."""
    at = f" ({place(check)})" if check.line else ""
    rows = "".join(
        f'<tr><th style="text-align: left">{_text(label)}</th>'
        f'<td style="text-align: left"><code style="white-space: pre-wrap">{_text(text)}</code></td></tr>'
        for label, text in details(check)
    )
    table = f"<table>{rows}</table>" if rows else ""
    return f"<p>{_text(check.title)}: {_text(check.message + at)}</p>{table}"


def _text(text: str) -> str:
    return html.escape(visible(text, keep="\n\t"))
