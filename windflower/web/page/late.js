// @ts-check
// What a first picture does without: hands, ground cover and strain, whose pipelines are made while it is already seen.

/** @typedef {import("./pack.js").Call} Call */

const FIRST = ["start", "step", "frame"];
const SIZES = new Set(["width", "height"]);

/**
 * Numbers of things that may come later: pipelines of work that is done as often as the page says, or not in the first
 * picture, and what is made of these.
 * @param {{things: Call[], sections: Record<string, Call[]>}} header
 */
export function lateThings({ things, sections }) {
  /** @type {Set<number>} */
  const soon = new Set();
  for (const [name, ...all] of FIRST.flatMap((section) => sections[section])) {
    if (name === "submit") all.forEach((commands) => findSoon(commands, soon));
  }
  for (const [name, , calls] of things) if (name === "createRenderBundle") findInPass(calls, soon);
  /** @type {Set<number>} */
  const late = new Set();
  for (const [number, call] of things.entries()) {
    const isPipeline = call[0] === "createComputePipeline" || call[0] === "createRenderPipeline";
    if (isPipeline ? !soon.has(number) : namesOneOf(call, late)) late.add(number);
  }
  return late;
}

/**
 * @param {Call[]} commands  of a command buffer
 * @param {Set<number>} soon
 */
function findSoon(commands, soon) {
  for (const [name, calls] of commands) if (name === "compute" || name === "render") findInPass(calls, soon);
}

/**
 * @param {Call[]} calls  of a pass or a bundle
 * @param {Set<number>} soon  pipelines of work that is always done
 */
function findInPass(calls, soon) {
  let pipeline = -1;
  for (const [name, ...args] of calls) {
    if (name === "setPipeline") pipeline = args[0].$;
    else if (/^(draw|dispatch)/.test(name) && !args.some(isNamed)) soon.add(pipeline);
  }
}

/** Whether the page says how large a number is, and not the size of the picture. @param {any} value */
function isNamed(value) {
  return typeof value === "object" && value !== null && "?" in value && !SIZES.has(value["?"]);
}

/**
 * @param {any} value
 * @param {Set<number>} numbers
 * @returns {boolean}
 */
function namesOneOf(value, numbers) {
  if (value === null || typeof value !== "object") return false;
  if ("$" in value) return numbers.has(value.$);
  return Object.values(value).some((one) => namesOneOf(one, numbers));
}
