"""The lesson's content in four directions: stubs, solutions, wrong implementations and differently written right ones.

The files under tests/content are graded as a learner's would be, in the sandbox, each beside right siblings.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from grader.expect.learner import Learner
from grader.judge.references import load_references
from grader.judge.session import judging
from grader.lesson import shipped_lesson
from grader.model import Cause, Outcome
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import connect
from grader.workflows.stubs import stub_text

CONTENT = Path(__file__).parent / "content"
LESSON = shipped_lesson()
SOLUTIONS = {exercise.filename: exercise.reference.read_bytes() for exercise in LESSON.exercises}
STUBS = {exercise.filename: stub_text(exercise).encode() for exercise in LESSON.exercises}
WHEATS = sorted(CONTENT.glob("wheats/*/*.py"))
CHAFFS = sorted(CONTENT.glob("chaffs/*/*.py"))
UNSEEN = sorted((CONTENT.parent / "unseen").glob("*/*/*.py"))


def name_of(path):
    """``softmax/by_loops``: how a file of the collection is called."""
    return f"{path.parent.name}/{path.stem}"


@pytest.fixture(scope="module")
def graded():
    """Every file of the collection, graded once: results by (kind, name)."""
    results = {}

    def work(judge):
        with connect(Starting()) as zygote:
            for path in WHEATS + CHAFFS:
                exercise = LESSON[path.parent.name]
                submission = Submission("exercises/", SOLUTIONS | {exercise.filename: path.read_bytes()})
                kind = path.parent.parent.name
                results[kind, name_of(path)] = judge.grade(exercise, submission, zygote, submission.digest)
            for path in UNSEEN:
                exercise = LESSON[path.parent.name]
                submission = Submission("exercises/", SOLUTIONS | {exercise.filename: path.read_bytes()})
                results[path] = judge.grade(exercise, submission, zygote, submission.digest)
            for exercise in LESSON.exercises:
                alone = Submission("exercises/", STUBS | {exercise.filename: SOLUTIONS[exercise.filename]})
                results["alone", exercise.id] = judge.grade(exercise, alone, zygote, 0)
                for kind, files in (("stub", STUBS), ("solution", SOLUTIONS)):
                    results[kind, exercise.id] = judge.grade(exercise, Submission("exercises/", files), zygote, 0)

    judging(LESSON, LESSON.exercises, work)
    return results


@pytest.mark.parametrize("stem", LESSON.stems)
def test_stub_is_not_started(graded, stem):
    """A stub is reported as not started, check by check, and never as wrong."""
    assert {Outcome.NOT_STARTED} == {check.outcome for check in graded["stub", stem].checks}
    assert Outcome.NOT_STARTED == graded["stub", stem].outcome
    assert graded["stub", stem].points == 0


@pytest.mark.parametrize("stem", LESSON.stems)
def test_solution_has_full_marks(graded, stem):
    """A solution has full marks."""
    result = graded["solution", stem]
    assert (Outcome.PASSED, result.max_points) == (result.outcome, result.points)


@pytest.mark.parametrize("stem", LESSON.stems)
def test_solution_beside_stubs(graded, stem):
    """Beside stubs an exercise is graded as far as it needs none of them; what needs one says which."""
    result = graded["alone", stem]
    outcomes = {check.outcome for check in result.checks}
    assert outcomes <= {Outcome.PASSED, Outcome.COULD_NOT_CHECK}
    for check in result.checks:
        if check.outcome is Outcome.COULD_NOT_CHECK:
            assert Cause.MISSING_PREREQUISITE == check.cause
            assert any(needed in check.message for needed in LESSON[stem].needs)
    if not LESSON[stem].needs:
        assert Outcome.PASSED == result.outcome


@pytest.mark.parametrize("name", [name_of(path) for path in WHEATS])
def test_wheat_passes(graded, name):
    """A right implementation, however it is written, has full marks."""
    result = graded["wheats", name]
    assert [] == [(check.id, check.message) for check in result.checks if check.outcome is not Outcome.PASSED]


@pytest.mark.parametrize("path", CHAFFS, ids=name_of)
def test_chaff_fails(graded, path):
    """A wrong implementation fails, for the cause that its file names, and not through a fault of the grader's."""
    result = graded["chaffs", name_of(path)]
    causes = {check.cause for check in result.checks if check.outcome is not Outcome.PASSED}
    (expected,) = [line.split(":")[1].strip() for line in path.read_text().splitlines() if line.startswith("expect:")]
    assert Outcome.FAILED == result.outcome
    assert Cause(expected) in causes
    assert Cause.GRADER_ERROR not in causes


@pytest.mark.parametrize("path", UNSEEN, ids=lambda path: f"{path.parent.parent.name}/{name_of(path)}")
def test_unseen(graded, path):
    """What was written without a look at suites and models: the right have full marks, the wrong do not."""
    wanted = Outcome.PASSED if path.parent.parent.name == "wheats" else Outcome.FAILED
    assert wanted == graded[path].outcome


def test_collection_is_large_enough():
    """Each exercise has at least 12 wrong implementations and 4 right ones."""
    wheats = Counter(path.parent.name for path in WHEATS)
    chaffs = Counter(path.parent.name for path in CHAFFS)
    assert all(wheats[stem] >= 4 and chaffs[stem] >= 12 for stem in LESSON.stems)


def test_suites_do_not_saturate_softmax():
    """But for the checks of large scores, the suites' own inputs give weights that softmax has not saturated.

    A saturated softmax hides a wrong scale: any scores far apart give the same weights.
    """
    references = load_references(LESSON)
    for stem in ("attention", "multihead"):
        largest = []
        function = LESSON[stem].functions[-1]

        def send(calls, _refill, stem=stem, function=function, largest=largest):
            for call in calls:
                if call.function == function:
                    _, weights = getattr(references[stem], function)(*call.args, **call.named)
                    if weights.shape[-1] > 2 and (weights > 0).all():
                        largest.append(weights.max(axis=-1).mean())
            raise AssertionError("only the inputs are looked at")

        learner = Learner(vars(references[stem]), send, lambda *_: AssertionError())
        namespace = {}
        exec(compile(LESSON[stem].suite.read_text(), str(LESSON[stem].suite), "exec"), namespace)
        for name, test in namespace.items():
            if not name.startswith("test_") or "large" in name or "refuses" in name:
                continue
            words = {"learner": learner, "reference": references[stem], "rng": np.random.default_rng(1)}
            wanted = test.__code__.co_varnames[: test.__code__.co_argcount]
            with pytest.raises(AssertionError, match="only the inputs"):
                test(*(words[word] for word in wanted))
        assert len(largest) > 5
        assert max(largest) < 0.9
