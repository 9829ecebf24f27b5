"""The same run on a Dask cluster: a scheduler and workers on this machine, loopback alone."""

from __future__ import annotations

import csv
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from grader.errors import UsageError
from grader.lesson import shipped_lesson
from grader.workflows.batch import pool

Client = pytest.importorskip("distributed", reason="the extra `cluster` is not installed").Client

LESSON = shipped_lesson()
COUNT = 24


def free_port():
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def cluster(tmp_path):
    """A scheduler: its address, and what starts a worker of it and gives the process."""
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    port = address.rpartition(":")[2]
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port]
    processes = [subprocess.Popen([*dask, "--no-dashboard"], **quiet)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nworkers", "1", "--nthreads", "1"]
    worker += ["--host", "127.0.0.1", "--no-dashboard", "--no-nanny", "--local-directory", str(tmp_path)]

    def start():
        processes.append(subprocess.Popen(worker, **quiet))
        return processes[-1]

    try:
        yield address, start
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def rows(out):
    """The gradebook's rows by submission."""
    with (out / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        found = list(csv.DictReader(file))
    assert len(found) == len({row["submission"] for row in found})
    return {row["submission"]: row for row in found}


@pytest.mark.filterwarnings("default")
def test_cluster_grades_as_this_machine_does(tmp_path, cluster, grade, environment):
    """A cluster gives the rows that this machine gives, also when a worker is killed in the middle."""
    address, start = cluster
    workers = [start(), start()]
    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    for number in range(COUNT):
        folder = tmp_path / "in" / f"s{number:02}"
        folder.mkdir(parents=True)
        text = LESSON["softmax"].reference.read_text()
        (folder / "softmax.py").write_text(text.replace("axis=axis", "axis=0") if number % 2 else text)
    assert 0 == grade("batch", "in", "-o", "local", "--seed", "3", cwd=tmp_path).code
    command = ["batch", "in", "-o", "far", "--seed", "3", "--executor", "dask", "--scheduler", address]
    run = subprocess.Popen(
        [sys.executable, "-m", "grader", *command], cwd=tmp_path,
        env=environment({"PYTHONWARNINGS": "default"}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    reports = tmp_path / "far" / "reports"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and (not reports.is_dir() or len(list(reports.glob("*.json"))) < 3):
        time.sleep(0.02)
    os.kill(workers[0].pid, signal.SIGKILL)
    out, err = run.communicate(timeout=120)
    assert 0 == run.returncode, err
    assert f"{COUNT} submissions: {COUNT} graded." in out
    assert rows(tmp_path / "local") == rows(tmp_path / "far")


@pytest.mark.filterwarnings("default")
def test_workers_that_are_still_starting(tmp_path, cluster, environment, monkeypatch):
    """A run that is started together with its cluster waits for the first worker, but not for ever."""
    address, start = cluster
    (tmp_path / "in" / "ann").mkdir(parents=True)
    (tmp_path / "in" / "ann" / "softmax.py").write_text(LESSON["softmax"].reference.read_text())
    with Client(address, timeout=60, set_as_default=False) as client:
        monkeypatch.setattr(pool, "FIRST_WORKER_S", 0.1)
        with pytest.raises(UsageError, match="has no workers yet"), pool.dask_crew(address):
            pass
        command = ["batch", "in", "-o", "out", "--executor", "dask", "--scheduler", address]
        run = subprocess.Popen(
            [sys.executable, "-m", "grader", *command], cwd=tmp_path,
            env=environment({"PYTHONWARNINGS": "default"}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and run.poll() is None and client.run_on_scheduler(_clients) < 2:
            time.sleep(0.05)
        start()
        out, err = run.communicate(timeout=120)
    assert 0 == run.returncode, err
    assert "1 submission: 1 graded." in out


def _clients(dask_scheduler):
    """How many clients a scheduler has; run there."""
    return sum(name.startswith("Client") for name in dask_scheduler.clients)


@pytest.mark.filterwarnings("default")
def test_no_scheduler(tmp_path, grade):
    """A scheduler that does not answer is wrong use, told within the time it takes to be sure."""
    (tmp_path / "in" / "ann").mkdir(parents=True)
    (tmp_path / "in" / "ann" / "softmax.py").write_text("")
    address = f"tcp://127.0.0.1:{free_port()}"
    command = ("batch", "in", "-o", "out", "--executor", "dask", "--scheduler", address)
    ran = grade(*command, cwd=tmp_path, env={"PYTHONWARNINGS": "default"})
    assert 2 == ran.code
    assert f"grade: --scheduler {address}: no Dask scheduler answers there" in ran.err
