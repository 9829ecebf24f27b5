"""One exercise being graded, seen from the trusted side: load, call, end; every wait has an end."""

from __future__ import annotations

import os
import re
import select
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader import protocol
from grader.errors import Cancelled
from grader.model import Cause

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence

    from grader.limits import Limits

# Reading a line that was running takes the worker this long at most; a worker that hangs in the kernel has none.
TRACE_WAIT_S = 0.2
PIECE_BYTES = 1 << 16
WORTH_COUNTING_S = 0.1  # what takes longer is asked how much CPU time it had, for the next to be measured from there
PRINTED_EVERY_S = 0.005  # what is printed is taken so often: to wake for each piece of it costs more than most calls
RUNNING_LINE = re.compile(rb'File "([^"\n]{1,200})", line (\d{1,7}) in ')

SIGNALS = {
    signal.SIGSEGV: "a segmentation fault: C code went beyond its memory, often by endless recursion",
    signal.SIGBUS: "a bus error: C code went beyond its memory",
    signal.SIGABRT: "an abort: C code gave up",
    signal.SIGFPE: "an arithmetic fault in C code",
    signal.SIGKILL: "a kill signal, most likely for lack of memory",
}


class Fault(Exception):  # noqa: N818 - it is a verdict on the learner's code, not an error of the program
    """The learner's code ended the worker or made it useless: what happened, and where if that is known."""

    def __init__(self, cause: Cause, message: str, path: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.cause = cause
        self.message = message
        self.path = path
        self.line = line


@dataclass(frozen=True, slots=True)
class Ended:
    """How the worker's child ended: wait status, peak memory in KiB, CPU time in seconds."""

    status: int
    peak_kib: int
    cpu_s: float


NEVER = Ended(0, 0, 0.0)


class Child:
    """A child of the zygote with its own socket, its own pipes, and limits.

    Args:
        channel: our end of its socket.
        output: our end of the pipe that takes what it prints.
        trace: our end of the pipe that takes the line that was running.
        limits: what it may use.
        interrupt: asks the zygote to have the running line written to ``trace``.
        reap: asks the zygote to end it.
        cancel: a descriptor that becomes readable when nobody wants the answer any more.

    Attributes:
        cpu_s: asks the zygote how much CPU time it has used.
        patience: how many times the wall time may pass for code that was not given that much CPU time.
        starved: told of a timeout of code that was not given that much CPU time even so.
        kept: keys of the requests that it has from the start.
    """

    def __init__(
        self,
        channel: socket.socket,
        output: int,
        trace: int,
        limits: Limits,
        interrupt: Callable[[], None],
        reap: Callable[[], Ended],
        *,
        cancel: int | None = None,
    ) -> None:
        channel.settimeout(0)
        self._channel = channel
        self._output = output
        self._trace = trace
        self._limits = limits
        self._interrupt = interrupt
        self._reap = reap
        self._cancel = cancel
        self.cpu_s: Callable[[], float] = lambda: float("inf")
        self._cpu_before_s = 0.0
        self.patience = 1.0
        self.starved: Callable[[], None] = lambda: None
        self.kept: frozenset[int] = frozenset()
        self.ended: Ended | None = None
        self.printed = bytearray()

    def ask(self, request: list[Any], wall_s: float, known: frozenset[str]) -> Any:
        """Sends a request of plain data and waits for its answer; the rest is as for ``exchange``."""
        (answer,) = self.exchange([protocol.encode(request, views=True)], 1, wall_s, known)
        try:
            return protocol.decode(memoryview(answer)[protocol.LENGTH.size :])
        except protocol.ProtocolError as error:
            raise self._garbled(str(error)) from None

    def exchange(self, frames: Sequence[bytes], count: int, wall_s: float, known: frozenset[str]) -> list[bytearray]:
        """Sends requests, one right after the other, and waits for their answers: whole frames, not yet looked into.

        Args:
            frames: the requests as they go over the wire.
            count: how many answers are due.
            wall_s: how long to wait for all of them.
            known: the paths that the learner's files are shown under, to tell a true line from an invented one.

        Raises:
            Fault: there was no answer in time, or none that could be read; the child is ended.
            Cancelled: nobody wants the answer any more; the child goes on until it is ended.
        """
        outgoing = memoryview(b"".join(frames))
        incoming = bytearray()
        answers: list[bytearray] = []
        room = protocol.MAX_FRAME_BYTES  # for all of them, so that many answers cost the judge no more than one may
        self.printed.clear()
        started = time.monotonic()
        deadline = started + wall_s
        poll = select.poll()
        poll.register(self._channel, select.POLLIN | select.POLLOUT)
        if self._cancel is not None:
            poll.register(self._cancel, select.POLLIN)
        output_open = True
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                owed_s = self._owed_s(wall_s, started)
                if owed_s <= 0:
                    raise self._timed_out(wall_s, known)
                deadline, left = deadline + owed_s, owed_s
            ready = dict(poll.poll(1000 * (min(left, PRINTED_EVERY_S) if output_open else left) + 1))
            if self._cancel in ready:
                raise Cancelled
            if output_open and not ready:
                output_open = self._take_output()
            events = ready.get(self._channel.fileno(), 0)
            if events & select.POLLOUT and outgoing:
                try:
                    outgoing = outgoing[self._channel.send(outgoing) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise self._died() from None
                if not outgoing:
                    poll.modify(self._channel, select.POLLIN)
            if events & (select.POLLIN | select.POLLHUP | select.POLLERR):
                try:
                    piece = self._channel.recv(PIECE_BYTES)
                except BlockingIOError:
                    continue
                except OSError:
                    piece = b""
                if not piece:
                    raise self._died()
                incoming += piece
                while (size := self._whole(incoming)) and len(answers) < count:
                    answers.append(incoming[:size])
                    del incoming[:size]
                    room -= size - protocol.LENGTH.size
                    if room < 0:
                        raise self._garbled(f"its answers were longer than {protocol.MAX_FRAME_BYTES:,} bytes together")
                if len(answers) == count:
                    if incoming:
                        raise self._garbled(f"{len(incoming)} bytes followed its answer")
                    if output_open:
                        self._take_output()
                    if self.patience > 1 and time.monotonic() - started > WORTH_COUNTING_S:
                        self._cpu_before_s = self.cpu_s()
                    return answers

    def _owed_s(self, wall_s: float, started: float) -> float:
        """How much longer to wait, since a busy machine has not given the code the time that it may use."""
        if time.monotonic() - started >= self.patience * wall_s or self.patience <= 1:
            return 0.0
        left_s = wall_s - (self.cpu_s() - self._cpu_before_s)
        return max(left_s, 0.05) if left_s > 0 else 0.0

    def _whole(self, incoming: bytearray) -> int:
        """The length of the first frame, 0 if it has not arrived whole."""
        head = protocol.LENGTH.size
        if len(incoming) < head:
            return 0
        size = protocol.LENGTH.unpack(incoming[:head])[0]
        if size > protocol.MAX_FRAME_BYTES:
            raise self._garbled(f"it announced {size:,} bytes")
        return head + size if len(incoming) >= head + size else 0

    def _take_output(self) -> bool:
        """Reads what was printed, as far as it is there; False when nothing more can come."""
        cap = self._limits.output_kib << 10
        poll = select.poll()
        poll.register(self._output, select.POLLIN)
        while poll.poll(0):
            piece = os.read(self._output, PIECE_BYTES)
            if not piece:
                return False
            self.printed += piece
            if len(self.printed) > cap:
                del self.printed[cap:]
                self.end()
                raise Fault(Cause.OUTPUT_FLOOD, f"printed more than {self._limits.output_kib} KiB in one call")
        return True

    def _timed_out(self, wall_s: float, known: frozenset[str]) -> Fault:
        path, line = self._running_line(known)
        if self.cpu_s() - self._cpu_before_s < wall_s:
            self.starved()
        self.end()
        return Fault(Cause.TIMEOUT, f"did not return within {wall_s:.3g} s", path, line)

    def _running_line(self, known: frozenset[str]) -> tuple[str, int | None]:
        """The learner's line that is running, as the worker's own fault handler tells it."""
        self._interrupt()
        poll = select.poll()
        poll.register(self._trace, select.POLLIN)
        told = b""
        deadline = time.monotonic() + TRACE_WAIT_S
        while poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            piece = os.read(self._trace, PIECE_BYTES)
            told += piece
            for name, line in RUNNING_LINE.findall(told):
                path = name.decode("utf-8", "replace")
                if path in known:
                    return path, int(line)
            if not piece or len(told) > PIECE_BYTES:
                break
        return "", None

    def _died(self) -> Fault:
        """Says how the child ended, which the judge learns from the closed socket."""
        ended = self.end()
        signal_number = ended.status & 0x7F
        if signal_number == signal.SIGXCPU:
            return Fault(Cause.TIMEOUT, f"used more than {cpu_limit(self._limits)} s of CPU time")
        if signal_number:
            try:
                what = SIGNALS.get(signal.Signals(signal_number)) or f"signal {signal.Signals(signal_number).name}"
            except ValueError:
                what = f"signal {signal_number}"
            return Fault(Cause.CRASH, f"ended the process: {what}")
        return Fault(Cause.CRASH, f"ended the process, with exit code {ended.status >> 8}, instead of returning")

    def _garbled(self, what: str) -> Fault:
        self.end()
        return Fault(Cause.PROTOCOL, f"wrote to the grader's own channel: {what}")

    def end(self) -> Ended:
        """Ends the child and all that it left, and closes our side; can be called again."""
        if self.ended is None:
            self.ended = NEVER  # asked for once only, also where the zygote does not answer
            try:
                self.ended = self._reap()
                self._take_last_words()
            finally:
                self._channel.close()
                os.close(self._output)
                os.close(self._trace)
        return self.ended

    def _take_last_words(self) -> None:
        """What it printed before it ended is still in the pipe, up to the pipe's own capacity."""
        poll = select.poll()
        poll.register(self._output, select.POLLIN)
        cap = self._limits.output_kib << 10
        while len(self.printed) < cap and poll.poll(0) and (piece := os.read(self._output, PIECE_BYTES)):
            self.printed += piece[: cap - len(self.printed)]


def cpu_limit(limits: Limits) -> int:
    """CPU seconds for one exercise: what its wall time allows, and one more, so that the clock speaks first."""
    return int(limits.exercise_s) + 1
