"""Everything that can go wrong by a user's hand, in one tree.

WindflowerError
├── PlantError        the arrays given do not make a plant
├── SpeciesError      an unknown species, or a species file that breaks a rule
├── FileError         a file that cannot be read as what it claims to be, or cannot be written
├── MechanicsError    a plant that cannot stand, or a material that cannot be
├── WindError         a wind that cannot blow
├── MotionError       a step that cannot be taken
├── SceneError        a scene file that breaks a rule, or a scene that cannot be laid out
├── GpuError          no graphics driver, or one that cannot do what is asked
└── MissingExtraError an optional library that is not installed

A message has three parts: the rule, the value that broke it, and what to do.
"""

__all__ = [
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
    """The arrays given do not make a plant."""


class SpeciesError(WindflowerError):
    """An unknown species, or a species file that breaks a rule."""


class FileError(WindflowerError):
    """A file that cannot be read as what it claims to be, or cannot be written."""


class MechanicsError(WindflowerError):
    """A plant that cannot stand, or a material that cannot be."""


class WindError(WindflowerError):
    """A wind that cannot blow."""


class MotionError(WindflowerError):
    """A step that cannot be taken."""


class SceneError(WindflowerError):
    """A scene file that breaks a rule, or a scene that cannot be laid out."""


class GpuError(WindflowerError):
    """No graphics driver, or one that cannot do what is asked."""


class MissingExtraError(WindflowerError):
    """An optional library that is not installed."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed. Install it with: pip install 'windflower[{extra}]'")
