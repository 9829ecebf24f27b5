"""The learner's progress, in SQLite under ``.grade/``."""

from grader.store.progress import Best, Progress

__all__ = ["Best", "Progress"]
