"""Says more of an exercise that failed: which mistakes it is, and which step goes wrong first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model import Outcome

if TYPE_CHECKING:
    from grader.judge.session import Judge
    from grader.model import ExerciseResult
    from grader.sandbox.submission import Submission
    from grader.sandbox.zygote import Zygote

CALL_S, TOTAL_S = 1.0, 2.0  # more than that is not spent on explaining what one process did


def explained(judge: Judge, zygote: Zygote, submission: Submission, result: ExerciseResult) -> ExerciseResult:
    """The result with the mistakes that have a name, and with the first wrong step where one is proved.

    Raises:
        SandboxError: the worker broke for a reason of ours.
        Cancelled: the worker was told that nobody wants to know any more.
    """
    if result.outcome is not Outcome.FAILED:
        return result
    from grader.workflows.benches import Benches
    from grader.workflows.name import with_mistakes
    from grader.workflows.trace import with_first_wrong_step

    lesson, references = judge.lesson, judge.references
    with Benches(lesson[result.id], lesson, submission, zygote, references, CALL_S, TOTAL_S) as benches:
        named = with_mistakes(result, lesson, references, benches)
        return with_first_wrong_step(named, lesson, references, benches)
