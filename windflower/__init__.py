"""Plants that move in the wind.

species + seed ─┐                                                        ┌─> render, view, Film
 MTG, QSM file ─┴─> Plant ──> Modes ──┐                                  │
                      │               ├─> Motion ──> Scene ──> Simulation ──> plant_meshes, triangle_mesh, export
                      └───────────────┤                                  │
 speed, gusts, spectra, recordings ─> Wind                               └─> sway, strain, plots

Everything left of an arrow is immutable for everything right of it. Metres, seconds, kilograms, radians; right-handed,
Y up.

    plant = windflower.grow("walnut", seed=3)               # or windflower.read("scan.mtg")
    modes = windflower.analyse(plant)                       # natural frequencies, Hz, and shapes
    windflower.sway(modes, windflower.Wind.beaufort(6))     # how its top moves, m
    windflower.render("oak-in-a-storm", "oak.mp4")          # a scene, to a clip

Every name here is loaded when it is first asked for, so that `import windflower` is quick, and optional libraries are
needed only by those names that use them: `render`, `show`, `Film` and `DeviceSimulation` the extra `render`, `view`
also `view`, plots `plot`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# These two folders have the names of the functions: loaded here, they can no longer take the functions' place.
from windflower.export import export
from windflower.render.rendering import render

if TYPE_CHECKING:
    from windflower.batch import (
        Recipe,
        Sample,
        Sweep,
        Workers,
        make_dataset,
        parse_recipe,
        read_dataset,
        read_recipe,
        sweep_table,
    )
    from windflower.core.device import Gpu, open_gpu
    from windflower.errors import (
        BucklingError,
        FileError,
        GpuError,
        MechanicsError,
        MissingExtraError,
        MotionError,
        PlantError,
        SceneError,
        SpeciesError,
        WindError,
        WindflowerError,
    )
    from windflower.export import EXPORTERS, Exporter
    from windflower.geometry.lod_meshes import LodMeshes, plant_meshes, stand_meshes
    from windflower.geometry.triangle_mesh import TriangleMesh, triangle_mesh
    from windflower.mechanics import (
        Modes,
        Rayleigh,
        Sheet,
        Structure,
        Wood,
        analyse,
        analyse_structure,
        read_modes,
        sheet_alone,
        wood_names,
        wood_of,
    )
    from windflower.mechanics.fitting import Fit, Measured, Pull, fit
    from windflower.mechanics.inventory import Inventory, inventory
    from windflower.mechanics.scans import PreparedScan, prepare_scan
    from windflower.motion import (
        BroadleafConstants,
        BroadleafMotion,
        CantileverMotion,
        Flutter,
        HybridMotion,
        LeafMotion,
        LimpMotion,
        LoopMotion,
        ModalMotion,
        Motion,
        NoiseFilter,
        Places,
        Season,
        Shedding,
        SpectralMotion,
        Strain,
        Sway,
        Touch,
        Twigs,
        hung,
        read_loop,
        sway,
        twigs_of,
    )
    from windflower.motion.looped import LoopedMotion
    from windflower.motion.registry import MOTIONS, MotionKind
    from windflower.motion.settings import MotionSettings
    from windflower.plant.block import joined
    from windflower.plant.graph import Leaves, Plant
    from windflower.plant.growth import grow
    from windflower.plant.importers import IMPORTERS, Importer, read, read_with_report
    from windflower.plant.species import Species, species_names, species_of
    from windflower.plots import (
        plot_fit,
        plot_loop,
        plot_modes,
        plot_plant,
        plot_plants,
        plot_poses,
        plot_risk,
        plot_sheets,
        plot_stand_risk,
        plot_sway,
        plot_trajectories,
        plot_wind,
        save_plot,
    )
    from windflower.render.film import Film
    from windflower.render.passes.pass_pictures import pass_picture
    from windflower.scene import (
        Camera,
        Ground,
        Scene,
        SceneSettings,
        Stand,
        Sun,
        View,
        parse_scene,
        read_scene,
        save_scene,
        scene_names,
    )
    from windflower.scene import build as build_scene
    from windflower.simulation import DeviceSimulation, Simulation
    from windflower.viewer import view, widget
    from windflower.web.notebook import LivePage, show
    from windflower.wind import (
        PRESETS,
        SOURCES,
        ArrayWind,
        DragForces,
        Explosion,
        Fan,
        ForcePrimitive,
        ForceWind,
        Front,
        Gust,
        Gusts,
        Profile,
        Recording,
        SourceSettings,
        Steady,
        TurbSimWind,
        Turbulence,
        VelocityGrid,
        Vortex,
        Wind,
        pole_wake,
        preset,
        wind_from,
        wind_speed,
    )
    from windflower.windthrow import Exposure, StandRisk, TreeRisk, risk, stand_risk

__version__ = "0.2.0"
__all__ = [
    "EXPORTERS",
    "IMPORTERS",
    "MOTIONS",
    "PRESETS",
    "SOURCES",
    "ArrayWind",
    "BroadleafConstants",
    "BroadleafMotion",
    "BucklingError",
    "Camera",
    "CantileverMotion",
    "DeviceSimulation",
    "DragForces",
    "Explosion",
    "Exporter",
    "Exposure",
    "Fan",
    "FileError",
    "Film",
    "Fit",
    "Flutter",
    "ForcePrimitive",
    "ForceWind",
    "Front",
    "Gpu",
    "GpuError",
    "Ground",
    "Gust",
    "Gusts",
    "HybridMotion",
    "Importer",
    "Inventory",
    "LeafMotion",
    "Leaves",
    "LimpMotion",
    "LivePage",
    "LodMeshes",
    "LoopMotion",
    "LoopedMotion",
    "Measured",
    "MechanicsError",
    "MissingExtraError",
    "ModalMotion",
    "Modes",
    "Motion",
    "MotionError",
    "MotionKind",
    "MotionSettings",
    "NoiseFilter",
    "Places",
    "Plant",
    "PlantError",
    "PreparedScan",
    "Profile",
    "Pull",
    "Rayleigh",
    "Recipe",
    "Recording",
    "Sample",
    "Scene",
    "SceneError",
    "SceneSettings",
    "Season",
    "Shedding",
    "Sheet",
    "Simulation",
    "SourceSettings",
    "Species",
    "SpeciesError",
    "SpectralMotion",
    "Stand",
    "StandRisk",
    "Steady",
    "Strain",
    "Structure",
    "Sun",
    "Sway",
    "Sweep",
    "Touch",
    "TreeRisk",
    "TriangleMesh",
    "TurbSimWind",
    "Turbulence",
    "Twigs",
    "VelocityGrid",
    "View",
    "Vortex",
    "Wind",
    "WindError",
    "WindflowerError",
    "Wood",
    "Workers",
    "analyse",
    "analyse_structure",
    "build_scene",
    "export",
    "fit",
    "grow",
    "hung",
    "inventory",
    "joined",
    "make_dataset",
    "open_gpu",
    "parse_recipe",
    "parse_scene",
    "pass_picture",
    "plant_meshes",
    "plot_fit",
    "plot_loop",
    "plot_modes",
    "plot_plant",
    "plot_plants",
    "plot_poses",
    "plot_risk",
    "plot_sheets",
    "plot_stand_risk",
    "plot_sway",
    "plot_trajectories",
    "plot_wind",
    "pole_wake",
    "prepare_scan",
    "preset",
    "read",
    "read_dataset",
    "read_loop",
    "read_modes",
    "read_recipe",
    "read_scene",
    "read_with_report",
    "render",
    "risk",
    "save_plot",
    "save_scene",
    "scene_names",
    "sheet_alone",
    "show",
    "species_names",
    "species_of",
    "stand_meshes",
    "stand_risk",
    "sway",
    "sweep_table",
    "triangle_mesh",
    "twigs_of",
    "view",
    "widget",
    "wind_from",
    "wind_speed",
    "wood_names",
    "wood_of",
]

_HOMES = {
    "windflower.batch": ("Recipe Sample Sweep Workers make_dataset parse_recipe read_dataset read_recipe sweep_table"),
    "windflower.core.device": "Gpu open_gpu",
    "windflower.errors": (
        "BucklingError FileError GpuError MechanicsError MissingExtraError MotionError PlantError SceneError "
        "SpeciesError WindError WindflowerError"
    ),
    "windflower.export": "EXPORTERS Exporter",
    "windflower.geometry.lod_meshes": "LodMeshes plant_meshes stand_meshes",
    "windflower.geometry.triangle_mesh": "TriangleMesh triangle_mesh",
    "windflower.mechanics.fitting": "Fit Measured Pull fit",
    "windflower.mechanics.inventory": "Inventory inventory",
    "windflower.mechanics.scans": "PreparedScan prepare_scan",
    "windflower.mechanics": (
        "Modes Rayleigh Sheet Structure Wood analyse analyse_structure read_modes sheet_alone wood_names wood_of"
    ),
    "windflower.motion": (
        "BroadleafConstants BroadleafMotion CantileverMotion Flutter HybridMotion LeafMotion LimpMotion LoopMotion "
        "ModalMotion Motion NoiseFilter Places Season Shedding SpectralMotion Strain Sway Touch Twigs hung read_loop "
        "sway twigs_of"
    ),
    "windflower.motion.looped": "LoopedMotion",
    "windflower.motion.registry": "MOTIONS MotionKind",
    "windflower.motion.settings": "MotionSettings",
    "windflower.plant.block": "joined",
    "windflower.plant.graph": "Leaves Plant",
    "windflower.plant.growth": "grow",
    "windflower.plant.importers": "IMPORTERS Importer read read_with_report",
    "windflower.plant.species": "Species species_names species_of",
    "windflower.plots": (
        "plot_fit plot_loop plot_modes plot_plant plot_plants plot_poses plot_risk plot_sheets plot_stand_risk "
        "plot_sway plot_trajectories plot_wind save_plot"
    ),
    "windflower.render.film": "Film",
    "windflower.render.passes.pass_pictures": "pass_picture",
    "windflower.scene": (
        "Camera Ground Scene SceneSettings Stand Sun View build_scene=build parse_scene read_scene save_scene "
        "scene_names"
    ),
    "windflower.simulation": "DeviceSimulation Simulation",
    "windflower.viewer": "view widget",
    "windflower.web.notebook": "LivePage show",
    "windflower.wind": (
        "PRESETS SOURCES ArrayWind DragForces Explosion Fan ForcePrimitive ForceWind Front Gust Gusts Profile "
        "Recording SourceSettings Steady Turbulence TurbSimWind VelocityGrid Vortex Wind pole_wake preset wind_from "
        "wind_speed"
    ),
    "windflower.windthrow": "Exposure StandRisk TreeRisk risk stand_risk",
}
"""Where each name is at home, for those who ask at run time; the imports above say the same to type checkers."""

if not TYPE_CHECKING:  # a checker that saw this would take every misspelt name for a name
    _HOME = {
        name.split("=")[0]: (module, name.split("=")[-1]) for module, names in _HOMES.items() for name in names.split()
    }

    def __getattr__(name):
        if name not in _HOME:
            raise AttributeError(f"module 'windflower' has no attribute {name!r}")
        module, attribute = _HOME[name]
        found = globals()[name] = getattr(import_module(module), attribute)
        return found


def __dir__() -> list[str]:
    return __all__
