"""A running worker: the first process of the sandbox, which forks a child for each exercise."""

from __future__ import annotations

import os
import select
import socket
import subprocess
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from grader import protocol
from grader.errors import Cancelled, SandboxError
from grader.model import Isolation
from grader.sandbox import launch
from grader.sandbox.child import Child, Ended, cpu_limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.limits import Limits

# Start-up is never counted against the learner; this only bounds the wait for a machine that is stuck.
START_S = 60.0
ANSWER_S = 10.0
MAX_KEPT_BYTES = 32 << 20


class Zygote:
    """A worker that has said it is ready.

    Attributes:
        isolation: what keeps it apart.
        why_not: for each stronger isolation, why it is not in force.
        numpy_version: of the numpy in the sandbox.
        landlock: version of Landlock in force, 0 for none.
        seccomp: whether system calls are filtered.
        patience: how many times a limit of wall time a call may take that was not given that much CPU time.
        starved: how many timeouts there were of code that was not given its CPU time even so.
        lasting: whether it will be asked the same again and again, so that keeping requests pays.
    """

    def __init__(
        self,
        launched: launch.Launched,
        why_not: dict[Isolation, str],
        numpy_version: str,
        landlock: int,
        *,
        seccomp: bool,
        cancel: int | None = None,
    ) -> None:
        self._launched = launched
        self.isolation = launched.isolation
        self.why_not = why_not
        self.numpy_version = numpy_version
        self.landlock = landlock
        self.seccomp = seccomp
        self._cancel = cancel
        self.patience = 1.0
        self.starved = 0
        self.lasting = False
        self._kept: dict[int, bytes] = {}

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
            ["preload", self.preloads],
        ]
        try:
            self._ask(["fork", request], [theirs.fileno(), output_end, trace_end])
        except SandboxError:
            ours.close()
            os.close(output)
            os.close(trace)
            raise
        finally:
            theirs.close()
            os.close(output_end)
            os.close(trace_end)
        child = Child(ours, output, trace, limits, lambda: self._tell(["interrupt"]), self._reap, cancel=self._cancel)
        child.kept = frozenset(self._kept)
        child.cpu_s, child.patience, child.starved = self._cpu_s, self.patience, self._count_starved
        return child

    @property
    def preloads(self) -> bool:
        """Whether a child opens no file any more once the learner's code runs, so it imports beforehand what that does.

        It is so where it has no file system of its own.
        """
        return self.isolation is Isolation.PROCESS and self.seccomp

    def requests(self, child: Child, frames: Sequence[bytes], mark: str = "") -> list[bytes]:
        """What to send a child so that it gets these requests: the frames, or word of those that the worker keeps.

        Args:
            child: has those that were kept when it was forked; what is new here, later children will have.
            frames: the requests as they go over the wire; objects that live as long as the worker.
            mark: what a child that has them prints after each, so that what is printed can be told apart.

        Raises:
            SandboxError: the worker does not answer.
        """
        if not self.lasting:
            return [*frames]
        for frame in frames:
            if id(frame) not in self._kept and sum(map(len, self._kept.values())) + len(frame) <= MAX_KEPT_BYTES:
                self._ask(["keep", id(frame), np.frombuffer(frame, np.uint8)], [])
                self._kept[id(frame)] = frame
        keys = [id(frame) for frame in frames]
        return [protocol.encode(["kept", keys, mark])] if child.kept.issuperset(keys) else [*frames]

    def check_wanted(self) -> None:
        """For work that asks a child nothing for a while.

        Raises:
            Cancelled: nobody wants what it is for any more.
        """
        if self._cancel is not None and select.select([self._cancel], [], [], 0)[0]:
            raise Cancelled

    def _tell(self, request: list[Any]) -> None:
        self._ask(request, [])

    def _count_starved(self) -> None:
        self.starved += 1

    def _cpu_s(self) -> float:
        return float(self._ask(["cpu"], [])[1])

    def _reap(self) -> Ended:
        _, status, peak_kib, cpu_s = self._ask(["reap"], [])
        return Ended(status, peak_kib, cpu_s)

    def _ask(self, request: list[Any], descriptors: list[int]) -> Any:
        """One question to the zygote; the learner's code has no hold on it, so an answer is due."""
        control = self._launched.control
        try:
            frame = protocol.encode(request)
            sent = socket.send_fds(control, [frame], descriptors)
            control.sendall(frame[sent:])  # what is longer than the socket's buffer goes in pieces
            return _receive(control, ANSWER_S)
        except (OSError, protocol.ProtocolError) as error:
            self.kill()
            raise SandboxError(f"the worker stopped answering ({error}); run the command again") from error

    def kill(self) -> None:
        """Ends the worker at once, with everything in it."""
        self._launched.kill()
        self.close()

    def close(self) -> None:
        """Hangs up, which ends the worker, and waits until it is gone; can be called again."""
        self._launched.control.close()
        process = self._launched.process
        try:
            process.wait(launch.STOP_S)
        except subprocess.TimeoutExpired:
            self._launched.kill()
            process.wait()
        if process.stderr:
            process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(starting: launch.Starting, *, cancel: int | None = None) -> Zygote:
    """Waits for a worker that was started, falling back where a stronger isolation does not work.

    Args:
        starting: the worker, on its way.
        cancel: a descriptor that, while it is readable, calls off whatever a child is asked.

    Raises:
        SandboxError: none works.
    """
    while (launched := starting.take()) is not None:
        try:
            _, numpy_version, landlock, seccomp = _receive(launched.control, START_S)
        except (OSError, protocol.ProtocolError, ValueError, TypeError) as error:
            starting.failed(launched, str(error))
        else:
            return Zygote(launched, dict(starting.why_not), numpy_version, landlock, seccomp=seccomp, cancel=cancel)
    reasons = "; ".join(f"{isolation}: {why}" for isolation, why in starting.why_not.items())
    raise SandboxError(f"no worker could be started. {reasons}. `grade doctor` says more.")


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
