// @ts-check
// Plays a scene on a canvas: opens the device, keeps time, and shows each frame.

import { LiveScene } from "./live.js";
import { Pack, PageError } from "./pack.js";

const LONGEST = 0.25; // s of motion that a late frame makes good

export class Player {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {GPUDevice} device
   * @param {LiveScene} scene
   */
  constructor(canvas, device, scene) {
    this.canvas = canvas;
    this.device = device;
    this.scene = scene;
    this.paused = false;
    this.shown = 0;
    this.context = /** @type {GPUCanvasContext} */ (canvas.getContext("webgpu"));
    this.context.configure({ device, format: "rgba8unorm", usage: GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT });
    /** Time of the page that the scene has come to, s. */
    this.now = 0;
    this.owed = 0;
  }

  /**
   * Open a device and make a scene on it.
   * @param {HTMLCanvasElement} canvas
   * @param {ArrayBuffer} file  of the pack
   * @param {(names: string[]) => Promise<Map<string, string>>} shaders  texts of shaders by their names
   */
  static async open(canvas, file, shaders) {
    const pack = await Pack.of(file);
    const device = await openDevice();
    /** @type {string[]} */
    const names = pack.header.things.filter((/** @type {any[]} */ call) => call[0] === "createShaderModule").map((/** @type {any[]} */ call) => call[1].shader);
    const texts = await shaders([...new Set(names)]);
    const scene = new LiveScene(device, pack, (name) => texts.get(name) ?? missing(name));
    const player = new Player(canvas, device, scene);
    await scene.start(canvas.width, canvas.height);
    return player;
  }

  /** Play until paused or closed. */
  play() {
    const frame = (/** @type {number} */ milliseconds) => {
      const now = milliseconds / 1000;
      const gone = Math.min(now - (this.now || now), LONGEST);
      this.now = now;
      if (!this.paused) this.advance(gone);
      this.draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  /**
   * Go on by some seconds, in whole steps.
   * @param {number} seconds
   */
  advance(seconds) {
    const { dt } = this.scene.header.motion;
    this.owed += seconds;
    const steps = Math.floor(this.owed / dt);
    this.owed -= steps * dt;
    this.scene.step(steps);
  }

  /** Draw the scene and show it. */
  draw() {
    const { width, height } = this.canvas;
    this.scene.draw(width, height);
    const encoder = this.device.createCommandEncoder();
    encoder.copyTextureToTexture({ texture: this.scene.picture }, { texture: this.context.getCurrentTexture() }, [width, height]);
    this.device.queue.submit([encoder.finish()]);
    this.shown += 1;
  }
}

/** A device with the limits that every browser has. */
async function openDevice() {
  if (!navigator.gpu) {
    throw new PageError("This browser has no WebGPU, which live plants need. Chrome, Edge and Safari 26 have it, and Firefox on Windows and macOS.");
  }
  const adapter = await navigator.gpu.requestAdapter();
  if (!adapter) throw new PageError("This browser has WebGPU, but found no graphics card for it. Update the graphics driver, or try another browser.");
  return adapter.requestDevice();
}

/** @param {string} name @returns {never} */
function missing(name) {
  throw new PageError(`The shader ${name} is missing beside the page. Write the page again with: windflower web.`);
}
