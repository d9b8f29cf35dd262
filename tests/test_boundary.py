"""Whatever goes wrong behind the command line is one line that any terminal can show; and so is all that it prints."""

import errno
import inspect
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, get_type_hints

import pytest
import typer

import windflower
from windflower.cli import main
from windflower.cli.boundary import FAULT, INTERRUPTED, MISTAKE, TRACEBACK, UNREAD, interruptible
from windflower.cli.commands import COMMANDS
from windflower.cli.signals import ending_in_order
from windflower.errors import WindflowerError
from windflower.scene import SceneSettings

Says = Callable[..., tuple[int, str, str]]
SCREEN = 80 * 24
ESCAPE = "\x1b[2J\x1b]0;owned\x07"


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Says:
    """Runs the command line in an empty folder; gives the exit code, and what it wrote to both streams."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv(TRACEBACK, "")

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["windflower", *words])
        with pytest.raises(SystemExit) as stop:
            main()
        return (int(stop.value.code or 0), *capsys.readouterr())

    return run


def is_one_sentence(err: str) -> bool:
    fit = all(character == "\n" or character.isprintable() for character in err)
    return err.startswith("windflower: ") and err.count("\n") == 1 and len(err) < SCREEN and fit


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("loop palm -o a.mp4 --count 501", "501"),
        ("loop palm -o a.mp4 --count 0", "0"),
        ("loop palm -o a.mp4 --speed 150", "150"),
        ("loop palm -o a.mp4 --speed nan", "nan"),
        ("loop palm -o a.mp4 --seed -1", "-1"),
        ("loop palm -o a.mp4 --seconds inf", "inf"),
        ("loop palm -o a.mp4 --size ²x²", "²x²"),
        ("loop palm -o a.mp4 --size ١٢٣x١٢٣", "١٢٣"),
        ("loop palm -o a.mp4 --fps nan", "nan"),
        ("loop palm -o a.mp4 --detail inf", "inf"),
        ("render forest -o a.mp4 --seconds inf", "inf"),
        ("render forest -o a.mp4 --seconds 1e308", "1e+308"),
        ("render forest -o a.png --at -inf", "-inf"),
        ("render forest -o a.png --hour nan", "nan"),
        ("render forest -o a.png --size 99999x99999", "99999x99999"),
        ("show palm -o a.png --azimuth nan", "nan"),
        ("grow palm --seed 99999999999999999999999", "99999999999999999999999"),
        ("modes palm --count 1000000000", "1000000000"),
        ("sway palm -o a.png --seconds inf", "inf"),
        ("sway palm -o a.png --speed -1", "-1"),
        ("wind gale -o a.png --seconds inf", "inf"),
        ("wind gale -o a.png --direction nan", "nan"),
        ("wind gale -o a.png --at inf", "inf"),
        ("wind gale -o a.png --height inf", "inf"),
        ("wind gale -o a.png --seed -1", "-1"),
        ("demo --seconds inf", "inf"),
        ("demo --trees 0", "0"),
        ("demo --size ²x²", "²x²"),
        ("view palm --size axb", "axb"),
    ],
)
def test_a_number_out_of_its_range_is_refused_with_its_value(says: Says, line: str, value: str) -> None:
    code, _, err = says(*line.split())
    assert (code, is_one_sentence(err)) == (MISTAKE, True), err
    assert value in err


def options_of(command: Any) -> dict[str, Any]:
    """The typer options of a command by the name of their parameter, with their type."""
    hints = get_type_hints(command, include_extras=True)
    return {name: hints[name] for name in inspect.signature(command).parameters if hasattr(hints[name], "__metadata__")}


def test_every_number_has_a_range_and_every_output_is_checked_before_work() -> None:
    outputs = 0
    for target in (target for panel in COMMANDS.values() for target in panel):
        for name, hint in options_of(resolve_name(f"windflower.cli.{target}")).items():
            kinds = str(hint.__origin__)
            if "int" in kinds or "float" in kinds:
                assert hint.__metadata__[0].callback, f"{target} --{name} has no range"
            if "Path" in kinds and name not in ("walnut", "allow", "record", "recipe", "wind"):  # those are read
                outputs += 1
                assert hint.__metadata__[0].parser, f"{target} --{name} is not checked"
    assert outputs >= 12


WRITERS = {
    "grow palm": ".npz",
    "export palm": ".csv",
    "show palm": ".png",
    "species-sheet": ".png",
    "modes palm": ".png",
    "sway palm": ".png",
    "wind gale": ".png",
    "render forest": ".mp4",
    "loop palm": ".mp4",
    "loop palm -o a.mp4 --spectrum": ".png",
}
"""Commands that write a file, and a suffix that it may have."""


@pytest.mark.parametrize("line", WRITERS)
def test_a_bad_output_is_told_before_any_work(says: Says, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*_: object, **__: object) -> None:
        pytest.fail("work was done")

    for name in ("windflower.render.film", "windflower.plant.growth", "windflower.scene", "windflower.wind"):
        import_module(name)  # none of them shall keep what takes the place of work
    for name in ("plant.growth.grow", "scene.build", "wind.wind_from"):
        monkeypatch.setattr(f"windflower.{name}", work)
    suffix, out = WRITERS[line], [] if "--spectrum" in line else ["-o"]
    for name in ("a.xyz", f"no/such/folder/a{suffix}", "", ".", suffix, f"a\0{suffix}", f"{'a' * 300}{suffix}"):
        code, _, err = says(*line.split(), *out, name)
        assert (code, is_one_sentence(err)) == (MISTAKE, True), err
    monkeypatch.setattr(os, "access", lambda *_: False)  # a folder that may not be written to
    code, _, err = says(*line.split(), *out, f"a{suffix}")
    assert (code, is_one_sentence(err)) == (MISTAKE, True), err
    assert not os.listdir()


@pytest.mark.parametrize("line", ["demo --no-window", "gallery", "bench"])
def test_a_bad_output_folder_is_told_before_any_work(says: Says, line: str) -> None:
    Path("file").write_text("")
    for name in ("", "file", "file/below", "a\0b"):
        code, _, err = says(*line.split(), "-o", name)
        assert (code, is_one_sentence(err)) == (MISTAKE, True), err
    assert os.listdir() == ["file"]


@pytest.mark.parametrize("line", ["info", "grow", "modes", "wind -o a.png", "render -o a.png", "loop -o a.mp4", "view"])
def test_a_null_byte_in_a_name_is_a_sentence(says: Says, line: str) -> None:
    for name in ("a\0b", "a\0b.toml", "a\0b.npz", "a\0b.csv"):
        command, *more = line.split()
        code, _, err = says(command, name, *more)
        assert (code, is_one_sentence(err)) == (MISTAKE, True), err


def _too_deep() -> None:
    _too_deep()


def _settings() -> None:
    SceneSettings.model_validate({"stands": [{"plant": "oak", "count": -1}]})


def _raised(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("fail", "code", "said"),
    [
        (_raised(WindflowerError(f"[red]{ESCAPE}\n" * 500)), MISTAKE, "[red]\\x1b"),
        (_raised(WindflowerError("x" * 100_000)), MISTAKE, "xxx … xxx"),
        (_raised(OSError(errno.ENOSPC, "No space left on device", "a.png")), MISTAKE, "Free some space"),
        (_raised(PermissionError(errno.EACCES, "Permission denied", "a[1].png")), MISTAKE, "a[1].png: Permission"),
        (_raised(MemoryError()), MISTAKE, "more memory than there is"),
        (_settings, MISTAKE, "stands.0.count"),
        (_too_deep, FAULT, "fault of Windflower's and not yours: RecursionError"),
        (lambda: int(float("inf")), FAULT, "OverflowError: cannot convert float infinity"),
        (lambda: b"\xff".decode(), FAULT, "UnicodeDecodeError"),
        (lambda: int("9" * 5000), FAULT, "ValueError"),
        (_raised(KeyError(f"{ESCAPE}[/]")), FAULT, "KeyError"),
        (_raised(KeyboardInterrupt()), 130, "interrupted"),
        (_raised(KeyboardInterrupt("clip.mp4 holds the first 2.1 s of 6.0 s")), 130, "interrupted: clip.mp4 holds"),
    ],
)
def test_any_error_is_one_sentence(
    says: Says, monkeypatch: pytest.MonkeyPatch, fail: Callable[[], None], code: int, said: str
) -> None:
    monkeypatch.setattr("windflower.plant.species.species_names", fail)
    found, out, err = says("species")
    assert (found, is_one_sentence(err.lstrip("\n"))) == (code, True), err  # after a Ctrl-C begins a new line
    assert said in err
    assert "Traceback" not in out + err


def test_the_details_of_a_fault_are_shown_to_those_who_ask(says: Says, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windflower.plant.species.species_names", lambda: [][0])
    code, _, err = says("species")
    assert code == FAULT
    assert "--traceback" in err
    assert "(cli/plants.py, line" in err
    code, _, err = says("--traceback", "species")
    assert code == FAULT
    assert "Traceback (most recent call last)" in err
    assert err.splitlines()[-1].startswith("windflower: ")


@pytest.mark.usefixtures("gpu", "other_device")
def test_a_lost_device_is_a_sentence(says: Says, monkeypatch: pytest.MonkeyPatch) -> None:
    from windflower.render.film import Film

    Path("scene.toml").write_text('size = [64, 48]\n[[stands]]\nplant = "palm"\ndetail = 0.1\nmotion = "cantilever"')
    frame = Film.frame

    def lost(self: Film, t: float) -> object:
        self.gpu.device.destroy()
        return frame(self, t)

    monkeypatch.setattr(Film, "frame", lost)
    code, _, err = says("render", "scene.toml", "-o", "a.png", "--quality", "draft")
    assert (code, is_one_sentence(err)) == (MISTAKE, True), err
    assert "the graphics device was lost" in err
    assert os.listdir() == ["scene.toml"]


@pytest.mark.parametrize("name", ["[red]tree", "[bold red]", "[link=x]", ":smile: tree", f"{ESCAPE}tree", "a\udcffb"])
def test_names_are_shown_as_they_are_and_never_obeyed(says: Says, name: str) -> None:
    shown = name.replace("\x1b", "\\x1b").replace("\x07", "\\x07").replace("\udcff", "\\xff")
    for line in ("grow palm --detail 0.1 -o {}.npz", "export palm --detail 0.1 -o {}.csv"):
        code, out, err = says(*(word.format(name) for word in line.split()))
        assert code == 0, err
        assert shown in out.replace("\n", "")
        assert "\x1b" not in out
    assert says("info", f"{name}.npz")[0] == 0
    code, _, err = says("info", f"{name}.nothing")
    assert is_one_sentence(err)
    assert f"'{shown}.nothing'" in err


def test_what_files_say_is_shown_and_never_obeyed(says: Says) -> None:
    from dataclasses import replace

    plant = replace(windflower.grow("palm", detail=0.1), species=f"[/][red]{ESCAPE}")
    plant.save("tree.npz")
    code, out, _ = says("info", "tree.npz")
    assert code == 0
    assert "[red]\\x1b[2J\\x1b]0;owned\\x07" in out
    assert "\x1b" not in out
    Path("scene.toml").write_text(f'"{ESCAPE[1:]}" = 1'.replace("\x1b", "\\u001b").replace("\x07", "\\u0007"))
    _, _, err = says("render", "scene.toml", "-o", "a.png")
    assert is_one_sentence(err)


CONSOLES = """
import sys
from windflower.cli import main
for line, code in {
    "grow palm --detail 0.1 -o x²→é.npz": 0,
    "species": 0,
    "loop --help": 0,
    "info nowhere→.npz": 2,
}.items():
    sys.argv = ["windflower", *line.split()]
    try:
        main()
    except SystemExit as stop:
        assert (stop.code or 0) == code, line
