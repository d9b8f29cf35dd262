// @ts-check
// A hand on a branch: finds the branch under the pointer, and leads its node to where the pointer is.
//
// Kernels do the rest: see motion/modal/hand.wgsl. Written here are `Hand` of held.wgsl, how shapes move the node, and the
// three shapes of its residual.

import { dot, minus, plus, size, times } from "./matrices.js";
import { Records } from "./records.js";
import { Wood } from "./wood.js";

/** @typedef {import("./live.js").LiveScene} LiveScene */
/** @typedef {import("./matrices.js").Vector} Vector */
/** @typedef {{eye: Vector, forward: Vector, direction: Vector, pixel: number}} Ray  pixel: its height 1 m away, m */
/** @typedef {{room: Room, slot: number, node: number, point: Vector, depth: number, beside: number}} Hit */

const REACH = 10; // pixels of the page from the wood, at most
const EXACT = 2.5; // pixels within which the nearest to the eye wins
const SEARCHED = 8; // plants that are searched, at most
const GRIP = 9; // how much stiffer a hand is than the plant
const LAG = 0.05; // s
const FADED = 25; // of what a pull follows by, in radians, after which nothing is left of it

export class HandOnBranch {
  /** @param {LiveScene} scene */
  constructor(scene) {
    this.scene = scene;
    this.rooms = scene.header.hands.map((/** @type {any} */ facts) => new Room(scene, facts));
    /** @type {{room: Room, slot: number, node: number, target: Vector, offset: Vector, spring: number, left: number, begins: boolean} | null} */
    this.held = null;
    /** What is known of the held node. @type {ReturnType<Wood["held"]> | null} */
    this.known = null;
    for (const room of this.rooms) scene.things.numbers[room.facts.on] = 0;
  }

  /** Whether there is a hand, or what it pulled has not yet eased. */
  get works() {
    return this.held !== null;
  }

  /** Whether a hand holds something. */
  get holds() {
    return this.held !== null && this.held.spring > 0;
  }

  /**
   * Take the branch that a ray hits.
   * @param {Hit} hit
   * @param {Ray} ray
   */
  take({ room, slot, node, point }, ray) {
    this.grab(room, slot, node, point, minus(point, onPlane(ray, point)));
  }

  /**
   * The branch that a ray hits, if there is one.
   * @param {Ray} ray
   * @returns {Promise<Hit | null>}
   */
  async find(ray) {
    /** @type {{room: Room, slot: number, depth: number}[]} */
    const near = this.rooms.flatMap((/** @type {Room} */ room) => room.near(ray));
    near.sort((one, other) => one.depth - other.depth);
    const searched = near.slice(0, SEARCHED);
    const points = await this.read(searched);
    /** @type {Hit | null} */
    let best = null;
    for (const [at, { room, slot }] of searched.entries()) {
      const hit = room.hit(ray, slot, points[at]);
      if (hit && (!best || rank(hit) < rank(best))) best = hit;
    }
    return best;
  }

  /**
   * Points of some plants as they were posed last.
   * @param {{room: Room, slot: number}[]} plants
   */
  async read(plants) {
    if (!plants.length) return [];
    const { device, things } = this.scene;
    const sizes = plants.map(({ room }) => 16 * room.facts.nodes);
    const size = sizes.reduce((sum, one) => sum + one, 0);
    const buffer = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const encoder = device.createCommandEncoder();
    let offset = 0;
    const offsets = plants.map(({ room, slot }, at) => {
      encoder.copyBufferToBuffer(things.made[room.facts.buffers.points], slot * sizes[at], buffer, offset, sizes[at]);
      offset += sizes[at];
      return offset - sizes[at];
    });
    device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    const copy = buffer.getMappedRange().slice(0);
    buffer.destroy();
    return offsets.map((from, at) => new Float32Array(copy, from, sizes[at] / 4));
  }

  /**
   * Hold a node of a plant.
   * @param {Room} room
   * @param {number} slot
   * @param {number} node
   * @param {Vector} target  m in the world
   * @param {Vector} offset  from the pointer to it, m
   */
  grab(room, slot, node, target, offset = [0, 0, 0]) {
    this.drop();
    const known = room.wood.held(node);
    const place = room.place(slot);
    const spring = GRIP * place.stiffness * known.stiffness;
    this.known = known;
    const left = (FADED * place.scale) / (room.facts.follows * Math.sqrt(place.stiffness));
    this.held = { room, slot, node, target, offset, spring, left, begins: true };
    room.write(known);
    this.scene.things.numbers[room.facts.on] = 1;
  }

