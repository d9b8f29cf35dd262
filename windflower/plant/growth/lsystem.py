r"""Bracketed parametric L-systems, read by a turtle (Prusinkiewicz & Lindenmayer 1990; Stam 1996, §2).

A module is a name with parameters, `A(0.5, 3)`. Rules replace modules, all at once, a few times over; then a turtle
walks along what came out:

    F(l)          draw a segment of l metres          [ ]           begin and end a side axis
    +(a) -(a)     turn left, right by a degrees       T(e)          from here on each segment turns e degrees to the
    &(a) ^(a)     pitch down, up                                    sky (negative: to the ground)
    \(a) /(a)     roll left, right                    $             roll until the left hand is level
    |             turn back                           L             put a leaf on the latest segment
    !(r)          from here on segments have a radius of r metres; !(0): again as much as the pipe model gives

Angles are 90 degrees if not given. Expressions know the module's parameters, the species' constants, `rand(low, high)`
and a few functions. Names that the turtle does not know are skipped: they carry the growth from step to step.
"""

import ast
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import CodeType

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.budgets import allowance, within
from windflower.core.randomness import between, draw
from windflower.core.vectors import UP
from windflower.errors import SpeciesError
from windflower.plant.growth.skeleton import Skeleton
from windflower.plant.species.settings import LSystem, Rule

__all__ = ["expression", "grow_lsystem"]

LONGEST = 200.0  # segment, m: as much as the tallest plant
THINNEST, THICKEST = 1e-5, 20.0  # radius, m
Module = tuple[str, tuple[float, ...]]
_MODULE = re.compile(r"\s*([A-Za-z_]\w*|[-+&^\\/|$!\[\]])\s*")

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


def grow_lsystem(settings: LSystem, seed: int) -> Skeleton:
    """Derive the string and walk along it."""
    derivation = _Derivation(settings, seed)
    modules = derivation.expand(settings.axiom, {})
    for _ in range(settings.steps):
        modules = derivation.step(modules)
    return _Turtle().walk(modules)


