"""The statements of a notebook's cells: what each binds and uses, and which of them a function cannot do without.

Text is parsed and never run: ``ast`` tells statements apart, ``symtable`` which of their names are global, so that a
parameter or a local is not taken for what another cell calls the same. A cell that cannot be parsed is one piece, known
by the names at the start of its lines. Nor is one parsed that is more than ``Budget`` allows, since parsing takes time
that grows with the square of some statements' length, and memory with that of a dotted name's.

Not followed: what a function that is called by the way does to globals, and the order in which cells were run.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
import warnings
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice, takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

MAX_CELL_BYTES = 64 << 10
MAX_PARSED_BYTES = 1 << 20  # of all cells of a submission, where none is larger than SMALL
SMALL = 8 << 10
MAX_DOTS = 100
MAX_CODE = 4 << 20
MAX_VALUES = 4_000_000  # each takes far more memory than the file
MAX_PIECES = 2_000
MAX_ALL_PIECES = 20_000
MAX_ASKED = 3_000
MAX_MAGICS = 40  # in one cell: it is parsed again after each
AFTER = "stands where enough code was read closely, so it was only skimmed; leave out what is no part of the exercises"
CANNOT_PARSE = (SyntaxError, ValueError, MemoryError, RecursionError)

DEFINES = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
IMPORT = re.compile(r"^(?:import\s+[^\n(]+|from\s+\S+\s+import\s+(?:\([^)]{0,2000}\)|[^\n(]+))", re.MULTILINE)
# What may be one dotted name, over several lines too, whatever stands in it that is no dot.
DOTTED = re.compile(r"(?:[^\n\\;,:()\[\]{}'\"=#]++|\\\n)++")
DOT = re.compile(r"\.(?!\.)")
WORD = re.compile(r"\w+")
ASSIGNED_MAGIC = re.compile(r"[^=%!'\"#]+=\s*[%!](?!=)")
COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SEQUENCES = (ast.Tuple, ast.List)
COMPREHENDED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
WRITTEN_DOWN = (
    *SEQUENCES, *COMPREHENDED, ast.Constant, ast.JoinedStr, ast.Set, ast.Dict, ast.BinOp, ast.UnaryOp, ast.Compare,
)  # fmt: skip
NOTHING = ast.Constant(None)  # what a name is set to by ``x: int``
DEFINITIONS = (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)
ONE_AFTER_THE_OTHER = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
BUILT_IN = frozenset(dir(builtins))
END = MAX_PIECES  # behind all pieces


class Kind(IntEnum):
    """How a name comes by its value, what is most likely meant for others to use first."""

    DEFINED = 0  # def, class, import, lambda, another name for something
    PLAIN = 1  # a value that is written down, or changed in place
    COMPUTED = 2  # whatever calls something: scratch work, for the most part


@dataclass(frozen=True, slots=True)
class Piece:
    """One statement of a cell.

    Attributes:
        cell: its number in the notebook, from 0.
        text: as it stands there, with the comments before it.
        binds: the names that get a value, and how.
        makes: the names that get what may be a function and is not imported.
        changes: the names whose value is changed in place, or perhaps not replaced.
        now: the global names that it uses itself.
        later: the global names that functions in it use when they are called.
        modules: the parts of the names of the modules that it imports.
        star: the module that it imports all names of.
    """

    cell: int
    text: str
    binds: Mapping[str, Kind] = field(default_factory=dict)
    makes: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    now: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    star: str = ""


class TooMuch(ValueError):  # noqa: N818 - what is wrong with a cell, not an error of the program
    """A cell is not parsed; the text says why, as the rest of a sentence that starts with its name."""


class Budget:
    """How much of a submission's notebooks may still be looked at.

    Attributes:
        values: how many lists, objects, texts and entries of these may still be read.
        code: how many characters of cells may still be kept.
        pieces: how many pieces may still be made of them.
    """

    def __init__(self) -> None:
        self.values = MAX_VALUES
        self.code = MAX_CODE
        self.pieces = MAX_ALL_PIECES
        self._effort = MAX_PARSED_BYTES * SMALL

    def parse(self, text: str) -> ast.Module:
        """The text as a tree.

        Raises:
            TooMuch: it is more than may be parsed.
            SyntaxError: it is no Python.
            ValueError: it holds what no file may.
            MemoryError: it is nested too deeply, as is said by a ``RecursionError`` too.
        """
        size = len(text.encode())
        effort = size * max(size, SMALL)
        if size > MAX_CELL_BYTES:
            raise TooMuch(f"is larger than {MAX_CELL_BYTES >> 10} KiB, so it was only skimmed; make it several cells")
        if effort > self._effort:
            raise TooMuch(AFTER)
        if any(len(DOT.findall(found[0])) > MAX_DOTS for found in DOTTED.finditer(text)):
            raise TooMuch(f"holds a name with more than {MAX_DOTS} dots, so it was only skimmed; leave that out")
        self._effort -= effort
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)


def pieces_of(cells: Sequence[str], budget: Budget) -> tuple[list[Piece], dict[int, str]]:
    """The statements of all cells, in order; and why cells were not parsed that were too much, by their numbers."""
    found: list[Piece] = []
    refused: dict[int, str] = {}
    for number, cell in enumerate(cells):
        most = min(MAX_PIECES - len(found), budget.pieces) - (len(cells) - number)
        try:
            pieces = _of_cell(cell, number, budget, most)
        except TooMuch as error:
            refused[number] = str(error)
            pieces = [*_imports_of(cell, number, budget, most), _unparsed(cell, number)]
        found += pieces
        budget.pieces -= len(pieces)
    return found, refused


def _of_cell(cell: str, number: int, budget: Budget, most: int) -> list[Piece]:
    text = cell
    try:
        text, tree = _parsed(cell, budget)
        made = (piece for node, part in _statements(text, tree) for piece in _pieces(node, part, number))
        pieces = [*islice(made, max(0, most) + 1)] if len(tree.body) <= most else []
    except TooMuch:
        raise
    except CANNOT_PARSE:
        return [*_imports_of(text, number, budget, most), _unparsed(text, number)]
    if len(pieces) > most or (tree.body and not pieces):
        raise TooMuch(AFTER)
    return pieces


def _parsed(text: str, budget: Budget) -> tuple[str, ast.Module]:
    """The text without IPython's own lines, and its tree: Python itself says which lines are none of its."""
    lines = text.split("\n")
    for _ in range(MAX_MAGICS):
        try:
            return "\n".join(lines), budget.parse("\n".join(lines))
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(lines) or not _is_magic(lines[at].strip()):
                raise
            _take_out(lines, at)
    raise ValueError("more lines of IPython's than are looked at")


