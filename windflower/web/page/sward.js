// @ts-check
// Tiles of ground on which grass, herbs, leaves and stones are drawn: the twin of `tiles_in_view` on level ground.

import { Records } from "./records.js";

/** @typedef {{name: string, layers: [number, number][], each: number, most: number, until: number[]}} Population */

export class Sward {
  /** @param {import("./pack.js").Pack} pack */
  constructor(pack) {
    this.tall = pack.header.sward.tall;
    /** @type {Population[]} */
    this.populations = pack.header.sward.populations;
    this.layout = pack.header.layouts.Tile;
  }

  /**
   * Tiles of each population, the nearest first, and the numbers that calls name.
   * @param {number[]} eye
   * @param {number[]} projection
   */
  look(eye, projection) {
    const planes = planesOf(projection);
    /** @type {Record<string, number>} */
    const numbers = {};
    const tiles = this.populations.map((population) => {
      const seen = this.seen(population, eye, planes).slice(0, population.most);
      const records = new Records(this.layout, Math.max(seen.length, 1));
      seen.forEach(({ corner, side, reach, layer }, at) =>
        records.set(at, { corner, side, reach, layer, each: population.each }),
      );
      numbers[population.name] = seen.length;
      let first = 0;
      population.until.forEach((until, mesh) => {
        let end = first;
        while (end < seen.length && seen[end].away < until) end++;
        numbers[`${population.name} ${mesh} first`] = first;
        numbers[`${population.name} ${mesh}`] = end - first;
        first = end;
      });
      return records;
    });
    return { tiles, numbers };
  }

  /**
   * @param {Population} population
   * @param {number[]} eye
   * @param {number[][]} planes
   */
  seen(population, eye, planes) {
    const found = [];
    const over = Math.max(Math.abs(eye[1]) - this.tall, 0);
    for (const [layer, [side, reach]] of population.layers.entries()) {
      const cells = Math.ceil(reach / side);
      const [x, z] = [Math.floor(eye[0] / side), Math.floor(eye[2] / side)];
      const ball = Math.hypot(0.8 * side, this.tall);
      for (let row = -cells; row <= cells; row++) {
        for (let column = -cells; column <= cells; column++) {
          const corner = [(x + column) * side, (z + row) * side];
          const middle = [corner[0] + side / 2, corner[1] + side / 2];
          const gap = [middle[0] - eye[0], middle[1] - eye[2]].map((apart) => Math.max(Math.abs(apart) - side / 2, 0));
          const away = Math.hypot(gap[0], gap[1], over);
          if (away < reach && inView([middle[0], 0, middle[1]], ball, planes))
            found.push({ corner, side, reach, layer, away });
        }
      }
    }
    return found.sort((one, other) => one.away - other.away);
  }
}

/** Planes of a view-projection matrix, inward. @param {number[]} m */
export function planesOf(m) {
  const row = (/** @type {number} */ at) => m.slice(4 * at, 4 * at + 4);
  const [x, y, w] = [row(0), row(1), row(3)];
  const sums = [
    [x, 1],
    [x, -1],
    [y, 1],
    [y, -1],
  ].map(([side, sign]) => w.map((value, at) => value + Number(sign) * /** @type {number[]} */ (side)[at]));
  return [...sums, w].map((plane) => plane.map((value) => value / Math.hypot(plane[0], plane[1], plane[2])));
}

/**
 * @param {number[]} centre
 * @param {number} radius
 * @param {number[][]} planes
 */
function inView(centre, radius, planes) {
  return planes.every(([a, b, c, d]) => a * centre[0] + b * centre[1] + c * centre[2] + d > -radius);
}
