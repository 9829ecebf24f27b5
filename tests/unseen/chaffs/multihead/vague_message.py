"""The error message names neither number."""

import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("the number of heads has to divide the number of features")
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    qs, ks, vs = split_heads(q, num_heads), split_heads(k, num_heads), split_heads(v, num_heads)
    outs, attns = [], []
    for h in range(num_heads):
        out, attn = scaled_dot_product_attention(qs[..., h, :, :], ks[..., h, :, :], vs[..., h, :, :], mask)
        outs.append(out)
        attns.append(attn)
    return merge_heads(np.stack(outs, axis=-3)) @ w_o, np.stack(attns, axis=-3)
