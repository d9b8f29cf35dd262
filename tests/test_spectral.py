"""Motion in the frequency domain: against theory, steps in time, the whole plant, and itself."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.plants import chain, plants
from tests.test_mechanics_wind import displacement_along
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics import Modes, Wood, analyse
from windflower.mechanics.beams import beams_of
from windflower.motion import LoopMotion, NoiseFilter, Places, SpectralMotion
from windflower.motion.oscillator import advance, exact_step
from windflower.motion.spectral.exposure import across_loads, exposure_of
from windflower.motion.spectral.loop import ComplexArray, Loop
from windflower.plant.graph import Plant
from windflower.validate.trees import difference_from_all_modes, young_tree
from windflower.wind import Profile, Turbulence

UNIFORM = Profile(law="uniform")
FILTER = NoiseFilter(speed=6.0, correlation_time=1.0, correlation_distance=3.0)
WINDS: dict[str, NoiseFilter | Turbulence] = {"filter": FILTER, "eddies": Turbulence(speed=6.0)}


@cache
def walnut(cells: int = 2) -> Modes:
    return analyse(grow("walnut", seed=1, detail=0.03), count=12, cells=cells, cache=False)


@cache
def swaying(wind: str = "eddies", period: float = 20.0, lines: str = "integrated") -> SpectralMotion:
    return SpectralMotion(walnut(), period=period, wind=WINDS[wind], lines=lines)


def displacement(loop: Loop, motion: LoopMotion) -> ComplexArray:
    """(waves, nodes, 3) of the linear pose."""
    return np.tensordot(loop.wave, motion.shapes[..., :3], 1)


def rms(amplitudes: NDArray[np.complexfloating]) -> float:
    return float(np.sqrt((np.abs(amplitudes) ** 2).sum() / 2))


# Forces on branches


def local_frame(d: FloatArray) -> FloatArray:
    """r of appendix A: its columns are the axes of a branch along d."""
    aside = np.cross(d, [0.3, 0.5, -0.8])
    aside /= np.linalg.norm(aside)
    return np.stack([d, aside, np.cross(d, aside)], axis=1)


def test_an_even_branch_is_loaded_by_the_matrix_b_of_appendix_a() -> None:
    radius, L = 0.02, 1.3
    plant = Plant(parent=[-1, 0], position=[[0.0, 0.0, 0.0], [0.48 * L, 0.6 * L, 0.64 * L]], radius=[radius] * 2)
    r = local_frame(plant.vector[1] / L)
    B1, B2 = np.diag([0, L / 2, L / 2]), np.array([[0, 0, 0], [0, 0, L * L / 12], [0, -L * L / 12, 0]])
    R = np.kron(np.eye(4), r)
    B = R @ np.concatenate([B1, B2, B1, -B2], axis=1).T @ r.T
    # load[end, e] is a row for each wind e; the diameter is 2 r.
    loads = across_loads(beams_of(plant))[0]
    np.testing.assert_allclose(np.swapaxes(loads, 1, 2).reshape(12, 3), 2 * radius * B, atol=1e-15)


@settings(max_examples=20)
@given(plants(most=12))
def test_modal_forces_are_the_virtual_work_of_drag_across_the_branches(plant: Plant) -> None:
    modes = analyse(plant, count=3, gravity=False, cache=False)
    rows = exposure_of(modes).rows[: len(modes)]
    drag = modes.conditions.system(plant, modes.wood).foliage.wood_drag
    place, weight = np.polynomial.legendre.leggauss(12)
    x = (place + 1) / 2
    for k, tip in enumerate(plant.segments):
        L, d = plant.length[tip], plant.vector[tip] / plant.length[tip]
        across = np.eye(3) - np.outer(d, d)
        r = plant.base_radius[tip] * (1 - x) + plant.radius[tip] * x
        for mode, shape in enumerate(modes.shape):
            moved = displacement_along(plant, tip, shape, x)
            work = 1.225 * drag * L * (weight / 2 * r) @ (moved @ across)
            np.testing.assert_allclose(rows[mode, k], work, atol=1e-3 * np.abs(rows).max())


def test_a_wind_along_a_branch_does_nothing_to_it() -> None:
    modes = analyse(chain(6, direction=(0.6, 0.8, 0.0)), count=4, cache=False)
    rows = exposure_of(modes).rows[:4]
    assert np.abs(rows @ [0.6, 0.8, 0.0]).max() < 1e-12 * np.abs(rows).max()


@pytest.mark.parametrize("kept", [pytest.param(12, marks=pytest.mark.slow), 3])
def test_the_mean_lean_is_that_of_the_whole_plant(kept: int) -> None:
    modes = walnut(1).truncated(kept)
    motion = SpectralMotion(modes, period=5.0, wind=Turbulence(speed=5.0, profile=UNIFORM), pose="linear")
    exposure = exposure_of(modes)
    system = modes.conditions.system(modes.plant, modes.wood)
    every = analyse(modes.plant, count=500, cache=False)
    whole = exposure_of(every)
    # All modes of a small plant need no static vectors.
    force = whole.rows[: len(every), :, 0].sum(axis=1) * 25.0
    exact = np.tensordot(force / every.omega**2, every.shape[..., :3], 1)
    lean = np.tensordot(motion.loop.mean, motion.shapes[..., :3], 1)
    assert system.plant.nodes == len(exposure.area) + 1
    np.testing.assert_allclose(lean, exact, atol=2e-3 * np.abs(exact).max())


@pytest.mark.parametrize("drag", ["linearised", "doubled", "printed"])
def test_gusts_count_as_the_drag_says(drag: str) -> None:
    wind = Turbulence(speed=6.0, profile=UNIFORM)
    modes = analyse(chain(4, length=3.0, radius=0.02), count=4, cache=False)
    forces = SpectralMotion(modes, period=10.0, wind=wind, drag=drag).forces
    plain = SpectralMotion(modes, period=10.0, wind=wind, drag="printed").forces
    along, across = {"linearised": (12.0, 6.0), "doubled": (12.0, 12.0), "printed": (1.0, 1.0)}[drag]
    # The pole sways along x, which is along this wind, and along z across it, in pairs.
    ratio = forces.rms[:4] / plain.rms[:4]
    heading = np.abs(modes.shape[:, -1, 0]) > np.abs(modes.shape[:, -1, 2])
    pure = np.minimum(np.abs(modes.shape[:, -1, 0]), np.abs(modes.shape[:, -1, 2])) < 1e-6
    np.testing.assert_allclose(ratio[heading & pure], along, rtol=1e-5)
    np.testing.assert_allclose(ratio[~heading & pure], across, rtol=1e-5)
    lateral = forces.rms[4:]  # the cell's dynamic wind along x, y and z
    np.testing.assert_allclose(lateral / plain.rms[4:], [along, across, across], rtol=1e-5)


# Response


def around(frequency: FloatArray, centre: float, width: float) -> NDArray[np.bool_]:
    return np.abs(frequency - centre) < width


def test_the_response_spectrum_is_that_of_theory_around_ten_resonances() -> None:
    motion, seeds = swaying("eddies", 30.0), 120
    f = motion.loop.frequency
    density = np.mean([motion.again(seed).loop.density for seed in range(seeds)], axis=0)
    forces = np.einsum("pii->pi", motion.cross_spectrum.matrix).real / 2 * motion.period
    modes, felt = motion.modes, float(np.linalg.norm(motion.clip.air.mean))
    gamma = 2 * modes.damping * modes.omega + modes.drag_damping * modes.streamlined(felt) * felt
    for mode, centre in enumerate(modes.frequency[:10]):
        # A line carries its bin: |H|² is its mean there.
        near, omega = around(f, centre, 0.3), 2 * np.pi * (f[:, None] + (np.arange(20) - 9.5) / 20 / motion.period)
        H = 1 / (modes.omega[mode] ** 2 - omega**2 + 1j * gamma[mode] * omega)
        said = (np.abs(H) ** 2).mean(axis=1) * forces[:, mode]
        assert density[near, mode].sum() == pytest.approx(said[near].sum(), rel=0.1)


def stepped(motion: SpectralMotion, finer: int = 8, periods: int = 4) -> FloatArray:
    """(steps, modes) the last period of the modes' own oscillators under the same forces, sampled in time."""
    count = len(motion.modes)
    table = motion.forces.table(finer * motion.loop.samples)[:, :count]
    step = exact_step(motion.modes.omega, motion.damping, motion.period / len(table))
    q, rate = motion.loop.at(0.0)[:count], np.zeros(count)
    path = np.empty(table.shape)
    for _ in range(periods):
        for k in range(len(table)):
            q, rate = advance(step, q, rate, table[k], table[(k + 1) % len(table)])
            path[k] = q
    return path


