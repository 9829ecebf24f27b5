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

CONFTEST = """
import sys

import pytest

sys.path.insert(0, {here})
import plain


def stem_of(request):
    return request.path.stem.removeprefix("suite_")


@pytest.fixture
def reference(request):
    return plain.REFERENCES[stem_of(request)]


@pytest.fixture
def learner(request):
    return plain.learner_of(stem_of(request), {folder})


@pytest.fixture
def rng(request):
    return plain.rng_of(request.node.name)
"""
# command, what it is measured beside, and how many times as long it may take
BARS = (
    ("grade --in DIR", "plain pytest", 1.25),
    ("grade --help", "import click, yaml", 1.5),
    ("grade list", "import click, yaml", 1.5),
)


def plain_conftest(folder: str) -> str:
    """The fixtures for the suites as plain pytest files; ``folder`` is Python for where the learner's files are."""
    return CONFTEST.format(here=repr(str(Path(__file__).resolve().parent)), folder=folder)


def timed(command: list[str], folder: Path) -> float:
    """Seconds of one run; a run that fails is no measurement."""
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    elapsed_s = time.perf_counter() - started
    if done.returncode:
        sys.exit(f"{' '.join(command)} exited with {done.returncode}:\n{done.stdout}{done.stderr}")
    return elapsed_s


def main(rounds: int) -> bool:
    """Measures and prints; says whether every bar was met."""
    lesson = shipped_lesson()
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        right, plain, workspace = base / "right", base / "plain", base / "workspace"
        for folder in (right, plain, workspace / "exercises"):
            folder.mkdir(parents=True)
        for exercise in lesson.exercises:
            (right / exercise.filename).write_bytes(exercise.reference.read_bytes())
            (plain / exercise.suite.name).write_bytes(exercise.suite.read_bytes())
        (plain / "conftest.py").write_text(plain_conftest(repr(str(right))))
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
    met = []
    for label, beside, bar in BARS:
        ratio = medians[label] / medians[beside]
        met.append(ratio <= bar)
        print(f"{label} / {beside}: {ratio:.2f} (at most {bar})")
    return all(met)


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else 15))
