"""What the learner's lines make, and which is the first to make something wrong: in a real sandbox, on real files."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import textwrap
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from grader.diagnosis import steps
from grader.diagnosis.catalogue import Catalogue, Form, Standing, constant_factor, show_factor
from grader.diagnosis.reference import load_steps
from grader.expect import Answer, Learner, Verdict, same
from grader.expect.show import show_apart, show_array
from grader.expect.steps import Probe, Step, Steps
from grader.judge.bench import Bench
from grader.judge.processes import Processes
from grader.judge.references import load_references
from grader.lesson import shipped_lesson
from grader.model import Cause, CheckResult, ExerciseResult, Mistake, Outcome
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import connect
from grader.worker.tracing import Tracer, statements
from grader.workflows.benches import Benches
from grader.workflows.trace import CALL_S, COMMAND_S, trace_exercise, with_first_wrong_step

CONTENT = Path(__file__).parent / "content"
LESSON = shipped_lesson()
SOLUTIONS = {exercise.filename: exercise.reference.read_bytes() for exercise in LESSON.exercises}
REFERENCES = load_references(LESSON)
WHEATS = sorted(CONTENT.glob("wheats/*/*.py"))

# file: what its first wrong line does, by a part of that line; and what is said of it, by parts.
WRONG = {
    "attention/add_boolean_mask": ("scores + mask", "off in 15 of 15", "masked scores"),
    "attention/causal_only": ("causal = np.tril", "another mask", "mask"),
    "attention/epsilon": ("+ 1e-6", "off in", "weights"),
    "attention/first_mask_for_all": ("mask = mask[0]", "of shape (3, 5)", "of shape (2, 3, 5)"),
    "attention/floor_division": ("//", "off in", "scores / sqrt(d_k)"),
    "attention/half_precision": ("float16", "float16", "float64"),
    "attention/inverted_mask": ("np.where(mask, -np.inf", "off in", "masked scores"),
    "attention/mask_after_softmax": ("weights * mask", "off in", "weights"),
    "attention/mask_ignored": ("softmax(scores", "made from scaled scores", "made from masked scores"),
    "attention/mask_leaks": ("last_mask, scores", "off in", "scaled scores"),
    "attention/not_scaled": ("np.where(mask", "made from scores", "made from scaled scores"),
    "attention/one_batch_element": ("broadcast_to(weights", "weights[0, :, :], repeated", "weights"),
    "attention/returns_scores": ("return output, scores", "masked scores", "weights"),
    "attention/scaled_by_dk": ("/ d_k", "scores (q @ k^T) times 1/6", "scores times 1/2.449"),
    "attention/scaled_by_sqrt_nq": ("d_k = q.shape[-2]", "3, which makes `scores`", "scores times 1/2.449"),
    "attention/scaled_twice": ("scores / np.sqrt", "made from q times 1/2.449", "made from q"),
    "attention/softmax_over_all": ("e / e.sum()", "times 1/", "weights"),
    "attention/softmax_over_queries": ("axis=-2", "sums to 1 along axis -2", "sum to 1 along axis -1"),
    "attention/swapped_results": ("return weights, output", "weights, of shape (3, 5)", "output"),
    "attention/weights_times_keys": ("(weights, k)", "made from k", "made from v"),
    "multihead/averaged_heads": ("mean(axis=-3)", "off in", "merged heads"),
    "multihead/first_slice_for_all": ("x[..., 0:d]", "x[:, 0:2], repeated", "split features"),
    "multihead/interleaved_heads": ("d_model // num_heads, num_heads", "x, reshaped", "split features"),
    "multihead/no_w_o": ("return merge_heads", "merged heads", "merged heads @ w_o"),
    "multihead/split_by_reshape": ("reshape", "x, reshaped", "heads before tokens"),
    "multihead/values_with_key_weights": ("w_k", "k by heads", "v by heads"),
    "multihead/w_o_transposed": ("w_o.T", "w_o with its axes in another order", "output"),
    "projections/chained": ("q @ w_k", "made from q", "made from x"),
    "projections/values_second": ("return q, v, k", "v, of shape", "k: x @ w_k"),
    "projections/values_with_key_weights": ("v = x @ w_k", "k", "v: x @ w_v"),
    "softmax/axis_ignored": ("np.sum(e, axis=-1", "sums to 1 along axis -1", "sum to 1 along axis -2"),
    "softmax/base_two": ("2.0 **", "off in", "exponentials"),
    "softmax/single_precision": ("float32", "x in float32", "float64"),
    "softmax/temperature": ("np.sqrt(x.shape[axis])", "x times 1/2.236", "x"),
}
# Nothing is said where no line is wrong by itself, or where it cannot be known which of two is.
SILENT = (
    "attention/cached_scores", "attention/mask_changed", "attention/mask_required", "attention/only_output",
    "attention/transposed_weights", "multihead/heads_of_each_position", "multihead/keys_and_values_swapped",
    "multihead/queries_as_keys", "multihead/weights_transposed", "softmax/default_axis_zero", "softmax/returns_none",
)  # fmt: skip


@pytest.fixture(scope="module")
def zygote():
    """A worker for all tests of this file."""
    with connect(Starting()) as one:
        yield one


@contextmanager
def benches_of(stem, submission, zygote):
    """The functions of one exercise, as ``grade trace`` calls them."""
    with Processes(zygote, submission, LESSON) as processes:
        yield Benches(LESSON[stem], processes, REFERENCES, CALL_S, COMMAND_S)


@pytest.fixture
def explained(zygote):
    """Traces one exercise, given the text of its file."""

    def look(stem, text, *, within_s=20.0):
        files = SOLUTIONS | {f"{stem}.py": text.encode()}
        submission = Submission("exercises/", files)
        with benches_of(stem, submission, zygote) as benches:
            return trace_exercise(LESSON[stem], REFERENCES, benches, within_s=within_s, even_if_right=True)

    return look


@pytest.fixture
def traced(zygote):
    """The events of one call of softmax, given the text of its file."""

    def look(text, x=None, *, more=None, wall_s=5.0):
        files = {"softmax.py": textwrap.dedent(text).encode()} | (more or {})
        with Processes(zygote, Submission("exercises/", files), LESSON) as processes:
            bench = Bench(processes, LESSON["softmax"], REFERENCES["softmax"])
            return bench.trace(Probe("softmax", (np.arange(3.0) if x is None else x,)), wall_s)

    return look


def text_of(name, kind="chaffs"):
    """The text of a file of the collection."""
    return (CONTENT / kind / f"{name}.py").read_text()


def shown(trace):
    """Line, kind, variable and value of each event."""
    return [
        (event.line, event.kind, event.variable, event.value if isinstance(event.value, str) else event.value.tolist())
        for event in trace.events
    ]


@pytest.mark.parametrize("name", WRONG)
def test_first_wrong_step_is_the_wrong_line(explained, name):
    """The first wrong step is the line that the file's own first sentence says is wrong; what it is, and should be."""
    part, found, should = WRONG[name]
    text = text_of(name)

    step = explained(name.partition("/")[0], text).first

    assert f"exercises/{name.partition('/')[0]}.py" == step.path
    assert part in text.splitlines()[step.line - 1]
    assert found in step.found
    assert should in step.should_be