@cache
def parsed(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Split `F(l) [ +(30) A(l * 0.7, n - 1) ]` into names and parameter texts."""
    modules, at = [], 0
    while at < len(text.rstrip()):
        match = _MODULE.match(text, at)
        if not match:
            here = text[at : at + 20]
            raise SpeciesError(f"an L-system holds names, + - & ^ \\ / | $ ! [ ]; at '{here}' it does not.")
        at = match.end()
        parameters: tuple[str, ...] = ()
        if at < len(text) and text[at] == "(":
            at, parameters = _parameters(text, at + 1)
        modules.append((match[1], parameters))
    return tuple(modules)


def _parameters(text: str, at: int) -> tuple[int, tuple[str, ...]]:
    """The comma-separated texts up to the closing parenthesis, and where that ends."""
    parts, depth, begin = [], 0, at
    for i in range(at, len(text)):
        if text[i] == "(":
            depth += 1
        elif text[i] == ")" and depth:
            depth -= 1
        elif text[i] in ",)" and not depth:
            parts.append(text[begin:i])
            begin = i + 1
            if text[i] == ")":
                return i + 1, tuple(parts)
    raise SpeciesError(f"a parenthesis must be closed; in '{text[:80]}' one is not.")


class _Derivation:
    """Rewriting of the string; a counter gives every random number its own key."""

    def __init__(self, settings: LSystem, seed: int) -> None:
        self.constants, self.seed, self.draws = settings.constants, seed, 0
        self.rules: dict[str, list[tuple[Rule, tuple[str, ...]]]] = {}
        for rule in settings.rules:
            name, parameters = parsed(rule.module)[0]
            self.rules.setdefault(name, []).append((rule, tuple(p.strip() for p in parameters)))

    def rand(self, low: float, high: float) -> float:
        self.draws += 1
        return float(between(low, high, self.seed, 301, self.draws))

    def expand(self, text: str, names: dict[str, float]) -> list[Module]:
        values = {**self.constants, **names}
        return [(name, tuple(expression(part)(values, self.rand) for part in parts)) for name, parts in parsed(text)]

    def step(self, modules: list[Module]) -> list[Module]:
        grown: list[Module] = []
        most = allowance("modules")
        for name, values in modules:
            grown += self.replaced(name, values)
            if len(grown) > most:
                within("modules", math.inf, "Use fewer steps", error=SpeciesError)
        return grown

    def replaced(self, name: str, values: tuple[float, ...]) -> list[Module]:
        fitting = [
            (rule, dict(zip(names, values, strict=True)))
            for rule, names in self.rules.get(name, [])
            if len(names) == len(values)
        ]
        fitting = [(r, n) for r, n in fitting if expression(r.when)({**self.constants, **n}, self.rand)]
        if not fitting:
            return [(name, values)]
        rule, names = fitting[0]
        if len(fitting) > 1:
            self.draws += 1
            chances = np.cumsum([r.weight for r, _ in fitting])
            chosen = np.searchsorted(chances, draw(self.seed, 302, self.draws) * chances[-1], side="right")
            rule, names = fitting[int(chosen)]
        return self.expand(rule.becomes, names)


@dataclass
class _State:
    node: int
    order: int | None  # of the axis that is drawn; None while a side axis has no segment yet
    frame: FloatArray  # columns: left, heading, up
    tropism: float = 0.0
    radius: float = 0.0  # m; 0 for the pipe model's


class _Turtle:
    """Walks along a string of modules and leaves a skeleton behind."""

    def __init__(self) -> None:
        self.parent, self.order, self.buds = [-1], [0], list[int]()
        self.position, self.radius = [np.zeros(3)], [0.0]
        self.state = _State(0, 0, np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]))
        self.stack: list[_State] = []

    def walk(self, modules: list[Module]) -> Skeleton:
        for name, values in modules:
            self.obey(name, values)
        if len(self.parent) < 2:
            raise SpeciesError("an L-system must draw at least one segment; this one has no F in its result.")
        buds = np.array(self.buds, np.int64) if self.buds else None
        parent, order, radius = np.array(self.parent), np.array(self.order), np.array(self.radius)
        base = np.where(order != order[parent], radius, 0.0)  # elsewhere a segment begins as thick as its parent ends
        given = np.column_stack([base, radius]) if radius.any() else None
        return Skeleton(parent, np.array(self.position), order, buds, given)

    def obey(self, name: str, values: tuple[float, ...]) -> None:
        angle = np.radians(values[0] if values else 90.0)
        state = self.state
        match name:
            case "F":
                self.forward(values[0] if values else 1.0)
            case "[":
                self.stack.append(replace(state))
                state.order = None
            case "]":
                if not self.stack:
                    raise SpeciesError("an L-system closes as many brackets as it opens; this one closes one too many.")
                self.state = self.stack.pop()
            case "L":
                self.buds += [state.node] if state.node else []
            case "T":
                state.tropism = values[0] if values else 0.0
            case "!":
                state.radius = _checked_radius(values[0] if values else 0.0)
            case _:
                state.frame = _turned(state.frame, name, angle)

    def forward(self, length: float) -> None:
        if length <= 0:
            return
        if length > LONGEST:
            raise SpeciesError(f"a segment has at most {LONGEST:g} m; an F of this L-system has {length:g}.")
        state = self.state
        if state.tropism:
            state.frame = _bent(state.frame, np.radians(state.tropism))
        self.position.append(self.position[state.node] + length * state.frame[:, 1])
        self.parent.append(state.node)
        self.radius.append(state.radius)
        state.order = self.order[state.node] + 1 if state.order is None else state.order
        self.order.append(state.order)
        state.node = len(self.parent) - 1


def _checked_radius(radius: float) -> float:
    if radius and not THINNEST <= radius <= THICKEST:
        raise SpeciesError(
            f"a radius is {THINNEST:g} to {THICKEST:g} m, or 0 for the pipe model's; "
            f"a ! of this L-system has {radius:g}."
        )
    return radius


def _turned(frame: FloatArray, name: str, angle: float) -> FloatArray:
    left, heading, up = frame.T
    match name:
        case "+" | "-":
            return _rotation(up, angle if name == "+" else -angle) @ frame
        case "&" | "^":
            return _rotation(left, angle if name == "^" else -angle) @ frame
        case "\\" | "/":
            return _rotation(heading, angle if name == "\\" else -angle) @ frame
        case "|":
            return _rotation(up, np.pi) @ frame
        case "$":
            level = np.cross(heading, UP)
            if not level.any():
                return frame
            level = level / np.linalg.norm(level)
            return np.stack([level, heading, np.cross(level, heading)], axis=1)
    return frame


def _bent(frame: FloatArray, angle: float) -> FloatArray:
    """Turn the heading toward the sky (negative: the ground), never past the vertical."""
    heading = frame[:, 1]
    axis = np.cross(heading, UP)
    size = float(np.linalg.norm(axis))
    if size < 1e-6:
        return frame
    upright = np.arctan2(size, heading[1])
    return _rotation(axis / size, float(np.clip(angle, upright - np.pi, upright))) @ frame


def _rotation(axis: FloatArray, angle: float) -> FloatArray:
    """Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


@cache
def expression(text: str) -> Expression:
    """Compile an expression to a function of the names' values and of `rand(low, high)`."""
    code = _checked(text)

    def value(names: Mapping[str, float], rand: Callable[[float, float], float]) -> float:
        try:
            result = float(eval(code, {"__builtins__": {}, **FUNCTIONS, "rand": rand}, dict(names)))
        except NameError as error:
            raise SpeciesError(f"an L-system may use only its own names; in '{text[:80]}': {error}.") from None
        except (ArithmeticError, TypeError, ValueError) as error:
            raise SpeciesError(f"an expression must give a number; '{text[:80]}' does not: {error}.") from None
        if not math.isfinite(result):
            raise SpeciesError(f"an expression must give a finite number; '{text[:80]}' gives {result}.")
        return result

    return value


def _checked(text: str) -> CodeType:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise SpeciesError(f"an L-system's expression must be arithmetic; '{text[:80]}' is not.") from None
    for node in ast.walk(tree):
        known_call = not isinstance(node, ast.Call) or (
            isinstance(node.func, ast.Name) and node.func.id in {*FUNCTIONS, "rand"} and not node.keywords
        )
        if not isinstance(node, ALLOWED) or not known_call:
            raise SpeciesError(f"an L-system's expression must be arithmetic; '{text[:80]}' is more than that.")
        if isinstance(node, ast.Constant):
            if not isinstance(node.value, int | float):
                raise SpeciesError(f"an L-system's expression holds numbers; '{text[:80]}' holds {node.value!r}.")
            try:
                node.value = float(node.value)  # so that 9**9**9 overflows at once instead of counting on
            except OverflowError:
                raise SpeciesError(f"an L-system's numbers are below 1e308; '{text[:80]}' has a larger one.") from None
    try:
        return compile(tree, "<species>", "eval")
    except (ValueError, RecursionError, MemoryError):
        raise SpeciesError(f"an L-system's expression must be arithmetic; '{text[:80]}' is nested too deep.") from None
