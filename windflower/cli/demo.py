"""The demo: a first picture in seconds, then a clip within a minute, on any machine."""

import time
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from windflower.cli.console import console, progress
from windflower.cli.filming import describe_costs, frame_columns, has_display, open_window
from windflower.cli.options import ClipSeconds, OutputFolder, Quality, SizeIfAny, counted, option, size_of

if TYPE_CHECKING:
    from windflower.render.demo import Demo
    from windflower.render.demo_budget import Choice, DemoSettings

__all__ = ["demo"]


def demo(
    out: OutputFolder = Path("out"),
    full: Annotated[bool, typer.Option("--full", help="All 1,000 trees at 960x540 for 6 s, however long.")] = False,
    trees: Annotated[int | None, option("Number of trees, at most 100,000.", 1, 100_000)] = None,
    seconds: ClipSeconds = None,
    size: SizeIfAny = None,
    quality: Quality = None,
    window: Annotated[
        bool | None, typer.Option(help="Open a window on the forest afterwards; by default where there is a display.")
    ] = None,
) -> None:
    """Show what Windflower does: a gust that crosses a forest, as large as this machine draws within a minute.

    What is not asked for is chosen. Example: windflower demo --trees 300 --no-window
    """
    begin = time.perf_counter()
    from windflower.core.device import open_gpu
    from windflower.render.demo import Demo
    from windflower.render.demo_budget import FULL, LADDER, LIMIT, SMALL
    from windflower.render.output import check_output_path

    pixels = size_of(size) if size else None
    asked = {"trees": trees, "seconds": seconds, "size": pixels, "quality": quality}
    ladder = [_as_asked(settings, asked) for settings in ((FULL,) if full else LADDER)]
    out.mkdir(parents=True, exist_ok=True)
    check_output_path(out / "demo.png")
    check_output_path(out / "demo.mp4", pixels)
    gpu = open_gpu()
    first = _as_asked(SMALL if gpu.software and not full else FULL, asked)
    console.print(gpu.summary, style="dim")
    with progress(transient=True) as bar:
        task = bar.add_task("preparing", total=None)
        made = Demo(
            gpu,
            ladder,
            first,
            until=inf if full or seconds is not None else begin + LIMIT,
            progress=lambda what, done, total: bar.update(task, description=what, completed=done, total=total),
        )
        bar.update(task, description="drawing a first picture", total=None)
        made.draw_still(out / "demo.png")
        bar.console.print(f"→ {out / 'demo.png'} after {time.perf_counter() - begin:.0f} s")
        choice = made.choose()
    _say_choice(choice, software=gpu.software, full=full)
    _record(made, out, finer=quality is None)
    if has_display() if window is None else window:
        open_window(made.film.scene)


def _as_asked(settings: "DemoSettings", asked: dict[str, Any]) -> "DemoSettings":
    """These settings, with what somebody asked for instead of what they say."""
    return replace(settings, **{name: value for name, value in asked.items() if value is not None})


def _say_choice(choice: "Choice", *, software: bool, full: bool) -> None:
    """Say what is drawn, why, and what more there is."""
    chosen = choice.settings
    why = "As asked" if full else "No graphics card" if software else "A graphics card"
    text = (
        f"{why}: drawing {counted(chosen.trees, 'tree')} at {chosen.size[0]}x{chosen.size[1]} for "
        f"{chosen.seconds:g} s, {chosen.fps:g} frames a second in {chosen.quality} quality; a frame takes "
        f"{_duration(choice.frame)}, so this is about {_duration(choice.seconds)} of work."
    )
    if software and chosen.quality == "draft":
        text += " --quality good smooths edges and takes about three times as long."
    if choice.full > choice.seconds:
        text += f" --full draws all 1,000 trees at 960x540 for 6 s, about {_duration(choice.full)}."
    console.print(text)


def _duration(seconds: float) -> str:
    """`0.5 s`, `35 s`, `2 min 40 s`: as exact as an estimate is."""
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole = round(seconds) if seconds < 60 else 10 * round(seconds / 10)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min" + (f" {whole % 60} s" if whole % 60 else "")


def _record(made: "Demo", out: Path, *, finer: bool) -> None:
    """Write clip and still, with a progress bar; say so if the clip had to be shorter than planned.

    finer  whether the still may have a better quality than the clip
    """
    clip, still = out / "demo.mp4", out / "demo.png"
    with progress(*frame_columns()) as bar:
        task = bar.add_task("rendering", total=made.settings.frames)
        length = made.record(clip, still=still, tell=lambda done, count: bar.update(task, completed=done, total=count))
        if finer:
            made.draw_finer_still(still)
    console.print(f"→ {clip} and {still}")
    if round(length * made.settings.fps) < made.settings.frames:
        console.print(
            f"The machine became busier: the clip ends after {length:.1f} s of {made.settings.seconds:g} s, so that it "
            f"is done within a minute. --seconds {made.settings.seconds:g} waits for all of it."
        )
    describe_costs(made.film)
