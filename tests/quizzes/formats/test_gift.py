"""GIFT: what is written is what Moodle reads, and what teachers write is understood."""

from __future__ import annotations

import pytest
from formatkit import bank, exported, imported, questions, without_copies

from quizzes import writer
from quizzes.formats import build, gift, import_bank

# Writing


def written(text):
    """Return what stands in the file for the questions of a bank, comments aside."""
    lines = without_copies("gift", exported(bank(text), "gift")).decode().splitlines()
    return [line for line in lines if line and not line.startswith(("//", "$CATEGORY"))]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a = b", r"a \= b"),
        ("~#{}:", r"\~\#\{\}\:"),
        ("Q[i] @ K[j]", "Q[i] @ K[j]"),
        ("two\nlines", r"two\nlines"),
        (r"\nabla", r"\\nabla"),
        (r"\{", r"\\\{"),
        (r"\frac{1}{2}", r"\\frac\{1\}\{2\}"),
        ("a\n\nb", r"a\n\nb"),
    ],
)
def test_escapes(text, escaped):
    """Backslashes are doubled, what GIFT uses is escaped, brackets are left alone, and no line ends."""
    assert escaped == gift.escaped(text)


@pytest.mark.parametrize(
    "text",
    [
        "Q[i] @ K[j]",
        "a < b && c > d",
        "]]>",
        "$x$",
        r"\frac{1}{2} \nabla \{ \\ \n",
        "emoji \U0001f600",
        "-->",
        "\"q\" 'p'",
        "a\tb",
        "{=}~#:",
        "// no comment",
        "::title::",
        "$CATEGORY: x",
        "####",
        "->",
        "a -> b",
        "%50%",
        "%-5.5% x",
        "[html] x",
        "[plain]",
        "[tag:x] [id:y]",
        "T",
        "FALSE",
        "=",
        "~",
        "#",
        "a\n\n  b\n",
        "&&058;",
        "* a * b",
        r"\*",
    ],
)
def test_any_text_comes_back_without_the_copy(text):
    """Whatever a text has in it, prompt, option, explanation, key and pair come back as they were."""
    before = {
        "schema": "quizbank/1",
        "bank": "imported",
        "title": "Any",
        "questions": [
            {
                "id": "choice",
                "type": "single",
                "prompt": text,
                "options": [
                    {"text": text, "correct": True, "why": text},
                    {"text": f"not {text}", "why": f"so {text}"},
                ],
                "explanation": text,
            },
            {
                "id": "typed",
                "type": "text",
                "prompt": "p",
                "accept": [{"is": text.replace(">", "to"), "why": text.replace(">", "to")}],
            },
            {
                "id": "paired",
                "type": "match",
                "prompt": "p",
                "pairs": [{"left": text.replace("->", "to"), "right": text}, {"left": "l", "right": "r"}],
            },
            {
                "id": "said",
                "type": "truefalse",
                "prompt": "p",
                "answer": False,
                "why_true": text,
                "why_false": text,
            },
        ],
    }
    from formatkit import bank_of

    data = without_copies("gift", exported(bank_of(writer.to_yaml(before)), "gift"))
    after = [writer.question_data(question) for question in imported(data, "gift")[0].questions]

    assert before["questions"] == after


def test_no_empty_line_inside_a_question():
    """Moodle parts questions at empty lines, so a question has none."""
    text = exported(bank('  - {id: a, type: self, prompt: "a\\n\\nb", answer: "c\\n\\n\\nd"}\n'), "gift").decode()

    assert text.count("\n\n") == 2
    assert r"a\n\nb" in text


def test_truth_values_are_upper_case_and_the_wrong_one_comes_first():
    """TRUE and FALSE, then what a wrong answer is told, then what a right one is told."""
    text = "  - {id: a, type: truefalse, prompt: P, answer: %s, why_true: said-true, why_false: said-false}\n"

    assert written(text % "true") == ["::small/a::[plain]P{TRUE#said-false#said-true", "}"]
    assert written(text % "false") == ["::small/a::[plain]P{FALSE#said-true#said-false", "}"]


def test_a_text_answer_that_looks_like_a_truth_value_has_a_weight():
    """``{=%100%T}`` asks for the letter T; ``{T}`` would be a true/false question."""
    assert "\t=%100%T" in written('  - {id: a, type: text, prompt: P, accept: [{is: "T"}]}\n')


