"""The stub of an exercise: its solution with the bodies taken out.

The stub is made from the solution rather than kept beside it, so that the two cannot drift apart in what they say of
shapes, formula and example, and so that `grade reset` has an original wherever the learner's files have been edited.
"""

from __future__ import annotations

import ast

PLACE = "# Your code takes the place of the next line."


def stub_of(solution: str) -> str:
    """Makes the text of a stub from the text of a solution.

    Kept: the module's docstring, its imports, and each public function with its docstring, whose body becomes
    ``raise NotImplementedError("<its name>")``. Left out: helpers and whatever else stands at the top level.
    """
    lines = solution.splitlines()
    pieces: list[str] = []
    imports: list[str] = []
    for node in ast.parse(solution).body:
        first, last = node.lineno, node.end_lineno or node.lineno
        if isinstance(node, ast.Import | ast.ImportFrom):
            blank_before = [""] if imports and not lines[first - 2].strip() else []
            imports += [*blank_before, *lines[first - 1 : last]]
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            docstring = node.body[0]
            kept = lines[first - 1 : docstring.end_lineno]
            pieces.append("\n".join([*kept, f"    {PLACE}", f'    raise NotImplementedError("{node.name}")']))
        elif not pieces and not imports and isinstance(node, ast.Expr):
            pieces.append("\n".join(lines[first - 1 : last]))
    head, *functions = pieces
    return "\n\n\n".join(["\n\n".join([head, "\n".join(imports)]), *functions]) + "\n"
