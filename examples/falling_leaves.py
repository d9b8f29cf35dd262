"""An aspen in October: leaves turn, come off, fall and lie; none is lost."""

from itertools import pairwise

from windflower import CantileverMotion, LeafMotion, Places, Season, Shedding, Wind, grow

plant, places, wind = grow("quaking-aspen", detail=0.05), Places(), Wind.beaufort(5)
wood, leaves = CantileverMotion(plant), LeafMotion.of(plant)
shedding = Shedding(leaves, season=Season.of(plant, "autumn"), rate=3.0)

state, pose = shedding.rest(places), wood.rest(places)
counts = [state.counts]
for frame in range(1, 120):
    air = wind.velocity(wood.probes(places), frame / 10)
    pose = wood.step(pose, air, 0.1)
    feet = shedding.feet(places, wood.pose(pose))
    state = shedding.step(state, feet, wind.velocity(shedding.probes(state, feet), frame / 10), 0.1)
    counts.append(state.counts)
on_tree, in_air, on_ground = counts[-1]
print(f"after 12 s: {on_tree} on the tree, {in_air} in the air, {on_ground} on the ground")

assert all(sum(count) == len(leaves) for count in counts)
assert all(later[0] <= earlier[0] for earlier, later in pairwise(counts))
assert on_ground > 0