def test_an_arrow_cannot_be_asked_for():
    """GIFT takes ``->`` among answers for a match: such a key is left out, an explanation gets an arrow."""
    lines = written(
        "  - {id: a, type: text, prompt: P, accept: [{is: x -> y}, {is: x to y, why: a -> b}],"
        " otherwise: c -> d}\n"
        "  - {id: b, type: text, prompt: P, accept: [{is: x -> y}]}\n"
    )

    assert lines == [
        "::small/a::[plain]P{",
        "\t=x to y#a \u2192 b",
        "\t=%0%*#c \u2192 d",
        "}",
        "::small/b::[plain]P{",
        "\t####x -> y",
        "}",
    ]


def test_numbers_are_decimal_text():
    """A relative tolerance becomes an absolute one, exactly, and no digit is rounded away."""
    lines = written(
        "  - {id: a, type: numeric, prompt: P, answers: [{value: 0.1250, rel: 0.001}, {value: 8, abs: 0,"
        " credit: 0, why: W}], otherwise: O}\n"
    )

    assert lines == ["::small/a::[plain]P{#", "\t=0.1250:0.000125", "\t=%0%8:0#W", "\t~#O", "}"]


def test_weights_are_of_moodles_list():
    """Three right options weigh 33.33333 each, and a wrong one takes as much back."""
    options = "".join(f"      - {{text: o{n}, correct: true, why: w}}\n" for n in range(3))
    lines = written(
        f"  - id: a\n    type: multiple\n    prompt: P\n    options:\n{options}      - {{text: x, why: w}}\n"
    )

    assert lines[1:5] == [*(f"\t~%33.33333%o{n}#w" for n in range(3)), "\t~%-33.33333%x#w"]


def test_category_and_id_are_comments_and_blocks():
    """The category stands by itself; id, tags, objective and difficulty stand where Moodle looks for them."""
    text = exported(
        bank(
            "  - {id: a, type: info, prompt: P, objective: goal, difficulty: 2, tags: [x, 'y]']}\n",
            head="objectives: {goal: G}\n",
        ),
        "gift",
    ).decode()

    assert "\n\n$CATEGORY: $course$/small\n\n" in text
    assert "\n// [id:small/a] [tag:x] [tag:y\\]] [tag:objective:goal] [tag:difficulty:2]\n" in text


# Reading


def one(text):
    """Return the data of the only question of a GIFT text."""
    (found,) = questions(text, "gift")
    return found


def test_a_question_as_in_the_manual():
    """Title, comments, feedback on lines of its own."""
    data = one(
        "// question: 1  name: Grants tomb\n::Grants tomb::Who is buried\nin Grant's tomb? {\n=Grant\n"
        "~No one\n#Was true for 12 years\n// a comment inside\n~Napoleon #He is in France\n####All of it\n}\n"
    )

    assert data == {
        "id": "grants-tomb",
        "type": "single",
        "title": "Grants tomb",
        "prompt": "Who is buried\nin Grant's tomb?",
        "options": [
            {"text": "Grant", "correct": True},
            {"text": "No one", "why": "Was true for 12 years"},
            {"text": "Napoleon", "why": "He is in France"},
        ],
        "explanation": "All of it",
    }


def test_no_spaces_at_all():
    """Nothing needs a space."""
    assert one("::Q::2+2{=4~5#no~%50%3.9#near}")["options"] == [
        {"text": "4", "correct": True},
        {"text": "5", "why": "no"},
        {"text": "3.9", "credit": "50", "why": "near"},
    ]


@pytest.mark.parametrize(
    ("word", "answer"), [("T", True), ("TRUE", True), ("F", False), ("FALSE", False), (" true ", True)]
)
def test_truth_values(word, answer):
    """Every spelling; the first feedback is for the wrong answer."""
    data = one(f"Sun? {{{word}#wrong#right}}")
    right, wrong = ("why_true", "why_false") if answer else ("why_false", "why_true")

    assert (data["answer"], data[right], data[wrong]) == (answer, "right", "wrong")


@pytest.mark.parametrize(
    ("inner", "answers"),
    [
        ("#3", [{"value": "3", "abs": "0"}]),
        ("#=3:0.5", [{"value": "3", "abs": "0.5"}]),
        ("# 1822:5 ", [{"value": "1822", "abs": "5"}]),
        ("#3.141..3.142", [{"value": "3.1415", "abs": "0.0005"}]),
        ("#-.5:.25", [{"value": "-0.5", "abs": "0.25"}]),
        (
            "#=1e-3:0#fine =%0%5:0#five",
            [
                {"value": "1e-3", "abs": "0", "why": "fine"},
                {"value": "5", "abs": "0", "credit": "0", "why": "five"},
            ],
        ),
    ],
)
def test_numbers(inner, answers):
    """Tolerances, ranges, weights and feedback."""
    assert one(f"n {{{inner}}}")["answers"] == answers


