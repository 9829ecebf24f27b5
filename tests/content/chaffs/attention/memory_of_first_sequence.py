"""Every sequence of the batch looks things up in the keys and values of the first.
expect: wrong_value
"""
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(q, k, v, mask=None):
    memory, content = k, v
    while memory.ndim > 2:
        memory, content = memory[0], content[0]
    scores = q @ memory.T / np.sqrt(memory.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ content, weights
