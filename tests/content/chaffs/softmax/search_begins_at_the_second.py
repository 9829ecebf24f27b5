"""Searches each row for its largest score from the second one on.
expect: wrong_value
"""
import numpy as np


def of_row(row):
    highest = row[-1]
    for score in row[1:-1]:
        if score > highest:
            highest = score
    powers = np.exp(row - highest)
    return powers / powers.sum()


def softmax(x, axis=-1):
    return np.apply_along_axis(of_row, axis, x)
