"""What is kept from run to run, in SQLite.

progress    a learner's attempts and hints, under ``.grade/``
ledger      what a batch run has done, beside its results; loaded by whoever grades a cohort
"""

from grader.store.progress import Best, Progress

__all__ = ["Best", "Progress"]
