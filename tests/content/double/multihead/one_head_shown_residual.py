"""Returns the weights of the first head only; and adds the input to the output."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError("num_heads: {}; d_model: {}".format(num_heads, d_model))
    d_head = d_model // num_heads
    return np.stack([x[..., i * d_head:(i + 1) * d_head] for i in range(num_heads)], axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    qs, ks, vs = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    outs, ws = [], []
    for i in range(num_heads):
        o, w = scaled_dot_product_attention(qs[..., i, :, :], ks[..., i, :, :], vs[..., i, :, :], mask)
        outs.append(o)
        ws.append(w)
    y = np.concatenate(outs, axis=-1) @ w_o
    y = y + x
    return y, ws[0]
