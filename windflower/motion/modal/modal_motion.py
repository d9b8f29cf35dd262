"""Modes under wind and hands (Diener et al. 2009): each mode a damped oscillator, the plant their sum.

    q̈ᵢ + γᵢ q̇ᵢ + ωᵢ² qᵢ = fᵢ + (χᵢ - 1) bᵢ + Σ_hands φᵢ(n) · F,   fᵢ = Σ_cells pᵢ · w        (eq. 8, 16)

bᵢ is what of fᵢ lies about the mode's own frequency, and χᵢ how much of it the plant feels (see `admittance`).

On a plant that has turned far the wind finds another shape than that at rest; in the rotated pose an excess eᵢ is added
for that, see `posed_forces`. It is taken where the step would end if it did not change, and its change is held back
where the wind stiffens a mode so much that a long step would overshoot: by (1 + x)/(1 + x + x²), where x is how far a
unit of it goes in the step times that stiffening. So it is exact for short steps, stable for long ones, and what comes
to rest is the same.

What the modes leave out follows the wind and the hands, critically damped, at the mean frequency of the modes left
out: the static vectors, and the residual of each held node. A plant `scale` s times as large
runs slower by s, in its own unscaled frame: s² q̈ + s γ q̇ + k ω² q = p · w + φ · F/s², with `stiffness` k.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite, pi
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes, Sheet
from windflower.mechanics.analysis import without_leaves
from windflower.mechanics.sheet import fly_length
from windflower.motion.contract import Motion, checked_air, checked_dt, one_of, refuse_blown_up
from windflower.motion.modal.admittance import Admittance, admittance_in
from windflower.motion.modal.hand_over import carried
from windflower.motion.modal.hands_on_modes import HandsOnModes
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.modal.posed_forces import PosedForces, posed_forces
from windflower.motion.modal.shed_leaves import ShedLeaves
from windflower.motion.oscillator import advance, band_step, banded, exact_step, following_step, paper_step
from windflower.motion.places import Places
from windflower.motion.poses.correction import CorrectedPose
from windflower.motion.poses.pose import LinearPose, Pose, RotatedPose, ShapeState
from windflower.motion.poses.sheet_limits import check_sheets, posed_shapes
from windflower.motion.poses.single_pose import compiles
from windflower.motion.strain import Gauges, Strain
from windflower.motion.touch import Grips, Touch
from windflower.plant.graph import Plant
from windflower.wind.field import Wind

__all__ = ["ModalMotion", "Steps"]

POSES: dict[str, Callable[[Plant, FloatArray], Pose]] = {
    "rotated": RotatedPose,
    "linear": LinearPose,
    "corrected": CorrectedPose,
}
INTEGRATORS = {"exact": exact_step, "paper": paper_step}
WIDEST = 4.0  # of bands, over that at critical damping
WORTH = 4_000  # modes of all plants whose steps are worth a compiled loop


@dataclass(frozen=True, eq=False)
class Steps:
    """What one step does, for each place, as `oscillator.advance` takes it; forces in the plant's frame.

    modal   (count, modes, 2, 4)  of the modes, under modal forces
    static  (count, 2, 4)         of the static vectors, which follow the dynamic wind
    held    (count, 2, 4)         of the residuals of held nodes, under forces
    band    (count, modes, 2, 3)  of slow parts and bands of the modal forces, as `oscillator.banded` takes it
    more    (count, modes)        χ - 1: what a mode feels of its force's band, more than all of it
    steady, end  (count, 2, shapes)  what a unit of excess all through the step, or growing towards its end, adds to an
                                  amount and to its rate
    """

    modal: FloatArray
    static: FloatArray
    held: FloatArray
    band: FloatArray
    more: FloatArray
    steady: FloatArray
    end: FloatArray


class ModalMotion(Motion[ModalState]):
    """The modes of a plant in motion.

    modes       what `analyse` returned
    pose        "rotated": lengths are exact, always, and forces act on the posed shape; "linear": eq. 10, which
                stretches branches in strong wind; "corrected": the paper's own correction, eq. 17–19, fitted now
    speed       mean wind that the plant will stand in, m/s: it adds aerodynamic damping
    integrator  "exact" for a force linear within the step, stable for any dt; "paper": its printed Euler step
    felt        (cells, 3) where the cells of the crown feel the wind, m; by default in their centres
    admittance  how much of small eddies the modes feel; all of them by default. `in_wind` finds it
    bare        makes the motion of the same plant without its leaves; by default from its analysis alone

    `shapes` (modes + 3 cells, nodes, 6) are what the amounts of a state are amounts of: displacement, m, and rotation.
    """

    kind = "modal"
    refuses_hands = None
    gives_strain = True

    def __init__(
        self,
        modes: Modes,
        *,
        pose: str = "rotated",
        speed: float = 0.0,
        integrator: str = "exact",
        felt: FloatArray | None = None,
        admittance: Admittance | None = None,
        bare: "Callable[[], ModalMotion] | None" = None,
    ) -> None:
        if not (isfinite(speed) and speed >= 0):
            raise MotionError(f"a mean wind speed is a finite number from 0 m/s up; it is {speed:g}.")
        one_of("a pose", pose, tuple(POSES))
        one_of("an integrator", integrator, tuple(INTEGRATORS))
        self.modes, self.speed, self.pose_name, self.admittance = modes, float(speed), pose, admittance
        self.felt = modes.cell_centre if felt is None else felt
        self._integrator, self.share = integrator, 1.0
        self._leaves: ShedLeaves[ModalMotion] = ShedLeaves(self, bare or self._bare)
        self._stepper = INTEGRATORS[integrator]
        self._projection = np.moveaxis(modes.projection, 1, 2).reshape(-1, len(modes))  # (cells 3, modes)
        self.shapes = posed_shapes(
            np.concatenate([modes.shape, modes.static.reshape(-1, self.plant.nodes, 6)]), self.sheets
        )
        self._base_pose = POSES[pose](self.plant, self.shapes)
        self.forces: PosedForces | None = posed_forces(modes) if pose == "rotated" else None
        self._gauges = Gauges(modes)
        posed = self.forces is not None and not self.sheets
        self._hands = HandsOnModes(modes, self.shapes, self._base_pose, posed=posed)
        self._steps = lru_cache(maxsize=2)(self._new_steps)

    @classmethod
    def in_wind(cls, modes: Modes, wind: Wind, *, pose: str = "rotated", integrator: str = "exact") -> "ModalMotion":
        """The motion for a wind: with the damping by its mean, and the admittance in its turbulence."""
        speed = float(np.linalg.norm(wind.mean))

        def bare() -> ModalMotion:
            return cls.in_wind(without_leaves(modes), wind, pose=pose, integrator=integrator)

        admittance = admittance_in(modes, wind)
        return cls(modes, pose=pose, speed=speed, integrator=integrator, admittance=admittance, bare=bare)

    def _bare(self) -> "ModalMotion":
        modes = without_leaves(self.modes)
        return ModalMotion(modes, pose=self.pose_name, speed=self.speed, integrator=self._integrator)

    def with_modes(
        self, modes: Modes, share: float, *, speed: float, felt: FloatArray, admittance: Admittance | None
    ) -> "ModalMotion":
        """The motion of the same plant with a share of its leaves left, which has these modes."""
        pose, integrator = self.pose_name, self._integrator
        motion = ModalMotion(modes, pose=pose, speed=speed, integrator=integrator, felt=felt, admittance=admittance)
        motion.share, motion._leaves = share, self._leaves
        return motion

    def with_leaves(self, share: float) -> "ModalMotion":
        """The motion of the same plant with a share of its leaves left: they take mass and drag with them."""
        sheds = len(self.plant.leaves) and self._leaves.in_leaf.modes.conditions.leaves == 1 and not self.sheets
        return self._leaves.at(share) if sheds else self

    def continued(self, state: ModalState, before: Motion[Any]) -> ModalState:
        """The state in which it goes on as the same plant did with more leaves, or fewer."""
        return self._leaves.continued(state, before, self) if self.continues(before) else state

    def continues(self, before: Motion[Any]) -> TypeGuard["ModalMotion"]:
        """Whether it is the motion of the same plant with more leaves than before, or fewer."""
        return before is not self and isinstance(before, ModalMotion) and before._leaves is self._leaves

    def __repr__(self) -> str:
        return f"<ModalMotion of {self.modes!r}>"

    @property
    def plant(self) -> Plant:
        """The plant that moves."""
        return self.modes.plant

    @property
    def mode_count(self) -> int:
        """How many modes are simulated for each instance."""
        return len(self.modes)

    @property
    def first_mode(self) -> tuple[float, float, float]:
        """Frequency of the first mode, Hz, and its damping ratios by the wood and by the air."""
        modes = self.modes
        return float(modes.frequency[0]), float(modes.damping[0]), float(modes.air_damping(self.speed)[0])

    @property
    def instance_bytes(self) -> int:
        """Bytes of state, push, place, what a step does, and the air about one instance on the device."""
        shapes, modes, points = len(self.shapes), len(self.modes), self.forces.points if self.forces else 0
        return 8 * (2 * shapes + modes) + 16 * (self.modes.cells + points) + 32 + 32 * (2 * modes + 2) + 16

    @property
    def wind_points(self) -> int:
        """The cells of the crown."""
        return self.modes.cells

    @property
    def plant_bytes(self) -> int:
        """Bytes of the shapes at all levels on the device."""
        return sum(level.plant.nodes * (12 * len(self.shapes) + 64) for level in self.levels)

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """Thin plates on its nodes."""
        return self.modes.conditions.sheets

    @property
    def damping(self) -> FloatArray:
        """(modes,) γ = 2ζω of the wood and the air, 1/s; the air's drag weakens as the crown streamlines."""
        return 2 * self.modes.omega * (self.modes.damping + self.modes.air_damping(self.speed))

    def probes(self, places: Places) -> FloatArray:
        """(count, cells, 3) where the crown's cells feel the wind, in the world, m."""
        return places.to_world(self.felt)

    def rest(self, places: Places | None = None) -> ModalState:
        """The state of rest. By default one instance at the origin."""
        places = Places() if places is None else places
        modes, cells = np.zeros((len(places), len(self.modes))), np.zeros((len(places), self.modes.cells, 3))
        still = {"q": modes, "rate": modes, "lean": cells, "lean_rate": cells, "slow": modes, "band": modes}
        excess = np.zeros((len(places), len(self.shapes)))
        return ModalState(places=places, push=cells, excess=excess, grips=Grips(), **still)

    def begin(self, places: Places, air: FloatArray, time: float) -> ModalState:  # noqa: ARG002 - it has no clock
        """The lean of the first moment's wind; a flag is slow to return from that, and begins at rest."""
        flies = fly_length(self.plant.position, self.sheets) > 0
        return self.rest(places) if flies else self.settled(places, air)

    def shape_state(self, state: ModalState) -> ShapeState:
        """Amounts of modes and static vectors."""
        return ShapeState(self.plant, state.places, self.shapes, state.amount, state.amount_rate)

    def resumed(self, state: ModalState, before: ShapeState) -> ModalState:
        """The state with the amounts that come nearest to another motion's, where the same plants stand."""
        return carried(before, self.plant, self.shapes, state)

    def settled(self, places: Places, air: ArrayLike) -> ModalState:
        """The lean at which the plant comes to rest in a wind `air` (count, cells, 3) that does not change."""
        push = self._dynamic_wind(places, self._checked(places, air))
        force = self._modal_force(push)
        rest = replace(self.rest(places), slow=force, push=push)
        if self.forces is not None:
            amount, excess = self.forces.settled(push, places.stiffness)
            q, lean = amount[:, : len(self.modes)], amount[:, len(self.modes) :].reshape(push.shape)
            return replace(rest, q=q, lean=lean, excess=excess)
        firm = places.stiffness[:, None]
        return replace(rest, q=force / firm / self.modes.omega**2, lean=push / firm[..., None])

    def step(self, state: ModalState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> ModalState:
        """Go on by dt seconds, at the end of which the wind at the probes is `air` (count, cells, 3), m/s."""
        places = state.places
        push = self._dynamic_wind(places, self._checked(places, air))
        steps = self.steps(places, dt := checked_dt(dt))
        before, after = self._modal_force(state.push), self._modal_force(push)
        go_on = _advanced_compiled if before.size >= WORTH and compiles() else _advanced
        q, rate, slow, band = go_on(steps, state, before, after)
        if self._stepper is paper_step:
            refuse_blown_up(dt, "exact", q)
        static = steps.static[:, None, None]
        lean, lean_rate = advance(static, state.lean, state.lean_rate, state.push, push)
        blown = replace(
            state,
            q=q,
            rate=rate,
            lean=lean,
            lean_rate=lean_rate,
            slow=slow,
            band=band,
            push=push,
            grips=state.grips.eased(steps.held),
        )
        if self.forces is not None:
            blown = self._posed(self.forces, state.excess, blown, steps)
        return blown if touch is None else self._hands.touched(state, blown, steps.modal, steps.held, dt, touch)

    def _posed(self, forces: PosedForces, before: FloatArray, blown: ModalState, steps: Steps) -> ModalState:
        """Add what the forces on the posed shape have more, to a state that others have already advanced."""
        amount, rate = blown.amount, blown.amount_rate
        excess = forces.answered(steps.steady, steps.end, before, blown.push, amount, rate)
        return blown.with_amounts(amount, rate, excess=excess)

    def pose(self, state: ModalState, *, out: NDArray[Any] | None = None) -> FloatArray:
        """(count, nodes, 3) node positions in the plant's own frame, m; written into `out` if given, see `Pose`."""
        points = self._base_pose.points(state.amount, out)
        for instance in np.unique(state.grips.instance):
            points[instance] = self._hands.points(state, int(instance))
        check_sheets(self.modes.conditions.sheets, points, self.plant.position)
        return points

    def strain(self, state: ModalState) -> Strain:
        """How strongly every segment is bent at its base, and the moments that the roots take."""
        return self._gauges.read(state.places, state.amount, state.grips)

    def steps(self, places: Places, dt: float) -> Steps:
        """What a step of dt does at each place; found once for the same places and dt."""
        return self._steps(places, dt)

    def refuse_divergence(self, places: Places, dt: float) -> None:
        """Refuse an explicit step that makes a mode grow by itself: kernels would keep it finite and tell nobody."""
        if self._stepper is not paper_step:
            return
        growth = np.abs(np.linalg.eigvals(self.steps(places, checked_dt(dt)).modal[..., :2])).max(axis=(0, 2))
        if growth.max() > 1 + 1e-9:
            raise MotionError(
                f"the printed integrator is explicit and holds for short steps only; steps of {dt:.3g} s are too long "
                f"for a mode of {self.modes.frequency[growth.argmax()]:.3g} Hz. "
                'Keep fewer modes, or take integrator = "exact".'
            )

    def _new_steps(self, places: Places, dt: float) -> Steps:
        slower, firmer = places.scale[:, None], np.sqrt(places.stiffness)[:, None]
        wood = 2 * self.modes.damping * self.modes.omega
        gamma = wood * firmer + (self.damping - wood)
        own = self.modes.omega * firmer / slower
        modal, admitted = self._stepper(own, gamma / slower, dt), self._admitted(places)
        narrow = 1.0 if self.admittance is None else self.admittance.narrow
        band = band_step(own, _width(gamma / (2 * self.modes.omega * firmer), admitted, narrow), dt)
        omega = 2 * pi * self.modes.static_frequency * np.sqrt(places.stiffness) / places.scale
        static, held = following_step(omega, dt), exact_step(omega, 2 * omega, dt)
        modal[..., 2:] /= slower[..., None, None] ** 2
        static[..., 2:] /= places.stiffness[:, None, None]
        held[..., 2:] *= (omega**2 / places.stiffness)[:, None, None]
        of_static = np.repeat(held[:, None], 3 * self.modes.cells, axis=1)
        response = np.concatenate([modal, of_static], axis=1)[..., 2:]  # (count, shapes, 2, 2)
        steady, end = (np.moveaxis(one, 2, 1).copy() for one in (response.sum(axis=-1), response[..., 1]))
        return Steps(modal, static, held, band, admitted - 1, steady, end)

    def _admitted(self, places: Places) -> FloatArray:
        """(count, modes) χ."""
        return np.ones((len(places), len(self.modes))) if self.admittance is None else self.admittance.at(places)

    def _checked(self, places: Places, air: ArrayLike) -> FloatArray:
        return checked_air(air, (len(places), self.modes.cells, 3))

    def _dynamic_wind(self, places: Places, air: FloatArray) -> FloatArray:
        """The dynamic wind at each cell, in the plant's frame, (m/s)²."""
        return self.modes.dynamic_wind(places.turned_to_plant(air))

    def _modal_force(self, push: FloatArray) -> FloatArray:
        """(count, modes) eq. 16, summed over the cells."""
        return push.reshape(len(push), -1) @ self._projection


def _advanced(
    steps: Steps, state: ModalState, before: FloatArray, after: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Amplitudes, their rates, slow parts and bands after the step, under forces from `before` to `after`."""
    slow, band = banded(steps.band, state.slow, state.band, before, after)
    felt = before + steps.more * state.band, after + steps.more * band
    return *advance(steps.modal, state.q, state.rate, *felt), slow, band


def _advanced_compiled(
    steps: Steps, state: ModalState, before: FloatArray, after: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The same, by one compiled loop in place of forty passes over arrays."""
    from windflower.motion.modal.compiled_steps import advanced

    modal, band = (np.moveaxis(step, (2, 3), (0, 1)) for step in (steps.modal, steps.band))  # contiguous, as they lie
    found = np.empty((4, *before.shape))
    advanced(modal, band, steps.more, state.q, state.rate, state.slow, state.band, before, after, found)
    return found[0], found[1], found[2], found[3]


def _width(damping: FloatArray, admitted: FloatArray, narrow: float) -> FloatArray:
    """Widths of bands, in which χ holds over the whole resonance of modes with these damping ratios.

    Off the mode's frequency by a share δ of it, √(χ² + (δ/width)²) of the force is felt. The wider, the later gusts
    come: by 2 width (1 - χ)/ω.
    """
    return np.clip(3 * damping / admitted, narrow, WIDEST)
