"""Builds a function from a code object with bytecode that no compiler makes, and crashes the interpreter.

tries: import
earns: nothing
trace: none
"""

def softmax(x, axis=-1):
    return x


softmax.__code__ = softmax.__code__.replace(co_code=bytes([255, 255] * 50 + [83, 0, 100, 200]), co_stacksize=1, co_consts=())
