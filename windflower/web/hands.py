"""Branches that a page lets one take hold of: room for a hand on the device, and what hand.js needs to know of the wood."""

from collections.abc import Callable, Mapping, Sequence
from math import pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import IntArray
from windflower.geometry.lod import Choice
from windflower.mechanics.roots import root_springs
from windflower.motion.modal.device_hand import DeviceHand
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.modal.modal_twin import ModalTwin
from windflower.motion.poses.posed_levels import PosedLevel
from windflower.motion.poses.sheets import Tuning
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
    places: Any


def rooms_for_hands(simulation: DeviceSimulation, choice: Choice) -> list[Room]:
    """Make room for a hand at all levels that are shown."""
    rooms = []
    for stand, (moved, levels) in enumerate(zip(simulation.stands, choice.levels, strict=True)):
        twin = moved.twin
        if type(twin) is not ModalTwin or moved.stand.all_different or twin.motion.sheets:
            continue
        for number, shown in enumerate(levels):
            name = f"hand {stand} {number}"
            hand = twin.kernels.make_room(number, Named(1, name)) if len(shown.instance) else None
            if hand is not None:
                level, places = twin.kernels.level(number), moved.stand.places.some(shown.instance)
                rooms.append(Room(name, hand, level, twin.motion, number, shown.instance, places))
    return rooms


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
    buffers = {
        "settings": hand.settings,
        "lead": hand.lead,
        "held": hand.shapes,
        "shapes": shapes,
        "rest": rest,
        "paths": paths,
        "points": sheet.points,
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
        "rows": level.row.tolist(),
        "modes": motion.mode_count,
        "amounts": level.amounts,
        "shapes": level.shapes,
        "omega": motion.modes.omega.tolist(),
        "follows": 2 * pi * motion.modes.static_frequency,
    }
