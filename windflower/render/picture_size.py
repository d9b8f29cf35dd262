"""The size of a picture, asked of the budget and of the device before anything is drawn."""

from windflower.core.budgets import within
from windflower.core.device import Gpu
from windflower.errors import GpuError

__all__ = ["check_picture"]


def check_picture(gpu: Gpu, size: tuple[int, int]) -> None:
    """Refuse a picture that has too many pixels, or is wider or higher than the device can draw."""
    width, height = size
    within("pixels", width * height, "Draw a smaller one", error=GpuError)
    longest = gpu.device.limits["max-texture-dimension-2d"]
    if max(size) > longest:
        raise GpuError(
            f"this device draws pictures of up to {longest:,} pixels a side; asked for is {width}x{height}. "
            "Draw a smaller one."
        )
