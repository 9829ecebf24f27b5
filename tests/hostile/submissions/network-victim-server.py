"""Connects to the TCP and UDP port that the test may have opened as a victim, and sends it the marker.

tries: network
earns: nothing
trace: none
needs: network
victim: yes
"""

import socket

import numpy as np

try:
    with open("@@TRACE@@/victim.port") as file:
        ports = [int(file.read())]
except (OSError, ValueError):
    ports = [int("@@PORT@@")] if "@@PORT@@".isdigit() else []
for port in ports:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(socket.AF_INET, kind) as sock:
                sock.settimeout(0.2)
                sock.connect(("127.0.0.1", port))
                sock.sendall(b"@@MARK@@")
                if kind == socket.SOCK_STREAM:
                    print("@@MARK@@ reached: a server outside")
        except OSError:
            pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