def test_overlapping_numbers_of_the_manual():
    """Full marks for 1822, half for two years around it: neighbours earn half, and 1822 still everything."""
    from quizzes import grading

    (question,) = imported("born? {#\n=1822:0 #yes\n=%50%1822:2 #near\n~#no\n}")[0].questions
    scores = {
        year: float(grading.judge(question, year).score) for year in ("1819", "1820", "1821", "1822", "1823", "1824")
    }

    assert scores == {"1819": 0, "1820": 0.5, "1821": 0.5, "1822": 1, "1823": 0.5, "1824": 0.5}
    assert grading.judge(question, "1").notes == ("no",)


def test_matching():
    """Pairs with and without spaces; a pair without a left is a distractor."""
    data = one("m {=a->b\n=c -> d -> e = -> f\n}")

    assert data["pairs"] == [{"left": "a", "right": "b"}, {"left": "c", "right": "d -> e"}]
    assert data["distractors"] == ["f"]


def test_matching_with_equal_rights_keeps_its_key():
    """Two animals of one kind: a match cannot hold it, a choice for each can."""
    (question,) = imported("m {=dog -> mammal =cat -> mammal =frog -> amphibian}")[0].questions
    right = [next(o.text for o in blank.rule.options if o.correct) for blank in question.blanks]

    assert right == ["mammal", "mammal", "amphibian"]
    assert question.prompt == "m\n\ndog: [[b1]]\ncat: [[b2]]\nfrog: [[b3]]"


def test_weights_that_add_up():
    """Negative weights, with decimals; what is `net` is said to be."""
    assert one("m {~%50%a~%50%b~%-50%c}")["grading"] == "net"
    assert one("m {~%33.333%a~%33.333%b~%33.333%c~%-100%d}")["grading"] == "weights"
    data = one("m {~%75%a~%25%b~%-10%c}")
    assert (data["grading"], [option["credit"] for option in data["options"]]) == (
        "weights",
        ["75", "25", "-10"],
    )


def test_weights_without_penalty():
    """A question in which choosing everything earns everything is graded otherwise, and that is said."""
    result, notes = imported("m {~%50%a~%50%b~c~d}")

    assert result.questions[0].grading == "net"
    assert notes == ["f:1: choosing every option would earn everything; graded `net` instead"]


def test_a_wrong_option_that_costs_nothing():
    """Choosing it with the right ones would earn everything, so the question is graded otherwise too."""
    result, notes = imported("m {~%50%a~%50%b~c~%-50%d}")

    assert result.questions[0].grading == "net"
    assert notes == ["f:1: choosing a wrong option too would earn everything; graded `net` instead"]


def test_two_right_options():
    """Two options with ``=`` among others ask for both, and that is said."""
    result, notes = imported("m {=a =b ~c}")

    assert result.questions[0].type == "multiple"
    assert notes == ["f:1: 2 options are right; it became a question in which all of them are to be chosen"]


def test_missing_word():
    """Text after the braces: a typed answer becomes a blank, a choice a gap."""
    assert one("Grant is {~buried =entombed} in Grant's tomb.")["prompt"] == "Grant is _____ in Grant's tomb."
    data = one("Two and two {=make =are} four.")
    assert (data["type"], data["prompt"]) == ("cloze", "Two and two [[answer]] four.")
    assert data["blanks"] == {"answer": {"type": "text", "accept": [{"is": "make"}, {"is": "are"}]}}


def test_essay_and_description():
    """An essay is recalled by oneself, its general feedback is the model answer; no braces is just text."""
    assert one("Why? {####Because.}") | {"id": ""} == {
        "id": "",
        "type": "self",
        "prompt": "Why?",
        "answer": "Because.",
    }
    result, notes = imported("Write.{}")
    assert result.questions[0].type == "self"
    assert notes == ["f:1: an essay without a model answer; its answer has to be written"]
    assert one("Read this.")["type"] == "info"


def test_formats_of_texts():
    """HTML becomes text, Markdown and plain stay; without a word only what clearly is HTML."""
    assert one("[html]<p>Is <b>a &lt; b</b>?</p>{T}")["prompt"] == "Is a < b?"
    assert one("[markdown]Is *a* <b>?{T}")["prompt"] == "Is *a* <b>?"
    assert one("Is a < b && c > d?{T}")["prompt"] == "Is a < b && c > d?"
    assert one("Is <b>this</b> bold?{T}")["prompt"] == "Is this bold?"
    assert one("q{=[plain]<b> ~x}")["options"][0]["text"] == "<b>"


