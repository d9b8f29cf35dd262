"""Files for other programs: one module a format, and a line in `registry.EXPORTERS`.

    export(plant or scene, "tree.csv") ──suffix──> EXPORTERS ──> Exporter.write ──> a temporary folder ──> tree.csv

The target is checked before anything is computed, and a file is there whole or not at all. Some have others beside
them, such as textures; the named file comes last.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windflower.core.files import check_free, check_target, replacing_together
from windflower.errors import FileError
from windflower.export.exporter import Exporter
from windflower.export.registry import EXPORTERS
from windflower.export.settings import ExportSettings, Report

if TYPE_CHECKING:  # `import windflower` loads this, and is quick
    from windflower.plant.graph import Plant
    from windflower.scene import Scene

__all__ = ["EXPORTERS", "ExportSettings", "Exporter", "checked_settings", "export", "exporter_of"]


def export(
    subject: "Plant | Scene",
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    report: Report | None = None,
    **how: Any,
) -> list[str]:
    """Write a plant or a scene to a file; the suffix of its name tells the format.

    subject  the plant or the scene
    path     the file to write; its suffix tells the format (`EXPORTERS` lists them)
    force    whether a file that is there already is replaced
    report   told what is being done, and how much of the whole is done, 0 to 1
    how      see `ExportSettings`; what a format does not heed is refused

    Returns sentences on what was written, such as how far its motion is from the plant's own.

        windflower.export(windflower.grow("oak"), "oak.csv")  # a line for each node, m
        windflower.export(windflower.grow("oak"), "oak.glb", winds=(4, 12), joints=128)
    """
    target = Path(path)
    exporter = exporter_of(target)
    settings = checked_settings(target, how)
    check_free(target, force=force)
    if not isinstance(subject, exporter.takes):
        takes = " or ".join(f"a {kind.__name__.lower()}" for kind in exporter.takes)
        raise FileError(
            f"{exporter.title} is written of {takes}; this is a {type(subject).__name__.lower()}. "
            f"Choose another suffix than {target.suffix}."
        )
    with replacing_together(target, force=force) as temporary:
        return exporter.write(subject, temporary, settings, report or (lambda _, __: None))


def checked_settings(path: str | os.PathLike[str], how: dict[str, Any]) -> ExportSettings:
    """The settings of an export to this file, if its format heeds them."""
    try:
        settings = ExportSettings(**how)
    except TypeError:
        unknown = next(name for name in how if name not in ExportSettings.__dataclass_fields__)
        known = ", ".join(ExportSettings.__dataclass_fields__)
        raise FileError(f"what is said of an export is one of {known}; '{unknown}' is not.") from None
    exporter = exporter_of(path)
    if settings.form is not None and settings.form not in exporter.forms:
        known = f"is written as {' or '.join(exporter.forms)}" if exporter.forms else "is written in one way only"
        raise FileError(f"{exporter.title} {known}; '{settings.form}' is not known. Leave it out.")
    if deaf := [name for name in settings.changed() if name not in exporter.heeded(settings)]:
        other = next((form for form, own in exporter.forms.items() if deaf[0] in own), None)
        form, remedy = (f" as {exporter.form(settings)}", f"write it as {other}") if other else ("", "leave it out")
        raise FileError(
            f"{exporter.title}{form} has no {deaf[0]}; {remedy}, or choose another suffix than {Path(path).suffix}."
        )
    return settings


def exporter_of(path: str | os.PathLike[str]) -> Exporter:
    """The exporter of this file, by its suffix. Refuses a target that cannot be written, before any work is done."""
    target = check_target(path, "an exported file", EXPORTERS)
    return EXPORTERS[target.suffix.lower()]
