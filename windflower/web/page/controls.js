// @ts-check
// The bar below the picture: wind, direction, gust, hour, pause, strain, full screen, link, picture.

import { beaufortOf, beaufortSpeed, directionText, fromAddress, hourText, toAddress, windText } from "./settings.js";

/** @typedef {import("./element.js").WindflowerPlant} Plant */
/** @typedef {import("./player.js").Player} Player */

const GUST = 6; // m/s
const SHORTLY = 2000; // ms
const KEPT = 60_000; // ms that a browser may take to save a picture
const LOW = 320; // px; where there is less, the bar waits to be asked for

/** The controls of a plant that plays. */
export class Controls {
  /**
   * @param {Plant} plant
   * @param {Player} player
   */
  constructor(plant, player) {
    this.plant = plant;
    this.player = player;
    this.bar = document.createElement("div");
    this.bar.className = "controls";
    this.bar.setAttribute("role", "group");
    this.bar.ariaLabel = `Controls of ${player.scene.header.title}`;
    const { scene } = player;
    const set = (/** @type {string} */ name, /** @type {number} */ value) => plant.setAttribute(name, String(value));
    const winds = [
      new Slider(
        "Wind",
        [0, 12, 0.1],
        () => beaufortOf(scene.wind.speed),
        (step) => set("wind", beaufortSpeed(step)),
        () => windText(scene.wind.speed),
      ),
      new Slider(
        "Direction",
        [0, 360, 5],
        () => scene.wind.direction,
        (degrees) => set("direction", degrees),
        () => directionText(scene.wind.direction),
      ),
    ];
    this.sliders = [
      ...(scene.feelsWind ? winds : []),
      new Slider(
        "Time",
        [0, 24, 0.05],
        () => scene.daylight.hour,
        (hour) => set("hour", hour),
        () => hourText(scene.daylight.hour),
      ),
    ];
    this.bar.append(...this.sliders.map((one) => one.label));
    const buttons = this.bar.appendChild(document.createElement("div"));
    buttons.className = "buttons";
    const add = (/** @type {HTMLElement} */ one) => buttons.appendChild(one);
    if (scene.feelsWind) add(button("Gust", "Send a gust over the plant", () => scene.wind.gust(scene.time, GUST)));
    this.pause = add(button("Pause", "Stop the motion, or let it go on", () => plant.toggleAttribute("paused")));
    this.strain = scene.knowsStrain
      ? add(
          button("Strain", "Show how much the wood is strained, from blue to red", () =>
            plant.toggleAttribute("strain"),
          ),
        )
      : null;
    if (document.fullscreenEnabled) add(button("Full screen", "Fill the screen", () => fillScreen(plant)));
    if (hasOwnAddress()) {
      const share = add(button("Link", "Copy a link with these settings", () => void copyLink(share, plant, player)));
    }
    add(button("Picture", "Save the picture", () => savePicture(player)));
    add(button("Hide", "Hide the controls", () => this.fold(true)));
    this.unfold = button("Controls", "Show the controls", () => this.fold(false));
    this.unfold.className = "unfold";
    this.unfold.hidden = true;
    plant.shadowRoot?.append(this.bar, this.unfold);
    this.watcher = new MutationObserver(() => this.refresh());
    this.watcher.observe(plant, { attributes: true });
    this.gone = new AbortController();
    if (hasOwnAddress()) {
      takeOver(plant, player);
      window.addEventListener("hashchange", () => takeOver(plant, player), { signal: this.gone.signal });
    }
    this.refresh();
    if (plant.clientHeight < LOW) this.fold(true);
  }

  /** Show how things stand. */
  refresh() {
    this.sliders.forEach((one) => one.refresh());
    this.pause.textContent = this.player.paused ? "Play" : "Pause";
    this.strain?.setAttribute("aria-pressed", String(this.player.scene.strained));
  }

  /** Leave the picture alone, or come back. @param {boolean} folded */
  fold(folded) {
    const inside = folded ? this.bar : this.unfold;
    const focused = inside.contains(this.plant.shadowRoot?.activeElement ?? null);
    this.bar.hidden = folded;
    this.unfold.hidden = !folded;
    if (focused) (folded ? this.unfold : this.pause).focus();
  }

  remove() {
    this.watcher.disconnect();
    this.gone.abort();
    this.bar.remove();
    this.unfold.remove();
  }
}

class Slider {
  /**
   * @param {string} name
   * @param {[number, number, number]} range  least, most and step
   * @param {() => number} get
   * @param {(value: number) => void} set
   * @param {() => string} text
   */
  constructor(name, [least, most, step], get, set, text) {
    this.get = get;
    this.text = text;
    this.label = document.createElement("label");
    const said = this.label.appendChild(document.createElement("span"));
    said.append(`${name} `);
    this.said = said.appendChild(document.createElement("output"));
    this.input = this.label.appendChild(document.createElement("input"));
    Object.assign(this.input, {
      type: "range",
      min: least,
      max: most,
      step,
      name: name.toLowerCase(),
      ariaLabel: name,
    });
    this.input.addEventListener("input", () => set(Number(this.input.value)));
  }

  refresh() {
    this.input.value = String(this.get());
    this.said.textContent = this.input.ariaValueText = this.text();
  }
}

/**
 * @param {string} name
 * @param {string} title
 * @param {() => void} press
 */
function button(name, title, press) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", textContent: name, title });
  made.addEventListener("click", press);
  return made;
}

/** Whether the address of the page is that of this plant alone. */
function hasOwnAddress() {
  return location.protocol !== "about:" && document.querySelectorAll("windflower-plant").length === 1;
}

/** @param {Plant} plant */
function fillScreen(plant) {
  if (document.fullscreenElement) void document.exitFullscreen();
  else plant.requestFullscreen().catch(() => {}); // a frame may not be allowed to
}

/**
 * Have the settings that the page's address ends with.
 * @param {Plant} plant
 * @param {Player} player
 */
function takeOver(plant, player) {
  const { view, paused, strain, ...numbers } = fromAddress(location.hash);
  for (const [name, value] of Object.entries(numbers)) plant.setAttribute(name, String(value));
  if (paused) plant.setAttribute("paused", "");
  if (strain) plant.setAttribute("strain", "");
  const { camera } = player.scene;
  if (view) [camera.azimuth, camera.elevation, camera.distance] = view;
  camera.zoom(1);
  player.stale = true;
}

/**
 * @param {HTMLElement} share
 * @param {Plant} plant
 * @param {Player} player
 */
async function copyLink(share, plant, player) {
  const { wind, daylight, camera } = player.scene;
  const { speed, direction } = wind;
  const view = [camera.azimuth, camera.elevation, camera.distance];
  const [paused, strain] = ["paused", "strain"].map((name) => plant.hasAttribute(name));
  location.replace(toAddress({ wind: speed, direction, hour: daylight.hour, paused, strain, view }));
  try {
    await navigator.clipboard.writeText(location.href);
    share.textContent = "Copied";
  } catch {
    share.textContent = "In the address bar";
  }
  setTimeout(() => (share.textContent = "Link"), SHORTLY);
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
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
  });
}
