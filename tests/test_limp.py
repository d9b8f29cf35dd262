"""Limp shoots and fronds: chains in weight and wind over the motion of the wood that bears them."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_bvp

from windflower import Plant, Touch, analyse, grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.mechanics import Modes
from windflower.mechanics.wood import wood_of
from windflower.motion import ModalMotion, Places
from windflower.motion.limp import LimpMotion, chains_of, hung
from windflower.motion.limp.drape import ALONG, drape
from windflower.scene import Scene, build, parse_scene
from windflower.simulation.simulation import DeviceSimulation, Simulation

G, HALF_AIR, ROUND = 9.80665, 1.225 / 2, 1.1  # m/s², kg/m³, drag coefficient of a round twig
WOOD = wood_of("willow")
THICK, THIN, LONG = 0.0021, 0.0007, 1.6  # m: a willow's shoot without its leaves


def shoot(links: int = 12, *, length: float = LONG, down: float = 1.0) -> Plant:
    """A stiff post, and a shoot that hangs from an arm at its top, straight down or straight up."""
    along = np.arange(1, links + 1) / links
    hanging = np.array([0.3, 2.0, 0]) - down * length * along[:, None] * (0, 1, 0)
    return Plant(
        parent=[-1, 0, 1, 2, *range(3, links + 2)],
        position=np.concatenate([[[0, 0, 0], [0, 2.0, 0], [0.3, 2.0, 0]], hanging]),
        radius=[0.05, 0.05, 0.04, *(THICK + (THIN - THICK) * along)],
        base_radius=[0.05, 0.05, 0.05, *(THICK + (THIN - THICK) * (along - 1 / links))],
        order=[0, 0, 0, *[1] * links],
    )


def modes_of(plant: Plant, **options: Any) -> Modes:
    return analyse(plant, count=6, wood=WOOD, leaves=False, cache=False, **options)


def elastica(speed: float) -> FloatArray:
    """(3,) tip of the shoot from its base in a steady wind along x: the boundary value problem of a heavy elastica.

    Unknown are the angle from the vertical, the moment, the force of all beyond, and the place.
    """
    radius = lambda s: THICK + (THIN - THICK) * s / LONG
    stiff = lambda s: WOOD.E * np.pi / 4 * radius(s) ** 4

    def slopes(strength: float) -> Any:
        def slope(s: FloatArray, y: FloatArray) -> FloatArray:
            angle, moment, right, up = y[:4]
            sine, cosine = np.sin(angle), np.cos(angle)
            push = HALF_AIR * ROUND * 2 * radius(s) * strength
            across, along = np.abs(cosine) * cosine, ALONG * np.abs(sine) * sine
            load_right = push * (across * cosine + along * sine)
            load_up = push * (across * sine - along * cosine) - WOOD.density * G * np.pi * radius(s) ** 2
            torque = sine * up + cosine * right
            return np.stack([moment / stiff(s), -torque, -load_right, -load_up, sine, -cosine])

        return slope

    ends = lambda a, b: np.array([a[0], b[1], b[2], b[3], a[4], a[5]])
    place = np.linspace(0, LONG, 60)
    found = np.zeros((6, len(place)))
    found[5] = -place
    for share in np.linspace(0.02, 1, 12):  # from calm on, so that each is near the one before
        solved = solve_bvp(slopes(share * speed**2), ends, place, found, max_nodes=20_000, tol=1e-5)
        assert solved.success
        place, found = solved.x, solved.y
    return np.array([found[4, -1], found[5, -1], 0.0])


def blown(plant: Plant, speed: float) -> FloatArray:
    """(nodes, 3) the shoot in a steady wind along x, without its small eddies."""
    chains = chains_of(modes_of(plant))
    assert chains is not None
    wind = np.broadcast_to([speed**2, 0.0, 0.0], (1, len(chains), 2, 3))
    return drape(chains, plant.position[None], wind, np.ones((1, len(chains))), np.ones(1))[0]


@pytest.mark.parametrize("speed", [2.0, 5.0, 19.0])
def test_a_shoot_in_a_wind_tunnel_is_shaped_as_a_heavy_elastica(speed: float) -> None:
    posed = blown(shoot(), speed)
    away = (posed[-1] - posed[2]) - elastica(speed)
    assert np.linalg.norm(away) < 0.02 * LONG


def test_more_links_come_nearer_to_the_elastica() -> None:
    wanted = elastica(7.0)
    misses = [np.linalg.norm(one[-1] - one[2] - wanted) for one in (blown(shoot(n), 7.0) for n in (6, 12, 24))]
    assert misses[1] < 0.6 * misses[0]
    assert misses[2] < 0.6 * misses[1]


def test_a_hanging_shoot_swings_as_a_beam_under_tension() -> None:
    plant = shoot(length=3.0)
    chains = chains_of(modes_of(plant))
    assert chains is not None
    swings = np.sqrt(chains.frequencies()[0][:, 0]) / (2 * np.pi)
    beam = modes_of(plant, limp=False).frequency
    assert swings[0] == pytest.approx(beam[0], rel=0.02)
    assert swings[1] == pytest.approx(beam[2], rel=0.04), "modes come in pairs"
    weightless = modes_of(plant, limp=False, gravity=False).frequency
    assert weightless[0] < 0.75 * beam[0], "its weight holds it"
