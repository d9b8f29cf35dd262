"""The material: stiffness, density, damping and the factors of the round section."""

import os
import re
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from math import pi
from pathlib import Path
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.files import check_target, replacing
from windflower.core.reading import read_file
from windflower.core.table import ending
from windflower.core.toml_text import parse_toml
from windflower.errors import FileError, MechanicsError

__all__ = ["Rayleigh", "Wood", "wood_names", "wood_of"]

LARGEST = 1e30  # of any number of a material, in its unit
BAND = (0.5, 5.0)  # Hz, where Rayleigh damping has a ratio given as one number: the sway of trees and their branches
LAWS = ("constant", "rayleigh")


@dataclass(frozen=True, kw_only=True)
class Rayleigh:
    """Damping C = alpha M + beta K (Diener et al. 2009, eq. 2); alpha in 1/s, beta in s.

    alpha  factor on the mass matrix, 1/s
    beta   factor on the stiffness matrix, s
    """

    alpha: float
    beta: float

    def __post_init__(self) -> None:
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 <= value <= LARGEST:
                raise MechanicsError(f"damping never pushes; {name} is {value!r:.40}. Give a number from 0 up.")

    @classmethod
    def through(cls, first: tuple[float, float], second: tuple[float, float]) -> "Rayleigh":
        """Find the damping that has two given ratios: each point is (frequency in Hz, damping ratio).

        ratio = alpha / (4 pi f) + beta pi f.
        """
        (f1, z1), (f2, z2) = first, second
        if not 0 < f1 < f2:
            raise MechanicsError(
                f"damping is given at two rising frequencies; they are {f1:g} and {f2:g} Hz. Sort them."
            )
        beta = (z2 * f2 - z1 * f1) / (pi * (f2 * f2 - f1 * f1))
        alpha = 4 * pi * f1 * (z1 - pi * beta * f1)
        if alpha < 0 or beta < 0:
            raise MechanicsError(
                f"no Rayleigh damping has the ratio {z1:g} at {f1:g} Hz and {z2:g} at {f2:g} Hz: between "
                "them the ratio rises or falls no faster than the frequency. Bring the two ratios closer."
            )
        return cls(alpha=alpha, beta=beta)

    def ratio(self, frequency: FloatArray) -> FloatArray:
        """(…,) damping ratio of modes of frequencies (…,), Hz: gamma = alpha + beta w² (eq. 9), over 2 w."""
        omega = 2 * pi * frequency
        return (self.alpha / omega + self.beta * omega) / 2


