"""Grading: the scores of every mode, as tables, and the answers that people type for each type of question."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from bankkit import bank_of
from hypothesis import given
from hypothesis import strategies as st

from quizzes.answers import from_data, parse, wanted
from quizzes.grading import NearMissError, NotAnAnswerError, choice_score, judge, order_score, weights
from quizzes.model import Multiple, Option
from quizzes.present import labels, logged, order_ids, pick, present
from quizzes.problems import Problems
from quizzes.source import decode
from quizzes.tree import parse as parse_yaml


def multiple(count, right, grading):
    """Return a question of so many options, the first of which are right."""
    options = tuple(Option(id=str(n), text=str(n), correct=n < right) for n in range(count))
    return Multiple(id="q", prompt="p", options=options, grading=grading)


# all options, none, all but one right one, all right ones and one wrong one
TABLE = {
    ("all", 4, 2): (0, 0, 0, 0),
    ("net", 4, 2): (0, 0, 1 / 2, 1 / 2),
    ("net", 5, 3): (1 / 3, 0, 2 / 3, 2 / 3),
    ("net", 4, 3): (2 / 3, 0, 2 / 3, 2 / 3),
    ("each", 4, 2): (1 / 2, 1 / 2, 3 / 4, 3 / 4),
    ("each", 5, 3): (3 / 5, 2 / 5, 4 / 5, 4 / 5),
    ("coverage", 4, 2): (1 / 2, 0, 1 / 2, 2 / 3),
    ("coverage", 5, 3): (3 / 5, 0, 2 / 3, 3 / 4),
    ("coverage", 4, 3): (3 / 4, 0, 2 / 3, 3 / 4),
    ("weights", 4, 2): (0, 0, 1 / 2, 1 / 2),
    ("weights", 5, 3): (0, 0, 2 / 3, 1 / 2),
    ("weights", 4, 3): (0, 0, 2 / 3, 0),
}


@pytest.mark.parametrize(("mode", "count", "right"), TABLE)
def test_the_modes_score_as_specified(mode, count, right):
    """Each mode gives the shares of its table, and everything for exactly the right options."""
    question = multiple(count, right, mode)
    every = [str(n) for n in range(count)]
    key = every[:right]
    answers = (every, [], key[:-1], [*key, every[right]])
    assert TABLE[mode, count, right] == pytest.approx(
        [float(choice_score(question, one)) for one in answers], abs=1e-12
    )
    assert choice_score(question, key) == 1


@given(st.sampled_from(["all", "net", "each", "coverage", "weights"]), st.integers(2, 6), st.data())
def test_no_answer_scores_outside_zero_to_one_and_only_the_key_scores_all(mode, count, data):
    """In every mode the score is a share, and nothing but the key is worth everything."""
    right = data.draw(st.integers(1, count - 1))
    question = multiple(count, right, mode)
    chosen = data.draw(st.sets(st.sampled_from([str(n) for n in range(count)])))
    score = choice_score(question, chosen)
    assert 0 <= score <= 1
    assert (score == 1) == (chosen == {str(n) for n in range(right)})


def test_thirds_add_up():
    """Three credits of 33.33333 are everything."""
    options = tuple(Option(id=str(n), text=str(n), correct=True, credit="33.33333") for n in range(3))
    question = Multiple(id="q", prompt="p", grading="weights", options=(*options, Option(id="x", text="x")))
    assert choice_score(question, {"0", "1", "2"}) == 1
    assert weights(question.options)["x"] == -1


@pytest.mark.parametrize(
    ("order", "scores"),
    [
        ((0, 1, 2, 3), (1, 1, 1)),
        ((1, 0, 2, 3), (0, 5 / 6, 2 / 3)),
        ((3, 0, 1, 2), (0, 1 / 2, 2 / 3)),
        ((3, 2, 1, 0), (0, 0, 0)),
    ],
)
def test_orders_score_by_what_is_kept(order, scores):
    """All or nothing, the share of pairs in order, or the longest run that is in order."""
    assert scores == pytest.approx([float(order_score(order, mode)) for mode in ("all", "pairs", "lcs")])


ALL = bank_of(
    """
