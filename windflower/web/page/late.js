// @ts-check
// What a first picture does without, and what is made after it, while it is already seen: first what plants move by, then
// hands, ground cover, clouds and strain. The sky and the ground are drawn by plain shaders until then.

/** @typedef {import("./pack.js").Call} Call */
/** @typedef {{spared: number[], plain: Record<string, Record<string, string>>, pictures: number[]}} First  see first.py */

const SEEN = ["start", "frame"];
const MOVED = [...SEEN, "step"];
const SIZES = new Set(["width", "height"]);

/**
 * Numbers of things that come later, in the order in which they are made: what motion needs, and then the rest. Late are
 * pipelines of work that is not done in the first picture, and what is made of these.
 * @param {{things: Call[], sections: Record<string, Call[]>, first: First}} header
 * @returns {Set<number>[]}
 */
export function stagesOf(header) {
  const [unseen, rest] = [SEEN, MOVED].map((sections) => lateThings(header, sections));
  return [new Set([...unseen].filter((number) => !rest.has(number))), rest];
}

/**
 * Numbers of things that the work of some sections does without.
 * @param {{things: Call[], sections: Record<string, Call[]>, first: First}} header
 * @param {string[]} done
 */
function lateThings({ things, sections, first }, done) {
  /** @type {Set<number>} */
  const soon = new Set();
  for (const [name, ...all] of done.flatMap((section) => sections[section])) {
    if (name === "submit") all.forEach((commands) => findSoon(commands, soon));
  }
  for (const [name, , calls] of things) if (name === "createRenderBundle") findInPass(calls, soon);
  for (const number of first.spared) soon.delete(number);
  const modules = new Set([...soon].flatMap((number) => modulesOf(things[number])));
  /** @type {Set<number>} */
  const late = new Set();
  for (const [number, call] of things.entries()) {
    if (isLate(number, call, soon, modules) || namesOneOf(call, late)) late.add(number);
  }
  return late;
}

/**
 * Whether something is a pipeline that comes late, or a shader that only such ones need.
 * @param {number} number
 * @param {Call} call
 * @param {Set<number>} soon
 * @param {Set<number>} modules  of those that come soon
 */
function isLate(number, [name], soon, modules) {
  if (name === "createShaderModule") return !modules.has(number);
  return (name === "createComputePipeline" || name === "createRenderPipeline") && !soon.has(number);
}

/** Numbers of the shaders of a pipeline. @param {Call} pipeline */
function modulesOf([, { compute, vertex, fragment }]) {
  return [compute, vertex, fragment].filter(Boolean).map((stage) => Number(stage.module.$));
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
