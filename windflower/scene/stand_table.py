"""A `[[stands]]` table of a scene file: which plants, how many, where, and how they move."""

import json
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from windflower.core.table import (
    Angle,
    Coordinate,
    Flag,
    Length,
    Number,
    OnGround,
    Seed,
    Table,
    Whole,
    ending,
    refuse,
)
from windflower.errors import FileError, MechanicsError, SpeciesError
from windflower.mechanics.objects import OBJECTS, unfit_change
from windflower.mechanics.roots import check_roots
from windflower.mechanics.scans import Radii
from windflower.mechanics.wood import wood_names, wood_of
from windflower.motion.modal import ModalSettings
from windflower.motion.registry import AnyMotionSettings
from windflower.plant.importers.frame import UnitName, metres
from windflower.plant.species import species_names, species_of
from windflower.plant.species.changes import changed
from windflower.scene.areas import AreaSettings, Row
from windflower.scene.breaking import Breaks
from windflower.scene.density import DensitySettings, Habitat
from windflower.scene.foliage import SheddingSettings

__all__ = ["StandSettings"]


Variation = Annotated[Number, Field(ge=0, lt=1)]
FileUnit = UnitName | Number | None
OF_A_FILE = ("species", "radii", "unit", "diameter_unit", "up")
"""Keys of a plant that is read from a file."""


