"""The measures of a plant in the words of forestry: height, DBH, crown, volumes, leaf area, mass."""

from dataclasses import dataclass

from windflower.mechanics.foliage import leaf_area, leaf_mass
from windflower.mechanics.roots import stem_volume
from windflower.mechanics.scans import timber_of
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant
from windflower.plant.measures import crown_area, diameter_at_breast_height

__all__ = ["Inventory", "inventory"]


@dataclass(frozen=True, kw_only=True)
class Inventory:
    """Measures of a plant, in metres, square and cubic metres, and kilograms.

    species, wood      names; empty where they are not known
    nodes, axes        number of nodes, and of axes
    orders             number of orders of branching, the stem included
    forks, roots       number of nodes with several children, and of roots
    height             height of the highest node above the foot, m
    dbh                diameter at breast height, m; None for a plant that has no stem there (see `plant.measures`)
    foot, thinnest     diameter at the foot and of the thinnest twig, m
    crown_width        m
    crown_area         ground under the crown, m²
    axis_length        length of all axes together, m
    stem_volume, wood_volume   m³
    leaves             number of leaves
    leaf_area          area of all leaves, one side, m²
    wood_mass, leaf_mass, mass   fresh mass of the wood, the leaves, and both, kg
    """

    species: str
    wood: str
    nodes: int
    axes: int
    orders: int
    forks: int
    roots: int
    height: float
    dbh: float | None
    foot: float
    thinnest: float
    crown_width: float
    crown_area: float
    axis_length: float
    stem_volume: float
    wood_volume: float
    leaves: int
    leaf_area: float
    wood_mass: float
    leaf_mass: float
    mass: float

    def rows(self) -> list[tuple[str, str]]:
        """What is told of a plant, and its value with its unit, in the order of a table."""
        return [
            ("species", self.species or "not known"),
            ("height", f"{self.height:.3f} m"),
            (
                "diameter at breast height",
                "none: no stem is 1.3 m long" if self.dbh is None else f"{100 * self.dbh:.1f} cm",
            ),
            ("diameter at the foot", f"{100 * self.foot:.1f} cm"),
            ("thinnest twig", f"{1000 * self.thinnest:.1f} mm"),
            ("crown", f"{self.crown_width:.2f} m wide, {self.crown_area:,.1f} m² of ground"),
            ("volume of the stem", _volume(self.stem_volume)),
            ("volume of wood", _volume(self.wood_volume)),
            ("leaves", f"{self.leaves:,}, {self.leaf_area:,.1f} m²{self._index}" if self.leaves else "none"),
            (
                "fresh mass",
                f"{self.mass:,.4g} kg: {self.wood_mass:,.4g} of {self.wood} wood, {self.leaf_mass:,.3g} of leaves",
            ),
            ("nodes", f"{self.nodes:,}"),
            ("axes", f"{self.axes:,} of {self.orders} orders, {self.axis_length:,.1f} m, {self.forks:,} forks"),
            ("roots", f"{self.roots:,}"),
        ]

    @property
    def _index(self) -> str:
        """Leaf area over the area of the crown."""
        return f", {self.leaf_area / self.crown_area:.1f} times the crown's ground" if self.crown_area else ""


def inventory(plant: Plant, *, wood: str | Wood | None = None, leaves: bool = True) -> Inventory:
    """Measure a plant; `wood` by default is its species' own, and a bare plant has `leaves=False`.

    plant   the plant
    wood    a name or a `Wood`, for its density; by default the species' own
    leaves  whether the leaves count
    """
    timber = timber_of(plant, wood)
    of_leaves = timber.crown * timber.foliage * float(leaf_mass(plant).sum()) if leaves else 0.0
    stem = float(stem_volume(plant).sum())
    wood_mass = timber.density * timber.area * (stem + timber.crown * (plant.wood_volume - stem))
    return Inventory(
        species=plant.species,
        wood=timber.name or "unnamed",
        nodes=plant.nodes,
        axes=int(plant.axis.max()) + 1,
        orders=int(plant.order.max()) + 1,
        forks=plant.forks,
        roots=len(plant.roots),
        height=plant.height,
        dbh=diameter_at_breast_height(plant),
        foot=2 * float(plant.radius[plant.roots].max()),
        thinnest=2 * float(plant.radius.min()),
        crown_width=plant.crown_width,
        crown_area=crown_area(plant),
        axis_length=plant.total_length,
        stem_volume=stem,
        wood_volume=plant.wood_volume,
        leaves=len(plant.leaves) if leaves else 0,
        leaf_area=float(leaf_area(plant).sum()) if leaves else 0.0,
        wood_mass=wood_mass,
        leaf_mass=of_leaves,
        mass=wood_mass + of_leaves,
    )


def _volume(metres: float) -> str:
    return f"{1000 * metres:,.4g} litres" if metres < 1 else f"{metres:,.3f} m³"
