# vim: set fileencoding=../../../../tmp/x.y :
"""Names an encoding that is not there, one that is a path, and one that loads a module.

tries: import
earns: nothing
trace: none
compiles: no
"""

def softmax(x, axis=-1):
    return x
