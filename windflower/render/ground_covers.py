"""What covers a ground of each kind, and how the season changes it."""

from dataclasses import dataclass, replace

import numpy as np

from windflower.scene import Ground

__all__ = ["COVERS", "JUNE", "Cover", "cover_of"]


@dataclass(frozen=True)
class Cover:
    """Materials of a ground and what grows and lies on it; shares are 0 to 1.

    materials  base, bare patches, under trees, moss
    tinted     whether the ground's colour is that of its base; else it is that of its grass
    grass      share that it covers; tall: its height, m; tufts: how much of it stands in tufts; dry: how dry it is
    bare       how much is worn; litter: dead leaves under trees; strewn: those in the open; moss
    flowers, clover, stones, seeds  how many there are
    fallen     linear RGB of leaves that fell lately; fresh: their share; needles: share of them that are needles
    glitter    of crystals
    exposed    factor on its colour: what is bright over a whole picture would be lost in white
    """

    materials: tuple[str, str, str, str]
    tinted: bool = False
    grass: float = 0.0
    tall: float = 0.0
    tufts: float = 0.8
    dry: float = 0.0
    bare: float = 0.0
    litter: float = 0.0
    strewn: float = 0.0
    moss: float = 0.0
    flowers: float = 0.0
    clover: float = 0.0
    stones: float = 0.0
    seeds: float = 0.0
    fallen: tuple[float, float, float] = (0.42, 0.22, 0.05)
    fresh: float = 0.0
    needles: float = 0.0
    glitter: float = 0.0
    exposed: float = 1.0


GROWN = ("turf", "soil", "litter", "moss")
COVERS = {
    "meadow": Cover(
        GROWN, grass=1.0, tall=0.26, bare=0.36, litter=0.55, moss=0.5, flowers=1.0, clover=1.0, stones=0.5, seeds=1.0
    ),
    "lawn": Cover(GROWN, grass=1.0, tall=0.075, tufts=0.3, bare=0.1, litter=0.4, moss=0.3, flowers=0.25, clover=0.6),
    "forest-floor": Cover(
        ("litter", "soil", "litter", "moss"),
        grass=0.55,
        tall=0.20,
        litter=1.0,
        strewn=0.35,
        moss=0.9,
        flowers=0.25,
        clover=0.6,
        stones=0.8,
    ),
    "soil": Cover(
        ("soil", "soil", "litter", "moss"),
        True,
        grass=0.12,
        tall=0.10,
        litter=0.4,
        moss=0.2,
        stones=0.5,
        clover=0.3,
        exposed=0.6,
    ),
    "sand": Cover(("sand", "sand", "sand", "sand"), True, grass=0.02, tall=0.30, dry=0.5, stones=0.12, exposed=0.62),
    "snow": Cover(
        ("snow", "snow", "snow", "snow"), True, grass=0.02, tall=0.14, dry=1.0, stones=0.08, glitter=1.0, exposed=0.27
    ),
    "seabed": Cover(("sand", "sand", "sand", "sand"), True, stones=0.6),
}
DAYS = (0.0, 60.0, 110.0, 150.0, 190.0, 240.0, 285.0, 330.0, 366.0)
DRY = (0.75, 0.65, 0.10, 0.12, 0.30, 0.40, 0.50, 0.70, 0.75)
FLOWERS = (0.0, 0.02, 1.0, 1.2, 0.9, 0.4, 0.08, 0.0, 0.0)
SEEDS = (0.4, 0.2, 0.05, 0.5, 1.0, 1.0, 0.7, 0.5, 0.4)
FRESH = (0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 1.0, 0.4, 0.0)
JUNE = 165.0


def cover_of(ground: Ground, needles: float = 0.0) -> Cover | None:
    """What covers a ground on its day of the year; None where there is none.

    needles  share of the crowns above it that shed needles in place of leaves
    """
    if ground.kind == "none":
        return None
    cover, day = COVERS[ground.kind], JUNE if ground.day is None else ground.day
    dry, flowers, seeds, fresh = (float(np.interp(day, DAYS, table)) for table in (DRY, FLOWERS, SEEDS, FRESH))
    strewn = tuple("needles" if one == "litter" and needles > 0.5 else one for one in cover.materials)
    return replace(
        cover,
        materials=(strewn[0], strewn[1], strewn[2], strewn[3]),
        needles=needles,
        dry=max(dry, cover.dry),
        flowers=cover.flowers * flowers,
        seeds=cover.seeds * seeds,
        fresh=fresh,
        litter=cover.litter + (1 - cover.litter) * fresh * (cover.litter > 0),
        strewn=max(cover.strewn, 0.12 * fresh * (cover.litter > 0)),
    )
