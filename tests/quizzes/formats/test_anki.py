"""Anki's text file: lines with as many fields as its head says, and nothing that needs quotes."""

from __future__ import annotations

from formatkit import bank, exported, markers, without_copies

from quizzes.formats import export


def notes(one):
    """Return the fields of each note, copies aside."""
    text = without_copies("anki", exported(one, "anki")).decode()
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def test_head_and_fields():
    """Six fields a note, as the head says, on one line each, with no quote that would need another."""
    text = exported(markers(), "anki").decode()

    assert text.splitlines()[:6] == [
        "#separator:tab", "#html:true", "#guid column:1", "#notetype column:2",
        "#deck column:3", "#tags column:6",
    ]  # fmt: skip
    for fields in notes(markers()):
        assert len(fields) == 6
        assert fields[1] in {"Basic", "Cloze"}
        assert '"' not in "".join(fields)


def test_guids_are_of_the_id():
    """A changed question keeps its guid, so Anki updates the note; another bank's question has another."""
    text = "  - {id: a, type: self, prompt: %s, answer: A}\n"
    first, second = notes(bank(text % "P"))[0][0], notes(bank(text % "Other"))[0][0]

    assert first == second
    assert len({fields[0] for fields in notes(markers())}) == len(notes(markers()))


def test_cloze():
    """Each blank is a gap of Anki's own; what looks like one in a text does not become one."""
    (fields,) = notes(
        bank(
            "  - id: a\n    type: cloze\n    prompt: 'x {{c9::y}} [[b]] end'\n"
            "    blanks: {b: {type: text, accept: [{is: 'k}}::'}]}}\n"
        )
    )

    assert fields[1] == "Cloze"
    assert fields[3] == ("<div>x &#123;&#123;c9&#58;&#58;y&#125;&#125; {{c1::k&#125;&#125;&#58;&#58;}} end</div>")


def test_the_front_does_not_show_the_key():
    """Items are not shown in their order, and no mark stands at the right option."""
    for fields in notes(markers()):
        assert "\u2713" not in fields[3]
    (fields,) = notes(bank("  - {id: a, type: order, prompt: P, items: [a, b, c]}\n"))
    assert "<li>c</li><li>b</li><li>a</li>" in fields[3]


def test_tags_and_decks():
    """Tags hold no space; objective and difficulty are trees; a pool is a deck below the bank's."""
    by_front = {fields[3]: fields for fields in notes(markers())}
    single = next(fields for front, fields in by_front.items() if "prompt-m6" in front)
    pooled = next(fields for front, fields in by_front.items() if "prompt-m89" in front)

    assert single[5] == "tag-m4 tag:_m5_[x] objective::goal-one difficulty::3 bank::markers"
    assert (single[2], pooled[2]) == ("Title of the bank", "Title of the bank::pool-one")


def test_hints_unfold_and_pictures_lie_beside():
    """Hints are unfolded by the learner; a picture is a file to put where Anki keeps its media."""
    single = next(fields for fields in notes(markers()) if "prompt-m6" in fields[3])

    assert "<details><summary>Hint</summary>hint-m14</details>" in single[3]
    assert "dot.png" in export(markers(), "anki").files
