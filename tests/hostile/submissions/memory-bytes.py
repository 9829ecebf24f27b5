"""Takes memory in growing blocks of bytes and touches all of it, up to 6 GB.

tries: memory
earns: nothing
trace: none
"""

def softmax(x, axis=-1):
    blocks = []
    for _ in range(60):
        blocks.append(b"m" * 100_000_000)
    return 0.0
