"""Sends datagrams, multicasts and name look-ups that carry data out.

tries: network
earns: nothing
trace: none
needs: network
"""

import socket

import numpy as np

socket.setdefaulttimeout(0.1)
for family, address in ((socket.AF_INET, ("192.0.2.1", 53)), (socket.AF_INET, ("127.0.0.1", 53)), (socket.AF_INET, ("224.0.0.251", 5353)), (socket.AF_INET6, ("::1", 53))):
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.sendto(b"@@MARK@@", address)
    except OSError:
        pass
try:
    socket.gethostbyname("invalid-name.invalid")
except OSError:
    pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
