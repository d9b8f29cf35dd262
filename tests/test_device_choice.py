"""Which graphics adapter is taken, and what is said where none will do."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from windflower.core.device import CORE_LIMITS, INSTALL, Gpu, choose_adapter, open_gpu
from windflower.errors import GpuError

NO_VULKAN = {"VK_DRIVER_FILES": "/nowhere", "VK_ICD_FILENAMES": "/nowhere"}
WISHES = ("WGPUPY_WGPU_ADAPTER_NAME", "WGPU_BACKEND_TYPE")


class Adapter:
    """As much of a wgpu adapter as the choice looks at."""

    def __init__(self, name: str, kind: str, backend: str, **limits: int) -> None:
        self.info = {"device": name, "adapter_type": kind, "backend_type": backend}
        self.summary = f"{name} ({kind}) via {backend}"
        self.limits = {**CORE_LIMITS, **{name.replace("_", "-"): value for name, value in limits.items()}}


CARD = Adapter("Radeon", "DiscreteGPU", "Vulkan")
CHIP = Adapter("Iris", "IntegratedGPU", "Vulkan")
VIRTUAL = Adapter("Virtio", "Unknown", "Vulkan")
SOFTWARE = Adapter("llvmpipe", "CPU", "Vulkan")
OPENGL = Adapter("Radeon", "DiscreteGPU", "OpenGL")
WEAK = Adapter("Old", "DiscreteGPU", "Vulkan", max_storage_buffers_per_shader_stage=4)


@pytest.fixture(autouse=True)
def _no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in WISHES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("adapters", "best"),
    [
        ([SOFTWARE, OPENGL, CHIP, CARD], CARD),
        ([SOFTWARE, CHIP], CHIP),
        ([SOFTWARE, VIRTUAL], VIRTUAL),
        ([OPENGL, SOFTWARE], SOFTWARE),
        ([WEAK, SOFTWARE], SOFTWARE),
    ],
)
def test_a_real_graphics_card_comes_before_a_software_driver(adapters: list[Any], best: Any) -> None:
    assert choose_adapter(adapters) is best


@pytest.mark.parametrize("platform", INSTALL)
def test_opengl_alone_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(GpuError) as refused:
        choose_adapter([OPENGL])
    assert "Vulkan, Metal or D3D12" in str(refused.value)
    assert "Radeon (DiscreteGPU) via OpenGL is not one" in str(refused.value)
    assert str(refused.value).endswith(INSTALL[platform])


@pytest.mark.parametrize("wish", ["", "Radeon"])
def test_no_adapter_at_all_is_answered_with_what_to_install(monkeypatch: pytest.MonkeyPatch, wish: str) -> None:
    monkeypatch.setenv("WGPUPY_WGPU_ADAPTER_NAME", wish)
    with pytest.raises(GpuError) as refused:
        choose_adapter([])
    assert "none was found" in str(refused.value)
    assert str(refused.value).endswith(INSTALL.get(sys.platform, INSTALL["linux"]))


def test_an_adapter_below_core_limits_is_refused_by_the_limit() -> None:
    with pytest.raises(GpuError, match=r"Old .* has max-storage-buffers-per-shader-stage 4 and not 8"):
        choose_adapter([WEAK])


def test_an_adapter_is_picked_by_a_part_of_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WGPUPY_WGPU_ADAPTER_NAME", "llvm")
    assert choose_adapter([CARD, SOFTWARE]) is SOFTWARE
    monkeypatch.setenv("WGPUPY_WGPU_ADAPTER_NAME", "Radeon")
    assert choose_adapter([OPENGL, CARD, SOFTWARE]) is CARD


def test_an_interface_is_picked_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    direct = Adapter("Radeon", "DiscreteGPU", "D3D12")
    monkeypatch.setenv("WGPU_BACKEND_TYPE", "D3D12")
    assert choose_adapter([CARD, direct]) is direct


def test_a_name_that_no_adapter_has_is_answered_with_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WGPUPY_WGPU_ADAPTER_NAME", "Voodoo")
    with pytest.raises(GpuError) as refused:
        choose_adapter([CARD, SOFTWARE])
    for part in ("WGPUPY_WGPU_ADAPTER_NAME='Voodoo'", CARD.summary, SOFTWARE.summary, "unset it"):
        assert part in str(refused.value)


def test_an_adapter_picked_by_name_that_cannot_draw_is_refused_without_advice_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WGPUPY_WGPU_ADAPTER_NAME", "OpenGL")
    with pytest.raises(GpuError) as refused:
        choose_adapter([CARD, OPENGL])
    assert str(refused.value).endswith("Change WGPUPY_WGPU_ADAPTER_NAME, or unset it.")


def test_a_driver_that_gives_no_device_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Adapter):
        features = frozenset[str]()

        def request_device_sync(self, **_: object) -> None:
            raise RuntimeError("out of memory\nbacktrace")

    broken = Broken("Old", "DiscreteGPU", "Vulkan", **{"max-texture-dimension-2d": 8192})
    monkeypatch.setattr("windflower.core.device._adapters", lambda _: [broken])
    with pytest.raises(GpuError, match=r"Old .* does not \(out of memory\)"):
        open_gpu.__wrapped__()


def test_the_device_says_what_it_is(gpu: Gpu) -> None:
    assert gpu.interface in {"Vulkan", "Metal", "D3D12"}
    assert gpu.name in gpu.summary


def rendered(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, "-m", "windflower", "render", "oak-in-a-storm", "-o", str(folder / "oak.png")]
    own = {name: value for name, value in os.environ.items() if name not in WISHES}
    return subprocess.run(words, capture_output=True, text=True, env={**own, **environment})


def test_without_a_vulkan_driver_a_command_says_what_to_install(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("Metal and D3D12 are part of the system and cannot be hidden")
    done = rendered(tmp_path, **NO_VULKAN)
    assert done.returncode == 2
    sentence = done.stderr.splitlines()[-1]  # drivers may say something before
    assert sentence.startswith("windflower: a graphics driver for Vulkan, Metal or D3D12")
    assert "apt-get install mesa-vulkan-drivers" in sentence
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_wrong_adapter_name_on_the_command_line_is_one_sentence(tmp_path: Path, gpu: Gpu) -> None:
    done = rendered(tmp_path, WGPUPY_WGPU_ADAPTER_NAME="Voodoo")
    assert done.returncode == 2
    assert gpu.summary in done.stderr
    assert "Traceback" not in done.stderr
