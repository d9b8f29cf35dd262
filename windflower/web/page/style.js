// @ts-check
// How the element looks.

export const STYLE = `
:host { display: flex; flex-direction: column; position: relative; overflow: hidden; background: #b9c7cf; color: #1d2a22;
  font: 15px/1.4 system-ui, sans-serif; }
canvas, video, img { flex: 1; min-height: 0; width: 100%; height: 100%; display: block; object-fit: cover; touch-action: none; cursor: grab; }
:host([lazy]) canvas { touch-action: pan-y; }
canvas:active { cursor: grabbing; }
canvas[hidden] { display: none; }
p { position: absolute; inset: auto 0 0 0; margin: 0; padding: 0.8em 1.2em; background: #fffd; }
p:empty { display: none; }
.controls { position: absolute; left: 0; right: 0; bottom: 0; display: flex; flex-wrap: wrap; gap: 0.5em 1.4em; align-items: end;
  padding: 0.7em 1em calc(0.7em + env(safe-area-inset-bottom)); background: #fffc; backdrop-filter: blur(6px); }
.controls label { display: flex; flex-direction: column; flex: 1 1 10em; font-size: 13px; }
.controls input { width: 100%; margin: 0.2em 0; accent-color: #3d6b45; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.4em; }
button { font: inherit; font-size: 14px; padding: 0.45em 0.9em; border: 1px solid #3d6b45; border-radius: 0.5em; background: #fff; color: inherit; cursor: pointer; }
button:hover, button:focus-visible { background: #e4efe2; }
@media (max-width: 640px) {
  .controls { gap: 0.2em 1em; }
  .controls label { flex-basis: 40%; }
  button { padding: 0.6em 0.8em; }
}
`;
