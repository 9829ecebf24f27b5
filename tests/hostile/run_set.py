"""Grades the hostile submissions with the real grader, in one isolation, and prints what came of each as JSON.

    python tests/hostile/run_set.py bubblewrap [NAME ...]

The first line says which isolation is in force, then one line a submission follows, then one line for the end. Each
submission stands in for softmax.py beside a right projections.py, which is graded next on the same worker: what one
exercise does must not change the verdict on another.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import SandboxError
from grader.judge.session import judging
from grader.lesson import shipped_lesson
from grader.limits import Limits
from grader.model import Cause, Isolation
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import Zygote, connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.judge.session import Judge

SUBMISSIONS = Path(__file__).resolve().parent / "submissions"
WORLD_WRITABLE = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue")
# Short, since a limit that is reached costs its whole length; the files that hang need no more to hang.
LIMITS = Limits(call_s=0.5, exercise_s=0.8)
HANGING = Limits(call_s=0.2, exercise_s=0.3)


def header(source: bytes) -> dict[str, str]:
    """The ``key: value`` lines of the first docstring, read as text."""
    return dict(re.findall(r"^(\w+): (.*)$", source.decode("latin-1").split('"""')[1], re.MULTILINE))


@contextlib.contextmanager
def victim(name: str, mark: str, trace: Path) -> Iterator[tuple[dict[str, str], list[str]]]:
    """What some submissions attack; yields further placeholders and a list that takes the harm done."""
    harm: list[str] = []
    if name == "signal-stranger":
        stranger = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)", f"{mark}-victim"])
        told = trace / "victim.pid"
        told.write_text(str(stranger.pid))
        before = _standing(stranger.pid)
        yield {}, harm
        if stranger.poll() is not None:
            harm.append("the stranger was killed")
        elif _standing(stranger.pid) != before:
            harm.append("the stranger's priority, processors or limits were changed")
        stranger.kill()
        stranger.wait()
        told.unlink()
    elif name == "network-victim-server":
        with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            port = tcp.getsockname()[1]
            udp.bind(("127.0.0.1", port))
            yield {"@@PORT@@": str(port)}, harm
            _listen(tcp, udp, harm)
    elif name == "network-abstract-socket" and sys.platform == "linux":
        with socket.socket(socket.AF_UNIX) as abstract:
            abstract.bind(f"\0{mark}-victim")
            abstract.listen()
            yield {}, harm
            _listen(abstract, None, harm)
    else:
        yield {}, harm


def _standing(pid: int) -> list[Any]:
    limits = [resource.prlimit(pid, kind) for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS)]
    return [os.getpriority(os.PRIO_PROCESS, pid), sorted(os.sched_getaffinity(pid)), limits]


def _listen(stream: socket.socket, datagrams: socket.socket | None, harm: list[str]) -> None:
    for sock, hear in ((stream, "accept"), (datagrams, "recv")):
        if sock is not None:
            sock.settimeout(0)
            with contextlib.suppress(BlockingIOError):
                getattr(sock, hear)(*([1] if hear == "recv" else []))
                harm.append(f"a socket outside was reached ({hear})")


def processes_with(mark: str) -> list[str]:
    """The processes that carry a mark in their command line, environment or name."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for what in ("cmdline", "environ", "comm"):
            try:
                with open(f"/proc/{pid}/{what}", "rb") as file:
                    if mark.encode() in file.read():
                        found.append(f"{pid} ({what})")
            except OSError:
                continue  # it ended meanwhile, or belongs to somebody else
    return found


def files_with(mark: str) -> list[str]:
    """The files of a mark's name where everybody may write."""
    found = []
    for folder in WORLD_WRITABLE:
        with contextlib.suppress(OSError):  # not every system has all of these
            found += [f"{folder}/{name}" for name in os.listdir(folder) if mark in name]
    return found


