"""How leaves of a kind move in the wind: how far, how fast, and from what wind on (Yildiz §4.2)."""

from dataclasses import dataclass

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.errors import MotionError
from windflower.mechanics.foliage import known_species
from windflower.motion.grains import check_exponent
from windflower.plant.graph import Plant

__all__ = ["Flutter", "flutter_of"]

WANDERING = 13 / 35  # mean square of a sine whose phase wanders: of `grains.fluttering`
QUIETER = 0.57  # of noise, so that it seldom passes 1, where it is cut off


@dataclass(frozen=True, kw_only=True)
class Flutter:
    """The motion of a leaf about its foot.

    horizontal, vertical, twist  W of the three motions, degrees: the largest angles about the blade's normal, across
                                 the leaf and about its length
    follow     factor a: how far the twist follows the horizontal angle (fig. 14): a leaf blown aside shows its back
    onset      wind at the leaf below which it is still, m/s
    full       wind from which on it moves as far as it can, m/s
    frequency  Hz, half way between these
    rise       number of octaves by which that rises from where the wind only just moves a leaf to full
    lean       share of its way that a leaf is blown to the lee, about which it flutters
    noise      β of 1/f^β noise (Ota) in place of the paper's sine; a stronger wind makes it whiter
    """

    horizontal: float = 25.0
    vertical: float = 28.0
    twist: float = 40.0
    follow: float = 0.5
    onset: float = 0.6
    full: float = 10.0
    frequency: float = 2.4
    rise: float = 2.0
    lean: float = 0.4
    noise: float | None = None

    def __post_init__(self) -> None:
        for name in ("horizontal", "vertical", "twist"):
            if not 0 <= (value := getattr(self, name)) <= 90:
                raise MotionError(f"a leaf turns by up to 90 degrees; {name} is {value:g}. 25 is usual.")
        if not 0 <= self.onset < self.full <= 100:
            raise MotionError(
                f"leaves begin to move before they move fully; onset is {self.onset:g} m/s and full {self.full:g}."
            )
        if not 0 < self.frequency <= 20:
            raise MotionError(f"leaves flutter at more than 0 and up to 20 Hz; frequency is {self.frequency:g}.")
        if not (0 <= self.lean <= 1 and -2 <= self.follow <= 2):
            raise MotionError(
                f"lean lies between 0 and 1 and follow between -2 and 2; they are {self.lean:g} and {self.follow:g}."
            )
        if not 0 <= self.rise <= 4:
            raise MotionError(f"the frequency of leaves rises by 0 to 4 octaves; rise is {self.rise:g}. 2 is usual.")
        if self.noise is not None:
            check_exponent(self.noise)

    def drive(self, speed: FloatArray) -> FloatArray:
        """(…,) how far between onset and full winds (…,) are, 0 to 1."""
        return np.clip((speed - self.onset) / (self.full - self.onset), 0, 1)

    def strength(self, drive: FloatArray) -> FloatArray:
        """(…,) share of the largest angles that leaves reach: it rises at once and levels off."""
        return drive * (2 - drive)

    def quicker(self, drive: FloatArray) -> FloatArray:
        """(…,) factor on the frequency in a wind so far between onset and full."""
        return np.asarray(2.0 ** (self.rise * (drive - 0.5)))

    def whiter(self, drive: FloatArray) -> FloatArray:
        """(…,) exponent of the noise: half as steep at full."""
        return np.asarray((self.noise or 0.0) * (1 - drive / 2))

    @property
    def beat(self) -> float:
        """Mean square of the oscillation, a share of the square of its largest value."""
        return WANDERING if self.noise is None else QUIETER**2 / 2

    def shimmer(self, speed: FloatArray) -> FloatArray:
        """(…,) rms of Θ_R of leaves in winds (…,), rad: how strongly far crowns shimmer. 0 in a calm."""
        drive = self.drive(np.asarray(speed, np.float64))
        strength, beat = self.strength(drive), self.beat
        own = np.radians(self.twist) ** 2 * beat
        aside = np.radians(self.follow * self.horizontal) ** 2 * ((1 - self.lean) ** 2 * beat + self.lean**2 / 3)
        return np.asarray(strength * np.sqrt(own + aside))


# By species, or else by the shape of the leaf. An aspen's or poplar's leaf stalk is flat across the blade: it gives way
# sideways in the lightest air (field guides; the petiole of Populus tremuloides). It trembles from Beaufort 1 on and
# most at Beaufort 6, at 2 to 8 Hz (estimates). Needles hardly move.
TREMBLING = Flutter(
    horizontal=45, vertical=22, twist=70, follow=0.6, onset=0.3, full=10.8, frequency=4.0, rise=1.0, lean=0.2
)
BY_SPECIES = {"quaking-aspen": TREMBLING, "lombardy-poplar": TREMBLING}
BY_SHAPE = {
    "triangular": Flutter(horizontal=32, vertical=30, twist=50, onset=0.4, full=7.5, frequency=2.8),
    "narrow": Flutter(horizontal=30, vertical=30, twist=30, full=9, frequency=2.2, lean=0.6),
    "needles": Flutter(horizontal=5, vertical=6, twist=3, onset=1.5, full=16, frequency=2.6, lean=0.5),
    "pinnate": Flutter(horizontal=18, vertical=22, twist=18, onset=0.8, full=11, frequency=1.6, lean=0.5),
    "frond": Flutter(horizontal=10, vertical=12, twist=10, onset=1.0, full=14, frequency=1.2, lean=0.5),
    "broad": Flutter(horizontal=8, vertical=10, twist=8, onset=1.0, full=12, frequency=1.0, lean=0.5),
    "ribbon": Flutter(horizontal=8, vertical=10, twist=12, onset=0.02, full=1.0, frequency=0.5, lean=0.6),
}


def flutter_of(plant: Plant) -> Flutter:
    """The flutter of the plant's species, or else that of its leaves' shape."""
    species = known_species(plant)
    if species is None or species.leaf is None:
        return Flutter()
    return BY_SPECIES.get(species.name) or BY_SHAPE.get(species.leaf.shape, Flutter())