class StandSettings(Table):
    """Plants of one kind. Stands without an area share a circle about the origin; a single tree stands there."""

    plant: str = Field(
        min_length=1,
        description="a species, or a file: a species' .toml, a scan, a saved plant; or an object with sheets: "
        + ", ".join(f"`{name}`" for name in OBJECTS),
    )
    seed: Seed = Field(1, description="seed of the first specimen; the others have the next numbers")
    specimens: int = Field(
        1, ge=1, le=64, strict=True, description="number of different plants of the species, distributed at random"
    )
    detail: Number = Field(1.0, ge=1e-6, le=100, description="factor on the number of nodes; 1 is the species' own")
    changes: dict[str, Any] = Field(
        {},
        description="changed parameters of the species or object: "
        "`{ growth.height = 12, leaf.per_metre = 4 }`, `{ length = 2.4 }`",
    )
    species: str | None = Field(
        None,
        max_length=1000,
        description="of a plant that is read from a file: what it takes leaves, bark, drag and wood from; a name, or a "
        "species' .toml",
    )
    wood: str | None = Field(
        None,
        max_length=1000,
        description=f"{', '.join(f'`{name}`' for name in wood_names())}, or a .toml, as `windflower fit` writes it; "
        "by default the species' own. Hybrid motion does not ask for it",
    )
    leaves: Flag = Field(
        True,
        description="false for a bare tree; true grows them on a file that has none if it is given a `species`",
    )
    gravity: Flag = Field(True, description="whether weight acts: it softens what stands and stiffens what hangs")
    roots: Literal["spring", "clamped"] | Number | None = Field(
        None,
        description="spring, which follows from the mass of the stem; clamped; or the stiffness of a rotational spring "
        "under each root, N·m/rad. By default a spring on land, and clamped in water",
    )
    radii: Radii = Field(
        "auto",
        description="of a plant that is read from a file: `measured`, or `corrected` where a scan shows twigs too "
        "thick; auto corrects if its tips are thicker than twigs are, or if it would buckle",
    )
    unit: FileUnit = Field(
        None,
        description="of a plant that is read from a file: its unit of length, or the metres of one unit; by default "
        "metres for laser scans, and what makes an MTG a plausible plant",
    )
    diameter_unit: FileUnit = Field(
        None, description="of a plant that is read from a file: its unit of diameters, if another"
    )
    up: Literal["x", "y", "z", "-x", "-y", "-z"] | None = Field(
        None,
        description="of a plant that is read from a file: its upward direction; by default z, and -z for an MTG that "
        "lies below its foot",
    )
    count: Whole | None = Field(
        None, ge=1, le=1_000_000, description="number of trees; by default 1, in a row as many as `spacing` allows"
    )
    positions: tuple[OnGround, ...] | None = Field(
        None, min_length=1, max_length=1_000_000, description="x and z of each tree, m; instead of `count` and `area`"
    )
    area: AreaSettings | None = Field(None, description="where they are scattered, or the row they stand in")
    spacing: Length | None = Field(
        None, description="least distance between two, m; by default what suits the area and the number of trees in it"
    )
    density: DensitySettings | None = Field(None, description="density of the trees over the area; even by default")
    steepest: Number | None = Field(
        None, gt=0, le=90, description="steepest slope of the ground that they grow on, degrees"
    )
    heights: tuple[Coordinate, Coordinate] | None = Field(
        None, description="lowest and highest ground that they grow on, m"
    )
    scale: Number = Field(1.0, ge=0.001, le=100, description="factor on the size of the plant")
    scale_variation: Variation | None = Field(
        None,
        description="largest random deviation of the scale; by default 0.12, and 0 for objects and for a single "
        "plant that is read from a file",
    )
    yaw: Angle = Field(0.0, description="rotation about the vertical, degrees, counter-clockwise seen from above")
    yaw_variation: Number | None = Field(
        None,
        ge=0,
        le=180,
        description="largest random deviation of the yaw, degrees; by default 180, and 0 for objects and for a single "
        "plant that is read from a file",
    )
    stiffness: Number = Field(1.0, ge=1e-6, le=1000, description="factor on the stiffness of the wood")
    damping: Number = Field(1.0, ge=1e-6, le=1000, description="factor on the damping of the wood")
    stiffness_variation: Variation | None = Field(
        None,
        description="largest random deviation of the stiffness, which keeps neighbours out of step; "
        "by default 0.2, and 0 for objects and for a single plant that is read from a file",
    )
    motion: AnyMotionSettings = Field(
        ModalSettings(kind="modal"), description="how they move: a kind of motion, or a table with its `kind`"
    )
    flutter: Number = Field(1.0, ge=0, le=10, description="factor on the flutter of the species' leaves")
    shedding: SheddingSettings | None = Field(
        None, description="leaves that come off and fall; they are in autumn unless the scene has a `season`"
    )

    breaks: Breaks = Field(
        None,
        description="`true`, or a table: wood that is bent beyond its strength breaks and falls, and roots give way",
    )

    @property
    def is_grown(self) -> bool:
        """Whether the plant is grown from a species; otherwise it is an object, or read from a file."""
        return self.plant in species_names() or self.plant.endswith(".toml")

    @property
    def is_read(self) -> bool:
        """Whether the plant is read from a file: a scan, a saved plant."""
        return not (self.is_grown or self.is_object)

    @property
    def is_single(self) -> bool:
        """Whether it is one plant and no more."""
        if isinstance(self.area, Row):
            return self.count == 1 and self.area.rows == 1
        return len(self.positions) == 1 if self.positions is not None else self.count in (None, 1)

    @property
    def is_object(self) -> bool:
        """Whether it is an object with sheets: a flag, a sign."""
        return self.plant in OBJECTS

    @property
    def may_break(self) -> bool:
        """Whether its wood can break: it moves by its modes, and its leaves do not come off one by one."""
        return not self.is_object and self.motion.never_breaks is None and self.shedding is None

    @property
    def varies(self) -> tuple[float, float, float]:
        """Largest random deviations of scale, yaw in degrees, and stiffness.

        By default there are none for objects, and none for a single plant that was read: a measured wind has to meet
        it as it stood.
        """
        as_it_stood = self.is_object or (self.is_read and self.is_single)
        usual = (0.0, 0.0, 0.0) if as_it_stood else (0.12, 180.0, 0.2)
        given = (self.scale_variation, self.yaw_variation, self.stiffness_variation)
        scale, yaw, stiffness = (own if own is not None else by for own, by in zip(given, usual, strict=True))
        return scale, yaw, stiffness

    @property
    def habitat(self) -> Habitat:
        """Conditions on the ground where it may grow."""
        return Habitat(self.density, self.steepest, self.heights)

    @field_validator("plant")
    @classmethod
    def _known_plant(cls, plant: str) -> str:
        """Check that it is a known species or object, or looks like a file."""
        known = [*species_names(), *OBJECTS]
        if plant not in known and not any(mark in plant for mark in "./\\"):
            refuse(
                f"a plant is one of {', '.join(known)}, or a file; {plant[:40]!r} is neither"
                f"{ending(plant, known)}".rstrip(".")
            )
        return plant

    @field_validator("species")
    @classmethod
    def _known_species(cls, species: str | None) -> str | None:
        """Check that it is a known species, or a species' file; a file is read only when it is needed."""
        if species is not None and species not in species_names() and not species.endswith(".toml"):
            known, hint = ", ".join(species_names()), ending(species, species_names())
            refuse(f"a species is one of {known}, or a .toml file; {species[:40]!r} is neither{hint}".rstrip("."))
        return species

    @field_validator("wood")
    @classmethod
    def _known_wood(cls, wood: str | None) -> str | None:
        if wood is not None and not wood.endswith(".toml"):  # a file is read only when it is needed
            try:
                wood_of(wood)
            except MechanicsError as error:
                refuse(str(error).rstrip("."))
        return wood

    @field_validator("roots", mode="before")
    @classmethod
    def _known_roots(cls, roots: Any) -> Any:
        if roots is not None:
            try:
                check_roots(roots)
            except (MechanicsError, TypeError):
                hint = ending(roots, ("spring", "clamped")) if isinstance(roots, str) else ""
                said = f"roots are spring, clamped, or a stiffness above 0 in N·m/rad; they are {str(roots)[:40]!r}"
                refuse(f"{said}{hint}".rstrip("."))
        return roots

    @field_validator("unit", "diameter_unit", mode="before")
    @classmethod
    def _known_unit(cls, unit: Any) -> Any:
        if unit is not None:
            try:
                metres(unit if isinstance(unit, str | int | float) and not isinstance(unit, bool) else str(unit))
            except FileError as error:
                refuse(str(error).rstrip("."))
        return unit

    @field_validator("changes")
    @classmethod
    def _plain_changes(cls, changes: dict[str, Any]) -> dict[str, Any]:
        """Check that they hold finite numbers, text and tables of these; a species file is asked only when it grows."""
        try:
            json.dumps(changes, allow_nan=False)
        except (TypeError, ValueError):
            refuse("changes are tables of finite numbers; one of these is a date, or not finite")
        return changes

    @model_validator(mode="after")
    def _object_fits(self) -> Self:
        if self.is_object:
            if wrong := unfit_change(self.plant, self.changes):
                refuse(wrong.strip())
            if not self.motion.moves_sheets:
                refuse(f"a {self.plant} moves by its modes: modal or spectral; its motion is {self.motion.kind}")
        return self

    @model_validator(mode="after")
    def _of_a_file(self) -> Self:
        said = [key for key in OF_A_FILE if getattr(self, key) != type(self).model_fields[key].default]
        if said and not self.is_read:
            key = said[0]
            refuse(f"{key} is only for plants read from a file; {self.plant[:40]!r} is not a file, so leave it out")
        given = {"wood": self.wood is not None, "gravity": not self.gravity, "roots": self.roots is not None}
        if self.is_object and any(given.values()):
            key = next(name for name, is_given in given.items() if is_given)
            refuse(f"{key} is for plants; a {self.plant} has its own, so leave it out")
        return self

    @model_validator(mode="after")
    def _changes_fit(self) -> Self:
        if self.changes and not (self.is_grown or self.is_object):
            refuse(f"changes are for species; {self.plant[:40]!r} is read from a file")
        if self.changes and self.plant in species_names():
            try:
                changed(species_of(self.plant), self.changes)
            except SpeciesError as error:
                refuse(str(error).rstrip("."))
        return self

    @model_validator(mode="after")
    def _all_different(self) -> Self:
        motion = self.motion
        if motion.together and self.specimens > 1:
            refuse(f"with {motion.kind} motion every tree is different; leave out specimens, which is {self.specimens}")
        if self.shedding is not None and motion.keeps_leaves is not None:
            refuse(motion.keeps_leaves)
        return self

    @model_validator(mode="after")
    def _may_break(self) -> Self:
        if self.breaks is not None:
            if self.is_object:
                refuse(f"breaks is for plants; a {self.plant} holds, so leave it out")
            if self.motion.never_breaks is not None:
                refuse(self.motion.never_breaks)
            if self.shedding is not None:
                refuse("leaves that come off one by one hang on wood that holds; leave out shedding, or breaks")
        return self

    @model_validator(mode="after")
    def _one_way_to_place(self) -> Self:
        if self.positions is not None and (self.count is not None or self.area is not None):
            refuse("positions already say where every tree stands; leave out count and area, or positions")
        if self.habitat and (self.positions is not None or isinstance(self.area, Row)):
            refuse("density, steepest and heights are for scattered trees; these have positions or stand in a row")
        if self.heights is not None and self.heights[1] <= self.heights[0]:
            refuse(f"heights go from a lower to a higher one; they are {list(self.heights)}")
        if self.specimens > 1 and not self.is_grown:
            refuse(f"a file or an object is one plant, so specimens must be 1; it is {self.specimens}")
        if isinstance(self.area, Row) and (self.count is None) == (self.spacing is None):
            given = "neither" if self.count is None else f"count {self.count} and spacing {self.spacing:g}"
            refuse(f"a row takes either count or spacing; it has {given}")
        return self
