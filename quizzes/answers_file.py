"""Reads an answers file: a YAML or JSON mapping of question ids, or else the lines one would type."""

from __future__ import annotations

import re

from quizzes import tree
from quizzes.problems import Problems, render
from quizzes.source import UnreadableError, decode, read_bytes


def read_answers(path: str) -> tuple[list[str], dict[str, tree.Node] | None]:
    """Return the lines of a file, and its mapping if it is one; UnreadableError if it is no text."""
    source = decode(read_bytes(path), path)
    if source.problems:
        raise UnreadableError(render(source.name, source.problems, source.lines))
    problems = Problems()
    node = tree.parse(source, problems)
    if isinstance(node, tree.Mapping):
        if problems.errors:
            raise UnreadableError(render(source.name, problems, source.lines))
        return [], node.items
    if re.match(r"\s*(\{|[\w-]+:(\s|$))", source.text):  # meant as a mapping, and none: its lines are no answers
        raise UnreadableError(render(source.name, problems, source.lines) or f"{path} is no mapping of question ids")
    return source.text.splitlines(), None
