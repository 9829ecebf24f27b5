"""The sandbox, in every isolation this machine has: what is out of reach, what ends, what is left, where it starts."""

from __future__ import annotations

import dataclasses
import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from grader import protocol
from grader.errors import LessonError, SandboxError
from grader.expect import Verdict
from grader.judge.bench import Bench
from grader.judge.processes import Processes
from grader.judge.references import load_references
from grader.judge.session import judging
from grader.limits import Limits
from grader.model import Cause, Isolation
from grader.sandbox import zygote as zygote_module
from grader.sandbox.child import Fault
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import Zygote, connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.judge.session import Judge
    from grader.lesson import Lesson
    from grader.sandbox.child import Child

LINUX = sys.platform == "linux"
WAIT_S = 20.0
NOBODY = 65534
needs_linux = pytest.mark.skipif(not LINUX, reason="reads /proc")
HANGS = "def softmax(x, axis=-1):\n    while True:\n        pass\n"


def worker_of(isolation: Isolation) -> Zygote:
    """A worker, or a skipped test where this machine cannot have it."""
    try:
        return connect(Starting(isolation))
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.fixture(params=list(Isolation), ids=str)
def isolation(request: pytest.FixtureRequest) -> Isolation:
    """Each isolation that this machine has."""
    worker_of(request.param).close()
    found: Isolation = request.param
    return found


@pytest.fixture
def worker(isolation: Isolation) -> Iterator[Zygote]:
    """A worker in each isolation."""
    with connect(Starting(isolation)) as found:
        yield found


@pytest.fixture
def bench(worker: Zygote, lesson: Lesson) -> Iterator[Callable[..., Bench]]:
    """Puts a softmax.py on the bench."""
    made: list[Processes] = []
    reference = load_references(lesson)["softmax"]

    def put(source: str, **limits: Any) -> Bench:
        exercise = dataclasses.replace(lesson["softmax"], limits=dataclasses.replace(Limits(), **limits))
        files = {"softmax.py": textwrap.dedent(source).encode()}
        made.append(Processes(worker, Submission("exercises/", files), lesson))
        return Bench(made[-1], exercise, reference)

    yield put
    for each in made:
        each.close()


def load(child: Child, source: str, *, wall_s: float = WAIT_S) -> Any:
    """Has a child import a softmax.py."""
    data = np.frombuffer(textwrap.dedent(source).encode(), np.uint8)
    request = protocol.encode(["load", "softmax", "exercises/", [["softmax.py", data]], [], ["softmax"]])
    _, answer = child.exchange([request], 2, wall_s, frozenset())
    return protocol.decode(answer[protocol.LENGTH.size :])


def call(child: Child, x: Any, *, wall_s: float = WAIT_S) -> Any:
    """Calls its softmax."""
    return child.ask(["call", False, [["softmax", [x], []]]], wall_s, frozenset())[0]


def printed_by(bench: Bench) -> str:
    """What a file prints while it is imported; what becomes of the call does not matter."""
    learner = bench.learner()
    try:
        learner.softmax(np.zeros(2))
    except Verdict as verdict:
        return f"{bench.printed()}{verdict.message}"
    return bench.printed()


def marked(mark: str) -> list[int]:
    """The processes that have a word in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue  # it ended meanwhile, or belongs to somebody else
        if mark.encode() in environment:
            found.append(int(pid))
    return found


def wait_until(holds: Callable[[], bool]) -> bool:
    """Waits until something holds; False if it does not come to hold."""
    deadline = time.monotonic() + WAIT_S
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def grade_command(*args: str | Path) -> list[str]:
    """The command line of the program."""
    return [sys.executable, "-m", "grader", *map(str, args)]


@pytest.fixture
def solved(workspace: Path, solve: Callable[..., None]) -> Path:
    """A folder of right solutions."""
    solve(workspace)
    return workspace


# --- what is out of reach -------------------------------------------------------------------------------------


def test_only_python_and_numpy_can_be_read(bench: Callable[..., Bench], isolation: Isolation, repo: Path) -> None:
    """No file of the project, of site-packages, of the person or of the system's settings can be opened or listed."""
    wanted = [
        *repo.glob("solutions/*.py"), *repo.glob("grader/suites/*.py"), *repo.glob("exercises/*"), repo,
        Path(pytest.__file__), Path.home() / ".profile", Path.home() / ".bashrc", Path("/etc/passwd"),
        Path("/etc/hostname"), Path(__file__), Path("/proc/1/environ"), Path("/proc/self/mountinfo"),
    ]  # fmt: skip
    if isolation is Isolation.BUBBLEWRAP:  # it has a /proc of its own, and empty folders on the way to numpy
        wanted = [path for path in wanted if not path.is_relative_to("/proc") and path.is_file()]
    source = f"""
        import os
        for path in {list(map(str, wanted))!r}:
            for look in (os.listdir, lambda path: open(path).read()):
                try:
                    look(path)
                    print("opened", path)
                except (OSError, UnicodeDecodeError) as error:
                    if not isinstance(error, OSError):
                        print("opened", path)
    """
    assert "opened" not in printed_by(bench(source))


