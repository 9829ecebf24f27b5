"""``python -m quizzes`` is ``quiz``."""

import sys

# -m puts the current folder first, and a learner's own yaml.py there must not be imported in place of ours.
if not sys.flags.safe_path:
    del sys.path[0]

from quizzes.cli import main

if __name__ == "__main__":
    main()
