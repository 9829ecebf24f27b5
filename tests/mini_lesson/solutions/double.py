"""Twice as much."""


def double(x):
    """Double every entry.

    >>> double(3)
    6
    """
    return 2 * x
