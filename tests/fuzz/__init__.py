"""Fuzzing: whatever a stranger's file, a nonsense command or an extreme call says, only our own errors come out.

corpora ──> mutations ──┐
scenes, commands, calls ┴─> Target.make(rng) ──> one input ──> Target.check ──> accepted, refused, or a failure
                                                                   │
runner ──starts──> worker: memory limit, alarm ────────────────────┴──> invariants: what is accepted is sound

An input is a pure function of seed, target and index. A failure is anything else than one of our errors: a foreign
exception, more than `SECONDS`, more than `BYTES`, a crash, or something accepted that is unsound. Each is written down
once, with the command that repeats it: `python -m tests.fuzz TARGET INDEX`. `make fuzz` runs for hours;
`tests/test_fuzz.py` runs some of it, and `tests/test_faults.py` takes a disk, memory or the device away (`confined`).
"""
