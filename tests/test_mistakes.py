"""Names of mistakes: the models, the search through them, and what is said where nothing fits."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import yaml

from grader.diagnosis import naming
from grader.diagnosis.models import load_model
from grader.diagnosis.naming import diagnose
from grader.diagnosis.outcomes import Came, agreement, frame_of
from grader.diagnosis.playing import run_calls
from grader.diagnosis.search import Search
from grader.errors import LessonError
from grader.expect.learner import Answer, Answers, Call
from grader.expect.mistakes import Decision, Pick, Refused, Wrong
from grader.judge.processes import Processes
from grader.judge.references import load_references
from grader.judge.session import judging
from grader.lesson import shipped_lesson
from grader.model import Outcome
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import connect
from grader.workflows.benches import Benches
from grader.workflows.explain import CALL_S, TOTAL_S, explained
from grader.workflows.name import diagnosis_of

CONTENT = Path(__file__).parent / "content"
LESSON = shipped_lesson()
REFERENCES = load_references(LESSON)
SOLUTIONS = {exercise.filename: exercise.reference.read_bytes() for exercise in LESSON.exercises}
LABELS = yaml.safe_load((CONTENT / "labels.yaml").read_text(encoding="utf-8"))
MODELS = {exercise.id: load_model(exercise.mistakes, exercise.functions) for exercise in LESSON.exercises}
FEWEST_DECISIONS = {"softmax": 6, "projections": 4, "attention": 8, "multihead": 8}


def decisions_of(stem):
    """The decisions that a model asks about while its probes are run without a deviation."""
    asked = {}
    for name, function in MODELS[stem].functions.items():
        for held_back in (False, True):
            for probe in MODELS[stem].asked(name, held_back=held_back):
                pick = Pick(asked=asked)
                run_calls(
                    probe, lambda *a, f=function, p=pick, **n: f(p, *a, **n), lambda c, p=pick: setattr(p, "call", c)
                )
    return list(asked)


@pytest.fixture(scope="module")
def say():
    """What is known about a source text of an exercise, or about a file of the collection."""
    with connect(Starting()) as zygote:

        def ask(stem, source, **others):
            text = source.read_bytes() if isinstance(source, Path) else source.encode()
            files = SOLUTIONS | {f"{name}.py": code.encode() for name, code in others.items()}
            submission = Submission("exercises/", files | {f"{stem}.py": text})
            exercise = LESSON[stem]
            with Processes(zygote, submission, LESSON) as processes:
                return diagnosis_of(exercise, REFERENCES, Benches(exercise, processes, REFERENCES, CALL_S, TOTAL_S))

        yield ask


@pytest.mark.parametrize("stem", ["softmax", "multihead"])
def test_worker_that_keeps_requests_changes_no_name(say, stem):
    """The first file that a lasting worker sees is told the same as the next, and the same as without one."""
    path = min(CONTENT.glob(f"chaffs/{stem}/*.py"))
    once = say(stem, path)
    submission = Submission("exercises/", SOLUTIONS | {f"{stem}.py": path.read_bytes()})
    with connect(Starting()) as zygote:
        zygote.lasting = True
        for _ in range(2):
            with Processes(zygote, submission, LESSON) as processes:
                benches = Benches(LESSON[stem], processes, REFERENCES, CALL_S, TOTAL_S)
                assert diagnosis_of(LESSON[stem], REFERENCES, benches) == once
    assert once.mistakes


def names(diagnosis):
    """The names given, the alternatives of one in a set with it."""
    return [{one.id, *(other.id for other in one.alternatives)} for one in diagnosis.mistakes]


@pytest.mark.parametrize("stem", LESSON.stems)
def test_model_without_deviation_is_the_solution(stem):
    """With the right choice at every decision a model does what the solution does, on all of its own probes."""
    for name, function in MODELS[stem].functions.items():
        right = getattr(REFERENCES[stem], name)
        for held_back in (False, True):
            for probe in MODELS[stem].asked(name, held_back=held_back):
                pick = Pick()
                came = run_calls(
                    probe, lambda *a, f=function, p=pick, **n: f(p, *a, **n), lambda c, p=pick: setattr(p, "call", c)
                )
                for call, got, wanted in zip(probe.calls, came, run_calls(probe, right), strict=True):
                    assert 1.0 == agreement(got, wanted, frame_of(call, wanted))


@pytest.mark.parametrize("stem", LESSON.stems)
def test_model_has_enough_decisions(stem):
    """Each model opens as many decision points as the exercise deserves, each with a wrong choice."""
    decisions = decisions_of(stem)
    assert FEWEST_DECISIONS[stem] <= len(decisions)
    assert all(decision.choices for decision in decisions)


@pytest.mark.parametrize("stem", LESSON.stems)
def test_words_of_a_mistake(stem):
    """Each mistake has a kebab name, a title in the second person, and one sentence each of what, why and where."""
    for decision in decisions_of(stem):
        for wrong in decision.wrong:
            assert wrong.id == wrong.id.lower().strip("-")
            assert set(wrong.id) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
            assert wrong.ways, wrong.id
            for text in (wrong.title, wrong.does, wrong.why, wrong.look):
                assert text.endswith((".", "?", ".)")), (wrong.id, text)
            assert {"Your", "your"} & set(wrong.title.replace(",", " ").split()), wrong.title


@pytest.mark.parametrize("stem", LESSON.stems)
def test_a_name_has_one_meaning(stem):
    """Within an exercise two mistakes of one name have the same title."""
    titles = {}
    for decision in decisions_of(stem):
        for wrong in decision.wrong:
            assert titles.setdefault(wrong.id, wrong.title) == wrong.title


def test_labels_know_every_file():
    """Every wrong implementation has a label, and every label is of a file."""
    for kind, labels in (("chaffs", LABELS), ("double", LABELS["double"])):
        files = {(path.parent.name, path.stem) for path in CONTENT.glob(f"{kind}/*/*.py")}
        labelled = {(stem, name) for stem in LESSON.stems for name in labels[stem]}
        assert files == labelled


def test_labels_name_mistakes_of_the_models():
    """Every label is a mistake that a model knows, or one that is found without a model."""
    for stem in LESSON.stems:
        known = {wrong.id for decision in decisions_of(stem) for wrong in decision.wrong}
        known |= {"results-at-random", "depends-on-earlier-calls", "entries-dropped", "arguments-not-refused"}
        for label in LABELS[stem].values():
            assert label == "none" or known & set(label), label


@pytest.mark.parametrize(
    "path", sorted(CONTENT.glob("wheats/*/*.py")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_right_files_are_told_nothing(say, path):
    """A right implementation, however it is written, is told neither a mistake nor a symptom, even if one asks."""
    diagnosis = say(path.parent.name, path)
    assert ([], "") == (names(diagnosis), diagnosis.symptom)


NAMED = [
    "softmax/no_max", "softmax/in_place", "softmax/cached_by_id", "softmax/shared_buffer", "softmax/no_keepdims",
    "projections/keys_first", "projections/transposed_weights", "projections/half_precision",
    "attention/scaled_by_dk", "attention/softmax_over_queries", "attention/inverted_mask", "attention/mask_leaks",
    "attention/fill_minus_1e4", "attention/dropout", "attention/only_output", "attention/values_changed",
    "attention/np_dot", "multihead/no_w_o",
    "multihead/split_by_reshape", "multihead/negative_accepted", "multihead/message_with_one_number",
    "multihead/attention_answers_with_text", "multihead/number_of_heads_rounded_away",
    "multihead/message_tells_the_rest", "multihead/as_many_heads_as_features_at_most",
    "multihead/zeros_for_negative_heads", "multihead/slices_counted_on_axis_one", "multihead/layer_of_each_width",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_wrong_file_is_told_its_mistake(say, name):
    """A file with a known mistake is told that one and no other."""
    stem, slug = name.split("/")
    given = names(say(stem, CONTENT / "chaffs" / stem / f"{slug}.py"))
    assert given
    assert all(one & set(LABELS[stem][slug]) for one in given)


DOUBLE = [
    *sorted(CONTENT.glob("double/[as]*/*.py")),
    CONTENT / "double" / "multihead" / "float32_and_matrices_of_each_width.py",  # only the second remembers
]


@pytest.mark.parametrize("path", DOUBLE, ids=lambda path: path.stem)
def test_two_mistakes_are_both_named(say, path):
    """A file with two mistakes is told both."""
    given = names(say(path.parent.name, path))
    for label in LABELS["double"][path.parent.name][path.stem]:
        assert any(one & set(label) for one in given), given


def test_same_file_same_names(say):
    """The search counts decisions, not seconds: a file is told the same each time."""
    path = CONTENT / "double" / "attention" / "epsilon_and_vector_mask.py"
    assert say("attention", path) == say("attention", path)


@pytest.mark.parametrize(
    ("generator", "name"),
    [
        ("rng.random", "results-at-random"),
        ("np.random.default_rng().random", "results-at-random"),
        ("np.random.default_rng(3).random", "entries-dropped"),
    ],
    ids=["seeded once", "unseeded", "seeded in each call"],
)
def test_dropout_is_told_from_memory(say, generator, name):
    """Random numbers that go on from call to call are told as such, and the same ones in each call as dropout."""
    weights = f"weights * ({generator}(weights.shape) > 0.2) / 0.8"
    source = "import numpy as np\nrng = np.random.default_rng(7)\n" + ATTENTION.format(MASKED, f"0 * v, {weights}")
    assert [{name}] == names(say("attention", source))


def test_mistakes_that_behave_alike_are_alternatives(say):
    """Two mistakes that no call can tell apart are reported as either the one or the other."""
    (mistake,) = say("attention", CONTENT / "chaffs" / "attention" / "scaled_by_dk.py").mistakes
    assert "scale-by-dk" == mistake.id
    assert ["scaled-twice"] == [other.id for other in mistake.alternatives]


SOFTMAX = """import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    w = e / np.sum(e, axis=axis, keepdims=True)
    return {}
