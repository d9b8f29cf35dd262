"""Reference pages of the Python interface, as MyST Markdown: one page for each part of the house."""

import re
from collections.abc import Iterable, Iterator

import windflower
from book.public_names import Argument, Documented, documented, members

__all__ = ["PAGES", "api_pages"]

PAGES = {
    "plants": ("Plants", ("plant",)),
    "mechanics": ("Mechanics", ("mechanics",)),
    "wind": ("Wind", ("wind",)),
    "motion": ("Motion", ("motion",)),
    "scene": ("Scenes and simulations", ("scene", "simulation")),
    "drawing": ("Rendering, the viewer, meshes", ("render", "viewer", "web", "geometry", "core")),
    "files": ("Export, data sets, sweeps", ("export", "batch")),
    "risk": ("Critical winds", ("windthrow",)),
    "plots": ("Plots", ("plots",)),
    "errors": ("Errors", ("errors",)),
}
"""Page -> its title, and the folders whose public names it holds."""

INTRODUCTIONS = {
    "plants": "Grow a plant with `grow`, load one with `read`, or build a `Plant` from arrays. [Scans](../scans.md) "
    "has the file formats, [your own species](../own-species.md) the growth rules.",
    "mechanics": "Work out how a plant bends: `analyse` gives its `Modes`. A `Wood` is the material; `fit` finds "
    "stiffness from a measured sway. [Modes](../modal.md) explains the method.",
    "wind": "A `Wind` gives the velocity at any place and time; add winds to combine them. `wind_from` makes one "
    "from a speed in m/s, a Beaufort number, a name or a file. [The wind](../wind.md) explains the models.",
    "motion": "`sway` is the short way: a plant, a wind, and a record of how it moved. The `Motion` classes are the "
    "models behind it, for loops and simulations of your own; the [front "
    "page](../index.md#five-ways-to-move-and-when-to-use-which) says which to choose.",
    "scene": "A `Scene` is a [scene file](../scene-file.md) with its plants grown and analysed. A `Simulation` "
    "advances it in time without drawing it.",
    "drawing": "`render` writes a picture, a video or data passes, `view` opens [the viewer](../viewer.md), and a "
    "`Film` gives frames one by one. The rest are meshes and the graphics device.",
    "files": "`export` writes files for [other programs](../export.md); recipes make [data sets](../datasets.md), "
    "`sweep` makes tables.",
    "risk": "The wind at which a stem breaks or a tree overturns. [Critical winds](../risk.md) explains the method.",
    "plots": "Matplotlib figures. Each takes the Axes to draw on, or makes a figure, and returns the Axes, so you can "
    "go on with Matplotlib; `save_plot` writes the figure to a file.\n\n```python\nimport windflower\n\n"
    "modes = windflower.analyse(windflower.grow('oak', detail=0.05), count=6)\n"
    "axes = windflower.plot_modes(modes)\naxes[0].set_title('the first mode of my oak')\n"
    "windflower.save_plot(axes, 'oak.pdf')\n```",
    "errors": "Everything that Windflower raises on purpose. Catch `WindflowerError` to catch them all.",
}
"""What each page is for."""

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
        yield page, "\n".join([f"# {PAGES[page][0]}", "", linked(INTRODUCTIONS[page]), "", *blocks])


def _index(by_page: dict[str, list[str]]) -> str:
    lines = [
        "# Python",
        "",
        "Everything here is available from `import windflower`; each name is loaded on first use. Units are metres, "
        "seconds, kilograms and radians unless stated otherwise; coordinates are right-handed with Y up. The shape of "
        "an array, such as (nodes, 3), stands before its meaning.",
        "",
        "```{toctree}",
        ":hidden:",
        "",
        *by_page,
        "```",
    ]
    for page, names in by_page.items():
        lines += ["", f"## [{PAGES[page][0]}]({page}.md)", "", "| name | what it is |", "|---|---|"]
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
        lines += [f"Returns {_type(one.returns)}.", ""]
    lines += [_block(member, [], colons - 1) for member in inside]
    return "\n".join([*lines, fence, ""])


def _options(one: Documented) -> list[str]:
    options = [f":{one.sort}:"] if one.sort in {"classmethod", "staticmethod"} else []
    if one.sort in {"property", "data"} and one.returns:
        options.append(f":type: {one.returns.strip(chr(39) + chr(34))}")
    return options


def _table(arguments: list[Argument]) -> list[str]:
    rows = [
        f"| `{one.name}` | {_cell(_type(one.kind))} | {f'`{_cell(one.default)}`' if one.default else ''} | "
        f"{_cell(linked(one.text))} |"
        for one in arguments
    ]
    return ["| name | type | default | meaning |", "|---|---|---|---|", *rows]


def _type(source: str) -> str:
    """A type, linked where it is a public name."""
    named = source if "Literal[" in source else re.sub("[\"']", "", source)
    words = re.split(r"\b([A-Z]\w+)\b", named)
    parts: list[str] = []
    for word in words:
        if word in windflower.__all__:
            parts.append(_link(word))
        elif parts and not parts[-1].startswith("{"):
            parts[-1] += word
        elif word:
            parts.append(word)
    return "&#8203;".join(part if part.startswith("{") else f"`{part}`" for part in parts)


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
    """The first sentence of a text; a point behind `eq` or `al` ends none."""
    paragraph = " ".join(linked(text).split("\n\n")[0].split())
    return _cell(re.split(r"(?<=\.)(?<!\beq\.)(?<!\bal\.)\s", paragraph, maxsplit=1)[0])
