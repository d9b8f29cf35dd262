// @ts-check
// The camera: it goes round a target.

import { cross, lookAt, minus, perspective, plus, product, size, times, unit } from "./matrices.js";

const LOWEST = 0.15; // m above the ground
const STEEPEST = 1.5; // rad

export class Camera {
  /** @param {import("./pack.js").Pack} pack */
  constructor(pack) {
    const { eye, target, field_of_view: fieldOfView, near } = pack.header.camera;
    this.home = { eye, target };
    this.fieldOfView = fieldOfView;
    this.near = near;
    /** @type {number[]} */
    this.target = target;
    this.distance = 1;
    this.azimuth = 0;
    this.elevation = 0;
    this.reset();
  }

  /** Go back to where the pack has it. */
  reset() {
    const { eye, target } = this.home;
    const away = minus(eye, target);
    this.target = [...target];
    this.distance = size(away);
    this.azimuth = Math.atan2(away[0], away[2]);
    this.elevation = Math.asin(away[1] / this.distance);
  }

  /** Where it is, m. */
  get eye() {
    const level = Math.cos(this.elevation);
    const away = [Math.sin(this.azimuth) * level, Math.sin(this.elevation), Math.cos(this.azimuth) * level];
    const eye = plus(this.target, times(away, this.distance));
    return [eye[0], Math.max(eye[1], LOWEST), eye[2]];
  }

  /**
   * Turn by angles, rad.
   * @param {number} around
   * @param {number} up
   */
  turn(around, up) {
    this.azimuth -= around;
    const lowest = Math.asin(Math.max(-1, Math.min((LOWEST - this.target[1]) / this.distance, 1)));
    this.elevation = Math.min(Math.max(this.elevation + up, lowest), STEEPEST);
  }

  /**
   * Go nearer or farther away, by a factor on the distance.
   * @param {number} factor
   */
  zoom(factor) {
    const first = size(minus(this.home.eye, this.home.target));
    this.distance = Math.min(Math.max(this.distance * factor, first / 20), first * 4);
    this.turn(0, 0);
  }

  /**
   * The ray through a point of the picture, from -1 to 1 to the right and up, that is so high in pixels of the page.
   * @param {number[]} place
   * @param {number} aspect
   * @param {number} height
   */
  ray([right, up], aspect, height) {
    const { eye } = this;
    const forward = unit(minus(this.target, eye));
    const aside = unit(cross(forward, [0, 1, 0]));
    const half = Math.tan((this.fieldOfViewFor(aspect) * Math.PI) / 360);
    const beside = plus(times(aside, right * aspect * half), times(cross(aside, forward), up * half));
    return { eye, forward, direction: unit(plus(forward, beside)), pixel: (2 * half) / height };
  }

  /**
   * View-projection matrix for a picture of this shape, width over height. In a tall picture the view is as wide as it
   * would be in a square one.
   * @param {number} aspect
   */
  projection(aspect) {
    return product(perspective(this.fieldOfViewFor(aspect), aspect, this.near), lookAt(this.eye, this.target));
  }

  /** Vertical field of view, degrees. @param {number} aspect */
  fieldOfViewFor(aspect) {
    if (aspect >= 1) return this.fieldOfView;
    const half = Math.tan((this.fieldOfView * Math.PI) / 360);
    return (Math.atan(half / Math.max(aspect, 0.6)) * 360) / Math.PI;
  }
}
