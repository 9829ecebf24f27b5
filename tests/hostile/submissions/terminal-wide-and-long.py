"""Prints lines a million characters wide of wide, tab and zero-width characters, to break a layout of 80 columns.

tries: terminal
earns: nothing
trace: none
"""

def softmax(x, axis=-1):
    print("\u5168" * 1_000_000)
    print("\t" * 100_000, "\u200b" * 100_000)
    raise ValueError("\u5168\t" * 1_000_000)
