"""The GPU device: adapter selection, limits, and error messages when there is none."""

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from windflower.core.native_types import know_native_types
from windflower.errors import GpuError, MissingExtraError

__all__ = ["Gpu", "choose_adapter", "holding_device", "open_gpu"]

# Limits that are raised from core WebGPU's defaults to what the adapter has.
RAISED = ("max-storage-buffer-binding-size", "max-buffer-size", "max-texture-dimension-2d")
CAPABLE = ("Vulkan", "Metal", "D3D12")
PREFERRED = ("discretegpu", "integratedgpu", "unknown", "cpu")
"""Kinds of adapter, the best first: a virtual machine's card is unknown, a software driver is a cpu."""
CORE_LIMITS = {
    "max-storage-buffers-per-shader-stage": 8,
    "max-storage-buffer-binding-size": 128 * 2**20,
    "max-buffer-size": 256 * 2**20,
    "max-compute-workgroup-storage-size": 16 * 2**10,
    "max-compute-invocations-per-workgroup": 256,
    "max-compute-workgroups-per-dimension": 65535,
}
"""Limits of core WebGPU that the kernels use to the full."""
NAME, BACKEND = "WGPUPY_WGPU_ADAPTER_NAME", "WGPU_BACKEND_TYPE"
"""Variables of wgpu's own, by which a person picks an adapter: by a part of its summary, or by its interface."""
INSTALL = {
    "darwin": "Metal is part of macOS; update macOS, and in a virtual machine turn its graphics on.",
    "win32": "D3D12 is part of Windows 10 and 11; install the graphics card's driver from its maker.",
    "linux": (
        "Without a graphics card, install Mesa's software driver: apt-get install mesa-vulkan-drivers (Debian, "
        "Ubuntu), dnf install mesa-vulkan-drivers vulkan-loader (Fedora), or pacman -S vulkan-swrast "
        "vulkan-icd-loader (Arch); with one, its maker's Vulkan driver."
    ),
}
"""What makes drawing possible, by `sys.platform`."""


@dataclass(frozen=True, eq=False)
class Gpu:
    """A WebGPU device, its queue and its limits.

    device        the `wgpu` device
    summary       a line for people: name, kind, interface
    name          the adapter's name
    interface     Vulkan, Metal or D3D12
    driver        which driver of which version: the same one draws the same pixels
    software      whether it is a software driver, where budgets must be small
    binding_size  largest storage binding, bytes
    buffer_size   largest buffer, bytes
    timestamps    whether passes can be timed
    memory        bytes of memory, if known: a software driver's, or what WINDFLOWER_GPU_MEMORY says, in GB
    """

    device: Any
    summary: str
    name: str
    interface: str
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
    """Open the best adapter, or the one that wgpu's own variables name; the device is opened once and cached."""
    adapter = choose_adapter(_adapters(_wgpu()))
    limits = {name: adapter.limits[name] for name in RAISED}
    # Several drivers count the bytes of a binding in 32 bits.
    limits["max-storage-buffer-binding-size"] = min(limits["max-storage-buffer-binding-size"], 2**31 - 4096)
    timestamps = "timestamp-query" in adapter.features
    return Gpu(
        device=_device(adapter, limits, ["timestamp-query"] if timestamps else []),
        summary=adapter.summary,
        name=adapter.info["device"],
        interface=adapter.info["backend_type"],
        driver=f"{adapter.info['device']}, {adapter.info['description']}",
        software=adapter.info["adapter_type"].lower() == "cpu",
        binding_size=limits["max-storage-buffer-binding-size"],
        buffer_size=limits["max-buffer-size"],
        timestamps=timestamps,
        memory=_memory(software=adapter.info["adapter_type"].lower() == "cpu"),
    )


@contextlib.contextmanager
def holding_device() -> Iterator[None]:
    """Context of work on the device: one that is lost meanwhile is told in a sentence."""
    try:
        yield
    except Exception as error:  # wgpu's kinds differ by what was asked of the device
        if type(error).__module__.partition(".")[0] == "wgpu" and "lost" in str(error).lower():
            raise GpuError(
                "a picture needs its device until it is done; the graphics device was lost (its driver was reset or "
                "updated, or the picture is too much for it). Start again, with a smaller picture or fewer trees."
            ) from None
        raise


