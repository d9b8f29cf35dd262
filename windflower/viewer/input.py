"""Pointer and keys as actions on a session, with the habits of other 3-D programs; `keys` has them in words."""

from collections.abc import Callable
from typing import Any

from windflower.scene.subject_names import EVERYTHING
from windflower.viewer.live_scene import LiveScene
from windflower.viewer.recorder import Recorder
from windflower.viewer.session import Session

__all__ = ["InputHandler"]

LEFT, RIGHT, MIDDLE = 1, 2, 3
ORBIT_ANGLE, LOOK_ANGLE = 220.0, 88.0  # degrees for a drag over the height of the window
WHEEL_ZOOM = 0.88  # factor on the distance for a notch of the wheel
WALKING_SPEED, SHIFT_FACTOR = 1.6, 4.0  # m/s on foot, and how much faster with Shift
MOVES = {"w": (1, 0, 0), "s": (-1, 0, 0), "d": (0, 1, 0), "a": (0, -1, 0), "e": (0, 0, 1), "q": (0, 0, -1)}
ARROW_KEYS = {"ArrowUp": "w", "ArrowDown": "s", "ArrowRight": "d", "ArrowLeft": "a"}


class InputHandler:
    """Handles the events of a canvas. `size` is the window's, in logical pixels as in the events."""

    def __init__(self, session: Session, recorder: Recorder) -> None:
        self.session, self.recorder = session, recorder
        self.size = (1.0, 1.0)
        self._drag = ""
        self._last = (0.0, 0.0)
        self._keys: set[str] = set()

    def handle(self, event: dict[str, Any], live: LiveScene) -> None:
        """Handle one event."""
        kind = event["event_type"]
        if kind in ("pointer_down", "double_click"):
            getattr(self, kind)(event, live)
        elif kind == "pointer_up":
            self.pointer_up()
        else:
            getattr(self, kind)(event)

    def pointer_down(self, event: dict[str, Any], live: LiveScene) -> None:
        """Hold a branch, or begin to move the camera."""
        self.session.greet()
        button, modifiers = event["button"], event.get("modifiers", ())
        self._last = event["x"], event["y"]
        if button == LEFT and not {"Alt", "Shift"} & set(modifiers):
            hand = live.pick(self.session.camera, self._ray(event))
            if hand is not None and live.touchable(hand):
                self.session.hold(hand)
                self._drag = "hand"
                return
            if hand is not None:
                self.session.refuse_hand(hand)
        pans = button in (RIGHT, MIDDLE) or "Shift" in modifiers
        self._drag = "look" if self.session.walking else "pan" if pans else "orbit"

    def double_click(self, event: dict[str, Any], live: LiveScene) -> None:
        """Frame the plant under the pointer; the panel keeps its own clicks."""
        if self._last != (event["x"], event["y"]):
            return
        self.pointer_up()
        hand = live.pick(self.session.camera, self._ray(event))
        if hand is not None:
            self.session.frame_points(live.outline(hand))

    def pointer_move(self, event: dict[str, Any]) -> None:
        """Move what is held, or the camera."""
        (x, y), camera = self._last, self.session.camera
        right, up = (event["x"] - x) / self.size[1], (y - event["y"]) / self.size[1]
        self._last = event["x"], event["y"]
        if self._drag == "hand" and self.session.hand is not None:
            self.session.hand = self.session.hand.moved(camera.place, camera.forward, self._ray(event))
        elif self._drag == "orbit":
            self.session.look(camera.orbited(ORBIT_ANGLE * right, -ORBIT_ANGLE * up))
        elif self._drag == "pan":
            self.session.look(camera.panned(-right, -up))
        elif self._drag == "look":
            self.session.look(camera.looked(-LOOK_ANGLE * right, -LOOK_ANGLE * up))

    def pointer_up(self) -> None:
        """Release what is held."""
        self._drag, self.session.hand = "", None

    def wheel(self, event: dict[str, Any]) -> None:
        """Zoom; walk, if the camera walks."""
        notches, camera = -event["dy"] / 100, self.session.camera
        self.session.look(camera.walked(notches, 0) if self.session.walking else camera.zoomed(WHEEL_ZOOM**notches))

    def key_down(self, event: dict[str, Any]) -> None:
        """Begin to move, or do the action of a key."""
        self.session.greet()
        key = _key_name(event)
        if key in MOVES or key == "Shift":
            self._keys.add(key)
        else:
            action = self._actions().get(_chord(event) + key)
            if action:
                action()

    def key_up(self, event: dict[str, Any]) -> None:
        """Stop moving."""
        self._keys.discard(_key_name(event))

    def release_all(self) -> None:
        """Release what is held and all keys, and close the key list."""
        self._keys.clear()
        self.session.display.keys = False
        self.pointer_up()

    def tick(self, seconds: float) -> None:
        """Move the camera in the directions of the keys that are down, for a time in s."""
        moves = [MOVES[key] for key in self._keys if key in MOVES]
        if moves:
            speed = WALKING_SPEED if self.session.walking else 0.5 * self.session.camera.distance
            metres = speed * min(seconds, 0.25) * (SHIFT_FACTOR if "Shift" in self._keys else 1.0)
            forward, right, up = (metres * sum(along) for along in zip(*moves, strict=True))
            self.session.look(self.session.camera.walked(forward, right, up))

    def _ray(self, event: dict[str, Any]) -> Any:
        width, height = self.size
        return self.session.camera.ray(event["x"] / width, event["y"] / height, width / height)

    def _actions(self) -> dict[str, Callable[[], None]]:
        session, display = self.session, self.session.display

        def toggle(name: str) -> None:
            setattr(display, name, not getattr(display, name))

        def paint(name: str) -> None:
            display.paint = "natural" if display.paint == name else name

        def play() -> None:
            session.clock.playing = not session.clock.playing

        return {
            " ": play,
            ".": session.clock.step,
            "Backspace": session.reset,
            "g": session.send_gust,
            "x": lambda: session.send_puff(self._ray({"x": self._last[0], "y": self._last[1]})),
            "n": session.let_break,
            "v": lambda: session.walk(not session.walking),
            "f": session.follow,
            "z": session.frame_selected,
            "Home": lambda: session.frame(EVERYTHING),
            "p": lambda: setattr(self.recorder, "wanted", True),
            "r": self.recorder.toggle,
            "k": lambda: toggle("skeleton"),
            "o": lambda: toggle("arrows"),
            "c": lambda: toggle("disks"),
            "Tab": lambda: toggle("panel"),
            "t": lambda: paint("strain"),
            "l": lambda: paint("levels of detail"),
            "b": lambda: paint("branches"),
            "F1": lambda: toggle("keys"),
            "Escape": self.release_all,
            "Ctrl+z": session.undo,
            "Ctrl+Shift+z": session.redo,
            "Ctrl+y": session.redo,
        }


def _chord(event: dict[str, Any]) -> str:
    """Modifiers before a key, such as "Ctrl+"; a Mac's command key is its Ctrl. Shift alone makes no other key."""
    names = {"Control": "Ctrl", "Meta": "Ctrl", "Alt": "Alt", "Shift": "Shift"}
    down = {names[name] for name in event.get("modifiers", ()) if name in names}
    return "".join(f"{name}+" for name in sorted(down)) if down - {"Shift"} else ""


def _key_name(event: dict[str, Any]) -> str:
    """The key of an event; letters in lower case, arrows as the letters that move alike."""
    key = event["key"]
    return ARROW_KEYS.get(key, key if len(key) > 1 else key.lower())
