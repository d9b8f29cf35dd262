// @ts-check
// <windflower-plant src="birch.pack" wind="5" direction="270" hour="14.5" controls>: a plant in live wind.
//
// wind is in m/s at 10 m, direction where it comes from in degrees, hour the time of day. `fallback` is a video, and
// `poster` a picture, for browsers without WebGPU; the picture also stands there until the plant plays. With `lazy` the
// plant is loaded when it comes into view, rests out of it, and lets the page scroll.

import { controlsOf } from "./controls.js";
import { Player } from "./player.js";
import { leadPointer } from "./pointer.js";
import { bytesOf, shadersOf } from "./source.js";
import { STYLE } from "./style.js";

const SHARPEST = 1.5; // pixels of the picture for one of the page, at most

export class WindflowerPlant extends HTMLElement {
  static observedAttributes = ["wind", "direction", "hour", "paused", "strain"];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    this.canvas = root.appendChild(document.createElement("canvas"));
    this.message = root.appendChild(document.createElement("p"));
    this.message.setAttribute("role", "status");
    /** @type {Player | undefined} */
    this.player = undefined;
    /** @type {HTMLImageElement | HTMLVideoElement | undefined} */
    this.standIn = undefined;
    /** @type {IntersectionObserver | undefined} */
    this.watcher = undefined;
    /** Whether it is out of view. */
    this.away = false;
    const scrolls = (/** @type {WheelEvent} */ event) => {
      if (this.hasAttribute("lazy") && !document.fullscreenElement) event.stopImmediatePropagation();
    };
    this.canvas.addEventListener("wheel", scrolls, { capture: true });
    leadPointer(this.canvas, () => this.player);
  }

  connectedCallback() {
    this.standBy(document.createElement("img"), this.getAttribute("poster"));
    if (!this.hasAttribute("lazy")) return void this.open();
    this.watcher = new IntersectionObserver(([entry]) => this.come(entry.isIntersecting));
    this.watcher.observe(this);
  }

  /** Come into view, or go out of it. @param {boolean} seen */
  come(seen) {
    this.away = !seen;
    if (seen && !this.message.textContent && !this.player) void this.open();
    this.apply();
  }

  /**
   * Show a picture or a film in place of the plant.
   * @param {HTMLImageElement | HTMLVideoElement} shown
   * @param {string | null} source
   */
  standBy(shown, source) {
    if (!source) return;
    this.standIn?.remove();
    this.standIn = shown;
    shown.src = source;
    this.shadowRoot?.prepend(shown);
    this.canvas.hidden = true;
  }

  disconnectedCallback() {
    this.watcher?.disconnect();
    this.player?.close();
    this.player = undefined;
  }

  /** Load the pack and play it; say what is wrong, if anything is. */
  async open() {
    this.message.textContent = "Loading…";
    try {
      this.fit();
      const file = await bytesOf(this.getAttribute("src") ?? "", document.baseURI);
      const player = await Player.open(this.canvas, file, (names) => shadersOf(names, this.source));
      if (!this.isConnected) return player.close();
      this.player = player;
      this.message.textContent = "";
      this.standIn?.remove();
      this.canvas.hidden = false;
      this.apply();
      if (this.hasAttribute("controls")) this.shadowRoot?.append(controlsOf(this, player));
      player.device.lost.then(
        ({ reason, message }) =>
          reason === "destroyed" ||
          this.fail(new Error(`The graphics device was lost: ${message}. Load the page again.`)),
      );
      player.play(() => this.fit());
      this.dispatchEvent(new Event("ready"));
    } catch (error) {
      this.fail(/** @type {Error} */ (error));
    }
  }

  /** Address of the pack, beside which its shaders are. */
  get source() {
    return new URL(this.getAttribute("src") ?? "", document.baseURI).href;
  }

  /** Say what went wrong, and show the film of the plant instead. @param {Error} error */
  fail(error) {
    this.message.textContent = error.message;
    const [film, poster] = ["fallback", "poster"].map((name) => this.getAttribute(name));
    this.canvas.hidden = true;
    const video = Object.assign(document.createElement("video"), {
      muted: true,
      loop: true,
      autoplay: true,
      playsInline: true,
      poster: poster ?? "",
    });
    this.standBy(film ? video : document.createElement("img"), film ?? poster);
    this.dispatchEvent(new Event("failed"));
  }

  /** Have as many pixels as the page gives room for. */
  fit() {
    const sharp = Math.min(devicePixelRatio, SHARPEST);
    const { width, height } = this.canvas;
    const wanted = [this.clientWidth, this.clientHeight].map((side) => Math.max(16, Math.round(side * sharp)));
    if (wanted[0] === width && wanted[1] === height) return;
    [this.canvas.width, this.canvas.height] = wanted;
    if (this.player) this.player.stale = true;
  }

  attributeChangedCallback() {
    this.apply();
  }

  /** Take over what the attributes say. */
  apply() {
    const scene = this.player?.scene;
    if (!scene || !this.player) return;
    const { wind, daylight } = scene;
    const said = (/** @type {string} */ name, /** @type {number} */ usual) => {
      const value = Number.parseFloat(this.getAttribute(name) ?? "");
      return Number.isFinite(value) ? value : usual;
    };
    const speed = Math.min(Math.max(said("wind", wind.facts.speed), 0), 40);
    const direction = said("direction", wind.facts.direction);
    if (speed !== wind.speed || direction !== wind.direction) wind.blow(speed, direction);
    const hour = Math.min(Math.max(said("hour", daylight.facts.hour), 0), 24);
    if (hour !== daylight.hour) daylight.setHour(hour);
    scene.paintStrain(this.hasAttribute("strain"));
    this.player.paused = this.hasAttribute("paused") || this.away;
    this.player.stale = true;
  }
}

customElements.define("windflower-plant", WindflowerPlant);
