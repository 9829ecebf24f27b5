"""A running worker: the first process of the sandbox, which forks a child for each exercise."""

from __future__ import annotations

import os
import socket
import subprocess
from typing import Any, Self

from grader import protocol
from grader.errors import SandboxError
from grader.model import Isolation, Limits
from grader.sandbox import launch
from grader.sandbox.child import Child, Ended, cpu_limit

# Start-up is never counted against the learner; this only bounds the wait for a machine that is stuck.
START_S = 60.0
ANSWER_S = 10.0
STOP_S = 5.0


class Zygote:
    """A worker that has said it is ready.

    Attributes:
        isolation: what keeps it apart.
        why_not: for each stronger isolation, why it is not in force.
        numpy_version: of the numpy in the sandbox.
        landlock: version of Landlock in force, 0 for none.
        seccomp: whether system calls are filtered.
    """

    def __init__(self, launched: launch.Launched, why_not: dict[Isolation, str]) -> None:
        self._launched = launched
        self.isolation = launched.isolation
        self.why_not = why_not
        self.numpy_version = ""
        self.landlock = 0
        self.seccomp = False

    def fork(self, limits: Limits) -> Child:
        """Makes a child for one exercise.

        Raises:
            SandboxError: the worker does not answer.
        """
        ours, theirs = socket.socketpair()
        output, output_end = os.pipe()
        trace, trace_end = os.pipe()
        request = [
            ["memory_bytes", limits.memory_mib << 20],
            ["cpu_s", cpu_limit(limits)],
            ["processes", 64 if self.isolation is Isolation.BUBBLEWRAP else 0],
            # Without a file system of its own the child gets no file at all once the learner's code runs.
            ["preload", self.isolation is Isolation.PROCESS and self.seccomp],
        ]
        try:
            self._ask(["fork", request], [theirs.fileno(), output_end, trace_end])
        finally:
            theirs.close()
            os.close(output_end)
            os.close(trace_end)
        return Child(ours, output, trace, limits, lambda: self._tell(["interrupt"]), self._reap)

    def _tell(self, request: list[Any]) -> None:
        self._ask(request, [])

    def _reap(self) -> Ended:
        _, status, peak_kib, cpu_s = self._ask(["reap"], [])
        return Ended(status, peak_kib, cpu_s)

    def _ask(self, request: list[Any], descriptors: list[int]) -> Any:
        """One question to the zygote; the learner's code has no hold on it, so an answer is due."""
        control = self._launched.control
        try:
            socket.send_fds(control, [protocol.encode(request)], descriptors)
            return _receive(control, ANSWER_S)
        except (OSError, protocol.ProtocolError) as error:
            self.kill()
            raise SandboxError(f"the worker stopped answering ({error}); run the command again") from error

    def kill(self) -> None:
        """Ends the worker at once, with everything in it."""
        self._launched.process.kill()
        self.close()

    def close(self) -> None:
        """Hangs up, which ends the worker, and waits until it is gone; can be called again."""
        self._launched.control.close()
        process = self._launched.process
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stderr:
            process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Starting:
    """A worker on its way: started at once, waited for only when it is needed.

    Args:
        wanted: the isolation to use, or None for the strongest that works here.
    """

    def __init__(self, wanted: Isolation | None = None) -> None:
        self._left = list(launch.STRONGEST_FIRST if wanted is None else [wanted])
        self._why_not: dict[Isolation, str] = {}
        self._launched = self._next()

    def _next(self) -> launch.Launched | None:
        while self._left:
            isolation = self._left.pop(0)
            try:
                return launch.start(isolation)
            except launch.NotAvailable as error:
                self._why_not[isolation] = str(error)
            except OSError as error:
                self._why_not[isolation] = f"could not be started: {error}"
        return None

    def ready(self) -> Zygote:
        """Waits for the worker, falling back where a stronger isolation does not work.

        Raises:
            SandboxError: none works.
        """
        while self._launched is not None:
            launched, self._launched = self._launched, None
            try:
                answer = _receive(launched.control, START_S)
                zygote = Zygote(launched, dict(self._why_not))
                _, zygote.numpy_version, zygote.landlock, zygote.seccomp = answer
            except (OSError, protocol.ProtocolError, ValueError) as error:
                self._why_not[launched.isolation] = _last_words(launched) or str(error)
                self._launched = self._next()
            else:
                return zygote
        reasons = "; ".join(f"{isolation}: {why}" for isolation, why in self._why_not.items())
        raise SandboxError(f"no worker could be started. {reasons}. `grade doctor` says more.")

    def cancel(self) -> None:
        """Ends the worker if nobody has waited for it."""
        if self._launched is not None:
            self._launched.control.close()
            self._launched.process.kill()
            _last_words(self._launched)
            self._launched = None


def _last_words(launched: launch.Launched) -> str:
    """What a worker that did not start had to say: the last line of its error output."""
    launched.control.close()
    try:
        _, said = launched.process.communicate(timeout=STOP_S)
    except subprocess.TimeoutExpired:
        launched.process.kill()
        _, said = launched.process.communicate()
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else ""


def _receive(control: socket.socket, wait_s: float) -> Any:
    """One frame from the zygote, which writes a frame at a time.

    Raises:
        OSError: nothing came in time, or the zygote is gone.
        ProtocolError: what came is no frame.
    """
    control.settimeout(wait_s)
    head = _exactly(control, protocol.LENGTH.size)
    return protocol.decode(_exactly(control, protocol.LENGTH.unpack(head)[0]))


def _exactly(control: socket.socket, count: int) -> bytes:
    taken = b""
    while len(taken) < count:
        piece = control.recv(count - len(taken))
        if not piece:
            raise ConnectionError("the worker is gone")
        taken += piece
    return taken
