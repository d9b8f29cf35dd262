"""The forest of a scene, and whether it makes a wind of its own."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from windflower.mechanics.foliage import segment_area
from windflower.motion import Places
from windflower.motion.settings import Circumstances
from windflower.plant.graph import Plant
from windflower.scene.settings import SceneSettings
from windflower.scene.wind import wind_of
from windflower.scene.wind_table import CanopySettings, ProfileSettings
from windflower.wind import Forest, ForestProfile, Profile, Wind, forest_profile
from windflower.wind.spectra import Form

__all__ = ["canopy_of", "circumstances_of", "forest_of", "wind_over"]

TREE = 3.0  # m: least height of the plants of a forest, unless the scene file asks for a canopy
LARGE = 50.0  # ground under a closed canopy that makes a forest, over the square of its height


def forest_of(stands: Iterable[tuple[Sequence[Plant], Places]]) -> Forest:
    """Where the plants of a scene stand, how high they are and what leaf area they have: the means of their kinds."""
    position, height, area = [np.empty((0, 2))], [np.empty(0)], [np.empty(0)]
    for plants, places in stands:
        position.append(places.position[:, [0, 2]])
        height.append(places.scale * float(np.mean([plant.height for plant in plants])))
        area.append(places.scale**2 * float(np.mean([segment_area(plant).sum() for plant in plants])))
    return Forest(np.concatenate(position), np.concatenate(height), np.concatenate(area))


def canopy_of(settings: SceneSettings, forest: Forest) -> ForestProfile | None:
    """The profile of the scene's wind over and in its forest; None where it has none, or the scene does without."""
    wind = settings.wind
    if wind.canopy is False or wind.file is not None or settings.ground.kind == "seabed":
        return None
    return _canopy(forest, wind.canopy, wind.profile, wind.direction, wind.spectrum)


def wind_over(settings: SceneSettings, forest: Forest) -> Wind:
    """The wind of a scene over and in its forest."""
    return wind_of(settings.wind, seed=settings.seed, canopy=canopy_of(settings, forest))


def circumstances_of(settings: SceneSettings, canopy: ForestProfile | None, places: Places) -> Circumstances:
    """The circumstances of plants at these places: a motion that many share is made for the wind of them all."""
    if canopy is None:
        return Circumstances(wind_of(settings.wind, seed=settings.seed), settings.seconds, settings.seed)
    mean = canopy.among(places.position)
    wind = wind_of(settings.wind, seed=settings.seed, canopy=mean)
    return Circumstances(wind, settings.seconds, settings.seed, canopy=mean, scale=float(places.scale.mean()))


@lru_cache(maxsize=8)
def _canopy(
    forest: Forest, asked: CanopySettings | bool | None, law: ProfileSettings, direction: float, form: Form
) -> ForestProfile | None:
    """Kept, as a window asks for it at every change of the wind."""
    plants = _trees(forest) if asked is None else _changed(forest, asked)
    large = asked is not None or (law.law != "uniform" and plants.closed_area > LARGE * plants.typical_height**2)
    if not plants.typical_height or not large:
        return None
    return forest_profile(plants, direction=direction, open_country=Profile(**law.model_dump()), form=form)


def _trees(forest: Forest) -> Forest:
    tall = forest.height >= TREE
    return Forest(forest.position[tall], forest.height[tall], forest.leaf_area[tall])


def _changed(forest: Forest, asked: CanopySettings | bool) -> Forest:
    """The forest with the height and leaf area that the scene file gives it."""
    if isinstance(asked, bool) or not forest.typical_height:
        return forest
    taller = 1.0 if asked.height is None else asked.height / forest.typical_height
    leafier = 1.0 if asked.leaf_area is None else asked.leaf_area / forest.typical_leaf_area
    return Forest(forest.position, forest.height * taller, forest.leaf_area * leafier)