def test_the_package_cannot_be_imported(bench: Callable[..., Bench]) -> None:
    """Of the grader a submission can import what the worker runs on, neither suites nor judge nor solutions."""
    for module in ("grader.suites.suite_softmax", "grader.judge.references", "grader.lesson", "grader.sandbox"):
        said = printed_by(bench(f"import {module}\nprint('reached')"))
        assert "reached" not in said
        assert "No module named" in said


def test_a_module_that_acts_when_imported_acts_confined(bench: Callable[..., Bench]) -> None:
    """Naming a module of the standard library that starts a program starts none, in no isolation."""
    said = printed_by(bench("import antigravity, json, numpy.fft\nprint('imported', json, numpy.fft)"))
    assert "imported" in said


@needs_linux
def test_processes_sockets_and_writing_are_refused(bench: Callable[..., Bench], tmp_path: Path) -> None:
    """Starting a process, any socket, a signal to another, a file for writing: each is an error the learner sees."""
    source = f"""
        import os, signal, socket, subprocess
        tries = dict(
            fork=os.fork,
            program=lambda: subprocess.run(["true"]),
            tcp=socket.socket,
            unix=lambda: socket.socket(socket.AF_UNIX),
            pair=socket.socketpair,
            kill_parent=lambda: os.kill(os.getppid(), 0),
            kill_all=lambda: os.kill(-1, 0),
            write=lambda: open("{tmp_path}/x", "w"),
            shared=lambda: open("/dev/shm/x", "w"),
            folder=lambda: os.mkdir("{tmp_path}/x"),
            memory=lambda: os.memfd_create("x"),
            priority=lambda: os.nice(-1),
        )
        for name, attempt in tries.items():
            try:
                attempt()
                print("could", name)
            except OSError:
                print("refused", name)
    """
    found = bench(source)
    if not found._zygote.seccomp:
        pytest.skip("no filter of system calls on this machine")
    said = printed_by(found)
    assert "could" not in said
    assert said.count("refused") == 12
    assert not list(tmp_path.iterdir())


@needs_linux
def test_descriptors_are_those_of_the_worker_alone(bench: Callable[..., Bench]) -> None:
    """A submission holds the null device, its output, its channel and its trace pipe, and nothing else of ours."""
    said = printed_by(
        bench("""
        import os
        held = []
        for number in range(64):
            try:
                os.fstat(number)
                held.append(number)
            except OSError:
                pass
        print(len(held))
        """)
    )
    assert int(said.split()[0]) == 5


# --- limits ---------------------------------------------------------------------------------------------------


def test_a_death_costs_the_check_it_happened_in(bench: Callable[..., Bench]) -> None:
    """After a submission ended its process, hung or flooded, the next check starts from a fresh one."""
    found = bench(
        """
        import os
        import numpy as np

        calls = []

        def softmax(x, axis=-1):
            calls.append(x)
            if x[0] == 1:
                os._exit(3)
            while x[0] == 2:
                pass
            while x[0] == 3:
                print("x" * 10_000)
            return np.full(np.shape(x), len(calls))
        """,
        call_s=0.3,
    )
    causes = []
    for first in (0, 1, 0, 2, 0, 3, 0):
        learner = found.learner()
        try:
            causes.append(learner.softmax(np.array([first, 0.0])).value[0])
        except Verdict as verdict:
            causes.append(verdict.cause)
    assert causes == [1, Cause.CRASH, 1, Cause.TIMEOUT, 1, Cause.OUTPUT_FLOOD, 1]


def test_a_loop_names_its_line(bench: Callable[..., Bench]) -> None:
    """A loop in Python ends at the limit on a call, and the message knows the line."""
    with pytest.raises(Verdict) as caught:
        bench(HANGS, call_s=0.3).learner().softmax(np.zeros(2))
    assert caught.value.cause is Cause.TIMEOUT
    assert caught.value.path == "exercises/softmax.py"
    assert caught.value.line in (2, 3)


