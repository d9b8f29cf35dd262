"""How modes and static vectors answer forces, and what the lines of a loop must carry of it.

A loop of T seconds has lines at p/T only. A lightly damped mode may lie between two of them, where neither shows its
resonance, or on one, which then shows too much of it. So a line stands for its bin, from (p - ½)/T to (p + ½)/T: what
is drawn at p/T is scaled by a gain, a positive number for each shape, that makes its mean power

    ∫ |H(f)|² S(f) df  over the bin                     H: the answer to a force, S: the density of the force

Phases stay, and so do coherences between shapes: those at p/T. What is slower than 1/2T is in no bin.
"""

from math import pi

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.motion.spectral.force_spectrum import ForceSpectrum
from windflower.motion.spectral.loop import ComplexArray

__all__ = ["Response"]

LEAST = 1e-3  # γ/ω that a mode has at least: without any damping its variance would grow for ever
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
TOGETHER = 500  # lines worked on at once
SMOOTH, PEAK = 400, 31  # frequencies of an integral over many bins, and those about each resonance


class Response:
    """The answers of a plant's shapes to forces: modes, then static vectors.

    damping  (modes,)  γ = 2ζω, 1/s
    """

    def __init__(self, modes: Modes, damping: FloatArray) -> None:
        self._omega, self._static = modes.omega, 2 * pi * modes.static_frequency
        self._gamma = np.maximum(damping, LEAST * modes.omega)
        self._followers = 3 * modes.cells
        # Around these frequencies answers are sharp, and by that much; what follows the wind is nowhere sharp.
        self._centre = np.append(modes.frequency, modes.static_frequency)
        self._width = np.append(self._gamma / (4 * pi), modes.static_frequency)

    def transfer(self, frequency: FloatArray) -> ComplexArray:
        """(…, shapes) the answer to a unit force at frequencies (…, 1) or (…, shapes), Hz: eq. 7 for modes.

        What static vectors stand for follows the wind without overshoot, as in `ModalMotion`, and is held back by
        the air, or the water, as much as the last mode is.
        """
        modes, slow = len(self._omega), self._static
        omega = 2 * pi * np.broadcast_to(frequency, (*frequency.shape[:-1], modes + self._followers))
        swung, driven = omega[..., :modes], omega[..., modes:]
        modal = 1 / (self._omega**2 - swung**2 + 1j * self._gamma * swung)
        follow = slow**2 + 2j * slow * driven
        return np.concatenate([modal, follow / (follow - driven**2 + 1j * self._gamma[-1] * driven)], axis=-1)

    def gains(self, lines: FloatArray, forces: ForceSpectrum) -> FloatArray:
        """(lines, n) factors on what is drawn at lines (lines,), evenly spaced from the first on, Hz.

        `forces` are those on the shapes, and then any that are not answered but only drawn, as the wind itself is.
        """
        parts = np.array_split(lines, -(-len(lines) // TOGETHER))
        return np.concatenate([self._gains(part, float(lines[0]), forces) for part in parts])

    def _gains(self, lines: FloatArray, step: float, forces: ForceSpectrum) -> FloatArray:
        at_line = self._power(lines[:, None], forces) * step
        # With f = centre + width tan θ a resonance is even over θ, however sharp it is.
        shape = np.minimum(np.arange(at_line.shape[1]), len(self._omega))
        centre, width = self._centre[shape], self._width[shape]
        low, high = (np.arctan((lines[:, None] + side * step / 2 - centre) / width) for side in (-1, 1))
        in_bin = np.zeros(at_line.shape)
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            slope = np.tan((low + high) / 2 + node * (high - low) / 2)
            in_bin += weight * (1 + slope**2) * self._power(centre + width * slope, forces)
        return np.sqrt(in_bin * width * (high - low) / 2 / at_line)

    def _power(self, frequency: FloatArray, forces: ForceSpectrum) -> FloatArray:
        """(…, n) |H|² S."""
        density = forces.own(frequency)
        shapes = len(self._omega) + self._followers
        frequency = np.broadcast_to(frequency, density.shape)
        density[..., :shapes] *= np.abs(self.transfer(frequency[..., :shapes])) ** 2
        return density

    def variance(self, forces: ForceSpectrum, shown: FloatArray, low: float, high: float) -> FloatArray:
        """(k,) variance between two frequencies, Hz, of what shapes show: k numbers of each, (shapes, k)."""
        if low >= high:
            return np.zeros(shown.shape[1])
        peaks = self._centre[:-1, None] + self._width[:-1, None] * np.tan(np.linspace(-1.5, 1.5, PEAK))
        inside = peaks[(peaks > low) & (peaks < high)]
        frequency = np.unique(np.concatenate([np.geomspace(low, high, SMOOTH), inside]))
        answer = self.transfer(frequency[:, None])
        density = [forces.through(answer * column, frequency) for column in shown.T]
        return np.asarray(np.trapezoid(density, frequency, axis=1))
