"""Uses bidirectional overrides, zero-width and combining characters and lookalike names to change what a line says.

tries: terminal
earns: nothing
trace: none
"""

import numpy as np


def softmax(x, axis=-1):
    print("\u202e01/01 dessap\u202c \u2066\u2067 xamtfos\u2069\u2069 \u200b\u200c\u200d\ufeff")
    print("Z" + "\u0300\u0301\u0488" * 20_000)
    print("\U000e0041\U000e0042 \ufdfd" * 1000 + "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 100)
    raise ValueError("\u202eton si siht \u2028 PASSED \u2029 \u0085 10/10 \u061c\u200e\u200f")
