"""Target: random and nonsense command lines, run in this process in a folder with some files."""

import contextlib
import io
import os
import re
import shlex
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import typer.main

from tests.fuzz import corpora
from tests.fuzz.extremes import NUMBERS, WORDS
from tests.fuzz.invariants import require
from tests.fuzz.mutations import BINARY, TEXT, damaged
from tests.fuzz.scenes import BESIDE, draw_one, scene_text
from tests.fuzz.target import Target, rng_of
from windflower.cli import main
from windflower.cli.commands import app
from windflower.errors import WindflowerError

__all__ = ["COMMANDS"]

SLOW = ("bench", "demo", "doctor", "gallery", "species-sheet", "validate", "view")
"""Commands that take minutes, or a window: they are only given what they must refuse at once."""

PLANTS = (
    "violet",
    "eelgrass",
    "hollyhock",
    "palm",
    "hazel-bush",
    "plant.mtg",
    "plant.csv",
    "own.toml",
    "torn.mtg",
    "flag",
)
SCENES = ("small.toml", "small.toml", "torn.toml", "wrong.toml")
WINDS = ("calm", "breeze", "gale", "3", "b5", "wind.csv", "wind.bts", "wind.npz", "torn.csv")
OUTPUTS = (
    "x.png", "x.csv", "x.npz", "x.svg", "x.jpg", "x.webp", "x.pdf", "x.mp4", "x.webm", "frames", "", ".", "no/x.png",
    "[red]x.png", "x", "x.", ".png", "x.PNG", "x.txt", "plant.mtg", "a b.png", "é.png", "-", "x.npz.png",
)  # fmt: skip
USUAL = {
    "--detail": ("0.02", "0.05"),
    "--size": ("64x36", "32x32"),
    "--seconds": ("0.5", "1", "1", "0.1"),
    "--fps": ("1", "2", "4"),
    "--count": ("1", "3", "25"),
    "--seed": ("0", "1", "7"),
    "--quality": ("draft",),
    "--speed": ("0", "3", "b5", "12"),
    "--frequencies": ("0.5", "0.32,1.4"),
    "--wind": WINDS,
    "--out": OUTPUTS,
    "--trees": ("1",),
    "--at": ("0", "1", "top", "0.1m,top", "node:2"),
    "--columns": ("time=t,speed=u", "time=1,u=2,v=3", "speed"),
    "--mast-height": ("10m", "33ft", "0"),
    "--thicker": ("4cm", "0", "1mm"),
    "--csv": ("x.csv", "x.png", ""),
    "--height": ("2", "10"),
    "--hour": ("0", "12", "24"),
    "--spectrum": ("s.png", "s.svg", "s.txt"),
    "--wood": ("oak", "palm", "steel"),
    "--species": ("oak", "spruce", "hosta", "own.toml"),
    "--radii": ("auto", "measured", "corrected"),
    "--roots": ("spring", "clamped", "1e5"),
    "--scale": ("0.5", "1", "20"),
    "--unit": ("m", "cm", "mm"),
    "--diameter-unit": ("cm", "mm"),
    "--up": ("y", "z"),
}
"""What sensible people write after an option."""

SUITABLE = {
    "grow": ("x.npz",),
    "fit": ("x.toml",),
    "species": ("x.toml",),
    "woods": ("x.toml",),
    "scenes": ("x.toml",),
    "web": ("x", "page"),
    "export": ("x.csv",),
    "render": ("x.png", "x.mp4", "x.webm", "frames"),
    "loop": ("x.png", "x.mp4"),
}
"""Outputs that a command writes; the others write plots."""

OF_FILES = ("--unit", "--diameter-unit", "--up", "--radii", "--thicker", "--columns", "--mast-height", "--repeat")
"""Options that only suit some plants or winds: they are seldom given, or no command would run."""

OF_PLANTS = ("--detail", "--scale", "--seed")
"""Options that a scene refuses."""

ALWAYS = ("--detail", "--size", "--seconds", "--fps", "--quality")
"""Options without which a command would take long."""

ODD_SIZES = (
    "0x0",
    "16x16",
    "12000x12000",
    "99999x9",
    "²x²",
    "64",
    "x",
    "64x",
    "-1x5",
    "64x36x2",
    "６４x３６",
    "1e2x1e2",
    "64X36",
)


@cache
def commands() -> dict[str, list[Any]]:
    """The parameters of each command."""
    return {name: list(command.params) for name, command in typer.main.get_command(app).commands.items()}  # type: ignore[attr-defined]


def command_line(rng: Random) -> bytes:
    """A command with some of its options, quoted as in a shell."""
    name = rng.choice([name for name in commands() for _ in range(1 if name in SLOW else len(commands()[name]) + 1)])
    words = [name]
    odd, share = rng.choice((0.0, 0.05, 0.15, 0.5)), rng.choice((0.05, 0.15, 0.4))
    for parameter in commands()[name]:
        if parameter.param_type_name == "argument":
            words += _argument(rng, name, odd)
        else:
            words += _option(rng, name, parameter, words[1] if len(words) > 1 else "", odd, share)
    if name in SLOW:
        words.append(rng.choice(("--nonsense", "--size=²", "--seed=x", "--only=no", "--walnut=no")))
    match rng.random():
        case chance if chance < 0.03:
            words[0] = rng.choice((*WORDS, name[:-1], name.upper(), "--version", "--help"))
        case chance if chance < 0.06:
            words.append(rng.choice((*WORDS, "--help", "-o", "--", "-x", "-oo")))
        case chance if chance < 0.08:
            rng.shuffle(words)
    return shlex.join(words).encode("utf-8", "surrogatepass")


