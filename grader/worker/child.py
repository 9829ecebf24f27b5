"""The child: loads the exercises of one submission, answers calls, and lives no longer than they are graded.

A request and its answer are lists of plain data on the child's own socket (docs/wire-protocol.md):

    ["load", stem, prefix, [[path, bytes], ...], [[path, why], ...], stems]
                             -> ["read", whether the file is plain, and all that it imports], before it runs, and
                                ["loaded", names, imported stems] or ["broken", cause, message, path, line]
    ["anew", stem]           an exercise of the same files, none of which counts as imported any more
                             -> ["read", ...], and ["loaded", ...] or ["broken", ...]
    ["call", refill, [[function, args, [[keyword, value], ...]], ...]]    -> [answer, ...], one for each call
    ["trace", function, args, [[keyword, value], ...]]    -> [answer, events, complete]
    ["calls", [[refill, calls as above], ...]]                            -> [[answer, ...], ...], one for each batch
    ["kept", [key, ...], mark]    requests that the zygote keeps  -> the answer to each, a frame each

Nothing here is trusted: the learner's code shares this process and may answer in its place. All it can gain is to
return values, which the judge compares with the reference.
"""

from __future__ import annotations

import contextlib
import faulthandler
import inspect
import os
import signal
import socket
import sys
from itertools import repeat
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from grader import protocol
from grader.worker import confine, loading, tracing

if TYPE_CHECKING:
    from collections.abc import Callable

STDOUT, STDERR = 1, 2
REFUSALS = "() got ", "() takes ", "() missing "  # what Python says where arguments do not fit
SEND_BYTES = 1 << 18  # answers wait for one another up to this: each that is sent wakes the judge
# What stands before and after the value in ["value", value, []].
VALUE = b"l" + protocol.LENGTH.pack(3) + protocol.encoded("value")
UNCHANGED = protocol.encoded([])
VALUE_DEPTH = 3  # batches, answers, one answer
SURE_BYTES = protocol.MAX_ITEMS_IN_ALL  # up to so many, answers that fit a frame each fit one together
TOO_MUCH = ["unsupported", "a value too large to be looked at", []]
OUT_OF_MEMORY = ["raised", "MemoryError", "", [], False, "", ["MemoryError"], []]