- {id: one, type: single, prompt: p, options: [{text: x = 1, correct: true, why: w}, {text: y, why: v}, {text: none, pin: last, why: u}]}
- {id: many, type: multiple, prompt: p, options: [{text: x, correct: true, why: w, missed: m}, {text: y, correct: true, why: v}, {text: z, why: u}, {text: q, why: t}]}
- {id: tf, type: truefalse, prompt: p, answer: true, why_false: no}
- {id: num, type: numeric, prompt: p, answers: [{value: 3}]}
- {id: words, type: text, prompt: p, accept: [{is: soft max}]}
- {id: gaps, type: cloze, prompt: "[[a]] [[b]] [[c]]", blanks: {a: {type: text, accept: [{is: q}]}, b: {type: choice, options: [{text: r, correct: true, why: w}, {text: s, why: v}]}, c: {type: numeric, answers: [{value: 2}]}}}
- {id: pairs, type: match, pairs: [{left: Q, right: query}, {left: K, right: key}], distractors: [value]}
- {id: row, type: order, items: [project, scale, mask, softmax]}
- {id: prints, type: output, code: {text: "print(1)"}, expect: "1\\n2"}
- {id: recall, type: self, prompt: p, answer: a}
- {id: read, type: info, prompt: p}
- {id: alike, type: multiple, prompt: p, options: [{text: ab, correct: true, why: w}, {text: a b, why: v}, {text: x y, why: u}]}
- {id: comma, type: multiple, prompt: p, options: [{text: "x, y", correct: true, why: w}, {text: x, why: v}, {text: y, why: v}, {text: z, why: u}]}
- {id: letters, type: single, prompt: p, options: [{text: b, correct: true, why: w}, {text: a, why: v}]}
- {id: both, type: single, prompt: p, options: [{text: b, correct: true, why: w}, {text: "1", why: v}]}
"""
)
SHOWN = {question.id: present(question, ALL, "7") for question in ALL.questions}


def label(question_id, text, name=""):
    """Return the label under which a text is shown."""
    shown = SHOWN[question_id]
    return shown.labels(name)[shown.texts(name).index(text)]


def score(question_id, typed):
    """Return the score of what is typed."""
    shown = SHOWN[question_id]
    return judge(shown.question, parse(shown, typed)).score


def test_a_label_may_be_typed_in_several_ways():
    """`a`, `A`, `a)`, `(a)`, the option's whole text and the line that shows both are one answer."""
    key = label("one", "x = 1")
    wide = chr(ord(key) + 0xFEE0)
    labels = (key, key.upper(), f"{key})", f"({key})", f"[{key}]", f" {key}. ", f"{key}:", f"`{key}`", wide)
    for typed in (*labels, "x = 1", "x  =  1", "X = 1.", '"x = 1"', f"{key}) x = 1"):
        assert score("one", typed) == 1
    assert score("one", label("one", "y")) == 0


def test_several_labels_may_be_typed_in_several_ways():
    """Spaces, commas or nothing between labels; a label twice, or something else among them, is no answer."""
    x, y = label("many", "x"), label("many", "y")
    signs = (f"{x} & {y}", f"{x}+{y}", f"[{x}, {y}]", f"({x}) ({y})", f"`{x}`, `{y}`")
    for typed in (f"{x} {y}", f"{y},{x}", f"{x}{y}", f"{x}, {y}", f"{x}) {y})", f"{x} and {y}", *signs):
        assert score("many", typed) == 1
    assert score("many", x) == Fraction(1, 2) == score("many", "x")
    assert score("many", "x, Y") == score("many", "'x'; y.") == 1
    for typed in ("ab", "a b"):
        with pytest.raises(NotAnAnswerError, match="put commas between labels"):
            parse(SHOWN["alike"], typed)
    assert 2 == len(parse(SHOWN["alike"], "a, b")) == len(parse(SHOWN["alike"], "x y, ab"))
    with pytest.raises(NotAnAnswerError):
        parse(SHOWN["comma"], "x, y, z")
    for typed in (
        f"{x} {x}",
        f"{x} 9",
        "z z",
        "abcde",
        f"{x}-{y}",
        f"{x}..{y}",
        f"{x}/{y}",
        f"{x} or {y}",
        f"not {x}",
        "and",
        "&",
    ):
        with pytest.raises(NotAnAnswerError):
            parse(SHOWN["many"], typed)


