"""What a quiz bank is: frozen values that the loader makes and everything else reads.

All are :class:`~quizzes.record.Record`, which are frozen dataclasses in all but their price;
``record.replace`` copies one with changes. A :class:`Bank` holds questions; each question is one of eleven
classes (``Single`` ... ``Info``), told apart by class or by its ``type`` word. All sequences are tuples and
all mappings are read-only by custom, so a bank can be shared. Texts are as their author wrote them: not yet
filled in where a question has ``params`` (see :mod:`quizzes.params`), not yet made safe for a terminal (see
:mod:`quizzes.terminal`).

``place`` says where a value stood in its file; it takes no part in comparing two banks, so a bank written out
and read again equals itself. Numbers that an author wrote keep their text (:class:`Number`), because 0.10 is
not 0.1 to a reader.

Not here: how any of it is read (:mod:`quizzes.schema`), judged (:mod:`quizzes.grading`) or written
(:mod:`quizzes.writer`).
"""

from __future__ import annotations

from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from quizzes.hashing import hex_digest
from quizzes.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FULL = Decimal(100)
NONE = Decimal(0)


class Place:
    """Where a value stands in its file, both from 1. The nodes of :mod:`quizzes.tree` are places."""

    __slots__ = ("column", "line")

    def __init__(self, line: int = 0, column: int = 0) -> None:
        self.line = line
        self.column = column

    def of(self, *path: str | int) -> Place:
        """Return the place of what is reached by ``path``, or of the nearest thing on the way."""
        here = self
        for step in path:
            below = here.child(step)
            if below is None:
                return here
            here = below
        return here

    def child(self, step: str | int) -> Place | None:  # noqa: ARG002 - those that hold something overrule this
        """Return the place of what this one holds under a key or an index."""
        return None


NOWHERE = Place()


def short_id(text: str) -> str:
    """Return the id of something that its author did not name: the same wherever it stands in its list."""
    return hex_digest(text, 8)


class Number(Record, kw_only=False):
    """A number with the digits its author gave it."""

    text: str
    value: Decimal


class Option(Record):
    """One choice. ``why`` is shown to who chose it, ``missed`` to who should have."""

    id: str
    text: str
    correct: bool = False
    credit: Decimal | None = None  # percent, -100 to 100; None where the author left it to the grading mode
    why: str = ""
    missed: str = ""
    pin: str = ""  # "", "first" or "last"
    place: Place = NOWHERE


class NumericAnswer(Record):
    """A value or a formula, and how near counts; credit 0 makes it a known wrong answer.

    A formula's value is there from the start where the question has no params, else in its filled forms.
    """

    value: Number | None = None
    expr: str = ""
    abs: Number | None = None
    rel: Number | None = None
    credit: Decimal = FULL
    why: str = ""
    place: Place = NOWHERE


class NumberRule(Record):
    """How a typed number is judged: the first answer within whose tolerance it falls decides."""

    answers: tuple[NumericAnswer, ...]
    accept: tuple[str, ...] = ("decimal", "fraction", "scientific")  # how it may be typed; also "percent"
    unit: str = ""  # may be typed after the number, need not be
    otherwise: str = ""


class TextKey(Record):
    """One text that counts: literal (``text``) or a regular expression that must match the whole answer."""

    text: str = ""
    regex: str = ""
    credit: Decimal = FULL
    why: str = ""
    place: Place = NOWHERE


class TextMatch(Record):
    """What is made equal on both sides before two texts are compared."""

    case: str = "fold"  # fold | exact
    space: str = "collapse"  # collapse | remove | exact
    quotes: str = "fold"  # fold | exact; quotes and dashes
    unicode: str = "NFKC"  # NFKC | NFC | exact


class TextRule(Record):
    """How a typed text is judged: the first key it equals decides."""

    accept: tuple[TextKey, ...]
    match: TextMatch = TextMatch()
    otherwise: str = ""


class ChoiceRule(Record):
    """A blank that is filled from a list."""

    options: tuple[Option, ...]


class Blank(Record):
    """One ``[[name]]`` of a cloze question."""

    name: str
    rule: TextRule | NumberRule | ChoiceRule
    place: Place = NOWHERE

    @property
    def type(self) -> str:
        """The word that stands for the rule in a bank: text, numeric or choice."""
        return {TextRule: "text", NumberRule: "numeric", ChoiceRule: "choice"}[type(self.rule)]


class Pair(Record):
    """Two things that belong together."""

    left: str
    right: str
    place: Place = NOWHERE


class Code(Record, kw_only=False):
    """A listing shown under the prompt, exactly as written."""

    text: str
    lang: str = "python"


class Image(Record, kw_only=False):
    """A picture beside the bank, and the words for who cannot see it (a terminal always shows the words)."""

    file: str
    alt: str


class Feedback(Record):
    """Said after an answer, whatever was chosen."""

    correct: str = ""
    partial: str = ""
    incorrect: str = ""


class Param(Record):
    """A value drawn afresh for each sitting; exactly one of the three is filled."""

    name: str
    choice: tuple[str, ...] = ()  # as written: numbers or words
    range: tuple[Number, ...] = ()  # low, high, step; both ends included
    expr: str = ""  # computed from params that stand before it
    place: Place = NOWHERE


