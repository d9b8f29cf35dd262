"""TurbSim's full-field files (`.bts`), read and written (TurbSim User's Guide, appendix D).

Little-endian: int16 ID (7, or 8 for a periodic box); int32 nz, ny, ntwr, nt; float32 dz, dy, dt, uHub, zHub, zBottom;
float32 scale and offset of u, v and w; int32 length of a text, the text; then for each time step int16[nz][ny][3] and
int16[ntwr][3]. A velocity is (int16 - offset) / scale.
"""

import math
import os
import struct
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.core.budgets import fitting_memory, within
from windflower.core.files import replacing
from windflower.core.reading import read_file
from windflower.errors import FileError, WindError
from windflower.wind.checks import array, check_speeds, naming, number, one_of
from windflower.wind.direction import check_direction, wind_axes
from windflower.wind.field import Wind
from windflower.wind.grid import BEYOND, Beyond, frame_place, sample
from windflower.wind.profile import GRASSLAND, REFERENCE_HEIGHT, Profile

__all__ = ["TurbSimBox", "TurbSimWind", "read_bts", "write_bts"]

HEADER = struct.Struct("<h4i6f6fi")


@dataclass(frozen=True, eq=False, kw_only=True)
class TurbSimBox:
    """The content of a `.bts` file, in its own frame: x downwind, y to the left, z up.

    velocity   (nt, nz, ny, 3) m/s: u, v, w
    tower      (nt, ntwr, 3) m/s in the middle below the grid: point k at bottom - k dz, so the first is the grid's own
    dt, dy, dz spacing in s, m, m
    hub_speed  at which the box is carried past, m/s
    hub_height m
    bottom     height of the lowest grid points, m
    periodic   whether the box repeats after nt dt
    note       the text in the file, ASCII
    """

    velocity: FloatArray = field(repr=False)
    dt: float
    dy: float
    dz: float
    hub_speed: float
    hub_height: float
    bottom: float
    tower: FloatArray = field(default_factory=lambda: np.zeros((0, 0, 3)), repr=False)
    periodic: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        velocity = _frozen("velocities of a box", self.velocity)
        if velocity.ndim != 4 or velocity.shape[-1] != 3 or 0 in velocity.shape:
            raise WindError(
                f"a box has the shape (nt, nz, ny, 3), none of them 0; it is {velocity.shape}. Give u, v and w."
            )
        tower = _frozen(
            "velocities of a tower", np.zeros((len(velocity), 0, 3)) if not np.size(self.tower) else self.tower
        )
        if tower.ndim != 3 or len(tower) != len(velocity) or tower.shape[-1] != 3:
            raise WindError(f"a tower has the shape (nt, ntwr, 3); it is {tower.shape}. Give as many times as the box.")
        for name in ("dt", "dy", "dz", "hub_speed"):
            number(f"{name} of a box", getattr(self, name), "Give seconds, metres and m/s.", above=0)
        number("hub height of a box", self.hub_height, "Give metres.")
        number("bottom of a box", self.bottom, "Give metres above the ground.")
        object.__setattr__(self, "velocity", velocity)
        object.__setattr__(self, "tower", tower)


@dataclass(frozen=True)
class TurbSimWind(Wind):
    """A TurbSim box carried past at its hub speed; its front face passes the origin at t = 0.

    Beside and above the box its edge holds; below, the wind falls off to the ground by `profile` (the tower's points
    say nothing of the places beside them, so they are not used). A box that is periodic repeats.

    box        the velocities, as `windflower.wind.read_turbsim` reads them
    direction  where it blows from, degrees: 0 north (-z), 90 east (+x), 270 west
    beyond     a box that is not periodic: hold keeps its ends, repeat plays it from the start again, mirror to and fro
    """

    box: TurbSimBox
    direction: float = 270.0
    beyond: Beyond = "hold"
    profile: Profile = GRASSLAND

    def __post_init__(self) -> None:
        check_direction(self.direction)
        one_of("beyond", self.beyond, BEYOND)

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        along, left, up = axes = wind_axes(self.direction)
        frames, nz, ny, _ = self.box.velocity.shape
        passed = t - points @ along / self.box.hub_speed
        frame = frame_place(passed, self.box.dt, frames, self._beyond)
        height = points @ up
        row = np.clip((height - self.box.bottom) / self.box.dz, 0, nz - 1)
        column = np.clip(points @ left / self.box.dy + (ny - 1) / 2, 0, ny - 1)
        felt = sample(self.box.velocity, [frame, row, column], wrap=self._beyond == "repeat")
        return felt @ axes * self._below(height)[:, None]

    def _below(self, height: FloatArray) -> FloatArray:
        """Factor on the velocity: 1 in the box and above, falling to 0 at the ground."""
        bottom = np.array([max(self.box.bottom, 1e-9)])
        return np.minimum(self.profile.at(height) / self.profile.at(bottom), 1.0)

    @property
    def duration(self) -> float:
        """Time from the first frame to the last, s."""
        return (len(self.box.velocity) - 1) * self.box.dt

    @property
    def _beyond(self) -> Beyond:
        return "repeat" if self.box.periodic else self.beyond

    @property
    def lasts(self) -> float:
        """Time until which it blows, s: the end of the box, unless it repeats."""
        return self.duration if self._beyond == "hold" and len(self.box.velocity) > 1 else math.inf

    @property
    def mean(self) -> FloatArray:
        """(3,) mean velocity over time and width at 10 m, m/s."""
        height = np.array([REFERENCE_HEIGHT])
        row = np.clip((height - self.box.bottom) / self.box.dz, 0, self.box.velocity.shape[1] - 1)
        felt = sample(self.box.velocity.mean(axis=(0, 2)), [row])[0]
        return np.asarray(felt @ wind_axes(self.direction) * self._below(height))


