"""``python -m grader``: the same as ``grade``."""

import sys

# ``python -m`` puts the current folder first on the import path. It may hold a learner's numpy.py or yaml.py, and the
# grader must not import that; our own package is found already.
if not sys.flags.safe_path and sys.path:
    del sys.path[0]

from grader.cli import main

if __name__ == "__main__":
    main()
