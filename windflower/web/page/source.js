// @ts-check
// Files of the page: from beside it, or from within it where the page is a single file.

import { PageError } from "./pack.js";

/**
 * The bytes of a file.
 * @param {string} name
 * @param {string} base  address that names are relative to
 */
export async function bytesOf(name, base) {
  const inside = within(name);
  if (inside !== null) return Uint8Array.from(atob(inside.trim()), (letter) => letter.charCodeAt(0)).buffer;
  return (await fetched(name, base)).arrayBuffer();
}

/**
 * The texts of shaders by their names.
 * @param {string[]} names
 * @param {string} base  address that names are relative to
 */
export async function shadersOf(names, base) {
  const texts = names.map(async (name) => within(`shaders/${name}`) ?? (await fetched(`shaders/${name}`, base)).text());
  const found = await Promise.all(texts);
  return new Map(names.map((name, at) => [name, found[at]]));
}

/** What the page itself has of a file. @param {string} name */
function within(name) {
  const block = document.querySelector(`script[data-file="${CSS.escape(name)}"]`);
  return block === null ? null : (block.textContent ?? "");
}

/**
 * @param {string} name
 * @param {string} base
 */
async function fetched(name, base) {
  const answer = await fetch(new URL(name, base)).catch(() => null);
  if (answer?.ok) return answer;
  const local = location.protocol === "file:";
  const remedy = local
    ? "A browser lets a page read files beside it only from a server: run python -m http.server in its folder, or write one file with windflower web --single."
    : "Copy it beside the page.";
  throw new PageError(`The page needs the file ${name}, and it could not be read. ${remedy}`);
}
