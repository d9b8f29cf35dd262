// @ts-check
// The wind: the twin of `Gusty` over `Steady`, `Gusts`, `Gust` and `Turbulence`, at any speed and from anywhere.

import { Records } from "./records.js";

/** @typedef {{at: number, offset: number, speed: number, strength: number, direction: number, duration: number, rise: number, fall: number, width: number}} Gust */

const AHEAD = 8; // tables of fronts begin and end at multiples of so many intervals
const PHASOR = 6; // numbers of a wave's amplitude: real and imaginary along, left and up

export class Wind {
  /** @param {import("./pack.js").Pack} pack */
  constructor(pack) {
    this.facts = pack.header.wind;
    this.layouts = pack.header.layouts;
    const { waves, phasors, train } = this.facts;
    /** Of each wave turns per second, and per metre left and up times the speed that carries it. */
    this.turns = waves === null ? new Float64Array() : new Float64Array(pack.blob(waves).buffer);
    this.table = waves === null ? new Float32Array() : new Float32Array(pack.blob(phasors).buffer);
    this.fronts = train ? new Float64Array(pack.blob(train.fronts).buffer) : new Float64Array();
    this.count = this.turns.length / 3;
    /** @type {Gust[]} */
    this.gusts = [...this.facts.gusts];
    /** Mean speed at 10 m, m/s, and where it comes from, degrees. */
    this.speed = 0;
    this.direction = 0;
    this.axes = axesOf(0);
    /** Speed at which eddies and gusts are carried past, m/s. */
    this.pace = 1;
    this.phasors = new Float32Array();
    this.blow(this.facts.speed, this.facts.direction);
  }

  /**
   * Blow at another mean speed at 10 m, m/s, from another direction, degrees.
   * @param {number} speed
   * @param {number} direction
   */
  blow(speed, direction) {
    this.speed = speed;
    this.direction = direction;
    this.axes = axesOf(direction);
    this.pace = Math.max(this.facts.pace * speed, 1e-3);
    this.phasors = this.at(speed);
  }

  /**
   * A gust that arrives at the origin at a time, s, and adds so much speed, m/s.
   * @param {number} time
   * @param {number} strength
   */
  gust(time, strength) {
    const speed = this.facts.pace * Math.max(this.speed, strength, 1);
    const shape = { duration: 6, rise: 1, fall: 3, width: 60, offset: 0 };
    this.gusts = this.gusts.filter((one) => one.at + one.duration + 60 > time);
    this.gusts.push({ ...shape, at: time, speed, strength, direction: this.direction });
  }

  /**
   * Amplitudes of all waves over the speed, between the two nearest speeds of the table.
   * @param {number} speed
   */
  at(speed) {
    const { speeds } = this.facts;
    const width = PHASOR * this.count;
    const last = speeds.length - 1;
    const found = speeds.findIndex((/** @type {number} */ one) => one >= speed);
    const above = found < 0 ? last : found;
    const below = speeds[above] <= speed || above === 0 ? above : above - 1;
    const share = above === below ? 0 : (speed - speeds[below]) / (speeds[above] - speeds[below]);
    const one = this.table.subarray(below * width, (below + 1) * width);
    const other = this.table.subarray(above * width, (above + 1) * width);
    return share === 0 ? one : one.map((value, at) => value + share * (other[at] - value));
  }

  /** Velocity of the steady part at 10 m, m/s. */
  get steady() {
    return this.axes[0].map((value) => value * this.facts.steady * this.speed);
  }

  /** Turns of a wave per metre along x, y and z. @param {number} wave */
  perMetre(wave) {
    const [frequency, left, up] = this.turns.subarray(3 * wave, 3 * wave + 3);
    const own = [-frequency / this.pace, left / this.pace, up / this.pace];
    return [0, 1, 2].map(
      (axis) => own[0] * this.axes[0][axis] + own[1] * this.axes[1][axis] + own[2] * this.axes[2][axis],
    );
  }

