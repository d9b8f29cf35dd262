"""The command that fits a plant to measurements."""

import re
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from windflower.cli.console import console, notice, print_json
from windflower.cli.names import wind_named
from windflower.cli.options import AsJson, Force, PlantName, option, output_file, plot_file
from windflower.cli.options import speed as as_speed
from windflower.cli.plant_options import PlantOptions, takes_a_plant
from windflower.core.text import plain
from windflower.errors import MechanicsError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windflower.mechanics.fitting import Fit, Fitted, Measured, Pull

__all__ = ["fit"]

NUMBER = r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?"


@takes_a_plant
def fit(
    name: PlantName,
    plant: PlantOptions,
    frequencies: Annotated[
        str | None,
        typer.Option(metavar="HZ,…", help="Measured frequencies, rising: 0.32,1.4; with errors: 0.32±0.01,1.4±0.02."),
    ] = None,
    damping: Annotated[
        str | None, typer.Option(metavar="RATIO", help="Measured damping ratio of the first: 0.05, or 0.05±0.01.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="CSV", help="In place of both: a record of sway, a table of time and a signal."),
    ] = None,
    column: Annotated[str | None, typer.Option(metavar="NAME", help="Which signal of the record.")] = None,
    wind: Annotated[
        str | None,
        typer.Option(metavar="WIND", help="The wind of the record, a file: what it adds to damping is taken off."),
    ] = None,
    speed: Annotated[
        float, as_speed("Or its mean in the crown: 3 or 3m/s, b2 (Beaufort); at most 100 m/s.", 0, 100)
    ] = 0.0,
    density: Annotated[
        float | None, option("Green density of the wood, kg/m³: then E and roots are absolute.", 10, 3000)
    ] = None,
    pull: Annotated[
        str | None,
        typer.Option(
            metavar="N@M=DEG", help="Or a pull test: 2000@5=0.8, N at m, and the tilt of the foot; =0.8@1.3 higher up."
        ),
    ] = None,
    free: Annotated[
        str | None,
        typer.Option(metavar="WHAT,…", help="What is sought, of stiffness,roots,crown; as many as are measured."),
    ] = None,
    modes: Annotated[
        str | None, typer.Option(metavar="N,…", help="Which modes the frequencies are, if you know: 1,4.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", parser=output_file("a wood", ".toml"), metavar="TOML", help="Write the fitted wood."
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(parser=plot_file, metavar="PATH", help="Draw the fit.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Fit a plant to its measured frequencies: stiffness over density, roots and crown over stem, with 95 % intervals.

    It says what the measurements cannot tell apart. The fitted wood serves every other command as --wood, with --roots.

    Example: windflower fit scan.mtg --frequencies 0.32,1.4 --density 850 -o fitted.toml
    """
    from windflower.core.files import check_free
    from windflower.mechanics.fitting import fit as fitted

    if out is not None:
        check_free(out, force=force)
    given, ratio = _measured(frequencies, damping, record, column)
    if wind is not None:
        speed = _mean_speed(wind)
    ready = plant.of(name)

    def fit_to(frequencies: "Sequence[Measured]") -> "Fit":
        return fitted(
            ready.plant,
            frequencies=frequencies,
            damping=ratio,
            pull=None if pull is None else _pull(pull),
            density=density,
            free=None if free is None else [one.strip() for one in free.split(",")],
            modes=None if modes is None else _numbers(modes),
            speed=speed,
            wood=plant.wood,
            leaves=plant.leaves,
            gravity=ready.gravity,
            roots=plant.held or "spring",
        )

    with console.status("fitting"):
        found = fit_to(given) if record is None else _fit_to_peaks(fit_to, given)
    if out is not None:
        wood = found.wood
        wood.save(out, note=f"{name}, as windflower fit found it; roots {_roots(found)} N·m/rad")
    if as_json:
        print_json(_facts(found))
    else:
        _print(found)
    for note in found.notes:
        notice(note)
    if out is not None:
        notice(f"use it: --wood {out} --roots {_roots(found)}")
    if plot is not None:
        from windflower.plots.figure import save_plot
        from windflower.plots.fit import plot_fit

        save_plot(plot_fit(found), plot)
        notice(f"→ {plot}")


def _fit_to_peaks(fit_to: "Callable[[Sequence[Measured]], Fit]", peaks: "Sequence[Measured]") -> "Fit":
    """Fit to the peaks of a record; those above the first may be of branches, which the model tells from no stem."""
    for count in range(len(peaks), 1, -1):
        try:
            return fit_to(peaks[:count])
        except MechanicsError:
            notice(f"the peak at {peaks[count - 1].value:.3g} Hz is left out: the model's stem has no such motion")
    return fit_to(peaks[:1])


def _print(found: "Fit") -> None:
    table = Table("what", "value", "95 % interval")
    for value in found.values:
        interval = _interval(value) if value.free else "held"
        told = "" if value.told or not value.free else ", not told"
        table.add_row(value.name, f"{_short(value.value)} {value.unit}".rstrip(), interval + told)
    console.print(table)
    rows = Table("motion", "measured", "fitted", "mode")
    facts = zip(found.motion, found.measured, found.errors, found.frequency, found.number, strict=True)
    for motion, measured, error, model, number in facts:
        rows.add_row(motion, f"{measured:.4g} ± {error:.2g} Hz", f"{model:.4g} Hz", f"{number}")
    console.print(rows)


def _interval(value: "Fitted") -> str:
    """The ends that the measurements set."""
    if value.low > 0 and isfinite(value.high):
        return f"{_short(value.low)} to {_short(value.high)}"
    if isfinite(value.high):
        return f"{_short(value.high)} or less"
    return f"{_short(value.low)} or more" if value.low > 0 else "open"


def _facts(found: "Fit") -> dict[str, Any]:
    return {
        "values": [asdict(value) for value in found.values],
        "measured": found.measured.tolist(),
        "errors": found.errors.tolist(),
        "frequency": found.frequency.tolist(),
        "motion": list(found.motion),
        "mode": list(found.number),
        "roots": found.roots,
        "wood": {key: value for key, value in asdict(found.wood).items() if value is not None},
        "absolute": found.absolute,
        "notes": list(found.notes),
    }


def _roots(found: "Fit") -> str:
    return found.roots if isinstance(found.roots, str) else f"{found.roots:.6g}"


def _short(value: float) -> str:
    digits = plain(value, 4)
    return f"{int(digits):,}" if digits.isdigit() else digits


def _measured(
    frequencies: str | None, damping: str | None, record: Path | None, column: str | None
) -> tuple[list["Measured"], "Measured | None"]:
    from windflower.mechanics.fitting import DAMPING_ERROR, ERROR, Measured
    from windflower.mechanics.fitting.measured_sway import identified, read_sway

    if (frequencies is None) == (record is None):
        raise typer.BadParameter("a fit takes --frequencies 0.32,1.4 or --record sway.csv, one of them")

    def value(text: str, usual: float) -> "Measured":
        found = re.fullmatch(rf"\s*({NUMBER})\s*(?:(?:±|\+-|\+/-)\s*({NUMBER}))?\s*", text)
        if not found:
            raise typer.BadParameter(f"a measured value is 0.32 or 0.32±0.01; it is '{text[:40]}'")
        number = float(found[1])
        return Measured(number, float(found[2]) if found[2] else usual * number)

    ratio = None if damping is None else value(damping, DAMPING_ERROR)
    if record is not None:
        shown, seen = identified(read_sway(record), column)
        return shown, ratio or seen
    return [value(one, ERROR) for one in (frequencies or "").split(",")], ratio


def _numbers(text: str) -> list[int]:
    if not re.fullmatch(r"\s*[0-9]{1,4}(\s*,\s*[0-9]{1,4})*\s*", text):
        raise typer.BadParameter(f"modes are numbers from 1, 1,4; they are '{text[:40]}'")
    return [int(one) for one in text.split(",")]


def _pull(text: str) -> "Pull":
    from windflower.mechanics.fitting import Pull

    found = re.fullmatch(rf"({NUMBER})@({NUMBER})=({NUMBER})(?:@({NUMBER}))?", text.replace(" ", ""))
    if not found:
        raise typer.BadParameter(f"a pull test is N@m=degrees, 2000@5=0.8; it is '{text[:40]}'")
    force, height, tilt, at = (float(one or 0) for one in found.groups())
    return Pull(force, height, tilt, at)


def _mean_speed(wind: str) -> float:
    return float(sum(part * part for part in wind_named(wind).mean) ** 0.5)
