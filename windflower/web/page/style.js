// @ts-check
// How the element looks.

export const STYLE = `
:host { display: flex; flex-direction: column; position: relative; overflow: hidden; background: #b9c7cf; font: 15px/1.4 system-ui, sans-serif;
  --ink: #1d2a22; --bar: #f4f6f3; --button: #fff; --line: #3d6b45; --mark: #e4efe2; color: var(--ink); color-scheme: light dark; }
canvas, video, img { flex: 1; min-height: 0; width: 100%; height: 100%; display: block; object-fit: cover; }
canvas { touch-action: none; cursor: grab; }
:host([lazy]) canvas { touch-action: pan-y; }
.waiting { position: absolute; inset: 0; }
canvas:active { cursor: grabbing; }
canvas:focus-visible { outline: 3px solid var(--line); outline-offset: -3px; }
[hidden] { display: none !important; }
p { position: absolute; inset: auto 0 0 0; margin: 0; padding: 0.8em 1.2em; background: var(--bar); }
p:empty { display: none; }
.controls { z-index: 1; max-height: 60%; overflow-y: auto; box-sizing: border-box; display: flex; flex-wrap: wrap; gap: 0.4em 1.4em; align-items: center;
  padding: 0.5em 1em calc(0.5em + env(safe-area-inset-bottom)); background: var(--bar); }
.controls label { display: flex; flex-direction: column; flex: 1 1 9.5em; min-width: 0; font-size: 13px; }
.controls label:first-child { flex-basis: 18em; }
.controls span { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-weight: 600; }
output { font-weight: 400; font-variant-numeric: tabular-nums; }
.controls input { width: 100%; height: 26px; margin: 0; accent-color: var(--line); cursor: pointer; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.4em; }
button { font: inherit; font-size: 14px; min-height: 36px; padding: 0 0.8em; border: 1px solid var(--line); border-radius: 0.5em; background: var(--button);
  color: inherit; cursor: pointer; }
button:hover, button:focus-visible { background: var(--mark); }
button:focus-visible, input:focus-visible { outline: 2px solid var(--line); outline-offset: 2px; }
button[aria-pressed="true"] { background: var(--line); color: var(--button); }
.unfold { position: absolute; right: 0.7em; bottom: calc(0.7em + env(safe-area-inset-bottom)); opacity: 0.8; }
.unfold:hover, .unfold:focus-visible { opacity: 1; }
@media (pointer: coarse) {
  button { min-height: 44px; }
  .controls input { height: 36px; }
}
@media (max-width: 640px) {
  .controls { gap: 0.3em 1em; padding-inline: 0.8em; }
  .controls label { flex-basis: 40%; }
  .controls label:first-child { flex-basis: 100%; }
  .buttons { width: 100%; }
  .buttons button { flex: 1 1 22%; padding: 0 0.3em; }
}
@media (prefers-color-scheme: dark) {
  :host { --ink: #e8ede9; --bar: #1b231d; --button: #2a352d; --line: #8fc29a; --mark: #38493d; background: #2b3338; }
}
`;