@pytest.mark.parametrize("name", SILENT)
def test_no_line_is_blamed_without_proof(explained, name):
    """Where no line is proved to be the first wrong one, none is named."""
    assert explained(name.partition("/")[0], text_of(name)).first is None


@pytest.mark.parametrize("path", WHEATS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_right_code_has_no_wrong_step(explained, path):
    """Right code, whatever its way, is said to be right, and no line of it is blamed."""
    result = explained(path.parent.name, path.read_text())

    assert (True, None) == (result.right, result.first)


@pytest.mark.parametrize("stem", LESSON.stems)
def test_every_line_of_a_solution_is_a_step(explained, stem):
    """Every array in the solution is a step of the reference, by name."""
    rows = explained(stem, SOLUTIONS[f"{stem}.py"].decode()).rows

    assert [] == [(row.traced.line, row.label) for row in rows if row.is_array and row.named.standing > Standing.PLAIN]


@pytest.mark.parametrize("stem", LESSON.stems)
def test_named_steps_give_what_the_solution_gives(stem):
    """The references with their steps named return what the solutions return."""
    module = load_steps(LESSON[stem].steps, LESSON[stem].functions)
    for probe in module.probes(np.random.default_rng(3)):
        with np.errstate(over="ignore"):  # steps of other ways may overflow
            named = getattr(module, probe.function)(Steps(), *probe.args, **probe.named)
        plain = getattr(REFERENCES[stem], probe.function)(*probe.args, **probe.named)
        for got, wanted in zip(
            *(value if isinstance(value, tuple) else (value,) for value in (named, plain)), strict=True
        ):
            np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def test_loops_helpers_and_changes_in_place_are_seen(traced):
    """Bindings, changes in place, loops, calls of helpers and what they return give an event each."""
    trace = traced("""\
        import numpy as np
        def half(y):
            return y / 2
        def softmax(x, axis=-1):
            out = np.zeros(2)
            for i in range(2):
                out[i] = i + 5.0
            x = half(out)
            return x, out
        """)

    assert [
        (4, "argument", "x", [0.0, 1.0, 2.0]),
        (4, "argument", "axis", -1),
        (5, "set", "out", [0.0, 0.0]),
        (6, "set", "i", 0),
        (7, "set", "out", [5.0, 0.0]),
        (6, "set", "i", 1),
        (7, "set", "out", [5.0, 6.0]),
        (8, "argument", "y", [5.0, 6.0]),
        (3, "returned", "", [2.5, 3.0]),
        (8, "set", "x", [2.5, 3.0]),
        (9, "returned", "[0]", [2.5, 3.0]),
        (9, "returned", "[1]", [5.0, 6.0]),
    ] == shown(trace)
    assert trace.complete


def test_siblings_and_comprehensions_are_seen(traced):
    """Calls into files beside the exercise, and lists that a comprehension makes, are seen."""
    text = """\
        from helpers import twice
        def softmax(x, axis=-1):
            rows = [twice(v) for v in x]
            return rows
        """
    trace = traced(text, more={"helpers.py": b"def twice(v):\n    w = v * 2\n    return w\n"})

    told = shown(trace)
    assert (2, "set", "w", 2.0) in told
    assert (3, "set", "rows", [0.0, 2.0, 4.0]) in told
    assert {"exercises/softmax.py", "exercises/helpers.py"} == {event.path for event in trace.events}


def test_long_statement_counts_once(traced):
    """A statement over several lines is one step, at its first line, with the names that it reads."""
    trace = traced("""\
        def softmax(x, axis=-1):
            y = (
                x
                + 1
            )
            return y
        """)

    (event,) = [event for event in trace.events if event.variable == "y"]
    assert (2, ("x",), False) == (event.line, event.reads, event.bare)


def test_return_inside_with_is_at_the_return(traced):
    """A value returned from within a ``with`` is shown at the ``return``, though Python ends at the ``with``."""
    trace = traced("""\
        import numpy as np
        def softmax(x, axis=-1):
            with np.errstate(all="ignore"):
                y = x * 2
                return y
        """)

    assert [5] == [event.line for event in trace.events if event.kind == "returned"]


@pytest.mark.parametrize(
    "body",
    [
        "import sys; sys.settrace(None); return x * 2",
        "import sys; sys.settrace(lambda *a: 1 / 0); return x * 2",
        "import sys; sys.setprofile(lambda *a: None); return x * 2",
        "import threading; threading.settrace(lambda *a: None); return x * 2",
    ],
)
def test_trace_function_of_the_learner_breaks_nothing(traced, body):
    """A learner's own trace function ends or spoils the trace, and nothing else."""
    trace = traced(f"def softmax(x, axis=-1):\n    {body}\n")

    assert trace is None or trace.value.tolist() == [0.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("def softmax(x, axis=-1):\n    for i in range(10**5):\n        x = x + 1\n    return x\n", False),
        ("def softmax(x, axis=-1):\n    return softmax(x + 1) if x[0] < 50 else x\n", False),
        ("import numpy as np\ndef softmax(x, axis=-1):\n    y = np.zeros(10**6)\n    return x\n", True),
        ("def softmax(x, axis=-1):\n    y = []\n    y.append(y)\n    return x\n", False),
    ],
)
def test_trace_is_bounded(traced, text, complete):
    """Long loops, deep recursion, large arrays and lists that hold themselves stay within the caps."""
    trace = traced(text)

    assert (np.ndarray, complete) == (type(trace.value), trace.complete)
    assert len(trace.events) <= 400
    assert sum(np.asarray(event.value).nbytes for event in trace.events) <= 256 * 1024


