"""``python -m quizzes`` is ``quiz``."""

import sys

# -m puts the current folder first, and a learner's own yaml.py there must not be imported in place of ours.
if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]


def main() -> object:
    """Run the command line. Importing it takes a moment, in which Ctrl-C must not end in a traceback either."""
    try:
        from quizzes.cli import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped\n")
        sys.exit(3)


if __name__ == "__main__":
    main()
