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
    const [d, p, h] = [this.facts.declination, this.facts.latitude, 15 * (hour - 12)].map((degrees) => (degrees * Math.PI) / 180);
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
    const share = Math.abs(heights[above] - height) < 1e-9 ? 1 : (height - heights[below]) / (heights[above] - heights[below] || 1);
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + share * (b - a);
    const one = rows[below];
    const other = rows[above];
    const both = (/** @type {"colour" | "aloft" | "ambient"} */ name) => one[name].map((/** @type {number} */ a, /** @type {number} */ at) => mix(a, other[name][at]));
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
 * Light by normal (nine rows of three) for a sun in the east, turned about the vertical to where the sun is.
 * @param {number[]} ambient
 * @param {number[]} star
 */
function turned(ambient, star) {
  const level = Math.hypot(star[0], star[2]);
  const [c, s] = level > 1e-9 ? [star[0] / level, star[2] / level] : [1, 0];
  // A normal n in the world is R n in the frame of the east: x' = c x + s z, z' = -s x + c z.
  const out = [...ambient];
  for (let colour = 0; colour < 3; colour++) {
    const [, y, z, x, xy, yz, zz, xz, xx] = Array.from({ length: 9 }, (_, row) => ambient[3 * row + colour]);
    void y;
    const put = (/** @type {number} */ row, /** @type {number} */ value) => (out[3 * row + colour] = value);
    put(3, c * x - s * z);
    put(2, s * x + c * z);
    put(4, c * xy - s * yz);
    put(5, s * xy + c * yz);
    // The quadratic form a x'² + b x'z' + g z'² + k: from zz (3z'² - 1), xz x'z', xx (x'² - y²).
    const a = xx;
    const g = 3 * zz;
    const alongX = a * c * c - xz * c * s + g * s * s;
    const alongZ = a * s * s + xz * c * s + g * c * c;
    const mixed = 2 * a * c * s + xz * (c * c - s * s) - 2 * g * c * s;
    put(7, mixed);
    // On the sphere x² + y² + z² = 1, the form is again one of these three: x² has y² = 1 - x² - z² beside it.
    const rest = [alongX, -xx, alongZ]; // of x², y², z²
    const [first, constant] = fitted(rest);
    put(8, first[0]);
    put(6, first[1]);
    put(0, ambient[colour] - zz + constant);
  }
  return out;
}

/**
 * Factors of x² - y² and 3z² - 1, and a constant, that make px² + qy² + rz² on the unit sphere.
 * @param {number[]} squares
 */
function fitted([p, q, r]) {
  // A (x² - y²) + B (3z² - 1) + k (x² + y² + z²): A - B + k = p, -A - B + k = q, 2B + k = r.
  const A = (p - q) / 2;
  const sum = (p + q) / 2; // k - B
  const B = (r - sum) / 3;
  return [[A, B], sum + B];
}
