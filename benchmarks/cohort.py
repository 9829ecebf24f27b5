"""How many submissions a second `grade batch` does beside other graders.

    python benchmarks/cohort.py [SUBMISSIONS] [ROUNDS] [--others ENVIRONMENT] [--nbgrader ENVIRONMENT]

Plain pytest runs in a subprocess a submission; check50 and otter-grader from a virtual environment that has them
(benchmarks/others.py says how to make it), as many at once as there are cores. nbgrader does all of its submissions in
one run, one after the other: its database has one writer.

Every tool makes the same checks, with the same inputs and the same reference, on the same cohort, on all cores of this
machine, in turn in every round, so that a machine whose speed drifts slows all of them alike. Half of the cohort is
wrong; every file differs from every other. The slow tools get the first part of the cohort, as large as they can do in
about the same time. `grade batch` keeps submissions apart, names mistakes, and writes reports and pages; start-up is
in its time. The others run the learner's code beside the answers.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from cold import plain_conftest
from others import Nbgrader, Others

from grader.lesson import shipped_lesson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REPO = Path(__file__).resolve().parent.parent
CONTENT = REPO / "tests" / "content"
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
PART = 20  # a slow tool gets one submission where `grade batch` gets this many


def make_cohort(folder: Path, count: int, seed: int = 5) -> list[Path]:
    """Writes submissions of which every second is wrong in one exercise; the rest are right in different ways."""
    lesson = shipped_lesson()
    draw = random.Random(seed)
    right = {stem: sorted(CONTENT.glob(f"wheats/{stem}/*.py")) for stem in lesson.stems}
    wrong = sorted(CONTENT.glob("chaffs/*/*.py"))
    made = []
    for number in range(count):
        inside = folder / f"s{number:05}"
        inside.mkdir(parents=True)
        mark = f"\n# submission {number}\n".encode()
        for exercise in lesson.exercises:
            source = exercise.reference if draw.random() < 0.6 else draw.choice(right[exercise.id])
            (inside / exercise.filename).write_bytes(source.read_bytes() + mark)
        if number % 2:
            source = draw.choice(wrong)
            (inside / f"{source.parent.name}.py").write_bytes(source.read_bytes() + mark)
        made.append(inside)
    return made


def batch(folder: Path, out: Path) -> None:
    """Grades a cohort with this grader, from nothing."""
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "grader", "batch", str(folder), "-o", str(out), "--seed", "0"]
    subprocess.run(command, check=True, capture_output=True, cwd=REPO)


def plain_pytest(submissions: Sequence[Path], suites: Path) -> None:
    """Plain pytest in a subprocess a submission."""

    def one(submission: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(suites)],
            env=os.environ | {"SUBMISSION": str(submission)},
            capture_output=True,
            check=False,
        )
        if done.returncode not in (0, 1):
            sys.exit(done.stdout.decode() + done.stderr.decode())

    at_once(one, submissions)


def at_once(one: Callable[[Path], None], submissions: Sequence[Path]) -> None:
    """Grades submissions one by one, as many at once as there are cores."""
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(one, submissions))


def plain_suites(folder: Path) -> Path:
    """The suites as plain pytest files, whose learner is the module that SUBMISSION names."""
    folder.mkdir()
    for exercise in shipped_lesson().exercises:
        (folder / exercise.suite.name).write_bytes(exercise.suite.read_bytes())
    (folder / "conftest.py").write_text(plain_conftest('__import__("os").environ["SUBMISSION"]'))
    (folder / "pytest.ini").write_text("[pytest]\npython_files = suite_*.py\n")
    return folder


def measured(work: Callable[[], None], count: int) -> float:
    """Submissions a second."""
    started = time.perf_counter()
    work()
    return count / (time.perf_counter() - started)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("submissions", type=int, nargs="?", default=400)
    parser.add_argument("rounds", type=int, nargs="?", default=3)
    parser.add_argument("--others", type=Path, help="an environment with check50 and otter-grader")
    parser.add_argument("--nbgrader", type=Path, help="an environment with nbgrader")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        cohort = make_cohort(base / "cohort", options.submissions)
        few = cohort[: max(2 * CORES, options.submissions // PART)]
        suites = plain_suites(base / "suites")
        tools: dict[str, tuple[Callable[[], None], int]] = {
            "grade batch": (lambda: batch(base / "cohort", base / "out"), len(cohort)),
            "plain pytest": (lambda: plain_pytest(few, suites), len(few)),
        }
        if options.others:
            others = Others(options.others, base / "others")
            fewest = cohort[: max(CORES, options.submissions // 100)]
            tools["check50"] = (lambda: at_once(others.check50, fewest), len(fewest))
            tools["otter-grader"] = (lambda: at_once(others.otter, fewest), len(fewest))
        if options.nbgrader:
            handed_in = cohort[: max(CORES, options.submissions // 100)]
            nbgrader = Nbgrader(options.nbgrader, base / "nbgrader", handed_in)
            nbgrader.hand_in()
            tools["nbgrader"] = (nbgrader.grade, len(handed_in))
        rates: dict[str, list[float]] = {label: [] for label in tools}
        for _ in range(options.rounds):
            for label, (work, count) in tools.items():
                rates[label].append(measured(work, count))
        if options.nbgrader:
            nbgrader.check()
    lesson = shipped_lesson()
    checks = sum(exercise.checks for exercise in lesson.exercises)
    print(f"{checks} checks a submission, {CORES} cores, {options.rounds} rounds, half of the cohort wrong")
    for label, (_, count) in tools.items():
        found = rates[label]
        print(
            f"{label:<14} {count:5} submissions   median {statistics.median(found):7.2f}/s   "
            f"from {min(found):.2f} to {max(found):.2f}"
        )
    for label in [*tools][1:]:
        ratios = [ours / theirs for ours, theirs in zip(rates["grade batch"], rates[label], strict=True)]
        print(f"grade batch / {label}, round by round: {', '.join(f'{ratio:.1f}' for ratio in ratios)}")


if __name__ == "__main__":
    main()
