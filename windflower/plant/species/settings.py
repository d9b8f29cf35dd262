"""The tables of a species file."""

from typing import Annotated, Literal

from pydantic import Field, PrivateAttr

from windflower.core.table import Colour, Number, Share, Table

__all__ = ["Air", "Blade", "Colonisation", "Girth", "LSystem", "Leaf", "Level", "Recursion", "Rule", "Shoot", "Species"]


KINDS = {"growth": ("recursion", "colonisation", "l-system")}
"""Methods of growth, for error messages."""

LONGEST = 100_000  # characters of a rule of an L-system

Angle = Annotated[Number, Field(ge=-180, le=180)]
Height = Annotated[Number, Field(ge=0.001, le=200, description="height of the plant, m")]
Ratio = Annotated[Number, Field(ge=0, le=100)]
Radius = Annotated[Number, Field(ge=1e-5, le=20)]
Metres = Annotated[Number, Field(ge=0.01, le=100)]
Constant = Annotated[Number, Field(ge=-1e6, le=1e6)]


class Shoot(Table):
    """Axes that are thinner than the pipe model makes them: shoots of one year, the rachis of a frond."""

    radius: tuple[Radius, Radius] = Field(
        description="at base and tip of the longest, m; shorter ones are thinner at the base, by the root of length"
    )
    length: tuple[Metres, Metres] | None = Field(
        None, description="shortest and longest, m, in place of a share of the parent"
    )
    hang: Number = Field(
        0.0,
        ge=0,
        le=20,
        description="length over which it turns to hang down, sqrt(E I / weight of what hangs), m; 0: it has its curve",
    )


class Level(Table):
    """The axes of one level of a recursion: 0 is the trunk, 1 its branches, and so on."""

    length: Number = Field(
        gt=0.001, le=20, description="length of the longest axis, as a share of its parent (trunk: of the height)"
    )
    length_variation: Share = Field(0.12, description="largest random deviation of the length, as a share of it")
    profile: tuple[Ratio, ...] = Field(
        (1.0,),
        min_length=1,
        max_length=1000,
        description="relative length along the parent, from the first branch to the parent's tip",
    )
    segments: int = Field(5, ge=1, le=100, description="segments of an axis before side branches divide it further")
    curve: tuple[Angle, ...] = Field(
        (0.0,),
        min_length=1,
        max_length=1000,
        description="degrees that an axis turns to the sky (negative: to the ground), base to tip",
    )
    wander: Number = Field(20.0, ge=0, le=120, description="degrees of coherent noise in the direction")
    branches: Number = Field(0, ge=0, le=500, description="number of branches on the longest parent (trunk: of stems)")
    start: Share = Field(0.0, description="where on the parent the branches begin")
    end: Share = Field(0.97, description="where on the parent the branches end")
    crowding: Number = Field(1.0, gt=0.2, le=5, description="above 1 moves them toward the tip, below 1 to the base")
    angle: tuple[Angle, Angle] = Field(
        (60.0, 40.0), description="angle to the parent, at its base and at its tip, degrees"
    )
    angle_variation: Number = Field(8.0, ge=0, le=60, description="largest random deviation of the angle, degrees")
    arrangement: Literal["spiral", "opposite", "flat", "whorl"] = Field(
        "spiral", description="how branches stand around the parent: one by one, in pairs, in one plane, or in whorls"
    )
    whorl: int = Field(5, ge=2, le=20, description="branches in a whorl")
    forks: Number = Field(0, ge=0, le=6, description="times an axis divides into two like itself, on average")
    fork_angle: Angle = Field(35.0, description="angle between the two, degrees")
    shoot: Shoot | None = Field(None, description="for limp axes: how thick, how long, and how they hang")


class Recursion(Table):
    """Parametric recursion in the manner of Weber & Penn 1995."""

    method: Literal["recursion"]
    height: Height
    height_variation: Share = Field(0.06, description="largest random deviation of the height, as a share of it")
    levels: tuple[Level, ...] = Field(
        min_length=1, max_length=6, description="one table for each level: trunk, branches, twigs"
    )


class Twigs(Table):
    """Short side shoots on the thin branches of a colonised crown."""

    per_node: Number = Field(gt=0, le=10, description="number of shoots at each node of a thin branch")
    length: Number = Field(ge=0.0001, le=20, description="length of a shoot, m")
    angle: Number = Field(50.0, ge=0, le=120, description="angle to the branch, degrees")
    rise: Number = Field(0.2, ge=-1, le=1, description="how far shoots turn to the sky (negative: to the ground)")
    within: Number = Field(
        3.0, gt=0, le=10_000, description="only where a branch has less than this many metres of axis above it"
    )


