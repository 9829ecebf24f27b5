"""A report as text, one module a format; each takes a ``Report`` and returns a string.

The names of the formats are those of ``grade --format``.
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
