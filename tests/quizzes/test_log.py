"""The log: nothing that was answered is lost, whatever happens to the program, and nothing foreign is believed."""

# ruff: noqa: E501 - a bank or a table on one line is easiest to compare with its places

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bankkit import bank_of

from quizzes import schedule
from quizzes.history import Try, by_bank, first_tries, sittings, standings
from quizzes.log import Log, StateError, default_folder, now
from quizzes.record import replace
from quizzes.schedule import Rating, mixed, plan, recalls
from quizzes.share import shared
from quizzes.sitting import Sitting
from quizzes.writer import content_hash

BANK = bank_of(
    "- {id: a, type: truefalse, prompt: p, answer: true}\n- {id: b, type: truefalse, prompt: q, answer: true}"
)


def test_an_event_is_a_line_that_says_what_and_when(tmp_path):
    """Each event is one line of JSON with schema, event and time, and is read back as it was written."""
    log = Log(tmp_path / "deep" / "state")
    log.append("answer", bank="b", question="q", answer="caf\u00e9\udcff\n", sitting="s")
    line = Path(log.path).read_bytes()
    assert line.count(b"\n") == 1
    assert {"schema", "event", "time", "bank", "question", "answer", "sitting"} == set(json.loads(line))
    assert "caf\u00e9\udcff\n" == log.read().events[0]["answer"]


@pytest.mark.parametrize("torn", [b'{"schema":1,"event":"ans', b"\xff\xfe\x00", b"{}", b"[" * 10000, b"null", b'{"schema":1,"event":"x","time":"2026"}', b'{"schema":1,"event":"x","time":5}', b'{"schema":1,"event":[],"time":"2026-01-01T00:00:00+00:00"}', b'{"schema":2,"event":"x","time":"2026-01-01T00:00:00+00:00"}', b'{"schema":1,"event":"x","time":"2026-01-01T00:00:00+00:00","sitting":[]}', b'{"schema":1,"event":"x","time":"0001-01-01T00:00:00+00:00"}', b'{"schema":1,"event":"x","time":"2026-01-01T00:00:00+00:00","sitting":"../../evil"}'])  # fmt: skip
def test_a_torn_or_foreign_line_costs_itself_only(tmp_path, torn):
    """A line that a crash tore, or that is of another kind, is counted and passed over; the next event has its own line."""
    log = Log(tmp_path)
    log.append("start", sitting="1")
    with Path(log.path).open("ab") as stream:
        stream.write(torn)
    log.append("end", sitting="1")
    history = log.read()
    assert (["start", "end"], 1) == ([event["event"] for event in history.events], history.unreadable)


@pytest.mark.parametrize("event", [{"event": "start"}, {"event": "start", "questions": [1, {}, {"bank": 1}]}, {"event": "answer", "bank": "b", "question": "q", "score": "x"}, {"event": "answer", "bank": "b", "question": "q", "score": 7}, {"event": "answer", "bank": [], "question": {}, "score": 1}, {"event": "skip", "bank": None, "question": 3}, {"event": "answer", "bank": "b", "question": "q", "score": float("nan")}, {"event": "answer", "bank": "b", "question": "q", "score": 1, "seconds": 10**400}])  # fmt: skip
def test_events_of_unexpected_shape_are_not_believed(event):
    """A log that something else wrote into changes nothing and breaks nothing."""
    full = {"schema": 1, "time": now(), "sitting": "s", **event}
    start = {
        "schema": 1,
        "event": "start",
        "time": now(),
        "sitting": "s",
        "questions": [{"bank": "b", "question": "q"}],
    }
    for past in sittings([start, full]).values():
        assert [] == past.tries
    assert [] == first_tries([full])
    assert shared([full], "p")


