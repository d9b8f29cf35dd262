"""The state of a viewer and the actions that change it, without a window or a device.

settings ──> SceneBuilder (thread) ──> scene ──> device
   ^                                     ^
 panel, keys, pointer ── wind, sun ──────┘ at once
"""

import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.reading import is_file
from windflower.errors import WindflowerError
from windflower.motion.hybrid.pushing import Capsule
from windflower.plant.species import species_of
from windflower.scene import Progress, Scene, SceneSettings, Sun, read_scene, save_scene
from windflower.scene.camera_table import FixedCamera
from windflower.scene.canopy import canopy_of, wind_over
from windflower.scene.frame_edit import MARGIN
from windflower.scene.framing import fitted_view, subject_points
from windflower.scene.named_files import folders_outside
from windflower.scene.scene import with_leaves
from windflower.scene.stand_table import StandSettings
from windflower.simulation.figure import figure_below
from windflower.viewer.background_build import BuildResult, SceneBuilder
from windflower.viewer.history import History, Snapshot
from windflower.viewer.picking import Hand
from windflower.viewer.scene_edits import (
    WIND_STRENGTHS,
    GrowthControl,
    as_draft,
    growth_controls,
    with_camera,
    with_gust,
    with_number,
    with_puff,
    with_season,
    with_stand,
    with_table,
    with_wind,
)
from windflower.viewer.view_camera import ViewCamera
from windflower.viewer.view_state import Clock, DisplayOptions

__all__ = ["Session"]

MESSAGE_TIME = 8.0  # s that a message is shown
WELCOME_TIME = 30.0  # s that the welcome hint is shown, if nobody does anything