  /**
   * What the kernel reads for steps dt apart, of which the first ends at a time, s: the twin of `LayerRecords.at`.
   * @param {number} first
   * @param {number} dt
   * @param {number} steps
   * @returns {Record<"layers" | "waves" | "trains" | "fronts", ArrayBuffer>}
   */
  records(first, dt, steps) {
    const { origin } = this.facts;
    const layers = new Records(this.layouts.Layer);
    const waves = new Records(this.layouts.Wave, Math.max(this.count, 1));
    for (let wave = 0; wave < this.count; wave++) {
      const frequency = this.turns[3 * wave];
      const turns = this.perMetre(wave);
      const start = turns[0] * origin[0] + turns[1] * origin[1] + turns[2] * origin[2] + frequency * first;
      const angle = 2 * Math.PI * frequency * dt;
      const phasor = this.phasors.subarray(PHASOR * wave, PHASOR * wave + PHASOR);
      waves.set(wave, {
        turns,
        start: start - Math.floor(start),
        step: [Math.cos(angle), Math.sin(angle)],
        pace: frequency * dt,
        real: phasor.subarray(0, 3),
        imaginary: phasor.subarray(3, 6),
      });
    }
    const { trains, fronts } = this.trains(first, first + dt * (steps - 1));
    layers.set(0, {
      along: this.axes[0],
      left: this.axes[1],
      steady: this.steady,
      swells: Number(this.facts.swells),
      waves: this.count,
      trains: trains.length,
    });
    const records = new Records(this.layouts.Train, Math.max(trains.length, 1));
    trains.forEach((train, at) => records.set(at, train));
    return { layers: layers.bytes, waves: waves.bytes, trains: records.bytes, fronts: new Float32Array(fronts).buffer };
  }

  /**
   * Records of all trains of gusts, and the table of their fronts.
   * @param {number} first  s
   * @param {number} last  s
   */
  trains(first, last) {
    const { origin, train } = this.facts;
    /** @type {number[]} */
    const fronts = [0, 0];
    /** @type {Record<string, any>[]} */
    const trains = [];
    if (train && this.speed > 0) {
      const table = this.tableOf(first, last);
      const shape = { ...train, speed: this.pace, strength: train.strength * this.speed, direction: this.direction };
      trains.push(trainOf(shape, table, first, fronts.length / 2, origin));
      fronts.push(...table.fronts);
    }
    for (const gust of this.gusts) {
      const alone = {
        start: gust.at,
        lane: gust.offset / gust.width,
        spacing: 0,
        back: 0,
        lanes: 0,
        intervals: 0,
        fronts: [],
      };
      trains.push(trainOf(gust, alone, first, fronts.length / 2, origin));
    }
    return { trains, fronts };
  }

  /**
   * Fronts that may be felt between two times, s.
   * @param {number} first
   * @param {number} last
   */
  tableOf(first, last) {
    const { train } = this.facts;
    const back = Math.floor(train.duration / train.spacing) + 2;
    const away = (train.width * (Math.max(-train.lane, train.lane + train.lanes) + 1)) / this.pace;
    const begin = Math.floor((Math.floor((first - away) / train.spacing) - back) / AHEAD) * AHEAD;
    const end = (Math.floor((last + away) / train.spacing / AHEAD) + 1) * AHEAD;
    const intervals = end + 1 - begin;
    /** @type {number[]} */
    const fronts = [];
    for (let lane = 0; lane < train.lanes; lane++) {
      for (let index = begin; index <= end; index++) {
        const [chance, size] = this.front(lane, index);
        fronts.push((index - begin + chance) * train.spacing, size);
      }
    }
    return {
      start: begin * train.spacing,
      lane: train.lane,
      spacing: train.spacing,
      back,
      lanes: train.lanes,
      intervals,
      fronts,
    };
  }

  /**
   * When in its interval a front arrives, and how strong it is.
   * @param {number} lane
   * @param {number} index
   */
  front(lane, index) {
    const { before, intervals } = this.facts.train;
    const at = 2 * (lane * intervals + ((((index + before) % intervals) + intervals) % intervals));
    return [this.fronts[at], this.fronts[at + 1]];
  }