  /** The pointer has gone elsewhere. @param {Ray} ray */
  move(ray) {
    if (this.held) this.held.target = plus(onPlane(ray, this.held.target), this.held.offset);
  }

  /** Let go; what was pulled eases. */
  release() {
    if (this.held) this.held.spring = 0;
  }

  /** Forget what was held. */
  drop() {
    if (this.held) this.scene.things.numbers[this.held.room.facts.on] = 0;
    this.held = null;
  }

  /** Before a step. */
  prepare() {
    const { held, known } = this;
    if (!held || !known) return;
    const { dt } = this.scene.header.motion;
    const { facts, wood } = held.room;
    const record = new Records(this.scene.header.layouts.Hand);
    record.set(0, {
      target_point: held.room.inPlant(held.slot, held.target),
      spring: held.spring,
      root: wood.position[wood.parent[known.path[0]]],
      late: 0.5 + Math.max(LAG / dt, 0.5),
      residual: known.residual.flatMap((column) => [...column, 0]),
      instance: facts.instances[held.slot],
      modes: facts.modes,
      amounts: facts.amounts,
      shapes: 4 * Math.ceil(facts.shapes / 4),
      places: wood.places,
      path: known.path.length,
      begins: Number(held.begins),
    });
    this.scene.device.queue.writeBuffer(this.scene.things.made[facts.buffers.settings], 0, record.bytes);
  }

  /** After a step. */
  stepped() {
    const { held } = this;
    if (!held) return;
    held.begins = false;
    if (held.spring === 0) held.left -= this.scene.header.motion.dt;
    if (held.left < 0) this.drop();
  }
}

/** The plants of a stand that are shown at a level. */
export class Room {
  /**
   * @param {LiveScene} scene
   * @param {any} facts  see hands.py
   */
  constructor(scene, facts) {
    this.scene = scene;
    this.facts = facts;
    this.places = new Float32Array(scene.things.pack.blob(facts.places).buffer);
    /** @type {Wood | undefined} */
    this.made = undefined;
    this.gauged = false;
    /** Middle and radius of the plant at rest, m. @type {[Vector, number] | undefined} */
    this.ball = undefined;
  }

  /** Made when somebody first asks. */
  get wood() {
    this.made ??= new Wood(this.scene.things.pack, this.facts);
    return this.made;
  }

  /** @param {number} slot */
  place(slot) {
    const [x, y, z, cosine, sine, scale, stiffness] = this.places.subarray(7 * slot, 7 * slot + 7);
    return { position: [x, y, z], cosine, sine, scale, stiffness };
  }

  /**
   * A point of a plant's own frame, m, in the world: as in places.wgsl.
   * @param {number} slot
   * @param {ArrayLike<number>} point
   * @returns {Vector}
   */
  inWorld(slot, point) {
    const { position, cosine, sine, scale } = this.place(slot);
    const turned = [cosine * point[0] + sine * point[2], point[1], cosine * point[2] - sine * point[0]];
    return plus(position, times(turned, scale));
  }

  /**
   * A point of the world in a plant's own frame, m.
   * @param {number} slot
   * @param {Vector} point
   * @returns {Vector}
   */
  inPlant(slot, point) {
    const { position, cosine, sine, scale } = this.place(slot);
    const [x, y, z] = times(minus(point, position), 1 / scale);
    return [cosine * x - sine * z, y, sine * x + cosine * z];
  }

  /**
   * Plants that a ray may hit.
   * @param {Ray} ray
   */
  near({ eye, direction }) {
    const [middle, radius] = (this.ball ??= ballAround(this.wood.position));
    const found = [];
    for (let slot = 0; slot < this.facts.instances.length; slot++) {
      const away = minus(this.inWorld(slot, middle), eye);
      const along = dot(away, direction);
      const reach = radius * this.place(slot).scale;
      const beside = Math.sqrt(Math.max(dot(away, away) - along * along, 0));
      if (beside < reach && along + reach > 0) found.push({ room: this, slot, depth: Math.max(along - reach, 0) });
    }
    return found;
  }

