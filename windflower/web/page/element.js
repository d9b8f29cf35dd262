// @ts-check
// <windflower-plant src="birch.pack" wind="5" direction="270" hour="14.5" controls>: a plant in live wind.
//
// wind is in m/s at 10 m ("5", "5m/s") or a Beaufort number ("b3"), direction where it comes from in degrees, hour the
// time of day; `paused` and `strain` are there or not. `fallback` is a video, and `poster` a picture, for browsers
// without WebGPU; the picture also stands there until the plant plays. With `lazy` the plant is loaded when it comes into
// view, rests out of it, and lets the page scroll. Another `src` is another plant.

import { Controls } from "./controls.js";
import { leadByKeys } from "./keys.js";
import { PageError, sentenceOf } from "./pack.js";
import { Player } from "./player.js";
import { leadPointer } from "./pointer.js";
import { FASTEST, speedOf } from "./settings.js";
import { bytesOf, shadersOf } from "./source.js";
import { STYLE } from "./style.js";

const SHARPEST = 1.5; // pixels of the picture for one of the page, at most
const SOON = 20_000; // ms that a plant must play for its device to be asked for again if that is lost again
const CALMEST = 0.05; // m/s; below that there is no wind

export class WindflowerPlant extends HTMLElement {
  static observedAttributes = ["src", "wind", "direction", "hour", "paused", "strain"];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    this.canvas = root.appendChild(document.createElement("canvas"));
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.message = root.appendChild(document.createElement("p"));
    this.message.setAttribute("role", "status");
    /** @type {Player | undefined} */
    this.player = undefined;
    /** @type {HTMLImageElement | HTMLVideoElement | undefined} */
    this.standIn = undefined;
    /** @type {IntersectionObserver | undefined} */
    this.watcher = undefined;
    /** @type {Controls | undefined} */
    this.controls = undefined;
    /** Whether it is out of view. */
    this.away = false;
    /** Whether it stands in a page, and its plant has been asked for. */
    this.begun = false;
    /** Rest with its page, or go on. */
    this.rests = () => this.apply();
    /** When it began to be shown, ms. */
    this.since = 0;
    /** Whether it was opened anew because its device was lost. */
    this.reopened = false;
    /** Number of times that it was opened or closed. */
    this.opened = 0;
    const scrolls = (/** @type {WheelEvent} */ event) => {
      if (this.hasAttribute("lazy") && !document.fullscreenElement) event.stopImmediatePropagation();
    };
    this.canvas.addEventListener("wheel", scrolls, { capture: true });
    leadPointer(this.canvas, () => this.player);
    leadByKeys(this, this.canvas);
  }

  connectedCallback() {
    this.begun = true;
    document.addEventListener("visibilitychange", this.rests);
    this.begin();
  }

  disconnectedCallback() {
    this.begun = false;
    document.removeEventListener("visibilitychange", this.rests);
    this.end();
  }

  /** Open the plant, at once or when it comes into view. */
  begin() {
    this.message.textContent = "";
    this.standBy(document.createElement("img"), this.getAttribute("poster"));
    if (!this.hasAttribute("lazy")) return void this.open();
    this.watcher = new IntersectionObserver((entries) => this.come(entries[entries.length - 1].isIntersecting));
    this.watcher.observe(this);
  }

  /** Close what was opened, and give its device back. */
  end() {
    this.opened += 1;
    this.watcher?.disconnect();
    this.controls?.remove();
    this.player?.close();
    this.player = this.controls = undefined;
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
    shown.ariaLabel = shown instanceof HTMLVideoElement ? "A film of the plant" : "A picture of the plant";
    shown.src = source;
    this.shadowRoot?.prepend(shown);
    this.canvas.hidden = true;
  }

  /** Load the pack and play it; say what is wrong, if anything is. */
  async open() {
    const number = ++this.opened;
    this.message.textContent = "Loading…";
    try {
      this.fit();
      const load = () => bytesOf(this.getAttribute("src") ?? "", document.baseURI);
      const player = await Player.open(this.canvas, load, (names) => shadersOf(names, this.source));
      if (number !== this.opened) return player.close();
      this.show(player);
    } catch (error) {
      if (number === this.opened) this.fail(error);
    }
  }

  /** Show a plant that plays; what stands in for it stays until its first picture is there. @param {Player} player */
  show(player) {
    this.player = player;
    this.since = performance.now();
    this.standIn?.classList.add("waiting");
    this.canvas.hidden = false;
    const { title } = player.scene.header;
    this.canvas.ariaLabel = `${title}, in live wind. Arrow keys go round it, plus and minus nearer and farther, Home back; Space stops it.`;
    this.apply();
    if (this.hasAttribute("controls")) this.controls = new Controls(this, player);
    void player.device.lost.then(({ message }) => {
      if (this.player === player) this.lose(message);
    });
    player.play(
      () => this.fit(),
      () => this.reveal(),
      (error) => this.fail(error),
    );
  }

  /** The first picture is there. */
  reveal() {
    this.message.textContent = "";
    this.standIn?.remove();
    this.dispatchEvent(new Event("ready"));
  }

  /**
   * Open the plant once more where its device is gone, as after a driver's update or a phone's long rest; not again and
   * again, where a driver cannot play it.
   * @param {string} message
   */
  lose(message) {
    const again = this.reopened && performance.now() - this.since < SOON;
    this.reopened = true;
    if (again) return this.fail(new PageError(`The graphics device was lost. Load the page again. (${message})`));
    this.end();
    this.begin();
  }

  /** Address of the pack, beside which its shaders are. */
  get source() {
    return new URL(this.getAttribute("src") ?? "", document.baseURI).href;
  }

  /** Say what went wrong, and show the film of the plant instead. @param {unknown} error */
  fail(error) {
    this.end();
    this.message.textContent = sentenceOf(error);
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
    const box = this.canvas.hidden ? this : this.canvas;
    const wanted = [box.clientWidth, box.clientHeight].map((side) => Math.max(16, Math.round(side * sharp)));
    if (wanted[0] === width && wanted[1] === height) return;
    [this.canvas.width, this.canvas.height] = wanted;
    if (this.player) this.player.stale = true;
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} now
   */
  attributeChangedCallback(name, before, now) {
    if (name !== "src") return this.apply();
    if (before === now || !this.begun) return; // a page's own element gets its attributes before it is connected
    this.end();
    this.begin();
  }

  /** Take over what the attributes say. */
  apply() {
    const scene = this.player?.scene;
    if (!scene || !this.player) return;
    const { wind, daylight } = scene;
    const said = (/** @type {string} */ name, /** @type {number} */ usual, read = Number.parseFloat) => {
      const value = read(this.getAttribute(name) ?? "");
      return Number.isFinite(value) ? value : usual;
    };
    const asked = Math.min(said("wind", wind.facts.speed, speedOf), FASTEST);
    const speed = asked < CALMEST ? 0 : asked;
    const direction = said("direction", wind.facts.direction);
    if (scene.feelsWind && (speed !== wind.speed || direction !== wind.direction)) wind.blow(speed, direction);
    const hour = Math.min(Math.max(said("hour", daylight.facts.hour), 0), 24);
    if (hour !== daylight.hour) daylight.setHour(hour);
    scene.paintStrain(this.hasAttribute("strain")).catch((error) => this.player?.scene === scene && this.fail(error));
    this.player.paused = this.hasAttribute("paused") || this.away || document.hidden;
    this.player.stale = true;
  }
}

customElements.define("windflower-plant", WindflowerPlant);
