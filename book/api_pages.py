"""Reference pages of the Python interface, as MyST Markdown: one page for each part of the house."""

import re
from collections.abc import Iterable, Iterator

import windflower
from book.public_names import Argument, Documented, documented, members

__all__ = ["PAGES", "api_pages"]

PAGES = {
    "plants": ("Plants: grow, read, describe", ("plant",)),
    "mechanics": ("Mechanics: woods, modes, fits, sheets", ("mechanics",)),
    "wind": ("Wind", ("wind",)),
    "motion": ("Motions: five ways to move, leaves, sway", ("motion",)),
    "scene": ("Scenes, and scenes in time", ("scene", "simulation")),
    "drawing": ("Pictures, clips, the window, live pages, meshes", ("render", "viewer", "web", "geometry", "core")),
    "files": ("Files for others, data sets, sweeps", ("export", "batch")),
    "risk": ("Critical winds", ("windthrow",)),
    "plots": ("Figures", ("plots",)),
    "errors": ("Errors", ("errors",)),
}
"""Page -> its title, and the folders whose public names it holds."""

DIRECTIVES = {
    "function": "py:function",
    "class": "py:class",
    "method": "py:method",
    "classmethod": "py:method",
    "staticmethod": "py:method",
    "property": "py:property",
    "data": "py:data",
}


def api_pages() -> Iterator[tuple[str, str]]:
    """Name and text of each page, the list of all names first."""
    homes = vars(windflower)["_HOME"] | {"export": ("windflower.export", ""), "render": ("windflower.render", "")}
    by_page = {
        page: [name for name in windflower.__all__ if homes[name][0].split(".")[1] in folders]
        for page, (_, folders) in PAGES.items()
    }
    yield "index", _index(by_page)
    for page, names in by_page.items():
        blocks = [_block(documented(name), list(members(name))) for name in _in_order(names)]
        yield page, "\n".join([f"# {PAGES[page][0]}", "", *blocks])


def _index(by_page: dict[str, list[str]]) -> str:
    lines = [
        "# Python",
        "",
        "`import windflower` has all of these names; each is loaded when it is first asked for. Metres, seconds, "
        "kilograms and radians; right-handed, Y up. A shape such as (nodes, 3) stands before what an array holds.",
        "",
        "```{toctree}",
        ":hidden:",
        "",
        *by_page,
        "```",
    ]
    for page, names in by_page.items():
        lines += ["", f"## [{PAGES[page][0]}]({page}.md)", "", "| | |", "|---|---|"]
        lines += [f"| {_link(name)} | {_first_sentence(documented(name).text)} |" for name in _in_order(names)]
    return "\n".join([*lines, ""])


def _in_order(names: Iterable[str]) -> list[str]:
    """Functions first, then classes, then tables."""
    return sorted(names, key=lambda name: (name.isupper(), name[0].isupper(), name.lower()))


def _block(one: Documented, inside: list[Documented], colons: int = 4) -> str:
    fence = ":" * colons
    call = f"({one.signature})" if one.sort not in {"property", "data"} else ""
    name = f"windflower.{one.name}" if "." not in one.name else one.name.split(".")[1]
    lines = [f"{fence}{{{DIRECTIVES[one.sort]}}} {name}{call}", *_options(one), "", linked(one.text), ""]
    table = list(one.arguments)
    if table:
        lines += [*_table(table), ""]
    if one.returns and one.returns != "None" and one.sort not in {"property", "data"}:
        lines += [f"Returns {_kind(one.returns)}.", ""]
    lines += [_block(member, [], colons - 1) for member in inside]
    return "\n".join([*lines, fence, ""])


def _options(one: Documented) -> list[str]:
    options = [f":{one.sort}:"] if one.sort in {"classmethod", "staticmethod"} else []
    if one.sort in {"property", "data"} and one.returns:
        options.append(f":type: {one.returns.strip(chr(39) + chr(34))}")
    return options


def _table(arguments: list[Argument]) -> list[str]:
    rows = [
        f"| `{one.name}` | {_kind(one.kind)} | {f'`{_cell(one.default)}`' if one.default else ''} | "
        f"{_cell(linked(one.text))} |"
        for one in arguments
    ]
    return ["| | type | default | |", "|---|---|---|---|", *rows]


def _kind(source: str) -> str:
    """A type, linked where it is a public name."""
    words = re.split(r"\b([A-Z]\w+)\b", source.replace('"', "").replace("'", ""))
    parts: list[str] = []
    for word in words:
        if word in windflower.__all__:
            parts.append(_link(word))
        elif parts and not parts[-1].startswith("{"):
            parts[-1] += word
        elif word:
            parts.append(word)
    return "&#8203;".join(part if part.startswith("{") else f"`{_cell(part)}`" for part in parts)


def _link(name: str) -> str:
    return f"{{py:obj}}`{name} <windflower.{name}>`"


def linked(text: str) -> str:
    """Text in which public names between backticks are links."""
    return re.sub(
        r"(?<!`)`([A-Za-z_]\w*)(?:\(\))?`(?!`)",
        lambda found: _link(found[1]) if found[1] in windflower.__all__ else found[0],
        text,
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _first_sentence(text: str) -> str:
    return _cell(re.split(r"(?<=\.)\s", " ".join(linked(text).split()), maxsplit=1)[0])
