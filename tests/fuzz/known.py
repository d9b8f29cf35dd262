"""Failures that are known and not mended yet: what a failure's key begins with, and a sentence on what is wrong."""

__all__ = ["KNOWN", "is_known"]

KNOWN: dict[str, str] = {
    "UnicodeEncodeError in cli/": "A console that is not UTF-8 cannot show arrows: for the command line's boundary.",
    "UnsoundError in command: a command prints no control characters": "Names are printed raw: for the boundary.",
    "UnsoundError in command: a refusal is shorter": "Names are repeated whole; the boundary shortens them.",
    "ValidationError in cli/scenes.py": "`loop` checks its numbers late; the boundary's options check them.",
    "ValueError in cli/": "A path without a name, as `-o .`; the boundary's options refuse it.",
    "ValueError in scene/files.py:save_scene": "`save_scene(…, '.')` names no file.",
}


def is_known(key: str) -> bool:
    """Whether a failure is one of the known ones."""
    return any(key.startswith(known) for known in KNOWN)
