"""Softmax: from scores to weights.

A row of scores can be any numbers. Softmax turns it into weights: all of them positive, their sum 1, and the larger
the score the larger the weight. Attention uses it to decide how much of each value to take.

    softmax(x)_i = exp(x_i) / sum_j exp(x_j)

Left aside here: a row in which every entry is -inf has no weights at all; a later exercise settles it.
"""

import numpy as np


def softmax(x, axis=-1):
    """Turn scores into weights that sum to 1 along one axis.

        softmax(x)_i = exp(x_i) / sum_j exp(x_j)        i and j run along `axis`

    Args:
        x: scores, an array of any shape, floats or integers; it is left unchanged.
            Entries of 10,000 are fine, and an entry of -inf gets the weight 0.
        axis: the axis along which the weights sum to 1, counted from the end if negative.

    Returns:
        Weights, a float array of the same shape as x.

    Example: the exponentials of log 1, log 2 and log 1 are 1, 2 and 1, and their sum is 4.

        >>> softmax(np.log([1.0, 2.0, 1.0])).round(3)
        array([0.25, 0.5 , 0.25])
    """
    # Taking the same number from every score changes nothing: it cancels in the fraction. Taking the largest makes
    # every exponent 0 or less, so that no exponential overflows; each slice along the axis needs its own largest.
    shifted = x - np.max(x, axis=axis, keepdims=True)
    exponentials = np.exp(shifted)
    # keepdims keeps the axis with length 1, so that each slice is divided by its own sum.
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
