"""Sphinx's settings: MyST pages in the furo theme, and nothing from other hosts."""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import windflower  # noqa: E402
from book.pictures import openable  # noqa: E402

project = "Windflower"
author = "the Windflower authors"
release = version = windflower.__version__
language = "en"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
add_module_names = False
python_display_short_literal_types = True
python_maximum_signature_line_length = 90
toc_object_entries_show_parents = "hide"
smartquotes_action = "q"  # quotes alone: two hyphens begin an option, they are no dash
html_theme = "furo"
html_title = f"Windflower {release}"
templates_path = [str(Path(__file__).parent / "templates")]
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["windflower.css"]
html_favicon = str(Path(__file__).parent / "static" / "leaf.svg")
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2f6b3a", "color-brand-content": "#2f6b3a"},
    "dark_css_variables": {"color-brand-primary": "#8fc78f", "color-brand-content": "#8fc78f"},
}


def setup(app: Any) -> None:
    """A click on a picture opens it in full size."""
    app.connect("html-page-context", _with_open_pictures)


def _with_open_pictures(_app: object, _page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    if "body" in context:
        context["body"] = openable(context["body"])
