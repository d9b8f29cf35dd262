// @ts-check
// Makes what lasts of a pack on a device: modules, pipelines, buffers, textures, bind groups and render bundles.

import { PageError } from "./pack.js";

/** @typedef {import("./pack.js").Pack} Pack */
/** @typedef {import("./pack.js").Call} Call */

const MADE_OF_OTHERS = new Set(["createView", "getBindGroupLayout"]);
const MADE = new Set([
  "createBindGroupLayout",
  "createPipelineLayout",
  "createSampler",
  "createBuffer",
  "createTexture",
  "createBindGroup",
]);
const PIPELINES = {
  createComputePipeline: "createComputePipelineAsync",
  createRenderPipeline: "createRenderPipelineAsync",
};
const FOR_PIPELINES = new Set(["createShaderModule", "createBindGroupLayout", "createPipelineLayout"]);
/** Calls that a pack may make on passes and bundles. */
const CALLS = new Set([
  "setPipeline",
  "setBindGroup",
  "setIndexBuffer",
  "draw",
  "drawIndexed",
  "drawIndirect",
  "drawIndexedIndirect",
  "executeBundles",
  "dispatchWorkgroups",
  "dispatchWorkgroupsIndirect",
  "setViewport",
  "setScissorRect",
  "end",
]);
/** Those that need no pipeline. */
const AT_ONCE = new Set(["executeBundles", "setViewport", "setScissorRect", "setIndexBuffer", "end"]);
const COPIES = new Set(["copyBufferToBuffer", "copyTextureToTexture", "copyTextureToBuffer", "clearBuffer"]);

export class Things {
  /**
   * @param {GPUDevice} device
   * @param {Pack} pack
   * @param {(name: string) => string} shader  text of a shader by its name
   */
  constructor(device, pack, shader) {
    this.device = device;
    this.pack = pack;
    this.shader = shader;
    /** @type {any[]} */
    this.made = [];
    /** Numbers of what is not made yet, and not needed for a first picture. @type {Set<number>} */
    this.late = new Set();
    /** Pictures by their blob's number, as they are decoded. @type {Map<number, Promise<ImageBitmap>>} */
    this.pictures = new Map();
    /** Numbers that calls name, by their names. @type {Record<string, number>} */
    this.numbers = {};
  }

  /**
   * Make some things.
   * @param {number[]} numbers
   */
  async makeAll(numbers) {
    /** @type {[number, Call][]} */
    const calls = numbers.map((number) => [number, this.pack.header.things[number]]);
    await this.makeSome(calls, this.askForPipelines(calls));
  }

  /**
   * Pipelines take longest: a browser makes several at a time, while this goes on with pictures and buffers.
   * @param {[number, Call][]} calls
   */
  askForPipelines(calls) {
    /** @type {Map<number, Promise<any>>} */
    const waiting = new Map();
    /** Pipelines by their calls: two that are alike at first are made once. @type {Map<string, Promise<any>>} */
    const equal = new Map();
    for (const [number, call] of calls) if (FOR_PIPELINES.has(call[0])) this.made[number] = this.makeOne(call);
    for (const [number, call] of calls.filter(([, [name]]) => name in PIPELINES)) {
      const key = JSON.stringify(call);
      const pipeline = equal.get(key) ?? this.pipeline(call);
      equal.set(key, pipeline);
      waiting.set(number, pipeline);
    }
    for (const one of waiting.values()) one.catch(() => {}); // whoever waits for it hears of it
    return waiting;
  }

  /**
   * @param {[number, Call][]} calls
   * @param {Map<number, Promise<any>>} waiting  pipelines by their numbers
   */
  async makeSome(calls, waiting) {
    for (const [number, call] of calls) {
      if (call[0] in PIPELINES || FOR_PIPELINES.has(call[0])) continue;
      if (call[0] === "getBindGroupLayout") await this.settle(waiting, call[1].$);
      this.made[number] = this.makeOne(call);
    }
    for (const [number] of calls) await this.settle(waiting, number);
    for (const [number, call] of calls) {
      if (call[0] === "createRenderBundle") this.made[number] = this.bundle(call);
    }
  }