def test_objects_of_any_kind_are_named_only(traced):
    """An object is named by its type, and none of its methods is called."""
    trace = traced("""\
        class Rude:
            def __getattribute__(self, name):
                raise SystemExit
            __eq__ = __len__ = __array__ = __iter__ = __repr__ = __class__ = property(lambda self: 1 / 0)
        def softmax(x, axis=-1):
            rude = Rude()
            return x
        """)

    assert (6, "set", "rude", "a Rude") in shown(trace)
    assert [0.0, 1.0, 2.0] == trace.value.tolist()


def test_endless_code_is_cut_off(traced):
    """Code that never ends gives no trace."""
    assert traced("def softmax(x, axis=-1):\n    while True: pass\n", wall_s=0.3) is None


def test_names_are_made_visible(traced):
    """No control character of a name reaches a terminal."""
    trace = traced("""\
        def softmax(x, axis=-1):
            exec("x = 1")
            f = type(softmax)(compile("lambda v: v", "exercises/softmax.py", "eval").co_consts[0].replace(
                co_name="a\\x1b[2Jb", co_varnames=("c\\x1bd",)), {})
            return f(x)
        """)

    names = "".join(event.function + event.variable for event in trace.events)
    assert "a\\x1b[2Jb" in names
    assert names.isprintable()


