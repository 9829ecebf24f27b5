"""Cells of a notebook, graded in a real kernel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.notebook import Cells
from grader.sandbox.launch import Isolation

nbclient = pytest.importorskip("nbclient", reason="needs the extra `test`")
nbformat = pytest.importorskip("nbformat", reason="needs the extra `test`")
pytest.importorskip("ipykernel", reason="needs the extra `test`")

if TYPE_CHECKING:
    from collections.abc import Iterator

MINI = Path(__file__).parent / "mini_lesson"
TOTAL = "import numpy as np\n\ndef total(x, axis=-1):\n    return np.sum(x, axis=axis)\n"
CENTRE = (MINI / "solutions" / "centre.py").read_text(encoding="utf-8")


class Notebook:
    """A kernel, and what its cells put out."""

    def __init__(self, folder: Path) -> None:
        self._notebook = nbformat.v4.new_notebook()
        self.client = nbclient.NotebookClient(
            self._notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
        )

    def run(self, source: str) -> list[Any]:
        """Runs a cell and returns its outputs."""
        cell = nbformat.v4.new_code_cell(source)
        self._notebook.cells.append(cell)
        self.client.execute_cell(cell, len(self._notebook.cells) - 1)
        return list(cell.outputs)

    def grade(self, exercise: str, source: str) -> str:
        """Grades a cell and returns the HTML that is shown."""
        (shown,) = self.run(f"%%grade {exercise} --lesson {MINI}\n{source}")
        return str(shown["data"]["text/html"])


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    """A notebook with the extension loaded, in a workspace whose double.py is right."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "exercises").mkdir()
    (folder / "exercises" / "total.py").write_text("raise RuntimeError('a cell takes the place of this file')\n")
    opened = Notebook(folder)
    with opened.client.setup_kernel():
        assert [] == opened.run("%load_ext grader.notebook")
        yield opened


@pytest.mark.filterwarnings("ignore")  # what the client's libraries warn of is not ours to mend
def test_cells(notebook: Notebook) -> None:
    """A cell is graded as the file of its exercise, with line numbers as the notebook counts them."""
    wrong = notebook.grade("double", "def double(x):\n    print('<b>bold</b>')\n    return 3 * x\n")
    assert ">failed, wrong value</b>" in wrong
    assert "<b>double</b> 1/3" in wrong
    assert '<code style="white-space: pre-wrap">result = [2. 4.]</code>' in wrong
    assert "&lt;b&gt;bold&lt;/b&gt;" in wrong
    assert "<b>bold</b>" not in wrong

    raised = notebook.grade("double", "def double(x):\n    return undefined\n")
    assert "raised NameError" in raised
    assert "(double.py:3)" in raised

    assert "<b>double</b> 3/3" in notebook.grade("double", "def double(x):\n    return 2 * x\n")


@pytest.mark.filterwarnings("ignore")
def test_cells_use_earlier_cells(notebook: Notebook) -> None:
    """A cell may import the exercises of earlier cells, which count for more than the files of the workspace."""
    assert "a cell takes the place of this file" in notebook.grade("centre", CENTRE)

    assert ">passed</b>" in notebook.grade("total", TOTAL)
    assert ">passed</b>" in notebook.grade("centre", CENTRE)


@pytest.mark.filterwarnings("ignore")
def test_cell_is_kept_apart(notebook: Notebook) -> None:
    """Nothing that a cell does reaches the notebook: it runs in the sandbox, not in the kernel."""
    notebook.run("import os; os.environ['KEPT'] = 'secret'")

    shown = notebook.grade(
        "double", "import os\n\ndef double(x):\n    print(os.environ.get('KEPT'))\n    os._exit(3)\n"
    )

    assert "ended the process, with exit code 3" in shown
    assert "secret" not in shown
    (said,) = notebook.run("'double' in globals()")
    assert "False" == said["data"]["text/plain"]


@pytest.mark.filterwarnings("ignore")
def test_wrong_use(notebook: Notebook) -> None:
    """A wrong name or none is said in one line, without a traceback."""
    (said,) = notebook.run("%%grade sofmax\nx = 1")
    assert "stderr" == said["name"]
    assert "grade: no exercise 'sofmax'. Did you mean softmax? The exercises are " in said["text"]

    (said,) = notebook.run("%%grade\nx = 1")
    assert "grade: '' names no exercise; it has to be %%grade EXERCISE [--lesson DIR]\n" == said["text"]

    (said,) = notebook.run("%%grade 'double\nx = 1")
    wanted = "it has to be %%grade EXERCISE [--lesson DIR]\n"
    assert f'grade: "\'double" cannot be read (No closing quotation); {wanted}' == said["text"]


def test_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no HTML the result reads as `grade` prints it; outside a workspace a cell stands alone."""
    monkeypatch.chdir(tmp_path)

    shown = Cells().grade(f"double --lesson {MINI}", "def double(x):\n    return 2 * x\n")

    assert shown is not None
    assert repr(shown).startswith("double  3/3  passed\n")
    assert shown.report.isolation in list(Isolation)