class Session:
    """The state behind a window.

    settings  what a scene file would save
    scene     what is shown; it follows the settings when plants have been built
    camera    the current one; `moved` says whether it has left the scene's own camera
    walking   whether the camera walks over the ground
    aspect    width of the picture over its height
    hand      what holds a branch, or None
    selected  index of the stand that the panel shows
    restarts  how often the motion was restarted
    history   what can be undone
    """

    def __init__(
        self,
        settings: SceneSettings,
        progress: Progress | None = None,
        *,
        folder: Path | None = None,
        allow: Iterable[str | os.PathLike[str]] = (),
    ) -> None:
        self.builder = SceneBuilder()
        self.settings, self.scene = settings, self.builder.build_now(settings, progress)
        self._tables = len(settings.stands)  # of the scene that is shown; the settings may already have others
        self.folder = folder or Path.cwd()
        # What is shown now was allowed already, and may be opened again.
        self.allow = [*map(Path, allow), *folders_outside(settings, self.folder)]
        self.clock, self.display = Clock(), DisplayOptions()
        self._quality_limit: str | None = None
        self._apply_quality()
        self.camera, self.moved, self.walking = self._scene_camera(), False, False
        self.aspect = settings.size[0] / settings.size[1]
        self.hand: Hand | None = None
        self.selected, self.restarts = 0, 0
        self._message, self._message_age = "", 0.0
        self._welcome = WELCOME_TIME
        self._opening: SceneSettings | None = None
        self.history = History(self._snapshot())

    @property
    def message(self) -> str:
        """The latest status message: an error or a success."""
        return self._message

    @message.setter
    def message(self, text: str) -> None:
        self._message, self._message_age = text, 0.0

    @property
    def recent_message(self) -> str:
        """The message, or nothing if it is old."""
        return self._message if self._message_age < MESSAGE_TIME else ""

    @property
    def is_new(self) -> bool:
        """Whether nobody has done anything with the picture yet, for a while."""
        return self._welcome > 0

    def greet(self) -> None:
        """Note that somebody has begun: the welcome hint goes."""
        self._welcome = 0.0

    # Time.

    def tick(self, seconds: float) -> None:
        """Advance by real time, s: show what has been built, and advance the clock."""
        self._message_age += max(seconds, 0.0)
        self._welcome -= max(seconds, 0.0)
        result = self.builder.take()
        if result is not None:
            self._receive(result)
        self.clock.advance(seconds)
        if not self.moved:
            self.camera = self._scene_camera()

    @property
    def period(self) -> float | None:
        """Common period of all stands, s, if all play loops; then time may go back. None otherwise."""
        return self.scene.period

    def reset(self) -> None:
        """Restart the motion."""
        self.clock.reset()
        self.restarts += 1
        self.hand = None

    # Wind, sun and leaves change at once.

    def set_wind(self, **changes: Any) -> None:
        """Change the wind, with the keys of a scene file."""
        with self._errors_as_messages():
            self._replace_wind(with_wind(self.settings, **changes))
            if set(changes) & {*WIND_STRENGTHS, "direction", "canopy"}:
                self._rebuild()  # the mean wind sets aerodynamic damping, and the heading of flags

    @property
    def forest_wind(self) -> bool | None:
        """Whether the forest has a wind of its own; None where there is no forest."""
        if canopy_of(self.settings, self.scene.forest) is not None:
            return True
        if self.settings.wind.canopy is not False:
            return None
        return None if canopy_of(with_wind(self.settings, canopy=None), self.scene.forest) is None else False

    def send_gust(self) -> None:
        """Send a gust across the scene; it soon reaches the camera's target."""
        with self._errors_as_messages():
            settings, strength = with_gust(self.settings, self._mean_wind, self.camera.target, self.clock.time)
            self._replace_wind(settings)
            self.message = f"a gust of {strength:.0f} m/s is on its way"

    def send_puff(self, ray: FloatArray) -> None:
        """Blow from the camera along a ray (3,)."""
        camera, now = self.camera, self.clock.time
        with self._errors_as_messages():
            settings, strength = with_puff(self.settings, self._mean_wind, camera.place, ray, camera.distance, now)
            self._replace_wind(settings)
            self.message = f"a puff of {strength:.0f} m/s toward the pointer"

    @property
    def _mean_wind(self) -> float:
        """Mean horizontal wind speed, m/s."""
        return float(np.hypot(*self.scene.wind.mean[[0, 2]]))

    def _replace_wind(self, settings: SceneSettings) -> None:
        wind = wind_over(settings, self.scene.forest)
        self.settings, self.scene = settings, replace(self.scene, wind=wind, settings=settings)

    def set_sun(self, **changes: Any) -> None:
        """Move the sun, with the keys of a scene file; an hour replaces azimuth and elevation."""
        if "hour" in changes:
            changes = {"azimuth": None, "elevation": None, **changes}
        with self._errors_as_messages():
            self.settings = with_table(self.settings, "sun", **changes)
            self.scene = replace(self.scene, sun=Sun(self.settings.sun), settings=self.settings)

    def set_season(self, season: float | str | None) -> None:
        """Change the season of all leaves: its name, a day of the year, or None for leaves as grown."""
        with self._errors_as_messages():
            self._set_leaves(with_season(self.settings, season))

    def set_leaves(self, index: int, **changes: Any) -> None:
        """Change `flutter` or `shedding` of a stand's leaves, with these keys of a scene file."""
        with self._errors_as_messages():
            self._set_leaves(with_stand(self.settings, index, **changes))

    def _set_leaves(self, settings: SceneSettings) -> None:
        self.settings = settings
        if len(settings.stands) == self._tables:  # else plants were added or removed, and the next build has the leaves
            self.scene = with_leaves(self.scene, settings)

    # Plants are built in the background and replaced when they are done.

    def set_stand(self, index: int, *, draft: bool = False, **changes: Any) -> None:
        """Change a stand, with the keys of a scene file; a draft has fewer nodes."""
        with self._errors_as_messages():
            settings = with_stand(self.settings, index, **changes)
            self.settings = settings
            self._rebuild(as_draft(settings, index, self._nodes(index)) if draft else None)

    def let_break(self) -> None:
        """Let the wood of all plants that can break do so in a storm, or hold again; what lies about stays there."""
        able = [index for index, table in enumerate(self.settings.stands) if table.may_break]
        if not able:
            self.message = "only plants with modal motion and without shedding break; here are none."
            return
        breaks = any(self.settings.stands[index].breaks is None for index in able)
        with self._errors_as_messages():
            for index in able:
                self.settings = with_stand(self.settings, index, breaks=breaks)
            self._rebuild()
            self.message = "wood breaks where it is bent too far; G sends a gust" if breaks else "the wood holds"

    def set_motion(self, index: int, **changes: Any) -> None:
        """Change the motion of a stand, with the keys of a scene file."""
        self.set_stand(index, motion={**self.settings.stands[index].motion.model_dump(), **changes})

    def set_growth(self, index: int, path: tuple[str, ...], value: float, *, draft: bool = False) -> None:
        """Change a number of a stand's species."""
        self.set_stand(index, draft=draft, changes=with_number(self.settings.stands[index].changes, path, value))

    def add_stand(self, plant: str) -> None:
        """Add a stand of one plant."""
        with self._errors_as_messages():
            count = sum(stand.area is None and stand.positions is None for stand in self.settings.stands)
            stand = StandSettings(plant=plant, positions=((6.0 * count, 0.0),) if count else None)
            self.settings = self.settings.model_copy(update={"stands": (*self.settings.stands, stand)})
            self.selected = len(self.settings.stands) - 1
            self._rebuild()

    def remove_stand(self, index: int) -> None:
        """Remove a stand; a scene may be empty."""
        stands = tuple(stand for number, stand in enumerate(self.settings.stands) if number != index)
        self.settings, self.hand = self.settings.model_copy(update={"stands": stands}), None
        self.selected = max(0, min(self.selected, len(stands) - 1))
        self._rebuild()

    def growth_controls(self, index: int) -> tuple[GrowthControl, ...]:
        """The growth controls of a stand's species; none if its plant comes from a file."""
        stand = self.settings.stands[index]
        return growth_controls(species_of(stand.plant), stand.changes) if stand.is_grown else ()

    @property
    def can_be_held(self) -> bool:
        """Whether any plant of the scene can be grabbed."""
        return any(stand.motion.refuses_hands is None for stand in self.scene.stands)

    def hold(self, hand: Hand) -> None:
        """Hold a branch. A camera that the scene moves stays from now on: what is held must not drift away."""
        self.hand = hand
        now, soon = (self.scene.camera.view(self.clock.time + ahead) for ahead in (0.0, 1.0))
        if not self.moved and not (np.allclose(now.eye, soon.eye) and np.allclose(now.target, soon.target)):
            self.look(self.camera)
            self.message = "the camera stays; F follows the scene's own camera again"

    def refuse_hand(self, hand: Hand) -> None:
        """Show why a stand cannot be grabbed, and select it in the panel."""
        if hand.stand >= len(self.scene.stands):
            self.message = "What has come off or gone over cannot be grabbed."
            return
        stand = self.scene.stands[hand.stand]
        self.selected = stand.table
        self.message = (
            f"This plant {stand.motion.refuses_hands}, so it cannot be grabbed. Choose the motion modal under Plants."
        )

    # Undo.

    def record_edit(self) -> None:
        """End an edit: what has changed since the last one becomes a change that can be undone."""
        if self._opening is None:
            self.history.record(self._snapshot())

    def undo(self) -> None:
        """Undo the latest change of the settings, or of how they are shown."""
        self.record_edit()
        self._restore(self.history.undo(), "undone", "nothing to undo")

    def redo(self) -> None:
        """Redo the change that was undone last."""
        self.record_edit()
        self._restore(self.history.redo(), "done again", "nothing to redo")

    def _snapshot(self) -> Snapshot:
        return Snapshot.of(self.settings, self.display, self.camera.field_of_view)

    def _restore(self, found: tuple[Snapshot, str] | None, done: str, nothing: str) -> None:
        if found is None:
            self.message = nothing
            return
        snapshot, change = found
        now, settings = self.settings.wind, snapshot.settings
        wind = settings.wind.model_copy(update={"gusts": now.gusts, "sources": now.sources})  # those under way go on
        settings = settings.model_copy(update={"wind": wind})
        for name, value in snapshot.display.items():
            setattr(self.display, name, value)
        self.camera = replace(self.camera, field_of_view=snapshot.field_of_view)
        self._apply(settings)
        self.message = f"{done}: {change}"

    def _apply(self, settings: SceneSettings) -> None:
        """Show other settings of the same scene: wind, sun and leaves at once, plants when they are built."""
        self._replace_wind(settings)
        self.scene = replace(self.scene, sun=Sun(settings.sun))
        self._set_leaves(settings)
        self.selected = max(0, min(self.selected, len(settings.stands) - 1))
        self._rebuild()

    # Files.

    def current(self) -> SceneSettings:
        """The settings with the current camera and display quality."""
        quality = {"level": self.saved_quality}
        if self.display.shadows != "off":
            quality["shadows"] = self.display.shadows
        settings = with_table(self.settings, "quality", **quality)
        if not self.moved:
            return settings
        return with_camera(settings, self.camera)

    def save(self, path: str | Path) -> None:
        """Save the scene as a scene file."""
        with self._errors_as_messages():
            target = self.folder / path
            if not self.settings.stands:
                self.message = "a scene file needs at least one plant; this scene is empty. Add one under Plants."
                return
            save_scene(self.current(), target)
            outside = folders_outside(self.settings, target.parent)
            options = "".join(f" --allow {shlex.quote(str(one))}" for one in outside)
            self.allow += outside
            self.message = f"saved {target}" + (f"; to open it: windflower view {target}{options}" if outside else "")

    def open(self, name: str) -> None:
        """Open another scene, by its name or from a file."""
        with self._errors_as_messages():
            own = self.folder / name
            self._opening = read_scene(own if name.endswith(".toml") and is_file(own) else name, allow=self.allow)
            self._rebuild(self._opening)
            self.message = f"opening {name}"

    # The camera.

    def look(self, camera: ViewCamera) -> None:
        """Move the camera; from then on it no longer follows the scene's own."""
        self.camera, self.moved = camera, True

    def set_field_of_view(self, degrees: float) -> None:
        """Change the vertical field of view, degrees."""
        self.look(replace(self.camera, field_of_view=degrees))

    def follow(self) -> None:
        """Follow the scene's own camera again."""
        self.moved, self.walking = False, False
        self.camera = self._scene_camera()

    def frame(self, subject: str) -> None:
        """Fit the camera to plants by name (see `subject_names`), from the side and with the lens that it has."""
        with self._errors_as_messages():
            scene = self.scene
            self.frame_points(subject_points(subject, scene.settings.stands, scene.stands, scene.groves))

    def frame_selected(self) -> None:
        """Fit the camera to the stand that the panel shows."""
        self.frame(str(self.selected + 1))

    def frame_points(self, points: FloatArray) -> None:
        """Fit the camera to points (n, 3), m."""
        camera = self.camera
        lens = FixedCamera(kind="fixed", eye=(0, 0, 0), target=(0, 0, 1), field_of_view=camera.field_of_view)
        side = {"azimuth": camera.azimuth, "elevation": camera.elevation, "margin": MARGIN, "aspect": self.aspect}
        view = fitted_view(points, lens, **side, land=camera.land)
        self.walking = False
        self.look(replace(ViewCamera.of(view, camera.land), aperture=camera.aperture, focus=camera.focus))

    def walk(self, walking: bool) -> None:
        """Walk over the ground, or orbit the target."""
        if walking and not self.walking:
            self.look(self.camera.on_foot())
        self.walking = walking

    @property
    def figure(self) -> Capsule | None:
        """Collision capsule of a walking person, from the camera to the ground below; None if nobody walks."""
        return figure_below(self.camera.place, self.scene.ground.terrain) if self.walking else None

    def _scene_camera(self) -> ViewCamera:
        return ViewCamera.of(self.scene.camera.view(self.clock.time), self.scene.ground.terrain)

    def _rebuild(self, settings: SceneSettings | None = None) -> None:
        opening = settings is not None and settings is self._opening
        if opening or self._opening is None:  # a scene that is about to be replaced is not rebuilt
            self.builder.request(settings or self.settings, draft=settings is not None and not opening)

    def _receive(self, result: BuildResult) -> None:
        """Show a built scene; wind, sun and leaves that changed meanwhile are kept."""
        opened = result.settings is self._opening
        if opened:
            self._opening = None
        scene = result.scene
        if scene is None:
            self.message = str(result.error)
        elif opened:
            self._start(scene)
        elif self._opening is None:
            self._swap(scene)

    def _swap(self, scene: Scene) -> None:
        if self.hand is not None and not _same_plant(self.scene, scene, self.hand):
            self.hand = None
        self._tables = len(scene.settings.stands)
        if self._tables == len(self.settings.stands):
            scene = with_leaves(scene, self.settings)
        canopies = (canopy_of(self.settings, forest) for forest in (self.scene.forest, scene.forest))
        wind = wind_over(self.settings, scene.forest) if any(canopies) else self.scene.wind
        self.scene = replace(scene, settings=self.settings, wind=wind, sun=self.scene.sun)

    def _start(self, scene: Scene) -> None:
        self.settings, self.scene, self._tables = scene.settings, scene, len(scene.settings.stands)
        self.moved, self.selected, self.message = False, 0, scene.title
        self._apply_quality()
        self.reset()
        self.history = History(self._snapshot())

    @property
    def saved_quality(self) -> str:
        """Quality in a saved scene file: the display's, or the scene's own where a slow machine lowers it."""
        return self.settings.quality.level if self.display.quality == self._quality_limit else self.display.quality

    def limit_quality(self, quality: str) -> None:
        """Draw at a lower quality than the scene's, for a slow machine; saved files keep the scene's quality."""
        self._quality_limit = self.display.quality = quality
        self.history = History(self._snapshot())  # nobody chose this, so there is nothing to undo

    def _apply_quality(self) -> None:
        quality = self.settings.quality
        self.display.shadows, self.display.quality = quality.shadows, self._quality_limit or quality.level

    def _nodes(self, index: int) -> int:
        return max((stand.plant.nodes for stand in self.scene.stands if stand.table == index), default=1)

    @contextmanager
    def _errors_as_messages(self) -> Iterator[None]:
        """Turn an error of the package into a message."""
        try:
            yield
        except WindflowerError as error:
            self.message = str(error)


def _same_plant(before: Scene, after: Scene, hand: Hand) -> bool:
    one, other = (scene.stands[hand.stand : hand.stand + 1] for scene in (before, after))
    if not (one and other) or other[0].motion.refuses_hands is not None:
        return False
    return one[0].plant is other[0].plant and hand.instance < len(other[0])
