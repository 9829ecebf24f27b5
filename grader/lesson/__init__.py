"""What there is to grade: the manifest of a lesson, its modules, and the stubs that learners start from."""

from grader.lesson.manifest import Exercise, Lesson, load_lesson, shipped_lesson

__all__ = ["Exercise", "Lesson", "load_lesson", "shipped_lesson"]
