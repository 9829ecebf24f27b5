"""Imports, reloads and runs itself again and again while it is imported.

tries: import
earns: nothing
trace: none
hangs: import
"""

import importlib
import runpy
import sys

depth = getattr(sys, "_softmax_depth", 0)
sys._softmax_depth = depth + 1
if depth < 5000:
    sys.modules.pop(__name__, None)
    try:
        importlib.import_module(__name__)
    except BaseException:
        runpy.run_path(__file__)


def softmax(x, axis=-1):
    return x
