// @ts-check
// Structs that shaders read, written field by field; where each field lies, the pack says.

/** @typedef {{size: number, fields: Record<string, [number, string, number]>}} Layout */

export class Records {
  /**
   * @param {Layout} layout
   * @param {number} count
   */
  constructor(layout, count = 1) {
    this.layout = layout;
    this.count = count;
    this.bytes = new ArrayBuffer(4 * layout.size * count);
    this.floats = new Float32Array(this.bytes);
    this.words = new Uint32Array(this.bytes);
  }

  /**
   * Set fields of one of them.
   * @param {number} index
   * @param {Record<string, number | ArrayLike<number>>} fields
   */
  set(index, fields) {
    for (const [name, value] of Object.entries(fields)) {
      const [offset, kind] = this.layout.fields[name];
      const into = kind === "f" ? this.floats : this.words;
      const at = this.layout.size * index + offset;
      if (typeof value === "number") into[at] = value;
      else into.set(value, at);
    }
  }
}
