"""How soon `grade watch` shows a verdict after a save, what it costs when idle, and whether long use leaves a trace.

    python benchmarks/watch.py [SAVES [ROUNDS]]

The program runs in a pseudo terminal, isolated as it is for everybody. First it is left alone, then softmax is saved
SAVES times (200), each time another version, with the verdict awaited; then ROUNDS times (1,000) after random pauses,
often before the verdict on the version before has come. Versions pass, fail, raise or are no Python, and each prints
its number, so that no verdict can be taken for another's. A time runs from the end of the write to the moment when the
terminal has been given the verdict.
"""

from __future__ import annotations

import fcntl
import os
import random
import re
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from grader.lesson import shipped_lesson

IDLE_S = 10.0
SETTLE_S = 1.0
PATIENCE_S = 30.0
PIECE_BYTES = 1 << 16
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x1b\x07]*(?:\x1b\\|\x07)")
FRAME = re.compile(r"\x1b\[H(.*?)\x1b\[J", re.DOTALL)
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") >> 10

RIGHT = shipped_lesson()["softmax"].reference.read_text(encoding="utf-8")
# What is saved, and the words that its verdict is known by.
VERSIONS = {
    "passes": (RIGHT + "\nprint('version {n}')\n", r"softmax  13/13  passed\s+printed:\s+version {n}\n"),
    "fails": (
        RIGHT.replace("keepdims=True", "keepdims=False") + "\nprint('version {n}')\n",
        r"softmax +\d+/13  failed, (?s:.*)printed:\s+version {n}\n",
    ),
    "raises": (
        "def softmax(x, axis=-1):\n    raise ValueError('version {n}')\n",
        r"raised ValueError: version {n} ",
    ),
    "is no Python": ("{lines}def softmax(x, axis=-1)\n", r"failed, syntax error +exercises/softmax\.py:{line}\n"),
}


class Program:
    """`grade watch` in a pseudo terminal."""

    def __init__(self, root: Path) -> None:
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.said = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grader", "watch"],
            cwd=root,
            env=os.environ | {"TERM": "xterm-256color"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - there is one thread here
        )
        os.close(slave)

    def wait_for(self, pattern: str) -> float:
        """Waits until the screen matches; returns when the last byte of that frame had come."""
        wanted = re.compile(pattern)
        end = time.perf_counter() + PATIENCE_S
        while time.perf_counter() < end:
            if select.select([self.master], [], [], 0.1)[0]:
                self.said += os.read(self.master, PIECE_BYTES).decode("utf-8", "replace")
                now = time.perf_counter()
                frames = FRAME.findall(self.said)
                self.said = self.said[self.said.rfind("\x1b[H") :]
                if frames and wanted.search(ESCAPES.sub("", frames[-1]).replace("\r", "")):
                    return now
        sys.exit(f"{pattern!r} was not seen in {PATIENCE_S:g} s; the screen says\n{ESCAPES.sub('', self.said)}")

    def tree(self) -> list[int]:
        """The program and all that it has started."""
        found = [self.process.pid]
        for pid in found:
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
        return found

    def cpu_s(self) -> float:
        """CPU time of all of them so far."""
        tasks = [task for pid in self.tree() for task in Path(f"/proc/{pid}/task").iterdir()]
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def memory_mib(self) -> tuple[float, float]:
        """Resident memory of all of them together: as a sum, and with what they share counted once."""
        pids = self.tree()
        resident = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids) * PAGE_KIB
        rollups = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids]
        shared_once = sum(int(re.search(r"^Pss: +(\d+)", text, re.MULTILINE)[1]) for text in rollups)
        return resident / 1024, shared_once / 1024

    def descriptors(self) -> int:
        """How many files the program and the worker have open."""
        return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in self.tree())

    def state(self) -> str:
        """Processes, descriptors and memory, in words, when nothing is being graded."""
        time.sleep(SETTLE_S)  # the exercises that use the one that was saved are graded after it
        resident, shared_once = self.memory_mib()
        return (
            f"{len(self.tree())} processes, {self.descriptors()} descriptors, "
            f"{resident:.1f} MiB resident ({shared_once:.1f} MiB with what is shared counted once)"
        )


def filled(text: str, number: int) -> str:
    """A version's text, or the pattern of its verdict, with its number; a line's number where it cannot be printed."""
    line = number % 1000 + 1
    return text.replace("{n}", str(number)).replace("{lines}", "#\n" * (line - 1)).replace("{line}", str(line))


def save(path: Path, number: int, kind: str, *, rename: bool) -> float:
    """Saves a version, in place or by rename; returns when the write had ended."""
    text = filled(VERSIONS[kind][0], number)
    if rename:
        new = path.with_name("." + path.name + ".new")
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    else:
        path.write_text(text, encoding="utf-8")
    return time.perf_counter()


def main(saves: int, rounds: int) -> None:
    """Measures and prints."""
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        subprocess.run([sys.executable, "-m", "grader", "init", root], check=True, capture_output=True)
        path = root / "exercises" / "softmax.py"
        program = Program(root)
        program.wait_for(r"softmax +0/13  not started")
        time.sleep(1)

        before, begun = program.cpu_s(), time.perf_counter()
        time.sleep(IDLE_S)
        cpu = (program.cpu_s() - before) / (time.perf_counter() - begun)
        print(f"idle for {IDLE_S:g} s: {cpu:.2%} of one CPU; {program.state()}", flush=True)

        times_ms = []
        for number in range(saves):
            kind = ("passes", "fails", "raises")[number % 3]
            ended = save(path, number, kind, rename=number % 2 == 0)
            shown = program.wait_for(filled(VERSIONS[kind][1], number))
            times_ms.append((shown - ended) * 1000)
            time.sleep(rng.uniform(0.05, 0.25))
        cuts = statistics.quantiles(times_ms, n=100)
        print(
            f"from the end of the write to the verdict, {saves} saves: median {statistics.median(times_ms):.0f} ms, "
            f"99th percentile {cuts[98]:.0f} ms, least {min(times_ms):.0f} ms, most {max(times_ms):.0f} ms",
            flush=True,
        )
        print(f"after them: {program.state()}", flush=True)

        finals = 0
        number = saves
        while number < saves + rounds:
            burst = rng.choice((1, 1, 2, 3, 5))  # saved one after the other; the last decides
            for _ in range(burst):
                kind = rng.choice(list(VERSIONS))
                save(path, number, kind, rename=rng.random() < 0.5)
                last = number, kind
                number += 1
                time.sleep(rng.choice((0.0, 0.0, 0.005, 0.02, 0.06)))
            program.wait_for(filled(VERSIONS[last[1]][1], last[0]))
            finals += burst
            if rng.random() < 0.3:
                time.sleep(rng.uniform(0, 0.2))
        print(f"{finals} saves at random: every final verdict right; {program.state()}", flush=True)

        started = program.tree()
        os.write(program.master, b"q")
        program.process.wait(PATIENCE_S)
        left = [pid for pid in started if Path(f"/proc/{pid}").exists()]
        print(f"after q: exit code {program.process.returncode}, {len(left)} processes left")


if __name__ == "__main__":
    main(*(int(argument) for argument in (sys.argv[1:] + ["200", "1000"][len(sys.argv) - 1 :])))
