"""Error messages for scene files: one sentence with the key, the rule and the value."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from windflower.core.table_errors import first_error
from windflower.errors import SceneError, WindflowerError

__all__ = ["naming", "scene_error"]

KINDS = {
    "area": ("rectangle", "circle", "row"),
    "camera": ("fixed", "orbit", "framed", "fly"),
}
"""Kinds of the tables that have several; pydantic puts the kind into an error's location, after the table."""


def scene_error(error: ValidationError, origin: str) -> SceneError:
    """Convert pydantic's first error to a `SceneError`; `origin` names the file."""
    return SceneError(first_error(error, origin, kinds=KINDS, whole="a scene"))


@contextmanager
def naming(key: str) -> Iterator[None]:
    """Put a key of the scene file before the message of any error raised inside."""
    try:
        yield
    except SceneError:
        raise
    except WindflowerError as error:
        raise SceneError(f"{key}: {error}") from None