class Colonisation(Table):
    """Branches grow toward free space in a crown volume (Runions, Lane & Prusinkiewicz 2007)."""

    method: Literal["colonisation"]
    height: Height
    height_variation: Share = Field(0.06, description="largest random deviation of the height, as a share of it")
    bole: Share = Field(description="height of the first branch, as a share of the height")
    stems: int = Field(1, ge=1, le=30, description="number of stems from one root")
    width: Number = Field(ge=0.001, le=20, description="width of the crown, as a share of the height")
    profile: tuple[Share, ...] = Field(
        min_length=2,
        max_length=1000,
        description="half width of the crown from its foot to its top, as a share of the widest",
    )
    points: int = Field(1200, ge=20, le=20_000, description="attraction points")
    hollow: Share = Field(0.35, description="share of the crown's radius, from the inside, with few points")
    step: Number = Field(0.02, gt=0.002, le=0.2, description="length of a segment, as a share of the height")
    influence: Number = Field(12.0, gt=1, le=1000, description="how far a point attracts, in steps")
    kill: Number = Field(2.0, ge=1, le=1000, description="how near a branch uses up a point, in steps")
    weight: Number = Field(0.0, ge=-1, le=1, description="pull of growth to the sky (negative: to the ground)")
    wander: Number = Field(0.15, ge=0, le=1, description="coherent noise in the direction of growth")
    twigs: Twigs | None = Field(None, description="short shoots on the thin branches; without the table, none")


class Rule(Table):
    """One production of an L-system: `A(l, w) : l > 0.1` becomes `F(l) [ + A(l * 0.7) ]`."""

    module: str = Field(
        min_length=1, max_length=LONGEST, description="name and parameters of the module that is replaced"
    )
    when: str = Field("1", max_length=LONGEST, description="condition in the parameters")
    becomes: str = Field(max_length=LONGEST, description="modules that take its place; arguments are expressions")
    weight: Number = Field(1.0, gt=0, le=1e6, description="chance against other rules that apply as well")


class LSystem(Table):
    """A bracketed parametric L-system, read by a turtle (Prusinkiewicz & Lindenmayer 1990)."""

    method: Literal["l-system"]
    axiom: str = Field(max_length=LONGEST, description="modules to begin with")
    rules: tuple[Rule, ...] = Field(min_length=1, max_length=1000, description="productions, in any order")
    steps: int = Field(ge=1, le=30, description="number of times the rules are applied")
    constants: dict[str, Constant] = Field(
        default_factory=dict, max_length=1000, description="numbers that conditions and expressions may name"
    )


class Girth(Table):
    """How thick the wood is: the pipe model, scaled to the trunk."""

    trunk: Number = Field(ge=1e-5, le=20, description="radius of the trunk at its foot, m")
    twig: Number = Field(ge=1e-5, le=20, description="radius of the thinnest twig, m")
    exponent: Number = Field(2.3, ge=1, le=4, description="r^n below a fork = sum of r^n above it")
    taper: Number | None = Field(
        None,
        ge=0.1,
        le=3,
        description="the stem's radius falls as (length left to its tip)^taper; without it, as the pipes in it do",
    )
    flare: Number = Field(0.7, ge=0, le=3, description="how much wider the trunk is drawn at the very ground")


class Leaf(Table):
    """What a leaf is and where it grows."""

    shape: Literal[
        "round", "oval", "lobed", "pinnate", "narrow", "triangular", "needles", "frond", "broad", "ribbon"
    ] = Field(description="outline of the leaf, which is painted on its card")
    length: Number = Field(ge=1e-4, le=20, description="length of one leaf from base to tip, m")
    cluster: Number = Field(1.0, ge=1, le=100, description="leaves that stand together and are kept as one larger leaf")
    aspect: Number = Field(ge=0.001, le=2, description="width over length")
    per_metre: Number = Field(ge=0, le=100_000, description="leaves, or clusters of them, on a metre of twig")
    twig: Number = Field(gt=0, le=20, description="leaves grow on wood thinner than this radius, m")
    arrangement: Literal["spiral", "flat"] = Field("spiral", description="around the twig, or in two level rows")
    angle: Number = Field(50.0, ge=0, le=180, description="between leaf and twig, degrees")
    droop: Number = Field(0.2, ge=-1, le=1, description="0 keeps the angle, 1 hangs straight down, -1 stands up")
    spread: Number = Field(0.3, ge=0, le=1, description="randomness of the orientation")
    mass_per_area: Number = Field(0.15, ge=0.001, le=100, description="mass of a fresh leaf, kg/m²")
    colour: Colour = Field((0.09, 0.16, 0.04), description="linear RGB of the upper side")
    underside: Share = Field(0.3, description="how pale the underside is: 0 as the upper side, 1 grey-white")


