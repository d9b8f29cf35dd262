"""What `import windflower` offers: every name exists, is documented and typed, and is loaded when it is asked for."""

import ast
import inspect
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import windflower
from windflower.core.device import Gpu
from windflower.errors import FileError, SceneError
from windflower.motion import Motion
from windflower.scene import scene_of

PACKAGE = Path(windflower.__file__).parent
OPTIONAL = {"matplotlib", "wgpu", "PIL", "rendercanvas", "imgui_bundle", "glfw", "imageio_ffmpeg", "typer", "rich"}
CALLABLE = [name for name in windflower.__all__ if callable(getattr(windflower, name))]
CLASSES = [name for name in windflower.__all__ if inspect.isclass(getattr(windflower, name))]
ON_THEIR_OWN = """
import sys
import importlib.abc

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {optional}:
            raise ImportError(f"{{name}} is not here", name=name)

sys.meta_path.insert(0, Blocked())
{code}
"""


def run_without_optional_libraries(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ON_THEIR_OWN.format(optional=OPTIONAL, code=code)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_it_offers_all_that_a_user_needs() -> None:
    needed = """
        grow read read_with_report species_names species_of analyse read_modes sway Plant Leaves Species Modes Wood
        ModalMotion SpectralMotion LoopMotion read_loop CantileverMotion HybridMotion BroadleafMotion LoopedMotion
        LeafMotion Season Shedding Twigs Places Touch Stand Wind wind_from preset Steady Gust Gusts Turbulence Vortex
        Fan Explosion Front Recording TurbSimWind ArrayWind read_scene parse_scene save_scene scene_names build_scene
        Scene SceneSettings Simulation DeviceSimulation render view Film plot_plant plot_modes plot_sway plot_wind
        plot_loop save_plot export plant_meshes triangle_mesh MOTIONS SOURCES IMPORTERS EXPORTERS
    """
    assert set(needed.split()) <= set(windflower.__all__)


def test_every_registered_motion_and_every_error_is_offered() -> None:
    from windflower import errors

    assert set(errors.__all__) <= set(windflower.__all__)
    offered = {getattr(windflower, name).kind for name in CLASSES if issubclass(getattr(windflower, name), Motion)}
    assert offered >= set(windflower.MOTIONS)


def test_names_are_in_order_and_once() -> None:
    def group(name: str) -> int:
        return 0 if name.isupper() else 1 if name[0].isupper() else 2

    assert all((group(one), one) < (group(other), other) for one, other in pairwise(windflower.__all__))


def test_nothing_else_is_public() -> None:
    assert dir(windflower) == sorted(windflower.__all__)
    with pytest.raises(AttributeError, match="no attribute 'grew'"):
        getattr(windflower, "grew")  # noqa: B009 - mypy knows that it is not there


@pytest.mark.parametrize("name", CALLABLE)
def test_a_name_is_documented(name: str) -> None:
    found = getattr(windflower, name)
    assert found.__doc__
    assert found.__doc__.split(maxsplit=1)[0] != f"{name}(", "only the signature that a dataclass makes"


@pytest.mark.parametrize("name", [name for name in CALLABLE if name not in CLASSES])
def test_a_function_is_typed(name: str) -> None:
    signature = inspect.signature(getattr(windflower, name))
    untyped = [one.name for one in signature.parameters.values() if one.annotation is inspect.Parameter.empty]
    assert untyped == []
    assert signature.return_annotation is not inspect.Signature.empty


@pytest.mark.parametrize("name", [name for name in windflower.__all__ if name.startswith("plot_")])
def test_a_plot_returns_its_axes(name: str) -> None:
    assert inspect.signature(getattr(windflower, name)).return_annotation in {"Axes", "list[Axes]"}


def test_type_checkers_are_told_the_same_homes_as_python() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    told = {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("windflower.")
        for alias in node.names
    }
    homes = {name: ":".join(home) for name, home in vars(windflower)["_HOME"].items()}
    eager = {"export": "windflower.export:export", "render": "windflower.render.rendering:render"}
    assert told == {**homes, **eager}
    assert set(told) == set(windflower.__all__)


def test_folders_never_take_the_place_of_functions() -> None:
    import windflower.export.csv_table
    import windflower.render.film  # which binds the folders to their names, if anything does

    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir()} | {"errors"}
    assert rooms & set(windflower.__all__) == {"export", "render"}
    assert inspect.isfunction(windflower.export)
    assert inspect.isfunction(windflower.render)


