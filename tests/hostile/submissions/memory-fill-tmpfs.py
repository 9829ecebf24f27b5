"""Fills /tmp, /dev/shm and its own folder with files, many and large, up to 2 GB.

tries: memory
earns: nothing
trace: /tmp/@@MARK@@-0
guarded: yes
needs: filesystem
"""

import os

def only_in_a_sandbox():
    """Refuse wherever the trace directory can be seen: there, no namespace keeps the real machine apart."""
    outside = "@@TRACE@@"
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    if outside.startswith("@" * 2) or os.path.exists(outside) or len(seen) > 32:
        raise RuntimeError("refused: runs only in a pid and mount namespace")


def softmax(x, axis=-1):
    only_in_a_sandbox()
    chunk = b"z" * (1 << 20)
    for place in ("/tmp", "/dev/shm", os.getcwd(), "/var/tmp", "/run", "/", os.path.dirname(os.path.abspath(__file__))):
        for n in range(300):
            try:
                fd = os.open(os.path.join(place, f"@@MARK@@-{n}"), os.O_WRONLY | os.O_CREAT)
                os.write(fd, chunk)
                os.close(fd)
            except OSError:
                break
    return 0.0
