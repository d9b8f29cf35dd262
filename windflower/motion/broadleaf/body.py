"""All that is static of a broad-leaved plant in motion, put together."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.components import first
from windflower.mechanics.wood import Wood
from windflower.motion.broadleaf.blade_forces import Blown
from windflower.motion.broadleaf.blade_points import BladePoints, blade_points, point_masses
from windflower.motion.broadleaf.constants import BroadleafConstants
from windflower.motion.broadleaf.constraints import Limits, limits_of
from windflower.motion.broadleaf.contact import Contacts, contacts_of
from windflower.motion.broadleaf.eddies import pace_of
from windflower.motion.broadleaf.rows import Rows, Stations, stations_of
from windflower.motion.broadleaf.segment_forces import SegmentForces
from windflower.motion.broadleaf.segments import Segments, segments_of
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant

__all__ = ["Body", "body_of"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Body:
    """The parts of a plant in motion.

    pace     (blades,)      of the eddies that they shed, rad/m
    preload  (3, 1, nodes)  moments that the joints take at rest, N m
    """

    constants: BroadleafConstants
    segments: Segments
    stations: Stations
    points: BladePoints
    limits: Limits
    contacts: Contacts | None
    forces: SegmentForces
    rest: Rows
    pace: FloatArray
    preload: FloatArray

    @property
    def side(self) -> FloatArray:
        """(blades, blades) on which side of the second the first lies at rest; 0 without contact."""
        return np.zeros((len(self.pace), len(self.pace))) if self.contacts is None else self.contacts.side


def body_of(
    plant: Plant,
    blades: Blades,
    woods: tuple[Wood, Wood],
    constants: BroadleafConstants,
    *,
    per_area: float,
    stiffness: float,
) -> Body:
    """The body of a plant: the woods of its stems and of its leaves' axes, and what its blades are.

    per_area   mass of blades, kg/m²
    stiffness  of blades, E t³/12, N m
    """
    mass = point_masses(blades, per_area * constants.mass)
    segments = segments_of(plant, blades, mass, woods, constants)
    stations = stations_of(blades, segments, plant.parent)
    node, frame = first(plant.position[segments.order])[:, None], segments.frame[:, :, None]
    rest = stations.rows(node, frame)
    points = blade_points(blades, rest.frame[:, :, 0], mass, stiffness, constants)
    forces = SegmentForces(segments, stations, mass, blades.ribs.length / 2, constants)
    preload = np.zeros(node.shape)
    if constants.weight == "balanced":
        point = first(blades.point)[:, None]
        calm = Blown(np.zeros(point.shape), *np.zeros((3, *point.shape[1:])))
        preload = forces.joints(node, frame, np.zeros(node.shape), point, rest, calm).moment
    return Body(
        constants=constants,
        segments=segments,
        stations=stations,
        points=points,
        limits=limits_of(points.home, rest, stations.gap, constants.softness),
        contacts=contacts_of(plant, blades, segments, rest, points.home[2]) if constants.contact else None,
        forces=forces,
        rest=rest,
        pace=pace_of(blades),
        preload=preload,
    )
