"""A layer object is made once for each d_model, and keeps the number of heads that it was made with.
expect: wrong_shape
"""
import numpy as np
from attention import scaled_dot_product_attention


class Layer:
    def __init__(self, num_heads):
        self.num_heads = num_heads

    def attend(self, x, matrices, w_o, mask):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in matrices)
        heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., None, :, :])
        return merge_heads(heads) @ w_o, weights


layers = {}


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1:
        raise ValueError(f"num_heads is {num_heads}, but d_model = {d_model} needs at least one head")
    if d_model % num_heads > 0:
        raise ValueError(f"d_model = {d_model} is no multiple of num_heads = {num_heads}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(f"{num_heads} heads do not fit {x.shape[-1]} features")
    layer = layers.get(x.shape[-1])
    if layer is None:
        layer = layers[x.shape[-1]] = Layer(num_heads)
    return layer.attend(x, (w_q, w_k, w_v), w_o, mask)