def test_two_programs_write_whole_lines(tmp_path):
    """Processes that write at once mix no lines and lose none."""
    code = "import sys; from pathlib import Path; from quizzes.log import Log\nfor n in range(60): Log(Path(sys.argv[1])).append('x', sync=False, sitting=sys.argv[2], n=n, pad='y' * 3000)"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name], env=env) for name in "abc"]
    assert [0, 0, 0] == [one.wait(30) for one in running]
    history = Log(tmp_path).read()
    assert (180, 0) == (len(history.events), history.unreadable)
    for name in "abc":
        assert list(range(60)) == [event["n"] for event in history.events if event["sitting"] == name]


def test_a_sitting_is_taken_by_one_program(tmp_path):
    """A sitting that is being taken is live for others, and is no longer when it is left."""
    log = Log(tmp_path)
    with log.hold("one") as free:
        assert free
        assert log.is_live("one")
        with log.hold("one") as again:
            assert not again
    assert not log.is_live("one")
    with log.hold("one") as free:
        assert free


def test_a_log_that_cannot_be_written_says_so(tmp_path):
    """The message names the folder, the reason and what to do."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StateError, match="--state"):
        Log(tmp_path / "file").append("x")
    (tmp_path / "log.jsonl").mkdir()
    with pytest.raises(StateError, match="directory"):
        Log(tmp_path).read()


def test_the_folder_is_the_users_and_not_the_current_one(monkeypatch, tmp_path):
    """XDG_DATA_HOME counts if it is absolute; a relative one would hang the history on the current folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert str(tmp_path / "data" / "quizbank") == default_folder()
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_folder().startswith(str(tmp_path))


def test_a_sitting_comes_back_as_it_was_left(tmp_path):
    """Answers, tries, hints and flags are there again, and what was seen is not asked again."""
    log = Log(tmp_path)
    sitting = Sitting.of_bank(log, BANK, "5")
    sitting.flag(sitting.items[0])
    sitting.answer(sitting.items[0], answer=False, seconds=1)
    sitting.mark_seen(sitting.items[0])
    past = sittings(log.read().events)[sitting.id]
    again = Sitting.resume(log, past, BANK)
    assert ("5", sitting.id) == (again.seed, again.id)
    assert (again.items[0].flagged, again.items[0].scores, again.items[0].seen) == (True, [0], True)
    assert again.current is again.items[1]


def test_what_another_program_did_meanwhile_is_not_asked_again(tmp_path):
    """A sitting that is read while somebody decides whether to go on with it is read again once it is held."""
    log = Log(tmp_path)
    first = Sitting.of_bank(log, BANK, "5")
    again = Sitting.resume(log, sittings(log.read().events)[first.id], BANK)
    first.answer(first.items[0], answer=True, seconds=1)
    first.mark_seen(first.items[0])
    assert not again.catch_up()
    assert ([1], again.items[1]) == (again.items[0].scores, again.current)
    first.end()
    assert again.catch_up()


def test_old_marks_of_killed_programs_are_removed(tmp_path):
    """A mark that nobody holds goes after a day; one that is held stays, however old."""
    log = Log(tmp_path)
    with log.hold("held"):
        for name in ("held", "killed", "fresh"):
            (tmp_path / "live" / name).touch()
        for name in ("held", "killed"):
            os.utime(tmp_path / "live" / name, (0, 0))
        with log.hold("other"):
            assert ["fresh", "held", "other"] == sorted(one.name for one in (tmp_path / "live").iterdir())


def test_an_edited_question_is_asked_anew(tmp_path):
    """An answer to a wording that has changed does not count for the new one; other history stays."""
    log = Log(tmp_path)
    sitting = Sitting.of_bank(log, BANK, "5")
    sitting.answer(sitting.items[0], answer=True, seconds=1)
    edited = bank_of(
        "- {id: a, type: truefalse, prompt: p, answer: false}\n- {id: b, type: truefalse, prompt: q, answer: true}"
    )
    again = Sitting.resume(log, sittings(log.read().events)[sitting.id], edited)
    assert [] == again.items[0].scores


