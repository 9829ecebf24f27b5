r"""What YAML may have done to a text without saying so: warnings that only the source of a bank can give.

A hash after a space cuts a plain text, ``>`` joins the lines of code, ``"\theta"`` holds a tab: all are
valid YAML, and none is what the author meant.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from quizzes import tree
from quizzes.text import is_invisible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quizzes.problems import Problems
    from quizzes.source import Source

# The keys whose values people read.
TEXT_KEYS = {
    "title", "description", "prompt", "text", "why", "missed", "explanation", "hints", "otherwise",
    "why_true", "why_false", "left", "right", "distractors", "items", "answer", "is", "expect", "correct",
    "partial", "incorrect", "alt",
}  # fmt: skip
_CODE = re.compile(r"^\s*(import |from \w+ import|def |for .*:$|if .*:$|return |print\(|[\w.\[\]]+ = )", re.MULTILINE)
SMART = re.compile("[\u2018\u2019\u201c\u201d]")
# What joins, parts or picks the shape of the character before it: emoji and many scripts are written with these.
_JOINING = "[\u200c\u200d\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_DIRECTION = "[\u061c\u200e\u200f]"
_BRAILLE = "[\u2800-\u28ff]"
# LaTeX words that begin with a letter which makes a YAML escape of the backslash before them.
_LATEX = re.compile(
    r"\\(nabla|nu\b|neq|ne\b|not\b|neg|notin|theta|tau|times|top|tanh?\b|text\w*|tilde|to\b|rho|right|rangle|rm\b|vec|varphi"
    r"|beta|bar|begin|binom|bf\b|frac|forall|alpha|approx|exists|epsilon|eta\b|Pi\b|Lambda|Nu\b|Upsilon|lambda|leq?)"
)


def check(source: Source, root: tree.Node | None, problems: Problems) -> None:
    """Note texts that are probably not what their author typed."""
    for key, node in _scalars(root, ""):
        if key in {"is", "regex", "expect"} or _CODE.search(node.text):
            _look_for_smart_quotes(node, problems)
        _look_for_invisible(node, problems)
        if key not in TEXT_KEYS:
            continue
        _look_for_cut(source, node, problems)
        if node.style == ">" and _CODE.search(_source_of(source, node)):
            problems.add("L16", node, "`>` joins the lines of what looks like code", "use `|`, which keeps them")
        if node.style == '"' and (found := _LATEX.search(_source_of(source, node).replace("\\\\", "  "))):
            message = f"in double quotes the backslash of `{found.group()}` starts an escape"
            problems.add("L17", node, message, "use single quotes or a block scalar (`|`)")


def _scalars(node: tree.Node | None, key: str) -> Iterator[tuple[str, tree.Scalar]]:
    if isinstance(node, tree.Scalar):
        yield key, node
    elif isinstance(node, tree.Sequence):
        for item in node.items:
            yield from _scalars(item, key)
    elif isinstance(node, tree.Mapping):
        for name, value in node.items.items():
            yield from _scalars(value, name)


def _source_of(source: Source, node: tree.Scalar) -> str:
    """Return the lines on which a scalar stands, from its beginning."""
    lines = list(source.lines[node.line - 1 : node.end_line])
    if lines:
        lines[0] = lines[0][node.column - 1 :]
    return "\n".join(lines)


def _look_for_cut(source: Source, node: tree.Scalar, problems: Problems) -> None:
    """A plain text ends where a hash follows a space: it may be a comment, it may be half of the text."""
    if node.style or not node.text or not 1 <= node.end_line <= len(source.lines):
        return
    rest = source.lines[node.end_line - 1][node.end_column - 1 :]
    if re.match(r"\s+#", rest):
        problems.add(
            "L15",
            node,
            "the text ends before ` #`, which starts a comment",
            "quote the text, or move the comment to a line of its own",
        )


def _look_for_smart_quotes(node: tree.Scalar, problems: Problems) -> None:
    if SMART.search(node.text):
        problems.add("L18", node, "curly quotes in what is compared or looks like code", "write straight ones")


def _look_for_invisible(node: tree.Scalar, problems: Problems) -> None:
    if node.text.isascii():
        return
    for index, character in enumerate(node.text):
        if is_invisible(character) and not _is_meant(node.text, index):
            name = unicodedata.name(character, "").lower()
            problems.add(
                "L21", node, f"an invisible character (U+{ord(character):04X} {name}) in the text", "delete it"
            )
            return


def _is_meant(text: str, index: int) -> bool:
    """Tell whether an invisible character stands where a script has a use for it."""
    character, before = text[index], text[index - 1 : index]
    if re.match(_JOINING, character):
        keycap = "\ufe00" <= character <= "\ufe0f" and before in {*"0123456789#*"}
        return keycap or not (before.isascii() or unicodedata.name(before, "").startswith("LATIN"))
    if re.match(_DIRECTION, character):
        return any(unicodedata.bidirectional(one) in {"R", "AL"} for one in text if one != character)
    return character == "\u2800" and bool(re.search(_BRAILLE, text.replace(character, "")))
