"""Growing and analysing beside the frame: one worker, the latest wish first."""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from windflower.errors import WindflowerError
from windflower.geometry.lod_meshes import dressed_stand
from windflower.scene import Nursery, Progress, Scene, SceneSettings, build

__all__ = ["Built", "Workshop"]


@dataclass(frozen=True, eq=False)
class Built:
    """What the workshop was asked for, and the scene that it made, or why it could not."""

    settings: SceneSettings
    scene: Scene | None = None
    error: WindflowerError | None = None


class Workshop:
    """Builds scenes in a thread. Wishes that were overtaken by later ones are never begun."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "windflower-workshop")
        self._nursery, self._drafts = Nursery(), Nursery(keep=False)
        self._running: Future[Built] | None = None
        self._next: tuple[SceneSettings, bool] | None = None
        self._closed, self.doing = False, ""

    @property
    def busy(self) -> bool:
        """Whether something is being made or waits to be."""
        return self._running is not None or self._next is not None

    def ask(self, settings: SceneSettings, *, draft: bool = False) -> None:
        """Wish for a scene; a draft's modes are not worth keeping on disk."""
        if not self._closed:
            self._next = settings, draft
            self._begin()

    def take(self) -> Built | None:
        """A finished scene, or the reason why there is none, once."""
        if self._running is None or not self._running.done():
            return None
        done, self._running, self.doing = self._running, None, ""
        self._begin()
        return done.result()

    def make(self, settings: SceneSettings, progress: Progress | None = None) -> Scene:
        """Build a scene here and now."""
        return build(settings, progress, nursery=self._nursery)

    def wait(self, seconds: float | None = None) -> None:
        """Wait for what is being made."""
        if self._running is not None:
            self._running.exception(seconds)

    def close(self) -> None:
        """Begin nothing more; what was begun is not waited for."""
        self._closed, self._next = True, None
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        if self._running is None and self._next is not None:
            (settings, draft), self._next = self._next, None
            self._running = self._pool.submit(self._made, settings, draft=draft)

    def _made(self, settings: SceneSettings, *, draft: bool) -> Built:
        try:
            scene = build(settings, self._tell, nursery=self._drafts if draft else self._nursery)
        except WindflowerError as error:
            return Built(settings, error=error)
        for stand in scene.stands:
            dressed_stand(stand)  # found again when the frame needs it
        return Built(settings, scene)

    def _tell(self, what: str, done: int, of: int) -> None:
        self.doing = f"{what} ({done + 1} of {of})" if done < of else ""