def texts(value: Any) -> Iterator[str]:
    """Every text in a report."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


def steers(text: str) -> bool:
    """Whether a text has control characters other than newline and tab."""
    return any((ord(char) < 32 and char not in "\n\t") or 127 <= ord(char) < 160 for char in text)


class Run:
    """One isolation: a judge, a worker that is replaced when it breaks, and a line for each submission."""

    def __init__(self, isolation: Isolation, names: list[str]) -> None:
        self.isolation = isolation
        self.names = names
        self.lesson = shipped_lesson()
        self.softmax, self.projections = self.lesson.choose(("softmax", "projections"))
        self.right = {path.name: path.read_bytes() for path in (self.softmax.reference, self.projections.reference)}
        self.zygote: Zygote | None = None
        self.replaced = 0

    def worker(self) -> Zygote:
        """The worker, a new one when there is none."""
        if self.zygote is None:
            self.zygote = connect(Starting(self.isolation))
        return self.zygote

    def grade(self, judge: Judge, exercise: Any, submission: Submission) -> tuple[Any, str]:
        """A result, or None and why there is none."""
        try:
            return judge.grade(exercise, submission, self.worker(), 7), ""
        except SandboxError as error:
            if self.zygote is not None:
                self.zygote.kill()
                self.zygote = None
            self.replaced += 1
            return None, str(error)

    def one(self, judge: Judge, number: int, path: Path) -> dict[str, Any]:
        """Grades one hostile submission and looks at what it left."""
        source = path.read_bytes()
        head = header(source)
        mark = f"g{os.getpid() % 10**7}x{number}"
        exercise = dataclasses.replace(self.softmax, limits=HANGING if "hangs" in head else LIMITS)
        with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
            trace = Path(folder)
            with victim(path.stem, mark, trace) as (more, harm):
                words = {"@@TRACE@@": folder, "@@MARK@@": mark} | more
                for word, stands_for in words.items():
                    source = source.replace(word.encode(), stands_for.encode())
                files = self.right | {"softmax.py": source}
                submission = Submission("exercises/", files)
                started = time.monotonic()
                result, broke = self.grade(judge, exercise, submission)
                elapsed = time.monotonic() - started
                neighbour, broke_later = self.grade(judge, self.projections, submission)
                left = [pid for pid in processes_with(mark) if not (more or "victim" in head) or "cmdline" not in pid]
            trace_files = [str(inner.relative_to(trace)) for inner in trace.rglob("*")]
        said = list(texts(dataclasses.asdict(result))) if result else []
        return {
            "name": path.stem,
            "honest": head["earns"] == "its own right answers",
            "points": result.points if result else 0.0,
            "max_points": result.max_points if result else 0.0,
            "outcome": result.outcome if result else "",
            "cause": result.cause if result else "",
            "message": result.first_problem.message if result and result.first_problem else "",
            "elapsed_s": round(elapsed, 3),
            "neighbour_points": neighbour.points if neighbour else 0.0,
            "worker_broke": broke or broke_later,
            "grader_faults": [c.message for c in result.checks if c.cause is Cause.GRADER_ERROR] if result else [],
            "harm": harm,
            "processes": left,
            "files": trace_files + files_with(mark),
            "reached": [line[:200] for text in said for line in text.splitlines() if " reached: " in line],
            "steering": [text[:100] for text in said if steers(text)],
            "longest_text": max(map(len, said), default=0),
        }

    def all(self, judge: Judge) -> None:
        """Every submission asked for, then a right one."""
        worker = self.worker()
        _say({"isolation": worker.isolation, "landlock": worker.landlock, "seccomp": worker.seccomp})
        descriptors = 0
        for number, path in enumerate(sorted(SUBMISSIONS.glob("*.py"))):
            if not self.names or path.stem in self.names:
                _say(self.one(judge, number, path))
                descriptors = descriptors or len(os.listdir("/proc/self/fd"))
        submission = Submission("exercises/", self.right)
        results = [self.grade(judge, exercise, submission)[0] for exercise in (self.softmax, self.projections)]
        _say(
            {
                "end": True,
                "right_afterwards": [result is not None and result.points == result.max_points for result in results],
                "workers_replaced": self.replaced,
                "descriptors_leaked": len(os.listdir("/proc/self/fd")) - descriptors,
                "peak_mib": _peak_mib(),
            }
        )
        self.worker().close()


def _peak_mib() -> int:
    """The most memory that this program has had; what getrusage tells begins with what the program that started it had."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)[0]) >> 10


def _say(what: dict[str, Any]) -> None:
    sys.__stdout__.write(json.dumps(what) + "\n")
    sys.__stdout__.flush()


def main() -> None:
    """Runs the set in the isolation named on the command line."""
    warnings.simplefilter("error")  # nothing that a submission sends may make the judge itself warn
    run = Run(Isolation(sys.argv[1]), sys.argv[2:])
    judging(run.lesson, (run.softmax, run.projections), run.all)


if __name__ == "__main__":
    main()
