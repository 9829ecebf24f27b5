"""Feeds every key of a bank back through the grader: what is called right must be judged right (E26, E25).

A recorded key that nobody can type, or that an earlier answer of the same question catches first, is found
here, by the very code that will judge the learner.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from typing import IO, TYPE_CHECKING

from quizzes import grading, model, params, rules
from quizzes.answers import is_command
from quizzes.expressions import ExpressionError
from quizzes.grading import NotAnAnswerError
from quizzes.numeric import as_typed
from quizzes.patterns import PatternError
from quizzes.problems import clip, quoted
from quizzes.text import normalised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quizzes.model import Bank, Place, Question
    from quizzes.problems import Problems

RUN_SECONDS = 10
MAX_OUTPUT = 100_000


def check(bank: Bank, problems: Problems) -> None:
    """Note every key that does not earn what its author says."""
    tries = iter(range(rules.MAX_TRIES))
    for question in bank.questions:
        try:
            forms = list(params.variants(question, rules.MANY_VARIANTS, tries))
        except (params.ParamError, ExpressionError):
            continue  # E23 has been noted
        for form in forms:
            _feed(form, problems)
            _look_for_commands(form, problems)


def _feed(form: Question, problems: Problems) -> None:
    for place, answer, credit, shown in keys(form):
        try:
            score = grading.judge(form, answer, forgive=False).score
        except NotAnAnswerError as error:
            problems.add(
                "E26",
                place,
                f"the key {quoted(clip(shown))} cannot be given as an answer: {clip(str(error), 160)}",
                "write it as a person would type it",
            )
            continue
        except PatternError:
            continue  # E19 has been noted
        if abs(score * 100 - credit) > 1:
            earned = f"{float(score * 100):g}, not {credit}"
            message = f"the key {quoted(clip(shown))} earns {earned}: another answer catches it first"
            problems.add("E26", place, message, "put the exact answer before the wider one, or remove one of them")


def _look_for_commands(form: Question, problems: Problems) -> None:
    """Note keys that the prompt never hands on, although the grader would take them."""
    for place, text in _unreachable(form):
        why = "it has several lines, and an answer has one" if "\n" in text else "the prompt takes it for a command"
        fix = "ask for something else, or for a choice"
        problems.add("E26", place, f"nobody can type the key {quoted(clip(text))}: {why}", fix)


def _unreachable(form: Question) -> Iterator[tuple[Place, str]]:
    if isinstance(form, model.Output):
        # Spaces at the beginning of a line count, so none can tell it from a command.
        yield from ((form.place.of("expect"), line) for line in grading.printed(form.expect) if is_command(line))
    for rule in (getattr(form, "rule", None), *(blank.rule for blank in getattr(form, "blanks", ()))):
        if isinstance(rule, model.TextRule):
            for key in rule.accept:
                line = key.text.replace("\n", " ")
                line = f" {line}" if is_command(line) else line
                if is_command(line) or normalised(line, rule.match) != normalised(key.text, rule.match):
                    yield key.place.of("is"), key.text


def keys(form: Question) -> Iterator[tuple[Place, grading.Answer, int, str]]:
    """Give each answer that is recorded: its place, itself, the percent it is to earn, its text."""
    match form:
        case model.Single() | model.Multiple():
            right = [option for option in form.options if option.correct]
            yield (
                form.place.of("options"),
                frozenset(option.id for option in right),
                100,
                " + ".join(option.text for option in right),
            )
        case model.TrueFalse():
            yield form.place.of("answer"), form.answer, 100, str(form.answer).lower()
        case model.Numeric() | model.Text():
            for place, text, credit in _rule_keys(form.rule):
                yield place, text, credit, text
        case model.Cloze():
            yield from _cloze_keys(form)
        case model.Match():
            yield form.place.of("pairs"), tuple(range(len(form.pairs))), 100, "the pairs"
        case model.Order():
            yield form.place.of("items"), tuple(range(len(form.items))), 100, "the items"
        case model.Output():
            yield form.place.of("expect"), form.expect, 100, form.expect


def _rule_keys(
    rule: model.NumberRule | model.TextRule | model.ChoiceRule,
) -> Iterator[tuple[Place, str, int]]:
    if isinstance(rule, model.NumberRule):
        for answer in rule.answers:
            if answer.value is not None:
                yield answer.place, as_typed(answer.value, rule), round(answer.credit)
    elif isinstance(rule, model.TextRule):
        for key in rule.accept:
            if not key.regex:
                yield key.place, key.text, round(key.credit)
    else:
        for option in rule.options:
            if option.correct:
                yield option.place, option.id, 100


def _cloze_keys(form: model.Cloze) -> Iterator[tuple[Place, grading.Answer, int, str]]:
    """Give each key of each blank, with the other blanks filled with their own first full one."""
    best = {}
    for blank in form.blanks:
        full = [text for _, text, credit in _rule_keys(blank.rule) if credit == 100]
        if not full:
            return  # only patterns, which nobody can type back
        best[blank.name] = full[0]
    for blank in form.blanks:
        for place, text, credit in _rule_keys(blank.rule):
            share = 100 - round((100 - credit) / len(form.blanks))
            yield place, {**best, blank.name: text}, share, text


# Programs


def check_output(bank: Bank, problems: Problems) -> None:
    """Execute the code of each output question and note where it prints something else than ``expect``."""
    for question in bank.questions:
        if not isinstance(question, model.Output) or question.code is None:
            continue
        place = question.place.of("expect")
        if question.code.lang not in {"python", "py", "python3"}:
            problems.add(
                "E25",
                question.place.of("code", "lang"),
                f"cannot run `{clip(question.code.lang)}`, only python",
                "leave `--run` out, or use python",
                error=False,
            )
            continue
        try:
            forms = list(params.variants(question, 8))
        except (params.ParamError, ExpressionError):
            continue
        for form in forms:
            assert isinstance(form, model.Output)
            assert form.code is not None
            got, trouble = run_python(form.code.text)
            if trouble:
                problems.add(
                    "E25",
                    question.place.of("code"),
                    f"the code does not run: {clip(trouble, 200)}",
                    "mend it",
                )
                break
            if grading.printed(got) != grading.printed(form.expect):
                problems.add(
                    "E25",
                    place,
                    f"the code prints {quoted(clip(got.rstrip()))}, not {quoted(clip(form.expect))}",
                    "write what it prints",
                )
                break


def run_python(code: str) -> tuple[str, str]:
    """Return what a program prints, and what went wrong, running it in a process and a folder of its own.

    It has the rights of whoever checks the bank, and a limit of time and of output.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            # -I leaves the current folder and the user's own settings out; numpy of the environment stays in reach.
            process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", "-c", code],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return "", str(error)
        trouble = _wait(process, out)
        printed = _start_of(out, MAX_OUTPUT)
        if not trouble and process.returncode:
            last = _start_of(err, MAX_OUTPUT).strip().splitlines()
            trouble = last[-1] if last else f"it ended with code {process.returncode}"
    return ("", trouble) if trouble else (printed, "")


def _wait(process: subprocess.Popen[bytes], out: IO[bytes]) -> str:
    """Wait for a program to end, and end it with all it started where it takes too long or prints too much."""
    trouble = ""
    deadline = time.monotonic() + RUN_SECONDS
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
                break
            if time.monotonic() > deadline:
                trouble = f"it did not end within {RUN_SECONDS} seconds"
                break
            if os.fstat(out.fileno()).st_size > MAX_OUTPUT:
                trouble = f"it prints more than {MAX_OUTPUT} bytes"
                break
    finally:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
    return trouble


def _start_of(stream: IO[bytes], length: int) -> str:
    stream.seek(0)
    return stream.read(length).decode("utf-8", "replace")
