// @ts-check
// Makes what lasts of a pack in stages: what a first picture needs, then what plants move by, and then the rest.

import { stagesOf } from "./late.js";

/** @typedef {import("./pack.js").Call} Call */
/** @typedef {import("./things.js").Things} Things */

/** What bytes are written to. */
const FILLED = new Set(["createBuffer", "createBufferWithData", "createTexture"]);

export class Stages {
  /** @param {Things} things */
  constructor(things) {
    this.things = things;
    this.header = things.pack.header;
    /** Numbers of what is late, in the order in which it is made. */
    this.late = stagesOf(this.header);
    things.late = new Set(this.late.flatMap((stage) => [...stage]));
  }

  /** Whether plants can move. */
  get canMove() {
    return this.late.length < 2;
  }

  /** Whether all is made. */
  get whole() {
    return this.late.length === 0;
  }

  /**
   * Make all that a first picture needs, of this size in pixels.
   * @param {number} width
   * @param {number} height
   */
  async open(width, height) {
    const { things, header } = this;
    Object.assign(things.numbers, { width, height });
    /** @type {[number, Call][]} */
    const calls = [...header.things.entries()];
    const soon = calls.filter(([number]) => !things.late.has(number));
    const waiting = things.askForPipelines(soon.map(([number, call]) => [number, this.plainly(number, call)]));
    const once = header.sections.start.filter((/** @type {Call} */ call) => !this.isLatePicture(call));
    const works = once.findIndex(isWork);
    const writes = works < 0 ? once.length : works;
    things.decode(once);
    await things.makeSome(soon.filter(isFilled), waiting);
    const filled = things.start(once.slice(0, writes)); // while pipelines are made
    filled.catch(() => {}); // whoever waits for it hears of it
    const others = soon.filter((one) => !isFilled(one));
    await things.makeSome(others, waiting);
    await filled;
    await things.start(once.slice(writes));
    await things.closePictures();
  }

  /** Make the next stage of what is late; with the last one come the full shaders and pictures. */
  async next() {
    const [stage, ...others] = this.late;
    await this.things.makeAll([...stage]);
    if (!others.length) await this.refine();
    for (const number of stage) this.things.late.delete(number);
    this.late = others;
  }

  async refine() {
    const { things, header } = this;
    const numbers = Object.keys(header.first.plain).map(Number);
    const plain = numbers.filter((number) => !things.late.has(number));
    const pictures = header.sections.start.filter((/** @type {Call} */ call) => this.isLatePicture(call));
    things.decode(pictures);
    const full = things.askForPipelines(plain.map((number) => [number, header.things[number]]));
    const made = await Promise.all(full.values());
    await things.start(pictures);
    await things.closePictures();
    plain.forEach((number, at) => (things.made[number] = made[at]));
    things.remake(new Set(plain), false);
  }

  /**
   * The call of something that lasts as the first picture has it.
   * @param {number} number
   * @param {Call} call
   * @returns {Call}
   */
  plainly(number, call) {
    const entries = Object.entries(this.header.first.plain[number] ?? {});
    const stages = entries.map(([stage, entryPoint]) => [stage, { ...call[1][stage], entryPoint }]);
    return entries.length ? [call[0], { ...call[1], ...Object.fromEntries(stages) }] : call;
  }

  /** Whether a call writes a picture that the first picture does without. @param {Call} call */
  isLatePicture([name, into, data]) {
    if (name !== "writeTexture" || this.things.pack.coding(data.bytes) !== "webp") return false;
    return this.header.first.pictures.includes(into.texture.$);
  }
}

/** Whether something that lasts is a buffer or a texture. @param {[number, Call]} made */
function isFilled([, [name]]) {
  return FILLED.has(name);
}

/** Whether a call submits work of pipelines, and not only copies. @param {Call} call */
function isWork([name, ...all]) {
  return name === "submit" && all.flat().some(([kind]) => kind === "compute" || kind === "render");
}
