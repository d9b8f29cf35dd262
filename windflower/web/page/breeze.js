// @ts-check
// The wind over the grass about the camera, as blades read it: the twin of `WindMap` and `DrawnWindMap`.

import { half } from "./half.js";
import { smooth } from "./wind.js";

/** @typedef {import("./wind.js").Wind} Wind */

const POINTS = 28;
const SPACING = 5.5;
const APART = 0.1;
const FINER = 4;
const RIM = 3;
const SIDE = FINER * (POINTS - 1) + 1;

export class Breeze {
  /** @param {Wind} wind */
  constructor(wind) {
    this.wind = wind;
    /** @type {Map<number, Float32Array>} texels by number of the moment */
    this.known = new Map();
    this.key = "";
    this.corner = [0, 0];
    this.texels = new Uint16Array(2 * SIDE * SIDE);
    this.before = new Uint16Array(2 * SIDE * SIDE);
  }

  /** `breeze` of the frame: corner, texels per m, and texels along a side. */
  get place() {
    return [...this.corner, FINER / SPACING, SIDE];
  }

  /**
   * Find the map about a camera at a time, s.
   * @param {number[]} camera
   * @param {number} time
   */
  look(camera, time) {
    this.corner = [camera[0], camera[2]].map((at) => (Math.floor(at / SPACING) - (POINTS / 2 - 1)) * SPACING);
    const key = [...this.corner, this.wind.speed, this.wind.direction, this.wind.gusts.length].join();
    if (key !== this.key) this.known.clear();
    this.key = key;
    const moment = Math.floor(time / APART);
    const share = time / APART - moment;
    const [one, other] = [moment, moment + 1].map((at) => this.at(at));
    for (const at of this.known.keys()) if (at < moment) this.known.delete(at);
    [this.texels, this.before] = [this.before, this.texels];
    for (let at = 0; at < this.texels.length; at++) this.texels[at] = half((1 - share) * one[at] + share * other[at]);
  }

  /** @param {number} moment */
  at(moment) {
    let texels = this.known.get(moment);
    if (!texels) {
      texels = spread(this.samples(moment * APART));
      this.known.set(moment, texels);
    }
    return texels;
  }

  /**
   * Velocity along x and z at all points at a time, s. Along a row, a wave turns on by the same angle from point to point.
   * @param {number} time
   */
  samples(time) {
    const { wind, corner } = this;
    const { height, gain } = wind.facts.grass;
    const velocity = new Float64Array(2 * POINTS * POINTS);
    const along = new Float64Array(POINTS * POINTS);
    const left = new Float64Array(POINTS * POINTS);
    for (let wave = 0; wave < wind.count; wave++) {
      const turns = wind.perMetre(wave);
      const phasor = wind.phasors.subarray(6 * wave, 6 * wave + 6);
      const turn = 2 * Math.PI * turns[0] * SPACING;
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      for (let row = 0; row < POINTS; row++) {
        const phase =
          turns[0] * corner[0] +
          turns[1] * height +
          turns[2] * (corner[1] + SPACING * row) +
          wind.turns[3 * wave] * time;
        const angle = 2 * Math.PI * (phase - Math.floor(phase));
        let x = Math.cos(angle);
        let y = Math.sin(angle);
        for (let at = POINTS * row; at < POINTS * (row + 1); at++) {
          along[at] += phasor[0] * x - phasor[3] * y;
          left[at] += phasor[1] * x - phasor[4] * y;
          [x, y] = [x * c - y * s, x * s + y * c];
        }
      }
    }
    const trains = wind.trains(time, time);
    const [ahead, aside] = wind.axes;
    const steady = wind.steady;
    for (let row = 0; row < POINTS; row++) {
      for (let column = 0; column < POINTS; column++) {
        const at = POINTS * row + column;
        const gusts = wind.gustsAt(corner[0] + SPACING * column, height, corner[1] + SPACING * row, trains);
        const x = gain[0] * (steady[0] + gusts[0]);
        const z = gain[0] * (steady[2] + gusts[1]);
        const swell = wind.facts.swells ? Math.hypot(x, z) : 1;
        const u = swell * gain[1] * along[at];
        const v = swell * gain[2] * left[at];
        velocity[2 * at] = x + u * ahead[0] + v * aside[0];
        velocity[2 * at + 1] = z + u * ahead[2] + v * aside[2];
      }
    }
    return velocity;
  }
}

/** Share of each sample along a side in each texel: a bell as wide as samples lie apart. */
const SHARES = Array.from({ length: SIDE }, (_, texel) => {
  const bell = Array.from({ length: POINTS }, (_, point) => Math.exp(-0.5 * (texel / FINER - point) ** 2));
  const sum = bell.reduce((a, b) => a + b);
  return bell.map((value) => value / sum);
});

/** 1 in the middle of the map along a side, 0 on its rim. */
const INSIDE = Array.from({ length: SIDE }, (_, at) => smooth(Math.min(at, SIDE - 1 - at) / (FINER * RIM)));

/**
 * Means of the samples about each texel; toward the rim, the mean of the map.
 * @param {Float64Array} samples
 */
function spread(samples) {
  const mean = [0, 1].map(
    (part) => samples.reduce((sum, value, at) => (at % 2 === part ? sum + value : sum), 0) / (POINTS * POINTS),
  );
  const wide = new Float64Array(2 * POINTS * SIDE);
  for (let row = 0; row < POINTS; row++) {
    for (let texel = 0; texel < SIDE; texel++) {
      for (let point = 0; point < POINTS; point++) {
        const share = SHARES[texel][point];
        const from = 2 * (POINTS * row + point);
        wide[2 * (SIDE * row + texel)] += share * samples[from];
        wide[2 * (SIDE * row + texel) + 1] += share * samples[from + 1];
      }
    }
  }
  const texels = new Float32Array(2 * SIDE * SIDE);
  const line = new Float64Array(2 * SIDE);
  for (let row = 0; row < SIDE; row++) {
    line.fill(0);
    for (let point = 0; point < POINTS; point++) {
      const share = SHARES[row][point];
      for (let at = 0; at < 2 * SIDE; at++) line[at] += share * wide[2 * SIDE * point + at];
    }
    for (let at = 0; at < 2 * SIDE; at++) {
      const inside = INSIDE[row] * INSIDE[at >> 1];
      texels[2 * SIDE * row + at] = inside * line[at] + (1 - inside) * mean[at & 1];
    }
  }
  return texels;
}
