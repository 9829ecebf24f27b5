"""Lifts every weight by a small minimum and normalises again, so -inf does not get weight 0.
expect: wrong_value
"""

import numpy as np


def softmax(x, axis=-1):
    min_prob = 1e-4
    preds = np.asarray(x).astype(float)
    preds_max = np.max(preds, axis=axis, keepdims=True)
    preds_exp = np.exp(preds - preds_max)
    probs = preds_exp / np.sum(preds_exp, axis=axis, keepdims=True)
    probs = probs + min_prob
    return probs / np.sum(probs, axis=axis, keepdims=True)
