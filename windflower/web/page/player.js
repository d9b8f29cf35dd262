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
   * @param {number} loaded  when all files were there, ms
   */
  constructor(canvas, device, scene, loaded) {
    this.canvas = canvas;
    this.device = device;
    this.scene = scene;
    this.loaded = loaded;
    this.paused = false;
    this.closed = false;
    /** Whether there is something new to see though the motion is paused. */
    this.stale = true;
    /** Number of frames so far. */
    this.shown = 0;
    /** Whether all is made, and not only what a first picture needs. */
    this.whole = false;
    /** @type {Promise<void> | null} */
    this.completes = null;
    /** What the device refused, if anything. @type {PageError | null} */
    this.trouble = null;
    this.context = /** @type {GPUCanvasContext} */ (canvas.getContext("webgpu"));
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      this.trouble ??= new PageError(
        `The graphics driver refuses to draw this plant. Load the page again, or write it again with: windflower web. (${event.error.message})`,
      );
    });
    this.now = 0;
    /** Time that is less than a step, s. */
    this.owed = 0;
  }

  /**
   * Open a device and make a scene on it.
   * @param {HTMLCanvasElement} canvas
   * @param {() => Promise<ArrayBuffer>} load  the file of the pack
   * @param {(names: string[]) => Promise<Map<string, string>>} shaders  texts of shaders by their names
   */
  static async open(canvas, load, shaders) {
    if (!navigator.gpu)
      throw new PageError(
        "This browser has no WebGPU, which live plants need. Chrome, Edge and Safari 26 have it; a page has it only if it comes by https, from this computer, or as a file.",
      );
    const file = load();
    file.catch(() => {}); // whoever waits for it hears of it
    const device = await openDevice();
    try {
      const pack = await Pack.of(await file);
      const texts = await shaders(pack.shaders);
      const loaded = performance.now();
      const scene = new LiveScene(device, pack, (name) => texts.get(name) ?? "");
      const player = new Player(canvas, device, scene, loaded);
      await scene.start(canvas.width, canvas.height);
      return player;
    } catch (error) {
      device.destroy();
      throw error;
    }
  }

  /**
   * Play until closed.
   * @param {() => void} each  called before each frame
   * @param {() => void} seen  called when the first picture is there
   * @param {(error: unknown) => void} failed  called when it cannot go on
   */
  play(each, seen, failed) {
    this.context.configure({
      device: this.device, // here, for one that was opened in vain must not take the canvas from another
      format: "rgba8unorm",
      usage: GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT,
    });
    const frame = async (/** @type {number} */ milliseconds) => {
      if (this.closed) return;
      try {
        each();
        await this.frame(milliseconds / 1000);
        if (this.closed) return;
        if (this.shown && !this.completes) {
          performance.measure("windflower first picture", { start: this.loaded });
          seen();
          this.completes = this.complete().catch(fails);
        }
        requestAnimationFrame(frame);
      } catch (error) {
        fails(error);
      }
    };
    const fails = (/** @type {unknown} */ error) => void (this.closed || failed(error));
    requestAnimationFrame(frame);
  }

  /**
   * Go on to a time, s, and draw what is new.
   * @param {number} now
   */
  async frame(now) {
    const gone = Math.min(now - (this.now || now), LONGEST);
    this.now = now;
    if (!this.paused && this.scene.stages.canMove) this.advance(gone);
    if (!this.paused || this.stale) this.draw();
    await this.device.queue.onSubmittedWorkDone(); // a slow device falls behind no further than a frame
    if (this.trouble) throw this.trouble;
  }

  /** Make what the first picture did without, once it is seen. */
  async complete() {
    const { stages } = this.scene;
    while (!stages.whole) {
      await stages.next();
      this.stale = true;
    }
    this.whole = true;
    performance.measure("windflower whole", { start: this.loaded });
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
    encoder.copyTextureToTexture({ texture: this.scene.picture }, { texture: this.context.getCurrentTexture() }, [
      width,
      height,
    ]);
    this.device.queue.submit([encoder.finish()]);
    this.shown += 1;
    this.stale = false;
  }

  /** Stop, and give the device back. */
  close() {
    this.closed = true;
    this.device.destroy();
  }
}

/** A device with the limits that every browser has. */
async function openDevice() {
  const adapter = await navigator.gpu.requestAdapter();
  if (adapter) return adapter.requestDevice();
  throw new PageError(
    "This browser finds no graphics card for WebGPU, which live plants need. Update the graphics driver, or try another browser.",
  );
}
