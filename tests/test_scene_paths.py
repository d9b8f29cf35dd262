"""A scene from a stranger reads what lies in its own folder, and nothing else unless the user allows it."""

import sys
from pathlib import Path

import numpy as np
import pytest

import windflower
from windflower.cli import main
from windflower.errors import SceneError
from windflower.scene import SceneSettings, parse_scene, read_scene, save_scene, scene_names, settings_of
from windflower.viewer.session import Session

NAMES = {
    "stands[0].plant": '[[stands]]\nplant = "{}.npz"',
    "stands[1].plant": '[[stands]]\nplant = "oak"\n[[stands]]\nplant = "{}.toml"',
    "stands[0].density.file": '[[stands]]\nplant = "oak"\ndensity = {{ file = "{}.png", size = [9, 9] }}\narea = '
    '{{ kind = "circle", radius = 9 }}',
    "wind.file": '[[stands]]\nplant = "oak"\n[wind]\nfile = "{}.csv"',
    "ground.terrain.file": '[[stands]]\nplant = "oak"\n[ground]\nterrain = {{ file = "{}.npy" }}',
}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of a scene, and one outside of it, which has a plant."""
    mine, other = tmp_path / "mine", tmp_path / "other folder"
    mine.mkdir()
    other.mkdir()
    windflower.grow("palm", detail=0.05).save(other / "palm.npz")
    return mine, other


@pytest.mark.parametrize("key", NAMES)
@pytest.mark.parametrize("way", ["absolute", "up", "link"])
def test_a_file_outside_of_the_scenes_folder_is_refused(key: str, way: str, folders: tuple[Path, Path]) -> None:
    mine, other = folders
    (mine / "inside").symlink_to(other)
    name = {"absolute": f"{other.as_posix()}/a", "up": "../other folder/a", "link": "inside/a"}[way]
    (mine / "scene.toml").write_text(NAMES[key].format(name))
    with pytest.raises(SceneError) as error:
        read_scene(mine / "scene.toml")
    assert str(error.value).startswith(f"scene.toml: {key}: a scene names files in its own folder, {mine}; {other}/a.")
    assert str(error.value).endswith(f"allow that folder: --allow '{other}'")
    assert read_scene(mine / "scene.toml", allow=[other])
    assert settings_of(mine / "scene.toml", allow=[other.parent])


def test_a_link_to_a_file_outside_is_refused(folders: tuple[Path, Path]) -> None:
    mine, other = folders
    (mine / "palm.npz").symlink_to(other / "palm.npz")
    (mine / "scene.toml").write_text('[[stands]]\nplant = "palm.npz"')
    with pytest.raises(SceneError, match="outside of it"):
        read_scene(mine / "scene.toml")
    with pytest.raises(SceneError, match="outside of it"):
        windflower.render(mine / "scene.toml", mine / "a.png")


def test_files_in_the_folder_and_below_need_no_leave(folders: tuple[Path, Path]) -> None:
    mine, other = folders
    (mine / "deep").mkdir()
    (mine / "deep" / "palm.npz").write_bytes((other / "palm.npz").read_bytes())
    (mine / "link.npz").symlink_to(mine / "deep" / "palm.npz")
    for name in ("deep/palm.npz", "deep/../link.npz", (mine / "link.npz").as_posix()):
        (mine / "scene.toml").write_text(f'[[stands]]\nplant = "{name}"')
        assert Path(read_scene(mine / "scene.toml").stands[0].plant) == mine.resolve() / "deep" / "palm.npz"


@pytest.mark.parametrize("name", ["a\\u0000b.npz", "loop/x.npz", "x" * 300 + ".npz"])
def test_a_name_that_no_file_can_have_is_one_sentence(name: str, folders: tuple[Path, Path]) -> None:
    mine, _ = folders
    (mine / "loop").symlink_to(mine / "loop")
    (mine / "scene.toml").write_text(f'[[stands]]\nplant = "{name}"')
    with pytest.raises(windflower.WindflowerError):
        windflower.build_scene(read_scene(mine / "scene.toml"))


def test_settings_made_in_python_name_any_file(folders: tuple[Path, Path]) -> None:
    _, other = folders
    settings = parse_scene(f'[[stands]]\nplant = "{(other / "palm.npz").as_posix()}"')
    assert windflower.build_scene(settings).trees == 1


def test_built_in_scenes_name_no_files() -> None:
    from windflower.scene.named_files import named_files

    assert [file for name in scene_names() for file in named_files(read_scene(name))] == []


def test_the_command_line_allows_a_folder(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, other = folders
    (mine / "scene.toml").write_text('[[stands]]\nplant = "../other folder/palm.npz"')
    seen: list[SceneSettings] = []

    def built(settings: SceneSettings, *_: object) -> None:
        seen.append(settings)
        sys.exit(0)

    monkeypatch.setattr("windflower.cli.scenes.built", built)
    for options, status in ([], 2), (["--allow", str(mine), "--allow", str(other)], 0):
        arguments = ["windflower", "render", str(mine / "scene.toml"), "-o", str(mine / "a.png"), *options]
        monkeypatch.setattr(sys, "argv", arguments)
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == status
    assert "--allow" in capsys.readouterr().err
    assert Path(seen[0].stands[0].plant) == other.resolve() / "palm.npz"


def test_a_scene_saved_in_the_window_says_what_opens_it_again(folders: tuple[Path, Path]) -> None:
    mine, other = folders
    session = Session(settings_of(other / "palm.npz"), folder=mine)
    session.save("scene.toml")
    assert session.message == (
        f"saved {mine}/scene.toml; to open it: windflower view {mine}/scene.toml --allow '{other}'"
    )
    session.open("scene.toml")
    assert session.message == "opening scene.toml"
    session.builder.take()
    inside = Session(settings_of(other / "palm.npz"), folder=other)
    inside.save("scene.toml")
    assert inside.message == f"saved {other}/scene.toml"
    assert read_scene(other / "scene.toml").stands[0].plant == str(other.resolve() / "palm.npz")


def test_a_saved_map_and_wind_open_again_from_beside(tmp_path: Path) -> None:
    np.save(tmp_path / "hills.npy", np.arange(16.0).reshape(4, 4))
    (tmp_path / "wind.csv").write_text("time,u,v\n0,1,0\n1,2,0\n")
    text = '[[stands]]\nplant = "palm"\n[wind]\nfile = "wind.csv"\n[ground]\nterrain = { file = "hills.npy" }'
    (tmp_path / "scene.toml").write_text(text)
    save_scene(read_scene(tmp_path / "scene.toml"), tmp_path / "copy.toml")
    assert 'file = "hills.npy"' in (tmp_path / "copy.toml").read_text()
    assert read_scene(tmp_path / "copy.toml") == read_scene(tmp_path / "scene.toml")
