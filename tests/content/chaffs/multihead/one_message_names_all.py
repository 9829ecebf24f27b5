"""Says the same whatever does not fit: a list of numbers among which the two at fault may be.
expect: wrong_value
"""

import numpy as np
from attention import scaled_dot_product_attention

MESSAGE = "one of 0 -1 -2 -3 -5 2 3 4 5 6 7 10 does not fit"


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(MESSAGE)
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, d_model // num_heads), -3, -2)


def merge_heads(x):
    tokens = np.swapaxes(x, -3, -2)
    return tokens.reshape(*tokens.shape[:-2], tokens.shape[-2] * tokens.shape[-1])


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else np.expand_dims(mask, -3))
    return merge_heads(heads) @ w_o, weights
