"""``grade --format html``: the report as one page that opens anywhere, without a network."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.cohort import Reveal
from grader.reporters import feedback_html

if TYPE_CHECKING:
    from grader.model import Report


def render(report: Report) -> str:
    """Renders all that is known: the page that a learner gets of a cohort that hides nothing."""
    notes = (f"The grader could not do its job: {report.error}",) if report.error else ()
    return feedback_html.render(replace(report, notes=(*notes, *report.notes)), "Your report", Reveal.FULL)