def test_what_was_done_at_an_earlier_wording_is_not_done(tmp_path):
    """An answered and shown question that was edited is asked again; its new answer counts at the next resumption."""
    log = Log(tmp_path)
    sitting = Sitting.of_bank(log, BANK, "5")
    sitting.answer(sitting.items[0], answer=True, seconds=1)
    sitting.mark_seen(sitting.items[0])
    sitting.skip(sitting.items[1])
    edited = bank_of(
        "- {id: a, type: truefalse, prompt: new, answer: false}\n- {id: b, type: truefalse, prompt: new, answer: true}"
    )
    again = Sitting.resume(log, sittings(log.read().events)[sitting.id], edited)
    assert [([], False, False, True)] * 2 == [(i.scores, i.seen, i.skipped, i.edited) for i in again.items]
    again.answer(again.items[0], answer=False, seconds=1)
    again.mark_seen(again.items[0])
    third = Sitting.resume(log, sittings(log.read().events)[sitting.id], edited)
    assert ([1], True, False) == (third.items[0].scores, third.items[0].seen, third.items[0].edited)
    assert [1, 1] == [one.score for one in first_tries(log.read().events)]


def test_only_what_is_asked_makes_another_question():
    """A better explanation, hint or reason keeps the hash; another prompt, option, key or context does not."""
    base = "- {id: a, type: single, prompt: p, context: c, explanation: e, options: [{text: x, correct: true, why: w}, {text: y, why: v}]}"
    head = "schema: quizbank/1\nbank: h\ntitle: T\ncontexts: {c: shared}\nquestions:\n"

    def hashed(text, top=head):
        bank = bank_of(text, top)
        return content_hash(bank.questions[0], bank)

    same = [("explanation: e", "explanation: better, hints: [h], tags: [t]"), ("why: v", "why: better")]
    other = [("prompt: p", "prompt: q"), ("text: y", "text: z"), ("context: c, ", "")]
    assert all(hashed(base) == hashed(base.replace(*one)) for one in same)
    assert all(hashed(base) != hashed(base.replace(*one)) for one in other)
    assert hashed(base) != hashed(base, head.replace("shared", "changed"))


START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def tried(question, score, day=0, *, objective="o", sitting="s", hints=0, sure=0, attempt=1, content="h"):
    """Return one answer."""
    return Try("s" + sitting + str(day), "b", question, content, objective, START + timedelta(days=day), attempt, None, score, 1.0, hints, sure)  # fmt: skip


@pytest.mark.parametrize(
    ("tries", "expected"),
    [
        ([tried("q", 1)], Rating.GOOD),
        ([tried("q", 1, hints=1)], Rating.HARD),
        ([tried("q", 1, sure=1)], Rating.HARD),
        ([tried("q", 0), tried("q", 1, attempt=2)], Rating.HARD),
        ([tried("q", 0.5)], Rating.HARD),
        ([tried("q", 0), tried("q", 0, attempt=2)], Rating.AGAIN),
    ],
)
def test_recalls_are_rated(tries, expected):
    """Right is good; right by a hint, a guess or a later try is hard; wrong is again; nothing is easy."""
    past = sittings(
        [
            {
                "event": "start",
                "sitting": "s",
                "time": now(),
                "questions": [{"bank": "b", "question": "q"}],
            }
        ]
    )["s"]
    past.tries = tries
    assert [expected] == [one.rating for one in recalls([past])[("b", "q")]]


def test_intervals_are_days():
    """Good, good, again, good on their due days gives growing, shortened and growing intervals."""
    next_time = schedule.scheduler()
    time, runs, gaps = START, [], []
    for rating in (Rating.GOOD, Rating.GOOD, Rating.AGAIN, Rating.GOOD):
        runs.append(schedule.Recall(time, rating, "h", "o"))
        due = next_time(("b", "q"), runs)
        gaps.append(round((due - time) / timedelta(days=1)))
        time = due
    assert gaps[0] < gaps[1] > gaps[2] < gaps[3]
    assert schedule.card_id(("b", "q")) < 2**63


