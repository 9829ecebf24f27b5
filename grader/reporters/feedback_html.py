"""One learner's page: verdicts, what shows the fault, named mistakes, and what to look at next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.cohort import Reveal, Row
from grader.model import CheckResult, ExerciseResult, Outcome, Report
from grader.reporters.page import bar, heat_maps, page, text
from grader.reporters.words import OUTCOMES, about, details, first_wrong_step, place, verdict
from grader.text import points

if TYPE_CHECKING:
    from collections.abc import Iterator


def render(report: Report, name: str, reveal: Reveal) -> str:
    """Renders a report that holds only what the learner may see.

    Args:
        report: as ``redact`` gives it.
        name: of the submission.
        reveal: how much is shown, since ``points`` leaves out whole sections.
    """
    body = [
        "<main>",
        f"<h1>{text(name)}</h1>",
        f'<p class="soft">{text(report.lesson)}</p>',
        f"<p><strong>{points(report.points)} of {points(report.max_points)} points.</strong></p>",
        (
            '<div class="scroll"><table><thead><tr><th>Exercise</th><th class="number">Points</th><th></th>'
            "<th>Verdict</th></tr></thead><tbody>"
        ),
        *(_line(exercise, reveal) for exercise in report.exercises),
        "</tbody></table></div>",
    ]
    body += [f'<p class="soft">{text(note)}</p>' for note in report.notes]
    for exercise in report.exercises:
        body += _exercise(exercise, reveal)
    body.append("</main>")
    return page(f"{name}: {points(report.points)} of {points(report.max_points)}", "\n".join(body))


def render_ungraded(row: Row, title: str) -> str:
    """The page of a submission that could not be graded, with the reason."""
    body = (
        f"<main><h1>{text(row.submission)}</h1>\n<p class='soft'>{text(title)}</p>\n"
        f"<p><strong>0 of {points(row.max_points)} points.</strong></p>\n"
        f"<p class='failed'>Your submission {text(row.reason)}.</p></main>"
        if row.status != "not_graded"
        else f"<main><h1>{text(row.submission)}</h1>\n<p class='could_not_check'>Your submission could not be graded "
        "yet, through no fault of yours.</p></main>"
    )
    return page(row.submission, body)


def _line(exercise: ExerciseResult, reveal: Reveal) -> str:
    said = OUTCOMES[exercise.outcome] if reveal is Reveal.POINTS else verdict(exercise)
    return (
        f"<tr><td>{text(exercise.title)} <code>{text(exercise.path)}</code></td>"
        f'<td class="number">{points(exercise.points)} of {points(exercise.max_points)}</td>'
        f"<td>{bar(exercise.points, exercise.max_points)}</td>"
        f'<td class="{exercise.outcome.value}">{text(said)}</td></tr>'
    )


def _exercise(exercise: ExerciseResult, reveal: Reveal) -> Iterator[str]:
    yield f'<section id="{text(exercise.id)}"><h2>{text(exercise.title)}</h2>'
    if reveal is not Reveal.POINTS:
        yield from (f"<p>{text(note)}</p>" for note in exercise.notes)
        yield from _known(exercise)
    problems = [check for check in exercise.checks if check.outcome is not Outcome.PASSED]
    shown: set[str] = set()
    for check in problems:
        alike = not check.counterexample and check.message in shown
        shown.add(check.message)
        yield from _check(check, brief=alike or not check.message)
    passed = [check.title for check in exercise.checks if check.outcome is Outcome.PASSED]
    if passed:
        yield f'<details><summary class="passed">{len(passed)} passed</summary><ul>'
        yield from (f"<li>{text(title)}</li>" for title in passed)
        yield "</ul></details>"
    yield "</section>"


def _known(exercise: ExerciseResult) -> Iterator[str]:
    """What is known about why it is wrong."""
    for title, *texts in about(exercise):
        head = f"<h3>{text(title)}</h3>" if title else ""
        yield f'<div class="card">{head}{"".join(f"<p>{text(one)}</p>" for one in texts)}</div>'
    if exercise.first_wrong_step is not None:
        yield f"<p>{text(first_wrong_step(exercise.first_wrong_step))}</p>"


def _check(check: CheckResult, *, brief: bool) -> Iterator[str]:
    worth = f"{points(check.points)} of {points(check.max_points)}"
    head = f'<h3>{text(check.title)} <span class="{check.outcome.value}">{OUTCOMES[check.outcome]}</span> '
    yield f'<div class="card">{head}<span class="soft">{worth}</span></h3>'
    if not brief:
        at = f" <code>{text(place(check))}</code>" if check.line and place(check) not in check.message else ""
        yield f"<p>{text(check.message)}{at}</p>"
        yield "<dl>"
        for label, shown in details(check):
            value = text(shown) if label == "hint" else f"<code>{text(shown)}</code>"
            yield f"<dt>{label}</dt><dd>{value}</dd>"
        if check.stdout.strip():
            yield f"<dt>printed</dt><dd><pre>{text(check.stdout.rstrip())}</pre></dd>"
        yield "</dl>"
        example = check.counterexample
        if example is not None:
            yield heat_maps(example.got, example.expected)
    yield "</div>"