def test_a_hang_inside_one_c_call_ends_at_the_limit(bench: Callable[..., Bench]) -> None:
    """A call into C that holds the interpreter lock ends at the limit as well, with its line."""
    with pytest.raises(Verdict) as caught:
        bench("def softmax(x, axis=-1):\n    return 7 ** 7 ** 99\n", call_s=0.3).learner().softmax(np.zeros(2))
    assert caught.value.cause is Cause.TIMEOUT
    assert caught.value.line == 2


def test_time_that_is_used_up_is_not_the_files_fault(bench: Callable[..., Bench]) -> None:
    """When the time of the exercise is used up, further checks are not run, and the file is not called broken."""
    found = bench(HANGS, call_s=0.2, exercise_s=0.3)
    messages = []
    for _ in range(4):
        with pytest.raises(Verdict) as caught:
            found.learner().softmax(np.zeros(2))
        messages.append(caught.value.message)
    assert "not run" in messages[-1]
    assert found.broken is None


@pytest.mark.skipif(not LINUX, reason="address space cannot be limited there")
def test_memory_ends_at_the_limit(bench: Callable[..., Bench]) -> None:
    """Asking for more memory than the limit raises MemoryError in the learner's code, which the verdict names."""
    source = "import numpy as np\ndef softmax(x, axis=-1):\n    return np.ones(2**27)\n"
    found = bench(source, memory_mib=256).learner()
    with pytest.raises(Verdict) as caught:
        _ = found.softmax(np.zeros(2)).value
    assert caught.value.cause is Cause.MEMORY


def test_a_full_frame_takes_the_judge_little_more_than_itself(worker: Zygote) -> None:
    """An answer of 64 MiB takes the judge two copies of it, and a larger one is never received."""
    child = worker.fork(Limits())
    source = "import numpy as np\ndef softmax(x, axis=-1):\n    return np.zeros(int(x))\n"
    load(child, source)
    tracemalloc.start()
    try:
        kind, value, _ = call(child, 8 * 2**20 - 100)
        assert value.nbytes > 63 << 20
        del value
        assert call(child, 8 * 2**20 + 100)[0] == "unsupported"
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        child.end()
    assert kind == "value"
    assert peak < 150 << 20


def test_many_answers_take_the_judge_little_more_than_one(worker: Zygote, lesson: Lesson) -> None:
    """Where all calls are asked at once, answers of 60 MiB to each do not add up, and none outlives its verdict."""
    source = """
        import sys
        worker = sys.modules["grader.worker.child"]
        def receive(wire, real=worker.receive):
            request = real(wire)
            for _ in range(20):
                wire.sendall((60 << 20).to_bytes(4, "little") + bytes(60 << 20))
            return request
        def softmax(x, axis=-1):
            worker.receive = receive
            return x
    """
    limits = dataclasses.replace(Limits(), call_s=2.0, exercise_s=4.0)
    short = dataclasses.replace(lesson["softmax"], limits=limits)
    submission = Submission("exercises/", {"softmax.py": textwrap.dedent(source).encode()})
    peaks = []

    def work(judge: Judge) -> None:
        judge.rehearse(7)
        gc.disable()
        tracemalloc.start()
        try:
            result = judge.grade(short, submission, worker, 7)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
            gc.enable()
        assert {Cause.PROTOCOL} <= {check.cause for check in result.checks}

    judging(lesson, [short], work)
    assert peaks[0] < 250 << 20


def test_printing_without_end_is_kept_short(bench: Callable[..., Bench]) -> None:
    """Whatever a check's calls print, the judge keeps no more than the limit on one call, and shows less."""
    found = bench(
        """
        import numpy as np
        def softmax(x, axis=-1):
            print("\\u202e" * 60_000)
            return x
        """
    )
    learner = found.learner()
    for _ in range(5):
        learner.softmax(np.zeros(2))
    assert len(found._printed) <= 256 << 10
    assert len(found.printed()) < 3_000
    assert "\u202e" not in found.printed()


@pytest.mark.parametrize(
    "body",
    [
        *(
            f"v = 1.0\n    for _ in range({deep}):\n        v = [v]\n    return v"
            for deep in (12, 13, 14, 15, 16, 17, 9999)
        ),
        "return [[0.0] * 300 for _ in range(300)]",
        "return np.zeros(3_000_000)",
        "return ['x' * 900_000] * 30",
    ],
)
def test_results_too_large_for_a_frame_are_no_forgery(bench: Callable[..., Bench], body: str) -> None:
    """What a function returned may be too deep or too much, each by itself or all together: nobody is accused."""
    learner = bench(f"import numpy as np\ndef softmax(x, axis=-1):\n    {body}\n").learner()
    returned = learner.softmax.each(*[(np.zeros(2),)] * 4)
    assert {one.answer.kind for one in returned} <= {"value", "unsupported"}


