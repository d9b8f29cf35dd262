"""What the formats have in common about materials."""

__all__ = ["CUT_OUT", "ROUGHNESS", "picture_file"]

ROUGHNESS = {"bark": 0.9, "leaves": 0.6, "blades": 0.6, "backs": 0.5}
CUT_OUT = ("leaves",)  # materials whose pictures have an outline: seen from both sides


def picture_file(stem: str, name: str) -> str:
    """The file of a picture beside a file with this stem: birch_bark_relief.png."""
    return f"{stem}_{name.replace(' ', '_')}.png"
