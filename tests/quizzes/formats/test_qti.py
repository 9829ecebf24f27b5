"""QTI 1.2 for Canvas: a zip that is the same every time, and items in the order of the specification."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree as ET

import pytest
from formatkit import bank, bank_of, exported, markers

from quizzes.formats import import_bank
from quizzes.model import ImportFailedError

Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
ORDER = ["itemmetadata", "presentation", "resprocessing", "itemfeedback"]
CONDITION = ["conditionvar", "setvar", "displayfeedback"]


def archive(one):
    """Return the zip of an export."""
    return zipfile.ZipFile(io.BytesIO(exported(one, "qti")))


def items(one):
    """Return the items of an export by their type and title."""
    with archive(one) as opened:
        name = next(
            name for name in opened.namelist() if name.count("/") == 1 and "meta" not in name and "images" not in name
        )
        root = ET.fromstring(opened.read(name))
    return {(_type(item), item.get("title")): item for item in root.iter(f"{Q}item")}


def _type(item):
    fields = {field[0].text: field[1].text for field in item.iter(f"{Q}qtimetadatafield")}
    return fields["question_type"]


def names(element):
    """Return the names of an element's children."""
    return [child.tag.removeprefix(Q) for child in element]


def test_the_zip_has_no_dates():
    """Every entry is of the oldest date, unpacked, and of one system."""
    with archive(markers()) as opened:
        for entry in opened.infolist():
            assert (entry.date_time, entry.compress_type, entry.create_system) == (
                (1980, 1, 1, 0, 0, 0),
                0,
                3,
            )


def test_the_manifest_names_every_file():
    """What is in the zip is in the manifest, and the other way round."""
    with archive(markers()) as opened:
        root = ET.fromstring(opened.read("imsmanifest.xml"))
        listed = {element.get("href") for element in root.iter() if element.tag.endswith("file")}

        assert listed | {"imsmanifest.xml"} == set(opened.namelist())


def test_every_type_of_canvas_is_used():
    """Each question has a type that Canvas knows."""
    assert {kind for kind, _ in items(markers())} == {
        "multiple_choice_question", "multiple_answers_question", "true_false_question", "numerical_question",
        "short_answer_question", "fill_in_multiple_blanks_question", "matching_question", "essay_question",
        "text_only_question",
    }  # fmt: skip


def test_elements_stand_in_the_order_of_the_specification():
    """Metadata, what is shown, how it is marked, what is said; and in each condition what must hold first."""
    for item in items(markers()).values():
        tags = list(dict.fromkeys(names(item)))
        assert tags == [tag for tag in ORDER if tag in tags]
        for condition in item.iter(f"{Q}respcondition"):
            assert names(condition) == [tag for tag in CONDITION if tag in names(condition)]
            assert len(condition[0]) >= 1


def test_references_lead_somewhere():
    """Every feedback that is shown exists, once; every response that is marked is asked for."""
    for item in items(markers()).values():
        feedbacks = [one.get("ident") for one in item.iter(f"{Q}itemfeedback")]
        assert len(feedbacks) == len(set(feedbacks))
        assert {one.get("linkrefid") for one in item.iter(f"{Q}displayfeedback")} == set(feedbacks)
        asked = {
            one.get("ident") for one in item.iter() if one.tag.startswith(f"{Q}response_") and one.get("rcardinality")
        }
        assert {one.get("respident") for one in item.iter() if one.get("respident")} <= asked


def test_numbers_are_ranges():
    """A range in decimal text, exact, never a value with a margin."""
    one = bank("  - {id: a, type: numeric, prompt: P, answers: [{value: 0.125, rel: 0.001}]}\n")
    (item,) = items(one).values()

    assert [(v.tag.removeprefix(Q), v.text) for v in item.find(f".//{Q}conditionvar")] == [
        ("vargte", "0.124875"), ("varlte", "0.125125"),
    ]  # fmt: skip


def test_spacing_is_kept_by_html():
    """A text whose spaces matter is HTML, any other is plain."""
    one = bank(
        "  - id: a\n    type: single\n    prompt: P\n    options:\n"
        "      - {text: 'a  b', correct: true, why: w}\n      - {text: a < b, why: w}\n"
    )
    (item,) = items(one).values()
    first, second = [label.find(f".//{Q}mattext") for label in item.iter(f"{Q}response_label")]

    assert (first.get("texttype"), first.text) == ("text/html", "<div>a\xa0\xa0b</div>")
    assert (second.get("texttype"), second.text) == ("text/plain", "a < b")


def test_several_right_options():
    """Canvas reads which are right from one condition: these, and not those."""
    item = items(markers())["multiple_answers_question", "multi-net"]
    condition = next(one for one in item.iter(f"{Q}respcondition") if one.find(f"{Q}setvar") is not None)

    assert names(condition[0][0]) == ["varequal", "varequal", "not"]


def test_pools_are_sections_with_a_number():
    """A pool is a section of which a number is picked."""
    with archive(markers()) as opened:
        name = next(
            name for name in opened.namelist() if name.count("/") == 1 and "meta" not in name and "images" not in name
        )
        root = ET.fromstring(opened.read(name))
    section = next(one for one in root.iter(f"{Q}section") if one.get("title") == "pool-one")

    assert section.findtext(f".//{Q}selection_number") == "1"
    assert [item.get("title") for item in section.iter(f"{Q}item")] == ["pooled-a", "pooled-b"]


def test_of_drawn_variants_one_is_asked():
    """Variants of a question with params are a section with a pick of one; in a pool there is but one."""
    text = (
        "  - {id: a, type: text, params: {d: {choice: [1, 2]}}, prompt: 'P {d}', accept: [{is: x}]}\n"
        "  - {id: b, type: text, params: {d: {choice: [1, 2]}}, prompt: 'Q {d}', accept: [{is: x}]}\n"
        "  - {id: c, type: text, prompt: R, accept: [{is: x}]}\n"
        "pools: [{name: either, pick: 1, of: [b, c]}]\n"
    )
    one = bank(text)
    with archive(one) as opened:
        name = next(name for name in opened.namelist() if name.count("/") == 1 and "meta" not in name)
        root = ET.fromstring(opened.read(name))
    sections = {
        section.get("title"): (
            section.findtext(f".//{Q}selection_number"),
            [item.get("title") for item in section.findall(f"{Q}item")],
        )
        for section in root.iter(f"{Q}section")
        if section.get("title")
    }

    assert sections == {"a": ("1", ["a-1", "a-2"]), "either": ("1", ["b-1", "c"])}
    assert one == bank_of(import_bank(exported(one, "qti"), "qti", one.id).text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04 nonsense", "f: the zip cannot be read: File is not a zip file"),
        (b"PK", "f: the zip cannot be read: File is not a zip file"),
    ],
)
def test_a_broken_zip(data, message):
    """A broken zip is named as one."""
    with pytest.raises(ImportFailedError, match="zip") as caught:
        import_bank(data, "qti", "x", "f")

    assert message == str(caught.value)


def test_a_zip_that_would_grow():
    """A zip that unpacks to more than a quiz is refused before it is unpacked."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("a.xml", b" " * 9_000_000)
    with pytest.raises(ImportFailedError, match="unpacks to more than") as caught:
        import_bank(buffer.getvalue(), "auto", "x", "f")

    assert str(caught.value).startswith("f: the zip unpacks to more than 8388608 bytes")