def test_a_value_the_wire_cannot_carry_is_the_suites_fault(bench: Callable[..., Bench]) -> None:
    """A suite that passes what is no plain data is told so, as a fault of the lesson's."""
    learner = bench("def softmax(x, axis=-1): return x").learner()
    with pytest.raises(LessonError, match="passes an object"):
        learner.softmax(object())


# --- what is left ---------------------------------------------------------------------------------------------


@needs_linux
def test_two_hundred_forks_leak_no_descriptor(worker: Zygote) -> None:
    """After 200 children, dead ones and hung ones among them, judge and worker hold the descriptors they began with."""
    inner = _children(worker._launched.process.pid) or [worker._launched.process.pid]

    def held() -> list[int]:
        return [len(os.listdir(f"/proc/{pid}/fd")) for pid in (os.getpid(), *inner)]

    before = held()
    for number in range(200):
        child = worker.fork(Limits())
        if number % 20 == 0:
            with pytest.raises(Fault):
                load(child, "import os\nos._exit(1)")
        if number % 50 == 1:
            with pytest.raises(Fault):
                load(child, "while True: pass", wall_s=0.05)
        child.end()
        child.end()
    assert held() == before


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@needs_linux
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda s: s.name)
def test_an_ended_grader_leaves_no_process(isolation: Isolation, workspace: Path, end: signal.Signals) -> None:
    """However ``grade`` is ended in the middle of a submission that hangs, nothing of it lives on."""
    (workspace / "exercises" / "softmax.py").write_text(HANGS)
    mark = f"mark{os.getpid()}{isolation}{end}"
    grader = subprocess.Popen(
        grade_command("softmax", "--in", workspace, "--isolation", isolation),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"MKL_CBWR": mark},  # one of the few that the worker is given too
    )
    try:
        processes = 4 if isolation is Isolation.BUBBLEWRAP else 3
        assert wait_until(lambda: len(marked(mark)) >= processes)
        grader.send_signal(end)
        grader.wait(WAIT_S)
        assert wait_until(lambda: not marked(mark))
    finally:
        grader.kill()
        grader.wait()