def test_rows_of_labels():
    """A match wants one label for each left, an order each label once."""
    row = [label("row", text) for text in ("project", "scale", "mask", "softmax")]
    for between in (" ", "", ", ", ">", " -> ", "->", " \u2192 ", "-", "\u2013", ", then "):
        assert score("row", between.join(row)) == 1
    assert score("row", " ".join(f"{number}) {one}" for number, one in enumerate(row, 1))) == 1
    assert score("row", "project -> Scale -> mask -> softmax.") == score("row", "project, scale, mask, softmax") == 1
    assert score("pairs", "query, key") == 1
    pair = f"{label('pairs', 'query')} {label('pairs', 'key')}"
    assert (
        score("pairs", pair)
        == score("pairs", f"1{pair[0]} 2-{pair[2]}")
        == score("pairs", f"2 -> {pair[2]}, 1={pair[0]}")
        == score("pairs", f"1) {pair[0]} 2. {pair[2]}")
        == score("pairs", f"1 \u2192 {pair[0]}; 2 \u2013 {pair[2]}")
        == 1
    )
    assert score("pairs", f"{pair[0]} {label('pairs', 'value')}") == Fraction(1, 2)
    for question, typed in [
        ("row", row[0]),
        ("row", row[0] * 4),
        ("row", "project"),
        ("pairs", "a"),
        ("pairs", "a b c"),
        ("pairs", "a !"),
        ("pairs", "1a 1b"),
        ("pairs", "1a 2b 3c"),
        ("pairs", "1a or 2b"),
        ("pairs", "query"),
        ("pairs", "query, nothing"),
        ("row", "project, scale, mask"),
    ]:
        with pytest.raises(NotAnAnswerError):
            parse(SHOWN[question], typed)


@pytest.mark.parametrize(
    ("question", "typed"),
    [
        ("tf", "x"),
        ("tf", "yes"),
        ("recall", "maybe"),
        ("one", "z"),
        ("one", "e"),
        ("one", "1"),
        ("one", "x"),
        ("one", ""),
        ("num", " "),
    ],
)
def test_anything_else_is_no_answer(question, typed):
    """What is neither a label nor an option is refused with what would do, and never guessed at."""
    with pytest.raises(NotAnAnswerError) as raised:
        parse(SHOWN[question], typed)
    assert wanted(SHOWN[question]) in str(raised.value)


def test_every_type_is_judged():
    """The right answer to each type is worth everything."""
    assert (
        score("tf", "t")
        == score("tf", "TRUE")
        == score("tf", "`True`")
        == score("tf", "true.")
        == score("num", "3.0")
        == score("words", " Soft  Max")
        == 1
    )
    assert judge(SHOWN["prints"].question, "1  \n2\n\n").full
    assert not judge(SHOWN["prints"].question, "1").full
    with pytest.raises(NearMissError, match="check the spaces"):
        judge(SHOWN["prints"].question, "12")
    assert not judge(SHOWN["prints"].question, "12", forgive=False).score
    assert (1, Fraction(1, 2), 0) == tuple(score("recall", typed) for typed in ("y", "partly", "No"))
    gaps = SHOWN["gaps"]
    choice = parse(gaps, label("gaps", "r", "b"), "b")
    verdict = judge(gaps.question, {"a": "Q", "b": choice, "c": "3"})
    assert (Fraction(2, 3), (True, True, False)) == (verdict.score, verdict.parts)


def test_what_was_missed_is_explained():
    """A right option that was not chosen says what it says in `missed`."""
    chosen = frozenset({SHOWN["many"].question.options[1].id, SHOWN["many"].question.options[2].id})
    assert ("v", "u", "m") == judge(SHOWN["many"].question, chosen).notes


def test_a_label_is_never_another_options_text():
    """Numbers stand where an option is a letter, letters where one is a number."""
    assert ["1", "2"] == sorted(SHOWN["letters"].labels())
    assert ["a", "b", "c"] == labels(["1", "2", "x"])
    assert ["1", "2"] == labels(["'a'", "(B)"]) == labels(["-a", "\uff42"])
    assert score("letters", "b") == 1, "the text of the option, for it is no label here"
    assert ["a", "b"] == SHOWN["both"].labels()


def test_what_is_the_label_of_one_option_and_the_text_of_another_is_refused():
    """Where letters and digits both are options a label has to be typed as one."""
    options = "[{text: 1, why: w}, {text: b, why: v}, {text: a, correct: true, why: u}]"
    one = bank_of(f"- {{id: q, type: single, shuffle: false, prompt: p, options: {options}}}")
    shown = present(one.questions[0], one, "7")
    with pytest.raises(
        NotAnAnswerError, match=r"that is an option, and the label of another; type `a\)` for the label"
    ):
        parse(shown, "a")
    ids = [option.id for option in shown.question.options]
    assert [{ids[0]}, {ids[1]}, {ids[2]}, {ids[0]}] == [parse(shown, typed) for typed in ("a)", "b", "c", "1")]


