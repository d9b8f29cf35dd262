"""C types of wgpu's driver, made known to cffi at once.

wgpu names C types by strings and cffi parses each anew, with all names of the driver's header before it: 80 types take
a process more than a second before its first picture. One parse of them all takes less than a tenth of one.
"""

import sys

from windflower.core.quick_calls import NATIVE

__all__ = ["know_native_types"]

PLAIN = ("char", "uint8_t", "uint32_t", "uintptr_t", "intptr_t")


def know_native_types() -> None:
    """Parse pointers to and arrays of all the driver's types; nothing where cffi has no such table of types."""
    ffi = getattr(sys.modules.get(NATIVE), "ffi", None)
    known = getattr(ffi, "_parsed_types", None)
    if ffi is None or not isinstance(known, dict):
        return
    names = [*(name for name in ffi.list_types()[0] if name.startswith("WGPU")), *PLAIN]
    pointers = [f"{name} *" for name in names]
    arrays = [f"{name} (*)[]" for name in names]  # an array itself would become a pointer as an argument
    types = ffi.typeof(f"void (*)({', '.join(pointers + arrays)})").args
    for name, pointer, to_array in zip(names, types[: len(names)], types[len(names) :], strict=True):
        for spelt, kind in ((f"{name} *", pointer), (f"{name}[]", to_array.item), (f"{name} []", to_array.item)):
            known.setdefault(spelt, (kind, False))  # false: not a function's type
