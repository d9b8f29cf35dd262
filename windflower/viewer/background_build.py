"""Builds scenes in a background thread while the window keeps drawing."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from windflower.errors import WindflowerError
from windflower.geometry.lod_meshes import stand_meshes
from windflower.scene import PlantCache, Progress, Scene, SceneSettings, build

__all__ = ["BuildResult", "SceneBuilder"]


@dataclass(frozen=True, eq=False)
class BuildResult:
    """Result of a build: the requested settings, and the scene built from them or the error."""

    settings: SceneSettings
    scene: Scene | None = None
    error: WindflowerError | None = None


class SceneBuilder:
    """Builds one scene at a time in a thread. Only the latest request waits; earlier ones are dropped.

    status  text about what is being built; empty if nothing is
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "windflower-scene-builder")
        self._plants, self._draft_plants = PlantCache(), PlantCache(keep=False)
        self._running: Future[BuildResult] | None = None
        self._waiting: tuple[SceneSettings, bool] | None = None
        self._closed, self.status = False, ""

    @property
    def busy(self) -> bool:
        """Whether a scene is being built or waits to be."""
        return self._running is not None or self._waiting is not None

    def request(self, settings: SceneSettings, *, draft: bool = False) -> None:
        """Request a scene; the modes of a draft are not cached on disk."""
        if not self._closed:
            self._waiting = settings, draft
            self._start()

    def take(self) -> BuildResult | None:
        """The result of a finished build, once; None if none has finished."""
        if self._running is None or not self._running.done():
            return None
        done, self._running, self.status = self._running, None, ""
        self._start()
        return done.result()

    def build_now(self, settings: SceneSettings, progress: Progress | None = None) -> Scene:
        """Build a scene in the calling thread."""
        return build(settings, progress, plants=self._plants)

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the running build."""
        if self._running is not None:
            self._running.exception(seconds)

    def close(self) -> None:
        """Start no further build; a running one is not waited for."""
        self._closed, self._waiting = True, None
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> None:
        if self._running is None and self._waiting is not None:
            (settings, draft), self._waiting = self._waiting, None
            self._running = self._pool.submit(self._build, settings, draft=draft)

    def _build(self, settings: SceneSettings, *, draft: bool) -> BuildResult:
        try:
            scene = build(settings, self._report, plants=self._draft_plants if draft else self._plants)
        except WindflowerError as error:
            return BuildResult(settings, error=error)
        for stand in scene.stands:
            stand_meshes(stand)  # meshes are cached, so the frame that needs them finds them
        return BuildResult(settings, scene)

    def _report(self, what: str, done: int, of: int) -> None:
        self.status = f"{what} ({done + 1} of {of})" if done < of else ""
