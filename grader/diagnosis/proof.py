"""Proves which step's part a value of the learner's plays: put in that step's place, it makes the learner's result."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.diagnosis.catalogue import MASKED, Array, close, forms
from grader.diagnosis.reference import FAR, Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.diagnosis.lineage import Lineage
    from grader.expect.steps import Step

MAX_RUNS = 150  # of the reference with another value, for one trace


@dataclass(frozen=True, slots=True)
class Proof:
    """That a value, in some form, plays the part of a step: the wrong part of the result comes of it."""

    step: Step
    value: Array
    part: int


class Prover:
    """Tries values of a trace in the places of a reference's steps.

    Args:
        reference: on the probe of the trace.
        lineage: the trace.
        parts: what the learner's function returned.
        wrong: which of the parts are wrong.
    """

    def __init__(self, reference: Reference, lineage: Lineage, parts: list[Array], wrong: list[int]) -> None:
        self.reference = reference
        self.lineage = lineage
        self.parts = parts
        self.wrong = wrong
        self.runs = 0
        self.proofs: dict[int, Proof | None] = {}

    def part_played(self, at: int) -> Proof | None:
        """The step whose part a value plays, on proof."""
        if at not in self.proofs:
            self.proofs[at] = self._prove(at)
        return self.proofs[at]

    def _prove(self, at: int) -> Proof | None:
        if isinstance(self.lineage.events[at].value, str):
            return None
        proofs: list[tuple[int, float, Proof]] = []
        for step in self.reference.steps.values():
            for value, is_part in self._in_form_of(step, at):
                if self.runs >= MAX_RUNS:
                    return None
                self.runs += 1
                run = self.reference.instead(step.name, value)
                part = self._reproduced(run[1], whole=value.shape != step.value.shape) if run is not None else None
                if part is not None:
                    proofs.append((part, _distance(value, step.value) + is_part, Proof(step, value, part)))
                    break
        if not proofs:
            return None
        # A value may do in several places: weights in the place of exponentials. It is meant for the nearest; one of
        # another shape is meant for the last, which is what is returned.
        part, distance, _ = min(proofs, key=lambda one: one[:2])
        near = [proof for *where, proof in proofs if where == [part, distance]]
        return near[-1] if distance == np.inf else near[0]

    def _in_form_of(self, step: Step, at: int) -> Iterator[tuple[Array, bool]]:
        """The ways in which a value may stand in a step's place: as all of it, or as the part that is new in it."""
        value: Array = self.lineage.events[at].value  # type: ignore[assignment]
        shape = step.value.shape
        if value.dtype.kind == "b" or step.value.dtype.kind == "b":
            if value.dtype == step.value.dtype:
                yield value, False
            return
        value = value.astype(np.float64)
        fitting = list(forms(value, shape))
        before = self.lineage.before(at)
        for form in fitting:
            yield form, False
            for old in forms(before, shape) if before is not None else ():
                new = ~close(form, old, 0.0)
                if 0 < new.sum() < new.size:
                    yield np.where(new, form, step.value), True
        if not fitting:
            for whole in _as_part(value, step.value):
                yield whole, True
            # Of another shape than it should be may be the result, or a whole other step in an argument's place.
            is_result = any(np.array_equal(step.value, part) for part in self.reference.parts)
            if is_result or (not step.formula and self.lineage.is_whole_step(at)):
                yield value, False

    def _reproduced(self, parts: list[Array], *, whole: bool) -> int | None:
        """The wrong part of the learner's result that the reference gives too, at least where it is other than before.

        Args:
            parts: the reference's result with the learner's value in it.
            whole: whether all entries have to agree, since nothing says which depend on the value.
        """
        for at in self.wrong:
            got, wanted, other = self.parts[at], self.reference.parts[at], parts[at]
            if got.shape != other.shape:
                continue
            same = close(got, other, FAR) | (np.isnan(got) & np.isnan(other))
            if other.shape != wanted.shape or whole:
                if same.all():
                    return at
                continue
            affected = ~close(other, wanted, FAR)
            if (affected & np.isfinite(got)).any() and same[affected].all():  # nan alone has too many causes
                return at
        return None

    def are_related(self, one: str, other: str) -> bool:
        """Whether the reference makes one step from another; what other ways have is made from all of them."""
        led_to = self.reference.led_to
        return one not in self.reference.steps or other in led_to(one) or one in led_to(other)


def _distance(value: Array, wanted: Array) -> float:
    """How far a value is from a step, for it to be told which of two it is nearer to."""
    if value.shape != wanted.shape:
        return np.inf
    if value.dtype.kind == "f":
        value = np.where(value <= MASKED, -np.inf, value)
    both = np.isfinite(value) & np.isfinite(wanted)
    got, due = value[both].astype(np.float64), wanted[both].astype(np.float64)
    if bool(sums(value)) != bool(sums(wanted)):
        return 2.0 * value.size  # weights are no exponentials, however near they may come
    off = np.abs(got - due) / np.maximum(np.abs(got) + np.abs(due), 1e-9)
    return float(np.sum(off)) + float(np.sum(~both & (np.isfinite(value) != np.isfinite(wanted))))


def _as_part(value: Array, whole: Array) -> Iterator[Array]:
    """A step with a value in the place of one of its parts: a row, a column, one head."""
    shape = tuple(length for length in value.shape if length > 1)
    for fixed in itertools.product((False, True), repeat=whole.ndim):
        free = [length for length, held in zip(whole.shape, fixed, strict=True) if not held]
        if not any(fixed) or tuple(length for length in free if length > 1) != shape:
            continue
        if value.size != math.prod(free):
            continue
        choices: list[Any] = [
            range(length) if held else [slice(None)] for length, held in zip(whole.shape, fixed, strict=True)
        ]
        for index in itertools.product(*choices):
            changed = whole.astype(np.float64)
            changed[index] = value.reshape(free)
            yield changed


def sums(value: Array) -> list[tuple[int, ...]]:
    """The axes along which an array sums to 1."""
    found = []
    for count in range(1, value.ndim + 1):
        for axes in itertools.combinations(range(value.ndim), count):
            if len(axes) < 3 or count == value.ndim:
                sums = value.sum(axis=axes)
                if close(np.asarray(sums), np.ones(np.shape(sums)), FAR).all() and (value >= 0).all():
                    found.append(tuple(axis - value.ndim for axis in axes))
    return found
