"""Defaults and types for a reader: values in place of the names of constants, and no machinery of dataclasses."""

import ast
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

__all__ = ["readable_default", "readable_type", "readable_value"]

EMPTY = {"dict": "{}", "list": "[]", "tuple": "()", "set": "set()", "frozenset": "frozenset()"}


def readable_default(node: ast.expr | None, names: dict[str, Any]) -> str:
    """A default as source, where these are the names of its module; empty if there is none."""
    match node:
        case None:
            return ""
        case ast.Call(func=ast.Name(id="field"), keywords=keywords):
            told = {one.arg: one.value for one in keywords}
            return (
                _made(told["default_factory"])
                if "default_factory" in told
                else readable_default(told.get("default"), names)
            )
        case ast.Name(id=name) if name in names:
            return readable_value(names[name])
        case ast.Tuple(elts=parts) if any(isinstance(one, ast.Name) for one in parts):
            return f"({', '.join(readable_default(one, names) for one in parts)})"
    return ast.unparse(node)


def _made(factory: ast.expr) -> str:
    """What a factory makes, which for arrays and containers is an empty one."""
    return EMPTY.get(ast.unparse(factory), "()")


def readable_value(value: Any) -> str:
    """A value as source; of settings only what differs from their own defaults."""
    kind = type(value)
    fields = getattr(kind, "model_fields", None) or getattr(kind, "__dataclass_fields__", None)
    if fields is None:
        return repr(value)
    told = {name: getattr(value, name) for name, field in fields.items() if getattr(value, name) != _usual(field)}
    return f"{kind.__name__}({', '.join(f'{name}={readable_value(one)}' for name, one in told.items())})"


def _usual(field: Any) -> Any:
    """The default of a field of a dataclass or of a model; something that nothing equals, where it has none."""
    factory = field.default_factory
    return factory() if callable(factory) else field.default


def readable_type(kind: Any) -> str:
    """A type as one would write it, without what it is annotated with."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return readable_type(parts[0])
    if origin is Literal:
        return f"Literal[{', '.join(repr(one) for one in parts)}]"
    if origin in {Union, types.UnionType}:
        return " | ".join(readable_type(one) for one in parts)
    if kind is type(None):
        return "None"
    if kind is Ellipsis:
        return "..."
    name = getattr(kind if origin is None else origin, "__name__", str(kind))
    return f"{name}[{', '.join(readable_type(one) for one in parts)}]" if parts else name
