"""Tells files that can leave nothing behind in a process from those that may, by what their compiled code does.

A plain file imports numpy, a little of the standard library and the files beside it, defines functions, and computes.
It sets no attribute, names no setting of numpy's and none of Python's ways around that. Since files are imported anew
for each exercise, what plain files keep is gone with them, and the next exercise finds the process as if it were new.
Any doubt makes a file not plain, which costs no more than a process for each exercise of the submission.

Code is looked at rather than text, since it has to be made in any case and holds few names: no comment or string is
mistaken for one, and an identifier that is spelled in other letters is there as Python reads it.
"""

from __future__ import annotations

import inspect
from opcode import opmap
from types import CodeType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MAX_BYTES = 1 << 16  # of text; what is larger takes too long to look through
MODULES = {
    "numpy", "numpy.linalg", "numpy.typing", "math", "itertools", "functools", "typing", "collections",
    "collections.abc", "__future__", "",
}  # fmt: skip
# What changes settings, the state of random numbers or files, or leads to where such things are.
TELLING = {
    "seterr", "seterrcall", "setbufsize", "set_printoptions", "set_string_function", "random", "ctypeslib", "core",
    "lib", "testing", "f2py", "distutils", "memmap", "ctypes", "load", "save", "savez", "savez_compressed", "savetxt",
    "loadtxt", "genfromtxt", "fromfile", "tofile", "dump", "open_memmap", "test", "update_wrapper", "wraps",
    "gi_frame", "tb_frame", "f_back", "f_globals", "f_builtins", "f_locals",
    "exec", "eval", "compile", "setattr", "delattr", "getattr", "globals", "locals", "vars", "open", "input",
    "breakpoint", "exit", "quit", "help",
}  # fmt: skip
EVERYBODYS = {"__name__", "__doc__", "__annotations__", "__all__"}
UNUSUAL = frozenset(opmap[name] for name in ("STORE_ATTR", "DELETE_ATTR", "LOAD_BUILD_CLASS"))
IMPORT, TAKE, BIND = (opmap[name] for name in ("IMPORT_NAME", "IMPORT_FROM", "STORE_NAME"))
SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
ALL_OF_IT = ("*",)
MAX_NAMES = 255  # that an instruction can point at by itself


def is_plain(module: CodeType, own: Collection[str] = ()) -> bool:
    """Whether a file is plain.

    Args:
        module: its code.
        own: the names of the files beside it.
    """
    codes = [*_codes(module)]
    if any(map(_is_unusual, codes)) or ALL_OF_IT in module.co_consts:
        return False
    imported = {name for code in codes for name in _named_by(code, IMPORT)}
    if not all(name in MODULES or name in own for name in imported):
        return False
    bound = {*_named_by(module, BIND)} - {name for code in codes for name in _named_by(code, TAKE)}
    names = {name for code in codes for name in code.co_names} - imported - EVERYBODYS
    return all(name in bound and not name.startswith("__") for name in names if name.startswith("_")) and not (
        names & TELLING
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A file's code, with that of all functions in it."""
    yield code
    for held in code.co_consts:
        if isinstance(held, CodeType):
            yield from _codes(held)


def _is_unusual(code: CodeType) -> bool:
    """Whether it sets attributes, makes a class, or stops in the middle to go on another time."""
    suspended = code.co_flags & SUSPENDED and code.co_name != "<genexpr>"
    return bool(suspended) or len(code.co_names) > MAX_NAMES or not UNUSUAL.isdisjoint(code.co_code[::2])


def _named_by(code: CodeType, operation: int) -> Iterator[str]:
    """The names that an operation is done with."""
    pairs = zip(code.co_code[::2], code.co_code[1::2], strict=True)
    return (code.co_names[at] for done, at in pairs if done == operation)
