# -*- coding: rot_13 -*-
"""Declares an odd source encoding, so that what a reader sees is not what Python runs.

tries: import
earns: nothing
trace: none
compiles: no
"""

vzcbeg bf


qrs fbsgznk(k, nkvf=-1):
    bf._rkvg(0)