"""
ATTENTION = """import numpy as np
from softmax import softmax
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    {}
    weights = softmax(scores)
    return {}
"""
MASKED = "scores = scores if mask is None else np.where(mask, scores, -np.inf)"
SYMPTOMS = {
    "softmax": {
        "w * 1.25": "Wherever it is wrong, the result is 1.25 times what it should be.",
        "w if x.dtype != np.float32 else np.cos(w)": "It is wrong for float32 only.",
        "np.flip(w, axis=axis)": "Wherever it is wrong, the result has the right numbers in the wrong places.",
        "w if x.ndim < 3 else np.cos(w)": "It is right with fewer leading axes, and wrong from two leading axes on.",
    },
    "attention": {
        (MASKED, "3 * (weights @ v), weights"):
            "Wherever it is wrong, part 1 of the result is 3 times what it should be.",
        ("scores = scores if mask is None else np.cos(scores + mask)", "weights @ v, weights"):
            "It is right without a mask or other optional argument, and wrong with one.",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("stem", "parts", "symptom"), [(stem, *item) for stem, items in SYMPTOMS.items() for item in items.items()]
)
def test_symptom_where_there_is_no_name(say, stem, parts, symptom):
    """A wrong file that no model reproduces is told what is peculiar about its results, and no name."""
    source = SOFTMAX.format(parts) if stem == "softmax" else ATTENTION.format(*parts)
    diagnosis = say(stem, source)
    assert ([], symptom) == (names(diagnosis), diagnosis.symptom)


@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError('no')",
        "return undefined",
        "import time; time.sleep(9)",
        "import os; os._exit(3)",
        "raise SystemExit",
        "return x.__class__",
        "return [x] * 3",
    ],
)
def test_no_name_without_evidence(say, body):
    """A function that only raises, hangs, ends its process or returns something else is told no mistake."""
    assert [] == names(say("softmax", f"def softmax(x, axis=-1):\n    {body}\n"))


def test_missing_function_and_broken_file_are_told_nothing(say):
    """A file without the function, or one that cannot be imported, is told nothing here."""
    for source in ("", "def softmaks(x):\n    pass\n", "def softmax(x:\n"):
        diagnosis = say("softmax", source)
        assert ([], "") == (names(diagnosis), diagnosis.symptom)


def test_wrong_sibling_is_named_by_its_mistake(say):
    """A mistake in an imported file is named where it shows, by the same name."""
    sibling = SOFTMAX.format("w * 1.0").replace("np.exp(", "np.exp2(")
    assert [{"base-two"}] == names(say("attention", SOLUTIONS["attention.py"].decode(), softmax=sibling))


def test_names_in_every_format(grade, workspace, solve):
    """The report says the mistake: in the JSON with all it has, in the text in at most four lines, before the check."""
    solve(workspace)
    chaff = (CONTENT / "chaffs" / "multihead" / "no_w_o.py").read_bytes()
    (workspace / "exercises" / "multihead.py").write_bytes(chaff)
    report = json.loads(grade("--format", "json", cwd=workspace).out)
    (mistake,) = report["exercises"][3]["mistakes"]
    assert ("output-matrix-left-out", []) == (mistake["id"], mistake["alternatives"])
    assert all(mistake[key] for key in ("title", "explanation", "look"))
    assert [[], [], []] == [exercise["mistakes"] for exercise in report["exercises"][:3]]
    lines = grade(cwd=workspace).out.splitlines()
    told = next(at for at, line in enumerate(lines) if line.startswith(mistake["title"]))
    check = next(at for at, line in enumerate(lines) if line.startswith("multihead: "))
    assert 0 < check - told <= 4
    for name in ("html", "junit", "gradescope", "github"):
        out = grade("--format", name, "--output", "report", cwd=workspace)
        assert mistake["title"] in (workspace / "report").read_text() + out.out


def test_hints_start_with_the_named_mistake(grade, workspace, solve):
    """`grade hint` begins with what to look at for the last attempt's mistake, until an attempt has none."""
    solve(workspace)
    right = (workspace / "exercises" / "softmax.py").read_text()
    wrong = (CONTENT / "chaffs" / "softmax" / "no_max.py").read_text()
    (workspace / "exercises" / "softmax.py").write_text(wrong)
    grade("softmax", cwd=workspace)
    assert grade("hint", "softmax", cwd=workspace).out.startswith("For your last attempt: Try scores around 10,000")
    (workspace / "exercises" / "softmax.py").write_text(right)
    grade("softmax", cwd=workspace)
    assert grade("hint", "softmax", cwd=workspace).out.startswith("1. ")


