"""Grades exercises by running them in a sandbox and says what is wrong, and why."""

__version__ = "0.1.0"
