"""For people who write lessons: whether a lesson's own content holds what it promises."""
