"""Statistics over several people: known values, alarms that should ring, and silence where there are too few."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import json
import random

import pytest
from bankkit import bank_of, bank_text

from quizzes import stats
from quizzes.log import now
from quizzes.prompter import Prompter
from quizzes.stats_text import cohort as tell
from quizzes.writer import content_hash

QUESTIONS = "\n".join(
    f"- {{id: q{n}, type: single, difficulty: {5 if n == 0 else 3}, prompt: Question {n}, options: [{{id: key, text: right {n}, correct: true, why: w{n}}}, {{id: near, text: near {n}, why: v{n}}}, {{id: far, text: far {n}, why: u{n}}}, {{id: dead, text: dead {n}, why: t{n}}}]}}"
    for n in range(8)
)
BANK = bank_of(QUESTIONS)
HASHES = {question.id: content_hash(question, BANK) for question in BANK.questions}


def sat(answers, *, content=None):
    """Return the events of one person who chose these options."""
    start = {
        "schema": 1,
        "event": "start",
        "time": now(),
        "sitting": "s",
        "bank": "small",
        "questions": [{"bank": "small", "question": name, "hash": HASHES[name]} for name in answers],
    }
    events = [start]
    for name, chosen in answers.items():
        common = {"schema": 1, "time": now(), "sitting": "s", "bank": "small", "question": name}
        if chosen == "skip":
            events.append({**common, "event": "skip"})
        else:
            events.append(
                {
                    **common,
                    "event": "answer",
                    "hash": content or HASHES[name],
                    "attempt": 1,
                    "answer": [chosen],
                    "score": float(chosen == "key"),
                    "seconds": 4.0,
                    "hints": 0,
                }
            )
    return events


def cohort(people, miskeyed=None):
    """Return the logs of people whose skill runs from low to high; on a miskeyed question the skilled choose `near`."""
    source = random.Random(4)
    logs = {}
    for person in range(people):
        skill = (person + 0.5) / people
        answers = {}
        for name in HASHES:
            knows = source.random() < skill
            chosen = "key" if knows else source.choice(["near", "far"])
            if name == miskeyed:
                chosen = "near" if knows else source.choice(["key", "far"])
            answers[name] = chosen
        logs[f"p{person}"] = sat(answers)
    return logs


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_intervals(right, n, low, high):
    """The interval of a share, with values that were worked out elsewhere."""
    assert (low, high) == pytest.approx(stats.wilson(right, n), abs=5e-5)


def test_alpha_of_known_scores():
    """Rows that agree give 1; rows worked out by hand give what they should; constant totals give nothing."""
    assert 1.0 == pytest.approx(stats.alpha([[0, 0, 0], [1, 1, 1], [0, 0, 0], [1, 1, 1]]))
    assert 0.75 == pytest.approx(stats.alpha([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]]))
    assert stats.alpha([[1, 0], [0, 1]]) is None


def test_only_first_answers_to_the_present_wording_count():
    """A second sitting, a second try and an answer to an older wording are left out; the last is counted apart."""
    logs = {
        "a": [*sat({"q0": "near"}), *[{**event, "sitting": "later"} for event in sat({"q0": "key"})]],
        "b": sat({"q0": "key"}, content="old"),
        "c": sat({"q0": "skip"}),
    }
    item = stats.cohort(logs, BANK).items[0]
    assert (1, 0, 1, 1) == (item.n, item.right, item.older, item.skipped)


def test_small_groups_say_nothing_they_cannot_know():
    """Nine people give counts, twenty give shares, thirty a correlation, and none before."""
    nine, twelve, twenty, thirty = (stats.cohort(cohort(n), BANK) for n in (9, 12, 20, 30))
    assert (None, None) == (nine.items[0].corrected, nine.alpha)
    assert twelve.items[0].corrected is not None
    assert [None] * 3 == [one.items[0].correlation for one in (nine, twelve, twenty)]
    assert thirty.items[0].correlation > 0
    low, high = twenty.alpha[1:]
    assert low <= twenty.alpha[0] <= high


def test_a_miskeyed_question_rings_the_alarm():
    """Where the strong choose a distractor and the weak the key, the key is probably wrong; elsewhere there is quiet."""
    figures = stats.cohort(cohort(60, miskeyed="q3"), BANK)
    alarms = {item.question.id: " ".join(item.alarms) for item in figures.items}
    assert "likely miskeyed: stronger learners chose `near 3`" in alarms["q3"]
    assert "stronger learners do worse" in alarms["q3"]
    assert not any("miskeyed" in text for name, text in alarms.items() if name != "q3")
    assert "hardly anybody chooses `dead 1`" in alarms["q1"]


def test_a_miskey_alarm_needs_people():
    """Three people who chose a distractor are no finding."""
    logs = {f"p{n}": sat({"q0": "near" if n < 3 else "key", "q1": "key" if n < 3 else "far"}) for n in range(12)}
    assert not any("miskeyed" in alarm for alarm in stats.cohort(logs, BANK).items[0].alarms)


def test_the_words_are_honest_about_numbers(capsys):
    """The text names n, calls weak evidence weak, hides small cells and says what alpha is not for."""
    tell(stats.cohort(cohort(60, miskeyed="q3"), BANK), Prompter([]))
    out = " ".join(capsys.readouterr().out.split())
    assert "60 people, first answers only" in out
    assert "n = 60, 95 % interval" in out
    assert "weak evidence" in out
    assert "! likely miskeyed" in out
    assert "no aim for a short check" in out
    tell(stats.cohort(cohort(8), BANK), Prompter([]))
    out = capsys.readouterr().out
    assert "next to nothing" in out
    assert "facility" not in out
    tell(stats.cohort(cohort(3), BANK), Prompter([]))
    assert "fewer than 5 answers" in capsys.readouterr().out


@pytest.mark.parametrize(("right", "n"), [(2, 5), (4, 9), (5, 9), (6, 10), (0, 12), (18, 20), (28, 30), (2, 30)])
def test_no_count_below_five_is_told(right, n, capsys):
    """Where fewer than five were right, or fewer than five wrong, neither counts nor shares of them are printed."""
    head = "schema: quizbank/1\nbank: small\ntitle: Small\nobjectives: {aim: To aim}\nquestions:\n"
    bank = bank_of(QUESTIONS.replace("type: single", "type: single, objective: aim"), head)
    logs = {f"p{one}": sat({"q0": "key" if one < right else "near"}) for one in range(n)}
    tell(stats.cohort(logs, bank), Prompter([]))
    out = " ".join(capsys.readouterr().out.split())
    assert f"{n} answers, right or wrong: too few to show" in out
    assert f"{n} first answers, right or wrong: too few to show" in out or n < 10
    assert not any(word in out for word in (f"{right} of", "facility", "corrected", "To aim: %", "*"))


def test_a_small_count_is_not_the_difference_of_the_others(capsys):
    """Where one option has too few people, the next is passed over too, so that nobody can subtract."""
    chosen = ["key"] * 20 + ["near"] * 10 + ["far"] * 8 + ["dead"] * 2
    logs = {f"p{number}": sat({"q0": one}) for number, one in enumerate(chosen)}
    tell(stats.cohort(logs, BANK), Prompter([]))
    out = capsys.readouterr().out
    for line in ("* right 0: 50 %", "- near 0: 25 %", "- far 0: not shown\n", "- dead 0: under 5 people\n"):
        assert line in out


def test_counts_of_five_and_more_are_told(capsys):
    """Five right and five wrong may be said."""
    logs = {f"p{one}": sat({"q0": "key" if one < 5 else "near"}) for one in range(10)}
    tell(stats.cohort(logs, BANK), Prompter([]))
    assert "facility 0.50 (n = 10" in capsys.readouterr().out


def test_objectives_name_the_mistake_that_most_people_believed(capsys):
    """Over all questions of an objective: the share that was right, and the distractor that was chosen most."""
    head = "schema: quizbank/1\nbank: small\ntitle: Small\nobjectives: {aim: To aim}\nquestions:\n"
    bank = bank_of(QUESTIONS.replace("type: single", "type: single, objective: aim"), head)
    tell(stats.cohort(cohort(60, miskeyed="q3"), bank), Prompter([]))
    out = " ".join(capsys.readouterr().out.split())
    assert "To aim: 47 % of 480 first answers right; most believed mistake: near 3 (" in out


def test_logs_of_several_files_are_put_together(quiz):
    """Two copies of one person's log count once; another file is another person."""
    bank = quiz.file("small.yaml", bank_text(QUESTIONS))

    def write(name, person, answers):
        quiz.file(name, "".join(json.dumps({**event, "person": person}) + "\n" for event in sat(answers)))

    write("a.jsonl", "x", {"q0": "key"})
    write("b.jsonl", "y", {"q0": "near"})
    (quiz.folder / "copy.jsonl").write_bytes((quiz.folder / "a.jsonl").read_bytes())
    ran = quiz("stats", "a.jsonl", "copy.jsonl", "b.jsonl", "--bank", bank)
    assert "2 people" in ran.out
