"""Opens raw, packet, netlink, vsock, bluetooth and alg sockets and tries to bring an interface up.

tries: network
earns: nothing
trace: none
needs: network
"""

import fcntl
import socket
import struct

import numpy as np

for family, kind, proto in ((2, 3, 255), (17, 3, 3), (16, 3, 0), (16, 3, 9), (16, 3, 12), (40, 1, 0), (31, 3, 1), (38, 5, 0), (29, 3, 1), (2, 2, 136)):
    try:
        with socket.socket(family, kind, proto) as sock:
            sock.settimeout(0.05)
            if family == 16:
                sock.bind((0, 0))
    except OSError:
        pass
try:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        fcntl.ioctl(sock, 0x8914, struct.pack("16sh14x", b"@@MARK@@"[:8], 1))
except OSError:
    pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
