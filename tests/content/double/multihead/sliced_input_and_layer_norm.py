"""Each head projects only its own slice of the input, and the output is layer-normalised."""
import numpy as np
from attention import scaled_dot_product_attention
from projections import project_qkv


def split_heads(x, num_heads):
    *lead, n, d_model = x.shape
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"cannot cut {d_model} features into {num_heads} heads")
    return x.reshape(*lead, n, num_heads, d_model // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    *lead, h, n, d = x.shape
    return x.swapaxes(-3, -2).reshape(*lead, n, h * d)


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    split_heads(x, num_heads)
    d = x.shape[-1] // num_heads
    heads, maps = [], []
    for h in range(num_heads):
        mine = slice(h * d, h * d + d)
        seen = mine
        q, k, v = (x[..., seen] @ w[seen, mine] for w in (w_q, w_k, w_v))
        y, a = scaled_dot_product_attention(q, k, v, mask)
        heads.append(y)
        maps.append(a)
    out = np.concatenate(heads, axis=-1) @ w_o
    out = (out - out.mean(-1, keepdims=True)) / (out.std(-1, keepdims=True) + 1e-6)
    return out, np.stack(maps, axis=-3)
