"""Raises KeyboardInterrupt while it is imported.

tries: exit
earns: nothing
trace: none
"""

raise KeyboardInterrupt("stopped by the user")
