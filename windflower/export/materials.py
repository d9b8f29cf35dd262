"""What the formats have in common about materials and their files."""

import re

__all__ = ["CUT_OUT", "ROUGHNESS", "plain_name"]

ROUGHNESS = {"bark": 0.9, "leaves": 0.6, "blades": 0.6, "backs": 0.5}
CUT_OUT = ("leaves",)  # materials whose pictures have an outline: seen from both sides


def plain_name(name: str) -> str:
    """A name that a line of a text file can hold: spaces, quotes and the like become underscores."""
    return re.sub(r"[^\w.-]+", "_", name) or "plant"
