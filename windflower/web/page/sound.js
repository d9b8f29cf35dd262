// @ts-check
// Whether a pack's header is one that this page can play: a damaged one must get a sentence, and not keep the browser busy.
//
// What is wrong with values that only the device sees, the device says. Here stands what loops of the page end by, what
// room is made for, and what forms lists and tables must have.

/** @typedef {import("./pack.js").Call} Call */

const TABLES = ["sections", "labels", "layouts", "motion", "camera", "frame", "light", "wind", "sward", "first"];
const SECTIONS = ["start", "step", "frame"];
const CODINGS = new Set(["raw", "planes", "deltas", "halves", "webp"]);
const LARGEST = 2 ** 28; // bytes of a blob

/**
 * Whether the page can play what a header says.
 * @param {any} header
 */
export function isSound(header) {
  try {
    return hasForm(header) && endsItsLoops(header);
  } catch {
    return false; // something that should have parts is nothing
  }
}

/** @param {any} header */
function hasForm(header) {
  const { things, sections, blobs, labels, layouts } = header;
  return (
    TABLES.every((name) => isTable(header[name])) &&
    SECTIONS.every((name) => name in sections) &&
    isCalls(things) &&
    Object.values(sections).every(isCalls) &&
    blobs.every(isPlace) &&
    Object.values(labels).every((some) => isList(some, (one) => isCount(one, things.length))) &&
    Object.values(layouts).every(({ size, fields }) => isCount(size, 4096) && isTable(fields)) &&
    isCount(header.picture, things.length) &&
    ["spared", "pictures"].every((name) => isList(header.first[name], (one) => isCount(one, things.length))) &&
    Object.entries(header.first.plain).every(([number, entries]) => isTable(entries) && isTable(things[number][1])) &&
    Array.isArray(header.hands)
  );
}

/** @param {any} header */
function endsItsLoops({ motion, wind, sward }) {
  const { train } = wind;
  const gusts = train === null ? wind.gusts : [train, ...wind.gusts];
  return (
    isWithin(motion.dt, 1e-4, 0.1) &&
    isWithin(motion.most, 1, 64) &&
    isList(motion.loops, ([number, , period]) => Number.isInteger(number) && period > 0) &&
    isList(wind.speeds, (speed) => isWithin(speed, 0, 100)) &&
    wind.speeds.length > 0 &&
    isWithin(wind.pace, 1e-3, 10) &&
    gusts.every((/** @type {any} */ one) => isWithin(one.duration, 0, 1e3) && isWithin(one.width, 0.1, 1e4)) &&
    (train === null ||
      (isWithin(train.spacing, 0.1, 1e4) && isCount(train.lanes, 1e4) && isCount(train.intervals, 1e5))) &&
    sward.populations.every((/** @type {any} */ { layers, until }) => {
      const few = isList(layers, ([side, reach]) => isWithin(side, 0.1, 1e3) && isWithin(reach, 0, 100 * side));
      return few && isList(until, Number.isFinite);
    })
  );
}

/** @param {any} value */
function isTable(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {any} value
 * @param {(item: any) => boolean} each
 */
function isList(value, each) {
  return Array.isArray(value) && value.every(each);
}

/** Lists of calls, which begin with their name. @param {any} value */
function isCalls(value) {
  return isList(value, (call) => Array.isArray(call) && typeof call[0] === "string");
}

/** Where a blob is: no larger than what is stored of it can hold, but for pictures, of which the decoder says it. @param {any} place */
function isPlace(place) {
  if (!Array.isArray(place)) return false;
  const [at, stored, coding, size] = place;
  const known = isCount(at, 2 ** 32) && isCount(stored, LARGEST) && isCount(size, LARGEST) && CODINGS.has(coding);
  if (!known || coding === "webp") return known;
  return coding === "halves" ? stored === 4 + size / 2 : stored === size;
}

/** @param {any} value @param {number} end */
function isCount(value, end) {
  return Number.isInteger(value) && value >= 0 && value < end;
}

/** @param {any} value @param {number} least @param {number} most */
function isWithin(value, least, most) {
  return Number.isFinite(value) && value >= least && value <= most;
}
