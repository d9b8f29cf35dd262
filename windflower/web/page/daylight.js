// @ts-check
// Light of sun and sky at any hour, read from the pack's table over the sun's height.

import { half, whole } from "./half.js";

/** @typedef {{sun: number[], star: number[], colour: number[], aloft: number[], ambient: number[], dark: number, haze: number, shadow: number, exposure: number, dome: Uint16Array<ArrayBuffer>}} Light */

export class Daylight {
  /** @param {import("./pack.js").Pack} pack */
  constructor(pack) {
    this.facts = pack.header.light;
    this.domes = new Uint16Array(pack.blob(this.facts.dome).buffer);
    this.each = 4 * this.facts.size[0] * this.facts.size[1];
    this.hour = this.facts.hour;
    this.light = this.under(this.facts.star);
  }

  /**
   * Have another hour of the day, 0 to 24.
   * @param {number} hour
   */
  setHour(hour) {
    this.hour = hour;
    this.light = this.under(hour === this.facts.hour ? this.facts.star : this.sunAt(hour));
  }

  /**
   * Direction to the sun, in true solar time: the twin of `solar_direction`.
   * @param {number} hour
   */
  sunAt(hour) {
    const [d, p, h] = [this.facts.declination, this.facts.latitude, 15 * (hour - 12)].map(
      (degrees) => (degrees * Math.PI) / 180,
    );
    const east = -Math.cos(d) * Math.sin(h);
    const north = Math.sin(d) * Math.cos(p) - Math.cos(d) * Math.cos(h) * Math.sin(p);
    return [east, Math.sin(d) * Math.sin(p) + Math.cos(d) * Math.cos(h) * Math.cos(p), -north];
  }

  /**
   * The light when the sun stands there.
   * @param {number[]} star
   * @returns {Light}
   */
  under(star) {
    const { heights, rows, moon } = this.facts;
    const height = (Math.asin(Math.min(Math.max(star[1], -1), 1)) * 180) / Math.PI;
    const found = heights.findIndex((/** @type {number} */ one) => one >= height - 1e-9);
    const above = found < 0 ? heights.length - 1 : found;
    const below = Math.max(above - 1, 0);
    const share =
      Math.abs(heights[above] - height) < 1e-9 ? 1 : (height - heights[below]) / (heights[above] - heights[below] || 1);
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + share * (b - a);
    const one = rows[below];
    const other = rows[above];
    const both = (/** @type {"colour" | "aloft" | "ambient"} */ name) =>
      one[name].map((/** @type {number} */ a, /** @type {number} */ at) => mix(a, other[name][at]));
    return {
      sun: height < -1 ? moon : star,
      star,
      colour: both("colour"),
      aloft: both("aloft"),
      ambient: turned(both("ambient"), star),
      dark: mix(one.dark, other.dark),
      haze: mix(one.haze, other.haze),
      shadow: mix(one.shadow, other.shadow),
      exposure: mix(one.exposure, other.exposure),
      dome: this.dome(below, above, share),
    };
  }

  /**
   * @param {number} below
   * @param {number} above
   * @param {number} share
   */
  dome(below, above, share) {
    const one = this.domes.subarray(below * this.each, (below + 1) * this.each);
    const other = this.domes.subarray(above * this.each, (above + 1) * this.each);
    if (share === 1) return new Uint16Array(other);
    return Uint16Array.from(one, (bits, at) => half((1 - share) * whole(bits) + share * whole(other[at])));
  }
}

/**
 * Light by normal for a sun in the east, turned about the vertical to where the sun is.
 *
 * A normal n in the world is seen from there as x' = c x + s z, y' = y, z' = c z - s x. Rows are factors of 1, y, z, x,
 * xy, yz, 3z² - 1, xz and x² - y², of three colours each.
 * @param {number[]} ambient
 * @param {number[]} star
 */
function turned(ambient, star) {
  const level = Math.hypot(star[0], star[2]);
  const [c, s] = level > 1e-9 ? [star[0] / level, star[2] / level] : [1, 0];
  const out = [...ambient];
  for (let colour = 0; colour < 3; colour++) {
    const [one, y, z, x, xy, yz, zz, xz, xx] = Array.from({ length: 9 }, (_, row) => ambient[3 * row + colour]);
    // Factors of x², y² and z² in the world; on the unit sphere they are A (x² - y²) + B (3z² - 1) + k.
    const p = xx * c * c - xz * c * s + 3 * zz * s * s;
    const q = -xx;
    const r = xx * s * s + xz * c * s + 3 * zz * c * c;
    const B = (r - (p + q) / 2) / 3;
    const rows = [
      one - zz + (p + q) / 2 + B,
      y,
      s * x + c * z,
      c * x - s * z,
      c * xy - s * yz,
      s * xy + c * yz,
      B,
      2 * xx * c * s + xz * (c * c - s * s) - 6 * zz * c * s,
      (p - q) / 2,
    ];
    rows.forEach((value, row) => (out[3 * row + colour] = value));
  }
  return out;
}
