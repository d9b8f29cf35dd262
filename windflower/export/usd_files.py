"""USD files: a layer as text (.usda), binary (.usdc), or in a package with its textures (.usdz)."""

import zipfile
from pathlib import Path

from windflower.core.reading import read_file
from windflower.errors import MissingExtraError

__all__ = ["check_library", "write_layer"]

ALIGNED = 64  # bytes at multiples of which files of a package begin
PADDING = b"\x86\x19"  # tag of the extra field that fills the gap


def write_layer(text: str, pictures: dict[str, bytes], path: Path) -> list[str]:
    """Write a layer and the pictures that it names to a path, in the format of its suffix.

    Returns a sentence where a reader may mind what was written.
    """
    suffix = path.suffix.lower()
    if suffix == ".usdz":
        return _package(text, pictures, path)
    for name, content in pictures.items():
        path.with_name(name).write_bytes(content)
    if suffix == ".usda":
        path.write_bytes(text.encode())
    else:
        _binary(text, path)
    return []


def check_library(path: Path) -> None:
    """Refuse a path whose format needs a library that is not installed."""
    if path.suffix.lower() == ".usdc" and not _has_library():
        raise MissingExtraError("usd-core, which writes binary USD,", "usd")


def _has_library() -> bool:
    try:
        import pxr  # noqa: F401
    except ImportError:
        return False
    return True


def _binary(text: str, path: Path) -> None:
    """Write a layer in the binary format, which only USD's library can."""
    from pxr import Sdf

    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.ImportFromString(text)
    layer.Export(str(path))


def _package(text: str, pictures: dict[str, bytes], path: Path) -> list[str]:
    """An archive without compression in which each file begins at a multiple of 64 bytes; the layer is the first."""
    inside, is_binary = {f"{path.stem}.usda": text.encode()}, _has_library()
    if is_binary:
        _binary(text, binary := path.with_suffix(".usdc"))
        inside = {binary.name: read_file(binary, "archive")}
        binary.unlink()
    with path.open("wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, content in (inside | pictures).items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            gap = -(file.tell() + 30 + len(name.encode()) + 4) % ALIGNED
            entry.extra = PADDING + gap.to_bytes(2, "little") + bytes(gap)
            archive.writestr(entry, content)
    if is_binary:
        return []
    return ["its layer is text, which some viewers of .usdz refuse; with the extra 'usd' it is binary"]
