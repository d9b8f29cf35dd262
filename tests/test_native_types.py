import sys
from types import SimpleNamespace
from typing import Any

import pytest

from windflower.core.native_types import know_native_types
from windflower.core.quick_calls import NATIVE

cffi = pytest.importorskip("cffi")
HEADER = (
    "typedef struct { int across; } WGPUSize; typedef struct WGPUThingImpl* WGPUThing; typedef enum { A, B } WGPUKind;"
)


@pytest.fixture
def ffi(monkeypatch: pytest.MonkeyPatch) -> Any:
    ffi = cffi.FFI()
    ffi.cdef(HEADER)
    monkeypatch.setitem(sys.modules, NATIVE, SimpleNamespace(ffi=ffi))
    return ffi


@pytest.mark.parametrize("name", ["WGPUSize *", "WGPUThing *", "WGPUSize[]", "WGPUThing[]", "WGPUKind[]", "uint8_t []"])
def test_types_are_known_without_another_parse(ffi: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = ffi.typeof(name)
    ffi._parsed_types.clear()
    know_native_types()
    monkeypatch.setattr(ffi._parser, "parse_type", lambda text: pytest.fail(f"{text} is parsed once more"))
    assert ffi.typeof(name) is expected


def test_what_is_known_makes_structs_and_arrays(ffi: Any) -> None:
    know_native_types()
    assert ffi.new("WGPUSize *", {"across": 7}).across == 7
    assert [size.across for size in ffi.new("WGPUSize[]", [{"across": 1}, {"across": 2}])] == [1, 2]


def test_a_cffi_without_such_a_table_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, NATIVE, SimpleNamespace(ffi=object()))
    know_native_types()


@pytest.mark.usefixtures("gpu")
def test_an_open_device_knows_the_types_of_its_driver() -> None:
    known = sys.modules[NATIVE].ffi._parsed_types
    assert {"WGPURenderPassColorAttachment *", "WGPUSurfaceConfiguration *", "WGPUBindGroupEntry[]"} <= set(known)
