"""Which places of this machine the worker may see: the interpreter, its standard library, numpy and the C libraries.

Never visible: site-packages (which may hold this package, and so the solutions), the project's own folders, and the
learner's folder, whose files travel over the wire instead.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.errors import SandboxError

PACKAGE = Path(__file__).resolve().parent.parent
WORKER_FILES = ("__init__.py", "protocol.py", "worker")
SYSTEM_LIBRARIES = (
    "/lib",
    "/lib64",
    "/lib32",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
)
SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/alternatives",
    "/usr/share/zoneinfo",
    "/etc/localtime",
)


@dataclass(frozen=True, slots=True)
class Places:
    """Absolute paths.

    Attributes:
        python: the interpreter itself, not a virtual environment's link to it.
        visible: folders and files to show.
        hidden: folders below those that must stay empty.
        numpy: numpy's folders, shown again on top.
        numpy_parent: the folder to import numpy from.
    """

    python: str
    visible: tuple[str, ...]
    hidden: tuple[str, ...]
    numpy: tuple[str, ...]
    numpy_parent: str


@cache
def places() -> Places:
    """Finds them for the interpreter that runs the grader.

    Raises:
        SandboxError: numpy is not installed for it.
    """
    spec = importlib.util.find_spec("numpy")
    if spec is None or not spec.submodule_search_locations:
        raise SandboxError(f"numpy is not installed for {sys.executable}: python -m pip install numpy")
    package = Path(next(iter(spec.submodule_search_locations))).resolve()
    numpy = [str(package)] + [str(path) for path in [package.parent / "numpy.libs"] if path.is_dir()]
    python = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    library = sorted(
        {
            sysconfig.get_path("stdlib"),
            sysconfig.get_path("platstdlib", vars={"platbase": sys.base_exec_prefix}),
        }
    )
    own = [os.path.join(sys.base_prefix, name) for name in ("lib", "lib64")]
    store = ["/nix/store"] if python.startswith("/nix/store/") else []
    visible = [
        path for path in [python, *library, *own, *SYSTEM_LIBRARIES, *SYSTEM_FILES, *store] if os.path.exists(path)
    ]
    site = [path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")]
    for base in (sys.base_prefix, "/usr", "/usr/local"):
        for kind in ("site-packages", "dist-packages"):
            site += glob.glob(f"{base}/lib*/python3*/{kind}")
    hidden = {os.path.realpath(path) for path in [*site, str(PACKAGE.parent), *_working_folder()]}
    needed = [python, *library, *SYSTEM_LIBRARIES]
    hidden = {path for path in hidden if not any(_within(place, path) for place in needed)}
    return Places(
        python=python,
        visible=tuple(dict.fromkeys(visible)),
        hidden=tuple(sorted(path for path in hidden if any(_within(path, os.path.realpath(v)) for v in visible))),
        numpy=tuple(numpy),
        numpy_parent=str(package.parent),
    )


def _working_folder() -> list[str]:
    """The current folder, where there is one: it may have been deleted, or lie where this user may not look."""
    try:
        return [os.getcwd()]
    except OSError:
        return []


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def grants_for_landlock() -> tuple[list[str], list[str]]:
    """The same places as grants: Landlock can only allow, so what is hidden is stepped around.

    Returns:
        What may be read, and the folders of which only the names in them may be listed.
    """
    found = places()
    readable, listable = [*found.numpy], []
    stack = [os.path.realpath(path) for path in found.visible]
    while stack:
        path = stack.pop()
        if path in found.hidden:
            continue
        if any(_within(hidden, path) for hidden in found.hidden):
            listable.append(path)  # the import system looks for modules by listing
            try:
                stack.extend(os.path.join(path, name) for name in os.listdir(path))
            except PermissionError:
                continue  # what this user cannot list, the worker cannot either
        else:
            readable.append(path)
    return readable, listable
