"""Runs the program many times without paying for its imports each time: a process that forks one for each run.

Each request is a line of JSON on standard input: arguments, folder, environment, and the files that stand for the
three standard streams. Each run is a process of its own with real streams; only the interpreter's start is shared.
"""

from __future__ import annotations

import io
import json
import os
import sys
from importlib import import_module

from grader import cli

for name in ("sqlite3", "pytest", "grader.cli.run", "grader.judge.session", "grader.workflows.grade"):
    import_module(name)


def run(request: dict[str, object]) -> int:
    """One run, in the forked process; returns its exit code."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    os.setsid()  # so that a terminal among the streams becomes this run's own
    for number, (name, flags) in enumerate(
        ((request["stdin"], os.O_RDWR), (request["stdout"], os.O_WRONLY), (request["stderr"], os.O_WRONLY))
    ):
        os.dup2(os.open(name, flags), number)
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(open(number, mode, closefd=False), encoding="utf-8", write_through=number == 2)  # noqa: SIM115
        for number, mode in enumerate(("rb", "wb", "wb"))
    )
    sys.argv = ["grade", *request["args"]]
    try:
        cli.main(request["args"])
    except SystemExit as end:
        sys.stdout.flush()
        return end.code
    return 99


def tell(number: int) -> None:
    """A line for whoever asks: the process when it has started, its exit code when it has ended."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def main() -> None:
    """Serves until nobody asks any more."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            code = 98
            try:
                code = run(json.loads(line))
            finally:
                os._exit(code)
        tell(pid)
        _, status = os.waitpid(pid, 0)
        tell(os.waitstatus_to_exitcode(status))


main()
