"""Drawing a simulated scene: culling, levels of detail and poses of all stands, gathered into a frame."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.buffers import Recorder
from windflower.geometry.culling import FARTHEST_SHADOW, Culling, CullingTogether, reach_of_shadows
from windflower.geometry.lod import (
    CARD_NODES,
    CARD_TRIANGLES,
    FINEST,
    Candidates,
    Choice,
    Controller,
    choose,
    fitting_factor,
    in_full,
)
from windflower.motion.device.twin import Posed
from windflower.render.card_culling import CardCulling, Cards
from windflower.render.drawn import Block
from windflower.render.drawn_stand import DrawnStand
from windflower.render.foliage import Foliage
from windflower.render.frame import Drawables, Frame, Light, surroundings
from windflower.render.impostors import DrawnImpostors
from windflower.render.pipelines import Layouts
from windflower.scene import View
from windflower.simulation import DeviceSimulation

__all__ = ["Detail", "DrawnScene"]

EVERYWHERE = 1e6  # m out of view at which instances count
STILL, SLOW = 0.5, 0.03  # m, or share of the way to the nearest plant, that a camera may go from choice to choice


@dataclass(frozen=True, eq=False)
class Detail:
    """Level-of-detail settings of a frame.

    size    width and height of the picture, pixels
    budget  target for triangles and nodes of the frame, held by feedback from frame to frame
    alone   ignore the frame before, so that any frame can be drawn again
    levels  levels of another frame, instead of its own
    """

    size: tuple[int, int]
    budget: int
    alone: bool = False
    levels: Choice | None = None


class _Seen(NamedTuple):
    """What a frame shows: levels, bounds of shadows, number of trees, counts; and what it was found for.

    place  view-projection matrix, direction to the sun
    time   of the simulation, s
    still  how far the camera may go while the next frame shows the same, m
    """

    choice: Choice
    bounds: tuple[FloatArray, float, float]
    trees: int
    counts: dict[str, int]
    state: tuple[Any, ...]
    place: tuple[FloatArray, FloatArray]
    time: float
    still: float


class _Sight(NamedTuple):
    """A camera (3,), its view-projection matrix (4, 4), and how far out of view shadows come from, m."""

    camera: FloatArray
    projection: FloatArray
    reach: float


def _state(stand: DrawnStand) -> tuple[Any, ...]:
    """What changes how a stand is shown, beside the camera."""
    return id(stand.stand), stand.paint, np.count_nonzero(stand.moved.gone), *stand.finest.tolist()


class DrawnScene:
    """The stands of a simulation with their meshes on the device."""

    def __init__(self, layouts: Layouts, simulation: DeviceSimulation) -> None:
        self.simulation, self.controller, self._layouts = simulation, Controller(), layouts
        self._kept: _Seen | None = None
        self._again = False  # whether the next frame may have what was kept though the camera has gone on
        self._drawables: Drawables | None = None
        self._culled: list[Culling] = []
        self._listed: tuple[list[Any], CardCulling] | None = None
        self._all = CullingTogether([])
        self._foliage = Foliage(simulation.gpu, layouts)
        self._coming: dict[int, tuple[Detail, _Seen]] = {}
        self.stands: list[DrawnStand] = []
        self.refresh()

    def refresh(self) -> None:
        """Update to the current stands of the simulation."""
        known = {id(stand.moved): stand for stand in self.stands}
        moved = self.simulation.stands
        gpu = self.simulation.gpu
        self.stands = [known.get(id(one)) or DrawnStand(gpu, self._layouts, one, self._foliage) for one in moved]
        for stand in self.stands:
            if stand.is_stale:
                stand.refresh()

    @property
    def tallest(self) -> float:
        """Height of the tallest plant, m."""
        return max((stand.tallest for stand in self.stands), default=1.0)

    def remember(self, view: View, light: Light, detail: Detail, *, memory: int = 0) -> None:
        """Before the simulation moves on: pose what the coming frame will show as it is in the frame before.

        memory  which of two, where two frames are coming: each keeps its own until that frame is made
        """
        self.refresh_broken()
        seen = self._seen(view, light, detail)
        self._coming[memory] = detail, seen
        self._use(memory)
        encoder, choice = Recorder(self.simulation.gpu), seen.choice
        shown = zip(self.stands, choice.levels, choice.cards, strict=True)
        posed = [(stand, stand.posed_before(levels, encoder, cards=cards)) for stand, levels, cards in shown]
        for stand, some in posed:  # copies after all poses, which are then one pass
            stand.remember(some, encoder)
        self.simulation.gpu.queue.submit([encoder.finish()])

    def _use(self, memory: int) -> None:
        for stand in self.stands:
            stand.use(memory)

    def refresh_broken(self) -> None:
        """Take over stands of what has broken."""
        if len(self.stands) != len(self.simulation.stands):
            self.refresh()

    def frame(
        self,
        view: View,
        light: Light,
        time: float,
        detail: Detail,
        extras: Sequence[Callable[[Any], None]] = (),
        *,
        memory: int = 0,
    ) -> Frame:
        """Cull, choose levels and pose the visible instances; `time` is that of light and grass, s; see `remember`."""
        self.refresh_broken()
        self._use(memory)
        coming = self._coming.pop(memory, None)
        known = coming and coming[0].levels is detail.levels and coming[1].state == self._state_of(detail)
        seen = coming[1] if coming and known else self._seen(view, light, detail)
        return Frame(
            view=view,
            light=light,
            time=time,
            around=surroundings(self.simulation, view, time),
            drawables=self._posed(seen.choice, self._sight(view, light, detail)),
            bounds=seen.bounds,
            extras=extras,
            choice=seen.choice,
            trees=seen.trees,
            factor=seen.choice.factor,
            **seen.counts,
        )

    def levels_everywhere(self, view: View, detail: Detail) -> Choice:
        """Levels of all instances, in view or not, as seen from a camera: the finest, if the budget allows it."""
        pixel = view.pixel(detail.size)
        counts = [(len(stand.places), len(stand.meshes)) for stand in self.stands]
        full = in_full(counts, camera=view.eye, pixel=pixel)
        if self._counts(full)["triangles"] <= detail.budget:
            return full
        candidates = self._candidates(view.eye, view.projection(detail.size), pixel, EVERYWHERE, FINEST)
        return self._choice(candidates, view.eye, pixel, replace(detail, alone=True))

    def _sight(self, view: View, light: Light, detail: Detail) -> _Sight:
        return _Sight(view.eye, view.projection(detail.size), reach_of_shadows(self.tallest, light.sun))

    def _state_of(self, detail: Detail) -> tuple[Any, ...]:
        return detail.size, detail.budget, *(id(stand) for stand in self.stands), *map(_state, self.stands)

    def _seen(self, view: View, light: Light, detail: Detail) -> "_Seen":
        """Culling and levels; while frames follow one another, every other one has those of the frame before.

        All have them while nothing changes: camera and factor, or, in a window that is paused, camera and time.
        """
        kept, self._kept = self._kept, None
        state, projection, pixel = self._state_of(detail), view.projection(detail.size), view.pixel(detail.size)
        alone, place, now = detail.alone or detail.levels is not None, (projection, light.sun), self.simulation.time
        if kept and not alone and kept.state == state:
            settled = self.controller.factor == kept.choice.factor or kept.time == now
            if settled and all(map(np.array_equal, place, kept.place)):
                self._kept, self._again = kept, True
                return kept
            if self._again and np.linalg.norm(view.eye - kept.choice.camera) < kept.still:
                self._kept, self._again = kept, False
                return kept
        reach = reach_of_shadows(self.tallest, light.sun)
        known = FINEST if detail.alone or self.controller.factor is None else self.controller.factor
        largest = detail.levels.factor if detail.levels else known
        candidates = self._candidates(view.eye, projection, pixel, reach, largest)
        choice = detail.levels or self._choice(candidates, view.eye, pixel, detail)
        near = self._culling.near(view.eye, projection, reach)
        bounds = (*_bounds(near, view.eye), 2 * self.tallest)
        trees = sum(len(item.instance) + item.far for item in candidates)
        seen = _Seen(choice, bounds, trees, self._counts(choice), state, place, now, _still(near, view.eye))
        self._kept, self._again = None if alone else seen, True
        return seen

    def _candidates(
        self, camera: FloatArray, projection: FloatArray, pixel: float, reach: float, factor: float
    ) -> list[Candidates]:
        """Visible instances of each stand, and those that may cast visible shadows; see `CullingTogether`."""
        finest = [stand.finest for stand in self.stands]
        found = self._culling.candidates(camera, projection, pixel, reach, finest, factor=factor)
        return [stand.watched(camera, seen) for stand, seen in zip(self.stands, found, strict=True)]

    @property
    def _culling(self) -> CullingTogether:
        """Culling of all stands, made anew when one has changed."""
        each = [stand.culling for stand in self.stands]
        if [*map(id, each)] != [*map(id, self._culled)]:
            self._culled, self._all = each, CullingTogether(each)
        return self._all

    def _far_cards(self, choice: Choice, view: _Sight, encoder: Any) -> list[tuple[DrawnImpostors, Block]]:
        """Impostor cards of all stands that have some, listed on the device for each block of posed crowns."""
        far = self._far(choice)
        posed = [(stand, stand.crowns(encoder)) for stand in far]
        if not posed:
            return []
        culling, first = self._card_culling(posed), 0
        drawn: list[tuple[DrawnImpostors, Block]] = []
        scale = choice.factor / choice.pixel
        culling.record(encoder, view.camera, view.projection, view.reach, chosen=choice.camera, scale=scale)
        for stand, some in posed:
            lists = [culling.of(number) for number in range(first, first + len(some))]
            drawn += stand.cards(choice, some, lists)
            first += len(some)
        return drawn

    def _card_culling(self, posed: Sequence[tuple[DrawnStand, list[Posed]]]) -> CardCulling:
        """Culling of cards of these crowns, made anew when some have come or gone."""
        state = [
            (id(stand.culling), np.count_nonzero(stand.moved.gone), *(id(one.instances) for one in some))
            for stand, some in posed
        ]
        if self._listed is None or self._listed[0] != state:
            blocks = [Cards(stand.culling, part, ~stand.moved.gone[part]) for stand, some in posed for _, part in some]
            self._listed = state, CardCulling(self.simulation.gpu, blocks)
        return self._listed[1]

    def _posed(self, choice: Choice, view: _Sight) -> Drawables:
        """Pose the chosen instances on the device."""
        encoder = Recorder(self.simulation.gpu)
        stands = zip(self.stands, choice.levels, strict=True)
        posed = [(stand, level, block) for stand, shown in stands for level, block in stand.blocks(shown, encoder)]
        posed.sort(key=lambda one: one[1])  # finer levels, which are nearer, first
        impostors = self._far_cards(choice, view, encoder)
        self.simulation.gpu.queue.submit([encoder.finish()])
        drawables = Drawables(
            plants=[(stand.meshes[level], block) for stand, level, block in posed],
            surfaces=[(surface, block) for stand, level, block in posed for surface in stand.surfaces[level]],
            impostors=impostors,
            loose=[leaves for stand in self.stands for leaves in stand.loose()],
        )
        for stand in self.stands:
            stand.forget()
        if self._drawables is None or not drawables.same_as(self._drawables):
            self._drawables = drawables
        return self._drawables

    def _far(self, choice: Choice) -> list[DrawnStand]:
        """Stands with impostor cards."""
        return [stand for stand, has in zip(self.stands, choice.cards, strict=True) if has]

    def _counts(self, choice: Choice) -> dict[str, int]:
        """Number of nodes and triangles drawn."""
        stands = zip(self.stands, choice.levels, strict=True)
        counts = [(stand, np.array([len(one.instance) for one in shown])) for stand, shown in stands]
        cards = sum(len(stand.places) for stand in self._far(choice))
        shed = [stand for stand in self.stands if stand.moved.falling]
        fallen = sum(2 * stand.meshes[0].leaf_count * len(stand.places) for stand in shed)
        return {
            "nodes": int(sum(count @ stand.nodes for stand, count in counts)) + CARD_NODES * cards,
            "triangles": int(sum(count @ stand.triangles for stand, count in counts)) + CARD_TRIANGLES * cards + fallen,
        }

    def _choice(self, candidates: Sequence[Candidates], camera: FloatArray, pixel: float, detail: Detail) -> Choice:
        known = None if detail.alone else self.controller.factor
        factor = fitting_factor(candidates, detail.budget) if known is None else known
        # Where kernels draw, what is near need not come first.
        numbered = not (detail.alone or self.simulation.gpu.software)
        choice = choose(candidates, factor, camera=camera, pixel=pixel, numbered=numbered)
        if not detail.alone:
            self.controller.learn(choice, detail.budget)
        return choice


def _bounds(near: FloatArray, camera: FloatArray) -> tuple[FloatArray, float]:
    """Bounding sphere, centre (3,) and radius, m, of the plants with exact shadows, given as spheres (n, 4), m."""
    if len(near) == 0:
        return np.array([camera[0], 0.0, camera[2]]), 30.0
    middle = (near[:, :3].min(axis=0) + near[:, :3].max(axis=0)) / 2
    radius = float((np.linalg.norm(near[:, :3] - middle, axis=1) + near[:, 3]).max())
    # Steps of a tenth keep the shadow's grid still while the camera moves a little.
    return middle, float(1.1 ** np.ceil(np.log(radius * 1.3) / np.log(1.1)))


def _still(near: FloatArray, camera: FloatArray) -> float:
    """How far a camera may go while the next frame shows the same, m: a little of the way to the nearest plant."""
    away = np.linalg.norm(near[:, :3] - camera, axis=1) - near[:, 3]
    return max(STILL, SLOW * float(away.min(initial=FARTHEST_SHADOW)))