def read_bts(path: str | os.PathLike[str]) -> TurbSimBox:
    """Read a `.bts` file. Its header is compared with the size of the file before anything large is read."""
    path = Path(path)
    with fitting_memory(f"the wind of {path.name}", "Make a shorter or a coarser one", error=FileError):
        data = memoryview(read_file(path, "wind_file"))
        kind, (nz, ny, ntwr, nt), spacing, scaling, text = _read_header(bytes(data[: HEADER.size]), path)
        points = nt * (ny * nz + ntwr)
        _check_size(len(data), HEADER.size + text + 6 * points, path)
        within("numbers", 3 * points, "Make a shorter or a coarser one", error=FileError, whose=path.name)
        note = bytes(data[HEADER.size : HEADER.size + text]).decode("ascii", errors="replace")
        numbers = np.frombuffer(data[HEADER.size + text :], "<i2").reshape(nt, ny * nz + ntwr, 3)
        with np.errstate(over="ignore"):
            velocity = numbers - scaling[:, 1]
            velocity /= scaling[:, 0]
        with naming(path):
            check_speeds(velocity)
    dz, dy, dt, hub_speed, hub_height, bottom = spacing
    with naming(path):
        return TurbSimBox(
            velocity=velocity[:, : ny * nz].reshape(nt, nz, ny, 3),
            tower=velocity[:, ny * nz :],
            dt=dt,
            dy=dy,
            dz=dz,
            hub_speed=hub_speed,
            hub_height=hub_height,
            bottom=bottom,
            periodic=kind == 8,
            note=note,
        )


def write_bts(box: TurbSimBox, path: str | os.PathLike[str]) -> None:
    """Write a `.bts` file; velocities are rounded to 1/65535 of each component's range."""
    nt, nz, ny, _ = box.velocity.shape
    flat = np.concatenate([box.velocity.reshape(nt, nz * ny, 3), box.tower], axis=1)
    scaling = _scaling(flat)
    numbers = np.clip(np.rint(flat * scaling[:, 0] + scaling[:, 1]), -32768, 32767).astype("<i2")
    note = box.note.encode("ascii", errors="replace")
    spacing = (box.dz, box.dy, box.dt, box.hub_speed, box.hub_height, box.bottom)
    counts = (nz, ny, box.tower.shape[1], nt)
    header = HEADER.pack(8 if box.periodic else 7, *counts, *spacing, *scaling.ravel(), len(note))
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.write(header + note)
        numbers.tofile(file)


def _read_header(
    head: bytes, path: Path
) -> tuple[int, tuple[int, int, int, int], tuple[float, ...], NDArray[np.float64], int]:
    if len(head) < HEADER.size:
        raise FileError(f"a .bts file begins with {HEADER.size} bytes of header; {path} has {len(head)}.")
    kind, nz, ny, ntwr, nt, *rest = HEADER.unpack(head)
    spacing, scaling, text = tuple(rest[:6]), np.array(rest[6:12]).reshape(3, 2), rest[12]
    if kind not in (7, 8):
        raise FileError(f"a .bts file begins with 7 or 8; {path} begins with {kind}. Is it another kind of file?")
    if min(nz, ny, nt) < 1 or min(ntwr, text) < 0:
        raise FileError(
            f"the header of a .bts file counts its points; {path} counts nz {nz}, ny {ny}, towers {ntwr}, nt {nt}, "
            f"text {text}. The file is damaged."
        )
    if not np.isfinite([*spacing, *scaling.ravel()]).all() or not scaling[:, 0].all() or min(spacing[:4]) <= 0:
        raise FileError(
            f"spacings, hub speed and scales of a .bts file are finite and not 0; those of {path} are "
            f"{spacing[:4]} and {scaling[:, 0].tolist()}. The file is damaged."
        )
    return kind, (nz, ny, ntwr, nt), spacing, scaling, text


def _check_size(found: int, promised: int, path: Path) -> None:
    if found != promised:
        raise FileError(
            f"the header of {path} promises {promised} bytes and the file has {found}. It is cut off or damaged; "
            "copy it again."
        )


def _scaling(flat: FloatArray) -> FloatArray:
    """(3, 2) scale and offset of u, v and w, as the file's float32 holds them."""
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    # float32 cannot hold an offset far larger than the range of the numbers, so a narrow range is widened.
    span = np.maximum(high - low, np.maximum(np.abs(low), np.abs(high)) / 32)
    scale = (65535 / np.maximum(span, 1e-6)).astype(np.float32).astype(np.float64)
    offset = (-32768 - scale * low).astype(np.float32)
    return np.stack([scale, offset.astype(np.float64)], axis=-1)


def _frozen(name: str, values: ArrayLike) -> FloatArray:
    numbers = array(name, values, "Fill the gaps first.").copy()
    numbers.flags.writeable = False
    return numbers
