"""Makes a read plant ready to move: it gets a species, radii that can carry it, and leaves.

    read ──> species ──> leaves ──> radii ──> does it stand? ──no──> thinner twigs ──no──> weight left out

A plant that was scanned stood where it was scanned. Where it would buckle here, the fault lies in its radii: more of
them are corrected, and if that does not help either, its weight is left out. What was done is said in one sentence.
"""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from windflower.core.table import ending
from windflower.errors import BucklingError, MechanicsError
from windflower.mechanics.analysis import GENERIC_WOOD
from windflower.mechanics.foliage import known_species
from windflower.mechanics.modes import Conditions
from windflower.mechanics.roots import Roots, check_roots
from windflower.mechanics.wood import Wood, wood_of
from windflower.plant.graph import Leaves, Plant
from windflower.plant.leafing import with_leaves
from windflower.plant.species import species_of
from windflower.plant.taper import EXPONENT, TWIG, Taper, blur_of, is_blurred, tapered

__all__ = ["RADII", "PreparedScan", "Radii", "prepare_scan", "timber_of"]

Radii: TypeAlias = Literal["auto", "measured", "corrected"]
RADII: tuple[Radii, ...] = ("auto", "measured", "corrected")
"""What is done about radii: corrected where they need it, left as measured, or corrected in any case."""

BELIEVED = (2.0, 4.0)  # times the blur of the scan: how thick wood must be to be believed, at first and if it buckles


@dataclass(frozen=True, eq=False)
class PreparedScan:
    """A read plant that can be analysed.

    plant    with its species, its leaves, and radii that can carry them
    gravity  whether its weight can be counted
    notes    what was done to it, one sentence each
    """

    plant: Plant
    gravity: bool = True
    notes: tuple[str, ...] = ()


def prepare_scan(
    plant: Plant,
    *,
    species: str | None = None,
    wood: str | Wood | None = None,
    leaves: bool = True,
    gravity: bool = True,
    roots: Roots | None = None,
    radii: Radii = "auto",
    seed: int = 1,
) -> PreparedScan:
    """Make a plant that was read from a file ready for `analyse`, which then does not refuse it.

    Give it as it was read: on fewer nodes it has lost the twigs by which it is judged.

    plant    what `read` returned
    species  what it takes leaves, bark, drag and wood from; by default what its file says, if anything
    wood     a name or a `Wood`; by default the species' own
    leaves   whether it has any: those of its file, or else, if a species is given, grown by that species' rules
    gravity  whether weight is to act
    roots    as in `analyse`
    radii    auto: corrected where the tips are thicker than twigs can be, or where the plant would buckle, unless
             Windflower has grown it; measured: left as they are; corrected: in any case (see `plant.taper`)
    seed     of grown leaves
    """
    if radii not in RADII:
        hint = ending(str(radii), RADII, "Try auto.")
        raise MechanicsError(f"radii are {', '.join(RADII[:-1])} or {RADII[-1]}; they are {radii!r:.40}{hint}")
    whole, told = _in_leaf(plant, species, leaves, seed)
    timber, law = timber_of(whole, wood), _taper(whole)

    def carries_itself(one: Plant) -> bool:
        return not gravity or _stands(one, timber, roots)

    measured, mended = whole, radii == "auto" and plant.seed is None
    if radii == "corrected" or (mended and is_blurred(whole)):
        whole = tapered(measured, law)
    if mended and not carries_itself(whole):
        fuller = (tapered(measured, replace(law, believed=factor)) for factor in BELIEVED)
        whole = next((one for one in fuller if carries_itself(one)), whole)
    if whole is not measured:
        told = (*told, _said(measured, whole, law))
    if carries_itself(whole):
        return PreparedScan(whole, gravity, told)
    return PreparedScan(whole, False, (*told, WEIGHTLESS))


WEIGHTLESS = (
    "it would buckle under its own weight, so its weight is left out: real frequencies are a little lower (a stiffer "
    "wood or fewer leaves may let it stand)"
)


def _in_leaf(plant: Plant, species: str | None, leaves: bool, seed: int) -> tuple[Plant, tuple[str, ...]]:
    """The plant with its species and leaves, and what was done."""
    kind = None if species is None else species_of(species)
    if kind is not None:
        plant = replace(plant, species=kind.known_as)
    if not leaves:
        return (replace(plant, leaves=Leaves()) if len(plant.leaves) else plant), ()
    if kind is None or kind.leaf is None or len(plant.leaves):
        return plant, ()
    plant = with_leaves(plant, kind, seed=seed)
    grown = f"{len(plant.leaves):,} leaves are grown on it by the rules of {kind.name}"
    return plant, (f"{grown} (for none: --no-leaves, or leaves = false in a scene)",)


def _taper(plant: Plant) -> Taper:
    """The correction with the twigs and the exponent of the plant's species, if that is known."""
    species = known_species(plant)
    girth = species.girth if species else None
    return Taper(twig=girth.twig if girth else TWIG, exponent=girth.exponent if girth else EXPONENT)


def timber_of(plant: Plant, wood: str | Wood | None = None) -> Wood:
    """A wood by its name; without one that of the plant's species, or a generic hardwood."""
    if isinstance(wood, Wood):
        return wood
    species = known_species(plant)
    return wood_of(wood or (species.wood if species else GENERIC_WOOD))


def _stands(plant: Plant, wood: Wood, roots: Roots | None) -> bool:
    """Whether a plant stands under the weight of wood and leaves."""
    species, none = known_species(plant), np.zeros(plant.nodes)
    floats = species is not None and species.habitat == "water"
    weighed = Conditions(
        leaves=len(plant.leaves) > 0,
        gravity=True,
        roots=check_roots(roots or ("clamped" if floats else "spring")),
        medium="water" if floats else "air",
        point_mass=none,
        point_lift=none,
    )
    try:
        return weighed.system(plant, wood).factor is not None
    except BucklingError:
        return False


def _said(before: Plant, after: Plant, law: Taper) -> str:
    thinner = int(np.count_nonzero(after.radius[after.segments] < 0.999 * before.radius[after.segments]))
    return (
        f"twigs that the scan shows too thick (three of four tips up to {2000 * blur_of(before):.0f} mm across) are "
        f"tapered by the pipe model to {2000 * law.twig:.0f} mm at the tips: {thinner:,} of {len(after.segments):,} "
        f"segments, {_volume(before)} of wood become {_volume(after)} (to keep them: --radii measured, "
        'or radii = "measured" in a scene)'
    )


def _volume(plant: Plant) -> str:
    litres = 1000 * plant.wood_volume
    return f"{litres:,.3g} litres" if litres < 1000 else f"{litres / 1000:,.3g} m³"
