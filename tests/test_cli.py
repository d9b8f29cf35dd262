"""The command line as a person meets it, in a process of its own where it matters and in this one where it is quick."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name

import pytest

import windflower
from windflower.cli import main
from windflower.cli.commands import COMMANDS
from windflower.cli.options import counted

Says = Callable[..., tuple[int, str, str]]


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["windflower", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.fixture
def windflower_says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Says:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return lambda *words: run(capsys, monkeypatch, *words)


def test_species_are_listed(windflower_says: Says) -> None:
    code, out, _ = windflower_says("species")
    assert code == 0
    assert all(name in out for name in windflower.species_names())


def test_a_plant_is_grown_saved_and_described(windflower_says: Says, tmp_path: Path) -> None:
    code, out, _ = windflower_says("grow", "walnut", "--seed", "3", "--detail", "0.2", "-o", "tree.npz")
    assert code == 0
    assert "tree.npz" in out
    plant = windflower.read(tmp_path / "tree.npz")
    assert plant.seed == 3
    code, out, _ = windflower_says("info", "tree.npz")
    assert code == 0
    assert f"{plant.nodes:,}" in out
    assert f"{plant.height:.3f} m" in out


@pytest.mark.parametrize("plant", ["banana", "giant-kelp"])
def test_a_picture_is_drawn(windflower_says: Says, tmp_path: Path, plant: str) -> None:
    code, _, _ = windflower_says("show", plant, "-o", "picture.png", "--detail", "0.3")
    assert code == 0
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_a_plant_has_the_size_that_is_asked_for(windflower_says: Says, tmp_path: Path) -> None:
    from PIL import Image

    windflower.grow("violet", detail=0.3).save(tmp_path / "violet.npz")
    code, _, err = windflower_says("show", "violet.npz", "-o", "wide.png", "--size", "400x250")
    assert code == 0
    assert err == ""  # of a plant that was saved here there is nothing to tell
    with Image.open(tmp_path / "wide.png") as picture:
        assert picture.size == (400, 250)


def test_benchmarks_speak_json(windflower_says: Says, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windflower.bench.growth.bench_growth", lambda: [{"plants": "one", "seconds": 0.5}])
    code, out, _ = windflower_says("bench", "growth", "--json")
    assert code == 0
    assert json.loads(out) == [{"plants": "one", "seconds": 0.5}]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["grow", "wallnut"], "did you mean 'walnut'?"),
        (["grow", "walnut", "--detail", "-1"], "must be a number from 0.001 to 100, and is -1"),
        (["grow", "walnut", "--seed", "one"], "'--seed': it must be a whole number, and is 'one'"),
        (["sway", "walnut", "--seconds", "10s"], "'--seconds': it must be a number without a unit, and is '10s'"),
        (["grow", "walnut", "-o", "no/such/folder/tree.npz"], "the folder of an output file must exist"),
        (["grow", "walnut", "-o", "tree.png"], "saved as .npz"),
        (["show", "walnut", "-o", "tree.gif"], "a plot is saved as .png, .svg"),
        (["show", "walnut"], "Missing option"),
        (["info", "no-such-file.mtg"], "there is no file 'no-such-file.mtg'; check its name"),
        (["render", "no/scene.toml", "-o", "clip.mp4"], "there is no file 'no/scene.toml'"),
        (["wind", "mast.csv", "-o", "wind.png"], "there is no file 'mast.csv'"),
        (["wind", "hurrican", "-o", "wind.png"], "did you mean 'hurricane'?"),
        (["info", "."], "."),
        (["info", "wallnut"], "did you mean 'walnut'?"),
        (["info", "forest"], "it is a scene: use windflower view forest"),
        (["grow", "flag"], "use windflower loop flag"),
        (["modes", "walnut", "-o", "no/such/folder/modes.png"], "the folder of an output file must exist"),
        (["risk", "hazel-bush", "--detail", "0.05", "--spacing", "3"], "Add --stand inside"),
        (["export", "hazel-bush", "--within", "5", "-o", "bush.glb"], "a length such as 5mm"),
        (["dance"], "No such command 'dance'"),
        (["bench", "nothing"], "a benchmark is one of"),
        (["bench", "cantilevers"], "did you mean 'cantilever'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(windflower_says: Says, words: list[str], rule: str) -> None:
    code, out, err = windflower_says(*words)
    assert code == 2
    assert err.startswith("windflower: ")
    assert err.count("\n") == 1
    assert rule in err
    assert "Traceback" not in out + err


def test_a_damaged_file_is_one_line(windflower_says: Says, tmp_path: Path) -> None:
    (tmp_path / "tree.npz").write_bytes(b"PK\x03\x04 not really")
    code, _, err = windflower_says("info", "tree.npz")
    assert code == 2
    assert err.count("\n") == 1


def test_the_installed_command_helps() -> None:
    done = subprocess.run([sys.executable, "-m", "windflower", "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "Plants that move in the wind" in done.stdout


def test_the_version_is_that_of_the_project(windflower_says: Says) -> None:
    table = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    assert "version" not in table["project"], "it stands in one place, windflower/__init__.py"
    assert table["tool"]["hatch"]["version"]["path"] == "windflower/__init__.py"
    assert windflower_says("--version") == (0, f"windflower {windflower.__version__}\n", "")


def test_help_lists_every_command_with_a_sentence_and_shows_how_each_is_typed(windflower_says: Says) -> None:
    listed = " ".join(re.sub("[│╭╰╮╯─]", "", windflower_says("--help")[1]).split())
    commands = [resolve_name(f"windflower.cli.{target}") for panel in COMMANDS.values() for target in panel]
    assert len(commands) >= 16
    for command in commands:
        name, summary = command.__name__.replace("_", "-"), command.__doc__.partition("\n")[0]
        assert summary.endswith(".")
        assert f"{name} {summary}" in listed
        code, out, _ = windflower_says(name, "--help")
        assert code == 0
        assert f"Example: windflower {name}" in out
        assert "<bool>" not in out  # as if a flag took a value


def test_help_loads_neither_graphics_nor_plots() -> None:
    check = (
        "import sys\n"
        "from windflower.cli.commands import app\n"
        "app(['bench', '--help'], standalone_mode=False)\n"
        "unused = {'wgpu', 'matplotlib', 'scipy', 'windflower.render.film', 'windflower.bench', 'windflower.plots'}\n"
        "assert not unused & set(sys.modules), unused & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_one_is_not_spoken_of_as_many() -> None:
    assert [counted(1, "tree"), counted(1000, "tree"), counted(1, "leaf"), counted(0, "leaf")] == [
        "1 tree", "1,000 trees", "1 leaf", "0 leaves"
    ]  # fmt: skip


SMALL_SCENE = """
seconds = 0.5
fps = 8
size = [64, 48]
[[stands]]
plant = "silver-birch"
detail = 0.1
motion = { kind = "modal", modes = 5 }
"""


def test_modes_are_told_as_a_table_as_json_and_as_a_picture(windflower_says: Says, tmp_path: Path) -> None:
    code, out, _ = windflower_says("modes", "walnut", "--detail", "0.1", "--count", "4", "-o", "modes.png")
    assert code == 0
    assert out.count("Hz") == 4
    assert (tmp_path / "modes.png").read_bytes().startswith(b"\x89PNG")
    code, out, _ = windflower_says("modes", "walnut", "--detail", "0.1", "--count", "4", "--json")
    rows = json.loads(out)
    assert [row["mode"] for row in rows] == [1, 2, 3, 4]
    assert 0.5 < rows[0]["frequency"] < 5
    assert rows[0]["number"] == 1
    assert rows[0]["damping"] == 0.04
    assert 0 < rows[0]["still_air"] < rows[0]["in_wind"]
    assert 0.6 < sum(row["wind"] for row in rows) < 1  # the rest is the static vectors'


def test_sway_and_wind_are_drawn(windflower_says: Says, tmp_path: Path) -> None:
    code, out, _ = windflower_says("sway", "walnut", "--detail", "0.1", "--seconds", "4", "-o", "sway.png")
    assert code == 0
    assert "asked for 8.0 m/s, Beaufort 5 (fresh breeze), as its mean at 10 m" in " ".join(out.split())
    assert "cm rms" in out
    words = ("sway", "walnut", "--detail", "0.05", "--seconds", "1", "--count", "4", "--wind")
    (tmp_path / "own.toml").write_text('[wind]\nspeed = 5\n[[stands]]\nplant = "oak"\n')
    assert "own.toml has 5.0 m/s, Beaufort 3" in windflower_says(*words, "own.toml")[1]
    assert "walnut-in-a-breeze has 4.3 m/s" in windflower_says(*words, "walnut-in-a-breeze")[1]
    assert "is a scene. Drop them" in windflower_says(*words, "own.toml", "--repeat")[2]
    code, out, _ = windflower_says("wind", "breeze", "--seconds", "10", "-o", "wind.png")
    assert code == 0
    assert "m/s" in out
    assert all((tmp_path / name).stat().st_size > 10_000 for name in ("sway.png", "wind.png"))


def test_a_scene_becomes_a_picture_a_clip_and_a_folder(windflower_says: Says, tmp_path: Path, gpu: object) -> None:
    (tmp_path / "small.toml").write_text(SMALL_SCENE)
    for name in ("still.png", "clip.mp4", "frames"):
        code, out, err = windflower_says("render", "small.toml", "-o", name, "--quality", "draft", "--hour", "11")
        assert code == 0, err
        assert "triangles per pass" in out
        assert "of 1 tree in view" in out
    assert (tmp_path / "still.png").read_bytes().startswith(b"\x89PNG")
    assert b"ftyp" in (tmp_path / "clip.mp4").read_bytes()[:32]
    assert len(list((tmp_path / "frames").iterdir())) == 4
    assert gpu


def test_a_far_time_is_reached_with_a_word_and_shows_the_same(
    windflower_says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gpu: object
) -> None:
    (tmp_path / "small.toml").write_text(SMALL_SCENE)
    words = ("render", "small.toml", "--quality", "draft", "--at", "2.5", "-o")
    _, near, _ = windflower_says(*words, "near.png")
    monkeypatch.setattr("windflower.cli.filming.FAR", 5.0)  # with the seconds before the first frame it is farther
    _, far, _ = windflower_says(*words, "far.png")
    assert "the motion up to 2.5 s is computed first" in far
    assert "computed first" not in near
    assert (tmp_path / "near.png").read_bytes() == (tmp_path / "far.png").read_bytes()
    assert gpu


@pytest.mark.parametrize("older", [None, b"an older clip"])
def test_an_interrupted_clip_keeps_what_was_made_unless_it_would_replace_an_older_one(
    windflower_says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gpu: object, older: bytes | None
) -> None:
    from windflower.render.film import Film

    (tmp_path / "small.toml").write_text(SMALL_SCENE)
    if older:
        (tmp_path / "clip.mp4").write_bytes(older)
    frame = Film.next_frame

    def interrupted(self: Film, t: float) -> object:
        if t > 0.3:
            raise KeyboardInterrupt
        return frame(self, t)

    monkeypatch.setattr(Film, "next_frame", interrupted)
    code, _, err = windflower_says("render", "small.toml", "-o", "clip.mp4", "--quality", "draft")
    assert code == 130
    assert ("the older clip.mp4 is as it was" if older else "clip.mp4 holds the first 0.4 s of 0.5 s") in err
    made = (tmp_path / "clip.mp4").read_bytes()
    assert made == older if older else b"ftyp" in made[:32]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clip.mp4", "small.toml"]
    assert gpu


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["render", "nowhere", "-o", "x.png"], "a scene is one of"),
        (["render", "forrest", "-o", "x.png"], "did you mean 'forest'?"),
        (["render", "forest", "-o", "x.png", "--wood", "oak"], "wood is said of a plant; forest is a scene"),
        (["render", "forest", "-o", "x.png", "--seed", "3"], "seed is said of a plant; forest is a scene"),
        (["render", "oak", "-o", "x.png", "--species", "walnut"], "species is only for plants read from a file"),
        (["render", "flag", "-o", "x.png", "--no-gravity"], "gravity is for plants; a flag has its own"),
        (["loop", "forest", "-o", "x.mp4"], "it is a scene: use windflower view forest"),
        (["render", "forest", "-o", "x.png", "--size", "wide"], "a size is width x height"),
        (["render", "forest", "-o", "x.png", "--quality", "superb"], "quality is one of"),
        (["render", "forest", "-o", "x.doc"], "a clip is a folder or ends in one of"),
        (["render", "forest", "-o", "x.mp4", "--size", "33x20"], "even"),
        (["modes", "walnut", "--wood", "gold"], "gold"),
        (["wind", "tempest", "-o", "x.png"], "tempest"),
    ],
)
def test_a_mistake_about_scenes_and_winds_is_one_line(
    windflower_says: Says, gpu: object, words: list[str], rule: str
) -> None:
    code, _, err = windflower_says(*words)
    assert code == 2
    assert err.count("\n") == 1, err
    assert rule in err
    assert gpu


@pytest.mark.usefixtures("other_device")
def test_without_a_driver_plants_are_still_analysed_and_rendering_says_what_to_install(
    windflower_says: Says,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from wgpu.backends.auto import gpu as driver

    def nothing(**_: object) -> None:
        raise RuntimeError("No suitable adapter found")

    monkeypatch.setattr(driver, "enumerate_adapters_sync", nothing)
    assert windflower_says("modes", "palm", "--count", "2", "--json")[0] == 0
    code, _, err = windflower_says("render", "violet", "-o", "x.png")
    assert code == 2
    assert "apt-get install mesa-vulkan-drivers" in err
    assert err.count("\n") == 1


def test_a_loop_is_made_and_its_seam_and_what_it_leaves_out_are_told(
    windflower_says: Says, tmp_path: Path, gpu: object
) -> None:
    words = ["loop", "palm", "-o", "loop.mp4", "--seconds", "2", "--fps", "4", "--size", "64x48", "--count", "5"]
    code, out, err = windflower_says(*words, "--quality", "draft", "--spectrum", "loop.png")
    assert code == 0, err
    assert "at the seam" in out
    assert re.search(r"A loop of 2 s leaves out what is slower than 4 s: \d\d % of the variance", " ".join(out.split()))
    assert b"ftyp" in (tmp_path / "loop.mp4").read_bytes()[:32]
    assert (tmp_path / "loop.png").read_bytes().startswith(b"\x89PNG")
    assert gpu


WRITERS = {
    "tree.npz": "grow hazel-bush --detail 0.05 -o tree.npz",
    "sway.csv": "sway hazel-bush --detail 0.05 --count 2 --seconds 1 --csv sway.csv",
    "wood.toml": "fit hazel-bush --detail 0.05 --frequencies 1.0 -o wood.toml",
    "nodes.csv": "export hazel-bush --detail 0.05 -o nodes.csv",
    "table.csv": "sweep hazel-bush --vary detail=0.05 --winds 3 --seconds 1 --no-risk --workers 0 -o table.csv",
    "page.html": "web hazel-bush --detail 0.05 --single page.html",
    "site/index.html": "web hazel-bush --detail 0.05 -o site",
}


@pytest.mark.parametrize(("name", "line"), WRITERS.items())
def test_what_is_no_picture_is_replaced_only_when_told_to(
    windflower_says: Says, tmp_path: Path, name: str, line: str
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("older")
    code, _, err = windflower_says(*line.split())
    assert (code, err.count("\n")) == (2, 1)
    assert "is there already. Use --force to replace it, or another name." in err
    assert (tmp_path / name).read_text() == "older"
    if not line.startswith("web"):
        code, _, err = windflower_says(*line.split(), "--force")
        assert code == 0, err
        assert (tmp_path / name).read_bytes() != b"older"


@pytest.mark.parametrize(
    ("kind", "name", "read"),
    [
        (
            "species",
            "walnut",
            lambda path: windflower.species_of(path).growth == windflower.species_of("walnut").growth,
        ),
        ("woods", "oak", lambda path: windflower.wood_of(path).E == windflower.wood_of("oak").E),
        ("scenes", "birch-grove", lambda path: windflower.read_scene(path) == windflower.read_scene("birch-grove")),
    ],
)
def test_a_stock_file_is_printed_or_written_to_begin_with(
    windflower_says: Says, tmp_path: Path, kind: str, name: str, read: Callable[[str], bool]
) -> None:
    code, printed, _ = windflower_says(kind, name)
    assert code == 0
    assert windflower_says(kind, name, "-o", "own.toml")[0] == 0
    assert (tmp_path / "own.toml").read_text("utf-8") == printed
    assert read(str(tmp_path / "own.toml"))
    assert "--force" in windflower_says(kind, name, "-o", "own.toml")[2]
    assert f"did you mean '{name}'?" in windflower_says(kind, name[:-1])[2]
    assert "name it" in windflower_says(kind, "-o", "own.toml")[2].lower()