def test_import_is_light() -> None:
    code = "import sys, windflower; heavy = {'numpy', 'scipy', 'pydantic'} & set(sys.modules); assert not heavy, heavy"
    run_without_optional_libraries(code)


def test_all_names_load_where_no_optional_library_is_installed() -> None:
    run_without_optional_libraries(
        "from windflower import *\nimport windflower\nassert set(windflower.__all__) <= set(globals())"
    )


def test_what_needs_an_extra_says_so() -> None:
    run_without_optional_libraries(
        "import windflower\n"
        "def told(call):\n"
        "    try:\n"
        "        call()\n"
        "    except windflower.WindflowerError as error:\n"
        "        return str(error)\n"
        "oak = windflower.grow('oak', detail=0.05)\n"
        "assert '.[plot]' in told(lambda: windflower.plot_plant(oak))\n"
        "assert '.[render]' in told(windflower.open_gpu)\n"
        "assert '.[view]' in told(windflower.view)\n"
    )


SCENE = 'size = [96, 64]\nseconds = 0.2\nfps = 10\n[[stands]]\nplant = "hazel-bush"\ndetail = 0.1\n'


def test_frames_come_one_after_another(gpu: Gpu) -> None:
    scene = windflower.parse_scene(SCENE)
    frames = list(windflower.render(scene, quality="draft"))
    assert [frame.shape for frame in frames] == [(64, 96, 3)] * 2
    assert (frames[0] != frames[1]).any()
    later = next(windflower.render(windflower.build_scene(scene), at=0.1, seconds=0, quality="draft"))
    # It has other samples of the same picture.
    assert np.abs(later.astype(float) - frames[1]).mean() < 0.5 * np.abs(later.astype(float) - frames[0]).mean()
    assert gpu.summary


def test_a_suffix_tells_a_picture_from_a_clip(gpu: Gpu, tmp_path: Path) -> None:
    bush = windflower.grow("hazel-bush", detail=0.05)
    picture = windflower.render(bush, tmp_path / "bush.png", at=0.5, size=(64, 48), quality="draft")
    assert picture.read_bytes()[:4] == b"\x89PNG"
    scene = tmp_path / "scene.toml"
    scene.write_text(SCENE, "utf-8")
    folder = windflower.render(scene, str(tmp_path / "frames"), fps=5, quality="draft")
    assert [path.name for path in folder.iterdir()] == ["00000.png"]
    assert gpu.summary


def test_a_plant_at_hand_is_shown_as_it_is() -> None:
    bush = windflower.grow("hazel-bush", seed=7, detail=0.05)
    scene = scene_of(bush, size=(64, 48))
    assert scene.stands[0].plant is bush
    assert (scene.size, scene.trees) == ((64, 48), 1)
    height = np.linspace(0, 2, 7)
    stick = windflower.Plant(parent=range(-1, 6), position=np.outer(height, [0, 1, 0]), radius=np.full(7, 0.01))
    assert scene_of(stick).stands[0].plant is stick


def test_what_cannot_be_rendered_is_refused_before_work_is_done(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'bush\.gif' does neither"):
        windflower.render("oak", "bush.gif")
    with pytest.raises(FileError, match="did you mean 'oak'"):
        windflower.render("oka", tmp_path / "oak.png")
    with pytest.raises(SceneError, match="16 to 16384 each; it is"):
        windflower.render("oak", tmp_path / "oak.png", size=(5, 5))
