"""What a scene file may say of hybrid motion."""

from typing import Any, Literal

from pydantic import Field

from windflower.core.table import Flag, Number
from windflower.motion.contract import Motion
from windflower.motion.hybrid.block_stand import BlockStand, block_motion, block_trees
from windflower.motion.hybrid.hybrid_motion import HybridMotion
from windflower.motion.places import Places
from windflower.motion.settings import Circumstances, MotionSettings, Specimen
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant

__all__ = ["HybridSettings"]


class HybridSettings(MotionSettings):
    """Motion by a formula, and by physics where a hand is (Di Giacomo, Capo & Faure 2001). Every tree is different."""

    together = True
    keeps_leaves = "leaves come off plants that are alike; with hybrid motion every tree is different"

    kind: Literal["hybrid"]
    levels: Flag = Field(True, description="fewer branches move where the wind is weak or the camera is far away")
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

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:  # noqa: ARG002 - it needs no wind
        """One tree by itself."""
        return HybridMotion(specimen.plant, **self.model_dump(exclude={"kind", "levels"}))

    def block(self, name: str, table: int, plants: tuple[Plant, ...], places: Places, damping: float) -> Stand:
        """All trees of a table as one block; a file's one plant is each of them."""
        each = plants * (len(places) if len(plants) == 1 else 1)
        trees = block_trees(each, places.yaw.tobytes(), places.scale.tobytes())
        options = self.model_dump(exclude={"kind", "levels"})
        motion = block_motion(trees, places.position.tobytes(), places.stiffness.tobytes(), damping, **options)
        own = Places(places.position)
        return BlockStand(name=name, table=table, motion=motion, places=own, each=trees, adaptive=self.levels)