def open_streams() -> tuple[TextIO, TextIO]:
    """Standard output and standard error as the learner's code is to have them, wherever the two lead by then."""
    out, err = (
        open(stream, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
        for stream in (STDOUT, STDERR)
    )
    return out, err


def serve(
    channel: int,
    output: int,
    trace: int,
    *,
    limits: dict[str, Any],
    kept: dict[int, Any],
    streams: tuple[TextIO, TextIO],
) -> None:
    """Confines the process for good and answers until the judge hangs up.

    Args:
        channel: socket to the judge.
        output: pipe that takes what the learner's code prints.
        trace: pipe for the line that was running, written on SIGUSR1.
        limits: what ``["fork", ...]`` asked for, by name.
        kept: requests that the zygote has read already, by their keys.
        streams: what ``open_streams`` gave the zygote.
    """
    os.dup2(output, STDOUT)  # standard input is the null device from the start
    os.dup2(output, STDERR)
    os.close(output)
    sys.stdout, sys.stderr = streams
    # The handler is C code and runs in the middle of whatever hangs, a call into numpy too.
    faulthandler.register(signal.SIGUSR1, file=trace, all_threads=False)
    wire = socket.socket(fileno=channel)
    request = receive(wire)
    if request is None:
        return
    _, stem, prefix, files, unreadable, stems = request
    submission = loading.Submission(
        {path: data.tobytes() for path, data in files}, dict(map(tuple, unreadable)), prefix
    )
    confine.prctl(confine.PR_SET_PDEATHSIG, confine.SIGKILL)
    confine.limit_resources(limits["address_bytes"], limits["cpu_s"], limits["processes"])
    confine.drop_capabilities()
    send = wire.sendall
    if confine.seccomp_available():
        confine.seccomp(bytes(confine.reading_filter()))
    send(protocol.encode(["read", submission.is_plain(stem)]))
    if confine.seccomp_available() and limits["preload"]:
        submission.preload(stem)
        confine.seccomp(bytes(confine.no_opening_filter()))
    sys.meta_path.insert(0, submission)
    module = opened(submission, stem, stems, send)
    while (request := receive(wire)) is not None:
        if request[0] == "anew":
            loading.forget(submission)
            send(protocol.encode(["read", submission.is_plain(request[1])]))
            module = opened(submission, request[1], stems, send)
            continue
        if module is None:
            return
        answers: list[bytes] = []
        requests, mark = ([kept[key] for key in request[1]], request[2]) if request[0] == "kept" else ([request], "")
        for one in requests:
            answers.append(reply(module, submission, one))
            flush()
            if mark:
                with contextlib.suppress(OSError):  # the learner may have closed it
                    os.write(STDOUT, mark.encode())
            if sum(map(len, answers)) > SEND_BYTES:
                send(b"".join(answers))
                answers.clear()
        send(b"".join(answers))


def opened(submission: loading.Submission, stem: str, stems: list[str], send: Callable[[bytes], None]) -> Any:
    """Imports an exercise and says so; None, once it was said why, if it cannot be imported."""
    module, broken = loading.load(submission, stem)
    flush()
    if broken is not None:
        send(protocol.encode(broken.frame()))
        return None
    send(protocol.encode(["loaded", public_names(module), [name for name in stems if name in sys.modules]]))
    return module


def reply(module: Any, submission: loading.Submission, request: list[Any]) -> bytes:
    """The frame that answers one request."""
    if request[0] == "trace":
        try:
            return traced(module, submission, *request[1:])
        except MemoryError:  # the values fitted, their bytes on the wire did not
            return protocol.encode([OUT_OF_MEMORY, [], False])
    batches = request[1] if request[0] == "calls" else [request[1:]]
    answers = [answered(module, calls, submission.prefix, refill=refill) for refill, calls in batches]
    whole = joined([batch[protocol.LENGTH.size :] for batch in answers]) if request[0] == "calls" else answers[0]
    if fits(whole):
        return whole
    refused = [[TOO_MUCH] * len(calls) for _, calls in batches]
    return protocol.encode(refused if request[0] == "calls" else refused[0])


def fits(frame: bytes) -> bool:
    """Whether the judge can read a frame: each of the values in it may fit, and all of them not."""
    if not SURE_BYTES < len(frame) <= protocol.MAX_FRAME_BYTES:
        return len(frame) <= SURE_BYTES
    try:
        protocol.decode(memoryview(frame)[protocol.LENGTH.size :])
    except (protocol.ProtocolError, MemoryError):
        return False
    return True


def receive(wire: socket.socket) -> Any:
    """The next request, or None when the judge has hung up."""
    head = _exactly(wire, protocol.LENGTH.size)
    if head is None:
        return None
    body = _exactly(wire, protocol.LENGTH.unpack(head)[0])
    return None if body is None else protocol.decode(body)


def _exactly(wire: socket.socket, count: int) -> bytes | None:
    taken = bytearray()
    while len(taken) < count:
        piece = wire.recv(count - len(taken))
        if not piece:
            return None
        taken += piece
    return bytes(taken)


def flush() -> None:
    """Sends what was printed on its way, before the answer goes."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the learner may have replaced or closed it
            stream.flush()


def public_names(module: Any) -> list[str]:
    """The names in a module that a caller might have meant, for "did you mean"."""
    names = [name for name, value in vars(module).items() if type(name) is str and callable(value)]
    return [name for name in names if not name.startswith("__")][:100]


def answered(module: Any, calls: list[Any], prefix: str, *, refill: bool) -> bytes:
    """The answers to a batch of calls; that memory ran out, where they fitted and their bytes on the wire did not."""
    try:
        return answer(module, calls, prefix, refill=refill)
    except MemoryError:
        return protocol.encode([OUT_OF_MEMORY] * len(calls))


def answer(module: Any, calls: list[Any], prefix: str, *, refill: bool) -> bytes:
    """Makes the calls, one after the other, and only then encodes what they returned.

    So a function that hands out the same buffer twice is seen to. What a call has changed is put back: the request may
    be one that is kept, and asked again. With ``refill`` the arguments of the first call are filled with those of the
    next and passed again: the same objects, other values.
    """
    results: list[Any] = []
    before: list[Any] = []
    for function, args, keywords in calls:
        given = [*args, *(value for _, value in keywords)] if keywords else [*args]
        if refill:
            given = [refilled(held, fresh) for held, fresh in zip(before or repeat(None), given, strict=False)]
        pristine = [(at, value, _content(value)) for at, value in enumerate(given) if isinstance(value, np.ndarray)]
        named = {name: given[len(args) + at] for at, (name, _) in enumerate(keywords)} if keywords else {}
        outcome = call(module, function, given[: len(args)], named, prefix)
        changed = []
        for at, value, old in pristine:
            if _content(value) != old:
                changed.append([at, value.copy()])  # as it is now: with refill it holds other numbers by the end
                if not refill:
                    put_back(args, keywords, at, old)
        results.append((outcome, changed))
        before = given
    return joined([_encode_answer(outcome, changed) for outcome, changed in results])


def put_back(args: list[Any], keywords: list[list[Any]], at: int, content: tuple[Any, ...]) -> None:
    """Puts an array into the place of one that a call has changed, with what was in it before."""
    shape, dtype, held = content
    changed = args[at] if at < len(args) else keywords[at - len(args)][1]
    array = np.empty_like(changed, dtype, shape=shape)  # which lies in memory as that one does
    array[...] = np.frombuffer(held, dtype).reshape(shape)
    if at < len(args):
        args[at] = array
    else:
        keywords[at - len(args)][1] = array


def refilled(held: Any, fresh: Any) -> Any:
    """The object that was passed before with the values of the next call; a new one if there is none of its form."""
    if not isinstance(held, np.ndarray) or held.shape != fresh.shape or not held.flags.writeable:
        return fresh.copy(order="K") if isinstance(fresh, np.ndarray) else fresh
    held[...] = fresh
    return held


def joined(encoded: list[bytes]) -> bytes:
    """Values that are encoded already, as the frame of a list of them."""
    head = b"l" + protocol.LENGTH.pack(len(encoded))
    return b"".join([protocol.LENGTH.pack(sum(map(len, encoded)) + len(head)), head, *encoded])


def traced(module: Any, submission: loading.Submission, function: str, args: list[Any], named: list[Any]) -> bytes:
    """Makes one call and records what each line of the learner's files made of their variables."""
    tracer = tracing.Tracer(submission.prefix, submission.files)
    with tracer:
        outcome = call(module, function, args, dict(map(tuple, named)), submission.prefix)
    answers = protocol.decode(_encode_answer(outcome, []))
    return protocol.encode([answers, tracer.events, tracer.complete])


def _content(array: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    """Differs once anything about an array has been changed."""
    return array.shape, array.dtype, array.tobytes()


def _encode_answer(outcome: list[Any], changed: list[Any]) -> bytes:
    """One answer without its length; a value that is no plain data is named instead."""
    try:
        if outcome[0] == "value" and not changed:  # nearly every answer
            return VALUE + protocol.encoded(outcome[1], VALUE_DEPTH) + UNCHANGED
        return protocol.encoded([*outcome, changed], VALUE_DEPTH - 1)
    except protocol.Unencodable as error:
        return protocol.encoded(["unsupported", str(error), changed])
    except RecursionError:
        return protocol.encoded(["unsupported", "a value nested too deep", changed])


def call(module: Any, function: str, args: list[Any], named: dict[str, Any], prefix: str) -> list[Any]:
    """Calls one function and says what came of it, the changed arguments left to the caller."""
    target = vars(module).get(function)
    if target is None:
        return ["missing", function]
    if inspect.isclass(target):
        return ["uncallable", f"{function} is a class; it has to be a function"]
    if not callable(target):
        return ["uncallable", f"{function} is {protocol.describe(target)}; it has to be a function"]
    try:
        value = target(*args, **named)
    except BaseException as error:  # noqa: BLE001 - whatever a learner's function raises is told, not passed on
        if is_refusal(error) and (parameters := parameters_that_refuse(target, args, named)):
            return ["signature", parameters]
        unfinished = str(error.args[0])[:100] if isinstance(error, NotImplementedError) and error.args else ""
        return [
            "raised",
            str(type(error).__name__)[:100],
            loading.message_of(error),
            [list(step) for step in loading.frames(error, prefix)],
            isinstance(error, NotImplementedError),
            unfinished,
            [str(kind.__name__)[:100] for kind in type(error).__mro__][:10],
        ]
    if type(value) is not np.ndarray and inspect.iscoroutine(value):
        value.close()  # else Python would warn, from a line of ours, that nobody awaited it
    return ["value", value]


def is_refusal(error: BaseException) -> bool:
    """Whether Python may have refused a call: of the function itself, or of one that a decorator hands it on to."""
    if type(error) is not TypeError or error.__traceback__ is None:
        return False
    return error.__traceback__.tb_next is None or any(words in loading.message_of(error) for words in REFUSALS)


def parameters_that_refuse(target: Any, args: list[Any], named: dict[str, Any]) -> str:
    """The function's own parameters, if the call does not fit them; empty if it does or nobody can know.

    Only a call that was refused is looked at: what a decorator makes may take more, or less, than what it decorates.
    """
    for follow in (False, True):
        try:
            signature = inspect.signature(target, follow_wrapped=follow)
        except (TypeError, ValueError):
            return ""
        try:
            signature.bind(*args, **named)
        except TypeError:
            return ", ".join(parameter.name for parameter in signature.parameters.values())[:200] or "no parameters"
    return ""