  /**
   * Wind at a point and a time, m/s.
   * @param {number[]} point
   * @param {number[]} gain  what the place makes of what is carried, and of eddies along, left and up
   * @param {number} time  s
   */
  velocity(point, gain, time) {
    const own = [0, 0, 0];
    for (let wave = 0; wave < this.count; wave++) {
      const turns = this.perMetre(wave);
      const phase = turns[0] * point[0] + turns[1] * point[1] + turns[2] * point[2] + this.turns[3 * wave] * time;
      const [x, y] = [Math.cos(2 * Math.PI * phase), Math.sin(2 * Math.PI * phase)];
      for (let axis = 0; axis < 3; axis++) {
        own[axis] += this.phasors[PHASOR * wave + axis] * x - this.phasors[PHASOR * wave + 3 + axis] * y;
      }
    }
    const steady = this.steady;
    const [east, south] = this.gustsAt(point[0], point[1], point[2], this.trains(time, time));
    const carried = [gain[0] * (steady[0] + east), 0, gain[0] * (steady[2] + south)];
    const swell = this.facts.swells ? Math.hypot(carried[0], carried[2]) : 1;
    return carried.map((value, at) => {
      const eddies = this.axes.map((axis, which) => gain[which + 1] * own[which] * axis[at]);
      return value + swell * (eddies[0] + eddies[1] + eddies[2]);
    });
  }

  /**
   * What gusts add at a point to the wind at 10 m: along x and z, m/s.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {ReturnType<Wind["trains"]>} now  trains whose first step ends at the time that is asked for
   */
  gustsAt(x, y, z, { trains, fronts }) {
    const { origin } = this.facts;
    const from = [x - origin[0], y - origin[1], z - origin[2]];
    let east = 0;
    let south = 0;
    for (const train of trains) {
      const amount = frontAt(train, from, fronts);
      east += train.blows[0] * amount;
      south += train.blows[2] * amount;
    }
    return [east, south];
  }
}

/**
 * Unit vectors along the wind, to its left and up: the twin of `wind_axes`.
 * @param {number} direction
 */
export function axesOf(direction) {
  const turn = (direction * Math.PI) / 180;
  const exact = (/** @type {number} */ value) => Math.round(value * 1e15) / 1e15;
  const x = exact(-Math.sin(turn));
  const z = exact(Math.cos(turn));
  return [
    [x, 0, z],
    [z, 0, -x],
    [0, 1, 0],
  ];
}

/**
 * `Train` in gusts.wgsl.
 * @param {any} shape
 * @param {any} table
 * @param {number} first
 * @param {number} at
 * @param {number[]} origin
 */
function trainOf(shape, table, first, at, origin) {
  const [along, left] = axesOf(shape.direction);
  const delay = along.map((value) => value / shape.speed);
  const aside = left.map((value) => value / shape.width);
  const dot = (/** @type {number[]} */ a) => a[0] * origin[0] + a[1] * origin[1] + a[2] * origin[2];
  return {
    delay,
    clock: first - table.start - dot(delay),
    aside,
    lane: dot(aside) - table.lane,
    blows: along.map((value) => value * shape.strength),
    spacing: table.spacing,
    duration: shape.duration,
    rise: shape.rise,
    fall: shape.fall,
    back: table.back,
    table: at,
    intervals: table.intervals,
    lanes: table.lanes,
  };
}

/** @param {number} x */
export function smooth(x) {
  const t = Math.min(Math.max(x, 0), 1);
  return t * t * (3 - 2 * t);
}

/**
 * The twin of `gusts_at` in gusts.wgsl, over the train's strength.
 * @param {any} train
 * @param {number[]} from
 * @param {number[]} fronts
 */
function frontAt(train, from, fronts) {
  const dot = (/** @type {number[]} */ a) => a[0] * from[0] + a[1] * from[1] + a[2] * from[2];
  const passed = train.clock - dot(train.delay);
  const place = train.lane + dot(train.aside);
  const ramp = (/** @type {number} */ age) => smooth(age / train.rise) * smooth((train.duration - age) / train.fall);
  if (train.spacing === 0) return smooth(1 - Math.abs(place)) * ramp(passed);
  const lane = Math.floor(place);
  const share = smooth(place - lane);
  const inLane = (/** @type {number} */ which) => {
    const row = Math.min(Math.max(which, 0), train.lanes - 1) * train.intervals;
    const now = Math.floor(passed / train.spacing);
    let amount = 0;
    for (let back = 0; back < train.back; back++) {
      const at = 2 * (train.table + row + Math.min(Math.max(now - back, 0), train.intervals - 1));
      amount += fronts[at + 1] * ramp(passed - fronts[at]);
    }
    return amount;
  };
  return (1 - share) * inLane(lane) + share * inLane(lane + 1);
}