  /**
   * The wood of a plant that a ray hits, or just misses.
   * @param {Ray} ray
   * @param {number} slot
   * @param {Float32Array} posed
   * @returns {Hit | null}
   */
  hit({ eye, direction, pixel }, slot, posed) {
    const { parent, radii } = this.wood;
    const points = Array.from(parent, (_, node) => minus(this.inWorld(slot, posed.subarray(4 * node)), eye));
    const { scale } = this.place(slot);
    /** @type {Hit | null} */
    let best = null;
    for (let node = 0; node < parent.length; node++) {
      const base = parent[node];
      if (base < 0) continue;
      const start = points[base];
      const chord = minus(points[node], start);
      const across = minus(chord, times(direction, dot(chord, direction)));
      const aside = minus(start, times(direction, dot(start, direction)));
      const along = Math.min(Math.max(-dot(aside, across) / Math.max(dot(across, across), 1e-18), 0), 1);
      const nearest = plus(start, times(chord, along));
      const depth = dot(nearest, direction);
      const apart = size(minus(nearest, times(direction, depth)));
      const beside = Math.max(apart - radii[2 * node] * scale, 0) / Math.max(pixel * depth, 1e-9);
      if (beside >= REACH || depth < 0.05) continue;
      const taken = along < 0.5 && parent[base] >= 0 ? base : node;
      const hit = { room: this, slot, node: taken, point: plus(points[taken], eye), depth, beside };
      if (!best || rank(hit) < rank(best)) best = hit;
    }
    return best;
  }

  /**
   * Write what kernels need to know of a held node.
   * @param {ReturnType<Wood["held"]>} known
   */
  write({ path, reach, turns }) {
    const { scene, facts, wood } = this;
    const { queue } = scene.device;
    const lead = new Float32Array(4 * (facts.amounts + path.length));
    reach.forEach((moved, shape) => lead.set(moved, 4 * facts.rows[shape]));
    path.forEach((node, at) => lead.set([...wood.chord[node], wood.place[node]], 4 * (facts.amounts + at)));
    queue.writeBuffer(scene.things.made[facts.buffers.lead], 0, lead);
    const rows = new Float32Array(3 * 4 * wood.places);
    for (let node = 0; node < facts.nodes; node++) {
      for (let axis = 0; axis < 3; axis++) {
        const at = 4 * (axis * wood.places + wood.place[node]);
        for (let force = 0; force < 3; force++) rows[at + force] = turns[force][node][axis];
      }
    }
    const fours = Math.ceil(facts.shapes / 4);
    queue.writeBuffer(scene.things.made[facts.buffers.held], 16 * 3 * wood.places * fours, rows);
    turns.forEach((some, force) =>
      this.writeGauge(
        facts.amounts + force,
        wood.strain((node) => some[node]),
      ),
    );
  }

  /** Write how each shape of the level strains the wood, once. */
  writeGauges() {
    const { facts, wood } = this;
    if (this.gauged) return;
    this.gauged = true;
    facts.rows.forEach((/** @type {number} */ row, /** @type {number} */ shape) =>
      this.writeGauge(
        row,
        wood.strain((node) => wood.turn(shape, node)),
      ),
    );
  }

  /**
   * @param {number} row
   * @param {Float32Array<ArrayBuffer>} bent
   */
  writeGauge(row, bent) {
    const { bent: number } = this.facts.buffers;
    if (number === undefined) return;
    this.scene.device.queue.writeBuffer(this.scene.things.made[number], row * bent.byteLength, bent);
  }
}

/** Exact hits come first, the nearest of them; then near misses. @param {Hit} hit */
function rank({ beside, depth }) {
  return beside < EXACT ? depth : 1e6 + beside;
}

/** Where a ray meets the plane through a point that faces the camera. @param {Ray} ray @param {Vector} through @returns {Vector} */
function onPlane({ eye, forward, direction }, through) {
  const depth = Math.max(dot(minus(through, eye), forward), 1e-3);
  return plus(eye, times(direction, depth / Math.max(dot(direction, forward), 1e-3)));
}

/** @param {Vector[]} points @returns {[Vector, number]} */
function ballAround(points) {
  const low = [0, 1, 2].map((axis) => points.reduce((least, one) => Math.min(least, one[axis]), Infinity));
  const high = [0, 1, 2].map((axis) => points.reduce((most, one) => Math.max(most, one[axis]), -Infinity));
  const middle = times(plus(low, high), 0.5);
  const farthest = points.reduce((most, one) => Math.max(most, size(minus(one, middle))), 0);
  return [middle, 1.2 * farthest];
}