def same_for_all(value, *all_batches):
    """Answers every call with the same value."""

    def apart(batches):
        return [[Answer("value", (value,)) for _ in calls] for calls, _ in batches]

    calls = [sum(len(calls) for calls, _ in batches) for batches in all_batches]
    marks = [value.tobytes() + bytes([at]) for at, _ in enumerate(calls)]
    parts = [partial(apart, batches) for batches in all_batches]
    return [Answers(mark, count * value.nbytes, part) for mark, count, part in zip(marks, calls, parts, strict=True)]


def test_what_is_remembered_of_others_is_small():
    """Functions are remembered with what they returned; those that return large arrays are not."""
    model = MODELS["softmax"]
    for size, remembered in ((2**15, 0), (3, 1)):
        model.heard.clear()
        model.explained.clear()
        value = np.full(size, 0.5)
        diagnose(model, REFERENCES["softmax"], lambda value=value: partial(same_for_all, value))
        assert (remembered, remembered) == (len(model.heard), len(model.explained))


def test_what_is_remembered_of_others_is_small_together(monkeypatch):
    """However many functions have been heard, what is kept of them has an end; the last ones are kept."""
    model = MODELS["softmax"]
    model.heard.clear()
    monkeypatch.setattr(naming, "MOST_BYTES_IN_ALL", 5_000)
    for number in range(4):
        value = np.full(3, number + 0.5)
        diagnose(model, REFERENCES["softmax"], lambda value=value: partial(same_for_all, value))
        assert sum(one.size for one in model.heard.values()) <= 5_000
    assert [key for key in model.heard if value.tobytes() in key[1]]


