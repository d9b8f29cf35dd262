// @ts-check
// Mouse and fingers on the picture: one pulls the branch that it meets, or turns the camera; two fingers or the wheel
// bring it nearer. With Shift, Alt or another button it turns the camera wherever it is.

/** @typedef {import("./player.js").Player} Player */

const TURN = 3.5; // rad for a stroke across the picture
const WHEEL = 0.0012; // share of the distance for a pixel of the wheel

/**
 * Let pointers on an element pull branches and lead the camera.
 * @param {HTMLElement} element
 * @param {() => Player | undefined} player
 */
export function leadPointer(element, player) {
  /** @type {Map<number, PointerEvent>} */
  const down = new Map();
  /** Where the pointer was when the camera last turned. @type {PointerEvent | null} */
  let turned = null;
  /** What one pointer does: it waits to hear what is under it, pulls that, or turns the camera. */
  let doing = "turn";
  const apart = () => {
    const [one, other] = [...down.values()];
    return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  };
  const looked = () => {
    const found = player();
    if (found) found.stale = true;
    return found?.scene.camera;
  };
  const rayAt = (/** @type {PointerEvent} */ event) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const place = [(2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height];
    return /** @type {Player} */ (player()).scene.camera.ray(place, width / height, height);
  };
  const follow = (/** @type {PointerEvent} */ event) => {
    if (doing === "pull") {
      player()?.scene.hand.move(rayAt(event));
    } else if (doing === "turn" && turned) {
      const scale = TURN / Math.max(element.clientWidth, element.clientHeight);
      looked()?.turn(scale * (event.clientX - turned.clientX), scale * (event.clientY - turned.clientY));
      turned = event;
    }
  };
  const letGo = () => {
    if (doing === "pull") player()?.scene.hand.release();
    element.style.cursor = "";
    doing = "turn";
  };
  const ask = async (/** @type {PointerEvent} */ event) => {
    doing = "wait";
    const ray = rayAt(event);
    const { hand } = /** @type {Player} */ (player()).scene;
    const hit = await hand.find(ray).catch(() => null); // the plant was closed meanwhile
    const latest = down.get(event.pointerId);
    if (doing !== "wait" || down.size !== 1 || !latest) return; // nobody waits for it any more
    doing = hit ? "pull" : "turn";
    if (hit) {
      hand.take(hit, ray);
      element.style.cursor = "grabbing";
    }
    follow(latest);
  };
  element.addEventListener("pointerdown", (event) => {
    try {
      element.setPointerCapture(event.pointerId);
    } catch {
      // a pointer that is gone again
    }
    down.set(event.pointerId, event);
    turned = event;
    letGo();
    const pulls = down.size === 1 && event.button === 0 && !event.shiftKey && !event.altKey;
    if (pulls && player()) void ask(event);
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    element.addEventListener(name, (event) => {
      down.delete(event.pointerId);
      letGo();
      turned = [...down.values()][0] ?? null;
    });
  }
  element.addEventListener("pointermove", (event) => {
    if (!down.has(event.pointerId)) return;
    const wide = down.size === 2 ? apart() : 0;
    down.set(event.pointerId, event);
    if (wide) looked()?.zoom(wide / Math.max(apart(), 1));
    else follow(event);
  });
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      looked()?.zoom(Math.exp(WHEEL * event.deltaY));
    },
    { passive: false },
  );
  element.addEventListener("dblclick", () => looked()?.reset());
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}