@pytest.mark.parametrize("wind", ["filter", "eddies"])
def test_the_same_forces_stepped_in_time_give_the_same_sway(wind: str) -> None:
    motion = swaying(wind, 10.0, "printed")  # a force that repeats has lines and no bins
    path = stepped(motion)
    count = len(motion.modes)
    np.testing.assert_allclose(path.std(axis=0), motion.loop.rms[:count], rtol=0.02)
    exact = np.roll(motion.loop.table(len(path)), -1, axis=0)[:, :count]
    assert np.abs(path - exact).max() < 0.02 * np.abs(exact - exact.mean(axis=0)).max()


def test_weak_gusts_do_by_real_drag_what_they_do_by_linear_drag() -> None:
    def differences(drag: str, intensity: float) -> float:
        wind = Turbulence(speed=6.0, intensity=intensity)
        motion = SpectralMotion(walnut(), period=20.0, wind=wind, drag=drag)
        linear, real = displacement(motion.loop, motion), displacement(motion.quadratic(), motion)
        return rms(real - linear) / rms(real)

    weak, usual, doubled = differences("linearised", 0.01), differences("linearised", 0.2), differences("doubled", 0.01)
    assert weak < 0.02
    assert usual < 0.2
    assert doubled > 0.1


def test_alpha_damps_all_modes_alike() -> None:
    motion = SpectralMotion(walnut(), period=10.0, speed=6.0, alpha=0.7, lines="printed")
    assert (motion.damping == 0.7).all()
    omega = 2 * np.pi * motion.loop.frequency
    H = 1 / (walnut().omega[3] ** 2 - omega**2 + 0.7j * omega)
    np.testing.assert_allclose(motion.loop.wave[:, 3], H * motion.forces.wave[:, 3])