GOOD = ["exercises/softmax.py", 2, "softmax", 1, 1, "set", "y", 1.0, ["x"], -1, -1, False]


@pytest.mark.parametrize(
    ("at", "value"),
    [(0, "/etc/passwd"), (1, 0), (1, 10**9), (1, "2"), (2, 3), (5, "made up"), (6, None), (7, [1]), (7, None), (8, 1),
     (9, 0.5), (11, None)],
)  # fmt: skip
def test_events_that_make_no_sense_are_dropped(zygote, at, value):
    """Nothing that the worker says of its trace is believed unless it could be true."""
    submission = Submission("exercises/", {"softmax.py": b""})
    bench = Bench(Processes(zygote, submission, LESSON), LESSON["softmax"], REFERENCES["softmax"])

    assert bench._event(GOOD) is not None
    assert bench._event([*GOOD[:at], value, *GOOD[at + 1 :]]) is None
    assert bench._event(GOOD[:-1]) is None
    assert bench._event("no list") is None


def test_tracer_ends_with_its_block():
    """Outside its block the tracer leaves nothing behind."""
    with Tracer("none/", {}):
        pass

    assert sys.gettrace() is None


def test_statements_know_what_they_read():
    """A statement reads what it uses, not what it stores into; a changed variable is read as well."""
    found = statements(b"a[i] = b\nc += d\nfor e in f:\n    g = h\nreturn_ = q, k\nw = np.empty(n)\n")

    assert [("i", "b"), ("c", "d"), ("f",), ("h",), ("q", "k"), ("np", "n")] == [found[n].reads for n in range(1, 7)]
    assert [5] == [n for n, one in found.items() if one.bare and len(one.reads) > 1]
    assert [6] == [n for n, one in found.items() if one.blank]


SCORES = Step("scores", np.random.default_rng(1).normal(size=(3, 5)), "q @ k^T", shift=-1)
MASK = Step("mask", np.array([[True, False, True, True, False]] * 2 + [[False, True, True, False, True]]))


