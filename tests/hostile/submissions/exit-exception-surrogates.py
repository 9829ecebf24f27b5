"""Raises an exception whose text cannot be encoded: lone surrogates, NUL bytes, XML and JSON poison.

tries: exit
earns: nothing
trace: none
"""

def softmax(x, axis=-1):
    raise ValueError("\ud800\udfff \x00\x01\x0b\x1f\x7f\x85 \ufffe\uffff ]]> </failure></testsuite> <![CDATA[ \u2028 \u2029 \U000e0001")
