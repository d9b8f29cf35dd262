"""A plant with the loops that it plays in some winds, as binary glTF with a skin."""

from importlib.metadata import version
from pathlib import Path

from windflower.export.exporter import Exporter
from windflower.export.loops import loop_stand
from windflower.export.moving_plant import MovingPlant
from windflower.export.settings import ExportSettings, Report
from windflower.export.skinned_glb import skinned_glb
from windflower.plant.graph import Plant

__all__ = ["GLB"]

FIRST, MOST = 16, 1024  # joints that are tried for an error


def _write(plant: Plant, path: Path, how: ExportSettings, report: Report) -> list[str]:
    stands = []
    for number, speed in enumerate(how.winds):
        report(f"recording the loop in {speed:g} m/s", 0.6 * number / len(how.winds))
        stands.append(loop_stand(plant, speed, how.seconds))
    names = [f"wind {speed:g} m/s" for speed in how.winds]
    report("fitting the skeleton", 0.6)
    moving = MovingPlant(stands, names, joints=_fewest(how), fps=how.fps, triangles=how.triangles)
    if how.within is not None:
        moving = _within(moving, how.within, report)
    report("writing", 0.9)
    path.write_bytes(skinned_glb(moving, plant.species, f"Windflower {version('windflower')}", pixels=how.pixels))
    return [_what(moving), *(_error(moving, number) for number in range(len(names)))]


def _fewest(how: ExportSettings) -> int:
    return FIRST if how.within is not None else how.joints


def _within(moving: MovingPlant, within: float, report: Report) -> MovingPlant:
    """The rig with twice as many joints, and so on, until it is within an error in all clips."""
    while len(moving.rig) < MOST and max(moving.error(clip)[0] for clip in moving.clips) > within:
        before = len(moving.rig)
        report(f"fitting {2 * before} joints", 0.7)
        moving = moving.with_joints(2 * before)
        if len(moving.rig) == before:
            break
    return moving


def _what(moving: MovingPlant) -> str:
    return f"{len(moving.bound.triangle):,} triangles on {len(moving.rig)} joints"


def _error(moving: MovingPlant, number: int) -> str:
    clip = moving.clips[number]
    wrong, motion = moving.error(clip)
    share = 100 * wrong / max(motion, 1e-9)
    return (
        f"{clip.name}: vertices are {1000 * wrong:.1f} mm rms from the posed mesh, {share:.1f} % of their motion of "
        f"{1000 * motion:.0f} mm"
    )


GLB = Exporter(
    title="a glTF file",
    takes=(Plant,),
    write=_write,
    applies=frozenset({"winds", "seconds", "fps", "joints", "within", "triangles", "pixels"}),
)