@pytest.mark.parametrize(
    ("value", "standing", "form", "text"),
    [
        (SCORES.value, Standing.RIGHT, Form.WHOLE, "scores"),
        (SCORES.value.astype(np.float32), Standing.RIGHT, Form.WHOLE, "scores"),
        (SCORES.value.T, Standing.RIGHT, Form.MOVED, "scores, axes moved"),
        (SCORES.value[None], Standing.RIGHT, Form.WHOLE, "scores"),
        (SCORES.value[1], Standing.RIGHT, Form.PIECE, "scores[1, :]"),
        (SCORES.value[:, 1:3], Standing.RIGHT, Form.PIECE, "scores[:, 1:3]"),
        (SCORES.value - SCORES.value.max(-1, keepdims=True), Standing.RIGHT, Form.LOOSE, "scores, shifted"),
        (SCORES.value.max(-1), Standing.KNOWN, Form.MADE, "largest of scores along axis -1"),
        (SCORES.value.reshape(5, 3), Standing.KNOWN, Form.MADE, "scores, reshaped"),
        (np.stack([SCORES.value[1]] * 3), Standing.KNOWN, Form.MADE, "scores[1, :], repeated"),
        (SCORES.value / 7, Standing.UNKNOWN, Form.MADE, "scores times 1/7"),
        (SCORES.value**2, Standing.UNKNOWN, Form.NONE, ""),
        (~MASK.value, Standing.PLAIN, Form.WHOLE, "mask, inverted"),
        (MASK.value[0], Standing.PLAIN, Form.PIECE, "mask[0, :]"),
        (np.where(MASK.value, 0.0, -np.inf), Standing.PLAIN, Form.NONE, "mask, in numbers"),
        (np.zeros((3, 5)), Standing.PLAIN, Form.NONE, "all entries 0"),
        (np.asarray(5**0.5), Standing.PLAIN, Form.NONE, "a size, or a power of one"),
        (np.asarray(4), Standing.PLAIN, Form.NONE, "a whole number"),
        ("a Head", Standing.UNKNOWN, Form.NONE, "a Head"),
    ],
)
def test_catalogue_names_values(value, standing, form, text):
    """A value is named by the step it is, in whatever form, and by nothing where it is none."""
    named = Catalogue([SCORES, MASK], [], {3, 5}).name(value)

    assert (standing, form, text) == (named.standing, named.form, named.text)


def test_factors_are_written_as_people_write_them():
    """A factor below 1 is shown as one over a number; masked entries do not hide it, and two entries are no proof."""
    wanted = np.array([1.0, 2.0, 3.0, -np.inf])

    assert ("1/6", "2.449", "-1/2") == (show_factor(1 / 6), show_factor(6**0.5), show_factor(-0.5))
    assert 0.5 == constant_factor(wanted / 2, wanted, 1e-9)
    assert constant_factor(wanted, wanted, 1e-9) is None
    assert constant_factor(np.array([1.0, 2.0]), np.array([2.0, 4.0]), 1e-9) is None


def result(outcome, cause, *mistakes):
    """An exercise with one check."""
    check = CheckResult("values", "Values", outcome, 0.0, 1.0, cause)
    return ExerciseResult(
        "attention", "", "exercises/attention.py", outcome, 0.0, 1.0, (check,), cause, mistakes=mistakes
    )


@pytest.mark.parametrize(
    ("outcome", "cause"),
    [
        (Outcome.PASSED, None),
        (Outcome.NOT_STARTED, None),
        (Outcome.FAILED, Cause.SYNTAX_ERROR),
        (Outcome.FAILED, Cause.TIMEOUT),
        (Outcome.FAILED, Cause.EXCEPTION),
        (Outcome.COULD_NOT_CHECK, Cause.MISSING_PREREQUISITE),
    ],
)
def test_tracing_costs_nothing_where_no_value_is_wrong(outcome, cause):
    """An exercise that passed, was not started or is broken is not traced: not even a worker is asked for."""
    given = result(outcome, cause)

    assert given is with_first_wrong_step(given, LESSON, REFERENCES, None)


