"""Segments that are very short beside the others, as scans have them: the physics stays right."""

import numpy as np
import pytest

from tests.exact_beams import ExactBeams
from tests.plants import chain
from windflower import Plant, grow
from windflower.errors import MechanicsError, PlantError
from windflower.mechanics import Modes, Wood, analyse, analyse_structure, fibre_strain
from windflower.mechanics.structure import Structure

WOOD = Wood(E=1e10, density=800.0)
LENGTHS = (1e-12, 1e-9, 1e-7, 1e-5, 2e-5, 3e-5, 1e-4, 1e-2, 0.9)
SEGMENTS = range(1, 8)


def branched() -> Plant:
    """A slanted trunk; at its middle a side branch begins, at its top a fork of three."""
    trunk = [[0, 0, 0], [0.4, 4, 0.3], [1, 8, 1], [1.2, 12, 1]]
    position = np.array([*trunk, [3, 9, 1.5], [2.2, 14, 1], [0.5, 14, 2], [1, 14, -1]])
    radius = [0.2, 0.18, 0.15, 0.1, 0.05, 0.06, 0.05, 0.07]
    return Plant(parent=[-1, 0, 1, 2, 2, 3, 3, 3], position=position, radius=radius)


def lengthened(plant: Plant, segment: int, lengths: list[float], radius: float | None = None) -> Plant:
    """The same plant with one more node for each length, in a row from the base of a segment on."""
    base = int(plant.parent[segment])
    along = np.cumsum(lengths)[:, None] * plant.vector[segment] / plant.length[segment]
    more = len(lengths)
    parent = np.where(plant.parent >= segment, plant.parent + more, plant.parent)
    parent[segment] = segment + more - 1
    thick = plant.base_radius[segment] if radius is None else radius
    place = [segment] * more
    return Plant(
        parent=np.insert(parent, place, [base, *range(segment, segment + more - 1)]),
        position=np.insert(plant.position, place, plant.position[base] + along, axis=0),
        radius=np.insert(plant.radius, place, thick),
        base_radius=np.insert(plant.base_radius, place, thick),
        order=np.insert(plant.order, place, plant.order[segment]),
    )


def check(plant: Plant, *, gravity: bool = True, count: int = 4) -> None:
    """Frequencies, shapes and lean against eighty digits."""
    exact = ExactBeams(plant, WOOD, gravity=gravity)
    modes = analyse(plant, count=count, wood=WOOD, gravity=gravity, roots="clamped", chosen="lowest", cache=False)
    assert modes.frequency == pytest.approx(exact.frequencies(count), rel=1e-9)
    for omega, shape in zip(modes.omega, modes.shape, strict=True):
        assert omega**2 * exact.swung(shape) == pytest.approx(shape, abs=1e-9 * float(np.abs(shape).max()))
    loads = np.zeros((plant.nodes, 6))
    loads[:, :3] = [3.0, 0.0, 1.0]
    lean = np.tensordot(modes.compliance(np.arange(plant.nodes)), loads[:, :3], ([0, 1], [0, 1]))
    assert lean == pytest.approx(exact.lean(loads), abs=1e-9 * float(np.abs(lean).max()))


@pytest.mark.parametrize("length", LENGTHS)
def test_one_short_segment_leaves_frequencies_shapes_and_lean_right(length: float) -> None:
    segment = SEGMENTS[LENGTHS.index(length) % len(SEGMENTS)]
    check(lengthened(branched(), segment, [length]))


@pytest.mark.slow
@pytest.mark.parametrize("gravity", [True, False])
@pytest.mark.parametrize("segment", SEGMENTS)
def test_a_short_segment_of_any_length_anywhere_leaves_all_right(segment: int, gravity: bool) -> None:
    pole = chain(8, length=20.0, radius=0.1)
    for length in 10.0 ** np.arange(-12, 0.1, 0.5):
        check(lengthened(branched(), segment, [length]), gravity=gravity)
        check(lengthened(pole, segment, [length]), gravity=gravity, count=2)


def test_the_pole_with_a_tenth_of_a_millimetre_in_its_middle_sways_as_without_it() -> None:
    pole = chain(21, length=20.0, radius=0.1)
    plain = analyse(pole, count=6, wood=WOOD, chosen="lowest", cache=False)
    for length in (1e-12, 1e-5, 2e-5, 3e-5, 1e-4):
        modes = analyse(lengthened(pole, 11, [length]), count=6, wood=WOOD, chosen="lowest", cache=False)
        assert modes.frequency == pytest.approx(plain.frequency, rel=1e-9)
        assert (modes.projection**2).sum() == pytest.approx((plain.projection**2).sum(), rel=1e-9)


def test_thirty_short_segments_in_a_row_leave_all_right() -> None:
    check(lengthened(chain(4, length=20.0, radius=0.1), 2, [1e-5, 3e-9, 1e-12] * 10), count=2)


@pytest.mark.parametrize("radius", [1e-4, 5.0])
def test_a_short_segment_of_odd_thickness_leaves_all_right(radius: float) -> None:
    check(lengthened(branched(), 3, [1e-6 * radius], radius), gravity=False)


def test_a_fork_whose_branches_all_begin_with_a_short_segment_is_right() -> None:
    plant = branched()
    for segment in (7, 6, 5, 4):
        plant = lengthened(plant, segment, [1e-7 * segment])
    check(plant)


