"""Prints what the quiz engine costs: loading 2,000 questions, and the time to the first prompt.

Run it by hand: ``python benchmarks/quiz.py``. Times depend on the machine, so no test asks for them; the
ratio of the last two lines is what the design promises to keep under 1.5.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from quizzes import tree
from quizzes.loader import load_bytes

QUESTION = """\
  - id: question-{n}
    type: single
    objective: aim
    tags: [one, two]
    difficulty: 2
    prompt: What is the number of question {n}, counted from the first?
    options:
      - text: It is {n}, as its id says
        correct: true
        why: The id holds the number {n}.
      - text: It is {n} and one more
        why: That is the next question's, not that of {n}.
      - text: It is {n} and one less
        why: That is the one before {n}.
      - text: It has none, being {n} of many
        why: Each has one, {n} too.
    hints: [Look at the id of {n}.]
    explanation: Ids are numbered from the first.
"""
HEAD = "schema: quizbank/1\nbank: big\ntitle: Big\nobjectives: {aim: Count}\nquestions:\n"
ROUNDS = 11


def bank(count: int) -> bytes:
    """Return a bank of so many questions."""
    return (HEAD + "".join(QUESTION.format(n=n) for n in range(count))).encode()


def seconds(action: object, rounds: int = ROUNDS) -> float:
    """Return the median time of an action."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()  # type: ignore[operator]
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def process(*command: str, given: str = "") -> float:
    """Return the median time of a process."""

    def run() -> None:
        subprocess.run([sys.executable, *command], input=given.encode(), capture_output=True, check=False)

    return seconds(run)


def main() -> None:
    """Measure and print."""
    data = bank(2000)
    fast = "C" if tree.FAST_LOADER is not tree.PURE_LOADER else "pure"
    big = seconds(lambda: load_bytes(data), 5)
    print(f"load 2,000 questions ({len(data):,} bytes), {fast} loader: {big:.3f} s")
    print(f"load 20 questions: {1000 * seconds(lambda: load_bytes(bank(20))):.1f} ms")
    with tempfile.TemporaryDirectory() as state:
        base = process("-c", "import click, yaml")
        ours = process("-m", "quizzes", "take", "--new", "--state", str(Path(state)))
    print(f"python -c 'import click, yaml': {1000 * base:.0f} ms")
    print(f"quiz, to the first prompt and its end: {1000 * ours:.0f} ms, {ours / base:.2f} times")


if __name__ == "__main__":
    main()
