"""The registry of motions. To add one: a folder with its model, its settings and its twin, and one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, SerializeAsAny

from windflower.core.device import Gpu
from windflower.core.registry import Registry
from windflower.core.table import by_kind
from windflower.motion.contract import Motion
from windflower.motion.device.stepped import SteppedTwin
from windflower.motion.device.twin import Start, Twin
from windflower.motion.settings import MotionSettings
from windflower.motion.stand import Stand

__all__ = ["MOTIONS", "AnyMotionSettings", "MotionKind", "twin_of"]


@dataclass(frozen=True)
class MotionKind:
    """A kind of motion: its settings in a scene file, and its twin on the device, if it has one.

    settings  the table of a scene file
    twin      makes it on a device; without one it is stepped in NumPy
    """

    settings: type[MotionSettings]
    twin: Callable[[Gpu, Stand, Start], Twin] | None = None


MOTIONS: Registry[MotionKind] = Registry(
    {
        "modal": "windflower.motion.modal.modal_twin:KIND",
        "spectral": "windflower.motion.spectral.loop_twin:KIND",
        "cantilever": "windflower.motion.cantilever.cantilever_twin:KIND",
        "hybrid": "windflower.motion.hybrid.hybrid_twin:KIND",
        "broadleaf": "windflower.motion.broadleaf.broadleaf_twin:KIND",
        "loop": "windflower.motion.looped.looped_settings:KIND",
    }
)
"""Kinds of motion, by the name that scene files give them: a `MotionKind` each."""


LAYERS: Registry[Callable[[Gpu, Stand, Start], Twin]] = Registry({"limp": "windflower.motion.limp.limp_twin:LimpTwin"})
"""Twins of motions that lie over others and that no scene file names."""


def twin_of(gpu: Gpu, stand: Stand, start: Start) -> Twin:
    """A stand on the device: by its motion's own kernels, or else stepped in NumPy and uploaded."""
    motion: Motion[Any] = stand.motion
    own = MOTIONS[motion.kind].twin if motion.kind in MOTIONS else LAYERS.get(motion.kind)
    return (own or SteppedTwin)(gpu, stand, start)


def _table(value: Any) -> Any:
    """The settings of the kind that a table names; `motion = "modal"` is short for a table with that kind."""
    tables = {kind: motion.settings for kind, motion in MOTIONS.items()}
    return by_kind(tables, {"kind": value} if isinstance(value, str) else value)


AnyMotionSettings: TypeAlias = Annotated[SerializeAsAny[MotionSettings], BeforeValidator(_table)]
"""A table of any registered kind, in a scene file."""