def test_a_plant_whose_segments_are_all_tiny_is_the_large_one_made_small() -> None:
    large, size = branched(), 1e-7
    small = Plant(parent=large.parent, position=size * large.position, radius=size * large.radius)
    one, other = (
        analyse(plant, count=6, wood=WOOD, gravity=False, chosen="lowest", cache=False) for plant in (large, small)
    )
    assert other.frequency * size == pytest.approx(one.frequency, rel=1e-9)
    bent = [fibre_strain(m.plant, m.deformation(m.compliance(7)[0, 0])) for m in (one, other)]
    assert bent[1] * size**2 == pytest.approx(bent[0], rel=1e-6)


def test_a_large_plant_with_a_short_segment_before_every_tenth_sways_as_without_them() -> None:
    plain = grow("silver-birch", seed=1, detail=0.1)
    plant = plain
    for segment in plain.segments[::-10]:
        plant = lengthened(plant, int(segment), [1e-9])
    one, other = (
        analyse(each, wood=WOOD, leaves=False, roots="clamped", chosen="lowest", cache=False) for each in (plain, plant)
    )
    assert plant.nodes > plain.nodes + 20
    assert other.frequency == pytest.approx(one.frequency, rel=1e-6)


@pytest.mark.parametrize("segment", [1, 3, 6])
@pytest.mark.parametrize("length", [1e-12, 1e-6, 1e-4])
def test_the_strain_in_a_short_segment_is_that_beside_it(segment: int, length: float) -> None:
    pole = chain(7, length=12.0, radius=0.1)
    plain = analyse(pole, count=4, wood=WOOD, gravity=False, chosen="lowest", cache=False)
    modes = analyse(
        lengthened(pole, segment, [length]), count=4, wood=WOOD, gravity=False, chosen="lowest", cache=False
    )
    found = fibre_strain(modes.plant, modes.deformation(modes.compliance(7)[0]))
    expected = fibre_strain(pole, plain.deformation(plain.compliance(6)[0]))
    assert np.delete(found, segment, axis=1) == pytest.approx(expected, rel=length + 1e-6)
    assert found[:, segment] == pytest.approx(expected[:, segment], rel=1e-4)


@pytest.mark.parametrize("length", [1e-12, 1e-6, 1e-5, 1e-3])
def test_the_moment_at_the_root_does_not_hang_on_a_short_segment_there(length: float) -> None:
    plain = branched()
    one, other = (
        analyse(plant, count=5, cells=2, wood=WOOD, chosen="lowest", cache=False)
        for plant in (plain, lengthened(plain, 1, [length]))
    )
    sign = np.sign((one.shape[:, -1] * other.shape[:, -1]).sum(axis=1))[:, None, None]
    size = np.abs(one.root_moment).max()
    assert other.root_moment * sign == pytest.approx(one.root_moment, abs=float(1e-4 * size))
    size = np.abs(one.static_root_moment).max()
    assert other.static_root_moment == pytest.approx(one.static_root_moment, abs=float(1e-4 * size))


def test_a_column_with_a_short_segment_buckles_when_one_without_it_does() -> None:
    for height, stands in ((13.7, True), (14.1, False)):
        column = lengthened(chain(11, length=height, radius=0.05), 5, [2e-5])
        soft = Wood(E=4.3e9, density=800.0)
        if stands:
            assert analyse(column, count=1, wood=soft, cache=False).frequency[0] > 0
        else:
            with pytest.raises(MechanicsError, match="stand under its own weight"):
                analyse(column, count=1, wood=soft, cache=False)


@pytest.mark.parametrize(("length", "radius"), [(1.0, 1e-90), (1e-160, 0.01), (1e150, 1.0), (1.0, 1e120)])
def test_sizes_beyond_numbers_are_refused_with_a_sentence(length: float, radius: float) -> None:
    position = [[0.0, 0, 0], [0, length, 0], [0, 2 * length, 0]]
    with pytest.raises((PlantError, MechanicsError), match=r"Check its unit|segment"):
        analyse(Plant(parent=[-1, 0, 1], position=position, radius=[radius] * 3), wood=WOOD, cache=False)


def test_a_short_segment_under_a_sheet_is_refused_with_a_sentence() -> None:
    pole = chain(5, length=4.0, radius=0.05)
    cloth = [[[x, y, 0.0] for x in (0.0, 0.5, 1.0)] for y in (3.0, 4.0)]

    def with_flag(plant: Plant, hoist: list[int]) -> Modes:
        flag = Structure(plant, WOOD).with_sheet(cloth, hoist=hoist, thickness=1e-3, E=1e9, density=500.0)
        return analyse_structure(flag, count=2, gravity=False, cache=False)

    with_flag(pole, [3, 4])
    with pytest.raises(MechanicsError, match=r"segment 2 has 1e-05 m\. Join it"):
        with_flag(lengthened(pole, 2, [1e-5]), [4, 5])


def test_a_beam_held_at_both_ends_with_a_short_segment_is_refused_with_a_sentence() -> None:
    beam = lengthened(chain(5, length=4.0, radius=0.05), 2, [1e-5])
    held = np.zeros((6, 6), bool)
    held[[0, -1]] = True
    with pytest.raises(MechanicsError, match="segment 2"):
        analyse(beam, wood=WOOD, held=held, gravity=False, cache=False)
