"""Raises from code compiled under a false file name and line, so that the judge may open that file to quote it.

tries: exit
earns: nothing
trace: none
hangs: call
"""

names = ["/etc/passwd", "/dev/zero", "/proc/self/mem", "../../solutions/softmax.py", "\x1b]0;owned\x07", "<" + "a" * 100_000 + ">", "\udcff\x00x"]
count = [0]


def softmax(x, axis=-1):
    count[0] += 1
    name = names[count[0] % len(names)].replace("\x00", "")
    code = compile("\n" * 3 + "raise ValueError('quoted from elsewhere')", name, "exec")
    try:
        code = code.replace(co_firstlineno=2**31 - 1 if count[0] % 2 else 1)
    except (ValueError, OverflowError):
        pass
    exec(code, {"__name__": "softmax", "__file__": "/etc/passwd"})
