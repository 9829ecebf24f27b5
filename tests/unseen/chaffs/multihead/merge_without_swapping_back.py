"""merge_heads reshapes at once, without bringing the head axis back behind the tokens."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("cannot cut {} features into {} heads".format(d_model, num_heads))
    y = x.reshape(x.shape[:-1] + (num_heads, d_model // num_heads))
    return np.moveaxis(y, -2, -3)


def merge_heads(x):
    heads, n, width = x.shape[-3:]
    return x.reshape(x.shape[:-3] + (n, heads * width))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = [split_heads(t, num_heads) for t in project_qkv(x, w_q, w_k, w_v)]
    if mask is not None:
        mask = mask[..., np.newaxis, :, :]
    heads, weights = scaled_dot_product_attention(q, k, v, mask)
    return np.matmul(merge_heads(heads), w_o), weights
