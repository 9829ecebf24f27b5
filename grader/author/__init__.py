"""For people who write lessons: whether a lesson's own content holds what it promises."""

PAIRS = 300  # of mistakes, of one exercise, that are tried together unless told otherwise
