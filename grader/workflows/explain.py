"""Says more of an exercise that failed: which mistakes it is, and which step goes wrong first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.judge.session import Judge
    from grader.model import ExerciseResult
    from grader.sandbox.submission import Submission
    from grader.sandbox.zygote import Zygote


def explained(judge: Judge, zygote: Zygote, submission: Submission, result: ExerciseResult) -> ExerciseResult:
    """The result with the mistakes that have a name, and with the first wrong step where one is proved.

    Raises:
        SandboxError: the worker broke for a reason of ours.
        Cancelled: the worker was told that nobody wants to know any more.
    """
    from grader.workflows.name import with_mistakes
    from grader.workflows.trace import with_first_wrong_step

    named = with_mistakes(result, zygote, judge.lesson, submission, judge.references)
    return with_first_wrong_step(named, zygote, judge.lesson, submission, judge.references)
