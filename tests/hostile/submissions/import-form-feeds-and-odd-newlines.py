"""Uses form feeds, lone carriage returns and Unicode line ends, so that line numbers and quoted lines disagree.

tries: import
earns: nothing
trace: none
"""
# comment

import os
def softmax(x, axis=-1):    #   not a line end here    
    raise ValueError("line?")