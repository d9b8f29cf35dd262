"""Failures that are known and not mended yet: what a failure's key begins with, and a sentence on what is wrong."""

__all__ = ["KNOWN", "is_known"]

KNOWN: dict[str, str] = {}


def is_known(key: str) -> bool:
    """Whether a failure is one of the known ones."""
    return any(key.startswith(known) for known in KNOWN)
