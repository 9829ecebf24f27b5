"""How long a cold `grade` takes beside plain pytest, and `grade --help` and `grade list` beside their imports.

    python benchmarks/cold.py [ROUNDS]

Every round runs each command once, in turn, so that a machine whose speed drifts slows all of them alike; the ratios
are of medians. Plain pytest makes the same number of checks, with the same inputs and the same reference, on the same
files, in one process and without any isolation: the learner's functions are called where they are.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grader.lesson import shipped_lesson

PLAIN_CONFTEST = """
import sys
import zlib
from types import SimpleNamespace

import numpy as np
import pytest

from grader.expect.learner import Answer, Learner
from grader.judge.references import load_references
from grader.lesson import shipped_lesson

sys.path.insert(0, {folder!r})
LESSON = shipped_lesson()
REFERENCES = load_references(LESSON)


def stem_of(request):
    return request.path.stem.removeprefix("suite_")


@pytest.fixture
def reference(request):
    return REFERENCES[stem_of(request)]


@pytest.fixture
def learner(request, reference):
    module = __import__(stem_of(request))

    def send(calls, refill):
        answers = []
        held = None
        for call in calls:
            given = [v.copy() if isinstance(v, np.ndarray) else v for v in call.given]
            if refill and held is not None:
                for old, new in zip(held, given):
                    if isinstance(old, np.ndarray):
                        old[...] = new
                given = held
            held = given
            count = len(call.args)
            named = dict(zip(call.named, given[count:]))
            try:
                answers.append(Answer("value", (getattr(module, call.function)(*given[:count], **named),)))
            except Exception as error:
                family = [kind.__name__ for kind in type(error).__mro__]
                answers.append(Answer("raised", (type(error).__name__, str(error), [], False, "", family)))
        return answers

    return Learner(vars(reference), send, lambda call, answer: AssertionError(str(answer)))


@pytest.fixture
def rng(request):
    return np.random.default_rng([0, zlib.crc32(request.node.name.encode())])
"""


def timed(command: list[str], folder: Path) -> float:
    """Seconds of one run; a run that fails is no measurement."""
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    elapsed_s = time.perf_counter() - started
    if done.returncode:
        sys.exit(f"{' '.join(command)} exited with {done.returncode}:\n{done.stdout}{done.stderr}")
    return elapsed_s


def main(rounds: int) -> None:
    """Measures and prints."""
    lesson = shipped_lesson()
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        right, plain, workspace = base / "right", base / "plain", base / "workspace"
        for folder in (right, plain, workspace / "exercises"):
            folder.mkdir(parents=True)
        for exercise in lesson.exercises:
            (right / exercise.filename).write_bytes(exercise.reference.read_bytes())
            (plain / exercise.suite.name).write_bytes(exercise.suite.read_bytes())
        (plain / "conftest.py").write_text(PLAIN_CONFTEST.format(folder=str(right)))
        (plain / "pytest.ini").write_text("[pytest]\npython_files = suite_*.py\n")
        grade = os.path.join(os.path.dirname(sys.executable), "grade")
        commands = {
            "grade --in DIR": [grade, "--in", str(right)],
            "plain pytest": [sys.executable, "-m", "pytest", "-q", str(plain)],
            "grade --help": [grade, "--help"],
            "grade list": [grade, "list"],
            "import click, yaml": [sys.executable, "-c", "import click, yaml"],
        }
        seconds: dict[str, list[float]] = {label: [] for label in commands}
        for number in range(rounds + 1):
            for label, command in commands.items():
                elapsed_s = timed(command, workspace)
                if number:  # the first round warms the file cache
                    seconds[label].append(elapsed_s)
    checks = sum(exercise.checks for exercise in lesson.exercises)
    print(f"{checks} checks in {len(lesson.exercises)} exercises, {rounds} rounds, {os.cpu_count()} cores")
    medians = {label: statistics.median(values) for label, values in seconds.items()}
    for label, median_s in medians.items():
        low, high = min(seconds[label]), max(seconds[label])
        print(f"{label:<20} median {median_s * 1000:6.0f} ms   from {low * 1000:.0f} to {high * 1000:.0f}")
    for label, beside, bar in (
        ("grade --in DIR", "plain pytest", 1.25),
        ("grade --help", "import click, yaml", 1.5),
        ("grade list", "import click, yaml", 1.5),
    ):
        ratio = medians[label] / medians[beside]
        print(f"{label} / {beside}: {ratio:.2f} (at most {bar})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
