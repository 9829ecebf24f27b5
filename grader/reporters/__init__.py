"""A report as text: a module for each format of ``grade --format``, which takes a ``Report`` and returns a string.

words       the words that all of them use
links       places in a text as links
cell        the verdict on a notebook's cell

And for a cohort:

feedback_html, feedback_md      a learner's page, of what ``redact`` leaves of the report
gradebook, summary_html         the instructor's table and page
page        what is the same for every page
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model import Report

FORMATS = ("text", "json", "html", "junit", "gradescope", "github")
# Where a platform looks for its file when no --output is given; the other formats go to standard output.
DEFAULT_OUTPUT = {"gradescope": "results.json", "github": "result.json"}


def renderer(name: str) -> Callable[[Report], str]:
    """The function that renders a format; loaded when asked for."""
    from importlib import import_module

    module = import_module(f"grader.reporters.{name}")
    render: Callable[[Report], str] = module.render
    return render
