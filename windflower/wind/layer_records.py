"""Layers of carried wind as the kernel reads them: records of their waves and fronts for some steps."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.layouts import layout, record
from windflower.wind.direction import wind_axes
from windflower.wind.grid import Box
from windflower.wind.layer import Fronts, FrontTable, Layer

__all__ = ["LayerRecords"]

LAYER, WAVE, TRAIN = (layout("wind/at_points.wgsl", name) for name in ("Layer", "Wave", "Train"))
AT_REST = wind_axes(270.0)  # axes of a layer without eddies


class LayerRecords:
    """Layers over the places of a box, m, whose middle is the kernel's origin."""

    def __init__(self, layers: list[Layer], box: Box) -> None:
        self.layers, self._box = layers, box
        self._origin = box.middle
        self._waves = lru_cache(maxsize=2)(self._new_waves)

    def at(self, first: float, dt: float, last: float) -> dict[str, NDArray[Any]]:
        """Records of layers, waves, trains and fronts for steps dt apart, the first ending at `first`, s."""
        trains: list[NDArray[np.void]] = []
        fronts = [np.zeros((1, 2))]  # no buffer is empty
        layers = np.zeros(max(len(self.layers), 1), LAYER)
        waves, turns = self._waves(dt)
        for mine, layer in zip(layers, self.layers, strict=False):
            mine["train"], mine["trains"] = len(trains), len(layer.fronts)
            for front in layer.fronts:
                table = front.table(self._box, first, last)
                trains.append(self._train(front, table, first, sum(map(len, fronts))))
                fronts.append(table.fronts.reshape(-1, 2))
        self._fill(layers)
        now = waves.copy()
        now["start"] = (turns[:, 1] + turns[:, 0] * first) % 1.0
        return {
            "layers": layers,
            "waves": now,
            "trains": np.array(trains or [np.zeros((), TRAIN)]),
            "fronts": np.concatenate(fronts).astype("<f4"),
        }

    def _fill(self, layers: NDArray[np.void]) -> None:
        """Whatever of the layers stays the same."""
        wave = 0
        for mine, layer in zip(layers, self.layers, strict=False):
            eddies = layer.eddies
            axes = AT_REST if eddies is None else wind_axes(eddies.direction)
            mine["along"], mine["left"], mine["steady"] = axes[0], axes[1], layer.steady
            mine["swells"], mine["wave"] = layer.swells is not None, wave
            mine["waves"] = 0 if eddies is None else len(eddies.turns)
            wave += int(mine["waves"])

    def _new_waves(self, dt: float) -> tuple[NDArray[np.void], FloatArray]:
        """`Wave` of all waves without their start; and (waves, 2) turns per second, and turns at the origin."""
        with_eddies = [(layer.eddies, layer.swells) for layer in self.layers if layer.eddies is not None]
        if not with_eddies:
            return np.zeros(1, WAVE), np.zeros((1, 2))
        turns = np.concatenate([eddies.turns for eddies, _ in with_eddies])
        phasor = np.concatenate([eddies.phasor / (swells or 1.0) for eddies, swells in with_eddies])
        waves = np.zeros(len(turns), WAVE)
        waves["turns"], waves["pace"] = turns[:, 1:], turns[:, 0] * dt
        angle = 2 * np.pi * turns[:, 0] * dt
        waves["step"] = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        waves["real"], waves["imaginary"] = phasor.real, phasor.imag
        return waves, np.stack([turns[:, 0], turns[:, 1:] @ self._origin], axis=1)

    def _train(self, front: Fronts, table: FrontTable, first: float, at: int) -> NDArray[np.void]:
        """`Train` of a gust or a train of gusts, whose fronts begin at a place of their buffer."""
        along, left, _ = wind_axes(front.direction)
        delay, aside = along / front.speed, left / front.width
        lanes, intervals, _ = table.fronts.shape
        return record(
            TRAIN,
            delay=delay,
            clock=first - table.start - delay @ self._origin,
            aside=aside,
            lane=aside @ self._origin - table.lane,
            blows=front.strength * along,
            spacing=table.spacing,
            duration=front.duration,
            rise=front.rise,
            fall=front.fall,
            back=table.back,
            table=at,
            intervals=intervals,
            lanes=lanes,
        )