def test_the_air_damps_the_more_the_stronger_the_wind() -> None:
    calm, windy = (SpectralMotion(walnut(), period=5.0, speed=speed).damping for speed in (1e-6, 9.0))
    np.testing.assert_allclose(calm, 2 * walnut().damping * walnut().omega, rtol=1e-5)
    assert (windy > 1.05 * calm).all()


@pytest.mark.parametrize("wind", [pytest.param("filter", marks=pytest.mark.slow), "eddies"])
def test_ten_modes_and_static_vectors_move_a_tree_of_40_branches_like_all_modes(wind: str) -> None:
    """T = 20 s, M = 1040, t_c = 1 s, d_c = 3 m. `windflower bench spectral` prints the figures."""
    assert len(young_tree().segments) == 40
    found = {
        (static, lean): difference_from_all_modes(WINDS[wind], static=static, lean=lean)
        for static in (True, False)
        for lean in (True, False)
    }
    assert found[True, False] < 0.08  # of the sway alone; in the paper's filter modes left out ring too
    assert found[True, True] < 0.05
    assert found[True, True] < 0.9 * found[False, True]


# Cross-spectrum


def spectra(loops: list[ComplexArray], near: NDArray[np.bool_]) -> ComplexArray:
    """(n, n) mean of F F* over loops and a band."""
    drawn = np.concatenate([loop[near] for loop in loops])
    return np.asarray(drawn.T @ drawn.conj() / len(drawn))


