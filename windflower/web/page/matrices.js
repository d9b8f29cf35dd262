// @ts-check
// Vectors of three numbers, and matrices of sixteen, row by row as in the Python code.

/** @typedef {number[]} Vector */
/** @typedef {number[]} Matrix */

/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vector} a @param {number} s @returns {Vector} */
export const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {Vector} a @param {Vector} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vector} a @param {Vector} b @returns {Vector} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vector} a */
export const size = (a) => Math.hypot(a[0], a[1], a[2]);
/** @param {Vector} a */
export const unit = (a) => times(a, 1 / size(a));

/**
 * @param {Matrix} a
 * @param {Matrix} b
 * @returns {Matrix}
 */
export function product(a, b) {
  return Array.from({ length: 16 }, (_, at) => {
    const row = 4 * Math.floor(at / 4);
    const column = at % 4;
    return a[row] * b[column] + a[row + 1] * b[column + 4] + a[row + 2] * b[column + 8] + a[row + 3] * b[column + 12];
  });
}

/** @param {Matrix} m @returns {Matrix} */
export const transposed = (m) => m.map((_, at) => m[4 * (at % 4) + Math.floor(at / 4)]);

/**
 * By elimination with the largest pivot.
 * @param {Matrix} m
 * @returns {Matrix}
 */
export function inverse(m) {
  const rows = [0, 1, 2, 3].map((row) => [
    ...m.slice(4 * row, 4 * row + 4),
    ...[0, 1, 2, 3].map((column) => Number(row === column)),
  ]);
  for (let at = 0; at < 4; at++) {
    let best = at;
    for (let row = at + 1; row < 4; row++) if (Math.abs(rows[row][at]) > Math.abs(rows[best][at])) best = row;
    [rows[at], rows[best]] = [rows[best], rows[at]];
    const pivot = rows[at][at];
    rows[at] = rows[at].map((value) => value / pivot);
    for (let row = 0; row < 4; row++) {
      const share = rows[row][at];
      if (row !== at && share) rows[row] = rows[row].map((value, column) => value - share * rows[at][column]);
    }
  }
  return rows.flatMap((row) => row.slice(4));
}

/**
 * View matrix: world to camera, x right, y up, z backward; the twin of `look_at`.
 * @param {Vector} eye
 * @param {Vector} target
 * @returns {Matrix}
 */
export function lookAt(eye, target) {
  const back = unit(minus(eye, target));
  const helper = Math.abs(back[1]) < 0.999 ? [0, 1, 0] : [0, 0, -1];
  const right = unit(cross(helper, back));
  const up = cross(back, right);
  return [...right, -dot(right, eye), ...up, -dot(up, eye), ...back, -dot(back, eye), 0, 0, 0, 1];
}

/**
 * Projection with reversed depth; the twin of `perspective`.
 * @param {number} fieldOfView  degrees
 * @param {number} aspect
 * @param {number} near  m
 * @returns {Matrix}
 */
export function perspective(fieldOfView, aspect, near) {
  const f = 1 / Math.tan((fieldOfView * Math.PI) / 360);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, 0, near, 0, 0, -1, 0];
}

/**
 * Matrix of the shadow map, and the size of a texel, m; the twin of `shadow_projection`.
 * @param {Vector} sun
 * @param {number[]} bounds  middle, radius and height, m
 * @param {number} texels
 * @returns {{matrix: Matrix, texel: number}}
 */
export function shadowProjection(sun, [x, y, z, radius, height], texels) {
  const texel = (2 * radius) / texels;
  const view = lookAt(sun, [0, 0, 0]);
  const at = [0, 1, 2].map((row) => dot(view.slice(4 * row, 4 * row + 3), [x, y, z]));
  const [right, up] = at.slice(0, 2).map((value) => rounded(value / texel) * texel);
  const depth = 2 * (radius + height);
  const row = (/** @type {number} */ number, /** @type {number} */ factor) =>
    view.slice(4 * number, 4 * number + 3).map((value) => value * factor);
  const matrix = [
    ...row(0, 1 / radius),
    -right / radius,
    ...row(1, 1 / radius),
    -up / radius,
    ...row(2, -1 / depth),
    at[2] / depth + 0.5,
    0,
    0,
    0,
    1,
  ];
  return { matrix, texel };
}

/** To the nearest whole number, halves to the even one, as NumPy rounds. @param {number} x */
function rounded(x) {
  const below = Math.floor(x);
  const part = x - below;
  if (part !== 0.5) return Math.round(x);
  return below % 2 === 0 ? below : below + 1;
}
