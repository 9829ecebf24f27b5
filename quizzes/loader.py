"""From a file to a :class:`~quizzes.model.Bank`, or to the list of everything that is wrong with it.

``load(path)`` and ``load_bytes(data, name)`` never raise for what is in a bank: they return :class:`Loaded`,
whose ``bank`` is None when there are errors. ``read_bank(path)`` is for who wants the bank or an exception.

The stages: bytes to text (:mod:`quizzes.source`), text to a tree of raw scalars (:mod:`quizzes.tree`), tree
to model (:mod:`quizzes.schema`), then whether the model makes sense (:mod:`quizzes.rules`).
"""

from __future__ import annotations

import gc
import os
from typing import TYPE_CHECKING, Any

from quizzes import rules, rules_bank, schema, tree
from quizzes.problems import BankError, Problems, render
from quizzes.record import Record, replace
from quizzes.source import Source, decode, read_bytes

if TYPE_CHECKING:
    from quizzes.model import Bank


class Loaded(Record, kw_only=False):
    """What became of a file: the bank (None if there are errors), its problems, its text for showing them.

    ``partial`` is the bank as far as it could be read, for who looks for more problems.
    """

    bank: Bank | None
    problems: Problems
    source: Source
    root: tree.Node | None = None
    partial: Bank | None = None
    broken_ids: frozenset[str] = frozenset()

    @property
    def report(self) -> str:
        """The problems as text, each with its source line, a caret and the fix."""
        return render(self.source.name, self.problems, self.source.lines)


def load_bytes(data: bytes, name: str = "bank.yaml", *, loader: Any = None) -> Loaded:
    """Return the bank that some bytes hold, read by one of PyYAML's loaders, else by the fastest."""
    # Reading makes a great many objects and no cycles of them; looking for cycles meanwhile takes a third of
    # the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _load(data, name, loader)
    finally:
        if collecting:
            gc.enable()


def _load(data: bytes, name: str, loader: Any) -> Loaded:
    source = decode(data, name)
    if source.problems:
        return Loaded(None, source.problems, source)
    problems = Problems()
    node = tree.parse(source, problems, loader)
    stopped = node is None and problems.errors
    read = None if stopped else schema.read(node, problems)
    if read is not None:
        rules.check(read.bank, problems, broken_ids=read.broken_ids)
    partial = read.bank if read is not None else None
    return Loaded(
        None if problems.errors else partial,
        problems,
        source,
        node,
        partial,
        read.broken_ids if read else frozenset(),
    )


def load(path: str | os.PathLike[str], *, loader: Any = None) -> Loaded:
    """Return the bank in a file; UnreadableError if there is no regular file to read."""
    loaded = load_bytes(read_bytes(path), os.fspath(path), loader=loader)
    if loaded.bank is None:
        return loaded
    bank = replace(loaded.bank, file=os.fspath(path))
    problems = loaded.problems
    rules_bank.check_images(bank, problems)
    return replace(loaded, bank=None if problems.errors else bank)


def read_bank(path: str | os.PathLike[str]) -> Bank:
    """Return the bank in a file; BankError or UnreadableError say all that is wrong with it."""
    loaded = load(path)
    if loaded.bank is None:
        raise BankError(loaded.source.name, tuple(loaded.problems), loaded.source.lines)
    return loaded.bank