"""


@pytest.mark.parametrize("name", [r"$\frac$", f"{ESCAPE}a\udcffb"])
def test_a_name_is_no_formula_in_a_plot(says: Says, name: str) -> None:
    from dataclasses import replace

    replace(windflower.grow("palm", detail=0.1), species="").save(f"{name}.npz")
    code, _, err = says("show", f"{name}.npz", "-o", "a.png", "--no-leaves")
    assert code == 0, err


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_console_without_our_characters_gets_simpler_ones(tmp_path: Path, encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CONSOLES],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "1", "COLUMNS": "120"},
        capture_output=True,
    )
    told = (done.stdout + done.stderr).decode(encoding)
    assert done.returncode == 0, told
    assert all(part in told for part in ("-> x", "walnut", "PLANT", "'nowhere->.npz'"))
    assert [path.name for path in tmp_path.iterdir()] == ["x²→é.npz"]


@pytest.mark.parametrize("line", ["species", "modes palm --detail 0.05 --count 2 --json"])
def test_whoever_has_read_enough_ends_it_quietly(tmp_path: Path, line: str) -> None:
    words = [sys.executable, "-m", "windflower", *line.split()]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), said) == (UNREAD, b"")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("grow wallnut", "walnut"),
        ("info slver-birch", "silver-birch"),
        ("loop plam -o a.mp4", "palm"),
        ("loop flg -o a.mp4", "flag"),
        ("loop forst -o a.mp4", "the scene 'forest'"),
        ("show oack -o a.png", "oak"),
        ("modes hsta", "hosta"),
        ("sway vilet -o a.png", "violet"),
        ("export spruc -o a.csv", "spruce"),
        ("render forst -o a.png", "forest"),
        ("render wallnut -o a.png", "walnut"),
        ("info my-tre.npz", "my-tree.npz"),
        ("info scans/oka.mtg", "scans/oak.mtg"),
        ("render scan.toml -o a.png", "scene.toml"),
        ("wind gael -o a.png", "gale"),
        ("wind mesured.csv -o a.png", "measured.csv"),
        ("modes palm --wood oka", "oak"),
        ("render scene.toml -o a.png", "modal"),
        ("lop palm", "loop"),
        ("gallery --only diener4", "diener-4"),
        ("bench cantilevr", "cantilever"),
    ],
)
def test_a_slip_of_the_pen_gets_a_suggestion(says: Says, line: str, meant: str) -> None:
    Path("scans").mkdir()
    for name in ("my-tree.npz", "scans/oak.mtg", "measured.csv"):
        Path(name).write_text("")
    Path("scene.toml").write_text('[[stands]]\nplant = "palm"\nmotion = { kind = "modl" }')
    code, _, err = says(*line.split())
    assert (code, is_one_sentence(err)) == (MISTAKE, True), err
    assert f"id you mean {meant if ' ' in meant else repr(meant)}?" in err


LIBRARY = """
import signal
signal.raise_signal(signal.SIGINT)
for _ in range(10**5):  # as slow as a library
    pass
