"""Writes QTI 1.2 as Canvas reads it: a zip with a manifest, the quiz, and Canvas's own settings.

Numbers are ranges (``vargte``, ``varlte``) in decimal text, since Canvas rounds what it takes for "exact
with a margin". Files in the zip have no date and are not compressed, so the same bank makes the same bytes
on every machine.
"""

from __future__ import annotations

import html
import io
import zipfile
from fractions import Fraction
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from quizzes import model
from quizzes.formats import build, embed, markup
from quizzes.formats.items import answered, explanation, image_bytes, items, stem
from quizzes.formats.xmlfile import add, document, visible
from quizzes.hashing import hex_digest
from quizzes.numeric import decimal_text, tolerance
from quizzes.rules import BLANK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from quizzes.formats.items import Item

NAMESPACE = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
_MANIFEST = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"

_RESPONSE = "response1"
_OLDEST = (1980, 1, 1, 0, 0, 0)

TYPES: dict[type[model.Question], str] = {
    model.Single: "multiple_choice_question",
    model.Multiple: "multiple_answers_question",
    model.TrueFalse: "true_false_question",
    model.Numeric: "numerical_question",
    model.Text: "short_answer_question",
    model.Match: "matching_question",
    model.SelfGraded: "essay_question",
    model.Info: "text_only_question",
}


def write(bank: model.Bank) -> dict[str, bytes]:
    """Return the files of the export: one zip."""
    ident = _ident(bank.id)
    written = items(bank, "qti")
    files = {
        "imsmanifest.xml": _manifest(bank, ident),
        f"{ident}/{ident}.xml": _quiz(bank, written, ident),
        f"{ident}/assessment_meta.xml": _settings(bank, ident),
    }
    for question in bank.questions:
        picture = image_bytes(question, bank)
        if question.image and picture is not None:
            files[f"images/{question.image.file}"] = picture
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _OLDEST)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return {f"{bank.id}.zip": buffer.getvalue()}


def _ident(text: str) -> str:
    return "g" + hex_digest(text, 32)


# The files around the quiz


def _manifest(bank: model.Bank, ident: str) -> bytes:
    root = ET.Element("manifest", {"identifier": _ident(f"{bank.id} manifest"), "xmlns": _MANIFEST})
    metadata = add(root, "metadata")
    add(metadata, "schema", "IMS Content")
    add(metadata, "schemaversion", "1.1.3")
    add(root, "organizations")
    resources = add(root, "resources")
    quiz = add(resources, "resource", identifier=ident, type="imsqti_xmlv1p2")
    add(quiz, "file", href=f"{ident}/{ident}.xml")
    settings = _ident(f"{bank.id} settings")
    add(quiz, "dependency", identifierref=settings)
    kind = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
    href = f"{ident}/assessment_meta.xml"
    add(add(resources, "resource", identifier=settings, type=kind, href=href), "file", href=href)
    for question in bank.questions:
        if question.image and image_bytes(question, bank) is not None:
            href = f"images/{question.image.file}"
            one = add(resources, "resource", identifier=_ident(f"{bank.id} {href}"), type="webcontent", href=href)
            add(one, "file", href=href)
    return document(root)


def _settings(bank: model.Bank, ident: str) -> bytes:
    root = ET.Element("quiz", {"identifier": ident, "xmlns": _CANVAS})
    add(root, "title", bank.title)
    add(root, "description", markup.to_html(bank.description))
    # Canvas has one switch for the whole quiz; one question that must keep its order decides it.
    options = [option for question in bank.questions for option in getattr(question, "options", ())]
    fixed = any(option.pin for option in options) or any(not getattr(one, "shuffle", True) for one in bank.questions)
    add(root, "shuffle_answers", "false" if fixed else "true")
    add(root, "quiz_type", "practice_quiz")
    add(root, "allowed_attempts", "-1")
    return document(root)


# The quiz


