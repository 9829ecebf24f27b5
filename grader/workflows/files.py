"""Writes files so that nothing half written, stale or of somebody else's is left."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from grader.errors import UsageError


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that it is there whole or not at all, whatever interrupts.

    Raises:
        OSError: it cannot be written.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):  # the reason to be told is the one that brought us here
            os.unlink(temporary)
        raise


def make_way(output: Path) -> None:
    """Sees to it that a result file can be written, and removes an earlier run's, not to be taken for this one's.

    A device or a pipe (``/dev/stdout``) is left where it is, to be written into.

    Raises:
        UsageError: there is a folder or a Python file in its place, no folder to put it in, or it cannot be replaced.
    """
    if output.is_dir():
        raise UsageError(f"--output {output} is a folder; name a file")
    if output.suffix == ".py":
        raise UsageError(f"--output {output} would replace a Python file; name another")
    if _is_stream(output):
        return
    path = _led_to(output)
    if not path.parent.is_dir():
        raise UsageError(f"--output {output}: there is no folder {path.parent}")
    try:
        if path.is_file():
            path.unlink()
    except OSError as error:
        raise UsageError(f"--output {output} cannot be replaced: {error.strerror}") from error


def write_result(output: Path, content: bytes) -> None:
    """Writes a result file whole, or into the device or pipe that is there.

    Raises:
        OSError: it cannot be written.
    """
    if _is_stream(output):
        with output.open("wb") as stream:
            stream.write(content)
    else:
        write_whole(_led_to(output), content)


def _is_stream(output: Path) -> bool:
    """Whether a path names something that is written into: a device, a pipe, an open file by its number."""
    return output.absolute().parts[1:2] in (("dev",), ("proc",)) or (output.exists() and not output.is_file())


def _led_to(output: Path) -> Path:
    """Where a link to a file leads, so that it stays a link."""
    return Path(os.path.realpath(output)) if output.is_symlink() else output