def test_times_of_other_zones_are_planned_with():
    """A log whose times have another offset is one that a program elsewhere wrote."""
    pytest.importorskip("fsrs")
    event = {"event": "answer", "sitting": "s", "bank": "b", "question": "q", "hash": "h", "score": 1}
    start = {"event": "start", "sitting": "s", "questions": [{"bank": "b", "question": "q"}]}
    events = [{"schema": 1, "time": "2026-01-01T14:00:00+02:00", **one} for one in (start, event)]
    found = recalls(sittings(events).values())
    assert [START] == [one.time for one in found["b", "q"]]
    assert plan(found, {("b", "q"): "h"})[0].time > START


def test_objectives_of_one_name_are_those_of_their_banks():
    """What two banks call `o` are two objectives."""
    other = replace(tried("q", 0), bank="other")
    assert {("b", "o"): 1, ("other", "o"): 0} == {
        key: one.right for key, one in by_bank([tried("q", 1), other]).items()
    }


def test_an_edited_question_is_due_at_once():
    """Whoever knew the old wording need not know the new one."""
    found = {("b", "q"): [schedule.Recall(START, Rating.GOOD, "old", "o")]}
    assert [START] == [one.time for one in plan(found, {("b", "q"): "new"})]
    assert plan(found, {("b", "q"): "old"})[0].time > START
    assert [] == plan(found, {})


def test_no_objective_comes_twice_in_a_row_where_that_can_be_had():
    """Due questions are mixed."""
    due = [schedule.Due(("b", f"{name}{n}"), name, START, missed=True) for name in "abc" for n in range(4)]
    names = [one.objective for one in mixed(due, 12)]
    assert all(a != b for a, b in itertools.pairwise(names))
    assert 12 == len(names)
    assert ["a", "a"] == [one.objective for one in mixed(due[:2], 9)]


def test_mastery_of_an_objective_rests_on_days_or_on_many_questions():
    """Right on two days, or four fifths of eight questions; once is not enough."""
    assert not standings([tried("q", 1)])["o"].mastered
    assert standings([tried("q", 1), tried("q", 1, day=1)])["o"].mastered
    assert not standings([tried("q", 0), tried("q", 1, day=1)])["o"].mastered
    assert standings([tried(f"q{n}", 1 if n < 7 else 0) for n in range(8)])["o"].mastered
    assert not standings([tried(f"q{n}", 1 if n < 6 else 0) for n in range(8)])["o"].mastered
    assert not standings([tried(f"q{n}", 1) for n in range(7)])["o"].mastered


def test_a_shared_log_names_nobody(tmp_path):
    """The copy has the pseudonym, days without hours, option ids, and no typed text, seed or order."""
    log = Log(tmp_path)
    log.append(
        "start",
        sitting="s",
        bank="b",
        seed="77",
        questions=[{"bank": "b", "question": "q", "hash": "h", "order": {"": ["x"]}}],
    )
    log.append("answer", sitting="s", bank="b", question="q", answer="I am Ada Lovelace", score=0, attempt=1)
    log.append("answer", sitting="s", bank="b", question="q", answer=["ab12"], score=0, attempt=1)
    log.append(
        "answer",
        sitting="s",
        bank="b",
        question="q",
        answer={"blank": "Ada"},
        score=0,
        attempt=1,
        other="Ada",
    )
    text = shared(log.read().events, "pseudonym")
    assert "Ada" not in text
    assert "77" not in text
    assert "order" not in text
    assert '["ab12"]' in text
    assert all(json.loads(line)["time"].endswith("T00:00:00+00:00") for line in text.splitlines())
    assert 4 == text.count('"person":"pseudonym"')
