"""Whether a bank as a whole makes sense: ids, pools, mastery, pictures (E10, E22, E24)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quizzes import model
from quizzes.fields import nearest
from quizzes.problems import clip, quoted

if TYPE_CHECKING:
    from collections.abc import Collection

    from quizzes.problems import Problems


def check_images(bank: model.Bank, problems: Problems) -> None:
    """Note pictures that are not there: each is a file beside the bank or below it."""
    with_images = [question for question in bank.questions if question.image is not None]
    if not with_images or bank.path is None:
        return
    folder = bank.path.parent.resolve()
    for question in with_images:
        assert question.image is not None
        place = question.place.of("image", "file")
        try:
            target = (folder / question.image.file).resolve()
            found = target.is_relative_to(folder) and target.is_file()
        except (OSError, ValueError):
            found = False
        if not found:
            problems.add(
                "E24",
                place,
                f"there is no picture {quoted(question.image.file)} beside the bank",
                "name a file in the bank's folder",
            )


def check_ids(bank: model.Bank, problems: Problems) -> None:
    """Note questions of one id: they would share one history."""
    seen: dict[str, model.Question] = {}
    for question in bank.questions:
        if question.id in seen:
            first = seen[question.id].place.of("id").line
            place = question.place.of("id")
            problems.add(
                "E10",
                place,
                f"the id `{question.id}` is taken: first on line {first}, again on line {place.line}",
                "give one of them another id",
            )
        else:
            seen[question.id] = question


def check_pools(bank: model.Bank, problems: Problems, broken_ids: Collection[str]) -> None:
    """Note pools of one name, and what they name or pick that is not there."""
    known = {question.id for question in bank.questions} | set(broken_ids)
    taken: dict[str, str] = {}
    names: set[str] = set()
    for pool in bank.pools:
        if pool.name in names:
            problems.add("E10", pool.place.of("name"), f"there are two pools `{pool.name}`", "rename one")
        names.add(pool.name)
        for index, member in enumerate(pool.of):
            place = pool.place.of("of", index)
            if member not in known:
                problems.add(
                    "E22",
                    place,
                    f"the pool names a question `{clip(member)}`{nearest(member, known, problems)}",
                    "name questions of this bank",
                )
            elif member in taken:
                problems.add("E22", place, f"`{member}` is already in the pool `{taken[member]}`", "name it once")
            taken[member] = pool.name
        if pool.pick > len(pool.of):
            problems.add(
                "E22",
                pool.place.of("pick"),
                f"the pool picks {pool.pick} of {len(pool.of)} questions",
                "pick fewer or add questions",
            )


def check_mastery(bank: model.Bank, problems: Problems, broken_ids: Collection[str]) -> None:
    """Note a number of questions that no sitting can reach."""
    counted = {question.id for question in bank.questions if not isinstance(question, model.Info)} | set(broken_ids)
    pooled = {member for pool in bank.pools for member in pool.of}
    asked = len(counted - pooled) + sum(min(pool.pick, len(counted & set(pool.of))) for pool in bank.pools)
    if bank.mastery.min_questions > asked > 0:
        message = f"mastery asks for {bank.mastery.min_questions} questions, a sitting has {asked}"
        problems.add("E22", bank.place.of("mastery", "min_questions"), message, "ask for fewer, or add questions")