def _quiz(bank: model.Bank, written: Sequence[Item], ident: str) -> bytes:
    root = ET.Element("questestinterop", {"xmlns": NAMESPACE})
    assessment = add(root, "assessment", ident=ident, title=bank.title)
    fields = add(assessment, "qtimetadata")
    _field(fields, "cc_maxattempts", "unlimited")
    _field(fields, embed.BANK_MARK, embed.dumps(embed.bank_copy(bank, written)))
    top = add(assessment, "section", ident="root_section")
    picks = {pool.name: pool.pick for pool in bank.pools}
    groups: dict[tuple[str, str], ET.Element] = {}
    for item in written:
        # Of drawn variants one is asked; in a pool, where each counts as a question, one is all there is.
        if item.drawn and item.pool and item.part > 1:
            continue
        home, group = top, (item.pool, "" if item.pool or not item.drawn else item.source.id)
        if any(group):
            if group not in groups:
                groups[group] = _group(top, group, picks.get(item.pool, 1), item)
            home = groups[group]
        element, fields = _element(item, bank)
        _field(fields, embed.MARK, embed.dumps(embed.copy(item, visible(element))))
        home.append(element)
    return document(root)


def _group(parent: ET.Element, names: tuple[str, str], pick: int, item: Item) -> ET.Element:
    """Add a section of which a number of questions is asked: a pool, or the variants of a question."""
    section = add(parent, "section", ident=_ident(f"group {' '.join(names)}"), title=names[0] or names[1])
    selection = add(add(section, "selection_ordering"), "selection")
    add(selection, "selection_number", str(pick))
    add(add(selection, "selection_extension"), "points_per_item", f"{item.question.points:f}")
    return section


def _field(parent: ET.Element, label: str, entry: str) -> None:
    field = add(parent, "qtimetadatafield")
    add(field, "fieldlabel", label)
    add(field, "fieldentry", entry)


def _element(item: Item, bank: model.Bank) -> tuple[ET.Element, ET.Element]:
    """Return the element of a question, and the place in it for further metadata."""
    question = item.question
    name = f"{bank.id}/{question.id}"
    out = ET.Element("item", ident=_ident(name), title=question.title or question.id)
    fields = add(add(out, "itemmetadata"), "qtimetadata")
    _field(fields, "question_type", _question_type(question))
    _field(fields, "points_possible", f"{question.points:f}")
    _field(fields, "assessment_question_identifierref", _ident(f"{name} question"))
    _field(fields, "quizbank-id", name)
    if tags := build.tags_of(question):
        _field(fields, "quizbank-tags", ", ".join(tags))
    _ItemWriter(question, bank, out).fill()
    return out, fields


def _question_type(question: model.Question) -> str:
    if isinstance(question, model.Cloze):
        typed = question.blanks[0].type == "text"
        return "fill_in_multiple_blanks_question" if typed else "multiple_dropdowns_question"
    return TYPES[type(question)]


