"""Returns an object whose __array__, __len__, __iter__ and __float__ never return.

tries: lie
earns: nothing
trace: none
hangs: call
"""

class Hang:
    def __array__(self, *args, **kwargs):
        while True:
            pass

    __len__ = __iter__ = __float__ = __index__ = __bool__ = __buffer__ = __array__

    @property
    def __array_interface__(self):
        while True:
            pass


def softmax(x, axis=-1):
    return Hang()
