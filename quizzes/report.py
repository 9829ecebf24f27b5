"""What is said at the end of a sitting: the score from first tries, what was missed and why, objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizzes.history import MASTERY_DAYS, MASTERY_ITEMS, MASTERY_SHARE, by_bank, first_tries, of_present
from quizzes.reveal import key_text

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

    from quizzes.history import Standing
    from quizzes.log import History
    from quizzes.model import Mastery
    from quizzes.prompter import Prompter
    from quizzes.sitting import Item, Sitting

# Certainty with which nobody should be wrong.
CERTAIN = 3


def percent(share: Fraction | Decimal | float) -> str:
    """Return a share in percent, never rounded up to everything or down to nothing."""
    value = round(float(share) * 100)
    if value == 100 and share < 1:
        value = 99
    return f"{max(value, 1) if share > 0 else value} %"


def report(sitting: Sitting, mastery: Mastery, history: History, prompter: Prompter) -> None:
    """Print the end of a sitting."""
    counted = sitting.counted
    if not counted:
        prompter.say("Nothing was asked that counts.")
        return
    right = sum(item.first == 1 for item in counted)
    say = prompter.say
    say(f"Score from first tries: {percent(sitting.score)} ({right} of {len(counted)} right).")
    if sitting.mastered(mastery):
        say("Mastered.")
    else:
        least = f", over at least {mastery.min_questions} answered questions" if mastery.min_questions > 1 else ""
        say(f"Not mastered yet: that takes {percent(mastery.score)}{least}.")
    missed = [item for item in counted if item.first < 1]
    # Being certain and wrong is what most wants mending, so it comes first.
    missed.sort(key=lambda item: not (item.sure == CERTAIN and item.first == 0))
    if missed:
        say()
        say("Look at these again:")
        for item in missed:
            _missed(item, sitting.items.index(item) + 1, prompter)
    _objectives(sitting, history, prompter)
    if any(item.sure for item in counted):
        _certainty(counted, prompter)
    if flagged := [str(number) for number, item in enumerate(sitting.items, 1) if item.flagged]:
        say(f"Flagged as unclear: question {', '.join(flagged)}.")


def _missed(item: Item, number: int, prompter: Prompter) -> None:
    lead = f"{number}. "
    indent = " " * len(lead)
    prompter.say(item.question.prompt.strip().split("\n")[0], indent, lead)
    if item.sure == CERTAIN and item.first == 0:
        prompter.say("You were certain here.", indent)
    if key := key_text(item.shown):
        prompter.say(key, indent)
    if item.question.explanation:
        prompter.say(item.question.explanation.rstrip("\n"), indent)
    if ref := item.shown.bank.ref(item.shown.template):
        prompter.say(f"See {ref}", indent)


def _objectives(sitting: Sitting, history: History, prompter: Prompter) -> None:
    hashes = {(item.shown.bank.id, item.question.id): item.hash for item in sitting.items}
    standing = by_bank(of_present(first_tries(history.events), hashes))
    banks = {(item.shown.bank.id, item.question.objective): item.shown.bank for item in sitting.counted}
    lines = []
    for key, bank in banks.items():
        if key in standing:
            objective = bank.objective(key[1])
            lines.append(f"{objective.text if objective else key[1]}: {said(standing[key])}")
    if lines:
        prompter.say()
        prompter.say("Objectives, over all you have answered so far:")
    for line in lines:
        prompter.say(line, "    ", "  ")


def said(standing: Standing) -> str:
    """Return where somebody stands with an objective, with the counts that it rests on."""
    counts = f"{standing.right} of {standing.asked} right"
    if standing.mastered:
        return f"mastered ({counts})"
    days = f"all right on {standing.days} of {MASTERY_DAYS} days"
    return f"not yet ({counts}; {days}, or {percent(MASTERY_SHARE)} of {MASTERY_ITEMS} questions)"


def _certainty(counted: list[Item], prompter: Prompter) -> None:
    prompter.say()
    prompter.say("Certainty:")
    for sure, word in ((1, "guessing"), (2, "fairly sure"), (3, "certain")):
        of_word = [item for item in counted if item.sure == sure]
        if of_word:
            right = sum(item.first == 1 for item in of_word)
            prompter.say(f"{word}: {right} of {len(of_word)} right", "    ", "  ")
