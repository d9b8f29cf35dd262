"""The public names of Windflower as data: signatures as the source says them, and what docstrings say of each part."""

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import windflower
from book.docstrings import Described, described
from book.readable import readable_default, readable_type, readable_value

__all__ = ["Argument", "Documented", "documented", "members", "shared_arguments"]

SHARED = Path(__file__).with_name("arguments.toml")


@dataclass(frozen=True)
class Argument:
    """An argument or a field.

    name     its name
    kind     its type, as the source says it
    default  its default as source; empty where there is none
    text     what it means, with unit and shape
    """

    name: str
    kind: str
    default: str
    text: str


@dataclass(frozen=True)
class Documented:
    """A public name, or a method or property of one.

    name       as it is written: `grow`, `Plant.save`
    sort       "function", "class", "method", "classmethod", "staticmethod", "property" or "data"
    signature  arguments as source, with `*` and `/`
    returns    type of what comes back, as source
    text       the docstring without its tables
    arguments  arguments of a function, fields of a class
    """

    name: str
    sort: str
    signature: str
    returns: str
    text: str
    arguments: tuple[Argument, ...]


def shared_arguments(cls: str) -> dict[str, str]:
    """What arguments mean that methods share, by name: those of a class, then those of all."""
    shared = _shared()
    return {name: text for name, text in (shared | shared.get(cls, {})).items() if isinstance(text, str)}


@cache
def _shared() -> dict[str, Any]:
    return tomllib.loads(SHARED.read_text("utf-8"))


def documented(name: str) -> Documented:
    """A public name of `windflower`."""
    found = getattr(windflower, name)
    if inspect.isclass(found):
        return _of_class(name, found)
    function = inspect.unwrap(found) if callable(found) else found
    if inspect.isfunction(function):
        return _of_function(name, "function", function, [described(function.__doc__)], shared={})
    return Documented(name, "data", "", type(found).__name__, _comment_of(name), ())


def members(name: str) -> Iterator[Documented]:
    """Public methods and properties that a public class defines itself."""
    cls = getattr(windflower, name)
    for member, value in vars(cls).items() if inspect.isclass(cls) else ():
        function, sort = _unwrapped(value)
        if member.startswith(("_", "model_")) or getattr(function, "__name__", "<lambda>") == "<lambda>":
            continue
        texts = [
            described(_unwrapped(vars(base)[member])[0].__doc__)
            for base in cls.__mro__
            if member in vars(base) and base.__module__.startswith("windflower")
        ]
        yield _of_function(f"{name}.{member}", sort, function, texts, shared=shared_arguments(name))


def _unwrapped(value: Any) -> tuple[Any, str]:
    """The function behind a member of a class, and what sort of member it is."""
    match value:
        case classmethod() | staticmethod():
            return value.__func__, type(value).__name__
        case property():
            return value.fget, "property"
        case cached_property():
            return value.func, "property"
    return value, "method"


def _of_function(name: str, sort: str, function: Any, texts: list[Described], *, shared: dict[str, str]) -> Documented:
    node = _definitions(function.__module__).get(function.__qualname__)
    text = next((one.text for one in texts if one.text), "")
    if not isinstance(node, ast.FunctionDef):
        return Documented(name, sort, "", "", text, ())
    skipped = 1 if sort in {"method", "classmethod", "property"} else 0
    names = _names(function.__module__)
    arguments = tuple(_arguments(node, texts, shared, skipped, names)) if sort != "property" else ()
    return Documented(name, sort, _signature(node, skipped, names), _source(node.returns), text, arguments)


def _arguments(
    node: ast.FunctionDef, texts: list[Described], shared: dict[str, str], skipped: int, names: dict[str, Any]
) -> Iterator[Argument]:
    entries = {name: text for one in reversed(texts) for name, text in one.entries.items()}
    sentences = _sentences(texts)
    for argument, default in _parameters(node, skipped):
        text = entries.get(argument.arg) or _sentence(sentences, argument.arg) or shared.get(argument.arg, "")
        yield Argument(argument.arg, _source(argument.annotation), readable_default(default, names), text)


