"""Loops for ever and catches whatever is raised to stop it, in nested handlers and finally clauses.

tries: loop
earns: nothing
trace: none
hangs: call
"""

def softmax(x, axis=-1):
    while True:
        try:
            try:
                while True:
                    pass
            finally:
                while True:
                    pass
        except BaseException:
            continue
