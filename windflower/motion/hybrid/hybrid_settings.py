"""Settings of hybrid motion in a scene file."""

from typing import Any, Literal

from pydantic import Field

from windflower.core.table import Flag, Number
from windflower.motion.contract import Motion
from windflower.motion.hybrid.block_stand import BlockStand, block_motion, block_trees, new_block_motion
from windflower.motion.hybrid.grove import Grove
from windflower.motion.hybrid.hybrid_motion import HybridMotion
from windflower.motion.places import Places
from windflower.motion.settings import Circumstances, MotionSettings, Seeds, Specimen
from windflower.motion.stand import Stand
from windflower.plant.block import placed
from windflower.plant.graph import Plant

__all__ = ["HybridSettings"]


class HybridSettings(MotionSettings):
    """Motion by a formula, and by physics where a hand is (Di Giacomo, Capo & Faure 2001). Every tree is different."""

    together = True
    keeps_leaves = "leaves come off plants that are alike; with hybrid motion every tree is different"

    kind: Literal["hybrid"]
    levels: Flag = Field(True, description="fewer branches move where the wind is weak or the camera is far away")
    catch: Literal["own", "same"] = Field(
        "own", description="a branch feels the drag of its own length and diameter, or the same as all, as printed"
    )
    probe: Literal["limb", "tree", "branch"] = Field(
        "limb", description="where the wind is felt: in the middle of each limb, tree or branch"
    )
    limit: Number = Field(
        1.0, ge=0, le=3, description="that the wind turns no joint beyond, rad; 0: no limit, as printed"
    )
    timing: Literal["own", "printed"] | None = Field(
        None,
        description="branches answer the wind each in its own time, or at once as printed and with physical = all",
    )
    eddies: Number = Field(0.25, ge=0, lt=1, description="strength of the eddies at each branch, over the wind there")
    fade: Number = Field(1.0, ge=0, le=10, description="in which branches begin and cease to move, s")
    fading: Literal["smooth", "linear"] = Field("smooth", description="linear is the paper's")
    physical: Literal["touched", "all"] = Field("touched", description="which branches move by physics")
    torque: Literal["follow", "printed", "driven"] | None = Field(
        None,
        description="of the wind on these: they follow the formula, as printed, or swing by themselves, which is for "
        "physical = all and the default there",
    )
    integrator: Literal["implicit", "printed"] = Field("implicit", description="printed is the paper's explicit step")
    nesting: Literal["root", "felt"] = Field(
        "root", description="what a hand makes physical: all up to the held branch's order, or only what feels it"
    )

    reach: Number = Field(
        150.0, ge=5, le=5000, description="distance from the camera up to which trees of a large stand are grown, m"
    )

    @property
    def _options(self) -> dict[str, Any]:
        """The options of the motion that these keys are."""
        return {**self.model_dump(exclude={"kind", "levels", "reach"}), "limit": self.limit or None}

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:  # noqa: ARG002 - it needs no wind
        """One tree by itself."""
        return HybridMotion(specimen.plant, **self._options)

    def block(self, name: str, table: int, plants: tuple[Plant, ...], places: Places, damping: float) -> Stand:
        """All trees of a table as one block; a file's one plant is each of them."""
        each = plants * (len(places) if len(plants) == 1 else 1)
        trees = block_trees(each, places.yaw.tobytes(), places.scale.tobytes())
        standing = places.position.tobytes(), places.stiffness.tobytes()
        motion = block_motion(trees, *standing, damping, **self._options)
        own = Places(places.position)
        return BlockStand(name=name, table=table, motion=motion, places=own, each=trees, adaptive=self.levels)

    def grove(self, seeds: Seeds, damping: float) -> Grove:
        """Trees of a table that are seeds until they come into view."""
        options = self._options

        def planted(grown: tuple[Plant, ...], places: Places) -> tuple[HybridMotion, tuple[Plant, ...]]:
            both = zip(grown, places.yaw.tolist(), places.scale.tolist(), strict=True)
            trees = tuple(placed(plant, yaw=yaw, scale=scale) for plant, yaw, scale in both)
            return new_block_motion(trees, places.position, places.stiffness, damping, **options), trees

        return Grove(seeds=seeds, planted=planted, reach=self.reach, adaptive=self.levels)