loaded = True
"""


def test_ctrl_c_while_a_library_loads_waits_until_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "library_with_ctrl_c.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)

    def load() -> None:
        import_module("library_with_ctrl_c")
        time.sleep(20)

    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), ending_in_order():
        load()
    assert sys.modules["library_with_ctrl_c"].loaded
    assert time.perf_counter() - begin < 10


def test_ctrl_c_at_the_end_of_a_command_comes_not_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "library_with_late_ctrl_c.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    with ending_in_order():
        import_module("library_with_late_ctrl_c")
    time.sleep(0.15)


def test_ctrl_c_while_the_command_line_loads_is_told_in_a_line(tmp_path: Path) -> None:
    """It comes while the first library that takes a while is loading."""
    itself = f"\nimport sys\nsys.path.remove({str(tmp_path)!r})\ndel sys.modules['pydantic']\nimport pydantic"
    (tmp_path / "pydantic.py").write_text(LIBRARY + itself)
    paths = os.pathsep.join([str(tmp_path), str(Path(windflower.__file__).parents[1])])
    words = [sys.executable, "-m", "windflower", "validate"]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (INTERRUPTED, "windflower: interrupted.\n")


def test_ctrl_c_while_the_words_of_a_command_are_read_is_told_in_a_line(
    says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: str) -> str:
        raise KeyboardInterrupt

    app = typer.Typer()

    @app.command()
    def work(word: Annotated[str, typer.Argument(parser=read)]) -> None:
        raise AssertionError(word)

    monkeypatch.setattr("windflower.cli.commands.app", app)
    assert says("word") == (INTERRUPTED, "", "windflower: interrupted.\n")


def test_a_pipe_that_breaks_elsewhere_is_an_error() -> None:
    def work() -> None:
        raise BrokenPipeError("an encoder is gone")

    with pytest.raises(BrokenPipeError):
        interruptible(work)()
