"""What must hold of everything that is accepted."""

import numpy as np
from numpy.typing import NDArray

from windflower import Modes, Motion, Places, Plant, Scene, SceneSettings, Simulation, Wind
from windflower.core.arrays import FloatArray

__all__ = [
    "UnsoundError", "check_map", "check_modes", "check_motion", "check_picture", "check_plant", "check_settings",
    "check_simulation", "check_wind", "finite", "require",
]  # fmt: skip

POINTS = np.array([[0.0, 0.0, 0.0], [3.0, 1.5, -2.0], [-40.0, 10.0, 25.0], [0.0, 200.0, 1000.0]])
TIMES = (0.0, 0.35, 7.0, 1234.5)


class UnsoundError(AssertionError):
    """Something was accepted that should have been refused."""


def require(holds: bool, what: str) -> None:
    if not holds:
        raise UnsoundError(what)


def finite(what: str, values: NDArray[np.generic] | float) -> None:
    require(bool(np.isfinite(values).all()), f"{what} must be finite")


def check_plant(plant: Plant) -> None:
    """Parents before children, finite positions, positive radii, leaves on nodes."""
    nodes = np.arange(plant.nodes)
    require(plant.nodes >= 2, "a plant has a segment")
    require(bool((plant.parent < nodes).all() and (plant.parent >= -1).all()), "parents come before children")
    for name, values in {"position": plant.position, "radius": plant.radius, "base_radius": plant.base_radius}.items():
        finite(name, values)
    require(bool((plant.radius > 0).all() and (plant.base_radius > 0).all()), "radii are positive")
    require(bool((plant.order >= 0).all()), "orders count from 0")
    for name, number in {"height": plant.height, "length": plant.total_length, "volume": plant.wood_volume}.items():
        finite(name, number)
    leaves = plant.leaves
    require(bool(((leaves.node >= 0) & (leaves.node < plant.nodes)).all()), "leaves are on nodes")
    for name, values in {"size": leaves.size, "place": leaves.place, "orientation": leaves.orientation}.items():
        finite(f"leaf {name}", values)


def check_modes(modes: Modes) -> None:
    """Positive, ascending frequencies, finite shapes."""
    require(bool((modes.frequency > 0).all()), "frequencies are positive")
    require(bool((np.diff(modes.frequency) >= -1e-6 * modes.frequency[1:]).all()), "frequencies ascend")
    for name in ("frequency", "damping", "shape", "projection", "static", "static_frequency", "drag_damping"):
        finite(name, getattr(modes, name))


def check_wind(wind: Wind) -> None:
    """Finite velocities everywhere and always."""
    finite("mean wind", wind.mean)
    for t in TIMES:
        finite(f"wind at {t} s", wind.velocity(POINTS, t))


def check_motion(motion: Motion[object], wind: Wind, *, steps: int = 4) -> None:
    """Finite poses over some steps."""
    places = Places([[0, 0, 0], [5, 0, 2]])
    state = motion.rest(places)
    for number in range(steps):
        air: FloatArray = wind.velocity(motion.probes(places), number / 60)
        state = motion.step(state, air, 1 / 60, touch=None)
    finite("pose", motion.pose(state))


def check_map(values: FloatArray) -> None:
    """A map from 0 to 1."""
    require(values.ndim == 2 and min(values.shape) >= 2, "a map has rows and columns")
    finite("map", values)
    require(values.min() >= 0 and values.max() <= 1, "a map is 0 to 1")


def check_settings(settings: SceneSettings) -> None:
    """They read back as they are written."""
    from windflower.scene.files import parse_scene, toml_text

    require(parse_scene(toml_text(settings)) == settings, "a scene reads back as it was saved")


def check_simulation(simulation: Simulation) -> None:
    """Finite poses, and air."""
    for number, stand in enumerate(simulation.scene.stands):
        finite("places", stand.places.position)
        for instance in {0, len(stand) - 1}:
            finite(f"pose of stand {number}", simulation.pose(number, instance))


def check_picture(picture: NDArray[np.uint8], scene: Scene) -> None:
    """Something is seen wherever the camera is fitted to the plants by day."""
    fitted = (
        getattr(scene.settings.camera, "target", 0) is None and getattr(scene.settings.camera, "distance", 0) is None
    )
    if fitted and scene.sun.direction(0.0)[1] > 0.1:
        require(bool(np.ptp(picture) > 0), "a picture shows something")
