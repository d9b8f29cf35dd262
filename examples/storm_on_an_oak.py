"""Where an oak would break: the strain of its wood from a breeze to a storm.

Drag grows with the square of the wind, less what the crown gives way; so does strain.
"""

from windflower import Wind, analyse, grow, sway

modes = analyse(grow("oak", detail=0.1), cells=2)
strain = {}
for beaufort in (3, 6, 9):
    wind = Wind.beaufort(beaufort, seed=4)
    record = sway(modes, wind, seconds=10)
    strain[beaufort] = record.strain.max()
    told = f"{record.speed:4.1f} m/s, sways {100 * record.along.std():5.1f} cm rms"
    print(f"Beaufort {beaufort}: {told}, largest strain {100 * strain[beaufort]:.2f} %")

assert strain[3] < strain[6] < strain[9]
assert strain[3] < 0.006  # green wood fails near 0.6 %