def test_escaped_characters():
    r"""``\=`` and its kin are the character; ``\n`` ends a line; a backslash before another letter stays."""
    data = one(r"::a\:b::1 \= 1 \{x\} \~ \# \\frac \alpha\nnext {=yes \= no}")

    assert data["title"] == "a:b"
    assert data["prompt"] == "1 = 1 {x} ~ # \\frac \\alpha\nnext"
    assert data["accept"] == [{"is": "yes = no"}]


def test_wildcards():
    """A star stands for anything, an escaped one for itself; a wrong lone star for whatever else."""
    data = one("q {=a*b#wild =c\\\\*d =%50%e =%0%*#no}")

    assert data["accept"] == [{"is": "c*d"}, {"is": "e", "credit": "50"}, {"regex": "a.*b", "why": "wild"}]
    assert data["otherwise"] == "no"


def test_categories_become_tags():
    """The last part of a category is a tag, unless it is only the default."""
    found = questions("$CATEGORY: $course$/top/Maths/Algebra\n\na{T}\n\n$CATEGORY: tom/Default for x\n\nb{F}\n")

    assert [question.get("tags") for question in found] == [["Algebra"], None]


def test_habits_that_moodle_refuses():
    """An empty line inside braces, and a title without an empty line before it."""
    found = questions("a{\n\n=x\n\n~y\n}\n::B::b{T}\n// about c\n::C::c{F}\n")

    assert [question["type"] for question in found] == ["single", "truefalse", "truefalse"]


def test_one_bad_question_does_not_spoil_the_others():
    """Each fault is reported with its line and what was expected."""
    text = (
        "a{T}\n\nb{=x ~y\n\n::C::c{=x ~x}\n\nd } e\n\nf{#abc}\n\ng{=a -> b =c}\n\nh{~%300%x ~y}\n\n"
        "i{~%0%x ~y}\n\nj{=x} k{=y}\n\nl{x =y ~z}\n\nm{#1,5}\n\nz{F}\n"
    )
    result, notes = imported(text)

    assert [question.prompt for question in result.questions] == ["a", "z"]
    assert notes == [
        "f:3: not imported: a `{` without its `}`; close the answers, or write `\\{` for a brace",
        "f:5: not imported: two options are the same to a reader: 'x' (E13)",
        "f:7: not imported: a `}` without its `{` before it; open the answers, or write `\\}` for a brace",
        "f:9: not imported: `abc` is no number; a number such as 3, 0.125 or -1e-4 is expected",
        "f:11: not imported: `c` has no `->`; `left -> right` is expected in a match",
        "f:13: not imported: the weight `300` is no number from -100 to 100",
        "f:15: not imported: no option has a weight above 0; one must be right",
        "f:17: not imported: more than one pair of braces; GIFT has one, or write `\\{` and `\\}` for braces",
        "f:19: not imported: `x` stands before the first answer; `=` or `~` is expected there",
        (
            "f:21: not imported: `1,5` is no number; the decimal sign is a point; "
            "a number such as 3, 0.125 or -1e-4 is expected"
        ),
    ]


def test_notes_stand_at_the_top_of_the_yaml():
    """What could not be taken stays with the bank, as comments."""
    text = import_bank(b"a{T}\n\nb{=x ~y\n", "gift", "small", "my.gift").text

    assert text.startswith("# my.gift:3: not imported: a `{` without its `}`")


def test_missing_explanations_make_a_draft():
    """Teachers' files explain little; the bank is a draft, so that it passes with warnings."""
    assert imported("a{=x ~y}")[0].draft
    assert not imported("a{=x#why ~y#why}")[0].draft


def test_ids_are_made_unique():
    """Equal titles, no titles, and titles that are no words."""
    found = questions("::A b::x{T}\n\n::a-B::y{T}\n\nx{T}\n\n::\u00dcber 3::z{T}\n\n::???::w{T}\n\n::3 x::v{T}\n")

    assert [question["id"] for question in found] == ["a-b", "a-b-2", "x", "uber-3", "question", "q-3-x"]


def test_topic_of_a_category():
    """A category of an own file names the bank, which is no topic."""
    assert build.topic("$course$/top/Maths", "") == ["Maths"]
    assert build.topic("$course$/small/pool", "small/q") == []
