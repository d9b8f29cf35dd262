"""Pointer gestures and keys of the window, in the words of its key list (F1)."""

from typing import NamedTuple

__all__ = ["GESTURES", "Gesture"]


class Gesture(NamedTuple):
    """What a person presses, and what it does."""

    press: str
    does: str


GESTURES = {
    "Pointer": (
        Gesture("drag a branch", "pull it; it rings when released"),
        Gesture("drag elsewhere", "orbit; on foot: look around"),
        Gesture("Alt and drag", "orbit, even from a branch"),
        Gesture("right or middle drag, Shift and drag", "pan; on foot: look around"),
        Gesture("wheel", "zoom; on foot: walk"),
        Gesture("double click a plant", "fit the camera to it"),
    ),
    "Camera": (
        Gesture("W A S D, arrows", "move over the ground; Shift: faster"),
        Gesture("Q E", "move down and up"),
        Gesture("V", "walk on foot, and back"),
        Gesture("F", "follow the scene's own camera"),
        Gesture("Z", "fit the camera to the plants that the panel shows"),
        Gesture("Home", "fit it to all plants"),
    ),
    "Wind and time": (
        Gesture("G", "send a gust"),
        Gesture("X", "blow toward the pointer"),
        Gesture("N", "let the wood break, or hold again"),
        Gesture("Space", "play, pause"),
        Gesture(". (full stop)", "one step of 1/60 s"),
        Gesture("Backspace", "restart the motion"),
    ),
    "Show": (
        Gesture("T", "colour the wood by strain"),
        Gesture("L", "colour by level of detail"),
        Gesture("B", "colour by what moves each branch"),
        Gesture("K", "show the skeleton"),
        Gesture("O", "show the wind as arrows"),
        Gesture("C", "show wind disks"),
        Gesture("Tab", "hide and show the panel"),
    ),
    "Files and changes": (
        Gesture("P", "save a picture at the window's full size and best quality"),
        Gesture("R", "start and stop recording a clip"),
        Gesture("Ctrl Z", "undo the latest change in the panel"),
        Gesture("Ctrl Shift Z, Ctrl Y", "redo it"),
        Gesture("F1", "this list"),
        Gesture("Escape", "release everything; close this list"),
    ),
}
"""All gestures, by the heading under which the key list shows them."""
