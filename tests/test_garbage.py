"""What is there when frames begin is not looked through again; garbage of a scene before is freed all the same."""

import subprocess
import sys

PROGRAM = """
import gc, weakref
from windflower.core.garbage import keep_what_is_there

class Scene:
    pass

gc.disable()
scene = Scene()
scene.itself = scene  # which only the collector finds
gone = weakref.ref(scene)
keep_what_is_there()
assert gone() is scene
kept = gc.get_freeze_count()
assert kept > 1000
del scene
keep_what_is_there()
assert gone() is None
print("well")
"""


def test_what_is_there_is_kept_and_an_older_scene_is_freed() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout == "well\n", done.stderr
