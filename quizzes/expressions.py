"""Computes a small arithmetic expression without ever running it as code.

Python's own parser makes the tree; only the nodes named here are walked: numbers, names, ``+ - * / // % **``,
comparisons, and the functions ``sqrt exp log floor abs min max``. Decimal arithmetic with 34 digits gives the
same value on every machine, and a capped exponent keeps ``9**9**9`` from filling the memory.
"""

from __future__ import annotations

import ast
import decimal
import functools
import operator
import re
import warnings
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_LENGTH = 300
MAX_POWER = 64

# Computed with more digits than are kept, so that sqrt(3)**2 is 3.
_CONTEXT = decimal.Context(prec=50, Emax=9999, Emin=-9999)
_KEPT = decimal.Context(prec=34, Emax=9999, Emin=-9999)


def _floor(x: Decimal) -> Decimal:
    return _KEPT.plus(x).to_integral_value(decimal.ROUND_FLOOR)


_ONE_ARGUMENT: dict[str, Callable[[Decimal], Decimal]] = {
    "sqrt": lambda x: x.sqrt(),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.ln(),
    "floor": _floor,
    "abs": abs,
}
_MANY_ARGUMENTS: dict[str, Callable[[list[Decimal]], Decimal]] = {"min": min, "max": max}
FUNCTIONS = (*_ONE_ARGUMENT, *_MANY_ARGUMENTS)
_BINARY: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    # Decimal's own // and % round towards zero; people who write Python expect the floor.
    ast.FloorDiv: lambda a, b: _floor(a / b),
    ast.Mod: lambda a, b: a - b * _floor(a / b),
}
_COMPARE: dict[type[ast.cmpop], Callable[[Decimal, Decimal], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


# What Python takes for a number besides: another base, underscores.
_NOT_DECIMAL = r"(?<![\w.])(0[xXbBoO]\w*|[\d.]+_[\w.]*)"


class ExpressionError(ValueError):
    """An expression that cannot be read or has no value; the message is fit for its author."""


@functools.lru_cache(maxsize=4096)
def parse(text: str) -> ast.expr:
    """Return the tree of an expression, all of whose nodes are allowed ones; ExpressionError otherwise."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression of {len(text)} characters; {MAX_LENGTH} are the most")
    if found := re.search(_NOT_DECIMAL, text):
        raise ExpressionError(f"`{found.group()}` is no decimal number; write only digits, a point and an exponent")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError, Warning):
        raise ExpressionError(f"`{text}` is not an arithmetic expression") from None
    for node in ast.walk(tree):
        _allow(node)
    return tree


def _allow(node: ast.AST) -> None:
    """Refuse what is not arithmetic, by name."""
    if isinstance(node, ast.Constant):
        if type(node.value) not in (int, float):
            raise ExpressionError(f"`{ast.unparse(node)}` is not a number")
        return
    if isinstance(node, ast.Call):
        known = isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS
        if not known or node.keywords or not node.args or any(isinstance(a, ast.Starred) for a in node.args):
            raise ExpressionError(f"`{ast.unparse(node)}` cannot be called; the functions are {', '.join(FUNCTIONS)}")
        if isinstance(node.func, ast.Name) and node.func.id in _ONE_ARGUMENT and len(node.args) != 1:
            raise ExpressionError(f"`{node.func.id}` takes one value, not {len(node.args)}")
        return
    allowed = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Name, ast.Load, ast.operator, ast.unaryop, ast.cmpop)
    if not isinstance(node, allowed) or isinstance(node, ast.Not | ast.Invert | ast.MatMult | ast.BitAnd | ast.BitOr):
        raise ExpressionError(
            f"`{ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__}` is not arithmetic"
        )


def names(tree: ast.expr) -> set[str]:
    """Return the names of values that an expression needs."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called}


def evaluate(text: str, values: Mapping[str, Decimal]) -> Decimal:
    """Return the value of an expression; ExpressionError if it has none."""
    result = _run(text, values)
    if not isinstance(result, Decimal):
        raise ExpressionError(f"`{text}` is a comparison, not a value")
    if not result.is_finite():
        raise ExpressionError(f"`{text}` has no finite value")
    return result


def holds(text: str, values: Mapping[str, Decimal]) -> bool:
    """Return whether a comparison is true."""
    result = _run(text, values)
    if not isinstance(result, bool):
        raise ExpressionError(f"`{text}` is a value, not a comparison such as `d > 2`")
    return result


def _run(text: str, values: Mapping[str, Decimal]) -> Decimal | bool:
    tree = parse(text)
    try:
        with decimal.localcontext(_CONTEXT):
            result = _value(tree, values)
            return result if isinstance(result, bool) else _KEPT.plus(result)
    except KeyError as missing:
        raise ExpressionError(f"`{text}` uses `{missing.args[0]}`, which is no number among the params") from None
    except decimal.DivisionByZero:
        raise ExpressionError(f"`{text}` divides by zero") from None
    except (ArithmeticError, RecursionError):
        raise ExpressionError(f"`{text}` has no value, or one too large") from None


def _value(node: ast.expr, values: Mapping[str, Decimal]) -> Decimal | bool:
    if isinstance(node, ast.Compare):
        terms = [_KEPT.plus(_number(term, values)) for term in (node.left, *node.comparators)]
        return all(_COMPARE[type(op)](a, b) for op, a, b in zip(node.ops, terms, terms[1:], strict=False) if _known(op))
    return _number(node, values)


def _known(comparison: ast.cmpop) -> bool:
    if type(comparison) not in _COMPARE:
        raise ExpressionError("the comparisons are < <= > >= == !=")
    return True


def _number(node: ast.expr, values: Mapping[str, Decimal]) -> Decimal:
    match node:
        case ast.Constant(value=int() | float() as number):
            return +Decimal(repr(number))
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, values)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _number(operand, values)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            power = _number(right, values)
            if abs(power) > MAX_POWER:
                raise ExpressionError(f"an exponent of {power}; {MAX_POWER} is the most")
            return _number(left, values) ** power
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_number(left, values), _number(right, values))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            terms = [_number(argument, values) for argument in arguments]
            return _ONE_ARGUMENT[name](terms[0]) if name in _ONE_ARGUMENT else _MANY_ARGUMENTS[name](terms)
    raise ExpressionError(f"`{ast.unparse(node)}` is not arithmetic")
