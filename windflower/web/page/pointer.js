// @ts-check
// Mouse and fingers on the picture: one turns the camera, two fingers or the wheel bring it nearer.

/** @typedef {import("./camera.js").Camera} Camera */

const TURN = 3.5; // rad for a stroke across the picture
const WHEEL = 0.0012; // share of the distance for a pixel of the wheel

/**
 * Let pointers on an element lead a camera.
 * @param {HTMLElement} element
 * @param {() => Camera | undefined} camera
 */
export function leadCamera(element, camera) {
  /** @type {Map<number, PointerEvent>} */
  const down = new Map();
  const apart = () => {
    const [one, other] = [...down.values()];
    return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    down.set(event.pointerId, event);
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    element.addEventListener(name, (event) => down.delete(event.pointerId));
  }
  element.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const wide = down.size === 2 ? apart() : 0;
    down.set(event.pointerId, event);
    if (wide) {
      camera()?.zoom(wide / Math.max(apart(), 1));
    } else {
      const scale = TURN / Math.max(element.clientWidth, element.clientHeight);
      camera()?.turn(scale * (event.clientX - before.clientX), scale * (event.clientY - before.clientY));
    }
  });
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      camera()?.zoom(Math.exp(WHEEL * event.deltaY));
    },
    { passive: false },
  );
  element.addEventListener("dblclick", () => camera()?.reset());
}
