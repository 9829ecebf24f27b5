"""Whatever value a submission writes to the grader's channel, the judge makes a verdict of it, and nothing else.

The worker's answers are made up here: each is a value that the wire can carry, as a submission could send it.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from grader import protocol
from grader.expect import Verdict, part, raises, same, unchanged
from grader.expect.steps import Probe
from grader.judge.bench import Bench
from grader.judge.processes import Processes
from grader.judge.references import load_references
from grader.lesson import shipped_lesson
from grader.model import Cause
from grader.protocol import DTYPES
from grader.sandbox.submission import Submission

LESSON = shipped_lesson()
REFERENCES = load_references(LESSON)
FILES = {"softmax.py": b"def softmax(x, axis=-1):\n    return x\n"}
LONGEST = 1_500

arrays = st.sampled_from(list(DTYPES.values())).flatmap(
    lambda dtype: npst.arrays(
        dtype, npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3) | st.sampled_from([(2,), (2, 3)])
    )
)
plain = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(max_size=30) | arrays
anything = st.recursive(plain, lambda inner: st.lists(inner, max_size=5) | st.lists(inner).map(tuple), max_leaves=10)
words = st.sampled_from(
    ["value", "raised", "unsupported", "missing", "uncallable", "signature", "loaded", "broken", *Cause,
     "softmax", "attention", "exercises/softmax.py", "\x1b[2J", "é" * 2_000, "ValueError", "MemoryError"]
)  # fmt: skip
frames = st.lists(st.tuples(words | plain, st.integers() | plain, words).map(list), max_size=3)
changed = st.lists(st.tuples(st.integers(-2, 20), arrays).map(list) | anything, max_size=2)
likely = st.one_of(
    st.tuples(st.just("value"), anything, changed),
    st.tuples(st.just("raised"), words, words, frames, st.booleans(), words, st.lists(words | plain), changed),
    st.tuples(st.sampled_from(["unsupported", "missing", "uncallable", "signature"]), words, changed),
).map(list)
answers = st.lists(likely | anything | st.lists(words | anything, max_size=9), max_size=2) | anything
loads = st.lists(words | st.integers() | st.lists(words | anything, max_size=4), max_size=6) | anything
quick = settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.too_slow])


class MadeUp:
    """A child that says whatever it was given."""

    printed = b""
    ended = None

    def __init__(self, *said: Any) -> None:
        self.said = list(said)

    def ask(self, *_: Any) -> Any:
        """The next thing to say."""
        return self.said.pop(0)

    def exchange(self, _frames: Any, count: int, *_: Any) -> list[bytearray]:
        """The next thing to say, after the word that the files are plain where two are asked for."""
        read = protocol.encode(["read", True])
        try:
            said = protocol.encode(self.said.pop(0))
        except protocol.Unencodable:
            said = b"\x02\0\0\0??"
        return [*map(bytearray, [read] * (count - 1) + [said])]

    def end(self) -> None:
        """Nothing to end."""


class Worker:
    """A worker whose only child is made up."""

    preloads = False

    def __init__(self, child: MadeUp) -> None:
        self.child = child

    def fork(self, _: Any) -> MadeUp:
        """The child."""
        return self.child


def bench(*said: Any) -> Bench:
    """A bench whose worker says one thing after another."""
    submission = Submission("exercises/", FILES)
    processes = Processes(Worker(MadeUp(*said)), submission, LESSON)  # type: ignore[arg-type]
    return Bench(processes, LESSON["softmax"], REFERENCES["softmax"])


def verdict_on(found: Bench, judge: Any) -> Verdict | None:
    """What a check makes of it: a verdict or None; anything else that is raised, or warned of, fails the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            judge(found.learner().softmax(np.array([0.0, 1.0])))
        except Verdict as verdict:
            return verdict
    return None


JUDGES = {
    "same": lambda returned: same(returned, np.array([0.25, 0.75]), atol=1e-8, exact_zeros=True),
    "pair": lambda returned: same(returned, (np.zeros((2, 3)), np.ones(2)), atol=1e-8, names=("a", "b")),
    "part": lambda returned: part(returned, 1, np.array([1, 2]), atol=1e-8, names=("a", "b")),
    "unchanged": unchanged,
    "raises": lambda returned: raises(returned, ValueError, mentions=(3, -7)),
}


