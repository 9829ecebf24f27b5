"""Whether a large cohort costs as much a submission as a small one, and how much memory the parent takes.

    python benchmarks/scale.py [SUBMISSIONS]

Grades a tenth of the cohort, then all of it: killed with `kill -9` when half is done, and started again. Says the time
a submission of both, the parent's peak memory, and how many reports the second start had to write again.
"""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from cohort import REPO, make_cohort

from grader.cohort import Status
from grader.store.ledger import Ledger


@dataclass(frozen=True)
class Ran:
    """One run of the program: seconds and the parent's peak memory."""

    elapsed_s: float
    peak_mib: float


def peak_mib(pid: int) -> float:
    """Peak memory of a process so far."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def run(folder: Path, out: Path, kill_at: int | None = None) -> Ran:
    """Grades a folder; ends the program the hard way when so many reports are there."""
    command = [sys.executable, "-m", "grader", "batch", str(folder), "-o", str(out)]
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=REPO, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, peak_mib(process.pid))
        time.sleep(0.25)
        reports = out / "reports"
        if kill_at and reports.is_dir() and sum(1 for _ in reports.iterdir()) >= kill_at:
            process.send_signal(signal.SIGKILL)
            process.wait()
            break
    if kill_at is None and process.returncode:
        sys.exit(f"grade batch exited with {process.returncode}")
    return Ran(time.perf_counter() - started, peak)


def done(out: Path) -> int:
    """How many submissions were done by then; the ledger has the rows of all."""
    with Ledger(out, write=False) as ledger:
        return sum(row.status is not Status.NOT_GRADED for _, row in ledger.rows())


def main(count: int) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        make_cohort(base / "few", count // 10)
        make_cohort(base / "many", count)
        few = run(base / "few", base / "few-out")
        first = run(base / "many", base / "many-out", kill_at=count // 2)
        kept = done(base / "many-out")
        written = len(list((base / "many-out" / "reports").glob("*.json")))
        second = run(base / "many", base / "many-out")
        with (base / "many-out" / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        unchanged = run(base / "many", base / "many-out")
    print(f"{count} submissions: {len(rows)} rows, {len({row['submission'] for row in rows})} of them different")
    print(f"kill -9: {kept} in the ledger, {written - kept} reports written again")
    each_few, each = few.elapsed_s / (count // 10), (first.elapsed_s + second.elapsed_s) / count
    print(f"{count // 10} submissions  {1000 * each_few:7.1f} ms each, parent's peak {few.peak_mib:.0f} MiB")
    print(
        f"{count} submissions  {1000 * each:7.1f} ms each, parent's peak {max(first.peak_mib, second.peak_mib):.0f} MiB"
    )
    print(f"time a submission, {count} to {count // 10}: {each / each_few:.2f} (at most 1.2)")
    print(f"a run with nothing to do: {unchanged.elapsed_s:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
