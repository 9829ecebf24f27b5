"""The suites in the forms of check50, otter-grader and nbgrader, to time these tools on the same cohort.

All call the learner's functions where they are, with the same inputs and the same reference. They are run from
virtual environments of their own, since they bring a notebook server and a web client, and do not agree on versions:

    python -m venv others && others/bin/python -m pip install check50 otter-grader ipykernel numpy pytest click pyyaml
    python -m venv nbgrader && nbgrader/bin/python -m pip install nbgrader ipykernel numpy pytest click pyyaml
"""

from __future__ import annotations

import ast
import csv
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.lesson import shipped_lesson

if TYPE_CHECKING:
    from collections.abc import Sequence

REPO = Path(__file__).resolve().parent.parent
LESSON = shipped_lesson()

PLAIN = Path(__file__).resolve().parent / "plain.py"
NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": "x = 1"},
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def all_tests() -> list[tuple[str, str]]:
    """Exercise and name of each check."""
    return [
        (exercise.id, node.name)
        for exercise in LESSON.exercises
        for node in ast.parse(exercise.suite.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def run_in(environment: Path, base: Path, command: Sequence[str | Path], folder: Path, **more: str) -> None:
    """Runs a command of a virtual environment, with the plain suites to import."""
    variables = os.environ | {"PYTHONPATH": f"{base}:{REPO}", "PATH": f"{environment}:{os.environ['PATH']}"} | more
    done = subprocess.run([*map(str, command)], cwd=folder, env=variables, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stdout.decode() + done.stderr.decode())


class Others:
    """check50 and otter-grader, as they are installed in a virtual environment.

    Args:
        environment: its folder.
        base: where their forms of the suites go.
    """

    def __init__(self, environment: Path, base: Path) -> None:
        self.bin = environment.resolve() / "bin"
        self.base = base
        base.mkdir()
        shutil.copy(PLAIN, base)
        self._write_check50()
        self._write_otter()

    def _write_check50(self) -> None:
        lines = ["import os", "import check50", "import plain"]
        for stem, name in all_tests():
            lines += [
                "@check50.check()",
                f"def {stem}_{name}():",
                f'    """{stem} {name}"""',
                "    try:",
                f'        plain.run("{stem}", "{name}", os.getcwd())',
                "    except Exception as error:",
                "        raise check50.Failure(str(error)[:200])",
            ]
        problem = self.base / "problem"
        problem.mkdir()
        (problem / "__init__.py").write_text("\n".join(lines) + "\n")
        (problem / ".cs50.yaml").write_text('check50:\n  files:\n    - !include "*.py"\n')

    def _write_otter(self) -> None:
        tests = self.base / "otter"
        tests.mkdir()
        for exercise in LESSON.exercises:
            head = ["import os, plain", "from otter.test_files import test_case", "OK_FORMAT = False"]
            lines = [*head, f'name = "{exercise.id}"', "points = None"]
            for stem, name in all_tests():
                if stem == exercise.id:
                    call = f'    plain.run("{stem}", "{name}", os.environ["SUBMISSION"])'
                    lines += ["@test_case(points=1)", f"def {name}():", call]
            (tests / f"{exercise.id}.py").write_text("\n".join(lines) + "\n")
        (self.base / "notebook.ipynb").write_text(json.dumps(NOTEBOOK))
        command = [self.bin / "otter", "generate", "-t", tests, "-o", self.base / "autograder.zip", "--no-environment"]
        self._run(command, self.base, None)

    def _run(self, command: list[str | Path], folder: Path, submission: Path | None) -> None:
        more = {"SUBMISSION": str(submission)} if submission is not None else {}
        run_in(self.bin, self.base, command, folder, **more)

    def check50(self, submission: Path) -> None:
        """Grades one submission with check50."""
        output = self.base / f"check50-{submission.name}.json"
        command = [self.bin / "check50", "--dev", "-o", "json", "--output-file", output, self.base / "problem"]
        self._run([*command], submission, None)
        assert len(json.loads(output.read_text())["results"]) == len(all_tests())

    def otter(self, submission: Path) -> None:
        """Grades one submission with otter-grader."""
        out = self.base / f"otter-{submission.name}"
        out.mkdir(exist_ok=True)
        zipped = self.base / "autograder.zip"
        command = [self.bin / "otter", "run", self.base / "notebook.ipynb", "-a", zipped, "-o", out]
        self._run([*command], self.base, submission)
        tests = json.loads((out / "results.json").read_text())["tests"]
        assert sum(test.get("max_score") or 0 for test in tests) == len(all_tests())


class Nbgrader:
    """nbgrader, as it is installed in a virtual environment: a notebook with a test cell for each check.

    A submission is the notebook with the name of its folder in the cell that is the student's. nbgrader grades all that
    were handed in with one command.

    Args:
        environment: its folder.
        base: the course.
        submissions: folders with the files of the exercises.
    """

    def __init__(self, environment: Path, base: Path, submissions: Sequence[Path]) -> None:
        self.bin = environment.resolve() / "bin"
        self.base = base
        self.submissions = submissions
        base.mkdir()
        shutil.copy(PLAIN, base)
        self._write(base / "source", "SUBMISSION = ''")
        self._run("generate_assignment", "lesson")

    def _write(self, folder: Path, answer: str) -> None:
        cells = [self._cell("answer", answer, solution=True)]
        for stem, name in all_tests():
            call = f'import plain\nplain.run("{stem}", "{name}", SUBMISSION)'
            cells.append(self._cell(f"{stem}_{name}", call, solution=False))
        at = folder / "lesson" / "lesson.ipynb"
        at.parent.mkdir(parents=True)
        at.write_text(json.dumps(NOTEBOOK | {"cells": cells}))

    @staticmethod
    def _cell(name: str, source: str, *, solution: bool) -> dict[str, Any]:
        marks = {"grade_id": name, "solution": solution, "grade": not solution, "locked": not solution, "task": False}
        marks |= {"schema_version": 3, "cell_type": "code"} | ({} if solution else {"points": 1})
        cell = {"cell_type": "code", "execution_count": None, "id": name[:60], "outputs": [], "source": source}
        return cell | {"metadata": {"nbgrader": marks}}

    def _run(self, *arguments: str) -> None:
        run_in(self.bin, self.base, [self.bin / "nbgrader", *arguments], self.base)

    def hand_in(self) -> None:
        """Puts the submissions where nbgrader looks for them."""
        for submission in self.submissions:
            self._write(self.base / "submitted" / submission.name, f"SUBMISSION = {str(submission)!r}")

    def grade(self) -> None:
        """Grades all submissions anew."""
        self._run("autograde", "lesson", "--force")

    def check(self) -> None:
        """Makes sure that every check of every submission was graded."""
        self._run("export")
        with (self.base / "grades.csv").open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["student_id"] in {one.name for one in self.submissions}]
        assert len(rows) == len(self.submissions)
        assert all(float(row["max_score"]) == len(all_tests()) and float(row["raw_score"]) > 0 for row in rows)
