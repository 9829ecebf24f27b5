"""The parts of a notebook that are exercises: what its cells define, and the files that they write.

Nothing of a notebook is run. A cell is what IPython would make of it: ``%%time`` and the like run what is below them,
``%%writefile softmax.py`` makes that file, ``%%bash`` is no Python.
"""

from __future__ import annotations

import json
import re
import shlex
import textwrap
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from grader.sandbox.submission import MAX_FILE_BYTES
from grader.text import one_line
from grader.workflows.batch.pieces import (
    DEFINES,
    MAX_CELL_BYTES,
    MAX_CODE,
    MAX_VALUES,
    Budget,
    Choice,
    Piece,
    defines,
    pieces_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from grader.lesson import Exercise

RUN_WHAT_IS_BELOW = {"grade", "capture", "time", "timeit", "prun", "memit", "snakeviz"}
WRITE_WHAT_IS_BELOW = {"writefile", "file"}
HEAD = re.compile(r"%%(\w+)[ \t]*([^\n]*)\n?")
WRITTEN = re.compile(r"(?:\./)?(?:exercises/)?([A-Za-z_]\w{0,99}\.py)\Z")
PROMPTED = re.compile(r"[ \t]*(?:>>>|In \[\d+\]:)(?=[ \n]|\Z)")
PROMPT = re.compile(r"^[ \t]*(?:>>>|In \[\d+\]:|\.{3,}:?)(?: |$)", re.MULTILINE)
MAX_HEADS = 5  # of one cell: %%capture and %%time below it
MAX_ARGUMENT = 1_000  # characters behind %%writefile
MAX_CELLS = 1_000
ROOM = 100  # characters that an empty cell counts for
MOST_TOLD = 5


@dataclass(slots=True)
class Cell:
    """A code cell as IPython reads it.

    Attributes:
        text: the Python that it runs, empty if none.
        exercise: the one that it is said to be, by ``%%grade``.
        left_out: the first word of one that is read as something else, and what it holds.
    """

    text: str = ""
    exercise: str = ""
    left_out: tuple[str, str] = ("", "")


@dataclass
class Notebook:
    """What a notebook holds.

    Attributes:
        cells: the code cells, in order.
        written: the files that cells write, by name.
        budget: how much of it may be looked at, together with others.
        refused: why cells count for less than they hold, by their numbers from 0.
        ended: where cells are no longer read, and why, in words.
    """

    cells: list[Cell] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    refused: dict[int, str] = field(default_factory=dict)
    ended: str = ""

    @cached_property
    def pieces(self) -> list[Piece]:
        """The statements of all cells."""
        found, refused = pieces_of([cell.text for cell in self.cells], self.budget)
        self.refused |= refused
        return found

    def defines(self, exercise: Exercise) -> bool:
        """Whether an exercise is in it."""
        return exercise.filename in self.written or defines(self.pieces, exercise.functions)

    def file_of(self, exercise: Exercise, given: Mapping[str, str], name: str) -> str:
        """The text of one exercise's file.

        Args:
            exercise: that the notebook defines.
            given: functions that have files of their own, by name, with the module to import them from.
            name: of the notebook, for the head of the text.
        """
        if exercise.filename in self.written:
            return self.written[exercise.filename]
        first = {at for at, cell in enumerate(self.cells) if cell.exercise == exercise.id}
        return f"# From the notebook {name}.\n\n" + Choice(self.pieces, given, exercise.id, first).text(
            exercise.functions
        )

    def left_out(self, functions: Collection[str]) -> list[str]:
        """What is to be told of cells that were too much, and of those that define one of some functions and are no
        Python, in words.
        """  # noqa: D205 - one sentence
        told = self.refused | {
            number: f"was left out: it starts with %%{one_line(cell.left_out[0], 40)}"
            for number, cell in enumerate(self.cells)
            if defined_names(cell.left_out[1][:MAX_CELL_BYTES]) & set(functions)
        }
        shown = [f"code cell {number + 1} {why}" for number, why in sorted(told.items())[:MOST_TOLD]]
        more = len(told) - len(shown)
        return [*filter(None, [self.ended]), *shown, *([f"and {more} more of its cells"] if more else [])]


def read_notebook(content: bytes, budget: Budget | None = None) -> Notebook | str:
    """What a notebook holds; or what is wrong with it, as the rest of a sentence.

    Args:
        content: the file.
        budget: how much may be looked at; None for that of a notebook alone.
    """
    budget = budget or Budget()
    values = sum(map(content.count, (b"[", b"{", b'"', b",")))
    if values > budget.values:
        return (
            f"was left out: notebooks may hold {MAX_VALUES:,} values together, those in outputs too; clear the outputs "
            "in Jupyter, save it and hand it in again"
        )
    budget.values -= values
    try:
        data = json.loads(content, parse_int=bool)  # no number counts here, and Python refuses those of many digits
    except RecursionError:
        return "is no notebook: it is nested too deeply"
    except ValueError as error:
        return f"is no notebook: {_damage(content, error)}"
    if isinstance(data, dict) and "worksheets" in data:
        return "is saved in an old format, nbformat 3: open it in a current Jupyter and save it again"
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        return "is no notebook: it has no cells"
    notebook = Notebook(budget=budget)
    sources = (_source(cell) for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code")
    _read_cells(notebook, sources)
    return notebook


def _read_cells(notebook: Notebook, sources: Iterable[str]) -> None:
    """Adds the code cells, as far as they are not too much."""
    written: dict[str, list[str]] = {}
    for number, source in enumerate(sources):
        if number >= MAX_CELLS or notebook.budget.code < 0:
            limit = f"{MAX_CELLS:,} cells" if number >= MAX_CELLS else f"{MAX_CODE >> 20} MiB of code"
            notebook.ended = f"code cell {number + 1} and those after it were left out: {limit} are read at most"
            break
        text = source
        if len(text) > MAX_FILE_BYTES:
            notebook.refused[number] = f"was left out: it is larger than {MAX_FILE_BYTES >> 20} MiB"
            text = ""
        notebook.budget.code -= len(text) + ROOM
        notebook.cells.append(_cell(text, written))
    notebook.written |= {name: "".join(texts) for name, texts in written.items()}


def _damage(content: bytes, error: ValueError) -> str:
    """What keeps a file from being read as JSON, for people who have never seen JSON."""
    if not content.strip():
        return "the file is empty"
    if isinstance(error, json.JSONDecodeError):
        cut = error.pos >= len(error.doc.rstrip())
        return "it is cut off" if cut else f"what stands in line {error.lineno} is none of a notebook's text (JSON)"
    return "it is no text"


def _source(cell: Mapping[str, Any]) -> str:
    source = cell.get("source")
    parts = source if isinstance(source, list) else [source]
    text = "".join(part for part in parts if isinstance(part, str))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _cell(text: str, written: dict[str, list[str]]) -> Cell:
    """A cell from its source; one that writes a file adds it to ``written``."""
    cell = Cell()
    for _ in range(MAX_HEADS):
        text = _tidied(text)
        head = HEAD.match(text)
        if head is None:
            cell.text = text
            return cell
        magic, argument, text = head[1], head[2], text[head.end() :]
        if magic in WRITE_WHAT_IS_BELOW and _write(argument, text, written):
            return cell
        if magic not in RUN_WHAT_IS_BELOW:
            break
        if magic == "grade":
            cell.exercise = next((word for word in argument.split() if not word.startswith("-")), "").removesuffix(
                ".py"
            )
    cell.left_out = (magic, text)
    return cell


def _tidied(text: str) -> str:
    """A cell's text as IPython takes it: without empty lines above, prompts, and what indents all of its lines."""
    empty = len(text) - len(text.lstrip(" \t\n"))
    text = text[text.rfind("\n", 0, empty) + 1 :]
    if PROMPTED.match(text):
        text = PROMPT.sub("", text)
    return textwrap.dedent(text) if text.startswith((" ", "\t")) else text


def _write(argument: str, text: str, written: dict[str, list[str]]) -> bool:
    """Does what ``%%writefile`` does for a Python file beside the notebook; False if it is for something else."""
    if len(argument) > MAX_ARGUMENT:
        return False
    try:
        words = shlex.split(argument)
    except ValueError:
        return False
    name = WRITTEN.match(words[-1]) if words else None
    if name is None:
        return False
    more = any(word in ("-a", "--append") for word in words[:-1])
    if not more:
        written[name[1]] = []
    written.setdefault(name[1], []).append(text)
    return True


def defined_names(source: str) -> set[str]:
    """The names that a text defines at the start of a line."""
    return {first or second for first, second in DEFINES.findall(source)}
