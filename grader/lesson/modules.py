"""Imports a lesson's own files, which lie in folders that are no packages."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from grader.errors import LessonError

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


def load_module(path: Path, name: str) -> ModuleType:
    """The module in a file, which nothing else can import by its name.

    Raises:
        LessonError: it cannot be imported.
    """
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise LessonError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    return module
