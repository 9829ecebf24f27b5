"""Uses up its memory, keeps it, and raises from the handler, so that even the message cannot be made.

tries: memory
earns: nothing
trace: none
"""

kept = []


def softmax(x, axis=-1):
    size = 100_000_000
    while size > 64 and len(kept) < 2000:
        try:
            kept.append(bytearray(size))
            if sum(map(len, kept)) > 6_000_000_000:
                break
        except MemoryError:
            size //= 2
    raise MemoryError(kept)
