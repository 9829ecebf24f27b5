"""What this machine has, for ``grade doctor``: each finding a name, what was found, and whether it is well."""

from __future__ import annotations

import platform
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from grader import __version__
from grader.errors import GradeError
from grader.limits import Limits
from grader.model import Isolation
from grader.sandbox import launch
from grader.sandbox.launch import Starting
from grader.store import Progress
from grader.text import count

if TYPE_CHECKING:
    from pathlib import Path

    from grader.lesson import Lesson
    from grader.workflows.workspace import Workspace

SHUT = {
    Isolation.BUBBLEWRAP: "own processes, network and files: only Python and numpy are to be seen, read-only",
    Isolation.LANDLOCK: "files: only Python and numpy can be read, nothing can be written",
    Isolation.PROCESS: "resource limits only, beside what the filter of system calls adds",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's report."""

    name: str
    found: str
    well: bool = True


def examine(lesson: Lesson, workspace: Workspace | None) -> list[Finding]:
    """Looks at Python, numpy, every isolation and the workspace's state."""
    findings = [
        Finding("grade", f"{__version__}, lesson {lesson.id} from {lesson.manifest}"),
        Finding("python", f"{platform.python_version()} at {sys.executable}"),
        Finding("system", f"{platform.system()} {platform.release()} on {platform.machine()}"),
        Finding("pytest", metadata.version("pytest")),
        *_numpy(),
    ]
    strongest = None
    for isolation in launch.STRONGEST_FIRST:
        finding = _isolation(isolation)
        findings.append(finding)
        if finding.well and strongest is None:
            strongest = isolation
    if strongest is None:
        findings.append(Finding("in force", "none: nothing can be graded here", well=False))
    else:
        why = "; ".join(f"{f.name}: {f.found}" for f in findings if not f.well and f.name in set(Isolation))
        findings.append(Finding("in force", f"{strongest}" + (f" (no stronger one: {why})" if why else "")))
    return [*findings, *_state(workspace)]


def _numpy() -> list[Finding]:
    try:
        import numpy as np
    except ImportError as error:
        return [Finding("numpy", f"cannot be imported: {error}", well=False)]
    config = np.show_config(mode="dicts")
    blas = config.get("Build Dependencies", {}).get("blas", {}) if isinstance(config, dict) else {}
    return [
        Finding("numpy", f"{np.__version__} at {np.__file__}"),
        Finding("blas", f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip()),
    ]


def _isolation(isolation: Isolation) -> Finding:
    """Tries one isolation for real: starts a worker, forks a child, ends both."""
    from grader.sandbox.zygote import connect

    starting = Starting(isolation)
    try:
        with connect(starting) as zygote:
            zygote.fork(Limits()).end()
            filtered = "system calls filtered" if zygote.seccomp else "system calls not filtered on this machine"
            version = f", Landlock version {zygote.landlock}" if zygote.landlock else ""
            return Finding(isolation, f"works{version}; {SHUT[isolation]}; {filtered}")
    except GradeError:
        return Finding(isolation, f"not to be had: {starting.why_not.get(isolation, 'it broke')}", well=False)


def _state(workspace: Workspace | None) -> list[Finding]:
    if workspace is None:
        return [Finding("workspace", "none here; `grade init lesson` makes one")]
    findings = [Finding("workspace", str(workspace.root))]
    try:
        with Progress(workspace.state) as progress:
            started = sum(best.is_started for best in progress.best().values())
        findings.append(Finding("progress", f"{count(started, 'exercise')} started, in {progress.path}"))
    except GradeError as error:
        findings.append(Finding("progress", str(error), well=False))
    left = "left by a run that was killed; it can be removed"
    findings += [Finding("stale", f"{path}: {left}", well=False) for path in _stale(workspace.root)]
    free_bytes = shutil.disk_usage(workspace.root).free
    if free_bytes < 50 << 20:
        findings.append(Finding("disk", f"only {free_bytes >> 20} MiB are free", well=False))
    return findings


def _stale(root: Path) -> list[Path]:
    """Files that a killed run may have left half written."""
    folders = [root, root / "exercises", root / ".grade", root / ".grade" / "backups"]
    return [
        path
        for folder in folders
        if folder.is_dir()
        for path in sorted(folder.iterdir())
        if path.name.startswith(".")
        and len(path.name.rsplit(".", 1)[-1]) == 8
        and path.is_file()
        and path.name.count(".") >= 3
    ]
