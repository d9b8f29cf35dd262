"""Values that are drawn: in a recipe, one of these tables may stand in the place of any value.

{ uniform = [2, 12] }              a number between 2 and 12
{ log = [0.1, 10] }                the same, with equal factors equally likely: as many below 1 as above
{ normal = [8, 2] }                mean and standard deviation, cut off three deviations from the mean
{ whole = [1, 6] }                 a whole number from 1 to 6, both included
{ choose = ["oak", "walnut"] }     one of these; with weights = [3, 1] beside it, the first three times as often
{ several = [1, 3], of = … }       a list of one to three values, each drawn by itself

A draw is named by the recipe's seed, the sample's number and its key, so that another key in the recipe changes no
other draw.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from statistics import NormalDist
from typing import Any, NoReturn

from windflower.core.randomness import draw
from windflower.core.text import shortened
from windflower.errors import SceneError

__all__ = ["DISTRIBUTIONS", "Draws"]

MOST = 1000  # values in a list
CUT = 3.0  # deviations from the mean
LIKE = 0.75  # how like a distribution's name is one that is misspelt


@dataclass
class Draws:
    """What one sample draws.

    values  what was drawn so far, by key: `wind.speed`, `stands[0].plant`
    """

    seed: int
    sample: int
    values: dict[str, Any] = field(default_factory=dict)

    def of(self, value: Any, key: str = "") -> Any:
        """The value with every distribution in it replaced by what is drawn; `key` is its place."""
        if isinstance(value, dict):
            name = next((name for name in DISTRIBUTIONS if name in value), None)
            if name is not None:
                return self._drawn(name, value, key)
            _check_name(value, key)
            key = key.rstrip("*")
            return {name: self.of(each, f"{key}.{name}" if key else name) for name, each in value.items()}
        if isinstance(value, list):
            return [self.of(each, f"{key}[{index}]") for index, each in enumerate(value)]
        return value

    def _drawn(self, name: str, table: dict[str, Any], key: str) -> Any:
        make, beside = DISTRIBUTIONS[name]
        others = [other for other in table if other not in (name, *beside)]
        if others:
            _refuse(key, f"beside {name} stands {' or '.join(beside) or 'nothing'}", f"there is {others[0][:40]!r}")
        share = float(draw(self.seed, self.sample, _number(key)))
        found = make(table, key, share)
        self.values[key] = _told(found, table)
        return self.of(found, key if isinstance(found, list) else f"{key}*")


def _check_name(table: dict[str, Any], key: str) -> None:
    """Refuse a table that is nearly a distribution: it has a list under a name that is like one."""
    for name, value in table.items():
        near = get_close_matches(name, DISTRIBUTIONS, n=1, cutoff=LIKE)
        if near and isinstance(value, list):
            _refuse(
                key,
                f"a value is drawn by {', '.join(DISTRIBUTIONS)}",
                f"{name!r} is not one of them; did you mean {near[0]!r}?",
            )


def _told(found: Any, table: dict[str, Any]) -> Any:
    """What a draw is called: how many, or which one of several tables."""
    if "several" in table:
        return len(found)
    return f"{table['choose'].index(found) + 1}." if isinstance(found, dict | list) else found


def _number(key: str) -> int:
    """A number that stands for a key."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=7).digest(), "little")


def _uniform(table: dict[str, Any], key: str, share: float) -> float:
    low, high = _limits(table["uniform"], key, "uniform")
    return low + (high - low) * share


def _log(table: dict[str, Any], key: str, share: float) -> float:
    low, high = _limits(table["log"], key, "log")
    if low <= 0:
        _refuse(key, "log has limits above 0", f"the lower is {low:g}")
    return float(low * (high / low) ** share)


def _normal(table: dict[str, Any], key: str, share: float) -> float:
    mean, deviation = _pair(table["normal"], key, "normal = [mean, deviation]")
    if deviation <= 0:
        _refuse(key, "a deviation is above 0", f"it is {deviation:g}")
    low, high = (NormalDist().cdf(cut) for cut in (-CUT, CUT))
    return mean + deviation * NormalDist().inv_cdf(low + (high - low) * share)


def _whole(table: dict[str, Any], key: str, share: float) -> int:
    low, high = _limits(table["whole"], key, "whole", whole=True)
    return int(low + math.floor(share * (high - low + 1)))


def _choose(table: dict[str, Any], key: str, share: float) -> Any:
    values = table["choose"]
    if not isinstance(values, list) or not 0 < len(values) <= MOST:
        _refuse(key, f"choose is a list of 1 to {MOST} values", f"it is {_shown(values)}")
    weights = table.get("weights", [1] * len(values))
    if not isinstance(weights, list) or len(weights) != len(values) or not all(map(_is_weight, weights)):
        _refuse(key, "weights are as many numbers from 0 on as there are values", f"they are {_shown(weights)}")
    total = math.fsum(weights)
    if not 0 < total < math.inf:
        _refuse(key, "one weight at least is above 0", f"they are {_shown(weights)}")
    reached = 0.0
    for value, weight in zip(values, weights, strict=True):
        reached += weight / total
        if share < reached:
            return value
    return next(value for value, weight in zip(values[::-1], weights[::-1], strict=True) if weight > 0)


def _several(table: dict[str, Any], key: str, share: float) -> list[Any]:
    low, high = _limits(table["several"], key, "several", whole=True)
    if not 0 <= low <= high <= MOST:
        _refuse(key, f"several are 0 to {MOST}", f"they are {low:g} to {high:g}")
    if "of" not in table:
        _refuse(key, "several needs of beside it, what is drawn so often", "it is not given")
    return [table["of"]] * int(low + math.floor(share * (high - low + 1)))


DISTRIBUTIONS: dict[str, tuple[Callable[[dict[str, Any], str, float], Any], tuple[str, ...]]] = {
    "uniform": (_uniform, ()),
    "log": (_log, ()),
    "normal": (_normal, ()),
    "whole": (_whole, ()),
    "choose": (_choose, ("weights",)),
    "several": (_several, ("of",)),
}
"""How each is drawn by a random number from 0 to 1, and the keys that may stand beside its own."""


def _limits(value: Any, key: str, name: str, *, whole: bool = False) -> tuple[float, float]:
    low, high = _pair(value, key, f"{name} = [low, high]")
    if whole and not (isinstance(low, int) and isinstance(high, int)):
        _refuse(key, f"{name} has whole numbers", f"they are {_shown(value)}")
    if low > high:
        _refuse(key, f"{name} has the lower limit first", f"they are {_shown(value)}")
    return low, high


def _pair(value: Any, key: str, form: str) -> tuple[float, float]:
    if not (isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))):
        _refuse(key, f"a distribution is written {form}", f"it is {_shown(value)}")
    return value[0], value[1]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_weight(value: Any) -> bool:
    return _is_number(value) and value >= 0


def _shown(value: Any) -> str:
    return shortened(repr(value), 60)


def _refuse(key: str, rule: str, found: str) -> NoReturn:
    raise SceneError(f"{key}: {rule}; {found}{'' if found.endswith('?') else '.'}")
