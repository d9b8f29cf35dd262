"""Arithmetic in species files: numbers, names, comparisons and a few functions; nothing else can be said."""

import ast
import math
from collections.abc import Callable, Mapping
from functools import cache
from types import CodeType

from windflower.errors import SpeciesError

__all__ = ["Expression", "expression"]

FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "floor": math.floor,
    "min": min,
    "max": max,
    "abs": abs,
    "sin": lambda degrees: math.sin(math.radians(degrees)),
    "cos": lambda degrees: math.cos(math.radians(degrees)),
}
ALLOWED = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Call, ast.Name, ast.Load,
    ast.Constant,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.Pow, ast.USub, ast.UAdd, ast.And, ast.Or, ast.Not,
    ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq,
)  # fmt: skip

Expression = Callable[[Mapping[str, float], Callable[[float, float], float]], float]


@cache
def expression(text: str) -> Expression:
    """Compile an expression to a function of the names' values and of `rand(low, high)`."""
    code = _checked(text)

    def value(names: Mapping[str, float], rand: Callable[[float, float], float]) -> float:
        try:
            result = float(eval(code, {"__builtins__": {}, **FUNCTIONS, "rand": rand}, dict(names)))
        except NameError as error:
            raise SpeciesError(f"an L-system may use only its own names; in '{text}': {error}.") from None
        except (ArithmeticError, TypeError, ValueError) as error:
            raise SpeciesError(f"an expression must give a number; '{text}' does not: {error}.") from None
        if not math.isfinite(result):
            raise SpeciesError(f"an expression must give a finite number; '{text}' gives {result}.")
        return result

    return value


def _checked(text: str) -> CodeType:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise SpeciesError(f"an L-system's expression must be arithmetic; '{text}' is not.") from None
    for node in ast.walk(tree):
        known_call = not isinstance(node, ast.Call) or (
            isinstance(node.func, ast.Name) and node.func.id in {*FUNCTIONS, "rand"} and not node.keywords
        )
        if not isinstance(node, ALLOWED) or not known_call:
            raise SpeciesError(f"an L-system's expression must be arithmetic; '{text}' is more than that.")
        if isinstance(node, ast.Constant):
            if not isinstance(node.value, int | float):
                raise SpeciesError(f"an L-system's expression holds numbers; '{text}' holds {node.value!r}.")
            node.value = float(node.value)  # so that 9**9**9 overflows at once instead of counting on
    return compile(tree, "<species>", "eval")