@dataclass(frozen=True, kw_only=True)
class Wood:
    """The material of a plant.

    E         Young's modulus along the grain, Pa
    density   kg/m³, green
    nu, G     Poisson's ratio, or the shear modulus in Pa; give one. G = E / 2(1 + nu). By default nu = 0.38
    damping   internal damping: a ratio, or a `Rayleigh`
    damping_law   "constant": all modes have that ratio; "rayleigh":
              C = alpha M + beta K that has it at 0.5 and 5 Hz, less between them and more beyond
    area, bending, torsion, polar   factors on A = pi r², I = pi r⁴/4, J = pi r⁴/2 and, for the inertia of twisting,
              the polar moment pi r⁴/2: below 1 for hollow stems
    crown     factor on the mass of all that is not stem, branches and leaves: 1 as it follows from their sizes
    foliage   one more factor on the mass of leaves alone
    name      its name, or that of its file
    """

    E: float
    density: float
    nu: float | None = None
    G: float | None = None
    damping: float | Rayleigh = 0.04
    damping_law: str = "constant"
    area: float = 1.0
    bending: float = 1.0
    torsion: float = 1.0
    polar: float = 1.0
    crown: float = 1.0
    foliage: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        for name in ("E", "density", "area", "bending", "torsion", "polar", "crown", "foliage"):
            value = getattr(self, name)
            if not 0 < value <= LARGEST:
                raise MechanicsError(
                    f"a wood's {name} must be positive, up to {LARGEST:g}; it is {value!r:.40}. "
                    "Check its unit (Pa, kg/m³)."
                )
        if self.nu is not None and self.G is not None:
            raise MechanicsError("a wood has Poisson's ratio nu or the shear modulus G; both are given. Drop one.")
        if self.nu is not None and not -1 < self.nu <= 0.5:
            raise MechanicsError(
                f"Poisson's ratio lies between -1 and 0.5; it is {self.nu!r:.40}. Give G for odd materials."
            )
        if self.G is not None and not 0 < self.G <= LARGEST:
            raise MechanicsError(f"a wood's G must be positive; it is {self.G!r:.40}. Check its unit (Pa).")
        if not isinstance(self.damping, Rayleigh) and not 0 <= self.damping <= LARGEST:
            raise MechanicsError(f"a damping ratio is 0 or more; it is {self.damping!r:.40}. Wood has 0.01 to 0.1.")
        if self.damping_law not in LAWS:
            raise MechanicsError(f"a damping law is one of {', '.join(LAWS)}; it is {self.damping_law!r:.40}.")

    @property
    def shear_modulus(self) -> float:
        """Shear modulus G, Pa."""
        if self.G is not None:
            return self.G
        return self.E / (2 * (1 + (0.38 if self.nu is None else self.nu)))

    @property
    def rayleigh(self) -> Rayleigh:
        """The damping as alpha and beta: those given, or those that have the ratio at 0.5 and 5 Hz."""
        if isinstance(self.damping, Rayleigh):
            return self.damping
        return Rayleigh.through((BAND[0], self.damping), (BAND[1], self.damping))

    def damping_ratio(self, frequency: FloatArray) -> FloatArray:
        """(…,) damping ratio of modes of frequencies (…,), Hz, by the wood alone."""
        if isinstance(self.damping, Rayleigh) or self.damping_law == "rayleigh":
            return self.rayleigh.ratio(frequency)
        return np.full(np.shape(frequency), float(self.damping))

    def save(self, path: str | os.PathLike[str], *, note: str = "") -> None:
        """Write it as a `.toml` file, whose path serves as a wood's name; `note` is a comment at its head."""
        lines = [f"# {line}" for line in note.splitlines()]
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "name" or value in (None, field.default):
                continue
            text = f'"{value}"' if isinstance(value, str) else repr(value)
            if isinstance(value, Rayleigh):
                text = f"{{ alpha = {value.alpha!r}, beta = {value.beta!r} }}"
            lines.append(f"{field.name} = {text}")
        with replacing(check_target(path, "a wood", (".toml",))) as temporary:
            temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def wood_names() -> tuple[str, ...]:
    """The names of the woods that come with Windflower, sorted."""
    return tuple(sorted(_woods()))


def wood_of(name: str) -> Wood:
    """The wood of this name, or of this `.toml` file, such as `Wood.save` and `windflower fit` write.

    name  one of `wood_names()`, or the path of a .toml file
    """
    if name.endswith(".toml"):
        return _read(Path(name))
    if name not in _woods():
        hint = ending(name, wood_names(), "Choose one of these.")
        known = ", ".join(wood_names())
        raise MechanicsError(f"a wood is one of {known}, or a .toml file; '{name}' is not one of them{hint}")
    return _woods()[name]


def wood_text(name: str) -> str:
    """The file of a wood that comes with Windflower, with what its numbers are from, to copy and to change."""
    wood_of(name)
    entry = rf"^\[{re.escape(name)}\]([^\n]*)\n(.*?)(?=\n\[|\Z)"
    (found,) = re.finditer(entry, _stock_file(), re.MULTILINE | re.DOTALL)
    note = found[1].strip(" #")
    head = "# E in Pa, density in kg/m³, damping as the ratio of every mode."
    return f"{head}\n# {name}{': ' + note if note else ''}\n{found[2].rstrip()}\n"


def _read(path: Path) -> Wood:
    try:
        table = parse_toml(read_file(path, "species_file", what="a wood's file"), origin=str(path), error=FileError)
    except FileError as error:
        raise MechanicsError(str(error)) from None
    known = [field.name for field in fields(Wood) if field.name != "name"]
    wrong = next((key for key in table if key not in known), None)
    if wrong is not None or not {"E", "density"} <= table.keys():
        said = "one of E and density is missing" if wrong is None else f"'{wrong[:40]}' is not one of them"
        raise MechanicsError(f"{path}: a wood's file has {', '.join(known)}; {said}.")
    try:
        return _wood(path.stem, {"damping": 0.04, **table})
    except (TypeError, AttributeError):
        raise MechanicsError(
            f"{path}: E, density and the other values of a wood are numbers; one of these is not."
        ) from None


@cache
def _woods() -> dict[str, Wood]:
    return {name: _wood(name, table) for name, table in tomllib.loads(_stock_file()).items()}


def _stock_file() -> str:
    return (resources.files(__package__) / "woods.toml").read_text(encoding="utf-8")


def _wood(name: str, table: dict[str, Any]) -> Wood:
    damping = table.pop("damping")
    return Wood(name=name, damping=Rayleigh(**damping) if isinstance(damping, dict) else damping, **table)
