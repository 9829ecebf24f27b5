"""A decorator makes the check of num_heads, and its message comes from an inner ValueError."""
import numpy as np

from attention import scaled_dot_product_attention
from projections import project_qkv


def checked(function):
    def wrapper(x, *args, **kwargs):
        num_heads = kwargs["num_heads"] if "num_heads" in kwargs else args[0 if len(args) == 1 else 4]
        try:
            if num_heads < 1 or x.shape[-1] % num_heads:
                raise ValueError(f"d_model={x.shape[-1]}, num_heads={num_heads}")
        except ValueError as error:
            raise ValueError("the heads must share the features evenly: " + str(error)) from error
        return function(x, *args, **kwargs)

    return wrapper


@checked
def split_heads(x, num_heads):
    y = x.reshape(*x.shape[:-1], num_heads, -1)
    return np.swapaxes(y, -2, -3)


def merge_heads(x):
    y = np.swapaxes(x, -2, -3)
    return y.reshape(*y.shape[:-2], -1)


@checked
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = map(lambda a: split_heads(a, num_heads), project_qkv(x, w_q, w_k, w_v))
    if mask is not None:
        mask = np.stack([mask] * num_heads, axis=-3)
    heads, weights = scaled_dot_product_attention(q, k, v, mask=mask)
    return np.dot(merge_heads(heads), w_o), weights
