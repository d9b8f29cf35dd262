"""All errors that Windflower raises on purpose, in one tree.

WindflowerError
├── PlantError        arrays that do not make a plant
├── SpeciesError      an unknown species, or a species file that breaks a rule
├── FileError         a file that cannot be read as what it claims to be, or cannot be written
├── MechanicsError    a material that does not exist, or a plant that cannot be reckoned with
│   └── BucklingError   a plant that cannot stand under its own weight
├── WindError         numbers that make no wind, or an unknown preset
├── MotionError       arguments that a motion refuses, or something that it cannot do
├── SceneError        a scene file that breaks a rule, or a scene that cannot be laid out
├── GpuError          no graphics driver, or one that cannot do what is asked
└── MissingExtraError an optional library that is not installed

A message has three parts: the rule, the value that broke it, and what to do.
"""

import sys

__all__ = [
    "BucklingError",
    "FileError",
    "GpuError",
    "MechanicsError",
    "MissingExtraError",
    "MotionError",
    "PlantError",
    "SceneError",
    "SpeciesError",
    "WindError",
    "WindflowerError",
]


class WindflowerError(Exception):
    """Base of all errors that Windflower raises on purpose."""


class PlantError(WindflowerError):
    """Arrays that do not make a plant."""


class SpeciesError(WindflowerError):
    """An unknown species, or a species file that breaks a rule."""


class FileError(WindflowerError):
    """A file that cannot be read as what it claims to be, or cannot be written."""


class MechanicsError(WindflowerError):
    """A material that does not exist, or a plant that cannot be reckoned with."""


class BucklingError(MechanicsError):
    """A plant that cannot stand under its own weight."""


class WindError(WindflowerError):
    """Numbers that make no wind, or an unknown preset."""


class MotionError(WindflowerError):
    """Arguments that a motion refuses, or something that it cannot do."""


class SceneError(WindflowerError):
    """A scene file that breaks a rule, or a scene that cannot be laid out."""


class GpuError(WindflowerError):
    """No graphics driver, or one that cannot do what is asked."""


class MissingExtraError(WindflowerError):
    """An optional library that is not installed.

    library  the library's name
    extra    the extra of this package that installs it
    """

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(
            f"{library} is not installed; it comes with the extra '{extra}'. "
            f"In the folder of Windflower's source code: {_install_command(extra)}"
        )
        self.library, self.extra = library, extra

    def __reduce__(self) -> tuple[type["MissingExtraError"], tuple[str, str]]:
        """How it is pickled: a worker's error is raised in the process that asked."""
        return MissingExtraError, (self.library, self.extra)


def _install_command(extra: str) -> str:
    """The command that installs an extra for the Python that runs, as every shell takes it, Windows' too."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable or "python"
    return f'{python} -m pip install -e ".[{extra}]"'
