// @ts-check
// The bar below the picture: wind, direction, gust, hour, pause, full screen, link, picture.

import { beaufortOf, beaufortSpeed, directionText, fromAddress, hourText, toAddress, windText } from "./settings.js";

/** @typedef {import("./element.js").WindflowerPlant} Plant */
/** @typedef {import("./player.js").Player} Player */

const GUST = 6; // m/s

/**
 * The controls of a plant that plays.
 * @param {Plant} plant
 * @param {Player} player
 */
export function controlsOf(plant, player) {
  const { scene } = player;
  const bar = document.createElement("div");
  bar.className = "controls";
  const set = (/** @type {string} */ name, /** @type {number} */ value) => plant.setAttribute(name, String(value));
  const follow = [
    slider(
      bar,
      "Wind",
      [0, 12, 0.1],
      () => beaufortOf(scene.wind.speed),
      (step) => set("wind", beaufortSpeed(step)),
      () => windText(scene.wind.speed),
    ),
    slider(
      bar,
      "Direction",
      [0, 360, 5],
      () => scene.wind.direction,
      (degrees) => set("direction", degrees),
      () => directionText(scene.wind.direction),
    ),
    slider(
      bar,
      "Time",
      [0, 24, 0.05],
      () => scene.daylight.hour,
      (hour) => set("hour", hour),
      () => hourText(scene.daylight.hour),
    ),
  ];
  const buttons = bar.appendChild(document.createElement("div"));
  buttons.className = "buttons";
  button(buttons, "Gust", "Send a gust over the plant", () => scene.wind.gust(scene.time, GUST));
  const pause = button(buttons, "Pause", "Stop the motion, or let it go on", () => plant.toggleAttribute("paused"));
  const strain = scene.knowsStrain
    ? button(buttons, "Strain", "Show how much the wood is strained, from blue to red", () =>
        plant.toggleAttribute("strain"),
      )
    : null;
  button(
    buttons,
    "Full screen",
    "Fill the screen",
    () => void (document.fullscreenElement ? document.exitFullscreen() : plant.requestFullscreen()),
  );
  if (location.protocol !== "about:") {
    const share = button(buttons, "Link", "Copy a link with these settings", () => void copyLink(share, plant, player));
  }
  button(buttons, "Picture", "Save the picture", () => savePicture(player));
  const refresh = () => {
    follow.forEach((one) => one());
    pause.textContent = player.paused ? "Play" : "Pause";
    strain?.setAttribute("aria-pressed", String(scene.strained));
  };
  new MutationObserver(refresh).observe(plant, { attributes: true });
  takeOver(plant, player);
  refresh();
  return bar;
}

/**
 * @param {HTMLElement} bar
 * @param {string} name
 * @param {[number, number, number]} range  least, most and step
 * @param {() => number} get
 * @param {(value: number) => void} set
 * @param {() => string} text
 */
function slider(bar, name, [least, most, step], get, set, text) {
  const label = bar.appendChild(document.createElement("label"));
  const said = document.createElement("span");
  const input = document.createElement("input");
  Object.assign(input, { type: "range", min: least, max: most, step, name: name.toLowerCase() });
  label.append(said, input);
  input.addEventListener("input", () => set(Number(input.value)));
  return () => {
    input.value = String(get());
    said.textContent = `${name}: ${text()}`;
  };
}

/**
 * @param {HTMLElement} bar
 * @param {string} name
 * @param {string} title
 * @param {() => void} press
 */
function button(bar, name, title, press) {
  const made = bar.appendChild(document.createElement("button"));
  Object.assign(made, { type: "button", textContent: name, title });
  made.addEventListener("click", press);
  return made;
}

/**
 * Have the settings that the page's address ends with.
 * @param {Plant} plant
 * @param {Player} player
 */
function takeOver(plant, player) {
  const { view, paused, ...numbers } = fromAddress(location.hash);
  for (const [name, value] of Object.entries(numbers)) plant.setAttribute(name, String(value));
  if (paused) plant.setAttribute("paused", "");
  const { camera } = player.scene;
  if (view) [camera.azimuth, camera.elevation, camera.distance] = view;
  camera.zoom(1);
}

/**
 * @param {HTMLElement} share
 * @param {Plant} plant
 * @param {Player} player
 */
async function copyLink(share, plant, player) {
  const { wind, daylight, camera } = player.scene;
  const view = [camera.azimuth, camera.elevation, camera.distance];
  location.replace(
    toAddress({ wind: wind.speed, direction: wind.direction, hour: daylight.hour, paused: player.paused, view }),
  );
  try {
    await navigator.clipboard.writeText(location.href);
    share.textContent = "Copied";
  } catch {
    share.textContent = "In the address bar";
  }
  setTimeout(() => (share.textContent = "Link"), 2000);
}

/** @param {Player} player */
function savePicture(player) {
  player.draw(); // a canvas keeps its picture until the end of this task
  player.canvas.toBlob((picture) => {
    if (!picture) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(picture);
    link.download = "windflower.png";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
