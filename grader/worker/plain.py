"""Tells files that can leave nothing behind in a process from those that may, by what stands in them.

A plain file imports numpy, a little of the standard library and the files beside it, defines functions, and computes.
It sets no attribute, names no setting of numpy's and none of Python's ways around that. Since files are imported anew
for each exercise, what plain files keep is gone with them, and the next exercise finds the process as if it were new.
Any doubt makes a file not plain, which costs no more than a process for each exercise of the submission.
"""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

MAX_BYTES = 1 << 16  # what is larger takes too long to look through
MODULES = {"numpy", "numpy.linalg", "numpy.typing", "math", "itertools", "typing", "collections.abc", "__future__"}
FUNCTOOLS = {"cache", "lru_cache", "partial", "reduce"}
# What changes settings, the state of random numbers or files, or leads to where such things are.
TELLING = {
    "seterr", "seterrcall", "setbufsize", "set_printoptions", "set_string_function", "random", "ctypeslib", "core",
    "lib", "testing", "f2py", "distutils", "memmap", "ctypes", "load", "save", "savez", "savez_compressed", "savetxt",
    "loadtxt", "genfromtxt", "fromfile", "tofile", "dump", "open_memmap", "test",
}  # fmt: skip
WAYS_AROUND = {
    "exec", "eval", "compile", "setattr", "delattr", "getattr", "globals", "locals", "vars", "open", "input",
    "breakpoint", "exit", "quit", "help",
}  # fmt: skip
UNUSUAL = (
    ast.ClassDef, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await, ast.Yield, ast.YieldFrom,
)  # fmt: skip


def are_plain(files: Mapping[str, bytes], own: Collection[str]) -> bool:
    """Whether all of a submission's files are plain.

    Args:
        files: their text, by path.
        own: the names under which they can be imported.
    """
    return all(is_plain(source, own) for source in files.values())


def is_plain(source: bytes, own: Collection[str] = ()) -> bool:
    """Whether a file is plain; one that cannot be read as Python is not.

    Args:
        source: its text.
        own: the names of the files beside it.
    """
    if len(source) > MAX_BYTES:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(_is_plain(node, own) for node in ast.walk(tree))


def _is_plain(node: ast.AST, own: Collection[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.ctx, ast.Load) and _is_public(node.attr)
    if isinstance(node, ast.Name):
        return node.id == "__name__" or not (node.id.startswith("__") or node.id in WAYS_AROUND)
    if isinstance(node, ast.Import):
        return all(alias.name in MODULES or alias.name in own for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        names = [alias.name for alias in node.names]
        if node.module == "functools":
            return not node.level and FUNCTOOLS.issuperset(names)
        known = node.level or node.module in MODULES or node.module in own
        return bool(known) and "*" not in names and (node.module in own or all(map(_is_public, names)))
    return not isinstance(node, UNUSUAL)


def _is_public(name: str) -> bool:
    """Whether what stands behind a dot may be used without a second thought."""
    return not name.startswith("_") and name not in TELLING