  /**
   * @param {Map<number, Promise<any>>} waiting
   * @param {number} number
   */
  async settle(waiting, number) {
    if (waiting.has(number)) this.made[number] = await waiting.get(number);
  }

  /** @param {Call} call */
  pipeline(call) {
    const method = PIPELINES[/** @type {keyof typeof PIPELINES} */ (call[0])];
    return /** @type {any} */ (this.device)[method](this.heard(call[1]));
  }

  /**
   * Make what goes with the size of the picture anew, and what is made of that.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    if (width === this.numbers.width && height === this.numbers.height) return;
    Object.assign(this.numbers, { width, height });
    this.remake(new Set());
  }

  /**
   * Give a buffer another size, and make anew what is made of it.
   * @param {number} number
   * @param {number} size
   * @returns {GPUBuffer}
   */
  replaceBuffer(number, size) {
    const before = this.made[number];
    this.made[number] = this.device.createBuffer({ size, usage: before.usage, label: before.label });
    before.destroy();
    this.remake(new Set([number]), false);
    return this.made[number];
  }

  /**
   * Make anew what names these things, or the size of the picture.
   * @param {Set<number>} stale
   * @param {boolean} sized
   */
  remake(stale, sized = true) {
    for (const [number, call] of this.pack.header.things.entries()) {
      if (stale.has(number) || this.made[number] === undefined || !goesWith(call, stale, sized)) continue;
      stale.add(number);
      if (call[0] === "createTexture") this.made[number].destroy();
      this.made[number] = call[0] === "createRenderBundle" ? this.bundle(call) : this.makeOne(call);
    }
  }

  /** @param {Call} call */
  makeOne(call) {
    const [name, ...rest] = call;
    if (name === "createRenderBundle") return null; // once all pipelines are there
    const args = rest.map((one) => this.heard(one));
    const device = /** @type {any} */ (this.device);
    if (name === "createShaderModule")
      return device.createShaderModule({ label: args[0].shader, code: this.shader(args[0].shader) });
    if (name === "createBufferWithData") return this.filled(args[0]);
    if (MADE_OF_OTHERS.has(name)) return args[0][name](...args.slice(1));
    if (!MADE.has(name)) throw unknown(name);
    return device[name](...args);
  }

  /** @param {{data: Uint8Array, usage: number, label?: string}} what */
  filled({ data, ...rest }) {
    const buffer = this.device.createBuffer({
      ...rest,
      size: Math.max(4 * Math.ceil(data.length / 4), 4),
      mappedAtCreation: true,
    });
    new Uint8Array(buffer.getMappedRange()).set(data);
    buffer.unmap();
    return buffer;
  }

  /** @param {Call} call */
  bundle([, form, calls]) {
    const encoder = this.device.createRenderBundleEncoder(this.heard(form));
    this.play(encoder, calls);
    return encoder.finish();
  }

  /**
   * Make calls on a pass or a bundle; those of pipelines that are not there yet are left out.
   * @param {any} on
   * @param {Call[]} calls
   */
  play(on, calls) {
    let there = true;
    for (const [name, ...args] of calls) {
      if (name === "setPipeline") there = !this.late.has(args[0].$);
      const waits = name === "setBindGroup" ? this.late.has(args[1].$) : !there && !AT_ONCE.has(name);
      if (waits) continue;
      if (!CALLS.has(name)) throw unknown(name);
      const said = args.map((one) => this.heard(one));
      const nothing = said[1] === 0 && (name === "draw" || name === "drawIndexed"); // of which browsers warn
      if (name === "dispatchWorkgroups" && (said[0] === 0 || said[1] === 0)) continue;
      if (!nothing) on[name](...said);
    }
  }

  /**
   * Submit the work of a section.
   * @param {Call[]} calls
   */
  submit(calls) {
    for (const [, ...all] of calls) {
      const buffers = all.map((commands) => {
        const encoder = this.device.createCommandEncoder();
        for (const command of commands) this.record(encoder, command);
        return encoder.finish();
      });
      this.device.queue.submit(buffers);
    }
  }

