"""Has a syntax error on a line full of terminal codes and bidirectional overrides, which a report would quote.

tries: import
earns: nothing
trace: none
compiles: no
"""

def softmax(x, axis=-1):
    return 'passed' ‮⁦ [2J]0;passed 2J if
