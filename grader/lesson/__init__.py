"""What there is to grade: the manifest of a lesson, its references and the stubs that learners start from."""

from grader.lesson.manifest import Exercise, Lesson, load_lesson, shipped_lesson
from grader.lesson.stubs import stub_of

__all__ = ["Exercise", "Lesson", "load_lesson", "shipped_lesson", "stub_of"]