def test_only_mistake_gets_the_line(zygote):
    """A mistake that is the only one with a name is at the first wrong line."""
    files = SOLUTIONS | {"attention.py": text_of("attention/scaled_by_dk").encode()}
    mistake = Mistake("scale-by-dk", "", "", "")
    given = result(Outcome.FAILED, Cause.WRONG_VALUE, mistake)

    with benches_of(given.id, Submission("exercises/", files), zygote) as benches:
        told = with_first_wrong_step(given, LESSON, REFERENCES, benches)

    assert [14] == [one.line for one in told.mistakes]
    assert told.first_wrong_step.line == 14


@pytest.fixture
def folder(tmp_path):
    """A folder with solutions but for an attention that is scaled by d_k."""
    for name, data in SOLUTIONS.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "attention.py").write_text(text_of("attention/scaled_by_dk"))
    return tmp_path


def test_report_has_the_first_wrong_step(grade, folder):
    """The JSON report says where a result first goes wrong, what is there and what should be; else null."""
    ran = grade("--in", folder, "--format", "json", "attention", "softmax", cwd=folder)
    steps = {exercise["id"]: exercise["first_wrong_step"] for exercise in json.loads(ran.out)["exercises"]}

    assert {
        "softmax": None,
        "attention": {
            "path": "attention.py",
            "line": 14,
            "variable": "scores",
            "is": "scores (q @ k^T) times 1/6",
            "should_be": "scaled scores: scores times 1/2.449",
        },
    } == steps


def test_text_report_names_the_line(grade, folder):
    """The text report gives the first wrong step two lines at most, its place first."""
    ran = grade("--in", folder, "attention", cwd=folder)
    lines = ran.out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  step "))

    assert "  step      attention.py:14: `scores` is scores (q @ k^T) times 1/6; it should" == lines[at]
    assert "            be scaled scores: scores times 1/2.449" == lines[at + 1]
    assert not lines[at + 2].startswith("   ")


def test_trace_shows_a_wrong_file(grade, folder):
    """``grade trace`` shows line, variable, shape and what it is, and marks the first wrong step."""
    ran = grade("trace", "attention", "--in", folder, cwd=folder)

    assert (0, "") == (ran.code, ran.err)
    assert " line  variable    shape  what it is\n" in ran.out
    assert "   12  q          (3, 6)  q\n" in ran.out
    assert ">  14  scores     (3, 5)  scores times 1/6\n" in ran.out
    assert "First wrong step: attention.py:14, `scores` is scores" in ran.out


def test_trace_shows_a_right_file(grade, folder):
    """``grade trace`` works for right code as well, numbers and all with --all."""
    ran = grade("trace", "softmax.py", "--in", folder, "--all", cwd=folder)

    assert 0 == ran.code
    assert re.search(r"^ +34  shifted +\(3, 5\)  shifted x$", ran.out, re.MULTILINE)
    assert re.search(r"^ +14  axis +-1  a whole number$", ran.out, re.MULTILINE)
    assert ran.out.endswith("The result is right.\n")


@pytest.mark.parametrize("width", [40, 80])
def test_trace_fits_the_terminal(folder, environment, width):
    """No line of the table is wider than the terminal."""
    main, terminal = pty.openpty()
    command = [sys.executable, "-m", "grader", "trace", "multihead", "--in", str(folder)]
    env = environment({"COLUMNS": str(width), "NO_COLOR": "1"})
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, stdin=subprocess.DEVNULL, env=env):
        os.close(terminal)
        said = b""
        while True:
            try:
                piece = os.read(main, 4096)
            except OSError:  # how a terminal says that nobody writes to it any more
                break
            if not piece:
                break
            said += piece
    os.close(main)
    lines = said.decode().splitlines()

    assert any(line.startswith(">  14  scores") for line in lines)
    assert [] == [line for line in lines if len(line) > width]


def test_trace_says_when_there_is_nothing_to_trace(grade, workspace):
    """A stub, or a file that cannot be imported, is no wrong use without a word: it says what to run."""
    (workspace / "exercises" / "attention.py").write_text("def (\n")

    broken = grade("trace", "attention", cwd=workspace)
    unknown = grade("trace", "atention", cwd=workspace)

    assert 2 == broken.code
    assert (
        "grade: there is nothing to trace: exercises/attention.py cannot be called. `grade attention` says why.\n"
        == broken.err
    )
    assert 2 == unknown.code
    assert "Did you mean attention?" in unknown.err


