"""The command that finds critical winds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.table import Table

from windflower.cli.console import console, notice, print_json
from windflower.cli.options import AsJson, PlotFileIfAny, option
from windflower.cli.plant_options import PlantOptions, takes_a_plant
from windflower.core.text import plain

if TYPE_CHECKING:
    from windflower.windthrow import StandRisk, TreeRisk

__all__ = ["risk"]

LEAF_AREA = 4.0  # of a closed stand
SHOWN = 12  # trees of a scene in the table: the weakest


@takes_a_plant
def risk(
    name: Annotated[
        str, typer.Argument(metavar="PLANT|SCENE", help="A species, a plant's file, or a scene: each of its trees.")
    ],
    plant: PlantOptions,
    stand: Annotated[
        str, typer.Option("--stand", metavar="WHERE", help="For one tree: open, or at the edge or inside of a stand.")
    ] = "open",
    spacing: Annotated[
        float | None, option("Distance between the trees of the stand, m; by default 0.15 heights.", 0.2, 100)
    ] = None,
    leaf_area: Annotated[float, option("Leaf area of the stand, on each m² of ground.", 0.1, 20)] = LEAF_AREA,
    directions: Annotated[int, option("From how many directions the wind blows, 1 to 72.", 1, 72)] = 8,
    strength: Annotated[
        float | None, option("Bending strength of the green wood, knots included, MPa.", 0.1, 1000)
    ] = None,
    anchorage: Annotated[
        float | None, option("Moment that roots bear for each kg of stem, N·m/kg (C_reg).", 1, 10_000)
    ] = None,
    out: PlotFileIfAny = None,
    as_json: AsJson = False,
) -> None:
    """Find the winds at which a tree's stem breaks and its roots give way, by direction; of a scene, for every tree.

    Speeds are means of an hour at 10 m over open country; gusts are counted in. Strengths are those of ForestGALES.

    Example: windflower risk spruce --stand inside --spacing 3, or windflower risk forest --json
    """
    from windflower.scene.subjects import is_scene

    if is_scene(name):
        _check_of_scene(stand=stand != "open", spacing=spacing, leaf_area=leaf_area != LEAF_AREA, strength=strength)
        _check_of_scene(anchorage=anchorage)
        _scene(name, plant.stand(), directions, out, as_json)
        return
    from windflower.windthrow import Exposure
    from windflower.windthrow import risk as risk_of

    ready = plant.of(name)
    if stand not in ("open", "edge", "inside"):
        raise typer.BadParameter(f"a tree stands open, edge or inside; it is '{stand[:40]}'")
    if stand == "open" and spacing is not None:
        raise typer.BadParameter("--spacing is that of a stand; this tree stands open. Add --stand inside or edge")
    apart = None if stand == "open" else spacing or 0.15 * ready.plant.height
    with console.status("finding critical winds"):
        found = risk_of(
            ready.plant,
            exposure=Exposure(kind=stand, spacing=apart, leaf_area=leaf_area),  # type: ignore[arg-type] # as checked
            directions=directions,
            strength=None if strength is None else 1e6 * strength,
            anchorage=anchorage,
            wood=plant.wood,
            leaves=plant.leaves,
            gravity=ready.gravity,
        )
    if as_json:
        print_json(_facts(found))
    else:
        _print(found)
    notice(f"{found.terms}.")
    _plot(found, out)


def _check_of_scene(**given: Any) -> None:
    """Refuse what is said of one tree where a scene has trees of its own."""
    for option_name, value in given.items():
        if value:
            flag = option_name.replace("_", "-")
            raise typer.BadParameter(
                f"--{flag} is said of one tree; a scene has its trees where they stand. Leave it out"
            )


def _scene(name: str, stand: dict[str, Any], directions: int, out: Path | None, as_json: bool) -> None:
    from windflower.cli.names import scene_named
    from windflower.scene import build
    from windflower.windthrow import stand_risk

    settings = scene_named(name, stand=stand)
    with console.status("finding critical winds"):
        found = stand_risk(build(settings), directions=directions)
    if as_json:
        print_json(_stand_facts(found))
    else:
        _print_stand(found)
    notice(f"{found.terms}.")
    _plot(found, out)


def _plot(found: "TreeRisk | StandRisk", out: Path | None) -> None:
    if out is not None:
        from windflower.plots.figure import save_plot
        from windflower.plots.risk import plot_risk, plot_stand_risk
        from windflower.windthrow import TreeRisk

        save_plot(plot_risk(found) if isinstance(found, TreeRisk) else plot_stand_risk(found), out)
        notice(f"→ {out}")


def _print(found: "TreeRisk") -> None:
    table = Table("wind from", "stem breaks", "at top", "at height", "thick", "roots give way", "at top")
    for i, direction in enumerate(found.direction):
        table.add_row(
            f"{direction:.0f}°",
            _speed(found.breaks[i]),
            _speed(found.breaks_at_top[i]),
            f"{found.node_height[i]:.1f} m (node {found.node[i]})",
            f"{100 * found.node_diameter[i]:.0f} cm",
            _speed(found.overturns[i]),
            _speed(found.overturns_at_top[i]),
        )
    console.print(table)
    worst = found.worst
    knots = f"{plain(found.strength / 1e6, 3)} MPa with knots"
    stem, roots = found.breaking_moment[worst] / 1000, found.overturning_moment / 1000
    console.print(
        f"It fails first by {found.fails_by}, at {_speed(found.critical)} from {found.direction[worst]:.0f}°"
        f"{_elsewhere(found)}. The stem "
        f"bears {plain(stem, 3)} kN·m at the foot ({knots}), the roots {plain(roots, 3)} kN·m; the largest "
        f"moment of an hour is {found.gust[worst]:.2g} times the mean one."
    )


def _elsewhere(found: "TreeRisk") -> str:
    """The lowest critical wind of a tree in a stand at the heights of forest models."""
    if found.exposure.kind == "open" or not np.isfinite(found.critical):
        return ""
    by_roots = found.fails_by == "overturning"
    at_top = (found.overturns_at_top if by_roots else found.breaks_at_top)[found.worst]
    aloft = _speed(found.critical * found.over_stand)
    return f": then {_speed(at_top)} blow at the top inside the stand, and {aloft} 10 m above its zero plane"


def _print_stand(found: "StandRisk") -> None:
    table = Table("tree", "x, z", "stem breaks", "roots give way", "wind from", "reaching its top")
    order = np.argsort(found.critical, kind="stable")
    for tree in order[:SHOWN]:
        lower = np.minimum(found.breaks[tree], found.overturns[tree])
        worst = int(np.argmin(lower))
        table.add_row(
            found.name[tree],
            f"{found.position[tree, 0]:.0f}, {found.position[tree, 2]:.0f} m",
            _speed(found.breaks[tree].min()),
            _speed(found.overturns[tree].min()),
            f"{found.direction[worst]:.0f}°",
            f"{found.reaching[tree, worst]:.0%}",
        )
    console.print(table)
    parts = np.percentile(found.critical, [0, 10, 50])
    console.print(
        f"{len(found.critical):,} trees: the first fails at {_speed(parts[0])}, a tenth by {_speed(parts[1])}, half by "
        f"{_speed(parts[2])}."
    )


def _speed(value: float) -> str:
    return f"{value:.1f} m/s" if np.isfinite(value) else "never"


def _facts(found: "TreeRisk") -> dict[str, Any]:
    keys = ("direction", "breaks", "overturns", "breaks_at_top", "overturns_at_top", "node", "node_height")
    more = ("node_diameter", "breaking_moment", "gust")
    return {
        "terms": found.terms,
        "stands": found.exposure.kind,
        "fails_by": found.fails_by,
        "critical": _finite(found.critical),
        "overturning_moment": found.overturning_moment,
        "strength": found.strength,
        "over_stand": found.over_stand,
        **{key: [_finite(one) for one in getattr(found, key).tolist()] for key in (*keys, *more)},
    }


def _stand_facts(found: "StandRisk") -> dict[str, Any]:
    return {
        "terms": found.terms,
        "direction": found.direction.tolist(),
        "trees": [
            {
                "name": found.name[i],
                "position": found.position[i].tolist(),
                "critical": _finite(float(found.critical[i])),
                "breaks": [_finite(one) for one in found.breaks[i].tolist()],
                "overturns": [_finite(one) for one in found.overturns[i].tolist()],
                "reaching": found.reaching[i].tolist(),
            }
            for i in range(len(found.name))
        ],
    }


def _finite(value: float) -> float | None:
    """JSON has no infinity: null is for a wind that never comes."""
    return value if np.isfinite(value) else None