def _argument(rng: Random, command: str, odd: float) -> list[str]:
    drawn = (*SCENES, "violet", "plant.mtg")
    stock = {"species": ("palm", "violet"), "woods": ("oak", "palm"), "scenes": ("violet", "forest"), "wind": WINDS}
    usual = drawn if command in ("render", "view", "web") else stock.get(command, PLANTS)
    return [rng.choice(WORDS if rng.random() < odd else usual)]


def _option(rng: Random, command: str, parameter: Any, subject: str, odd: float, share: float) -> list[str]:
    """An option with its value, for such a share of the options that may be left out.

    subject  the plant, scene or wind that the command is about
    """
    option = rng.choice([*parameter.opts, *parameter.secondary_opts])
    long = next(name for name in parameter.opts if name.startswith("--"))
    given = 1.0 if long in ALWAYS or parameter.required else share
    if long in OF_FILES or (long in OF_PLANTS and subject in SCENES):
        given = 0.1 * share
    if rng.random() >= given:
        return []
    if getattr(parameter, "is_flag", False):
        return [option]
    if rng.random() < odd:
        value = rng.choice((*NUMBERS, *WORDS, *(ODD_SIZES if long == "--size" else ())))
        value = "3" if long == "--at" and _is_far(value) else value
    elif long == "--out" and rng.random() < 0.8:
        value = rng.choice(SUITABLE.get(command, ("x.png", "x.svg")))
    else:
        value = rng.choice(USUAL.get(long, (*NUMBERS[:14], "x")))
    if long == "--out" and value.startswith(("/", "..")):
        value = value.strip("/.") or "x.png"  # nothing is written outside of the folder
    return [f"{option}={value}"] if option.startswith("--") and rng.random() < 0.5 else [option, value]


def _is_far(time: str) -> bool:
    """Whether a picture at this time asks for hours of motion before it, which is a long work and no fault."""
    with contextlib.suppress(ValueError):
        return 100 < abs(float(time)) <= 86_400
    return False


@cache
def _files() -> dict[str, bytes]:
    """Files in the folder, some of them torn."""
    rng = rng_of(0, "commands", 0)
    size = b"seconds = 0.2\nfps = 4\nsize = [64, 36]\n"
    small = size + b'quality = {level = "draft"}\nstands = [{plant = "violet", detail = 0.1}]\n'
    return {
        **{name: content() for name, content in BESIDE.items()},
        "small.toml": small,
        "wrong.toml": scene_text(rng),
        "torn.toml": damaged(rng, [small], TEXT),
        "torn.mtg": damaged(rng, corpora.plant_files("mtg"), BINARY),
        "torn.csv": damaged(rng, corpora.recordings(), TEXT),
    }


def _check(data: bytes, folder: Path) -> bool:
    words = shlex.split(data.decode("utf-8", "surrogatepass"))
    for name, content in _files().items():
        (folder / name).write_bytes(content)
    before = set(os.listdir(folder))
    os.chdir(folder)
    encoding = "cp1252" if len(data) % 7 == 0 else "utf-8"
    status, out, err = run_command(words, encoding)
    fault = re.search(r"yours: (\w+).*?\(([\w/]+\.py), line", err, re.DOTALL)
    require(status in (0, 1, 2), f"{fault[1]} in {fault[2]}" if fault else f"exit {status}: {(err or out)[-80:]}")
    require("Traceback" not in out + err, "a command prints no traceback")
    require(not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", out + err), "a command prints no control characters")
    if status == 2:
        require(err.count("windflower:") >= 1, "a refusal is told in a sentence")
        require(len(err) < 4000, "a refusal is shorter than a screen")
    hidden = [name for name in set(os.listdir(folder)) - before if name.startswith(".") and name != ".png"]
    require(not hidden, "a command leaves no hidden file")
    for name, content in _files().items():
        held = (folder / name).read_bytes() if (folder / name).is_file() else b""
        require(held == content or status == 0, "a command that is refused changes no file")
    if status:
        raise WindflowerError(err or out or "exit 1")
    return True


def run_command(words: list[str], encoding: str = "utf-8") -> tuple[Any, str, str]:
    """Exit status, and what was printed."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True) for _ in range(2))
    status: Any = 0
    with (
        mock.patch.object(sys, "argv", ["windflower", *words]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            status = stop.code or 0
    _close_figures()
    return status, *(stream.buffer.getvalue().decode(encoding, "replace") for stream in (out, err))


def _close_figures() -> None:
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def _prepare() -> None:
    """Load what draws plots and scenes."""
    import matplotlib.pyplot  # noqa: F401, ICN001 - only to load it

    _files()
    draw_one()


COMMANDS = [Target("command", command_line, _check, ".sh", 0.3, "commands", _prepare)]
