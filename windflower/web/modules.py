"""The page's own files: ES modules as they are, or joined into one script for a page in a single file."""

import re
from graphlib import TopologicalSorter
from importlib import resources

__all__ = ["ENTRY", "joined_modules", "page_modules", "page_text"]

ENTRY = "element.js"
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const) )", re.MULTILINE)


def page_text(name: str) -> str:
    """A file of the page."""
    return (resources.files("windflower") / "web" / "page" / name).read_text("utf-8")


def page_modules() -> dict[str, str]:
    """Texts of the modules that the page needs, each after those that it imports."""
    texts: dict[str, str] = {}
    needs: dict[str, set[str]] = {}
    ahead = [ENTRY]
    while ahead:
        name = ahead.pop()
        if name not in texts:
            texts[name] = page_text(name)
            needs[name] = set(_IMPORT.findall(texts[name]))
            ahead += sorted(needs[name])
    return {name: texts[name] for name in TopologicalSorter(needs).static_order()}


def joined_modules() -> str:
    """All modules as one script: imports and exports are left out, for all names are in one scope."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in page_modules().values())
