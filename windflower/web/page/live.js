// @ts-check
// A scene that plays: its time, its wind and its light, written to the device frame by frame.

import { Breeze } from "./breeze.js";
import { Camera } from "./camera.js";
import { Daylight } from "./daylight.js";
import { HandOnBranch } from "./hand.js";
import { inverse, product, shadowProjection, transposed } from "./matrices.js";
import { Records } from "./records.js";
import { Stages } from "./stages.js";
import { Sward, planesOf } from "./sward.js";
import { Things } from "./things.js";
import { Wind } from "./wind.js";

/** @typedef {import("./pack.js").Pack} Pack */

const MIRROR = [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export class LiveScene {
  /**
   * @param {GPUDevice} device
   * @param {Pack} pack
   * @param {(name: string) => string} shader
   */
  constructor(device, pack, shader) {
    this.device = device;
    this.header = pack.header;
    this.things = new Things(device, pack, shader);
    this.stages = new Stages(this.things);
    this.wind = new Wind(pack);
    this.breeze = new Breeze(this.wind);
    this.daylight = new Daylight(pack);
    this.sward = new Sward(pack);
    this.camera = new Camera(pack);
    this.hand = new HandOnBranch(this);
    this.strained = false;
    this.steps = 0;
    /** How far the air that carries eddies over the grass has come, m. */
    this.path = [0, 0];
  }

  /**
   * Make everything on the device, for a picture of this size in pixels.
   * @param {number} width
   * @param {number} height
   */
  async start(width, height) {
    await this.stages.open(width, height);
  }

  /** s */
  get time() {
    return this.steps * this.header.motion.dt;
  }

  /** The picture of the latest frame. @returns {GPUTexture} */
  get picture() {
    return this.things.made[this.header.picture];
  }

  /**
   * Go on by some steps.
   * @param {number} count
   */
  step(count) {
    const { dt, most } = this.header.motion;
    for (let left = count; left > 0;) {
      const steps = Math.min(left, this.hand.works ? 1 : most);
      left -= steps;
      this.hand.prepare();
      const records = this.wind.records(this.time + dt, dt, steps);
      for (const [name, bytes] of Object.entries(records)) {
        (this.header.labels[name] ?? []).forEach((/** @type {number} */ _, /** @type {number} */ at) =>
          this.write(name, bytes, at),
        );
      }
      this.patch("field", "Field", { steps });
      this.patch("stand", "Stand", { steps, first: this.steps });
      this.patch("stand of springs", "Springs", {
        steps,
        first: this.steps,
        begin: clockOf(this.time, this.header.frame.rhythm),
        periods: Math.floor(this.time / this.header.frame.rhythm),
      });
      this.turnLoops(this.time + steps * dt);
      this.patch("follow", "Follow", { clock: clockOf(this.time + steps * dt, this.header.frame.rhythm) });
      this.things.submit(this.header.sections.step);
      this.steps += steps;
      this.hand.stepped();
      this.drift(steps * dt);
    }
  }

  /**
   * Tell loops how much of them is over at a time, s.
   * @param {number} time
   */
  turnLoops(time) {
    const { loops } = this.header.motion;
    for (const [number, layout, period] of loops) {
      if (layout === "Loop") this.patchOne(number, layout, { turn: modulo(time / period, 1) });
      else this.patchOne(number, layout, { clock: clockOf(time, period) });
    }
  }

  /** Whether plants feel the wind that blows, and not only that for which their loops were made. */
  get feelsWind() {
    return !this.header.motion.only_loops;
  }

  /**
   * Draw the frame of this moment, in a picture of this size in pixels.
   * @param {number} width
   * @param {number} height
   */
  draw(width, height) {
    this.things.resize(width, height);
    const aspect = width / height;
    const projection = this.camera.projection(aspect);
    const { tiles, numbers } = this.sward.look(this.camera.eye, projection);
    Object.assign(this.things.numbers, numbers);
    tiles.forEach((records, at) => this.write("tiles", records.bytes, at));
    this.blowGrass();
    this.writeFrame(projection, width, height);
    this.judgeCards(projection);
    this.patch("twigs of a level", "Level", { clock: clockOf(this.time, this.header.frame.rhythm) });
    this.things.submit(this.header.sections[this.strained ? "strain" : "frame"]);
  }

  /** Whether the wood can be shown in the colours of its strain. */
  get knowsStrain() {
    return "strain" in this.header.sections;
  }

  /**
   * Show the wood in the colours of its strain, or as it is.
   * @param {boolean} strained
   */
  async paintStrain(strained) {
    if (strained === this.strained || !this.knowsStrain) return;
    this.strained = strained;
    if (strained) this.hand.rooms.forEach((/** @type {import("./hand.js").Room} */ room) => room.writeGauges());
    await this.things.start(this.header.sections[strained ? "to strain" : "to natural"]);
  }

  blowGrass() {
    if (!this.wind.facts.grass) return;
    this.breeze.look(this.camera.eye, this.time);
    const side = this.breeze.place[3];
    this.writeTexture("wind map", this.breeze.texels, side, side, 4);
    this.writeTexture("wind map before", this.breeze.before, side, side, 4);
  }

  /**
   * `Frame` of frame.wgsl, for the camera and its mirror image below the water.
   * @param {number[]} projection
   * @param {number} width
   * @param {number} height
   */
  writeFrame(projection, width, height) {
    const facts = this.header.frame;
    const light = this.daylight.light;
    const { matrix, texel } = shadowProjection(light.sun, facts.bounds, facts.texels);
    const fieldOfView = this.camera.fieldOfViewFor(width / height);
    const pixel = (2 * Math.tan((fieldOfView * Math.PI) / 360)) / height;
    const period = facts.period || facts.rhythm;
    const frame = new Records(this.header.layouts.Frame);
    frame.set(0, {
      light_proj: transposed(matrix),
      sun: [...light.sun, facts.sun_radius],
      sun_colour: [...light.colour, light.dark],
      aloft: [...light.aloft, facts.day],
      star: [...light.star, this.stages.whole ? this.daylight.facts.clouds : 0], // clouds come later
      ambient: Array.from({ length: 36 }, (_, at) => (at % 4 === 3 ? 0 : light.ambient[3 * (at >> 2) + (at % 4)])),
      clock: [
        modulo(this.time, period),
        facts.period ? 0 : Math.floor(this.time / facts.rhythm) % 2 ** 24,
        facts.period,
        facts.terrain,
      ],
      viewport: [width, height, pixel, light.haze],
      shadow: [facts.texels, texel, light.shadow, facts.planar],
      wind: [...this.overWater(), facts.underwater],
      path: this.paths(facts.period).map((metres) => modulo(metres, facts.repeats)),
      clouds: [
        ...facts.gap.map((/** @type {number} */ gap, /** @type {number} */ at) =>
          modulo(gap + facts.aloft * this.path[at], facts.tile),
        ),
        facts.cloud_shadow,
        facts.hills,
      ],
      breeze: this.wind.facts.grass ? this.breeze.place : [0, 0, 0, 1],
    });
    const eye = this.camera.eye;
    this.writeCamera("mirrored frame", frame, product(projection, MIRROR), [eye[0], -eye[1], eye[2]]);
    this.writeCamera("frame", frame, projection, eye);
    this.write("tone", new Float32Array([light.exposure]).buffer);
    const [around, upward] = this.daylight.facts.size;
    this.writeTexture("dome", light.dome, around, upward, 8);
  }

  /**
   * @param {string} name
   * @param {Records} frame
   * @param {number[]} projection
   * @param {number[]} eye
   */
  writeCamera(name, frame, projection, eye) {
    frame.set(0, {
      view_proj: transposed(projection),
      inverse_view_proj: transposed(inverse(projection)),
      eye: [...eye, this.time],
    });
    this.write(name, frame.bytes);
  }

  /**
   * Tell which far plants may be in view, or cast shadows into it: the twin of `CardCulling.record`.
   * @param {number[]} projection
   */
  judgeCards(projection) {
    const { tallest } = this.header.frame;
    const reach = Math.min(tallest / Math.max(this.daylight.light.sun[1], 0.15), 4 * tallest);
    this.patch("judge", "Judge", {
      planes: planesOf(projection).slice(0, 4).flat(),
      camera: [...this.camera.eye, reach],
    });
  }

  /** Wind over the pond at the camera, m/s. */
  overWater() {
    const { pond } = this.wind.facts;
    const [x, , z] = this.camera.eye;
    return pond ? this.wind.velocity([x, 1, z], pond.gain, this.time) : [0, 0, 0];
  }

  /**
   * How far the air has come along x and z, m, and how far a period before, s; 0 where nothing repeats.
   * @param {number} period
   */
  paths(period) {
    if (!period) return [...this.path, ...this.path];
    const over = modulo(this.time, period);
    const { speed, axes, facts } = this.wind;
    const [x, z] = [0, 2].map((axis) => facts.carried * speed * axes[0][axis]);
    return [x * over, z * over, x * (over - period), z * (over - period)];
  }

  /** The air goes on for some seconds. @param {number} seconds */
  drift(seconds) {
    const { speed, axes, facts } = this.wind;
    this.path = [0, 2].map((axis, at) => this.path[at] + facts.carried * speed * axes[0][axis] * seconds);
  }

  /**
   * Write an input, the first or another of its name.
   * @param {string} label
   * @param {ArrayBuffer} bytes
   * @param {number} at
   */
  write(label, bytes, at = 0) {
    const number = this.header.labels[label]?.[at];
    if (number !== undefined) this.device.queue.writeBuffer(this.grown(number, bytes.byteLength), 0, bytes);
  }

  /**
   * The buffer of an input, which must have so many bytes.
   * @param {number} number
   * @param {number} size
   */
  grown(number, size) {
    /** @type {GPUBuffer} */
    const buffer = this.things.made[number];
    if (buffer.size >= size) return buffer;
    return this.things.replaceBuffer(number, 2 * size);
  }

  /**
   * Set fields of all inputs of a name.
   * @param {string} label
   * @param {string} layout
   * @param {Record<string, number | number[]>} fields
   */
  patch(label, layout, fields) {
    for (const number of this.header.labels[label] ?? []) this.patchOne(number, layout, fields);
  }

  /**
   * Set fields of a buffer.
   * @param {number} number
   * @param {string} layout
   * @param {Record<string, number | number[]>} fields
   */
  patchOne(number, layout, fields) {
    for (const [name, value] of Object.entries(fields)) {
      const [offset, kind] = this.header.layouts[layout].fields[name];
      const values = typeof value === "number" ? [value] : value;
      const written = kind === "f" ? new Float32Array(values) : new Uint32Array(values);
      this.device.queue.writeBuffer(this.things.made[number], 4 * offset, written);
    }
  }

  /**
   * @param {string} label
   * @param {Uint16Array<ArrayBuffer>} texels
   * @param {number} width
   * @param {number} height
   * @param {number} bytes  of a texel
   */
  writeTexture(label, texels, width, height, bytes) {
    const [number] = this.header.labels[label] ?? [];
    if (number === undefined) return;
    const layout = { bytesPerRow: bytes * width, rowsPerImage: height };
    this.device.queue.writeTexture({ texture: this.things.made[number] }, texels, layout, [width, height, 1]);
  }
}

/** @param {number} value @param {number} period */
function modulo(value, period) {
  return value - period * Math.floor(value / period);
}

/** The time as a share of the period of all rhythms, in 2⁻³²: the twin of `clock_of`. @param {number} time @param {number} period */
function clockOf(time, period) {
  return Math.floor(modulo(time / period, 1) * 2 ** 32) % 2 ** 32;
}
