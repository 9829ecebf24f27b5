"""The parts keep to their places: who may import whom, what a start may cost, and that the engine names no exercise."""

from __future__ import annotations

import ast
import json
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import grader
import quizzes
from grader.lesson import shipped_lesson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
PACKAGE = Path(grader.__file__).parent
SUITES = [*sorted((PACKAGE / "suites").glob("*.py")), *sorted((HERE / "mini_lesson" / "suites").glob("*.py"))]
ENGINE = sorted(path for path in PACKAGE.rglob("*.py") if path.parent.name != "suites")
MODULES = [
    module.name
    for package in (grader, quizzes)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def without_docstrings(path: Path) -> str:
    """A file's code, without comments and docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return ast.unparse(tree)


def test_contracts(repo: Path) -> None:
    """Every import contract in pyproject.toml is kept."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=repo,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, True) == (done.returncode, "0 broken." in done.stdout), done.stdout + done.stderr


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.name)
def test_suites_are_content(path: Path) -> None:
    """A suite imports the words it is written in, numpy, and nothing that the standard library does not have."""
    others = {name for name in imports(path) if name.partition(".")[0] not in sys.stdlib_module_names}

    assert others <= {"grader.expect", "numpy"}


def test_engine_names_no_exercise() -> None:
    """No module of the engine names an exercise, or a function of one, in its code: a lesson is content."""
    lesson = shipped_lesson()
    words = {*lesson.stems, *(name for exercise in lesson.exercises for name in exercise.functions)}
    code = {str(path.relative_to(PACKAGE)): without_docstrings(path) for path in ENGINE}
    named = [(path, word) for path, text in code.items() for word in sorted(words) if word in text]

    assert 4 < len(words)
    assert [] == named


def test_worker_runs_without_the_rest(tmp_path: Path) -> None:
    """The worker's own files and numpy are all that it needs to be imported."""
    package = tmp_path / "grader"
    (package / "worker").mkdir(parents=True)
    for name in ("__init__.py", "protocol.py", *(f"worker/{path.name}" for path in (PACKAGE / "worker").glob("*.py"))):
        (package / name).write_bytes((PACKAGE / name).read_bytes())
    numpy_parent = Path(sys.modules["numpy"].__file__ or "").parent.parent
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(numpy_parent)!r}]; "
        "import grader.worker.__main__, grader.worker.child; print(grader.__file__)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)

    assert (f"{package}/__init__.py\n", "") == (done.stdout, done.stderr)


# --- what a start may cost ------------------------------------------------------------------------------------

LOADED = """
import json, sys
from grader.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("command", "more"),
    [
        (["--help"], {"yaml", "sqlite3"}),
        (["--version"], {"yaml", "sqlite3"}),
        (["list"], set()),
        (["hint", "softmax"], set()),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_import_budget(
    command: list[str], more: set[str], workspace: Path, environment: Callable[..., dict[str, str]]
) -> None:
    """Commands that grade nothing load neither numpy nor pytest, and help not even the lesson's reader."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *command],
        cwd=workspace,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(json.loads(done.stderr))

    assert set() == loaded & (
        {"numpy", "pytest", "_pytest", "grader.judge", "grader.worker"} | (more - {"dataclasses"})
    )
    assert "click" in loaded


ALONE = """
import os, sys
for name in sys.argv[1:]:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            __import__(name)
            code = 0
        finally:
            if code:
                sys.excepthook(*sys.exc_info())
            os._exit(code)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        print(name)
"""


def test_each_module_alone() -> None:
    """Each module can be imported first, without a warning: no import works only after another."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", ALONE, *MODULES], capture_output=True, text=True, check=False
    )

    assert 40 < len(MODULES)
    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)
