"""Everything ``quiz check`` looks at in a file: the loader's rules, both YAML parsers, all keys, the lints.

What a person taking a quiz should not wait for is done here and not in the loader.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

from quizzes import keys, lint, lint_source, loader, rules, tree
from quizzes.model import Place
from quizzes.problems import Problems
from quizzes.record import replace

if TYPE_CHECKING:
    import os

    from quizzes.loader import Loaded
    from quizzes.model import Bank


def check_file(path: str | os.PathLike[str], *, run: bool = False) -> Loaded:
    """Return a bank with all that can be said about it; with ``run``, output questions are executed."""
    return _look_deeper(loader.load(path), run=run)


def check_bytes(data: bytes, name: str, *, run: bool = False) -> Loaded:
    """Like :func:`check_file`, for a bank that is not in a file."""
    return _look_deeper(loader.load_bytes(data, name), run=run)


def _look_deeper(loaded: Loaded, *, run: bool) -> Loaded:
    problems = loaded.problems
    _compare_parsers(loaded, problems)
    if loaded.root is not None:
        lint_source.check(loaded.source, loaded.root, problems)
    if loaded.partial is not None:
        rules.check_forms(_sound(loaded.partial, problems), problems, rules.MANY_VARIANTS)
        sound = _sound(loaded.partial, problems)
        keys.check(sound, problems)
        if run:
            keys.check_output(sound, problems)
        lint.bank(sound, problems, complete=sound == loaded.partial)
    return replace(loaded, bank=None if problems.errors else loaded.bank)


def _sound(bank: Bank, problems: Problems) -> Bank:
    """Return the bank without the questions that have errors: what else is wrong there follows from them."""
    starts = [question.place.line for question in bank.questions]
    # Questions stand in the order of their lines, so the last one that begins before an error is the one that has it.
    wrong = {bisect.bisect_right(starts, problem.line) - 1 for problem in problems if problem.error}
    return replace(bank, questions=tuple(one for index, one in enumerate(bank.questions) if index not in wrong))


def _compare_parsers(loaded: Loaded, problems: Problems) -> None:
    """Note what only one of PyYAML's two parsers reads: such a bank works on some machines only."""
    too_large = problems.full or any(problem.code == "E05" for problem in problems)
    if tree.FAST_LOADER is tree.PURE_LOADER or loaded.root is None or too_large:
        return
    trees = []
    for parser in (tree.FAST_LOADER, tree.PURE_LOADER):
        own = Problems()
        trees.append(tree.parse(loaded.source, own, parser))
        for problem in own:
            if problem.code == "E02":
                message = f"one YAML parser reads this, another does not: {problem.message}"
                problems.add("E02", Place(problem.line, problem.column), message, problem.fix)
    fast, pure = trees
    if fast is not None and pure is not None and (place := _difference(fast, pure)) is not None:
        problems.add("E02", place, "the two YAML parsers read this differently", "quote the text")


def _difference(a: tree.Node, b: tree.Node) -> Place | None:
    """Return where two trees part, if they do."""
    if type(a) is not type(b):
        return a
    if isinstance(a, tree.Scalar) and isinstance(b, tree.Scalar):
        return None if a.text == b.text else a
    if isinstance(a, tree.Mapping) and isinstance(b, tree.Mapping):
        if list(a.items) != list(b.items):
            return a
        pairs = list(zip(a.items.values(), b.items.values(), strict=True))
    elif isinstance(a, tree.Sequence) and isinstance(b, tree.Sequence):
        if len(a.items) != len(b.items):
            return a
        pairs = list(zip(a.items, b.items, strict=True))
    else:
        return a
    return next((found for one, other in pairs if (found := _difference(one, other)) is not None), None)
