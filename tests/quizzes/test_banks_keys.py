"""The shipped banks: every computed key is computed again with NumPy, by another way than the bank's formula.

``KEYS`` has a function for each numeric question, ``BLANKS`` for each cloze with numbers, ``PRINTS`` for each
output question and ``STATEMENTS`` for the true-false questions that can be run. A question with a number in
its key and no function here fails a test, so that a new one cannot come in unverified.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import quizzes
from quizzes import grading, loader, model, params, rules
from quizzes.problems import Problems

BANKS = Path(quizzes.__file__).parent / "banks"
OBJECTIVES = (
    "recurrence",
    "what-attention-computes",
    "queries-keys-values",
    "scaling",
    "self-attention",
    "multi-head",
    "masking",
)
DECKS = ("terms", "interview")
FIVE = (
    "what-attention-does",
    "where-scores-come-from",
    "what-is-self-attention",
    "why-several-heads",
    "why-sqrt-dk",
)
EXERCISES = {f"exercises/{stem}.py" for stem in ("softmax", "projections", "attention", "multihead")}
SEEDS = ("0", "1", "2", "7", "a long seed", "42")
EVERY_FORM = 1000  # more than any question has


def _bank(name):
    return loader.read_bank(BANKS / f"{name}.yaml")


ALL = tuple(_bank(name) for name in ("quick-check", *OBJECTIVES, *DECKS))
QUESTIONS = {(one.id, question.id): question for one in ALL for question in one.questions}


def _of_type(*kinds):
    return [key for key, question in QUESTIONS.items() if question.type in kinds]


def _names(key):
    return "/".join(key) if isinstance(key, tuple) else None


# --- Attention once more, in NumPy --------------------------------------------------------------------------


def _softmax(scores, axis=-1):
    scores = np.asarray(scores, dtype=float)
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def _attend(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = _softmax(scores)
    return weights @ v, weights


def _heads_of(x, count):
    return x.reshape(len(x), count, x.shape[1] // count).swapaxes(0, 1)


def _weight_from_exps(index, *exps, mask=None):
    scores = np.log(exps)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return _softmax(scores)[index]


def _mix(weights, values):
    return float(np.average(values, weights=weights))


def _last_state(inputs, keep):
    state = 0.0
    for x in inputs:
        state = keep * state + x
    return state


def _steps_to_read(i, j):
    read, steps = i, 0
    while read < j:
        read, steps = read + 1, steps + 1
    return steps


def _clock_after(n, m):
    ready = 0  # when the state before is there
    for _ in range(n):
        ready += m
    return ready


def _deviation_of_a_sum(d):
    """The products of entries that are -1 or 1 are -1 or 1; the law of their sum is a convolution."""
    law = np.ones(1)
    for _ in range(d):
        law = np.convolve(law, [0.5, 0.0, 0.5])
    sums = np.arange(-d, d + 1)
    return np.sqrt((law * sums**2).sum() - (law * sums).sum() ** 2)


def _scaled(s, d):
    q, k = np.full((1, d), s / d), np.ones((1, d))
    return (q @ k.T / np.sqrt(q.shape[-1])).item()


def _slope(p):
    at, step = np.log(p / (1 - p)), 1e-5
    return (_softmax([at + step, 0.0])[0] - _softmax([at - step, 0.0])[0]) / (2 * step)


def _masked_too_late(a, b, c):
    weights = _softmax(np.log([a, b, c]))
    weights[2] = 0.0
    return weights.sum()


def _toy_score(a, b, c):
    x, w_k = np.array([[a, b], [c, 1.0]]), 2 * np.eye(2)
    return ((x @ np.eye(2)) @ (x @ w_k).T)[0, 1]


KEYS = {
    ("quick-check", "one-weight"): lambda a, b, c: _weight_from_exps(1, a, b, c),
    ("quick-check", "one-output"): lambda w, s, t: _mix([w, 1 - w], [s, t]),
    ("quick-check", "head-width"): lambda d, h: _heads_of(np.zeros((1, d)), h).shape[-1],
    ("recurrence", "steps-between"): _steps_to_read,
    ("recurrence", "what-is-left"): lambda r, k: _last_state([1.0] + [0.0] * k, keep=r),
    ("recurrence", "waiting-time"): _clock_after,
    ("recurrence", "toy-state"): lambda a, b: _last_state([a, b, 0], keep=0.5),
    ("what-attention-computes", "middle-weight"): lambda a, b, c: _softmax(np.log([a, b, c])).max(),
    ("what-attention-computes", "from-logs"): lambda a, b: _weight_from_exps(0, a, b),
    ("what-attention-computes", "blend-two-values"): lambda w, s, t: _mix([w, 1 - w], [s, t]),
    ("what-attention-computes", "equal-scores"): lambda a, b, c: _softmax([2.0] * 3) @ [a, b, c],
    ("queries-keys-values", "small-dot-product"): lambda a, b, c, d: np.dot([a, b], [c, d]),
    ("queries-keys-values", "project-a-row"): lambda a, b: (np.array([a, b]) @ [[1, 2], [3, 4]])[0],
    ("queries-keys-values", "count-parameters"): lambda m, k, v: sum(np.ones((m, d)).size for d in (k, k, v)),
    ("queries-keys-values", "size-of-the-scores"): lambda n, m, d: (np.ones((n, d)) @ np.ones((m, d)).T).size,
    ("scaling", "spread-of-a-score"): _deviation_of_a_sum,
    ("scaling", "scale-a-score"): _scaled,
    ("scaling", "scale-in-a-head"): lambda m, h: np.sqrt(_heads_of(np.ones((1, m)), h).shape[-1]),
    ("scaling", "slope-of-softmax"): _slope,
    ("self-attention", "count-the-weights"): lambda n: _attend(*[np.eye(n)] * 3)[1].size,
    ("self-attention", "longer-text"): lambda f: np.ones((7 * f, 7 * f)).size / np.ones((7, 7)).size,
    ("self-attention", "toy-score"): _toy_score,
    ("self-attention", "toy-output"): lambda a, s, t: _softmax([np.log(a), 0.0]) @ [s, t],
    ("multi-head", "count-all-weights"): lambda h, n: _softmax(np.zeros((h, n, n))).size,
    ("multi-head", "first-column"): lambda m, h, i: _heads_of(np.arange(m)[None, :], h)[i, 0, 0],
    ("multi-head", "parameters-of-the-layer"): lambda m, h: h * 4 * np.ones((m, m))[:, : m // h].size,
    # With ones for entries a dot product counts its own products.
    ("multi-head", "work-for-the-scores"): lambda n, m, h: (
        _heads_of(np.ones((n, m)), h) @ _heads_of(np.ones((n, m)), h).swapaxes(1, 2)
    ).sum(),
    ("masking", "weight-behind-a-mask"): lambda a, b, c: _weight_from_exps(1, a, b, c, mask=[1, 1, 0]),
    ("masking", "masked-too-late"): _masked_too_late,
    ("masking", "zero-is-a-score"): lambda a: _softmax([np.log(a), 0.0])[1],
    ("masking", "how-many-may-be-seen"): lambda n: np.tril(np.ones((n, n))).sum(),
    ("interview", "memory-of-the-weights"): lambda n, h: np.broadcast_to(np.float32(0), (h, n, n)).nbytes / 1e6,
}


def _cross_shape():
    output, weights = _attend(np.ones((4, 8)), np.ones((9, 8)), np.ones((9, 5)))
    return {"rows": weights.shape[0], "columns": weights.shape[1], "out": output.shape[0]}


BLANKS = {
    ("self-attention", "cross-shape"): _cross_shape,
    ("multi-head", "does-not-divide"): lambda: {"rest": np.remainder(10, 4)},
}


def _loop_output():
    return _last_state([4.0, 0.0, 0.0, 1.0], keep=0.5)


def _four_equal():
    values = np.array([[4.0, 0.0], [0.0, 8.0], [4.0, 0.0], [0.0, 0.0]])
    return values.mean(axis=0).tolist()


def _projected():
    k = np.einsum("nd,de->ne", np.ones((5, 8)), np.ones((8, 3)))
    return f"{k.shape} {k[0, 0]}"


def _scaled_in_code():
    scores = np.einsum("id,jd->ij", np.ones((2, 16)), np.ones((3, 16))) / 16**0.5
    return f"{scores.shape} {scores[0, 0]}"


def _table_of_scores():
    x = [(1, 0), (0, 1), (1, 1)]
    return [[int(np.dot(one, other)) for other in x] for one in x]


def _first_head():
    x = np.arange(8).reshape(2, 4)
    return x[:, :2].tolist()


def _allowed():
    mask = np.greater_equal.outer(np.arange(4), np.arange(4))
    return f"{mask.sum()} {mask[0].sum()} {mask[3].sum()}"


PRINTS = {
    ("recurrence", "run-the-loop"): _loop_output,
    ("what-attention-computes", "four-equal-scores"): _four_equal,
    ("queries-keys-values", "project-in-code"): _projected,
    ("scaling", "scale-in-code"): _scaled_in_code,
    ("self-attention", "score-table"): _table_of_scores,
    ("multi-head", "split-in-code"): _first_head,
    ("masking", "causal-in-code"): _allowed,
    ("masking", "masked-in-code"): lambda: _softmax([3.0, 3.0, -np.inf]).tolist(),
}


# --- Statements that can be run -----------------------------------------------------------------------------


def _layer(n=6, d=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), *(rng.normal(size=(d, d)) for _ in range(3))


def _same_in_any_order():
    x, w_q, w_k, w_v = _layer(n=3)
    order = [2, 1, 0]
    output, _ = _attend(x @ w_q, x @ w_k, x @ w_v)
    turned, _ = _attend(x[order] @ w_q, x[order] @ w_k, x[order] @ w_v)
    return np.allclose(output[0], turned[2])


def _shift_changes_nothing():
    scores = np.array([0.3, -2.0, 1.7])
    return np.allclose(_softmax(scores), _softmax(scores + 5))


def _values_change_weights():
    x, w_q, w_k, w_v = _layer()
    (one, before), (other, after) = (_attend(x @ w_q, x @ w_k, x @ w) for w in (w_v, w_v + 1))
    assert not np.allclose(one, other)
    return not np.allclose(before, after)


def _scores_are_symmetric():
    x, w_q, w_k, _ = _layer()
    scores = (x @ w_q) @ (x @ w_k).T
    return np.allclose(scores, scores.T)


def _scaling_changes_the_first():
    scores = np.random.default_rng(0).normal(scale=8, size=(200, 9))
    return (_softmax(scores).argmax(-1) != _softmax(scores / np.sqrt(64)).argmax(-1)).any()


def _first_sees_last():
    x, w_q, w_k, w_v = _layer()
    return _attend(x @ w_q, x @ w_k, x @ w_v)[1][0, -1] > 0


def _heads_share_a_table():
    x, w_q, w_k, _ = _layer()
    q, k = _heads_of(x @ w_q, 2), _heads_of(x @ w_k, 2)
    return np.allclose(_softmax(q[0] @ k[0].T), _softmax(q[1] @ k[1].T))


def _last_reaches_first():
    x, w_q, w_k, w_v = _layer()
    changed = x.copy()
    changed[-1] += 1
    mask = np.tril(np.ones((6, 6), dtype=bool))
    first, other = (_attend(y @ w_q, y @ w_k, y @ w_v, mask)[0][0] for y in (x, changed))
    return not np.array_equal(first, other)


STATEMENTS = {
    ("quick-check", "order-of-words"): _same_in_any_order,
    ("what-attention-computes", "shifted-scores"): _shift_changes_nothing,
    ("queries-keys-values", "change-only-values"): _values_change_weights,
    ("queries-keys-values", "both-ways-the-same"): _scores_are_symmetric,
    ("scaling", "ranking-stays"): _scaling_changes_the_first,
    ("self-attention", "looks-both-ways"): _first_sees_last,
    ("multi-head", "own-projections"): _heads_share_a_table,
    ("masking", "future-leaks"): _last_reaches_first,
}
NOT_RUN = {("recurrence", "known-in-advance")}  # about waiting, which is no number


# --- Keys ---------------------------------------------------------------------------------------------------


def _key_of(question):
    """The number that earns everything in a filled question."""
    (answer,) = [answer for answer in question.rule.answers if answer.credit == model.FULL]
    return answer.value.value


def test_every_question_with_a_number_for_its_key_is_computed_here():
    """Each question whose key is a number has a NumPy function, and no function is left over."""
    assert set(_of_type("numeric")) == set(KEYS)
    assert set(_of_type("output")) == set(PRINTS)
    with_numbers = {key for key in _of_type("cloze") if any(b.type == "numeric" for b in QUESTIONS[key].blanks)}
    assert with_numbers == set(BLANKS)
    assert set(_of_type("truefalse")) == set(STATEMENTS) | NOT_RUN


def test_no_literal_key_hides_among_the_numeric_questions():
    """Every numeric question draws its numbers from params, so nobody learns an answer by heart."""
    assert [_names(key) for key in _of_type("numeric") if not QUESTIONS[key].params] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", KEYS, ids=_names)
def test_a_computed_key_is_what_numpy_computes(key, seed):
    """For a seed the engine's evaluated key equals what NumPy makes of the same drawn params."""
    question = QUESTIONS[key]
    values = params.draw(question, seed, key[0])
    numbers = {name: float(value.text) for name, value in values.items()}
    arguments = {name: int(number) if number.is_integer() else number for name, number in numbers.items()}
    filled = params.fill(question, values)
    np.testing.assert_allclose(float(_key_of(filled)), float(KEYS[key](**arguments)), rtol=1e-6)