def _parameters(node: ast.FunctionDef, skipped: int) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Arguments with their defaults, without `self`."""
    args = node.args
    plain = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults))
    yield from list(zip(plain, [*defaults, *args.defaults], strict=True))[skipped:]
    if args.vararg:
        yield args.vararg, None
    yield from zip(args.kwonlyargs, args.kw_defaults, strict=True)
    if args.kwarg:
        yield args.kwarg, None


def _signature(node: ast.FunctionDef, skipped: int, names: dict[str, Any]) -> str:
    """Names and defaults, without types, which the table beneath has."""
    args = ast.parse(f"def f({ast.unparse(node.args)}): pass").body[0].args  # type: ignore[attr-defined]
    args.defaults = [ast.Name(readable_default(one, names)) for one in args.defaults]
    args.kw_defaults = [one and ast.Name(readable_default(one, names)) for one in args.kw_defaults]
    for one in ast.walk(args):
        if isinstance(one, ast.arg):
            one.annotation = None
    words: list[str] = ast.unparse(args).split(", ")
    return ", ".join(words[skipped:])


def _names(module: str) -> dict[str, Any]:
    return vars(__import__(module, fromlist=["_"]))


def _source(node: ast.expr | None) -> str:
    text = "" if node is None else ast.unparse(node)
    return text.strip("'\"") if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in text else text


def _sentences(texts: list[Described]) -> str:
    return "\n".join(line for one in texts for line in (one.text, *(f"{text}." for text in one.entries.values())))


def _sentence(text: str, name: str) -> str:
    """The sentence that names something in backticks."""
    flat = " ".join(text.split())
    return next((one for one in re.split(r"(?<=\.)\s", flat) if f"`{name}`" in one), "")


def _of_class(name: str, cls: type) -> Documented:
    texts = [described(vars(base).get("__doc__")) for base in cls.__mro__ if base.__module__.startswith("windflower")]
    fields = getattr(cls, "model_fields", None)
    if fields is not None:
        arguments = tuple(_model_field(one, field) for one, field in fields.items())
        return Documented(name, "class", "", "", texts[0].text, arguments)
    maker = next((base for base in cls.__mro__ if "__init__" in vars(base) and _is_ours(base)), None)
    node = _definitions(maker.__module__).get(f"{maker.__qualname__}.__init__") if maker else None
    if isinstance(node, ast.FunctionDef):
        names = _names(str(maker.__module__))
        found = tuple(_arguments(node, texts, {}, 1, names))
        return Documented(name, "class", _signature(node, 1, names), "", texts[0].text, found)
    found = tuple(_fields(cls, texts)) if is_dataclass(cls) else ()
    signature = ", ".join(f"{one.name}={one.default}" if one.default else one.name for one in found)
    return Documented(name, "class", signature, "", texts[0].text, found)


def _is_ours(cls: type) -> bool:
    return cls.__module__.startswith("windflower")


def _model_field(name: str, field: Any) -> Argument:
    default = "" if field.is_required() or field.default_factory else readable_value(field.default)
    return Argument(name, readable_type(field.annotation), default, field.description or "")


def _fields(cls: type, texts: list[Described]) -> Iterator[Argument]:
    """Fields of a dataclass, those of its bases first."""
    entries = {name: text for one in reversed(texts) for name, text in one.entries.items()}
    sentences = _sentences(texts)
    found: dict[str, Argument] = {}
    for base in reversed([one for one in cls.__mro__ if _is_ours(one)]):
        node = _definitions(base.__module__).get(base.__qualname__)
        for line in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                name = line.target.id
                if name.startswith("_") or "ClassVar" in _source(line.annotation):
                    continue
                told = entries.get(name) or _sentence(sentences, name)
                kind, default = _source(line.annotation), readable_default(line.value, _names(base.__module__))
                found[name] = Argument(name, kind, default, told)
    return iter(found.values())


@cache
def _definitions(module: str) -> dict[str, ast.AST]:
    """Classes and functions of a module by their qualified name."""
    path = inspect.getsourcefile(__import__(module, fromlist=["_"]))
    found: dict[str, ast.AST] = {}

    def collect(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                if not any(_source(one).endswith("overload") for one in node.decorator_list):
                    found[prefix + node.name] = node
                if isinstance(node, ast.ClassDef):
                    collect(node.body, f"{prefix}{node.name}.")

    collect(ast.parse(Path(str(path)).read_text("utf-8")).body, "")
    return found


def _comment_of(name: str) -> str:
    """The string below the assignment of a name, where it is at home."""
    module, attribute = vars(windflower)["_HOME"][name]
    seen: set[str] = set()
    while module not in seen:
        seen.add(module)
        source = inspect.getsourcefile(__import__(module, fromlist=["_"]))
        body = ast.parse(Path(str(source)).read_text("utf-8")).body
        for line, after in pairwise(body):
            if _assigns(line, attribute) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                return inspect.cleandoc(str(after.value.value))
        for line in body:
            if isinstance(line, ast.ImportFrom) and attribute in {one.name for one in line.names}:
                module = str(line.module)
    return ""


def _assigns(line: ast.stmt, name: str) -> bool:
    targets = line.targets if isinstance(line, ast.Assign) else [line.target] if isinstance(line, ast.AnnAssign) else []
    return any(isinstance(one, ast.Name) and one.id == name for one in targets)
