// @ts-check
// Numbers of 16 bits, as textures have them.

const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/**
 * The bits of the half float nearest to a number, ties to even; what is too small becomes 0.
 * @param {number} value
 */
export function half(value) {
  FLOAT[0] = value;
  const bits = BITS[0];
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  if (exponent <= 0) return sign | tiny(bits & 0x7fffff, exponent);
  if (exponent >= 31) return sign | 0x7c00;
  const rest = bits & 0x1fff;
  const whole = (exponent << 10) | ((bits & 0x7fffff) >>> 13);
  const up = rest > 0x1000 || (rest === 0x1000 && (whole & 1) === 1);
  return sign | (whole + Number(up));
}

/**
 * @param {number} mantissa
 * @param {number} exponent
 */
function tiny(mantissa, exponent) {
  return exponent < -10 ? 0 : Math.round((mantissa | 0x800000) / 2 ** (14 - exponent));
}

/** Numbers by their bits, once somebody has asked. @type {Float32Array | null} */
let known = null;

/**
 * The number that has these bits.
 * @param {number} bits
 */
export function whole(bits) {
  known ??= Float32Array.from({ length: 2 ** 16 }, (_, at) => computed(at));
  return known[bits];
}

/** @param {number} bits */
function computed(bits) {
  const exponent = (bits >>> 10) & 31;
  const mantissa = bits & 1023;
  const size = exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}
