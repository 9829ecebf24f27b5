"""Everything is einsum with the matrices cut into heads, and the softmax is written out here."""
import numpy as np


def _cut(d_model, num_heads):
    if num_heads <= 0 or d_model % num_heads != 0:
        raise ValueError("d_model = %d cannot be shared by num_heads = %d" % (d_model, num_heads))
    return num_heads, d_model // num_heads


def split_heads(x, num_heads):
    return np.einsum("...nhd->...hnd", x.reshape(x.shape[:-1] + _cut(x.shape[-1], num_heads)))


def merge_heads(x):
    y = np.einsum("...hnd->...nhd", x)
    return y.reshape(y.shape[:-2] + (y.shape[-2] * y.shape[-1],))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    hd = _cut(x.shape[-1], num_heads)
    q, k, v = (np.einsum("...nm,mhd->...hnd", x, w.reshape(w.shape[:1] + hd)) for w in (w_q, w_k, w_v))
    s = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(hd[1])
    if mask is not None:
        s = np.where(mask[..., None, :, :], s, -1e9)
    s = np.exp(s - s.max(-1, keepdims=True))
    a = s / s.sum(-1, keepdims=True)
    heads = np.einsum("...hij,...hjd->...hid", a, v)
    return np.einsum("...hnd,hdm->...nm", heads, w_o.reshape(hd + w_o.shape[1:])), a