@needs_linux
def test_a_stuck_worker_is_given_up_and_replaced(
    isolation: Isolation, lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that stops answering is a fault of the grader's, ends with all it started, and a new one works."""
    monkeypatch.setattr(zygote_module, "ANSWER_S", 0.3)
    monkeypatch.setenv("MKL_CBWR", f"mark{os.getpid()}stuck")
    before = len(os.listdir("/proc/self/fd"))
    stuck = connect(Starting(isolation))
    child = stuck.fork(Limits())
    load(child, "softmax = abs")
    pid = next(iter(_children(stuck._launched.process.pid)), 0) if isolation is Isolation.BUBBLEWRAP else 0
    os.kill(pid or stuck._launched.process.pid, signal.SIGSTOP)
    with pytest.raises(SandboxError, match="stopped answering"):
        stuck.fork(Limits())
    with pytest.raises(SandboxError):
        child.end()
    assert wait_until(lambda: not [pid for pid in marked(os.environ["MKL_CBWR"]) if pid != os.getpid()])
    assert len(os.listdir("/proc/self/fd")) == before
    with connect(Starting(isolation)) as fresh:
        child = fresh.fork(Limits())
        load(child, lesson["softmax"].reference.read_text())
        assert call(child, np.zeros(2))[1].tolist() == [0.5, 0.5]
        child.end()


def test_a_worker_outlives_the_thread_that_started_it(isolation: Isolation) -> None:
    """A worker that was started in a thread goes on working when the thread is over."""
    found: list[Zygote] = []
    thread = threading.Thread(target=lambda: found.append(connect(Starting(isolation))))
    thread.start()
    thread.join()
    with found[0] as worker:
        child = worker.fork(Limits())
        load(child, "softmax = abs")
        assert call(child, np.array([-1.0]))[1].tolist() == [1.0]
        child.end()


def test_graders_side_by_side_do_not_meet(isolation: Isolation, solved: Path, tmp_path: Path) -> None:
    """Two graders of right files and one of a file that dies again and again run at once, undisturbed."""
    dying = tmp_path / "dying"
    dying.mkdir()
    (dying / "softmax.py").write_text(
        "import os, time\n\n\ndef softmax(x, axis=-1):\n    time.sleep(0.05)\n    os._exit(1)\n"
    )
    folders = [solved, dying, solved]
    graders = [
        subprocess.Popen(
            grade_command("softmax", "--in", folder, "--isolation", isolation, "--format", "json"),
            stdout=subprocess.PIPE,
        )
        for folder in folders
    ]
    reports = [json.loads(grader.communicate(timeout=60)[0]) for grader in graders]
    assert [report["points"] == report["max_points"] for report in reports] == [True, False, True]
    assert reports[1]["exercises"][0]["cause"] == "crash"


# --- where it can start ---------------------------------------------------------------------------------------


def report_of(command: list[str], **more: Any) -> dict[str, Any]:
    """The JSON report that a command prints."""
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, **more)
    assert done.stdout, done.stderr.decode()
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_it_starts_in_a_deleted_folder(isolation: Isolation, solved: Path, tmp_path: Path) -> None:
    """``grade --in`` works in a current folder that is no longer there."""
    gone = tmp_path / "gone"
    gone.mkdir()
    command = grade_command("--in", solved, "--format", "json", "--isolation", isolation)
    report = report_of(["/bin/sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *command], cwd=gone)
    assert report["isolation"] == isolation
    assert report["points"] == report["max_points"]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_it_starts_with_standard_streams_closed(solved: Path, tmp_path: Path, closed: str) -> None:
    """With any of the standard streams closed, the report is written all the same."""
    output = tmp_path / "report.json"
    command = grade_command("--in", solved, "--format", "json", "--output", output)
    subprocess.run(["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *command], timeout=60, check=True)
    report = json.loads(output.read_text())
    assert report["points"] == report["max_points"]


SHUT = """
import errno, os, sys
from grader.worker import confine

class Without(confine.Filter):
    def __init__(self, calls):
        self.code, self.column = [], confine.ARCHITECTURES[os.uname().machine][0]
        self.emit(confine.LOAD, 0)
        for call in calls:
            self.when((call, call), [(confine.RETURN, 0, 0, confine.DENY | errno.ENOSYS)])
        self.emit(confine.RETURN, confine.ALLOW)

confine.seccomp(bytes(Without(map(int, sys.argv[1].split(",")))))
os.execv(sys.argv[2], sys.argv[2:])
"""


@needs_linux
@pytest.mark.parametrize(
    "shut, fallen_to", [("", Isolation.LANDLOCK), ("444", Isolation.PROCESS)], ids=["no bwrap", "no bwrap, no Landlock"]
)
def test_it_falls_back_one_step_at_a_time(solved: Path, tmp_path: Path, shut: str, fallen_to: Isolation) -> None:
    """A bwrap that fails leaves Landlock, a kernel without Landlock leaves a bare process; the report says why."""
    worker_of(fallen_to).close()
    broken = tmp_path / "bin" / "bwrap"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho bwrap: no namespaces for you >&2\nexit 1\n")
    broken.chmod(0o755)
    command = grade_command("--in", solved, "--format", "json")
    if shut:
        command = [sys.executable, "-c", SHUT, shut, *command]
    report = report_of(command, env=os.environ | {"PATH": f"{broken.parent}:{os.environ['PATH']}"})
    assert report["isolation"] == fallen_to
    assert report["points"] == report["max_points"]
    assert "no namespaces for you" in json.dumps(report)


@needs_linux
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_it_works_for_an_ordinary_user(isolation: Isolation, lesson: Lesson) -> None:
    """A user without privileges gets every isolation that root gets, from a folder that cannot be read."""
    probe = [sys.executable, "-c", "import grader.cli, numpy, pytest"]
    try:
        subprocess.run(probe, user=NOBODY, group=NOBODY, extra_groups=[], cwd="/", capture_output=True, check=True)
    except (PermissionError, subprocess.CalledProcessError):
        pytest.skip("this interpreter, or the package, cannot be read by an ordinary user")
    import tempfile

    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder, dark = Path(name), Path(name) / "dark"
        folder.chmod(0o755)
        dark.mkdir(mode=0o711)
        for exercise in lesson.exercises:
            shutil.copy(exercise.reference, folder / exercise.filename)
        report = report_of(
            grade_command("--in", folder, "--format", "json", "--isolation", isolation),
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            cwd=dark,
            env={"PATH": os.environ["PATH"]},
        )
    assert report["isolation"] == isolation
    assert report["points"] == report["max_points"]
