// @ts-check
// What a person can set, as attributes of the element and as the end of the page's address.

/** @typedef {{wind: number, direction: number, hour: number, paused: boolean, strain: boolean, view: number[] | null}} Settings */

const NAMES = [
  "Calm",
  "Light air",
  "Light breeze",
  "Gentle breeze",
  "Moderate breeze",
  "Fresh breeze",
  "Strong breeze",
  "Near gale",
  "Gale",
  "Strong gale",
  "Storm",
  "Violent storm",
  "Hurricane",
];
export const FASTEST = 40; // m/s; a page blows no harder
const FROM = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7]; // m/s at which numbers 1 to 12 begin

/** The speed in the middle of a Beaufort number, m/s. @param {number} step */
export const beaufortSpeed = (step) => 0.836 * step ** 1.5;

/** The Beaufort number of a speed, with parts of it. @param {number} speed */
export const beaufortOf = (speed) => (speed / 0.836) ** (2 / 3);

/**
 * The speed that an attribute or a link says, m/s: "5" and "5m/s" are m/s, "b3" is a Beaufort number; else no number.
 * @param {string} text
 */
export function speedOf(text) {
  const [, beaufort, metres] = /^\s*(?:b([\d.]+)|(\S.*?)(?:\s*m\/s)?)\s*$/i.exec(text) ?? [];
  return beaufort === undefined ? Number(metres ?? NaN) : beaufortSpeed(Number(beaufort));
}

/** A speed in words, with its Beaufort number. @param {number} speed */
export function windText(speed) {
  const step = FROM.filter((from) => from <= Math.round(speed * 10) / 10).length;
  return `${NAMES[step]} (${step}), ${speed.toFixed(1)} m/s`;
}

/** Where a wind comes from, in words. @param {number} direction */
export function directionText(direction) {
  const points = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
  return `from ${points[Math.round((((direction % 360) + 360) % 360) / 45) % 8]}`;
}

/** An hour as a clock shows it. @param {number} hour */
export function hourText(hour) {
  const minutes = Math.round(hour * 60) % 1440;
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/**
 * Settings that the end of an address has; what is no number is left out.
 * @param {string} hash
 */
export function fromAddress(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {Partial<Settings>} */
  const found = {};
  for (const [name, least, most] of /** @type {["wind" | "direction" | "hour", number, number][]} */ ([
    ["wind", 0, FASTEST],
    ["direction", 0, 360],
    ["hour", 0, 24],
  ])) {
    const value = (name === "wind" ? speedOf : Number.parseFloat)(said.get(name) ?? "");
    if (value >= least && value <= most) found[name] = value;
  }
  const view = (said.get("view") ?? "").split(",").map(Number);
  if (view.length === 3 && view.every(Number.isFinite)) found.view = view;
  for (const name of /** @type {const} */ (["paused", "strain"])) if (said.has(name)) found[name] = true;
  return found;
}

/** The end of an address that has these settings. @param {Settings} settings */
export function toAddress({ wind, direction, hour, paused, strain, view }) {
  const said = new URLSearchParams({ wind: wind.toFixed(2), direction: direction.toFixed(0), hour: hour.toFixed(2) });
  if (view) said.set("view", view.map((value) => value.toFixed(3)).join(","));
  if (paused) said.set("paused", "");
  if (strain) said.set("strain", "");
  return `#${said}`;
}
