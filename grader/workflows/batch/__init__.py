"""Grades a cohort: many submissions, each kept apart from all others, into a gradebook.

faults       why nothing of a submission can be read
tars         the members of a tar, in one pass
archives     what a folder, an archive or a file holds, read with a cap on everything
notebooks    the parts of a notebook that are exercises
pieces       the statements of its cells, and which of them a function needs
sources      which submissions there are, and what to call them
contents     which files of a submission are graded
roster       who is in the class, and whose each submission is
fingerprint  what makes a submission count as unchanged
tasks        one submission graded in whatever process
pool         local processes or a cluster: gives tasks out and sees them through
tidy         what is no longer to be in the folder of results
results      the gradebook and the summaries, from the rows of the ledger
compare      whose marks differ between two runs
run          all of it together
"""

from grader.workflows.batch.compare import Moved, compare
from grader.workflows.batch.run import Finished, Options, Progress, batch

__all__ = ["Finished", "Moved", "Options", "Progress", "batch", "compare"]
