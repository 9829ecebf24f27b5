"""What one file does to the process must not change what is said of the files that are graded in it afterwards.

Each case stands at the end of a right softmax.py. The other files do not import it: they are right, or wrong in one
way, and what is said of them is what is said of each when it is graded alone.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.judge.processes import Processes
from grader.judge.session import judging
from grader.lesson import shipped_lesson
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import connect
from grader.workflows.explain import explained

if TYPE_CHECKING:
    from grader.judge.session import Judge
    from grader.model import ExerciseResult
    from grader.sandbox.zygote import Zygote

LIMITS = dataclasses.replace(shipped_lesson()["softmax"].limits, call_s=0.5, exercise_s=3.0)
LESSON = dataclasses.replace(
    shipped_lesson(),
    exercises=tuple(dataclasses.replace(one, limits=LIMITS) for one in shipped_lesson().exercises),
)
OTHERS = LESSON.exercises[1:]
SOLUTIONS = {exercise.id: exercise.reference.read_text() for exercise in LESSON.exercises}
CHAFFS = Path(__file__).parent / "content" / "chaffs"
WRONG = ("projections/batches_only", "attention/not_scaled", "multihead/always_causal")
SEED = 7
WORKER = "import sys\nworker = sys.modules['grader.worker.child']\nprotocol = sys.modules['grader.protocol']\n"
# Takes the place of what reads a request: ``told`` gets each that comes after those for softmax.py itself.
RECEIVES = f"""{WORKER}
def receive(wire, real=worker.receive, later=[]):
    request = real(wire)
    if request and request[0] == "anew":
        later.append(1)
    return told(wire, request, real) if later and request else request
worker.receive = receive
"""

NASTY = {
    "settings": """
        import sys, warnings
        np.seterr(all="raise")
        warnings.simplefilter("error")
        sys.setrecursionlimit(60)
    """,
    "numpy's inside replaced": """
        import numpy._core.fromnumeric as inside
        inside._wrapfunc = lambda *_, **__: np.zeros(2)
    """,
    "numpy's class replaced": """
        import types
        class Module(types.ModuleType):
            def __getattribute__(self, name):
                return (lambda a, *_: a) if name == "swapaxes" else super().__getattribute__(name)
        np.__class__ = Module
    """,
    "rounding upwards": "import ctypes\nctypes.CDLL(None).fesetround(0x800)",
    "standard library replaced": "import inspect\ninspect.isclass = lambda _: True",
    "builtins replaced": "import builtins\nbuiltins.all = lambda _: True\nbuiltins.len = lambda _: 3",
    "trace kept quiet": """
        import sys
        def trace(frame, *_):
            if frame.f_code.co_name in ("project_qkv", "merge_heads"):
                raise ValueError("traced")
        sys.gettrace = lambda: None
        sys.settrace(trace)
    """,
    "thread out of sight": """
        import _thread, time
        def replace():
            time.sleep(0.01)
            while True:
                np.matmul = np.swapaxes = np.einsum = None
                time.sleep(0.001)
        _thread.start_new_thread(replace, ())
    """,
    "alarm with a handler": """
        import signal
        def ring(*_):
            raise TimeoutError("too slow")
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.002)
    """,
    "memory held": "import sys\nsys.held = np.ones((900 << 20) // 8)",
    "streams closed": "import os, sys\nsys.stdout.close()\nos.closerange(0, 3)",
    "word of the worker forged": """
        import sys
        sys.modules["grader.worker.state"].Surroundings.are_as_before = lambda _: True
        np.swapaxes = lambda a, *_: a
    """,
    "files replaced": """
        import sys
        for finder in sys.meta_path:
            if type(finder).__name__ == "Submission":
                finder.files |= {"projections.py": b"def project_qkv(*_): return 1", "attention.py": b"1 / 0"}
    """,
    "answers forged": f"{WORKER}worker.call = lambda *_: ['value', 1.0]",
    "not started forged": f"""{WORKER}
frames = [["projections.py", 1, "x"]]
worker.call = lambda *_: ["raised", "NotImplementedError", "projections", frames, True, "projections", []]
""",
    "one answer odd, the next forged": f"""{WORKER}