@pytest.mark.parametrize("key", BLANKS, ids=_names)
def test_a_number_in_a_blank_is_what_numpy_computes(key):
    """The key of each numeric blank equals the number that NumPy computes for it."""
    found = {
        blank.name: float(answer.value.value)
        for blank in QUESTIONS[key].blanks
        if isinstance(blank.rule, model.NumberRule)
        for answer in blank.rule.answers
        if answer.credit == model.FULL
    }
    assert found == BLANKS[key]()


@pytest.mark.parametrize("key", PRINTS, ids=_names)
def test_what_a_listing_prints_is_expected(key):
    """The expected output of a listing is what it prints when run, and what NumPy gives by another way."""
    question = QUESTIONS[key]
    ran = subprocess.run(
        [sys.executable, "-c", question.code.text], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.strip() == question.expect.strip()
    assert str(PRINTS[key]()) == question.expect.strip()


@pytest.mark.parametrize("key", STATEMENTS, ids=_names)
def test_a_statement_is_as_true_as_its_key_says(key):
    """A true-false statement about attention, tried on random numbers, comes out as its key says."""
    assert bool(STATEMENTS[key]()) is QUESTIONS[key].answer


def test_numbers_in_choices_are_right():
    """Numbers that stand in the options of choice questions are those that NumPy computes."""
    right = {key: [o.text for o in q.options if o.correct] for key, q in QUESTIONS.items() if hasattr(q, "options")}
    low, high = np.min([2, 5, 9]), np.max([2, 5, 9])
    inside = [
        o.text for o in QUESTIONS["what-attention-computes", "within-the-range"].options if low <= float(o.text) <= high
    ]
    assert inside == right["what-attention-computes", "within-the-range"] == ["6"]
    assert f"{_heads_of(np.zeros((3, 512)), 8).shape[-1]} wide," in right["multi-head", "what-is-split"][0]
    x = np.array([[1, 0], [0, 1], [1, 1]])
    weights = _attend(x, x, x)[1][0]
    assert np.flatnonzero(np.isclose(weights, weights.max())).tolist() == [0, 2]
    assert right["self-attention", "who-is-most-looked-at"] == ["On tokens 0 and 2, in equal parts"]
    spread = _deviation_of_a_sum(256)
    sizes = {float(pair.left.split()[0]): pair.right for pair in QUESTIONS["scaling", "sizes-and-effects"].pairs}
    for size, text in sizes.items():
        assert Fraction(re.search(r"spread ([\d/]+)", text)[1]) == pytest.approx(spread / size)


# --- Grading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS, ids=_names)
def test_no_known_mistake_meets_the_key_for_any_draw(key):
    """Whatever is drawn, a known wrong value is outside the key's tolerance, and no two of them coincide."""
    one = next(one for one in ALL if one.id == key[0])
    problems = Problems()
    rules.check(one, problems, variants=EVERY_FORM)
    assert problems.errors == 0
    for form in params.variants(QUESTIONS[key], EVERY_FORM):
        values = [answer.value.value for answer in form.rule.answers]
        assert len(set(values)) == len(values), form.prompt


@pytest.mark.parametrize("key", KEYS, ids=_names)
def test_a_rounded_answer_is_right_and_a_known_mistake_is_explained(key):
    """The key, rounded as the prompt allows, earns everything; a known mistake is explained, for nothing."""
    words = {"two decimals": 2, "three decimals": 3, "four decimals": 4}
    for form in params.variants(QUESTIONS[key], EVERY_FORM):
        asked = [places for word, places in words.items() if word in form.prompt.lower()]
        number = _key_of(form)
        typed = f"{number:.{asked[0]}f}" if asked else f"{float(number):.10g}"
        assert grading.judge(form, typed).full, (form.prompt, typed)
        for answer in form.rule.answers:
            if answer.credit != model.FULL:
                verdict = grading.judge(form, f"{answer.value.value:f}"[:40])
                assert verdict.score == 0
                assert verdict.notes == (answer.why,)


# --- What the banks hold ------------------------------------------------------------------------------------


def test_the_quick_check_begins_with_its_five_questions():
    """The module's five questions come first, in their order, and at least seven more follow."""
    ids = [question.id for question in _bank("quick-check").questions]
    assert tuple(ids[:5]) == FIVE
    assert len(ids) >= 12
    assert len({question.type for question in _bank("quick-check").questions}) >= 5


@pytest.mark.parametrize("name", OBJECTIVES)
def test_an_objective_has_a_bank_of_mixed_and_computed_questions(name):
    """An objective's bank has at least 8 questions of at least 5 types, a quarter from seeded params."""
    questions = _bank(name).questions
    assert len(questions) >= 8
    assert len({question.type for question in questions}) >= 5
    assert 4 * sum(bool(question.params) for question in questions) >= len(questions)
    assert {question.objective for question in questions} == {name}


@pytest.mark.parametrize("name", DECKS)
def test_a_deck_is_for_recall(name):
    """The decks of terms and of interview questions have 12 cards or more, nearly all of them self-graded."""
    kinds = Counter(question.type for question in _bank(name).questions)
    assert kinds["self"] >= 12
    assert kinds["self"] >= 0.9 * kinds.total()


def test_every_type_of_question_is_used():
    """Between them the banks use each type that is answered."""
    assert {question.type for question in QUESTIONS.values()} == set(model.TYPES) - {"info"}


@pytest.mark.parametrize("key", QUESTIONS, ids=_names)
def test_a_question_says_what_it_is_for_and_where_to_read(key):
    """A question has an objective, a difficulty, tags, an explanation, and points to an exercise about it, if any."""
    question = QUESTIONS[key]
    one = next(one for one in ALL if one.id == key[0])
    assert one.objective(question.objective) is not None
    # Nothing is read up where no exercise says anything of the matter, and none does of recurrence.
    assert one.ref(question) in ({""} if question.objective == "recurrence" else {"", *EXERCISES})
    assert question.difficulty is not None
    assert question.tags
    assert question.explanation.strip()


@pytest.mark.parametrize("key", QUESTIONS, ids=_names)
def test_every_option_is_explained(key):
    """Each option, each known wrong number and both sides of a statement have an explanation of their own."""
    question = QUESTIONS[key]
    lists = [getattr(question, "options", ())]
    lists += [
        blank.rule.options for blank in getattr(question, "blanks", ()) if isinstance(blank.rule, model.ChoiceRule)
    ]
    for options in lists:
        whys = [option.why for option in options]
        assert all(whys)
        assert len(set(whys)) == len(whys)
        if question.type == "multiple":
            assert all(option.missed for option in options if option.correct)
    if question.type == "truefalse":
        assert question.why_true
        assert question.why_false
    for rule in [getattr(question, "rule", None), *(blank.rule for blank in getattr(question, "blanks", ()))]:
        if isinstance(rule, model.NumberRule):
            assert all(answer.why for answer in rule.answers if answer.credit != model.FULL)


def test_objectives_are_named_alike_in_all_banks():
    """An objective has one id and one text in all banks, so that mastery can be added up over them."""
    texts = {}
    for one in ALL:
        for objective in one.objectives:
            texts.setdefault(objective.id, set()).add(objective.text)
    assert set(texts) == set(OBJECTIVES)
    assert all(len(found) == 1 for found in texts.values())


SCORES = (
    "Q @ K^T", "Q@K^T", "QK.T", "Q·K^T", "Q\u00d7K^T", "QK^{T}", "Q K^T", "QK^T", "Q @ K.T", "q k^t", "Q Kᵀ",
    "QK\u22a4", "Q K^\u22a4", "QK^\\top", "Q K'", "Q K\u2019", "Q ⋅ Kᵀ", "Q \\cdot K^T", "(QK^T)",
    "Q times K transposed",
    "Q K transpose", "QKT", "Q * K.T", "np.dot(Q, K.T)", "matmul(Q, K^T)", "torch.matmul(Q, K.transpose(-2, -1))",
    "Q @ K.t()", "Q @ np.transpose(K)", "Q @ K.transpose(1, 0)", "Q @ K.transpose(0, 1)", "Q @ k.swapaxes(-1, -2)",
    "Q @ K.mT", "Q @ transpose(K)", "Q.dot(K.T)", "Q @ K.transpose(-2, -1)",
)  # fmt: skip


@pytest.mark.parametrize("typed", SCORES)
def test_every_usual_notation_of_the_scores_is_taken(typed):
    """The product of queries and transposed keys counts in any notation, with and without spaces."""
    rule = next(blank.rule for blank in QUESTIONS["quick-check", "the-formula"].blanks if blank.name == "scores")
    for text in (typed, typed.replace(" ", ""), f" {typed} "):
        assert grading.judge_text(rule, text, forgive=False).full, text


@pytest.mark.parametrize("typed", ["QK", "Q^T K", "K Q^T", "Q V^T", "Q + K^T", "Q K^2", "V K^T", "K^T", "Q - K^T"])
def test_another_product_is_not_the_scores(typed):
    """Without the transpose, the other way round or with another letter it is wrong."""
    rule = next(blank.rule for blank in QUESTIONS["quick-check", "the-formula"].blanks if blank.name == "scores")
    assert not grading.judge_text(rule, typed, forgive=False).score


@pytest.mark.parametrize(
    ("bank", "question", "right", "wrong"),
    [
        ("masking", "name-the-mask", "future masking|subsequent|a look ahead mask|Auto-regressive", "padding"),
        ("queries-keys-values", "which-gets-averaged", "its value|the value vectors|v_j|V", "key|query"),
        ("recurrence", "name-the-vector", "a hidden state|hidden states|the hidden state vector", "hidden|gradient"),
        ("scaling", "another-word-for-flat", "fully saturated|Saturation", "flat|satisfied"),
        ("self-attention", "name-the-other-kind", "cross|cross\u2013attention|encoder-decoder", "self-attention"),
        ("what-attention-computes", "name-the-function", "softmax()|the softmax function|SoftMax", "max|sigmoid"),
        ("what-attention-computes", "name-the-function", "softmax layer|Row-wise softmax|softmax activation", "layer"),
    ],
)  # fmt: skip
def test_the_usual_ways_to_say_a_term_are_taken(bank, question, right, wrong):
    """An article, a plural or the noun after it changes nothing, and another term is not taken."""
    rule = QUESTIONS[bank, question].rule
    for typed in right.split("|"):
        assert grading.judge_text(rule, typed, forgive=False).full, typed
    for typed in wrong.split("|"):
        assert not grading.judge_text(rule, typed, forgive=False).score, typed
