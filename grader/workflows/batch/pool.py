"""Hands tasks to an executor, a bounded number at a time, and sees every one of them through.

Any executor of ``concurrent.futures`` will do: a pool of local processes and a Dask cluster are used alike. A task
whose process was killed is given out again; one that hits a time limit without having had its CPU time, or
that is there whenever a process dies, is done once more at the end, alone, before that counts.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.errors import GradeError, SandboxError, UsageError
from grader.workflows.batch.tasks import Graded, Task, WeakIsolationError, do, end_with_parent, with_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

IN_FLIGHT = 3  # tasks a worker: one that it does, and some on their way to it
MAX_DEATHS = 2
MAX_SUSPECTS = 1_000
FIRST_WORKER_S = 60.0  # until then a cluster may still be starting
COUNT_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Failed:
    """A task that could not be done, through no fault of the submission's that could be shown."""

    task: Task
    why: str


class Crew:
    """An executor that can be had anew when a death of a process has broken it.

    Args:
        start: makes the executor.
        size: says how many tasks it does at once, which may change.
        kill: ends it without waiting for what it does.
    """

    def __init__(
        self, start: Callable[[], Executor], size: Callable[[], int], kill: Callable[[Executor], None]
    ) -> None:
        self._start = start
        self._kill = kill
        self._executor: Executor | None = None
        self.size = size

    def submit(self, task: Task) -> Future[Graded]:
        """Gives out a task; a broken executor is replaced first."""
        try:
            return self._living().submit(do, task)
        except BrokenExecutor:
            self.renew()
            return self._living().submit(do, task)

    def _living(self) -> Executor:
        if self._executor is None:
            self._executor = self._start()
        return self._executor

    def renew(self) -> None:
        """Lets go of a broken executor; the next task gets another."""
        if self._executor is not None:
            self._kill(self._executor)
            self._executor = None

    def close(self) -> None:
        """Ends whatever still runs."""
        self.renew()


def local_crew(workers: int) -> Crew:
    """A pool of processes of this machine, which end with this one."""

    def start() -> Executor:
        context = multiprocessing.get_context("spawn")  # a fork would inherit threads' locks, and the ledger
        return ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent)

    def kill(executor: Executor) -> None:
        processes = list((getattr(executor, "_processes", None) or {}).values())
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
        # One that was killed while it sent a result leaves half of it, and the executor's thread waits for the rest as
        # long as anybody could send it: this process holds that end of the pipe open too.
        sending = getattr(getattr(executor, "_result_queue", None), "_writer", None)
        if sending is not None:
            sending.close()
        executor.shutdown(wait=True, cancel_futures=True)

    return Crew(start, lambda: workers, kill)


@contextmanager
def dask_crew(scheduler: str) -> Iterator[Crew]:
    """The workers of a Dask cluster, through its executor; more may come as long as the run goes on.

    Raises:
        UsageError: Dask is not installed, or nothing answers, or no worker comes.
    """
    try:
        import distributed
    except ImportError as error:
        raise UsageError("--executor dask needs Dask: python -m pip install distributed, on every machine") from error
    try:
        client: Any = distributed.Client(scheduler, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call,unused-ignore]
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(f"--scheduler {scheduler}: no Dask scheduler answers there ({error})") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER_S)  # who starts them and us in one go is too early
        except TimeoutError as error:
            raise UsageError(
                f"--scheduler {scheduler} has no workers yet: start some with `dask worker {scheduler}`"
            ) from error
        counted_at, threads = -COUNT_EVERY_S, 1

        def size() -> int:
            nonlocal counted_at, threads
            if time.monotonic() >= counted_at + COUNT_EVERY_S:  # the scheduler has to be asked
                with suppress(OSError):  # one that is gone is heard of by every task
                    threads = max(1, sum(client.nthreads().values()))
                counted_at = time.monotonic()
            return threads

        # A result is kept by us alone, so a submission graded twice after a death is still recorded once.
        crew = Crew(lambda: client.get_executor(pure=False, retries=3), size, _cancel)
        yield crew
        crew.close()


def _cancel(executor: Executor) -> None:
    executor.shutdown(wait=False)


def workers_here() -> int:
    """How many processes this machine can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def carry_out(crew: Crew, tasks: Iterable[Task]) -> Iterator[Graded | Failed]:
    """Gives out the tasks and yields what came of each, in the order in which they end.

    Raises:
        GradeError: the grader could not do its job at all.
    """
    suspects: dict[str, Task] = {}
    first: dict[str, Graded] = {}
    for task, outcome in _all(crew, tasks, lambda: crew.size() * IN_FLIGHT):
        if isinstance(outcome, Graded) and not outcome.starved:
            yield outcome
            continue
        suspects[task.key] = task
        if isinstance(outcome, Graded):
            first[task.key] = outcome
        if len(suspects) >= MAX_SUSPECTS:  # they are held in memory until then
            yield from _alone(crew, suspects, first)
    yield from _alone(crew, suspects, first)


def _alone(crew: Crew, suspects: dict[str, Task], first: dict[str, Graded]) -> Iterator[Graded | Failed]:
    """Does tasks once more, one at a time, with nothing else of ours running."""
    for task, outcome in _all(crew, [*suspects.values()], lambda: 1):
        before = first.pop(task.key, None)
        if isinstance(outcome, Graded):
            same = before is not None and before.row.points == outcome.row.points
            yield outcome if before is None or same else with_note(outcome, "a limit was hit at first, not again alone")
        elif before is not None:
            yield before
        else:
            yield Failed(task, outcome)
    suspects.clear()


def _all(crew: Crew, tasks: Iterable[Task], window: Callable[[], int]) -> Iterator[tuple[Task, Graded | str]]:
    """Every task with its result, or with why it has none; as many at once as the window says."""
    source = iter(tasks)
    waiting: dict[Future[Graded], Task] = {}
    again: list[Task] = []
    deaths: Counter[str] = Counter()
    while True:
        while len(waiting) < window() and (task := again.pop() if again else next(source, None)) is not None:
            waiting[crew.submit(task)] = task
        if not waiting:
            return
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        died: list[tuple[Task, BaseException]] = []
        for future in done:
            task = waiting.pop(future)
            error = _error(future)
            if error is None:
                yield task, future.result()
            elif _is_death(error):
                died.append((task, error))
            elif isinstance(error, GradeError):
                raise error
            else:
                yield task, f"a fault in the grader itself: {error!r}"
        broken = next((error for _, error in died if isinstance(error, BrokenExecutor)), None)
        if broken is not None:  # the whole pool went with the process, and whoever killed it is among these
            died += [(task, broken) for task in waiting.values()]
            waiting.clear()
            crew.renew()
        for task, error in died:
            deaths[task.key] += 1
            if deaths[task.key] < MAX_DEATHS:
                again.append(task)
            else:
                yield task, f"the process that graded it ended each time: {error}"


def _error(future: Future[Graded]) -> BaseException | None:
    """Why a task that has ended has no result, None if it has one.

    Raises:
        GradeError: whoever gave out the tasks is gone.
    """
    try:
        error = future.exception()
    except CancelledError as cancelled:
        error = cancelled
    if isinstance(error, CancelledError) or type(error).__name__ in ("FutureCancelledError", "CommClosedError"):
        raise GradeError("the cluster's scheduler is gone. What is done is kept: run the same command again") from error
    return error


def _is_death(error: BaseException) -> bool:
    """Whether an error says that a process died, in the words of either kind of executor, or that a worker did."""
    if isinstance(error, SandboxError):
        return not isinstance(error, WeakIsolationError)
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"