@pytest.mark.parametrize("wind", ["filter", pytest.param("eddies", marks=pytest.mark.slow)])
def test_branches_and_cross_spectrum_give_the_same_cross_spectra(wind: str) -> None:
    motion, seeds = swaying(wind, 20.0), 100
    drawn = {
        "branches": [motion.again(seed).loop.wave for seed in range(seeds)],
        "cross-spectrum": [motion.fresh(seed).loop.wave for seed in range(seeds)],
    }
    answer = motion.gain * motion.transfer
    response = answer[:, :, None] * motion.cross_spectrum.matrix[:, :-3, :-3] * answer.conj()[:, None]
    for centre in (0.3, *motion.modes.frequency[[0, 5, 11]]):
        near = around(motion.loop.frequency, centre, 0.12)
        said = response[near].mean(axis=0)
        # What bins of unlike power have in common counts as fewer bins.
        power = np.einsum("pii->pi", response[near]).real
        alike = power.sum(axis=0) ** 2 / (power**2).sum(axis=0)
        size = np.sqrt(np.diag(said).real / np.sqrt(alike * seeds))
        for name, loops in drawn.items():
            error = np.abs(spectra(loops, near) - said) / np.outer(size, size)
            assert error.max() < 4.5, name


def test_a_fresh_loop_has_the_wind_of_the_first() -> None:
    motion = swaying("eddies", 20.0)
    rms_of = {name: np.mean([make(s).clip.air.rms for s in range(60)], axis=0) for name, make in
              (("branches", motion.again), ("fresh", motion.fresh))}  # fmt: skip
    np.testing.assert_allclose(rms_of["fresh"], rms_of["branches"], rtol=0.1)
    np.testing.assert_array_equal(motion.fresh(1).clip.air.mean, motion.clip.air.mean)


def test_the_cross_spectrum_between_its_knots_is_that_of_all_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    motion = SpectralMotion(walnut(), period=60.0, wind=Turbulence(speed=6.0))
    quick = motion.cross_spectrum.matrix
    monkeypatch.setattr("windflower.motion.spectral.correlated.CLOSE", 0.0)
    slow = SpectralMotion(walnut(), period=60.0, wind=Turbulence(speed=6.0)).cross_spectrum.matrix
    size = np.sqrt(np.einsum("pii->pi", slow).real)
    error = np.abs(quick - slow) / (size[:, :, None] * size[:, None, :])
    assert error.max() < 0.1
    assert error.mean() < 0.01


def axial_share(loop: Loop, motion: SpectralMotion) -> float:
    """By how much branches stretch over how much their ends part sideways, root mean square."""
    plant, moved = motion.plant, displacement(loop, motion)
    part = (moved - moved[:, plant.parent])[:, plant.segments]
    d = (plant.vector / np.where(plant.length > 0, plant.length, 1)[:, None])[plant.segments]
    along = (part * d).sum(axis=-1)
    return rms(along) / rms(part)


@pytest.mark.parametrize("wind", ["filter", "eddies"])
def test_neither_way_stretches_a_branch_along_its_axis(wind: str) -> None:
    motion = swaying(wind)
    for loop in (motion.loop, motion.fresh(3).loop):
        assert axial_share(loop, motion) < 1e-4
    for way in (motion, motion.fresh(3)):
        points = way.at(np.linspace(0, 20, 7))
        length = np.linalg.norm(points - points[:, motion.plant.parent], axis=-1)[:, motion.plant.segments]
        np.testing.assert_allclose(length, np.broadcast_to(motion.plant.length[motion.plant.segments], length.shape))


# Settings


def test_samples_below_the_modes_warn_as_the_papers_own_would() -> None:
    with pytest.warns(UserWarning, match="their resonances are left out"):
        SpectralMotion(walnut(), period=256.0, samples=256, speed=6.0)


