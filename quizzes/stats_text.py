"""Says statistics in words: one's own history, and what several people's first answers show about a bank."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from quizzes import model, stats
from quizzes.history import by_bank, first_tries, of_present, sittings
from quizzes.report import CERTAIN, percent, said
from quizzes.writer import content_hash

if TYPE_CHECKING:
    from collections.abc import Mapping

    from quizzes.log import History
    from quizzes.model import Bank
    from quizzes.prompter import Prompter

TOO_FEW = "too few to show"


def own(history: History, banks: Mapping[str, Bank], prompter: Prompter) -> None:
    """Print one person's history."""
    say = prompter.say
    past = list(sittings(history.events).values())
    tries = first_tries(history.events)
    if history.unreadable:
        say(f"{history.unreadable} line(s) of the log could not be read and are left out.")
    if not past:
        say("There is no history yet: take a quiz first, with `quiz`.")
        return
    ended = sum(one.ended for one in past)
    right = sum(one.score == 1 for one in tries)
    say(f"Quizzes begun: {len(past)}, ended: {ended}.")
    say(f"Questions answered: {len(tries)}, right at the first try: {right}.")
    say()
    for name in dict.fromkeys(one.bank for one in tries):
        of_bank = [one for one in tries if one.bank == name]
        good = sum(one.score == 1 for one in of_bank)
        days = len({one.time.astimezone().date() for one in of_bank})
        share = percent(good / len(of_bank))
        text = f"{good} of {len(of_bank)} right ({share}), on {days} day{'s' * (days != 1)}"
        say(text, "    ", f"  {name}: ")
    hashes = {(bank.id, one.id): content_hash(one, bank) for bank in banks.values() for one in bank.questions}
    standing = by_bank(of_present(tries, hashes))
    if standing:
        say()
        say("Objectives:")
        texts = {(bank.id, one.id): one.text for bank in banks.values() for one in bank.objectives}
        named = Counter(name for _, name in standing)
        for (bank_id, name), one in standing.items():
            whose = f" ({bank_id})" if named[name] > 1 else ""
            say(f"{texts.get((bank_id, name), name)}{whose}: {said(one)}", "    ", "  ")
    certain = [one for one in tries if one.sure == CERTAIN and one.score == 0]
    if certain:
        say()
        say(
            "Certain and wrong, so look at these first: "
            + ", ".join(dict.fromkeys(f"{o.bank}/{o.question}" for o in certain))
        )
    flagged = sorted({f"{bank}/{question}" for one in past for bank, question in one.flagged})
    if flagged:
        say("Flagged as unclear: " + ", ".join(flagged))


def cohort(figures: stats.Cohort, prompter: Prompter) -> None:
    """Print what several people's first answers show about a bank."""
    say = prompter.say
    people = figures.people
    say(
        f"{figures.bank.title} ({figures.bank.id}): "
        f"{people} {'person' if people == 1 else 'people'}, first answers only."
    )
    if people < stats.LEAST_FOR_FACILITY:
        say(f"Below {stats.LEAST_FOR_FACILITY} people the figures say next to nothing: counts, not findings.")
    elif people < stats.LEAST_FOR_CORRELATION:
        say(f"Below {stats.LEAST_FOR_CORRELATION} people correlations are left out: chance would make them.")
    _whole(figures, prompter)
    for item in figures.items:
        say()
        _item(item, prompter)
    _objectives(figures, prompter)


def _objectives(figures: stats.Cohort, prompter: Prompter) -> None:
    """Print how each objective went, and the wrong option that most people believed."""
    lines = []
    for objective in figures.bank.objectives:
        items = [one for one in figures.items if one.question.objective == objective.id]
        answers = sum(one.n for one in items)
        if answers < stats.LEAST_FOR_FACILITY:
            continue
        right = sum(one.right for one in items)
        share = f"{percent(right / answers)} of {answers} first answers right"
        # What is not said of some questions must not be the difference to the others either.
        silent = [one for one in items if one.n and not one.tellable]
        if silent and not stats.tellable(sum(one.right for one in silent), sum(one.n for one in silent)):
            share = f"{answers} first answers, right or wrong: {TOO_FEW}"
        wrong = [(c.count, c.option.text) for one in items for c in one.choices if not c.option.correct]
        count, text = max(wrong, default=(0, ""))
        belief = f"; most believed mistake: {text} ({count} people)" if count >= stats.LEAST_CELL else ""
        lines.append(f"{objective.text}: {share}{belief}")
    if lines:
        prompter.say()
        prompter.say("Objectives:")
    for line in lines:
        prompter.say(line, "    ", "  ")


