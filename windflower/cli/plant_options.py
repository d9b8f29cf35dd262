"""What every command that takes a plant lets one say of it, as one bundle of options.

    @takes_a_plant
    def modes(name: PlantName, plant: PlantOptions, count: Count = 25) -> None: ...

gives `windflower modes` an option for each field of `PlantOptions`.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from windflower.cli.console import notice
from windflower.cli.names import check_plant_name
from windflower.cli.options import option
from windflower.errors import FileError

if TYPE_CHECKING:
    from windflower.mechanics.roots import Roots
    from windflower.mechanics.scans import PreparedScan, Radii
    from windflower.plant.importers.frame import Unit

__all__ = ["PlantOptions", "takes_a_plant"]

OF_A_FILE = ("species", "radii", "unit", "diameter_unit", "up")  # options of a plant that is read
PANEL = "The plant"
IN_PANEL = {"rich_help_panel": PANEL}
MOST = 2**53 - 1  # seed


def _check_wood(name: str | None) -> str | None:
    from windflower.mechanics.wood import wood_of

    if name is not None:
        wood_of(name)
    return name


def _check_species(name: str | None) -> str | None:
    from windflower.plant.species import species_of

    if name is not None:
        species_of(name)
    return name


def _check_roots(text: str | None) -> str | None:
    from windflower.core.table import nearest
    from windflower.errors import MechanicsError
    from windflower.mechanics.roots import check_roots

    try:
        return text if text is None or check_roots(text if text.isalpha() else float(text)) else None
    except (MechanicsError, ValueError):
        hint = nearest(text or "", ("spring", "clamped")) or "try spring"
        raise typer.BadParameter(
            f"roots are spring, clamped, or a stiffness above 0 in N·m/rad; they are '{(text or '')[:40]}'; {hint}"
        ) from None


def _check_radii(text: str) -> str:
    from windflower.core.table import ending
    from windflower.mechanics.scans import RADII

    if text not in RADII:
        hint = ending(text, RADII).rstrip(".")
        raise typer.BadParameter(f"radii are {', '.join(RADII[:-1])} or {RADII[-1]}; they are '{text[:40]}'{hint}")
    return text


def _check_unit(text: str | None) -> str | None:
    from windflower.plant.importers.frame import metres

    if text is not None:
        try:
            metres(_unit(text) or text)
        except FileError as error:
            raise typer.BadParameter(str(error)) from None
    return text


def _unit(text: str | None) -> "Unit | None":
    """A unit as `read` takes it: its name, or a number of metres."""
    try:
        return text if text is None else float(text)
    except ValueError:
        return text


def _check_up(text: str | None) -> str | None:
    from windflower.plant.importers.frame import AXES

    if text is not None and text not in AXES:
        raise typer.BadParameter(f"up is one of {', '.join(AXES)}; it is '{text[:40]}'")
    return text


def _said(help: str, callback: Callable[[Any], Any] | None = None, metavar: str | None = None) -> Any:  # noqa: A002
    return typer.Option(help=help, callback=callback, metavar=metavar, rich_help_panel=PANEL)


@dataclass(frozen=True, kw_only=True)
class PlantOptions:
    """What a command line says of a plant; the fields are options of every command that takes one."""

    seed: Annotated[int, option("Which specimen of a species; any whole number from 0.", 0, MOST, **IN_PANEL)] = 1
    detail: Annotated[float, option("Factor on the number of nodes.", 0.001, 100, **IN_PANEL)] = 1.0
    scale: Annotated[float, option("Factor on its size: height, thickness and leaves.", 0.001, 100, **IN_PANEL)] = 1.0
    species: Annotated[
        str | None,
        _said(
            "For a plant from a file: its species, which sets wood, bark and drag, and adds leaves if it has none.",
            _check_species,
            "SPECIES",
        ),
    ] = None
    wood: Annotated[
        str | None,
        _said(
            "The wood, by name: oak, scots-pine, …; or its .toml file, as 'windflower fit' writes one; by default the "
            "species' own.",
            _check_wood,
            "WOOD",
        ),
    ] = None
    leaves: Annotated[bool, _said("With leaves: their weight, their drag and their looks.")] = True
    gravity: Annotated[bool, _said("Count weight, which softens what stands and stiffens what hangs.")] = True
    roots: Annotated[
        str | None,
        _said(
            "spring, which follows from the mass of the stem; clamped; or a stiffness, N·m/rad. By default a spring, "
            "and clamped in water.",
            _check_roots,
            "ROOTS",
        ),
    ] = None
    radii: Annotated[
        str,
        _said(
            "For a plant from a file: radii as measured; corrected, where a scan shows twigs too thick; or auto, which "
            "corrects them if its tips are thicker than twigs are, or if it would buckle.",
            _check_radii,
            "RADII",
        ),
    ] = "auto"

    unit: Annotated[
        str | None,
        _said(
            "For a plant from a file: its unit of length, m, dm, cm, mm or '0.1 mm', or the metres of one unit. By "
            "default metres for laser scans, and what makes an MTG a plausible plant.",
            _check_unit,
            "UNIT",
        ),
    ] = None
    diameter_unit: Annotated[
        str | None, _said("For a plant from a file: its unit of diameters, if another.", _check_unit, "UNIT")
    ] = None
    up: Annotated[
        str | None,
        _said(
            "For a plant from a file: its upward direction, x, y, z, -x, -y or -z. By default z, and -z for an MTG "
            "that lies below its foot.",
            _check_up,
            "AXIS",
        ),
    ] = None

    def of(self, name: str) -> "PreparedScan":
        """Grow a species or read a file with these options; say what was repaired in a file."""
        from windflower.mechanics.scans import PreparedScan
        from windflower.plant.growth import grow
        from windflower.plant.scaling import scaled
        from windflower.plant.species import species_names

        check_plant_name(name)
        if name not in species_names() and not name.endswith(".toml"):
            return self._read(name)
        said = [key for key in OF_A_FILE if getattr(self, key) != PlantOptions.__dataclass_fields__[key].default]
        if said:
            key = said[0].replace("_", "-")
            raise FileError(f"--{key} is only for plants read from a file; '{name}' is a species. Leave it out.")
        return PreparedScan(scaled(grow(name, seed=self.seed, detail=self.detail), self.scale), self.gravity)

    def _read(self, name: str) -> "PreparedScan":
        from windflower.mechanics.scans import prepare_scan
        from windflower.plant.detail import with_detail
        from windflower.plant.importers import read_with_report
        from windflower.plant.scaling import scaled

        plant, report = read_with_report(
            name, unit=_unit(self.unit), diameter_unit=_unit(self.diameter_unit), up=self.up
        )
        ready = prepare_scan(
            scaled(plant, self.scale),
            species=self.species,
            wood=self.wood,
            leaves=self.leaves,
            gravity=self.gravity,
            roots=self.held,
            radii=self._radii,
            seed=self.seed,
        )
        for line in (*report.lines(), *ready.notes):
            notice(line)
        return replace(ready, plant=with_detail(ready.plant, self.detail)) if self.detail != 1 else ready

    @property
    def held(self) -> "Roots | None":
        """The roots as `analyse` takes them."""
        return self.roots if self.roots is None or self.roots.isalpha() else float(self.roots)

    @property
    def _radii(self) -> "Radii":
        return self.radii  # type: ignore[return-value] # which its callback has checked

    def stand(self) -> dict[str, Any]:
        """The keys of a stand of a scene that say the same; only those that are not as usual."""
        given = {field.name: getattr(self, field.name) for field in fields(self)} | {
            "roots": self.held,
            "unit": _unit(self.unit),
            "diameter_unit": _unit(self.diameter_unit),
        }
        keys = {
            name: value for name, value in given.items() if value != PlantOptions.__dataclass_fields__[name].default
        }
        for name in ("species", "wood"):
            if str(keys.get(name, "")).endswith(".toml"):
                keys[name] = str(Path(keys[name]).resolve())
        return keys


def takes_a_plant(command: Callable[..., None]) -> Callable[..., None]:
    """The same command, with an option for each field of its parameter `plant`, which becomes a `PlantOptions`."""
    names = [field.name for field in fields(PlantOptions)]

    @wraps(command)
    def run(**given: Any) -> None:
        said = {name: given.pop(name) for name in names}
        command(**given, plant=PlantOptions(**said))

    hints = get_type_hints(PlantOptions, include_extras=True)
    bundle = [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in fields(PlantOptions)
    ]
    own = inspect.signature(command, eval_str=True)
    others = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own.parameters.values() if one.name != "plant"
    ]
    run.__signature__ = own.replace(parameters=[*others, *bundle])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in (*others, *bundle)}
    return run
