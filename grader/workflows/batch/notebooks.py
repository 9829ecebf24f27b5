"""The part of a notebook that is an exercise: the code cells that define its functions, and what those cells need.

Nothing is parsed as Python here and nothing is run: cells are chosen by the names that stand at the start of a line.
Imports come along where the chosen cells use what they bind, other cells where they define a name that is used.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEFINES = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
IMPORT = re.compile(r"^(?:import\s+[^\n(]+|from\s+\S+\s+import\s+(?:\([^)]*\)|[^\n(]+))", re.MULTILINE)
WORD = re.compile(r"\w+")
MAGIC = re.compile(r"^(\s*)([%!?])", re.MULTILINE)


def code_cells(content: bytes) -> list[str] | str:
    """The text of each code cell; or what is wrong with the notebook, as the rest of a sentence."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        return f"is no notebook: {error}"
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        return "is no notebook: it has no cells"
    return [_source(cell) for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"]


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source")
    text = "".join(map(str, source)) if isinstance(source, list) else str(source or "")
    if text.startswith("%%"):
        return ""  # a cell in another language, or one that is timed or written to a file
    return MAGIC.sub(r"\1# \2", text)


def defined_names(source: str) -> set[str]:
    """The names that a text defines at the start of a line."""
    return {first or second for first, second in DEFINES.findall(source)}


def exercise_from(cells: Sequence[str], functions: Iterable[str], name: str) -> str:
    """The text of one exercise's file, empty if no cell defines any of its functions.

    Args:
        cells: of the notebook, in order.
        functions: what the exercise asks for.
        name: of the notebook, for the head of the text.
    """
    defines = [defined_names(cell) for cell in cells]
    chosen: set[int] = set()
    wanted = set(functions)
    while wanted:
        more = {at for at, names in enumerate(defines) if names & wanted} - chosen
        chosen |= more
        wanted = {word for at in more for word in WORD.findall(cells[at])}
    if not chosen:
        return ""
    used = {word for at in chosen for word in WORD.findall(cells[at])}
    pieces = [f"# From the notebook {name}."]
    for at, cell in enumerate(cells):
        if at in chosen:
            pieces.append(f"# Code cell {at + 1}\n{cell.rstrip()}")
        else:
            pieces += [line for line in IMPORT.findall(cell) if _binds(line) & used]
    return "\n\n".join(pieces) + "\n"


def _binds(line: str) -> set[str]:
    """The names that an import binds."""
    listed = line.rpartition("import")[2].strip("() \n")
    return {part.split(" as ")[-1].strip().partition(".")[0] for part in re.split(r"[,\n]", listed) if part.strip()}