def _is_magic(line: str) -> bool:
    """Whether IPython reads what Python does not: ``%timeit f(x)``, ``files = !ls``, ``softmax?``, ``/f x``."""
    return line.startswith(("%", "!", "?", "/", ",", ";")) or line.endswith("?") or bool(ASSIGNED_MAGIC.match(line))


def _take_out(lines: list[str], at: int) -> None:
    """Puts a statement that does nothing in a line's place, and nothing in those that continue it."""
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    goes_on = lines[at].endswith("\\")
    lines[at] = f"{indent}pass  # {lines[at].strip().rstrip(chr(92))}"
    while goes_on and (at := at + 1) < len(lines):
        goes_on = lines[at].endswith("\\")
        lines[at] = ""


def _unparsed(text: str, number: int) -> Piece:
    """A whole cell, known by the names at the start of its lines."""
    start = text[:MAX_CELL_BYTES]
    found = DEFINES.findall(start)
    binds = {name: Kind.COMPUTED for _, name in found if name} | {name: Kind.DEFINED for name, _ in found if name}
    return Piece(number, text, binds, frozenset(binds), later=frozenset(WORD.findall(start)))


def _imports_of(text: str, number: int, budget: Budget, most: int) -> Iterator[Piece]:
    lines = IMPORT.findall(text[:MAX_CELL_BYTES])[:MAX_MAGICS]
    yield from islice((piece for line in lines for piece in _import(line, number, budget)), max(0, most))


def _import(line: str, number: int, budget: Budget) -> Iterator[Piece]:
    try:
        for node in budget.parse(line).body:
            yield from _pieces(node, line, number)
    except CANNOT_PARSE:
        return


