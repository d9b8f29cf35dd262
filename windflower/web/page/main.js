// @ts-check
import { Player } from "./player.js";
const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector("canvas"));
try {
  const file = await (await fetch("scene.pack")).arrayBuffer();
  const shaders = async (/** @type {string[]} */ names) =>
    new Map(await Promise.all(names.map(async (name) => /** @type {[string, string]} */ ([name, await (await fetch(`shaders/${name}`)).text()]))));
  const player = await Player.open(canvas, file, shaders);
  Object.assign(window, { windflower: player });
  player.draw();
} catch (error) {
  document.body.append(String(error.stack));
  throw error;
}