class Blade(Table):
    """The surface of a broad leaf, spread out on both sides of its mid-rib: an axis that begins at the leaf's bud."""

    shape: Literal["oblong", "elliptic", "rhombic", "spoon", "ovate"] = Field(
        "elliptic", description="outline of the blade"
    )
    wood: str = Field("", max_length=200, description="the wood of petioles and mid-ribs; by default the stem's")
    fold: Number = Field(12.0, ge=-60, le=60, description="how far both halves rise from the mid-rib, degrees")
    droop: Number = Field(20.0, ge=-60, le=90, description="how far they sink again toward the rim, degrees")
    ripple: Number = Field(0.0, ge=0, le=0.2, description="height of waves at the rim, as a share of the leaf's width")
    shrink: Share = Field(0.0, description="how much narrower the leaf is that is farthest from the root")
    stiffness: Number = Field(
        0.01, ge=1e-9, le=1e4, description="bending stiffness from mid-rib to rim, E t³/12 in N m"
    )
    veins: Literal["slanted", "parallel", "netted", "plain"] = Field(
        "slanted", description="from the mid-rib to the rim, from base to apex, from one point at the base, or none"
    )
    vein_count: Number = Field(26.0, ge=0, le=200, description="veins along a blade, or from rim to rim if parallel")
    translucency: Share = Field(0.45, description="how much of the light that meets it passes through")
    along: int = Field(19, ge=3, le=65, description="mass points from base to apex")
    across: int = Field(9, ge=3, le=33, description="mass points from rim to rim; odd, with the mid-rib in the middle")


class Air(Table):
    """How the crown takes the wind: C_D(U) = drag * U^-streamlining, and how much wind passes through."""

    drag: Number = Field(1.0, ge=0.001, le=100, description="drag factor C of the crown in leaf")
    streamlining: Number = Field(0.7, ge=0, lt=2, description="N of C_D = C U^-N; the Vogel exponent is -N")
    porosity: Number = Field(0.5, gt=0, le=1, description="share of the wind speed left behind the crown")

    def at(self, speed: float) -> float:
        """Drag coefficient of the crown in leaf at a wind speed in m/s, on its silhouette in still air."""
        return float(self.drag * speed**-self.streamlining)


class Species(Table):
    """A species: what it is, how it grows, and what it is made of."""

    name: str = Field(
        max_length=200,
        pattern=r"^[a-z][a-z0-9-]*$",
        description="its name, kebab-case, which with the seed decides which tree grows; by default that of its base, "
        "or of the file",
    )
    base: str | None = Field(
        None,
        max_length=200,
        description="a stock species whose keys this file adds to or replaces: tables key by key, lists as a whole or "
        "entry by entry (`[growth.levels.1]`); another method of growth replaces `[growth]`",
    )
    title: str = Field(max_length=200, description="common name, for people")
    latin: str = Field(max_length=200, description="scientific name")
    source: str = Field(min_length=10, max_length=10_000, description="where the numbers come from")
    wood: str = Field(max_length=200, description="the name of its wood, or a wood's file in the same folder")
    habitat: Literal["land", "water"] = Field("land", description="what it lives in, and what pushes it: air or water")
    anchorage: Number = Field(
        130.0, ge=1, le=10_000, description="overturning moment that its roots bear, for each kg of stem, N·m/kg"
    )
    bark: Colour = Field((0.23, 0.18, 0.14), description="colour of the bark, linear RGB")
    bark_pattern: Literal["ridges", "plates", "scales", "bands", "eyes", "rings", "smooth"] = Field(
        "ridges", description="relief of the bark"
    )
    moss: Number = Field(0.4, ge=0, le=1, description="amount of moss on the shady side near the ground")
    girth: Girth = Field(description="how thick the wood is")
    leaf: Leaf | None = Field(None, description="its leaves; without the table it has none")
    blade: Blade | None = Field(None, description="the surface of broad leaves, for plants that have them")
    air: Air = Field(default_factory=Air, description="how the crown takes the wind")
    growth: Recursion | Colonisation | LSystem = Field(
        discriminator="method", description="how it grows, by one of three methods"
    )
    _file: str = PrivateAttr("")

    @property
    def known_as(self) -> str:
        """The name that `species_of` finds it by, or the path of the file that describes it."""
        return self._file or self.name

    def described_in(self, file: str) -> "Species":
        """The species with the path of its file; an empty one for none."""
        found = self.model_copy()
        found._file = file
        return found
