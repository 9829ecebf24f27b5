"""Tells files that can leave nothing behind in a process from those that may, by what their compiled code does.

A plain file imports numpy, a little of the standard library and the files beside it, defines functions, and computes.
It sets no attribute, and takes from modules and values only what is known to compute: functions, types and numbers, no
module behind a module, no table that others read too, and none of Python's ways around that. Since files are imported
anew for each exercise, what plain files keep is gone with them, and the next exercise finds the process as if it were
new. Any doubt makes a file not plain, which costs no more than a process for each exercise of the submission.

Code is looked at rather than text, since it has to be made in any case and holds few names: no comment or string is
mistaken for one, and an identifier that is spelled in other letters is there as Python reads it.
"""

from __future__ import annotations

import builtins
import collections
import functools
import inspect
import itertools
import math
import sys
import typing
from opcode import opmap
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

MAX_BYTES = 1 << 16  # of text; what is larger takes too long to look through
MODULES = {
    "numpy", "numpy.linalg", "numpy.typing", "math", "itertools", "functools", "typing", "collections",
    "collections.abc", "__future__", "",
}  # fmt: skip
# Functions that change settings, read or write files, or lead to where such things are.
TELLING = {
    "seterr", "seterrcall", "setbufsize", "set_printoptions", "set_string_function", "memmap", "load", "save", "savez",
    "savez_compressed", "savetxt", "loadtxt", "genfromtxt", "fromfile", "tofile", "dump", "dumps", "ctypes", "test",
    "update_wrapper", "wraps", "show_config", "show_runtime", "info",
    "exec", "eval", "compile", "setattr", "delattr", "getattr", "globals", "locals", "vars", "open", "input", "dir",
    "breakpoint", "exit", "quit", "help", "copyright", "credits", "license", "type", "super", "memoryview",
}  # fmt: skip


def _computing(holder: Any) -> Iterator[str]:
    """The public members of a type, and those of a module that are functions, types or numbers."""
    for name, value in vars(holder).items():
        member = isinstance(holder, type) or callable(value) or isinstance(value, int | float | None)
        if member and not name.startswith("_") and not inspect.ismodule(value):
            yield name


def _names(holders: Iterable[Any]) -> frozenset[str]:
    return frozenset(name for holder in holders for name in _computing(holder)) - TELLING


VALUES = (
    np.ndarray, np.generic, np.ufunc, np.dtype, np.finfo, np.iinfo, np.nditer, np.flatiter, np.broadcast,
    str, bytes, list, tuple, dict, set, frozenset, int, float, complex, range, slice, BaseException,
    collections.deque, collections.Counter, collections.OrderedDict,
)  # fmt: skip
BEHIND_A_DOT = _names((np, np.linalg, math, itertools, functools, *VALUES)) | {
    *typing.__all__, *collections.__all__, *collections.abc.__all__,
    "linalg", "abc", "eps", "tiny", "cache_info", "cache_clear", "ArrayLike", "NDArray", "annotations",
}  # fmt: skip
EVERYBODYS = _names([builtins]) | {"__name__", "__doc__", "__annotations__", "__all__"}
UNUSUAL = frozenset(opmap[name] for name in ("STORE_ATTR", "DELETE_ATTR", "LOAD_BUILD_CLASS", "MATCH_CLASS"))
# What an instruction does with a name, and by how many bits its number is shifted; 3.12 joined two instructions.
IMPORT = opmap["IMPORT_NAME"]
IMPORT_OR_TAKE = {IMPORT: 0, opmap["IMPORT_FROM"]: 0}
BIND = {opmap["STORE_NAME"]: 0, opmap["STORE_GLOBAL"]: 0}
ASK = {opmap["LOAD_NAME"]: 0, opmap["LOAD_GLOBAL"]: 1}
DOT = {opmap["LOAD_ATTR"]: 1} if sys.version_info >= (3, 12) else {opmap["LOAD_ATTR"]: 0, opmap["LOAD_METHOD"]: 0}
KNOWN_UNTIL = (3, 14)  # versions of Python whose instructions are known
SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
ALL_OF_IT = ("*",)
MAX_NAMES = 127  # that an instruction can point at by itself


def is_plain(module: CodeType, own: Collection[str] = ()) -> bool:
    """Whether a file is plain.

    Args:
        module: its code.
        own: the names of the files beside it.
    """
    codes = [*_codes(module)]
    if sys.version_info[:2] > KNOWN_UNTIL or any(map(_is_unusual, codes)) or ALL_OF_IT in module.co_consts:
        return False

    def named(how: dict[int, int]) -> set[str]:
        return {name for code in codes for _, name in _named(code, how)}

    return (
        named(DOT) <= BEHIND_A_DOT
        and named(ASK) <= EVERYBODYS | named(BIND)
        and all(_is_import_fine(place, name, own) for code in codes for place, name in _imported(code))
    )


def imports(module: CodeType) -> Iterator[str]:
    """The modules that a plain file may import, and the packages that they are in."""
    for code in _codes(module):
        for place, name in _imported(code):
            whole = f"{place}.{name}".strip(".")
            yield from (whole.rsplit(".", cut)[0] for cut in range(whole.count(".") + 1))


def _imported(code: CodeType) -> Iterator[tuple[str, str]]:
    """The modules that are imported, and the names that are taken from them; no name for the module itself."""
    place = ""
    for done, name in _named(code, IMPORT_OR_TAKE):
        if done == IMPORT:
            place = name
        yield place, "" if done == IMPORT else name


def _is_import_fine(place: str, name: str, own: Collection[str]) -> bool:
    if place in own:
        return not name.startswith("_")
    if not place:  # from . import
        return not name or name in own
    return place in MODULES and (not name or name in BEHIND_A_DOT)


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


def _named(code: CodeType, how: dict[int, int]) -> Iterator[tuple[int, str]]:
    """The instructions among some that use a name, and which."""
    pairs = zip(code.co_code[::2], code.co_code[1::2], strict=True)
    return ((done, code.co_names[at >> how[done]]) for done, at in pairs if done in how)
