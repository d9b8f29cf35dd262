// @ts-check
// The wood of a plant as a hand feels it: how a force on a node bends the path from its root, and what of that the modes
// leave out. The twin of `Modes.compliance`, without the plant's weight.

import { whole } from "./half.js";
import { cross, dot, minus, plus, size, times } from "./matrices.js";

/** @typedef {import("./pack.js").Pack} Pack */
/** @typedef {import("./matrices.js").Vector} Vector */

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const ROOT = -1;

export class Wood {
  /**
   * @param {Pack} pack
   * @param {any} facts  of a room for a hand: see hands.py
   */
  constructor(pack, facts) {
    this.facts = facts;
    /** @param {string} name */
    const given = (name) => pack.blob(pack.header.things[facts.buffers[name]][1].data.bytes).buffer;
    this.parent = new Int32Array(pack.blob(facts.parent).buffer);
    this.radii = Array.from(new Uint16Array(pack.blob(facts.radii).buffer), whole);
    /** Strain for each radian by which a segment turns against the one on which it grows. */
    this.gauges = Array.from(new Uint16Array(pack.blob(facts.gauges).buffer), whole);
    /** Turns of all places by each shape of the level, in fours. */
    this.turns = new Float32Array(given("shapes"));
    const rest = new Float32Array(given("rest"));
    const paths = new Uint32Array(given("paths"));
    this.places = rest.length / 4;
    /** The place of each node among the chunks. */
    this.place = new Uint32Array(facts.nodes);
    /** Segments that end at each node, m; a root's is its position. @type {Vector[]} */
    this.chord = [];
    for (let place = 0; place < this.places; place++) {
      const node = paths[4 * place];
      if (node >= facts.nodes) continue;
      this.place[node] = place;
      this.chord[node] = [...rest.subarray(4 * place, 4 * place + 3)];
    }
    /** Where nodes are at rest, m. @type {Vector[]} */
    this.position = [];
    for (let node = 0; node < facts.nodes; node++) {
      const base = this.parent[node];
      this.position[node] = base === ROOT ? this.chord[node] : plus(this.position[base], this.chord[node]);
    }
    const roots = [...this.parent.keys()].filter((node) => this.parent[node] === ROOT);
    /** Rotational stiffness of the ground under each root, N m/rad. */
    this.ground = new Map(roots.map((node, at) => [node, facts.roots[at]]));
  }

  /**
   * Segments from the root to a node, the root itself left out.
   * @param {number} node
   */
  path(node) {
    const found = [];
    for (let at = node; this.parent[at] !== ROOT; at = this.parent[at]) found.push(at);
    return found.reverse();
  }

  /**
   * How a shape of the level turns the segment that ends at a node, rad.
   * @param {number} shape
   * @param {number} node
   * @returns {Vector}
   */
  turn(shape, node) {
    const at = 4 * ((shape >> 2) * 3 * this.places + this.place[node]) + (shape & 3);
    return [this.turns[at], this.turns[at + 4 * this.places], this.turns[at + 8 * this.places]];
  }

  /**
   * How turns of segments strain the wood at their bases: of each node three components, and 0.
   * @param {(node: number) => Vector} turn
   */
  strain(turn) {
    const bent = new Float32Array(4 * this.facts.nodes);
    for (let node = 0; node < this.facts.nodes; node++) {
      const base = this.parent[node];
      if (base === ROOT) continue;
      const bow = this.parent[base] === ROOT ? turn(node) : minus(turn(node), turn(base));
      const along = times(this.chord[node], 1 / size(this.chord[node]));
      bent.set(times(minus(bow, times(along, dot(bow, along))), this.gauges[node]), 4 * node);
    }
    return bent;
  }

  /**
   * What a hand on a node needs to know.
   * @param {number} node
   */
  held(node) {
    const path = this.path(node);
    const { rows, modes, omega } = this.facts;
    /** How each shape of the level moves the node, m. @type {Vector[]} */
    const reach = rows.map((/** @type {number} */ _, /** @type {number} */ shape) =>
      path.reduce((sum, one) => plus(sum, cross(this.turn(shape, one), this.chord[one])), [0, 0, 0]),
    );
    const turns = AXES.map((force) => this.bent(path, node, force));
    const compliance = this.moved(path, turns);
    rows.forEach((/** @type {number} */ row, /** @type {number} */ shape) => {
      if (row >= modes) return;
      for (let one = 0; one < this.facts.nodes; one++) {
        const own = this.turn(shape, one);
        turns.forEach((some, axis) => {
          some[one] = minus(some[one], times(own, reach[shape][axis] / omega[row] ** 2));
        });
      }
    });
    const trace = compliance[0][0] + compliance[1][1] + compliance[2][2];
    return { path, reach, turns, residual: this.moved(path, turns), stiffness: 3 / trace };
  }

  /**
   * How far turns by three forces move the end of a path, m.
   * @param {number[]} path
   * @param {Vector[][]} turns
   * @returns {Vector[]}
   */
  moved(path, turns) {
    return turns.map((some) =>
      path.reduce((sum, one) => plus(sum, cross(some[one], this.chord[one])), /** @type {Vector} */ ([0, 0, 0])),
    );
  }

  /**
   * How a force on the last node of a path turns all segments, rad: those beside the path go with it.
   * @param {number[]} path
   * @param {number} node
   * @param {Vector} force  N
   */
  bent(path, node, force) {
    const root = this.parent[path[0]];
    const end = this.position[node];
    const first = times(cross(minus(end, this.position[root]), force), 1 / (this.ground.get(root) ?? Infinity));
    /** @type {Vector[]} */
    const turns = [];
    /** Turns of nodes. */
    const at = new Map([[root, first]]);
    let turn = first;
    for (const one of path) {
      const { chord, end: more } = this.bend(one, force, cross(minus(end, this.position[one]), force));
      turns[one] = plus(turn, chord);
      turn = plus(turn, more);
      at.set(one, turn);
    }
    for (let one = 0; one < this.facts.nodes; one++) {
      if (turns[one]) continue;
      const base = this.parent[one];
      turns[one] = base === ROOT ? [0, 0, 0] : (at.get(base) ?? [0, 0, 0]);
      if (!at.has(one)) at.set(one, turns[one]);
    }
    return turns;
  }

  /**
   * How a force, and a moment, at the tip of a segment turn its chord, and its tip, against its base: see beams.py.
   * @param {number} node
   * @param {Vector} force
   * @param {Vector} moment
   */
  bend(node, force, moment) {
    const length = size(this.chord[node]);
    const along = times(this.chord[node], 1 / length);
    const [a, b] = this.radii.slice(2 * node, 2 * node + 2);
    const k = this.facts.bending;
    const [k11, k12, k22] = [
      (k * 4 * a * b * (a * a + a * b + b * b)) / length ** 3,
      (-k * 2 * a * b * b * (2 * b + a)) / length ** 2,
      (k * 4 * a * b ** 3) / length,
    ];
    const determinant = k11 * k22 - k12 * k12;
    const twist = (length * (a * a + a * b + b * b)) / (this.facts.torsion * (a * b) ** 3);
    const about = times(along, dot(along, moment));
    const across = minus(moment, about);
    const shear = cross(along, force);
    const bow = plus(times(across, -k12 / determinant), times(shear, k22 / determinant)); // deflection × along
    const tip = plus(times(across, k11 / determinant), times(shear, -k12 / determinant));
    const deflection = cross(bow, along);
    return {
      chord: plus(times(cross(along, deflection), 1 / length), times(about, twist / 2)),
      end: plus(tip, times(about, twist)),
    };
  }
}
