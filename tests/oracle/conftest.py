"""The solutions, and random numbers, for the comparisons with independent implementations."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from grader.judge.references import load_references
from grader.lesson import shipped_lesson


@pytest.fixture(scope="session")
def solutions():
    """The functions of each solution, by exercise."""
    return SimpleNamespace(**load_references(shipped_lesson()))


@pytest.fixture
def rng():
    """The same random numbers for every test."""
    return np.random.default_rng(0)