  /**
   * @param {any} encoder
   * @param {Call} command
   */
  record(encoder, [name, ...args]) {
    if (name === "compute") {
      this.play(encoder.beginComputePass(), args[0]);
    } else if (name === "render") {
      this.play(encoder.beginRenderPass(this.heard(args[1])), args[0]);
    } else if (COPIES.has(name)) {
      encoder[name](...args.map((one) => this.heard(one)));
    } else {
      throw unknown(name);
    }
  }

  /**
   * Write and submit what is done once.
   * @param {Call[]} calls
   */
  async start(calls) {
    const { device, pack } = this;
    for (const call of calls) {
      const [name, ...args] = call;
      if (name === "submit") {
        this.submit([call]);
      } else if (name === "writeBuffer") {
        device.queue.writeBuffer(this.made[args[0].$], args[1], pack.blob(args[2].bytes));
      } else if (name === "writeTexture" && pack.coding(args[1].bytes) === "webp") {
        await this.copyPicture(args[1].bytes, this.heard(args[0]), args[3]);
      } else if (name === "writeTexture") {
        device.queue.writeTexture(this.heard(args[0]), pack.blob(args[1].bytes), args[2], args[3]);
      } else {
        throw unknown(name);
      }
    }
  }

  /** Let go of all pictures that were decoded. */
  async closePictures() {
    for (const picture of this.pictures.values()) (await picture).close();
    this.pictures.clear();
  }

  /**
   * @param {number} blob
   * @param {any} into
   * @param {number[]} size
   */
  async copyPicture(blob, into, size) {
    const source = await /** @type {Promise<ImageBitmap>} */ (this.pictures.get(blob));
    this.device.queue.copyExternalImageToTexture({ source }, { ...into, premultipliedAlpha: false }, size);
  }

  /**
   * Have all pictures decoded that some calls write; a browser does several at a time.
   * @param {Call[]} calls
   */
  decode(calls) {
    for (const [name, , data] of calls) {
      if (name !== "writeTexture" || this.pack.coding(data.bytes) !== "webp" || this.pictures.has(data.bytes)) continue;
      const file = new Blob([new Uint8Array(this.pack.stored(data.bytes))], { type: "image/webp" });
      const decoded = createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
      decoded.catch(() => {}); // whoever waits for it hears of it
      this.pictures.set(data.bytes, decoded);
    }
  }

  /**
   * What a value of the pack stands for on this device.
   * @param {any} value
   * @returns {any}
   */
  heard(value) {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map((one) => this.heard(one));
    if ("$" in value) return this.made[value.$];
    if ("bytes" in value) return this.pack.blob(value.bytes);
    if ("?" in value) return this.number(value);
    /** @type {Record<string, any>} */
    const said = {};
    for (const [key, item] of Object.entries(value)) {
      const heard = this.heard(item);
      said[key] = key === "resource" && heard instanceof GPUBuffer ? { buffer: heard } : heard;
    }
    return said;
  }

  /** @param {{"?": string, over?: number, in?: number}} named */
  number({ "?": name, over = 1, in: among = 1 }) {
    const value = this.numbers[name];
    if (value === undefined) throw unknown(name);
    return name === "width" || name === "height" ? Math.ceil(Math.max(Math.floor(value / over), 1) / among) : value;
  }
}

/** @param {string} name  of a call or a number */
function unknown(name) {
  return new PageError(`The pack asks for '${name}', which this page does not know. Load the page again.`);
}

/**
 * Whether a call names the size of the picture, or one of these things.
 * @param {any} value
 * @param {Set<number>} stale
 * @param {boolean} sized
 * @returns {boolean}
 */
function goesWith(value, stale, sized) {
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some((one) => goesWith(one, stale, sized));
  if ("$" in value) return stale.has(value.$);
  if ("?" in value) return sized && (value["?"] === "width" || value["?"] === "height");
  return Object.values(value).some((one) => goesWith(one, stale, sized));
}
