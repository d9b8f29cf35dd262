"""Storm damage: wood that breaks, trees that go over, and what is left of them.

Modes, amounts ──> gauges ── what breaks ──> cuts ──> remnant  the plant that is left, its modes and its state
                      ^                       └─────> piece    a rigid body that falls and lies there
                   strength                uprooted ─> toppling the whole tree about the edge of its root plate

strength  the strain at which wood breaks and the moment that roots hold; what a scene may say of it
gauges    strain of thick wood and root moments of all instances of a stand, from amounts of shapes
cuts      a plant parted at the base of some segments, with torn ends
remnant   modes of what is left, and the state in which it goes on without a jump
piece     motion of a branch or a treetop that has come off
toppling  motion of a tree that goes over
ground    contact of wood with the ground
"""
