"""Starts its running maximum at the first score, so a slice that begins with two times -inf computes -inf - -inf.
expect: wrong_value
"""
import numpy as np


def softmax(x, axis=-1):
    scores = np.moveaxis(x, axis, 0) * 1.0
    top, total = scores[0], np.ones(scores.shape[1:])
    for one in scores[1:]:
        higher = np.where(one > top, one, top)
        total = total * np.exp(top - higher) + np.exp(one - higher)
        top = higher
    return np.moveaxis(np.exp(scores - top) / total, 0, axis)