class _ItemWriter:
    """Writes into one question's element: what is shown, how it is marked, what is said about it."""

    def __init__(self, question: model.Question, bank: model.Bank, out: ET.Element) -> None:
        self.question = question
        self.bank = bank
        self.presentation = add(out, "presentation")
        self.conditions: list[ET.Element] = []
        self.feedbacks: dict[str, str] = {}
        self.out = out

    def fill(self) -> None:
        """Write all of it."""
        _material(self.presentation, self._prompt(), as_html=True)
        after = answered(self.question) if isinstance(self.question, model.SelfGraded) else explanation(self.question)
        if after:
            self._condition(say="general_fb", text=after)
        self._ask()
        if isinstance(self.question, model.Info):
            return
        if feedback := self.question.feedback:
            if feedback.incorrect:
                self._condition(say="general_incorrect_fb", text=feedback.incorrect)
            if feedback.correct:
                self.feedbacks["correct_fb"] = feedback.correct
        otherwise = getattr(getattr(self.question, "rule", None), "otherwise", "")
        if otherwise and "general_incorrect_fb" not in self.feedbacks:
            self._condition(say="general_incorrect_fb", text=otherwise)
        if not self.conditions:
            self._condition()
        processing = add(self.out, "resprocessing")
        score = {"maxvalue": "100", "minvalue": "0", "varname": "SCORE", "vartype": "Decimal"}
        add(add(processing, "outcomes"), "decvar", **score)
        processing.extend(self.conditions)
        for ident, text in self.feedbacks.items():
            _material(
                add(add(self.out, "itemfeedback", ident=ident), "flow_mat"),
                markup.to_html(text),
                as_html=True,
            )

    # What is shown

    def _prompt(self) -> str:
        question, bank = self.question, self.bank
        picture = image_bytes(question, bank)
        text = stem(question, bank, alt=picture is None)
        if isinstance(question, model.Cloze):
            # Canvas finds its gaps by their names in brackets, so other brackets must not look like one.
            gaps = [f"[{name}]" for name in BLANK.findall(text)]
            parts = [markup.to_html_around(text, gaps, BLANK, lambda one: markup.to_html(one).replace("[", "&#91;"))]
        else:
            parts = [markup.to_html(text)]
        parts = [f"<div>{parts[0]}</div>"]
        if question.code:
            parts.append(markup.code_html(question.code.text))
        if question.image and picture is not None:
            source = html.escape(f"%24IMS-CC-FILEBASE%24/images/{question.image.file}")
            parts.append(f'<p><img src="{source}" alt="{html.escape(question.image.alt)}"></p>')
        return "".join(parts)

    def _ask(self) -> None:
        match self.question:
            case model.Single(options=options):
                self._choose(options)
            case model.Multiple(options=options):
                self._choose_several(options)
            case model.TrueFalse() as question:
                options = (
                    model.Option(id="true", text="True", why=question.why_true, correct=question.answer),
                    model.Option(id="false", text="False", why=question.why_false, correct=not question.answer),
                )
                self._choose(options)
            case model.Numeric(rule=rule):
                self._input("Decimal")
                self._numbers(rule)
            case model.Text(rule=rule):
                self._input("String")
                self._texts(rule)
            case model.Cloze() as question:
                self._gaps(question)
            case model.Match() as question:
                self._pair(question)
            case model.SelfGraded():
                self._input("String")

    def _list(
        self,
        ident: str,
        texts: Sequence[str],
        *,
        label: str = "",
        several: bool = False,
        shared: bool = False,
    ) -> list[str]:
        """Add a list to choose from; return the idents of its texts, the same ones in ``shared`` lists."""
        response = add(self.presentation, "response_lid", ident=ident, rcardinality="Multiple" if several else "Single")
        if label:
            _material(response, label)
        choice = add(response, "render_choice")
        first = 1000 if shared else 1000 * len(self.presentation)
        idents = [str(first + number) for number in range(len(texts))]
        for name, text in zip(idents, texts, strict=True):
            _material(add(choice, "response_label", ident=name), text)
        return idents

    def _input(self, kind: str) -> None:
        response = add(self.presentation, "response_str", ident=_RESPONSE, rcardinality="Single")
        add(add(response, "render_fib", fibtype=kind), "response_label", ident="answer1", rshuffle="No")

    # How it is marked

    def _condition(
        self, *, say: str = "", text: str = "", score: str = "", action: str = "Set", go_on: bool = True
    ) -> ET.Element:
        """Add a condition; return the element for what must hold."""
        condition = ET.Element("respcondition", {"continue": "Yes" if go_on else "No"})
        variable = add(condition, "conditionvar")
        if not score:
            add(variable, "other")
        if score:
            add(condition, "setvar", score, action=action, varname="SCORE")
            if self.question.feedback and self.question.feedback.correct and action == "Set":
                say = say or "correct_fb"
        if say:
            add(condition, "displayfeedback", feedbacktype="Response", linkrefid=say)
            if text:
                self.feedbacks[say] = text
        self.conditions.append(condition)
        return variable

    def _comment(self, ident: str, why: str, respondent: str = _RESPONSE, equal: str = "") -> None:
        """Say something to who chose an option."""
        if not why:
            return
        variable = self._condition(say=f"{ident}_fb", text=why)
        variable.clear()
        add(variable, "varequal", equal or ident, respident=respondent)

    def _choose(self, options: Sequence[model.Option]) -> None:
        idents = self._list(_RESPONSE, [option.text for option in options])
        for ident, option in zip(idents, options, strict=True):
            self._comment(ident, option.why)
        for ident, option in zip(idents, options, strict=True):
            if option.correct:
                add(self._condition(score="100", go_on=False), "varequal", ident, respident=_RESPONSE)

    def _choose_several(self, options: Sequence[model.Option]) -> None:
        idents = self._list(_RESPONSE, [option.text for option in options], several=True)
        for ident, option in zip(idents, options, strict=True):
            self._comment(ident, option.why)
        both = add(self._condition(score="100", go_on=False), "and")
        for ident, option in zip(idents, options, strict=True):
            add(both if option.correct else add(both, "not"), "varequal", ident, respident=_RESPONSE)

    def _numbers(self, rule: model.NumberRule) -> None:
        for number, answer in enumerate(rule.answers, 1):
            if answer.value is None or answer.credit < model.FULL:
                continue
            key = Fraction(answer.value.value)
            margin = tolerance(answer.value.value, answer.abs, answer.rel)
            ident = f"answer{number}"
            variable = self._condition(
                score="100", go_on=False, say=f"{ident}_fb" if answer.why else "", text=answer.why
            )
            add(variable, "vargte", decimal_text(key - margin), respident=_RESPONSE)
            add(variable, "varlte", decimal_text(key + margin), respident=_RESPONSE)

    def _texts(self, rule: model.TextRule) -> None:
        right = [key for key in rule.accept if key.text and key.credit == model.FULL]
        for number, key in enumerate(rule.accept, 1):
            if key.text:
                self._comment(f"answer{number}", key.why, equal=key.text)
        variable = self._condition(score="100", go_on=False)
        for key in right:
            add(variable, "varequal", key.text, respident=_RESPONSE)

    def _gaps(self, question: model.Cloze) -> None:
        share = _share(len(question.blanks))
        for blank in question.blanks:
            respondent = f"response_{blank.name}"
            if isinstance(blank.rule, model.ChoiceRule):
                idents = self._list(respondent, [option.text for option in blank.rule.options], label=blank.name)
                for ident, option in zip(idents, blank.rule.options, strict=True):
                    self._comment(ident, option.why, respondent)
                right = [ident for ident, option in zip(idents, blank.rule.options, strict=True) if option.correct]
            else:
                assert isinstance(blank.rule, model.TextRule)
                keys = [key for key in blank.rule.accept if key.text and key.credit == model.FULL]
                right = self._list(respondent, [key.text for key in keys], label=blank.name)
                for ident, key in zip(right, keys, strict=True):
                    self._comment(ident, key.why, respondent)
            for ident in right:
                add(self._condition(score=share, action="Add"), "varequal", ident, respident=respondent)

    def _pair(self, question: model.Match) -> None:
        rights = [*(pair.right for pair in question.pairs), *question.distractors]
        for number, pair in enumerate(question.pairs):
            respondent = f"response_{number + 1}"
            idents = self._list(respondent, rights, label=pair.left, shared=True)
            variable = self._condition(score=_share(len(question.pairs)), action="Add")
            add(variable, "varequal", idents[number], respident=respondent)


def _share(parts: int) -> str:
    return f"{100 / parts:.2f}"


def _material(parent: ET.Element, text: str, *, as_html: bool = False) -> None:
    """Add a text: plain, or HTML where plain text would lose its spaces or its lines."""
    if not as_html and markup.needs_html(text):
        text, as_html = f"<div>{markup.to_html(text)}</div>", True
    add(add(parent, "material"), "mattext", text, texttype="text/html" if as_html else "text/plain")
