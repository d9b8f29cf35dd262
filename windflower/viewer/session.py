"""What a person does with a scene: its settings, the clock, the eye, the hand, and what is shown. No window, no device.

settings ──> workshop (a thread) ──> scene ──> theatre (the device)
   ^                                   ^
 panel, keys, pointer ── wind, sun ────┘ at once
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import WindflowerError
from windflower.motion.hybrid.pushing import Capsule
from windflower.plant.species import species_of
from windflower.scene import Progress, Scene, SceneSettings, Sun, read_scene, save_scene
from windflower.scene.scene import low_way, with_leaves
from windflower.scene.stand_table import StandSettings
from windflower.scene.wind import wind_of
from windflower.simulation.figure import figure_below
from windflower.viewer.knobs import Knob, knobs_of, turned
from windflower.viewer.picking import Hand
from windflower.viewer.settings import (
    STRENGTHS,
    drafted,
    seen_by,
    with_gust,
    with_puff,
    with_season,
    with_stand,
    with_table,
    with_wind,
)
from windflower.viewer.view_camera import ViewCamera
from windflower.viewer.view_state import Clock, DisplayOptions
from windflower.viewer.workshop import Built, Workshop

__all__ = ["Session"]

LASTS = 8.0  # s that a message stays


class Session:
    """All that a window knows of what it shows.

    settings  what would be saved; scene  what is shown, which may be a step behind while plants grow
    moved     whether the eye has left the scene's own camera
    selected  which stand the panel is about
    restarts  how often the motion was begun anew
    """

    def __init__(
        self, settings: SceneSettings, progress: Progress | None = None, *, folder: Path | None = None
    ) -> None:
        self.workshop = Workshop()
        self.settings, self.scene = settings, self.workshop.make(settings, progress)
        scene = self.scene
        self.folder = folder or Path.cwd()
        self.clock, self.display = Clock(), DisplayOptions()
        self._modest: str | None = None
        self._as_the_scene_says()
        self.camera, self.moved, self.walking = (
            ViewCamera.of(scene.camera.view(0.0), scene.ground.terrain),
            False,
            False,
        )
        self.hand: Hand | None = None
        self.selected, self.restarts = 0, 0
        self._message, self._age = "", 0.0
        self._opening: SceneSettings | None = None

    @property
    def message(self) -> str:
        """A line for the person, the latest complaint or success."""
        return self._message

    @message.setter
    def message(self, text: str) -> None:
        self._message, self._age = text, 0.0

    @property
    def news(self) -> str:
        """The message, as long as it is new."""
        return self._message if self._age < LASTS else ""

    # Time.

    def tick(self, seconds: float) -> None:
        """Let so many seconds pass for the person: take what the workshop has made, and move on."""
        self._age += max(seconds, 0.0)
        built = self.workshop.take()
        if built is not None:
            self._receive(built)
        self.clock.advance(seconds)
        if not self.moved:
            self.camera = ViewCamera.of(self.scene.camera.view(self.clock.time), self.scene.ground.terrain)

    @property
    def period(self) -> float | None:
        """After which all repeats, s, if everything that stands plays loops; then time may go back."""
        loops = [stand.loop.period for stand in self.scene.stands if stand.loop]
        return max(loops) if loops and len(loops) == len(self.scene.stands) else None

    def reset(self) -> None:
        """Begin the motion again."""
        self.clock.reset()
        self.restarts += 1
        self.hand = None

    # Wind and sun take hold at once.

    def set_wind(self, **changes: Any) -> None:
        """Change the wind, with the keys of a scene file."""
        with self._complaining():
            settings = with_wind(self.settings, **changes)
            wind = wind_of(settings.wind, seed=settings.seed)
            self.settings = settings
            self.scene = replace(self.scene, wind=wind, settings=settings)
            if set(changes) & {*STRENGTHS, "direction"}:
                self._ask()  # a stronger wind damps plants more, and flags turn with it

    def send_gust(self) -> None:
        """Let one gust cross the scene, which soon reaches what the eye looks at."""
        mean = float(np.hypot(*self.scene.wind.mean[[0, 2]]))
        with self._complaining():
            settings, strength = with_gust(self.settings, mean, self.camera.target, self.clock.time)
            self.settings = settings
            self.scene = replace(self.scene, wind=wind_of(settings.wind, seed=settings.seed), settings=settings)
            self.message = f"a gust of {strength:.0f} m/s is on its way"

    def send_puff(self, ray: FloatArray) -> None:
        """Blow from the eye along a ray (3,), where the pointer points."""
        mean, eye = float(np.hypot(*self.scene.wind.mean[[0, 2]])), self.camera
        with self._complaining():
            settings, strength = with_puff(self.settings, mean, eye.place, ray, eye.distance, self.clock.time)
            self.settings = settings
            self.scene = replace(self.scene, wind=wind_of(settings.wind, seed=settings.seed), settings=settings)
            self.message = f"a puff of {strength:.0f} m/s from where you look"

    def set_sun(self, **changes: Any) -> None:
        """Move the sun, with the keys of a scene file; an hour takes the place of azimuth and elevation."""
        if "hour" in changes:
            changes = {"azimuth": None, "elevation": None, **changes}
        with self._complaining():
            self.settings = with_table(self.settings, "sun", **changes)
            self.scene = replace(self.scene, sun=Sun(self.settings.sun), settings=self.settings)

    # So do leaves.

    def set_season(self, season: float | str | None) -> None:
        """Change the season of all leaves: its name, a day of the year, or None for as they grew."""
        with self._complaining():
            self._leave(with_season(self.settings, season))

    def set_leaves(self, index: int, **changes: Any) -> None:
        """Change what the leaves of a stand do, with the keys `flutter` and `shedding` of a scene file."""
        with self._complaining():
            self._leave(with_stand(self.settings, index, **changes))

    def _leave(self, settings: SceneSettings) -> None:
        self.settings, self.scene = settings, with_leaves(self.scene, settings)

    # Plants grow in the workshop and are swapped in.

    def set_stand(self, index: int, *, draft: bool = False, **changes: Any) -> None:
        """Change a stand, with the keys of a scene file; a draft is grown with fewer nodes."""
        with self._complaining():
            settings = with_stand(self.settings, index, **changes)
            self.settings = settings
            self._ask(drafted(settings, index, self._nodes(index)) if draft else None)

    def set_motion(self, index: int, **changes: Any) -> None:
        """Change how a stand moves."""
        self.set_stand(index, motion={**self.settings.stands[index].motion.model_dump(), **changes})

    def turn_knob(self, index: int, path: tuple[str, ...], value: float, *, draft: bool = False) -> None:
        """Change a number of a stand's species."""
        self.set_stand(index, draft=draft, changes=turned(self.settings.stands[index].changes, path, value))

    def add_stand(self, plant: str) -> None:
        """Plant one more kind."""
        with self._complaining():
            count = sum(stand.area is None and stand.positions is None for stand in self.settings.stands)
            stand = StandSettings(plant=plant, positions=((6.0 * count, 0.0),) if count else None)
            self.settings = self.settings.model_copy(update={"stands": (*self.settings.stands, stand)})
            self.selected = len(self.settings.stands) - 1
            self._ask()

    def remove_stand(self, index: int) -> None:
        """Take a kind away; a scene may be empty."""
        stands = tuple(stand for number, stand in enumerate(self.settings.stands) if number != index)
        self.settings, self.hand = self.settings.model_copy(update={"stands": stands}), None
        self.selected = max(0, min(self.selected, len(stands) - 1))
        self._ask()

    def knobs(self, index: int) -> tuple[Knob, ...]:
        """What can be turned of a stand's species, if it is grown."""
        stand = self.settings.stands[index]
        return knobs_of(species_of(stand.plant), stand.changes) if stand.is_grown else ()

    def refuse_hand(self, hand: Hand) -> None:
        """Say why a stand cannot be touched, and turn the panel to it."""
        stand = self.scene.stands[hand.stand]
        self.selected = stand.table
        moves = "plays a loop" if stand.loop else "moves by springs without inertia of their own"
        self.message = f"This plant {moves}, which a hand cannot touch. Choose the motion modal under Plants."

    # Files.

    def current(self) -> SceneSettings:
        """The settings with the eye where it is and the picture as it is shown."""
        quality = {} if self.display.quality == self._modest else {"level": self.display.quality}
        if self.display.shadows != "off":
            quality["shadows"] = self.display.shadows
        settings = with_table(self.settings, "quality", **quality)
        if not self.moved:
            return settings
        way = np.unique(np.round(low_way(settings), 3), axis=0)
        return seen_by(settings, self.camera, way[:: -(-len(way) // 200)] if len(way) else way)

    def save(self, path: str | Path) -> None:
        """Write the scene as a file."""
        with self._complaining():
            target = self.folder / path
            if not self.settings.stands:
                self.message = "a scene file has at least one plant; this scene is empty"
                return
            save_scene(self.current(), target)
            self.message = f"saved {target}"

    def open(self, name: str) -> None:
        """Open another scene, by its name or from a file."""
        with self._complaining():
            own = self.folder / name
            self._opening = read_scene(own if name.endswith(".toml") and own.exists() else name)
            self._ask(self._opening)
            self.message = f"opening {name}"

    # The eye and the hand.

    def look(self, eye: ViewCamera) -> None:
        """Move the eye; from then on it is the person's."""
        self.camera, self.moved = eye, True

    def widen(self, degrees: float) -> None:
        """See more or less at once, from the bottom of the picture to its top."""
        self.look(replace(self.camera, field_of_view=degrees))

    def follow(self) -> None:
        """Give the eye back to the scene's own camera."""
        self.moved, self.walking = False, False
        self.camera = ViewCamera.of(self.scene.camera.view(self.clock.time), self.scene.ground.terrain)

    def walk(self, walking: bool) -> None:
        """Walk over the ground, or go around what is looked at."""
        if walking and not self.walking:
            self.look(self.camera.on_foot())
        self.walking = walking

    @property
    def figure(self) -> Capsule | None:
        """Who walks through the plants, if someone does: as tall as the eye is high, on the ground below it."""
        return figure_below(self.camera.place, self.scene.ground.terrain) if self.walking else None

    def _ask(self, settings: SceneSettings | None = None) -> None:
        opening = settings is not None and settings is self._opening
        if opening or self._opening is None:  # what is about to be replaced need not be made anew
            self.workshop.ask(settings or self.settings, draft=settings is not None and not opening)

    def _receive(self, built: Built) -> None:
        """Show a scene that was made; what took hold at once since it was asked for stays."""
        opened = built.settings is self._opening
        if opened:
            self._opening = None
        scene = built.scene
        if scene is None:
            self.message = str(built.error)
        elif opened:
            self._begin(scene)
        elif self._opening is None:
            self._swap(scene)

    def _swap(self, scene: Scene) -> None:
        if self.hand is not None and not _same_plant(self.scene, scene, self.hand):
            self.hand = None
        if len(scene.settings.stands) == len(self.settings.stands):
            scene = with_leaves(scene, self.settings)
        self.scene = replace(scene, settings=self.settings, wind=self.scene.wind, sun=self.scene.sun)

    def _begin(self, scene: Scene) -> None:
        self.settings, self.scene = scene.settings, scene
        self.moved, self.selected, self.message = False, 0, scene.title
        self._as_the_scene_says()
        self.reset()

    def be_modest(self, quality: str, resolution: float) -> None:
        """Draw less finely than the scene says, on a machine that cannot do more; files are saved as they were."""
        self._modest = self.display.quality = quality
        self.display.resolution = min(self.display.resolution, resolution)

    def _as_the_scene_says(self) -> None:
        quality = self.settings.quality
        self.display.shadows, self.display.quality = quality.shadows, self._modest or quality.level

    def _nodes(self, index: int) -> int:
        return max((stand.plant.nodes for stand in self.scene.stands if stand.table == index), default=1)

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        """Turn a mistake of the person into a message."""
        try:
            yield
        except WindflowerError as error:
            self.message = str(error)


def _same_plant(before: Scene, after: Scene, hand: Hand) -> bool:
    one, other = (scene.stands[hand.stand : hand.stand + 1] for scene in (before, after))
    return bool(one and other and one[0].plant is other[0].plant and hand.instance < len(other[0]))