def _whole(figures: stats.Cohort, prompter: Prompter) -> None:
    if figures.mean is not None and figures.people >= stats.LEAST_FOR_FACILITY:
        spread = f", standard deviation {percent(figures.deviation)}" if figures.deviation is not None else ""
        prompter.say(f"Mean score {percent(figures.mean)}{spread}.")
    if figures.alpha is not None:
        value, low, high = figures.alpha
        people = f"{figures.alpha_people} who answered everything"
        text = f"Alpha {value:.2f} (95 % interval {low:.2f} to {high:.2f}, {people})."
        prompter.say(f"{text} It is no aim for a short check of different ideas.")


def _item(item: stats.ItemStats, prompter: Prompter) -> None:
    say = prompter.say
    say(item.question.prompt.strip().split("\n")[0], "  ", f"{item.question.id}: ")
    if 0 < item.n < stats.LEAST_CELL:
        say(f"fewer than {stats.LEAST_CELL} answers", "  ")
        return
    if not item.n:
        say("no answers yet" + (f"; {_cell(item.older)} to an earlier wording" if item.older else ""), "  ")
        return
    parts = [f"{item.right} of {item.n} right" if item.tellable else f"{item.n} answers, right or wrong: {TOO_FEW}"]
    if item.n >= stats.LEAST_FOR_FACILITY and item.tellable:
        parts = [f"facility {item.facility:.2f} (n = {item.n}, 95 % interval {item.low:.2f} to {item.high:.2f})"]
    if item.corrected is not None and item.tellable:
        parts.append(f"{item.corrected:.2f} corrected for guessing")
    if item.correlation is not None:
        weak = "" if item.n >= stats.PLAIN_CORRELATION else ", weak evidence"
        parts.append(f"item-rest correlation {item.correlation:.2f}{weak}")
    say("; ".join(parts), "  ")
    parts = [f"median {item.seconds:.0f} s"]
    hinted = round(item.hinted * item.n)
    if hinted:
        parts.append(
            f"hint used by {percent(item.hinted)}" if stats.tellable(hinted, item.n) else f"hint used: {TOO_FEW}"
        )
    for count, word in (
        (item.skipped, "skipped"),
        (item.flagged, "flagged"),
        (item.older, "answered an earlier wording"),
    ):
        parts += [f"{word} by {_cell(count)}"] if count else []
    say("; ".join(parts), "  ")
    if item.n >= stats.LEAST_FOR_SHARES and item.tellable:
        untold = _untold(item)
        for choice in item.choices:
            _choice(choice, item.n, prompter, told=choice is not untold)
    for alarm in item.alarms:
        say(alarm, "    ", "  ! ")


def _untold(item: stats.ItemStats) -> stats.Choice | None:
    """Return the wrong option that is passed over because a small count would be the difference to it."""
    if not isinstance(item.question, model.Single):
        return None
    wrong = [choice for choice in item.choices if choice.count and not choice.option.correct]
    small = [choice for choice in wrong if choice.count < stats.LEAST_CELL]
    others = [choice for choice in wrong if choice.count >= stats.LEAST_CELL]
    return min(others, key=lambda choice: choice.count, default=None) if len(small) == 1 else None


def _choice(choice: stats.Choice, n: int, prompter: Prompter, *, told: bool) -> None:
    small = not told or 0 < choice.count < stats.LEAST_CELL
    share = percent(choice.count / n) if not small else f"under {stats.LEAST_CELL} people" if told else "not shown"
    rest = f", their mean elsewhere {percent(choice.rest)}" if choice.rest is not None and not small else ""
    mark = "*" if choice.option.correct else "-"
    prompter.say(f"{choice.option.text}: {share}{rest}", "      ", f"  {mark} ")


def _cell(count: int) -> str:
    return f"under {stats.LEAST_CELL}" if count < stats.LEAST_CELL else str(count)
