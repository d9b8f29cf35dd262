// @ts-check
// The keyboard on the picture: arrows go round the plant, plus and minus nearer and farther, Home back; Space stops it.

/** @typedef {import("./element.js").WindflowerPlant} Plant */
/** @typedef {import("./camera.js").Camera} Camera */

const STROKE = 0.08; // rad for a stroke of a key
const NEARER = 0.9;

/** @type {Record<string, (camera: Camera) => void>} */
const LOOKS = {
  ArrowLeft: (camera) => camera.turn(STROKE, 0),
  ArrowRight: (camera) => camera.turn(-STROKE, 0),
  ArrowUp: (camera) => camera.turn(0, STROKE),
  ArrowDown: (camera) => camera.turn(0, -STROKE),
  "+": (camera) => camera.zoom(NEARER),
  "=": (camera) => camera.zoom(NEARER), // plus without Shift
  "-": (camera) => camera.zoom(1 / NEARER),
  Home: (camera) => camera.reset(),
};

/**
 * Let keys lead the camera while the picture has the focus.
 * @param {Plant} plant
 * @param {HTMLElement} picture
 */
export function leadByKeys(plant, picture) {
  picture.addEventListener("keydown", (event) => {
    const { player } = plant;
    if (!player || event.ctrlKey || event.altKey || event.metaKey) return;
    const look = LOOKS[event.key];
    if (look) look(player.scene.camera);
    else if (event.key === " ") plant.toggleAttribute("paused");
    else return;
    player.stale = true;
    event.preventDefault();
  });
}
