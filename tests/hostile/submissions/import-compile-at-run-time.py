"""Compiles bombs of its own while it is imported: deep parentheses, deep trees given to compile, endless source.

tries: import
earns: nothing
trace: none
"""

import ast
import sys

sys.setrecursionlimit(10**6)
for source in ("(" * 5000 + ")" * 5000, "-" * 90_000 + "1", "a" + ".b" * 90_000, "[" * 190 + "]" * 190, "f'" + "{" * 1000):
    try:
        eval(compile(source, "bomb", "eval"))
    except BaseException:
        pass
tree = ast.Constant(1)
for _ in range(200_000):
    tree = ast.UnaryOp(ast.USub(), tree)
softmax = eval(compile(ast.fix_missing_locations(ast.Expression(tree)), "bomb", "eval"))