@pytest.mark.parametrize("judge", JUDGES)
@quick
@given(answers)
@example([["value", 0.0, [[15, np.zeros(2)]]]])
@example([["value", np.array([1e308, -1e308]), []]])
@example([["value", np.array([2143289345], "u4").view("f4"), []]])
@example([["raised", "ValueError", "3, -7", [["exercises/softmax.py", True, ""]], False, "", [], []]])
@example([[np.zeros(3), np.zeros(3), np.zeros(3)]])
def test_a_made_up_answer_is_judged(judge: str, said: Any) -> None:
    """Each word of the suites turns any answer into a pass or a verdict whose texts are short and steer nothing."""
    verdict = verdict_on(bench(["loaded", ["softmax"], []], said), JUDGES[judge])
    if verdict is None:
        assert judge in ("unchanged", "raises") or not isinstance(said, list) or said[0][0] == "value"
        return
    shown = [verdict.message, verdict.path]
    if verdict.counterexample:
        shown += [verdict.counterexample.call, verdict.counterexample.got, verdict.counterexample.expected]
    assert all(len(text) < LONGEST for text in shown)
    assert all(char.isprintable() or char in "\n\t" for text in shown for char in text)
    assert verdict.path in ("", "exercises/softmax.py")
    assert verdict.line is None or verdict.line in (1, 2, 3)
    assert verdict.cause is not Cause.GRADER_ERROR


@quick
@given(loads)
@example([np.zeros(3), [], []])
@example(["loaded", [], [np.zeros(3)]])
@example(["loaded", []])
@example(["broken", ["timeout"], "", "", 1])
@example(["broken", "grader_error", "", "", 1])
@example(["loaded", ["x" * 10_000] * 5_000, []])
def test_a_made_up_load_is_judged(said: Any) -> None:
    """Any answer to the request to load is taken, or is a verdict on the submission, never a fault of the grader's."""
    verdict = verdict_on(bench(said, [["missing", "softmax", []]]), unchanged)
    assert verdict is not None
    assert verdict.cause is not Cause.GRADER_ERROR
    assert len(verdict.message) < LONGEST
    assert verdict.line is None or verdict.line in (1, 2, 3)


def test_an_unchanged_argument_is_not_said_to_have_changed() -> None:
    """A submission that claims to have changed an argument into what it was is told that it makes no sense."""
    said = [["value", 0.0, [[0, np.array([0.0, 1.0])]]]]
    verdict = verdict_on(bench(["loaded", [], []], said), unchanged)
    assert verdict is not None
    assert verdict.cause is Cause.PROTOCOL


def test_a_long_traceback_is_cut() -> None:
    """Of the steps that an exception is said to have gone through few are looked at, and each line once."""
    files = {"softmax.py": b"x = 1\n", "long.py": b"\n" * (1 << 20)}
    steps = [["exercises/long.py", line, "f"] for line in range(1, 9_999)]
    said = [["raised", "ValueError", "no", steps, False, "", ["ValueError"] * 9_000, []]]
    worker = Worker(MadeUp(["loaded", ["softmax"], []], said))
    processes = Processes(worker, Submission("exercises/", files), LESSON)  # type: ignore[arg-type]
    returned = Bench(processes, LESSON["softmax"], REFERENCES["softmax"]).learner().softmax(np.zeros(2))
    _, _, frames, _, _, family = returned.answer.detail
    assert frames == steps[-len(frames) :]
    assert 0 < len(frames) <= 20
    assert len(family) <= 20


def test_a_trace_holds_no_more_than_the_worker_may_send() -> None:
    """Values that no tracer of ours would send are left out: the reference is run on those of a trace."""
    event = ["exercises/softmax.py", 1, "softmax", 0, 0, "argument", "x", None, [], -1, -1, False]
    sizes = (1, 1_024, 1_025, 10**6)
    events = [[*event[:7], np.zeros((size, 1)), *event[8:]] for size in sizes]
    many = [[*event[:7], np.zeros(1_024), *event[8:]]] * 390
    for sent, most in ((events, 2), (many, 64)):
        found = bench(["loaded", ["softmax"], []], [["value", np.zeros(2), []], sent, True])
        trace = found.trace(Probe("softmax", (np.zeros(2),)), 1.0)
        assert trace is not None
        assert 0 < len(trace.events) <= most
