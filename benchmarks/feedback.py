"""How often the grader names the right mistake, on the right and wrong implementations under tests/content.

    python benchmarks/feedback.py [FOLDER] [--each]

FOLDER is tests/content, or tests/unseen: files that no model was fitted to. Its labels.yaml says which names would
be right for a wrong file; it was filled in from what the files say of themselves. Every file is asked in the
sandbox, beside right siblings, as a learner's would be, and by a judge that has nothing to remember. For right
files the question is put as well, though grade never puts it for an exercise that passed. So is it for the solutions
of later exercises that import a wrong file: what is wrong with them is not theirs. `--each` lists the files that were
given no name, or a wrong one.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from grader.diagnosis.models import load_model
from grader.diagnosis.steps import settings_of
from grader.judge.processes import Processes
from grader.judge.references import load_references
from grader.lesson import shipped_lesson
from grader.sandbox.launch import Starting
from grader.sandbox.submission import Submission
from grader.sandbox.zygote import connect
from grader.workflows.benches import Benches
from grader.workflows.explain import CALL_S, TOTAL_S, imported_from
from grader.workflows.name import diagnosis_of
from grader.workflows.trace import REPORT_S, trace_exercise

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import SimpleNamespace

    from grader.diagnosis.naming import Diagnosis
    from grader.lesson import Lesson

CONTENT = Path(__file__).resolve().parent.parent / "tests" / "content"
BARS = {"one mistake": 0.8, "two mistakes": 0.6, "names": 0.97}


@dataclass
class Tally:
    """What was counted.

    Attributes:
        files: wrong files that were asked.
        right: those given the right name, or both right names where there are two mistakes.
        names: names given.
        right_names: those that are right.
        misses: what to list of files that went wrong.
    """

    files: int = 0
    right: int = 0
    names: int = 0
    right_names: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, name: str, wanted: list[list[str]], named: list[frozenset[str]], symptom: str) -> None:
        """Counts one file: a name is right if the label has it, or one of those it is said with."""
        acceptable = {one for line in wanted for one in line}
        fitting = [bool(one & acceptable) for one in named]
        found = bool(wanted) and all(any(one & set(line) for one in named) for line in wanted)
        self.files += 1
        self.right += found
        self.names += len(named)
        self.right_names += sum(fitting)
        if not found or not all(fitting):
            said = " + ".join(" | ".join(sorted(one)) for one in named) or f"no name. {symptom}"
            self.misses.append(f"{name}: {said}")


def main(content: Path, *, each: bool) -> bool:
    """Asks, counts and prints; says whether every bar is met."""
    lesson = shipped_lesson()
    references = load_references(lesson)
    solutions = {exercise.filename: exercise.reference.read_bytes() for exercise in lesson.exercises}
    labels = yaml.safe_load((content / "labels.yaml").read_text(encoding="utf-8"))
    tallies = {"one mistake": Tally(), "two mistakes": Tally()}
    told: list[str] = []
    seconds: list[float] = []
    naming_seconds: list[float] = []
    symptoms = 0
    importers = 0
    blamed: list[str] = []
    with connect(Starting()) as zygote:
        for path in sorted(content.glob("*/*/*.py")):
            kind, stem = path.parent.parent.name, path.parent.name
            submission = Submission("exercises/", solutions | {f"{stem}.py": path.read_bytes()})
            forget()  # a process that grades one submission has nothing to remember
            started = time.perf_counter()
            with Processes(zygote, submission, lesson) as processes:
                benches = Benches(lesson[stem], processes, references, CALL_S, TOTAL_S)
                diagnosis = diagnosis_of(lesson[stem], references, benches)
                named_s = time.perf_counter() - started
                trace_exercise(lesson[stem], references, benches, within_s=REPORT_S)
                elapsed_s = time.perf_counter() - started
                others = {} if kind == "wheats" else _importers(lesson, stem, processes, references, diagnosis)
            named = [mistake.ids for mistake in diagnosis.mistakes]
            name = f"{kind}/{stem}/{path.stem}"
            if kind == "wheats":
                told += [name] if named or diagnosis.symptom else []
                continue
            importers += len(others)
            own = frozenset().union(*named)
            blamed += [
                f"{name} ({other})"
                for other, its in others.items()
                if its.symptom or any(not mistake.ids <= own for mistake in its.mistakes)
            ]
            seconds.append(elapsed_s)
            naming_seconds.append(named_s)
            symptoms += bool(diagnosis.symptom)
            if kind == "chaffs":
                label = labels[stem][path.stem]
                tallies["one mistake"].add(name, [] if label == "none" else [label], named, diagnosis.symptom)
            else:
                tallies["two mistakes"].add(name, labels["double"][stem][path.stem], named, diagnosis.symptom)
    met = [not told]
    print(f"right files told anything: {len(told)} {' '.join(told)}")
    print(f"solutions that import a wrong file and are told what is not in it: {len(blamed)} of {importers}")
    for what, tally in tallies.items():
        met.append(_show(f"{what}: right name", tally.right, tally.files, BARS[what]))
    names, right = (sum(getattr(tally, key) for tally in tallies.values()) for key in ("names", "right_names"))
    met.append(_show("names that are right", right, names, BARS["names"]))
    print(f"files without a name that were given a symptom: {symptoms}")
    for what, taken in (
        ("name and first wrong step add to a failing exercise", seconds),
        ("of that, for the name", naming_seconds),
    ):
        print(
            f"{what}: median {statistics.median(taken):.2f} s, "
            f"95 % within {statistics.quantiles(taken, n=20)[-1]:.2f} s, most {max(taken):.2f} s"
        )
    if each:
        print(*blamed, sep="\n")
        for tally in tallies.values():
            print(*tally.misses, sep="\n")
    return all(met)


def _importers(
    lesson: Lesson,
    stem: str,
    processes: Processes,
    references: Mapping[str, SimpleNamespace],
    diagnosis: Diagnosis,
) -> dict[str, Diagnosis]:
    """What the solutions that import an exercise are told where its file is wrong, by exercise."""
    wrong = {stem: diagnosis}
    for exercise in lesson.exercises:
        benches = Benches(exercise, processes, references, CALL_S, TOTAL_S)
        alone = diagnosis_of(exercise, references, benches)
        imported = [wrong[other].mistakes for other in benches.current.siblings if other in wrong]
        if exercise.id != stem and imported and not alone.right:
            wrong[exercise.id] = diagnosis_of(exercise, references, benches, imported_from(imported))
    del wrong[stem]
    return wrong


def forget() -> None:
    """Drops what models and traces remember from one learner to the next."""
    load_model.cache_clear()
    settings_of.cache_clear()


def _show(what: str, got: int, of: int, bar: float) -> bool:
    share = got / max(of, 1)
    print(f"{what}: {got} of {of} ({share:.1%}; at least {bar:.0%})")
    return share >= bar


if __name__ == "__main__":
    folders = [Path(argument) for argument in sys.argv[1:] if argument != "--each"]
    sys.exit(not main(folders[0] if folders else CONTENT, each="--each" in sys.argv[1:]))