@pytest.mark.parametrize("text", ["softmax = max", "import numpy as np\nsoftmax = np.exp", "softmax = 3"])
def test_trace_of_what_has_no_lines(grade, workspace, text):
    """A name that stands for somebody else's function, or for none, has no line that could be shown."""
    (workspace / "exercises" / "softmax.py").write_text(f"{text}\n")

    ran = grade("trace", "softmax", cwd=workspace)

    said = "grade: there is nothing to trace: a call of softmax runs no line of exercises/softmax.py\n"
    assert (2, "", said) == (ran.code, ran.out, ran.err)


def test_trace_of_a_function_that_sees_no_array(grade, workspace):
    """Where no line makes an array there is no table, and it is said what was left out."""
    (workspace / "exercises" / "softmax.py").write_text("import numpy as np\nsoftmax = np.vectorize(lambda n: n)\n")

    ran = grade("trace", "softmax", cwd=workspace)

    assert (0, "") == (ran.code, ran.err)
    assert "Left out: " in ran.out


def test_trace_of_a_stub_says_that_it_is_not_started(grade, workspace):
    """A file that was not touched is not started; one that was, but returns nothing, is not called wrong either."""
    stub = grade("trace", "softmax", cwd=workspace)
    (workspace / "exercises" / "softmax.py").write_text("def softmax(x, axis=-1):\n    raise NotImplementedError\n")
    empty = grade("trace", "softmax", cwd=workspace)

    assert (2, "") == (stub.code, stub.out)
    assert "grade: there is nothing to trace: exercises/softmax.py is not started\n" == stub.err
    assert 0 == empty.code
    assert empty.out.endswith("\nThe call returned nothing that can be looked at. `grade softmax` says why.\n")


def returned(value):
    """A suite's view of one call that returned a value."""
    learner = Learner({"f": lambda x: x}, lambda calls, _: [Answer("value", (value,)) for _ in calls], None)
    return learner.f(np.zeros(2))


def test_kind_of_float_is_named_where_it_matters():
    """A result that is off for want of digits is said to be of the shorter kind of float; another is not."""
    expected = np.array([0.7, 0.3])

    with pytest.raises(Verdict) as short:
        same(returned(expected.astype(np.float32)), expected, atol=1e-8)
    with pytest.raises(Verdict) as wrong:
        same(returned(expected.astype(np.float32) * 3), expected, atol=1e-8)

    assert (
        "the result: 2 of 2 entries are wrong: it is float32, which keeps too few digits; expected float64"
        == short.value.message
    )
    assert "the result: 2 of 2 entries are wrong" == wrong.value.message


def test_zero_below_zero_and_nan_are_visible():
    """-0.0, nan and entries that differ in a late digit are shown as what they are."""
    assert "[-0. 0. nan -inf]" == show_array(np.array([-0.0, 0.0, np.nan, -np.inf]), 4)
    assert ("-0", "0") == show_apart(-0.0, 0.0)
    assert ("0.2892658", "0.2892659") == show_apart(0.28926581, 0.28926592)
    assert ("nan", "1") == show_apart(np.float64("nan"), 1.0)


def test_what_a_trace_shows_is_kept_for_the_same_trace_only(explained, monkeypatch):
    """A file that does the very same is told the same without another look; one that differs in a line is not."""
    looked = []
    explain = steps._Explainer.explain
    monkeypatch.setattr(steps._Explainer, "explain", lambda self: looked.append(1) or explain(self))
    text = text_of("softmax/sum_over_all")
    once, again = (explained("softmax", text + "\n# a remark\n" * more) for more in (0, 1))

    first = len(looked)
    assert again.first == once.first
    assert first <= steps.MAX_WRONG
    assert explained("softmax", "\n" + text).first.line == once.first.line + 1
    assert len(looked) > first
