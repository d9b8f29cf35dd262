"""Letters and colours of the panel."""

from pathlib import Path
from typing import Any

__all__ = ["dress"]

LETTERS = 15.0  # logical pixels


def dress(gui: Any) -> None:
    """Give the current context its font and its style."""
    import imgui_bundle

    font = Path(imgui_bundle.__file__).parent / "assets" / "fonts" / "Roboto" / "Roboto-Regular.ttf"
    if font.exists():
        gui.get_io().fonts.add_font_from_file_ttf(str(font), LETTERS)
    style = gui.get_style()
    style.window_rounding, style.frame_rounding, style.grab_rounding, style.popup_rounding = 7.0, 4.0, 4.0, 5.0
    style.window_border_size, style.scrollbar_size = 0.0, 11.0
    style.window_padding, style.frame_padding, style.item_spacing = (12, 10), (7, 3), (6, 5)
    style.indent_spacing = 12.0
    for name, colour in _colours().items():
        style.set_color_(getattr(gui.Col_, name), colour)


def _colours() -> dict[str, tuple[float, float, float, float]]:
    """Dark, quiet and a little green, so that the picture keeps its colours."""
    leaf, deep = (0.47, 0.74, 0.36), (0.24, 0.38, 0.22)
    return {
        "text": (0.93, 0.95, 0.92, 1.0),
        "text_disabled": (0.66, 0.70, 0.65, 1.0),
        "window_bg": (0.075, 0.09, 0.075, 0.86),
        "popup_bg": (0.09, 0.11, 0.09, 0.97),
        "border": (1.0, 1.0, 1.0, 0.10),
        "frame_bg": (1.0, 1.0, 1.0, 0.08),
        "frame_bg_hovered": (1.0, 1.0, 1.0, 0.14),
        "frame_bg_active": (1.0, 1.0, 1.0, 0.18),
        "slider_grab": (*leaf, 0.85),
        "slider_grab_active": (*leaf, 1.0),
        "check_mark": (*leaf, 1.0),
        "button": (*deep, 0.85),
        "button_hovered": (0.32, 0.50, 0.28, 0.95),
        "button_active": (0.40, 0.62, 0.33, 1.0),
        "header": (1.0, 1.0, 1.0, 0.07),
        "header_hovered": (1.0, 1.0, 1.0, 0.13),
        "header_active": (1.0, 1.0, 1.0, 0.18),
        "title_bg": (0.06, 0.08, 0.06, 0.95),
        "title_bg_active": (0.09, 0.13, 0.09, 0.95),
        "separator": (1.0, 1.0, 1.0, 0.12),
        "scrollbar_bg": (0.0, 0.0, 0.0, 0.0),
        "scrollbar_grab": (1.0, 1.0, 1.0, 0.18),
    }