def test_the_order_is_the_seeds():
    """The same seed shows the same order, pins stay, and the key of an order is never what is shown."""
    for seed in map(str, range(60)):
        one = present(ALL.question("one"), ALL, seed)
        assert one.orders == present(ALL.question("one"), ALL, seed).orders
        assert one.texts()[-1] == "none"
        assert present(ALL.question("row"), ALL, seed).orders[""] != (0, 1, 2, 3)
    two = bank_of("- {id: two, type: order, items: [first, second]}")
    assert {(0, 1), (1, 0)} == {present(two.questions[0], two, str(seed)).orders[""] for seed in range(20)}
    shown = {present(ALL.question("many"), ALL, str(seed)).orders[""] for seed in range(200)}
    assert len(shown) == 24


def test_the_log_holds_ids_never_positions():
    """Under every seed the same answer is logged as the same ids, and so is the order that was shown."""
    for question_id, text in [("one", "x = 1"), ("row", None), ("pairs", None)]:
        entries = set()
        for seed in map(str, range(8)):
            shown = present(ALL.question(question_id), ALL, seed)
            answer = (
                parse(shown, text)
                if text
                else tuple(range(len(shown.question.items if question_id == "row" else shown.question.pairs)))
            )
            entries.add(str(logged(shown, answer)))
            assert all(len(one) == 8 for one in order_ids(shown)[""])
        assert len(entries) == 1


def test_a_pool_gives_its_share():
    """A pool's pick changes with the seed, keeps the bank's order, and leaves other questions alone."""
    questions = "\n".join(f"- {{id: q{n}, type: info, prompt: p}}" for n in range(6))
    head = "schema: quizbank/1\nbank: pools\ntitle: T\npools: [{name: p, pick: 2, of: [q1, q2, q3, q4]}]\nquestions:\n"
    bank = bank_of(questions, head)
    picked = {tuple(question.id for question in pick(bank, str(seed))) for seed in range(40)}
    assert all(
        names[0] == "q0" and names[-1] == "q5" and len(names) == 4 and list(names) == sorted(names) for names in picked
    )
    assert len(picked) == 6


def test_an_answers_file_names_options_by_text():
    """Lists and mappings of texts, or labels, answer without knowing the order that is shown."""
    text = """
one: x = 1
many: [x, y]
row: [project, scale, mask, softmax]
pairs: {Q: query, K: key}
gaps: {a: q, b: r, c: 2}
prints: ["1", "2"]
tf: true
num: 3
"""
    root = parse_yaml(decode(text.encode(), "answers"), Problems())
    listed = parse_yaml(decode(b"pairs: [query, key]", "answers"), Problems())
    for name, node in (*root.items.items(), *listed.items.items()):
        assert judge(SHOWN[name].question, from_data(SHOWN[name], node)).full, name


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("many", "[]", "a list does not fit here"),
        ("one", "[x = 1]", "a list does not fit here"),
        ("row", "[project, scale]", "that names 2"),
        ("row", "[project, scale, scale, mask]", "one is there twice"),
        ("pairs", "[query]", "that names 1"),
        ("pairs", "[query, nothing]", "none of the options"),
        ("pairs", "{Q: query}", "no answer for 'K'"),
        ("gaps", "q", "give a mapping of a, b, c"),
    ],
)
def test_what_fits_no_question_in_an_answers_file_is_named(name, answer, words):
    """A list of nothing, too short a list or the wrong kind is no answer."""
    root = parse_yaml(decode(f"{name}: {answer}".encode(), "answers"), Problems())
    with pytest.raises(NotAnAnswerError, match=words):
        from_data(SHOWN[name], root.items[name])


def test_an_answers_file_names_options_by_id():
    """An id means the same in every order, and goes before a label that happens to look like it."""
    bank = bank_of(
        "- {id: q, type: single, prompt: p, options: [{id: b, text: x, correct: true, why: w}, {id: a, text: y, why: v}]}"
    )
    for seed in "1234":
        shown = present(bank.questions[0], bank, seed)
        root = parse_yaml(decode(b"q: b\n", "answers"), Problems())
        assert judge(shown.question, from_data(shown, root.items["q"])).full


@given(st.sampled_from(sorted(SHOWN)), st.text(max_size=30))
def test_no_text_breaks_the_reader(question_id, typed):
    """Whatever is typed is an answer with a score, or refused with a sentence."""
    shown = SHOWN[question_id]
    with contextlib.suppress(NotAnAnswerError):
        name = "b" if question_id == "gaps" else ""
        answer = parse(shown, typed, name)
        if question_id not in {"gaps", "read"}:
            assert 0 <= judge(shown.question, answer, forgive=False).score <= 1
