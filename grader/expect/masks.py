"""Boolean masks to try a function with: True means allowed, and nothing is left without anything allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.expect.show import Array


def some_mask(rng: np.random.Generator, *shape: int) -> Array:
    """A mask with gaps in no regular place (so not a causal one), and something allowed along its last axis."""
    mask = rng.random(size=shape) < 0.5
    for value in (True, False):
        at = rng.integers(shape[-1], size=(*shape[:-1], 1))
        np.put_along_axis(mask, at, values=value, axis=-1)
    mask[~mask.any(axis=-1)] = True
    return mask


def single_gaps(*shape: int) -> Iterator[Array]:
    """Masks with one False each: in the first place, in the last, and in one between."""
    first = tuple(0 for _ in shape)
    last = tuple(size - 1 for size in shape)
    between = (*(size // 2 for size in shape[:-1]), 0)
    for at in (first, last, between):
        mask = np.ones(shape, dtype=bool)
        mask[at] = False
        yield mask