def choose_adapter(adapters: Sequence[Any]) -> Any:
    """The best of wgpu's adapters that can do core WebGPU: a graphics card before a software driver.

    Only those count that `WGPUPY_WGPU_ADAPTER_NAME` and `WGPU_BACKEND_TYPE` ask for, if they are set.
    """
    wanted = _wanted(adapters)
    capable = [adapter for adapter in wanted if not _shortcoming(adapter)]
    if not capable:
        raise GpuError(_refusal(wanted, remedy=(adapters and _change_wishes()) or _install()))
    return min(capable, key=_rank)


def _adapters(wgpu: Any) -> list[Any]:
    try:
        with _without_device_selection():
            return wgpu.gpu.enumerate_adapters_sync()
    except Exception as error:  # wgpu raises plain RuntimeErrors, differently on each platform
        raise GpuError(f"no graphics driver was found ({_first_line(error)}). {_install()}") from None


def _device(adapter: Any, limits: dict[str, int], features: list[str]) -> Any:
    try:
        return adapter.request_device_sync(required_limits=limits, required_features=features)
    except Exception as error:  # which kind it is depends on the driver
        raise GpuError(
            f"the graphics driver must give a device; {adapter.summary} does not ({_first_line(error)}). "
            f"Update it, or pick another adapter with {NAME}."
        ) from None


@contextlib.contextmanager
def _without_device_selection() -> Iterator[None]:
    """Switch off Mesa's search for the display's graphics card where there is no display.

    It prints an error on such machines, and there is nothing to find.
    """
    if "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ or "NODEVICE_SELECT" in os.environ:
        yield
        return
    os.environ["NODEVICE_SELECT"] = "1"
    try:
        yield
    finally:
        del os.environ["NODEVICE_SELECT"]


def _wanted(adapters: Sequence[Any]) -> list[Any]:
    """The adapters that wgpu's variables ask for; all if none is set."""
    name, backend = os.environ.get(NAME, ""), os.environ.get(BACKEND, "").strip()
    found = [a for a in adapters if name in a.summary and backend in ("", a.info["backend_type"])]
    if adapters and not found:
        there = "; ".join(adapter.summary for adapter in adapters)
        raise GpuError(f"no graphics adapter fits {_wishes()}; there are: {there}. {_change_wishes()}")
    return found


def _wishes() -> str:
    return " and ".join(f"{name}='{os.environ[name]}'" for name in (NAME, BACKEND) if os.environ.get(name))


def _change_wishes() -> str:
    """What to do where wgpu's variables leave no adapter; empty if none is set."""
    names = [name for name in (NAME, BACKEND) if os.environ.get(name)]
    return f"Change {' or '.join(names)}, or unset {'it' if len(names) == 1 else 'them'}." if names else ""


def _shortcoming(adapter: Any) -> str:
    """Why this adapter cannot do core WebGPU; empty if it can."""
    if adapter.info["backend_type"] not in CAPABLE:
        return f"{adapter.summary} is not one"
    for name, least in CORE_LIMITS.items():
        if adapter.limits.get(name, least) < least:
            return f"{adapter.summary} has {name} {adapter.limits[name]:,} and not {least:,}"
    return ""


def _refusal(adapters: Sequence[Any], *, remedy: str) -> str:
    found = "; ".join(map(_shortcoming, adapters)) or "none was found"
    return f"a graphics driver for Vulkan, Metal or D3D12 with core WebGPU's limits is needed; {found}. {remedy}"


def _rank(adapter: Any) -> int:
    kind = adapter.info["adapter_type"].lower()
    return PREFERRED.index(kind if kind in PREFERRED else "unknown")


def _install() -> str:
    return INSTALL.get(sys.platform, INSTALL["linux"])


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
        import wgpu.backends.auto
    except ImportError:
        raise MissingExtraError("wgpu", "render") from None
    except OSError as error:
        raise GpuError(f"wgpu cannot load its library ({_first_line(error)}). {_install()}") from None
    know_native_types()
    return wgpu


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