@given(st.floats(0.5, 300))
@settings(max_examples=10)
def test_by_default_samples_hold_twice_the_highest_mode(period: float) -> None:
    motion = SpectralMotion(analyse(chain(3), count=2, cache=False), period=period, speed=5.0)
    assert motion.loop.samples >= 4 * motion.modes.frequency[-1] * period
    assert motion.loop.frequency[-1] > motion.modes.frequency[-1]
    assert motion.period == period


def test_water_holds_what_grows_in_it() -> None:
    kelp = analyse(grow("giant-kelp", seed=1, detail=0.15), count=30, cache=False)
    motion = SpectralMotion(kelp, period=60.0, wind=Turbulence(speed=0.1, intensity=0.3))
    slow = SpectralMotion(kelp, period=60.0, wind=Turbulence(speed=0.1, intensity=0.3), alpha=0.01)
    assert motion.damping.min() > kelp.omega[0]  # it does not swing: it follows
    assert rms(displacement(motion.loop, motion)) < 0.5 * rms(displacement(slow.loop, slow))


@pytest.mark.parametrize(
    "wrong",
    [
        {"period": 0.0},
        {"period": float("nan")},
        {"speed": None},
        {"speed": -1.0},
        {"wind": FILTER},
        {"seed": -1},
        {"seed": 0.5},
        {"samples": 7},
        {"samples": 2},
        {"alpha": -0.1},
        {"drag": "cubic"},
        {"headings": 0},
        {"pose": "folded"},
        {"reading": "nearest"},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(MotionError):
        SpectralMotion(walnut(), **{"period": 10.0, "speed": 6.0, **wrong})  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_loop_and_another_another() -> None:
    first, same, other = (SpectralMotion(walnut(), period=10.0, speed=6.0, seed=seed) for seed in (4, 4, 5))
    np.testing.assert_array_equal(first.loop.wave, same.loop.wave)
    np.testing.assert_array_equal(other.again(4).loop.wave, first.loop.wave)
    assert not np.allclose(first.loop.wave, other.loop.wave)


def test_more_samples_leave_the_slow_waves_as_they_are() -> None:
    few, many = (SpectralMotion(walnut(), period=10.0, speed=6.0, samples=samples) for samples in (120, 200))
    np.testing.assert_allclose(many.loop.wave[:59], few.loop.wave, rtol=1e-12)


def test_a_turned_plant_feels_the_wind_from_the_other_side() -> None:
    motion = SpectralMotion(walnut(), period=10.0, wind=Turbulence(speed=6.0, direction=250.0), headings=4, alpha=1.0)
    for heading in range(4):
        # A plant turned by a quarter to the left of north sees the wind come a quarter more from the right.
        wind = Turbulence(speed=6.0, direction=250.0 + 90 * heading)
        alone = SpectralMotion(walnut(), period=10.0, wind=wind, alpha=1.0)
        size = alone.loop.rms
        np.testing.assert_allclose(motion.clips[heading].amount.wave / size, alone.loop.wave / size, atol=1e-5)
        np.testing.assert_allclose(motion.clips[heading].amount.mean, alone.loop.mean, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(motion.clips[heading].air.mean, motion.clip.air.mean, rtol=0.2, atol=1e-9)
    places = Places(np.zeros((3, 3)), yaw=[0.1, np.pi / 2, -np.pi / 2 + 0.2])
    assert motion.rest(places).heading.tolist() == [0, 1, 3]


def test_bare_wood_of_the_paper_moves() -> None:
    modes = analyse(young_tree(), count=10, wood="paper-stam", gravity=False, cache=False)
    motion = SpectralMotion(modes, period=20.0, wind=FILTER, drag="printed", alpha=0.5, reading="linear")
    assert 0 < np.abs(motion.at(3.0) - young_tree().position).max() < 3


def test_a_wood_without_damping_is_no_obstacle() -> None:
    modes = analyse(young_tree(), count=5, wood=Wood(E=1e10, density=800, damping=0.0), cache=False)
    assert np.isfinite(SpectralMotion(modes, period=10.0, speed=5.0).at(1.0)).all()
