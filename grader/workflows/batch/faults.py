"""Why nothing of a submission can be read, and whose fault that is."""

from __future__ import annotations


class Unreadable(Exception):  # noqa: N818 - what is wrong with a submission, not an error of the program
    """Nothing of a submission can be read; the text says why, as the rest of a sentence that starts with its name."""


class Withheld(Exception):  # noqa: N818 - the same of what is nobody's fault who handed something in
    """The disk does not give a submission: no right to read it, a lost connection, a file that is gone meanwhile."""
