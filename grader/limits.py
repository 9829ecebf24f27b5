"""What the learner's code may use of the machine.

Apart from the model of reports, since the manifest needs it and `grade list` should start fast.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What the learner's code may use of the machine while one exercise is graded."""

    call_s: float = 2.0
    exercise_s: float = 10.0
    memory_mib: int = 1024
    output_kib: int = 256