def test_the_same_answers_are_looked_into_once():
    """What a function did is known by the bytes of its answers; the same are told the same, and not taken apart."""
    model, value = MODELS["softmax"], np.full(3, 0.25)
    model.heard.clear()
    model.explained.clear()
    first = diagnose(model, REFERENCES["softmax"], lambda: partial(same_for_all, value))

    def unopened(*all_batches):
        return [replace(told, apart=pytest.fail) for told in same_for_all(value, *all_batches)]

    asked = iter([unopened])
    again = diagnose(model, REFERENCES["softmax"], lambda: next(asked, partial(same_for_all, value)))
    assert first.symptom == again.symptom
    assert next(asked, None) is None


def test_exceptions_that_are_asked_for_compare_by_class_and_numbers():
    """Where the contract asks for an exception, two agree if both are of its class and name the same of its numbers."""
    call = Call("split", (np.zeros((5, 6)), 4), {})
    right = Came("raised", said="num_heads=4, d_model=6", family=("ValueError", "Exception"))
    frame = frame_of(call, right)

    def came(text, *family):
        return Came("raised", said=text, family=family)

    both, one = came("6 and 4, not 5", "ValueError"), came("4 heads", "ValueError")
    assert 1.0 == agreement(both, right, frame)
    assert 1.0 > agreement(one, right, frame)
    assert 1.0 == agreement(one, came("bad: 4", "ValueError"), frame)
    assert 1.0 > agreement(came("6 and 4", "TypeError"), right, frame)


def test_exact_zero_is_no_small_weight():
    """Among weights an exact 0 differs from a very small number; elsewhere rounding decides."""
    call = Call("f", (np.zeros(2),), {})
    zero, small = Came("value", np.array([0.0, 1.0])), Came("value", np.array([1e-40, 1.0]))
    assert 1.0 > agreement(small, zero, frame_of(call, zero))
    negative, rounded = Came("value", np.array([0.0, -1.0])), Came("value", np.array([1e-17, -1.0]))
    assert 1.0 == agreement(rounded, negative, frame_of(call, negative))