def _statements(text: str, tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    """Each statement with its text: its lines and the comments before them, or its part of a line that it shares."""
    lines = text.encode().split(b"\n")
    body = tree.body
    before = 0
    for at, node in enumerate(body):
        first = min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", []))])
        last = node.end_lineno or first
        following = body[at + 1].lineno if at + 1 < len(body) else last + 1
        part = lines[first - 1 : last] if before == first or following == last else lines[before:last]
        if before == first or following == last:
            part[-1] = part[-1][: node.end_col_offset]
            part[0] = part[0][node.col_offset :]
        yield node, b"\n".join(part).decode()
        before = last


def _pieces(node: ast.stmt, text: str, number: int) -> Iterator[Piece]:
    """What a statement is; of an import each name by itself, since one may be at hand and another not."""
    if isinstance(node, ast.Import) and len(node.names) > 1:
        for name in node.names:
            yield _piece(ast.Import([name]), ast.unparse(ast.Import([name])), number)
    elif isinstance(node, ast.ImportFrom) and len(node.names) > 1:
        for name in node.names:
            one = ast.ImportFrom(node.module, [name], node.level)
            yield _piece(one, ast.unparse(one), number)
    else:
        yield _piece(node, text, number)


def _piece(node: ast.stmt, text: str, number: int) -> Piece:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = symtable.symtable(text, "<cell>", "exec")
    kind = _kind(node)
    values = dict(_values(node))
    names = [] if isinstance(node, ast.Delete) else table.get_symbols()
    binds = {
        one.get_name(): Kind.DEFINED if kind is Kind.PLAIN and _is_other(values.get(one.get_name())) else kind
        for one in names
        if one.is_assigned() or one.is_imported()
    }
    written = {name for name, value in values.items() if isinstance(value, WRITTEN_DOWN)}
    makes = {one.get_name() for one in names if one.is_assigned()} - (written if kind is Kind.PLAIN else set())
    changed = set(_changed(node))
    perhaps = set(binds) if isinstance(node, (*ONE_AFTER_THE_OTHER, ast.AugAssign)) else set()
    now: set[str] = set()
    later: set[str] = set()
    _uses(table, now, later)
    modules = set(_modules(node))
    star = node.module or "" if isinstance(node, ast.ImportFrom) and node.names[0].name == "*" else ""
    return Piece(
        number,
        text,
        dict.fromkeys(changed, Kind.PLAIN) | binds,
        frozenset(makes),
        frozenset(changed | perhaps),
        frozenset(now),
        frozenset(later),
        frozenset(modules),
        star,
    )


def _kind(node: ast.stmt) -> Kind:
    if isinstance(node, DEFINITIONS):
        return Kind.DEFINED
    inside = [*ast.walk(node)]
    if isinstance(node, ast.If | ast.Try) and any(isinstance(part, DEFINITIONS) for part in inside):
        return Kind.DEFINED
    if _is_other(getattr(node, "value", None)):
        return Kind.DEFINED
    if isinstance(node, ONE_AFTER_THE_OTHER) or any(isinstance(part, ast.Call | ast.Await) for part in inside):
        return Kind.COMPUTED
    return Kind.PLAIN


def _is_other(value: ast.AST | None) -> bool:
    """Whether a value is a function that has no name yet, or another name for something."""
    return isinstance(value, ast.Lambda | ast.Name | ast.Attribute)


def _values(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement gives a value which stands beside them: ``a, b = f, 3``, ``(a := f)``."""
    for part in _here(node):
        if isinstance(part, ast.Assign):
            waiting = [(target, part.value) for target in part.targets]
        elif isinstance(part, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
            waiting = [(part.target, part.value or NOTHING)]
        else:
            continue
        while waiting:
            target, value = waiting.pop()
            if isinstance(target, ast.Name):
                yield target.id, value
            elif isinstance(target, SEQUENCES) and isinstance(value, SEQUENCES):
                waiting += takewhile(_are_single, zip(target.elts, value.elts, strict=False))


def _are_single(pair: tuple[ast.expr, ast.expr]) -> bool:
    """Whether neither of two is spread out, so that it is plain what belongs to what."""
    return not any(isinstance(one, ast.Starred) for one in pair)


def _here(node: ast.AST) -> Iterator[ast.AST]:
    """All parts of a statement that are done where it stands, functions' and classes' bodies left out."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(part)


def _changed(node: ast.stmt) -> Iterator[str]:
    """The names whose values a statement changes in place: ``table[0] = 1``, ``table.append(1)``."""
    for part in _here(node):
        called = part.value.func if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call) else None
        stored = isinstance(part, ast.Subscript | ast.Attribute) and isinstance(part.ctx, ast.Store)
        target = part if stored else called
        while isinstance(target, ast.Subscript | ast.Attribute):
            target = target.value
            if isinstance(target, ast.Name):
                yield target.id


def _modules(node: ast.stmt) -> Iterator[str]:
    for part in _here(node):
        if isinstance(part, ast.Import):
            for name in part.names:
                yield from name.name.split(".")
        elif isinstance(part, ast.ImportFrom):
            yield from (part.module or "").split(".")


def _uses(table: symtable.SymbolTable, now: set[str], later: set[str], *, deferred: bool = False) -> None:
    """Adds the global names that a text uses: where it stands, and in functions, which run when they are called."""
    top = table.get_type() == "module"
    used = {one.get_name() for one in table.get_symbols() if (one.is_referenced() if top else one.is_global())}
    (later if deferred else now).update(used)
    for child in table.get_children():
        function = child.get_type() == "function" and child.get_name() not in COMPREHENSIONS
        _uses(child, now, later, deferred=deferred or function)


def defines(pieces: Iterable[Piece], functions: Collection[str]) -> bool:
    """Whether one of some functions is made here, rather than imported or set to some value."""
    return any(name in piece.makes for piece in pieces for name in functions)


class Choice:
    """The pieces that some functions need, as a file that stands alone.

    Args:
        pieces: of all cells.
        given: names that are imported from elsewhere rather than taken from the cells, with the module.
        own: the module that the file is to be, which it must not import.
        first: the cells in which the functions are looked for first.
    """

    def __init__(
        self, pieces: Sequence[Piece], given: Mapping[str, str], own: str, first: Collection[int] = ()
    ) -> None:
        self._pieces = pieces
        self._given = given
        self._own = own
        self._first = first
        self._places: dict[str, list[int]] = {}
        for at, piece in enumerate(pieces):
            for name in piece.binds if own not in piece.modules else piece.makes:
                if name in BUILT_IN and piece.binds[name] is not Kind.DEFINED:
                    continue  # sum = 0 in a trial: what uses sum means Python's
                self._places.setdefault(name, []).append(at)
        self._missing: set[str] = set()
        self._imports: set[str] = set()

    def text(self, functions: Iterable[str]) -> str:
        """The file's text, cell by cell."""
        chosen = self._chosen(functions)
        parts = [f"from {self._given[name]} import {name}" for name in sorted(self._imports)]
        head = [self._pieces[at].text for at in chosen if "__future__" in self._pieces[at].modules]
        shown = ["\n".join([*dict.fromkeys(head), *parts])]
        rest = [self._pieces[at] for at in chosen if "__future__" not in self._pieces[at].modules]
        for cell in sorted({piece.cell for piece in rest}):
            texts = [piece.text for piece in rest if piece.cell == cell]
            shown.append(f"# Code cell {cell + 1}\n" + "\n".join(texts).strip("\n").rstrip())
        return "\n\n".join(filter(None, shown)) + "\n"

    def _chosen(self, functions: Iterable[str]) -> list[int]:
        """The places of the pieces that are needed: of each name what it last was before it is used."""
        chosen: set[int] = set()
        waiting = [(name, END, False) for name in functions]
        asked = set(waiting)
        while waiting:
            if len(asked) > MAX_ASKED:
                return [at for at, piece in enumerate(self._pieces) if self._own not in piece.modules]
            name, before, strictly = waiting.pop()
            at = self._place(name, before, strictly=strictly)
            if at is None:
                continue
            chosen.add(at)
            piece = self._pieces[at]
            called = END if at >= before else before
            more = {(used, at, False) for used in piece.now} | {(used, called, False) for used in piece.later}
            more |= {(name, at, True)} if name in piece.changes else set()
            waiting += more - asked
            asked |= more
        return sorted(chosen | self._always())

    def _place(self, name: str, before: int, *, strictly: bool) -> int | None:
        if name in self._given:
            self._imports.add(name)
            return None
        places = self._places.get(name, [])
        earlier = [at for at in places if at < before]
        if not places or (strictly and not earlier):
            self._missing |= set() if strictly else {name}
            return None
        return self._likely(name, earlier or places)

    def _likely(self, name: str, places: list[int]) -> int:
        """The last that is no scratch work: what is defined rather than what is put in its place in another cell."""
        places = [at for at in places if self._pieces[at].cell in self._first] or places
        best = min(self._pieces[at].binds[name] for at in places)
        cells = {self._pieces[at].cell for at in places if self._pieces[at].binds[name] is best}
        return max(at for at in places if self._pieces[at].binds[name] is best or self._replaced(at, name, cells))

    def _replaced(self, at: int, name: str, cells: set[int]) -> bool:
        piece = self._pieces[at]
        return piece.cell in cells and name not in piece.changes

    def _always(self) -> set[int]:
        """Pieces that bind nobody knows what: ``from numpy import *``, which may stand for a built-in name too."""
        unknown = self._missing - BUILT_IN
        return {
            at
            for at, piece in enumerate(self._pieces)
            if "__future__" in piece.modules
            or (piece.star and self._own not in piece.modules and (unknown or (self._missing and at_hand(piece.star))))
        }


def at_hand(module: str) -> bool:
    """Whether a module is there wherever a submission is graded."""
    return module.partition(".")[0] in sys.stdlib_module_names | {"numpy"}
