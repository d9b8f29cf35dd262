// @ts-check
// Reads packs: pack.py says what they contain.

import { whole } from "./half.js";
import { isSound } from "./sound.js";

/** @typedef {[number, number, "raw" | "planes" | "deltas" | "halves" | "webp", number]} Place */
/** @typedef {any[]} Call */

/** What is wrong with a pack or a browser, in a sentence for whoever looks at the page. */
export class PageError extends Error {}

/** A sentence about any error, for whoever looks at the page. @param {unknown} error */
export function sentenceOf(error) {
  if (error instanceof PageError) return error.message;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return `The plant cannot be shown: its pack is damaged or of another version than this page. Load the page again, or write it again with: windflower web. (${name}: ${message})`;
}

const MAGIC = "WFPACK01";

/** A scene as data. */
export class Pack {
  /**
   * @param {any} header
   * @param {Uint8Array} bytes
   */
  constructor(header, bytes) {
    this.header = header;
    this.bytes = bytes;
  }

  /**
   * A pack from the bytes of its file.
   * @param {ArrayBuffer} file
   */
  static async of(file) {
    const all = await unzipped(file);
    const start = MAGIC.length + 4;
    if (all.length < start || new TextDecoder().decode(all.subarray(0, MAGIC.length)) !== MAGIC) {
      throw new PageError("This is not a pack of Windflower. Write it again with: windflower web.");
    }
    const length = new DataView(all.buffer, all.byteOffset).getUint32(MAGIC.length, true);
    const header = parsed(new TextDecoder().decode(all.subarray(start, start + length)));
    const bytes = all.subarray(start + length);
    if (!isSound(header)) throw damaged();
    const end = header.blobs.reduce(
      (/** @type {number} */ most, /** @type {Place} */ [at, size]) => Math.max(most, at + size),
      0,
    );
    if (bytes.length < end) throw damaged();
    return new Pack(header, bytes);
  }

  /** Names of the shaders that it needs. @returns {string[]} */
  get shaders() {
    const made = this.header.things.filter((/** @type {Call} */ call) => call[0] === "createShaderModule");
    return [...new Set(made.map((/** @type {Call} */ call) => String(call[1].shader)))];
  }

  /**
   * How a blob is coded.
   * @param {number} number
   */
  coding(number) {
    return this.place(number)[2];
  }

  /**
   * The bytes of a blob as they are in the file.
   * @param {number} number
   */
  stored(number) {
    const [at, size] = this.place(number);
    return this.bytes.subarray(at, at + size);
  }

  /**
   * The bytes of a blob.
   * @param {number} number
   * @returns {Uint8Array<ArrayBuffer>}
   */
  blob(number) {
    const [, , coding, size] = this.place(number);
    const stored = this.stored(number);
    const bytes = new Uint8Array(size);
    if (coding === "raw") {
      bytes.set(stored);
      return bytes;
    }
    if (coding === "halves") {
      restore(stored, new Float32Array(bytes.buffer));
      return bytes;
    }
    const words = size / 4;
    for (let plane = 0; plane < 4; plane++) {
      for (let word = 0; word < words; word++) bytes[4 * word + plane] = stored[plane * words + word];
    }
    if (coding === "deltas") {
      const values = new Uint32Array(bytes.buffer);
      for (let word = 1; word < words; word++) values[word] += values[word - 1];
    }
    return bytes;
  }

  /**
   * @param {number} number
   * @returns {Place}
   */
  place(number) {
    const place = this.header.blobs[number];
    if (!place) throw damaged();
    return place;
  }
}

/**
 * Floats from half floats and their scale.
 * @param {Uint8Array} stored
 * @param {Float32Array} values
 */
function restore(stored, values) {
  const [scale] = new Float32Array(stored.slice(0, 4).buffer);
  const low = stored.subarray(4);
  const high = low.subarray(values.length);
  for (let at = 0; at < values.length; at++) values[at] = whole(low[at] | (high[at] << 8)) / scale;
}

/** @param {ArrayBuffer} file */
async function unzipped(file) {
  try {
    const stream = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw damaged();
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged();
  }
}

function damaged() {
  return new PageError(
    "The pack is damaged or cut short. Load the page again, or write it again with: windflower web.",
  );
}
