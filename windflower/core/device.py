"""The GPU device: adapter selection, limits, and error messages when there is none."""

import os
from dataclasses import dataclass
from functools import cache
from typing import Any

from windflower.errors import GpuError, MissingExtraError

__all__ = ["Gpu", "open_gpu"]

# Limits that are raised from core WebGPU's defaults to what the adapter has.
RAISED = ("max-storage-buffer-binding-size", "max-buffer-size", "max-texture-dimension-2d")
CAPABLE = ("Vulkan", "Metal", "D3D12")
INSTALL = "On Debian or Ubuntu: apt-get install mesa-vulkan-drivers"


@dataclass(frozen=True, eq=False)
class Gpu:
    """A WebGPU device, its queue and its limits.

    summary       one line of text: name, kind, interface
    driver        name and version of the driver: the same one draws the same pixels
    software      whether it is a software driver, where budgets must be small
    binding_size  largest storage binding, bytes
    buffer_size   largest buffer, bytes
    timestamps    whether passes can be timed
    memory        bytes of memory, if known: a software driver's, or what WINDFLOWER_GPU_MEMORY says, in GB
    """

    device: Any
    summary: str
    driver: str
    software: bool
    binding_size: int
    buffer_size: int
    timestamps: bool
    memory: int | None = None

    @property
    def queue(self) -> Any:
        """Queue for command buffers and uploads."""
        return self.device.queue


@cache
def open_gpu() -> Gpu:
    """Open the best adapter; the device is opened once and cached."""
    adapter = _adapter(_wgpu())
    limits = {name: adapter.limits[name] for name in RAISED}
    # Several drivers count the bytes of a binding in 32 bits.
    limits["max-storage-buffer-binding-size"] = min(limits["max-storage-buffer-binding-size"], 2**31 - 4096)
    timestamps = "timestamp-query" in adapter.features
    device = adapter.request_device_sync(
        required_limits=limits, required_features=["timestamp-query"] if timestamps else []
    )
    return Gpu(
        device=device,
        summary=adapter.summary,
        driver=f"{adapter.info['device']}, {adapter.info['description']}",
        software=adapter.info["adapter_type"].lower() == "cpu",
        binding_size=limits["max-storage-buffer-binding-size"],
        buffer_size=limits["max-buffer-size"],
        timestamps=timestamps,
        memory=_memory(software=adapter.info["adapter_type"].lower() == "cpu"),
    )


def _adapter(wgpu: Any) -> Any:
    """The best adapter with core WebGPU; OpenGL adapters are skipped, as they lack it."""
    try:
        adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
        if adapter is not None and adapter.info["backend_type"] not in CAPABLE:
            others = wgpu.gpu.enumerate_adapters_sync()
            adapter = next((other for other in others if other.info["backend_type"] in CAPABLE), None)
    except Exception as error:  # wgpu raises plain RuntimeErrors, differently on each platform
        raise GpuError(f"no graphics driver was found ({_first_line(error)}). {INSTALL}") from None
    if adapter is None:
        raise GpuError(f"a graphics driver for {', '.join(CAPABLE)} is needed; none was found. {INSTALL}")
    return adapter


def _memory(*, software: bool) -> int | None:
    """Bytes of memory, or None if unknown: WebGPU does not report how much an adapter has."""
    said = os.environ.get("WINDFLOWER_GPU_MEMORY", "")
    if said:
        try:
            return int(float(said) * 1e9)
        except ValueError:
            raise GpuError(f"WINDFLOWER_GPU_MEMORY must be a number of GB, such as 8 or 1.5; it is '{said}'.") from None
    if not software or not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _wgpu() -> Any:
    try:
        import wgpu
    except ImportError:
        raise MissingExtraError("wgpu", "render") from None
    except OSError as error:
        raise GpuError(f"wgpu cannot load its library ({_first_line(error)}). {INSTALL}") from None
    return wgpu


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
