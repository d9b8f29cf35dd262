"""Windflower beside other programs on the same skeletons: SciPy and OpenSees for modes, MuJoCo for motion.

python -m venv .peers && .peers/bin/pip install -e . -r benchmarks/requirements.txt
.peers/bin/python benchmarks/peers.py --json peers.json

Each row says what was done, by whom, on how many segments, how long it took, and what was found. A program that cannot
be imported has a row that says so.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from math import pi
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh

from windflower import ModalMotion, Places, Plant, Wood, analyse
from windflower.bench import Row
from windflower.bench.report import print_rows
from windflower.bench.timing import DT, best_of, numpy_steps, rate_of, tree_of
from windflower.mechanics.factor import as_csc

COUNT, SPEED = 25, 8.0
WOOD = Wood(E=1.13e10, density=805.0, nu=0.38, damping=0.04)
MODE_SIZES, MOTION_SIZES = (100, 1_000, 4_000), (100, 1_000)
OPENSEES_MOST = 1_000  # segments; four times as many take it minutes


def main() -> None:
    """Measure, and print or write the rows."""
    print_rows(_rows(), sys.argv)


def _rows() -> Iterator[Row]:
    for segments in MODE_SIZES:
        yield from _modes(_skeleton(segments))
    for segments in MOTION_SIZES:
        yield from _motion(_skeleton(segments))


def _skeleton(segments: int) -> Plant:
    """A walnut of so many even segments: as thick at one end as at the other, which every program understands."""
    tree = tree_of(segments + 1)
    even = (tree.base_radius + tree.radius) / 2
    return Plant(parent=tree.parent, position=tree.position, radius=even, base_radius=even)


def _row(what: str, by: str, plant: Plant, **found: Any) -> Row:
    return {"what": what, "by": by, "segments": plant.nodes - 1, **found}


# Modes


def _modes(plant: Plant) -> Iterator[Row]:
    """25 modes of bare wood without weight, from the skeleton to frequencies and shapes."""
    modes, ours = best_of(
        lambda: analyse(plant, count=COUNT, wood=WOOD, gravity=False, roots="clamped", cache=False), 3
    )

    def row(by: str, squares: Any, seconds: float) -> Row:
        frequency = np.sqrt(np.sort(squares)) / (2 * pi)
        apart = float(np.abs(frequency / modes.frequency - 1).max())
        return _row("25 modes", by, plant, seconds=seconds, slower=seconds / ours, **_found(frequency, apart))

    yield row("Windflower", modes.omega**2, ours)
    system = modes.conditions.system(plant, WOOD)
    K, M = as_csc(system.stiffness), as_csc(system.mass)
    (squares, _), seconds = best_of(lambda: eigsh(K, COUNT, M, sigma=0), 3)
    yield row("SciPy eigsh, K and M given", squares, seconds)
    if plant.nodes - 1 > OPENSEES_MOST:
        return
    if (ops := _imported("openseespy.opensees")) is None:
        yield _row("25 modes", "OpenSees: openseespy cannot be imported here", plant)
        return
    squares, seconds = best_of(lambda: _by_opensees(ops, plant), 1)
    yield row("OpenSees genBandArpack", squares, seconds)


def _found(frequency: Any, apart: float) -> Row:
    return {"first Hz": float(frequency[0]), "frequencies apart": apart}


def _by_opensees(ops: Any, plant: Plant) -> Any:
    """ω² of elastic beam-columns with consistent mass."""
    ops.wipe()
    ops.model("basic", "-ndm", 3, "-ndf", 6)
    for node, place in enumerate(plant.position.tolist()):
        ops.node(node, *place)
    for root in plant.roots.tolist():
        ops.fix(root, *[1] * 6)
    for tip in plant.segments.tolist():
        r, d = float(plant.radius[tip]), plant.vector[tip] / plant.length[tip]
        A, moment = pi * r**2, pi / 4 * r**4
        ops.geomTransf("Linear", tip, *np.eye(3)[np.argmin(np.abs(d))].tolist())
        section = (A, WOOD.E, WOOD.E / (2 * (1 + WOOD.nu)), 2 * moment, moment, moment)
        ends = (int(plant.parent[tip]), tip)
        ops.element("elasticBeamColumn", tip, *ends, *section, tip, "-mass", WOOD.density * A, "-cMass")
    ops.constraints("Plain")
    ops.numberer("RCM")
    return np.array(ops.eigen("-genBandArpack", COUNT))


# Motion


def _motion(plant: Plant) -> Iterator[Row]:
    """One tree in a wind, whole steps; `real time` is how many seconds of motion a second makes."""
    modes = analyse(plant, count=COUNT, wood=WOOD, gravity=False, roots="clamped", cache=False)
    rate = rate_of(_steps(ModalMotion(modes, speed=SPEED)), 2.0)
    yield _row("motion", f"Windflower, {COUNT} modes, CPU", plant, **_pace(DT, rate), **_found(modes.frequency, 0.0))
    if (mujoco := _imported("mujoco")) is None:
        yield _row("motion", "MuJoCo: it cannot be imported here", plant)
        return
    model, dt = _stable(mujoco, plant)
    data = mujoco.MjData(model)
    rate = rate_of(lambda count: mujoco.mj_step(model, data, count), 2.0)
    first = _first_frequency(mujoco, model)
    found = _found([first], abs(first / modes.frequency[0] - 1))
    yield _row("motion", "MuJoCo, ball joints and capsules", plant, **_pace(dt, rate), **found)


def _pace(dt: float, rate: float) -> Row:
    return {"step ms": 1000 * dt, "steps per second": rate, "real time": dt * rate}


def _steps(motion: ModalMotion) -> Any:
    air = np.full((1, motion.modes.cells, 3), [SPEED, 0.0, 0.0])
    return numpy_steps(motion, motion.rest(Places()), air)


def _stable(mujoco: Any, plant: Plant) -> tuple[Any, float]:
    """The model with the longest step, halved from a frame, that is stable for a second."""
    dt = DT
    while dt > 1e-7:
        model = _mujoco_model(mujoco, plant, dt)
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, int(1 / dt))
        if not data.warning.number.any() and np.abs(data.qvel).max() < 1e3:
            return model, dt
        dt /= 2
    raise SystemExit("MuJoCo finds no stable step")


def _mujoco_model(mujoco: Any, plant: Plant, dt: float) -> Any:
    """A capsule for each segment, on a ball joint at its base with a spring of E I / L."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = dt, [0, 0, 0]
    # The default, with joints damped implicitly; the fully implicit ones take fifty times as long a step here.
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    spec.option.density, spec.option.viscosity, spec.option.wind = 1.225, 1.8e-5, [SPEED, 0, 0]
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    bodies = {int(root): spec.worldbody.add_body(pos=plant.position[root]) for root in plant.roots}
    for tip in plant.segments.tolist():
        base = int(plant.parent[tip])
        offset = plant.vector[base] if base in plant.segments else np.zeros(3)
        body = bodies[tip] = bodies[base].add_body(pos=offset)
        r, length = float(plant.radius[tip]), float(plant.length[tip])
        spring = WOOD.E * pi / 4 * r**4 / length
        body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL, stiffness=spring, damping=2e-3 * spring)
        ends = [0.0, 0.0, 0.0, *plant.vector[tip].tolist()]
        volume = pi * r**2 * length / (pi * r**2 * length + 4 / 3 * pi * r**3)  # a capsule has round ends
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=ends, size=[r, 0, 0], density=WOOD.density * volume)
    return spec.compile()


def _first_frequency(mujoco: Any, model: Any) -> float:
    """Hz, of the joints' springs and the mass matrix at rest."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    square = eigh(np.diag(model.jnt_stiffness[model.dof_jntid]), mass, subset_by_index=[0, 0], eigvals_only=True)
    return float(np.sqrt(square[0]) / (2 * pi))


def _imported(name: str) -> Any | None:
    try:
        return import_module(name)
    except (ImportError, RuntimeError, OSError):
        return None


if __name__ == "__main__":
    main()
