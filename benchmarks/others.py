"""The suites in the forms of check50 and otter-grader, to time these tools on the same cohort.

Both call the learner's functions where they are, with the same inputs and the same reference. They are run from a
virtual environment of their own, since they bring a notebook server and a web client:

    python -m venv others && others/bin/python -m pip install check50 otter-grader ipykernel numpy pytest click pyyaml
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
from pathlib import Path

from grader.lesson import shipped_lesson

REPO = Path(__file__).resolve().parent.parent
LESSON = shipped_lesson()

PLAIN = """
import importlib.util
import sys
import zlib

import numpy as np

from grader.expect.learner import Answer, Learner
from grader.judge.references import load_references
from grader.lesson import shipped_lesson

LESSON = shipped_lesson()
REFERENCES = load_references(LESSON)


def learner_of(stem, folder):
    sys.path.insert(0, str(folder))
    module = __import__(stem)

    def send(calls, refill):
        answers, held = [], None
        for call in calls:
            given = [v.copy() if isinstance(v, np.ndarray) else v for v in call.given]
            if refill and held is not None:
                for old, new in zip(held, given):
                    if isinstance(old, np.ndarray):
                        old[...] = new
                given = held
            held, count = given, len(call.args)
            try:
                value = getattr(module, call.function)(*given[:count], **dict(zip(call.named, given[count:])))
                answers.append(Answer("value", (value,)))
            except Exception as error:
                family = [kind.__name__ for kind in type(error).__mro__]
                answers.append(Answer("raised", (type(error).__name__, str(error), [], False, "", family)))
        return answers

    return Learner(vars(REFERENCES[stem]), send, lambda call, answer: AssertionError(str(answer)))


def run(stem, name, folder):
    spec = importlib.util.spec_from_file_location(f"suite_{stem}", LESSON[stem].suite)
    suite = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(suite)
    rng = np.random.default_rng([0, zlib.crc32(name.encode())])
    getattr(suite, name)(learner_of(stem, folder), REFERENCES[stem], rng)
"""
NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": "x = 1"},
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


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
        (base / "plain.py").write_text(PLAIN)
        self._write_check50()
        self._write_otter()

    def _tests(self) -> list[tuple[str, str]]:
        """Exercise and name of each check."""
        return [
            (exercise.id, node.name)
            for exercise in LESSON.exercises
            for node in ast.parse(exercise.suite.read_text()).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        ]

    def _write_check50(self) -> None:
        lines = ["import os", "import check50", "import plain"]
        for stem, name in self._tests():
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
            for stem, name in self._tests():
                if stem == exercise.id:
                    call = f'    plain.run("{stem}", "{name}", os.environ["SUBMISSION"])'
                    lines += ["@test_case(points=1)", f"def {name}():", call]
            (tests / f"{exercise.id}.py").write_text("\n".join(lines) + "\n")
        (self.base / "notebook.ipynb").write_text(json.dumps(NOTEBOOK))
        command = [self.bin / "otter", "generate", "-t", tests, "-o", self.base / "autograder.zip", "--no-environment"]
        self._run(command, self.base, None)

    def _run(self, command: list[str | Path], folder: Path, submission: Path | None) -> None:
        environment = os.environ | {"PYTHONPATH": f"{self.base}:{REPO}", "PATH": f"{self.bin}:{os.environ['PATH']}"}
        if submission is not None:
            environment["SUBMISSION"] = str(submission)
        done = subprocess.run(list(map(str, command)), cwd=folder, env=environment, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stdout.decode() + done.stderr.decode())

    def check50(self, submission: Path) -> None:
        """Grades one submission with check50."""
        output = self.base / f"check50-{submission.name}.json"
        command = [self.bin / "check50", "--dev", "-o", "json", "--output-file", output, self.base / "problem"]
        self._run([*command], submission, None)
        assert len(json.loads(output.read_text())["results"]) == len(self._tests())

    def otter(self, submission: Path) -> None:
        """Grades one submission with otter-grader."""
        out = self.base / f"otter-{submission.name}"
        out.mkdir(exist_ok=True)
        zipped = self.base / "autograder.zip"
        command = [self.bin / "otter", "run", self.base / "notebook.ipynb", "-a", zipped, "-o", out]
        self._run([*command], self.base, submission)
        tests = json.loads((out / "results.json").read_text())["tests"]
        assert sum(test.get("max_score") or 0 for test in tests) == len(self._tests())
