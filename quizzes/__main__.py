"""``python -m quizzes`` is ``quiz``."""

import sys
from pathlib import Path

# -m puts the current folder first, and a learner's own yaml.py there must not be imported in place of ours.
if sys.path and Path(sys.path[0] or ".").resolve() == Path.cwd() and not sys.flags.safe_path:
    del sys.path[0]

from quizzes.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
