"""Textures of a tape for the wire: smaller where a page does not need more, and as pictures."""

from typing import Any

from windflower.web.blobs import Blob, as_picture
from windflower.web.tape import Tape

__all__ = ["halve_large", "pictures"]

LARGEST = 512  # texels along a side
SMALLEST = 32  # texels along a side of what becomes a picture
ATTACHMENT = 0x10  # usage that a texture needs for a picture to be copied there
CHANNELS = {"rgba8unorm": 4, "r8unorm": 1}


def halve_large(tape: Tape) -> None:
    """Leave out the finest level of textures that are larger than a page needs."""
    large = {number for number, call in enumerate(tape.things) if _is_large(call)}
    for number in large:
        texture = tape.things[number][1]
        width, height, *rest = texture["size"]
        texture["size"], texture["mipLevelCount"] = [width // 2, height // 2, *rest], texture["mipLevelCount"] - 1
    writes = [call for call in tape.sections["start"] if call[0] == "writeTexture"]
    written = [call[1] for call in writes if call[1]["texture"]["$"] in large]
    for into in written:
        into["mipLevel"] = into.get("mipLevel", 0) - 1
    gone = [into for into in written if into["mipLevel"] < 0]
    tape.sections["start"] = [call for call in tape.sections["start"] if call[1] not in gone]


def _is_large(call: list[Any]) -> bool:
    if call[0] != "createTexture" or call[1].get("mipLevelCount", 1) == 1:
        return False
    return bool(max(call[1]["size"][:2]) > LARGEST)


def pictures(tape: Tape) -> dict[int, Blob]:
    """Pictures of all textures of bytes, by number of their blob; the textures get the usage that this needs."""
    made: dict[int, Blob] = {}
    for call in tape.sections["start"]:
        if call[0] != "writeTexture":
            continue
        texture = tape.things[call[1]["texture"]["$"]][1]
        width, height, depth = call[4]
        channels = CHANNELS.get(texture["format"], 0)
        if channels and depth == 1 and min(width, height) >= SMALLEST and texture.get("dimension", "2d") == "2d":
            blob = call[2]["bytes"]
            made[blob] = made.get(blob) or as_picture(tape.blobs[blob], width, height, channels)
            texture["usage"] |= ATTACHMENT
    return made