class Question(Record):
    """What all questions have. ``id`` is for ever: history hangs on it."""

    type: ClassVar[str] = ""

    id: str
    prompt: str
    title: str = ""
    objective: str = ""
    tags: tuple[str, ...] = ()
    difficulty: int | None = None
    points: Decimal = Decimal(1)
    attempts: int = 2
    confidence: bool = False
    context: str = ""  # a name in Bank.contexts
    code: Code | None = None
    image: Image | None = None
    hints: tuple[str, ...] = ()
    explanation: str = ""
    feedback: Feedback | None = None
    ref: str = ""
    params: tuple[Param, ...] = ()
    where: tuple[str, ...] = ()  # what must hold of the params, such as "d > h"
    place: Place = NOWHERE


class Single(Question):
    """One option is right."""

    type: ClassVar[str] = "single"
    options: tuple[Option, ...]
    shuffle: bool = True


class Multiple(Question):
    """Any number of options may be right."""

    type: ClassVar[str] = "multiple"
    options: tuple[Option, ...]
    shuffle: bool = True
    grading: str = "net"  # all | net | each | coverage | weights


class TrueFalse(Question):
    """A statement."""

    type: ClassVar[str] = "truefalse"
    answer: bool
    why_true: str = ""  # shown to who answers true
    why_false: str = ""


class Numeric(Question):
    """A number is typed."""

    type: ClassVar[str] = "numeric"
    rule: NumberRule


class Text(Question):
    """A word or a short text is typed."""

    type: ClassVar[str] = "text"
    rule: TextRule


class Cloze(Question):
    """Blanks ``[[name]]`` in the prompt are filled, each worth the same."""

    type: ClassVar[str] = "cloze"
    blanks: tuple[Blank, ...]
    shuffle: bool = True


class Match(Question):
    """Each left has its right; distractors are rights that belong to none."""

    type: ClassVar[str] = "match"
    pairs: tuple[Pair, ...]
    distractors: tuple[str, ...] = ()
    shuffle: bool = True
    grading: str = "each"  # each | all


class Order(Question):
    """Items are put in order; the order in the bank is the key."""

    type: ClassVar[str] = "order"
    items: tuple[str, ...]
    grading: str = "lcs"  # all | pairs | lcs


class Output(Question):
    """What does ``code`` print? Compared line by line, spaces at line ends and the last newline aside."""

    type: ClassVar[str] = "output"
    expect: str


class SelfGraded(Question):
    """Free recall: the person compares with ``answer`` and says how it went."""

    type: ClassVar[str] = "self"
    answer: str


class Info(Question):
    """Text to read, worth nothing."""

    type: ClassVar[str] = "info"


TYPES: dict[str, type[Question]] = {
    kind.type: kind
    for kind in (Single, Multiple, TrueFalse, Numeric, Text, Cloze, Match, Order, Output, SelfGraded, Info)
}


class Objective(Record):
    """What a person can do afterwards; ``ref`` is where it is taught, for questions that do not say."""

    id: str
    text: str
    ref: str = ""
    place: Place = NOWHERE


class Pool(Record):
    """``pick`` of these questions are asked in a sitting."""

    name: str
    pick: int
    of: tuple[str, ...]
    place: Place = NOWHERE


class Mastery(Record):
    """When a bank counts as mastered: this share from first tries, over at least so many questions."""

    score: Decimal = Decimal("0.8")
    min_questions: int = 0


class Bank(Record):
    """One file of questions."""

    unseen = frozenset({"place", "file"})

    id: str
    title: str
    lang: str = "en"
    description: str = ""
    draft: bool = False
    mastery: Mastery = Mastery()
    objectives: tuple[Objective, ...] = ()
    contexts: Mapping[str, str] = MappingProxyType({})
    questions: tuple[Question, ...] = ()
    pools: tuple[Pool, ...] = ()
    file: str = ""  # where it was read from, if it was
    place: Place = NOWHERE

    @property
    def path(self) -> Path | None:
        """Where the bank was read from, if it was."""
        # Importing pathlib takes as long as reading a bank, so it is done only where somebody asks.
        from pathlib import Path

        return Path(self.file) if self.file else None

    def question(self, question_id: str) -> Question:
        """Return the question of that id; KeyError if there is none."""
        for question in self.questions:
            if question.id == question_id:
                return question
        raise KeyError(question_id)

    def objective(self, objective_id: str) -> Objective | None:
        """Return the objective of that id, if there is one."""
        return next((one for one in self.objectives if one.id == objective_id), None)

    def ref(self, question: Question) -> str:
        """Return where the matter of a question is taught: its own ``ref``, else its objective's."""
        objective = self.objective(question.objective)
        return question.ref or (objective.ref if objective else "")


# Export and import


class Loss(Record, kw_only=False):
    """Something of a question that the target format cannot hold."""

    question_id: str
    field: str  # such as "hints" or "option 2: credit"
    message: str  # what becomes of it


class ExportResult(Record, kw_only=False):
    """The files of an export, by file name, and what they could not take with them."""

    files: Mapping[str, bytes]
    losses: tuple[Loss, ...] = ()


class ExportFailedError(Exception):
    """A bank of which a format can show nothing."""


class ImportFailedError(Exception):
    """A file that cannot be turned into a bank; the message names the line where there is one."""
