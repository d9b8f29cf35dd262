"""Pointer and keys, with the habits of other 3-D programs, as actions on a session.

left     on a branch: hold it · elsewhere: orbit (walking: look around) · with Alt: always orbit · with Shift: pan
right, middle   pan (walking: look around)         wheel  zoom (walking: go)
W A S D Q E     go · Space play, pause · . step · Backspace reset · G gust · X blow where the pointer is
V walk · F the scene's own camera · P picture · R record · K skeleton · T strain · L levels of detail
B what moves branches · O arrows · C disks of wind · Tab panel · Escape let go
"""

from typing import Any

from windflower.viewer.recorder import Recorder
from windflower.viewer.session import Session
from windflower.viewer.theatre import Theatre

__all__ = ["Controls"]

LEFT, RIGHT, MIDDLE = 1, 2, 3
TURN = 220.0  # degrees for a drag over the height of the window
NOTCH = 0.88  # of the distance is left after a notch of the wheel
PACE, HURRY = 1.6, 4.0  # m/s on foot, and how much faster with Shift
GOING = {"w": (1, 0, 0), "s": (-1, 0, 0), "d": (0, 1, 0), "a": (0, -1, 0), "e": (0, 0, 1), "q": (0, 0, -1)}
ARROWS = {"ArrowUp": "w", "ArrowDown": "s", "ArrowRight": "d", "ArrowLeft": "a"}


class Controls:
    """Takes a canvas's events. `size` is the window's, in the events' own (logical) pixels."""

    def __init__(self, session: Session, recorder: Recorder) -> None:
        self.session, self.recorder = session, recorder
        self.size = (1.0, 1.0)
        self._drag = ""
        self._last = (0.0, 0.0)
        self._keys: set[str] = set()

    def handle(self, event: dict[str, Any], theatre: Theatre) -> None:
        """Do what an event asks for."""
        kind = event["event_type"]
        if kind == "pointer_down":
            self.pointer_down(event, theatre)
        elif kind == "pointer_up":
            self.pointer_up()
        else:
            getattr(self, kind)(event)

    def pointer_down(self, event: dict[str, Any], theatre: Theatre) -> None:
        """Hold a branch, or begin to move the eye."""
        button, modifiers = event["button"], event.get("modifiers", ())
        self._last = event["x"], event["y"]
        if button == LEFT and not {"Alt", "Shift"} & set(modifiers):
            hand = theatre.pick(self.session.camera, self._ray(event))
            if hand is not None and theatre.touchable(hand):
                self.session.hand, self._drag = hand, "hand"
                return
            if hand is not None:
                self.session.refuse_hand(hand)
        pans = button in (RIGHT, MIDDLE) or "Shift" in modifiers
        self._drag = "look" if self.session.walking else "pan" if pans else "orbit"

    def pointer_move(self, event: dict[str, Any]) -> None:
        """Lead what is held, or move the eye."""
        (x, y), eye = self._last, self.session.camera
        right, up = (event["x"] - x) / self.size[1], (y - event["y"]) / self.size[1]
        self._last = event["x"], event["y"]
        if self._drag == "hand" and self.session.hand is not None:
            self.session.hand = self.session.hand.moved(eye.place, eye.forward, self._ray(event))
        elif self._drag == "orbit":
            self.session.look(eye.orbited(TURN * right, -TURN * up))
        elif self._drag == "pan":
            self.session.look(eye.panned(-right, -up))
        elif self._drag == "look":
            self.session.look(eye.looked(-0.4 * TURN * right, -0.4 * TURN * up))

    def pointer_up(self) -> None:
        """Let go."""
        self._drag, self.session.hand = "", None

    def wheel(self, event: dict[str, Any]) -> None:
        """Come nearer or go away."""
        notches, eye = -event["dy"] / 100, self.session.camera
        self.session.look(eye.walked(notches, 0) if self.session.walking else eye.zoomed(NOTCH**notches))

    def key_down(self, event: dict[str, Any]) -> None:
        """Begin to go, or do what a key stands for."""
        key = event["key"]
        key = ARROWS.get(key, key if len(key) > 1 else key.lower())
        if key in GOING:
            self._keys.add(key)
        elif {"Control", "Alt", "Meta"} & set(event.get("modifiers", ())):
            return
        elif key in (table := self._actions()):
            table[key]()
        if key == "Shift":
            self._keys.add(key)

    def key_up(self, event: dict[str, Any]) -> None:
        """Stop going."""
        key = event["key"]
        self._keys.discard(ARROWS.get(key, key if len(key) > 1 else key.lower()))

    def rest(self) -> None:
        """Let go of everything, as when the window loses the pointer or the keys."""
        self._keys.clear()
        self.pointer_up()

    def tick(self, seconds: float) -> None:
        """Go on for some seconds in the directions of the keys that are down."""
        going = [GOING[key] for key in self._keys if key in GOING]
        if going:
            far = PACE if self.session.walking else 0.5 * self.session.camera.distance
            far *= min(seconds, 0.25) * (HURRY if "Shift" in self._keys else 1.0)
            forward, right, up = (far * sum(way) for way in zip(*going, strict=True))
            self.session.look(self.session.camera.walked(forward, right, up))

    def _ray(self, event: dict[str, Any]) -> Any:
        width, height = self.size
        return self.session.camera.ray(event["x"] / width, event["y"] / height, width / height)

    def _actions(self) -> dict[str, Any]:
        session, display = self.session, self.session.display

        def flip(name: str) -> None:
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
            "v": lambda: session.walk(not session.walking),
            "f": session.follow,
            "p": lambda: setattr(self.recorder, "wanted", True),
            "r": self.recorder.toggle,
            "k": lambda: flip("skeleton"),
            "o": lambda: flip("arrows"),
            "c": lambda: flip("disks"),
            "Tab": lambda: flip("panel"),
            "t": lambda: paint("strain"),
            "l": lambda: paint("levels of detail"),
            "b": lambda: paint("branches"),
            "Escape": self.rest,
        }