def test_pick_takes_the_right_way_unless_told():
    """A decision goes the right way where nothing was chosen, and is known afterwards as asked."""
    wrong = Wrong("twice", "Your number is doubled.", "It is.", "No.", "Where?", (lambda x: 2 * x,))
    decision = Decision("how", lambda x: x, wrong)
    pick = Pick()
    assert 3 == pick(decision)(3)
    assert [decision] == list(pick.asked)
    assert 6 == Pick({decision: decision.choices[0].way})(decision)(3)
    assert not pick.remembered
    assert [1, 1] == [pick.keep("key", lambda n=n: n) for n in (1, 2)]
    assert pick.remembered


def test_parameter_decision_refuses_the_calls_it_should():
    """A parameter under another name refuses keywords, one without its default refuses calls that leave it out."""
    from grader.expect.habits import parameters

    decision = parameters("mask", position=1, default="None", shown="x, mask=None")
    ways = {choice.wrong.id: choice.way for choice in decision.choices}
    calls = {"none": Call("f", (1,), {}), "place": Call("f", (1, 2), {}), "name": Call("f", (1,), {"mask": 2})}

    def refused(name):
        told = set()
        for word, call in calls.items():
            try:
                ways[name](Pick(call=call))
            except Refused:
                told.add(word)
        return told

    assert {"place", "name"} == refused("no-mask-parameter")
    assert {"name"} == refused("mask-under-another-name")
    assert {"none"} == refused("mask-required")


def test_model_that_cannot_be_used_is_the_lessons_fault(tmp_path):
    """A model that does not import, or lacks a function, is reported with its path."""
    broken, empty = tmp_path / "broken.py", tmp_path / "empty.py"
    broken.write_text("import nothing_of_the_kind\n")
    empty.write_text("def probes(rng, sizes): return []\n")
    with pytest.raises(LessonError, match=r"broken\.py cannot be imported: ModuleNotFoundError"):
        load_model(broken, ("softmax",))
    with pytest.raises(LessonError, match=r"empty\.py has no function softmax, which a mistake model needs"):
        load_model(empty, ("softmax",))


@pytest.mark.parametrize("chaff", ["not_scaled", "mask_ignored", "inverted_mask"])
def test_a_wrong_sibling_explains_the_file_that_imports_it(chaff, monkeypatch):
    """What is wrong with an imported file is said of the file that imports it too, without another search for it."""
    files = SOLUTIONS | {"attention.py": (CONTENT / f"chaffs/attention/{chaff}.py").read_bytes()}
    among = []
    searched = Search.explain
    monkeypatch.setattr(Search, "explain", lambda self, start: among.append(self.among) or searched(self, start))
    results = []

    def work(judge):
        with connect(Starting()) as zygote, Processes(zygote, Submission("exercises/", files), LESSON) as processes:
            for result in judge.grade_all(LESSON.exercises, processes, 7):
                among.clear()
                results.append(explained(judge, processes, result, results))

    judging(LESSON, LESSON.exercises, work)
    *_, attention, multihead = results
    assert multihead.outcome is Outcome.FAILED
    assert [mistake.id for mistake in attention.mistakes] == [mistake.id for mistake in multihead.mistakes]
    assert multihead.mistakes
    assert multihead.first_wrong_step == attention.first_wrong_step
    assert None not in among
    assert among


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    "chaff",
    [
        "softmax/rows_only", "softmax/nan_to_num_input", "softmax/sigmoid", "softmax/shared_buffer", "softmax/no_max",
        "projections/bias", "projections/values_begin_at_the_keys", "attention/inverted_mask",
    ],
)  # fmt: skip
def test_a_right_file_is_not_blamed_for_what_it_imports(chaff, together):
    """A solution beside a wrong file that it imports is told nothing but what is told of that file."""
    stem = chaff.partition("/")[0]
    submission = Submission("exercises/", SOLUTIONS | {f"{stem}.py": (CONTENT / f"chaffs/{chaff}.py").read_bytes()})
    results, told = [], []

    def work(judge):
        with connect(Starting()) as zygote, Processes(zygote, submission, LESSON) as processes:
            for result in judge.grade_all(LESSON.exercises, processes, 7):
                results.append(explained(judge, processes, result, results))
                told.append(results[-1] if together else explained(judge, processes, result))

    judging(LESSON, LESSON.exercises, work)
    own = {key for result in results if result.id == stem for mistake in result.mistakes for key in mistake.ids}
    others = [result for result in told if result.id != stem and result.outcome is Outcome.FAILED]
    assert others
    for result in others:
        assert own >= {key for mistake in result.mistakes for key in mistake.ids}
        assert not result.symptom
        assert result.first_wrong_step is None or result.first_wrong_step.path == f"exercises/{stem}.py"