def joined(encoded, real=worker.joined, count=[]):
    count.append(1)
    return protocol.encode([] if len(count) % 5 == 1 else [["value", 1.0, []]])
def told(wire, request, real):
    worker.joined = joined
    return request
{RECEIVES}""",
    "answers sent before they are asked for": f"""
def told(wire, request, real):
    wire.sendall(protocol.encode(["loaded", [], []]) + protocol.encode([[["value", 1.0, []]]]))
    return request
{RECEIVES}""",
    "changed without end": f"""
def told(wire, request, real):
    while True:
        wire.sendall(protocol.encode(["changed"]))
{RECEIVES}""",
}  # fmt: skip


def standing_alone(text: str) -> str:
    """A file with what it imports from the others put in front."""
    for stem in re.findall(r"^from (\w+) import .*$", text, re.MULTILINE):
        text = f"{standing_alone(SOLUTIONS[stem])}\n{text}"
    return re.sub(r"^from (softmax|projections|attention) import .*$", "", text, flags=re.MULTILINE)


def files(code: str, *texts: str) -> Submission:
    """A softmax.py with such code at its end, beside other files."""
    lines = code.strip("\n").splitlines()
    cut = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    softmax = SOLUTIONS["softmax"] + "\n\n" + "\n".join(line[cut:] for line in lines)
    texts = (softmax, *map(standing_alone, texts))
    return Submission("", {f"{stem}.py": text.encode() for stem, text in zip(LESSON.stems, texts, strict=True)})


def told(result: ExerciseResult) -> tuple[Any, ...]:
    """What a learner is told of an exercise."""
    checks = [(one.id, one.outcome, one.cause, one.points) for one in result.checks]
    return result.outcome, result.points, result.cause, checks, [one.id for one in result.mistakes]


def alone(judge: Judge, submission: Submission, zygote: Zygote) -> list[tuple[Any, ...]]:
    """What is said of each exercise but the first where each has processes of its own, and softmax.py never runs."""
    found = []
    for exercise in OTHERS:
        result = judge.grade(exercise, submission, zygote, SEED)
        with Processes(zygote, submission, LESSON) as processes:
            found.append(told(explained(judge, processes, result)))
    return found


def together(judge: Judge, submission: Submission, zygote: Zygote) -> list[tuple[Any, ...]]:
    """The same where one process is for all of them, softmax.py first."""
    with Processes(zygote, submission, LESSON) as processes:
        _, *results = (
            told(explained(judge, processes, result) if result.id != "softmax" else result)
            for result in judge.grade_all(LESSON.exercises, processes, SEED)
        )
    return results


@cache
def graded() -> dict[str, list[tuple[list[Any], list[Any]]]]:
    """By case, for right files, for wrong ones and for right ones with no plan: what is said alone, and together."""
    found: dict[str, list[tuple[list[Any], list[Any]]]] = {name: [] for name in NASTY}
    right = [SOLUTIONS[exercise.id] for exercise in OTHERS]
    wrong = [(CHAFFS / f"{name}.py").read_text() for name in WRONG]

    def work(judge: Judge) -> None:
        for lasting, texts in ((False, right), (True, right), (True, wrong)):
            if lasting:
                judge.rehearse(SEED)
            with connect(Starting()) as zygote:
                zygote.lasting, zygote.patience = lasting, 3.0
                by_itself = alone(judge, files("pass", *texts), zygote)
                for name, code in NASTY.items():
                    found[name].append((by_itself, together(judge, files(code, *texts), zygote)))

    judging(LESSON, LESSON.exercises, work)
    return found


@pytest.mark.parametrize("name", NASTY)
def test_the_others_are_graded_as_if_alone(name: str) -> None:
    """Whatever softmax.py does: right files beside it get all points, and of wrong ones the same is said."""
    points = [exercise.points for exercise in OTHERS]
    for number, (by_itself, with_others) in enumerate(graded()[name]):
        assert with_others == by_itself
        assert (points == [one[1] for one in with_others]) is (number < 2)
