"""Checks of settings, whose messages have the rule, the value that broke it, and the remedy."""

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.errors import FileError, WindError

__all__ = ["SMALLEST", "array", "check_speeds", "naming", "number", "one_of", "vector", "whole"]

FASTEST = 500.0  # m/s in a file; a tornado has 135
NUMBERS = (int, float, np.integer, np.floating)
SMALLEST, LARGEST = 1e-9, 1e12  # of any number of a wind, in its unit; what is beyond would not be finite when squared


def number(
    name: str,
    value: object,
    remedy: str,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
    unit: str = "",
) -> None:
    """Refuse a value that is no finite number, or lies outside `above` (exclusive) or `least` to `most` (inclusive)."""
    if isinstance(value, bool) or not isinstance(value, NUMBERS) or not math.isfinite(value):
        raise WindError(f"{name} must be a finite number; it is {value!r}. {remedy}")
    bounds = [
        (above is not None and value <= above, f"above {above}"),
        (least is not None and value < least, f"at least {least}"),
        (most is not None and value > most, f"at most {most}"),
        (above == 0 and value < SMALLEST, f"at least {SMALLEST:g}"),
        (not -LARGEST <= value <= LARGEST, f"at most {LARGEST:g}"),
    ]
    for broken, rule in bounds:
        if broken:
            raise WindError(f"{name} must be {rule}{_with(unit)}; it is {value:g}{_with(unit)}. {remedy}")


def whole(name: str, value: object, remedy: str, *, least: int = 0) -> None:
    """Refuse a value that is not a whole number, or less than `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise WindError(f"{name} must be a whole number, {least} or more; it is {value!r}. {remedy}")


def vector(name: str, value: Sequence[object], remedy: str, *, length: int = 3) -> None:
    """Refuse a value that is not `length` finite numbers."""
    if len(value) != length or not all(isinstance(part, NUMBERS) and -LARGEST <= part <= LARGEST for part in value):
        raise WindError(f"{name} must be {length} finite numbers up to {LARGEST:g}; it is {tuple(value)}. {remedy}")


def one_of(name: str, value: str, choices: Sequence[str]) -> None:
    """Refuse a name that is not among the choices."""
    if value not in choices:
        raise WindError(f"{name} must be one of {', '.join(choices)}; it is {value!r}. Choose one of them.")


def array(name: str, values: ArrayLike, remedy: str) -> FloatArray:
    """The values as a float64 array; refuse any that are not finite numbers."""
    try:
        numbers = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise WindError(f"{name} must be numbers; something else is among them. {remedy}") from None
    bad = ~np.isfinite(numbers)
    if bad.any():
        found = numbers[bad].flat[0]
        raise WindError(f"{name} must be finite; {np.count_nonzero(bad)} are not ({found}). {remedy}")
    largest = float(np.abs(numbers).max(initial=0.0))
    if largest > LARGEST:
        raise WindError(f"{name} must be at most {LARGEST:g}; one is {largest:g}. {remedy}")
    return numbers


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Have what is wrong with the numbers of a file be told with its name, as an error of the file."""
    try:
        yield
    except WindError as error:
        raise FileError(f"{path}: {error}") from None


def check_speeds(values: NDArray[Any]) -> None:
    """Refuse velocities from a file that no wind has; numbers such as 9999 stand for what was not measured."""
    largest = max(float(values.max(initial=0)), -float(values.min(initial=0)))
    if largest > FASTEST:
        raise WindError(
            f"velocities from a file are at most {FASTEST:g} m/s; one is {largest:g}. "
            "If it stands for a missing value, leave it out."
        )


def _with(unit: str) -> str:
    return f" {unit}" if unit else ""
