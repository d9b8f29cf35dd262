"""Branches that a page lets one take hold of: room for a hand on the device, and what wood.js has to know.

Strain follows from how far segments turn against those on which they grow: its gauges are one factor for each node,
where all that modes do to the wood would be as much as the modes themselves.
"""

from collections.abc import Callable, Mapping, Sequence
from math import pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.geometry.lod import Choice
from windflower.mechanics import Modes
from windflower.mechanics.roots import root_springs
from windflower.motion.modal.device_hand import DeviceHand
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.places import Places
from windflower.motion.poses.details import Detail, detail_of
from windflower.motion.poses.level_gauges import LevelGauges
from windflower.motion.poses.pose import turns
from windflower.motion.poses.posed_levels import PosedLevel
from windflower.motion.poses.sheets import Tuning
from windflower.plant.graph import Plant
from windflower.simulation import DeviceSimulation
from windflower.web.tape import Named, Tape

__all__ = ["Room", "hand_facts", "rooms_for_hands"]


class Room(NamedTuple):
    """Room for a hand on the plants of a stand that are shown at a level.

    on         name of the number that is 1 while there is a hand
    instances  (shown,) the plants
    """

    on: str
    hand: DeviceHand
    level: PosedLevel
    motion: ModalMotion
    number: int
    instances: IntArray
    places: Places
    kernels: GpuModal
    strained: bool

    @property
    def gauges(self) -> LevelGauges | None:
        """Gauges of its level, if strain was recorded."""
        return self.kernels.gauges(self.number) if self.strained else None


def rooms_for_hands(simulation: DeviceSimulation, choice: Choice) -> list[Room]:
    """Make room for a hand at all levels that are shown."""
    shown = [
        (f"hand {stand} {number}", moved, number, shown.instance)
        for stand, (moved, levels) in enumerate(zip(simulation.stands, choice.levels, strict=True))
        for number, shown in enumerate(levels)
        if len(shown.instance)
    ]
    rooms = []
    for name, moved, number, instances in shown:
        stand, kernels = moved.stand, moved.twin.kernels_for_hands()
        hand = None if kernels is None or stand.all_different else kernels.make_room(number, Named(1, name))
        if hand is not None:
            places, level = stand.places.some(instances), kernels.level(number)
            rooms.append(Room(name, hand, level, kernels.motion, number, instances, places, kernels, True))
    return rooms if len(rooms) == len(shown) else [room._replace(strained=False) for room in rooms]


def hand_facts(
    rooms: Sequence[Room], tape: Tape, things: Mapping[int, int], store: Callable[[NDArray[Any]], int]
) -> list[dict[str, Any]]:
    """Facts of each room: `things` are numbers of buffers in the pack; `store` puts an array there."""
    return [_facts(room, lambda buffer: things[tape.number(buffer)], store) for room in rooms]


def _facts(room: Room, thing: Callable[[Any], int], store: Callable[[NDArray[Any]], int]) -> dict[str, Any]:
    motion, hand, level, places = room.motion, room.hand, room.level.shapes, room.places
    plant, wood = motion.levels[room.number].plant, motion.modes.wood
    _, shapes, rest, paths = level.by_chunk(Tuning().chunk)
    (sheet,) = room.level.shown
    detail = detail_of(motion.modes, plant, level.node, keep=motion.levels[room.number].modes)
    buffers = {
        "settings": hand.settings,
        "lead": hand.lead,
        "held": hand.shapes,
        "shapes": shapes,
        "rest": rest,
        "paths": paths,
        "points": sheet.points,
        **({"bent": room.gauges.bent} if room.gauges else {}),
    }
    radii = np.stack([plant.base_radius, plant.radius], axis=1)
    turned = np.stack([np.cos(places.yaw), np.sin(places.yaw), places.scale, places.stiffness], axis=1)
    return {
        "on": room.on,
        "buffers": {name: thing(buffer) for name, buffer in buffers.items()},
        "instances": room.instances.tolist(),
        "places": store(np.concatenate([places.position, turned], axis=1).astype("<f4")),
        "nodes": plant.nodes,
        "parent": store(plant.parent.astype("<i4")),
        "radii": store(radii.astype("<f2")),
        "bending": wood.E * wood.bending * pi / 4,
        "torsion": wood.shear_modulus * wood.torsion * pi / 2 * 3,
        "roots": [min(float(one), 1e30) for one in root_springs(motion.plant, wood, motion.modes.conditions.roots)],
        "gauges": store(_gauges(motion.modes, detail).astype("<f2")),
        "rows": level.row.tolist(),
        "modes": motion.mode_count,
        "amounts": level.amounts,
        "shapes": level.shapes,
        "omega": motion.modes.omega.tolist(),
        "follows": 2 * pi * motion.modes.static_frequency,
    }


def _gauges(modes: Modes, detail: Detail) -> FloatArray:
    """(nodes,) strain at the base of each segment for each radian by which it turns against the one on which it grows.

    What fits all shapes best, each as large as the others.
    """
    plant, shape = detail.plant, modes.shape_deformation
    bent = np.concatenate([shape, modes.static_deformation.reshape(-1, *shape.shape[1:])])[detail.row][
        :, detail.node, :3
    ]
    turn = turns(plant, detail.shapes)
    bow = _across(plant, turn - turn[:, np.maximum(plant.parent, 0)])
    size = np.sqrt(np.square(bow).mean(axis=(1, 2), keepdims=True))
    bow, bent = bow / np.maximum(size, 1e-30), _across(plant, bent) / np.maximum(size, 1e-30)
    factor = (bow * bent).sum(axis=(0, 2)) / np.maximum(np.square(bow).sum(axis=(0, 2)), 1e-30)
    return np.asarray(np.where(plant.parent < 0, 0.0, factor * plant.base_radius))


def _across(plant: Plant, vectors: FloatArray) -> FloatArray:
    """What of vectors (…, nodes, 3) is across the segment that ends at each node."""
    along = plant.vector / np.maximum(plant.length, 1e-12)[:, None]
    return np.asarray(vectors - along * (vectors * along).sum(axis=-1, keepdims=True))
