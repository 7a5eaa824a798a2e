// Colors come from the style sheet, so that canvases follow light, dark and print.

const COLOR_NAMES = [
  "background",
  "surface",
  "text",
  "muted",
  "line",
  "accent",
  "path",
  "compute",
  "communication",
  "wait",
  "hold",
  "send",
  "receive",
  "collective",
  "synchronize",
  "network",
  "processing",
  "sending",
  "receiving",
  "waiting",
  "remaining",
  "kind0",
  "kind1",
  "kind2",
  "kind3",
  "kind4",
  "kind5",
  "kind6",
  "kind7",
  "other",
  "ramp0",
  "ramp1",
  "ramp2",
  "ramp3",
  "ramp4",
];

let knownColors = null;

function colors() {
  if (knownColors) return knownColors;
  const style = getComputedStyle(document.documentElement);
  knownColors = {};
  for (const name of COLOR_NAMES) knownColors[name] = style.getPropertyValue(`--${name}`).trim();
  return knownColors;
}

/** `#rrggbb` as three numbers. */
function channels(color) {
  return [1, 3, 5].map((place) => parseInt(color.slice(place, place + 2), 16));
}

/** The color of a share in 0..1 on the ramp from little to much, as three numbers. */
function rampChannels(share) {
  const stops = [0, 1, 2, 3, 4].map((index) => channels(colors()[`ramp${index}`]));
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(place), stops.length - 2);
  const part = place - low;
  return stops[low].map((value, index) => value + (stops[low + 1][index] - value) * part);
}

function rampColor(share) {
  return `rgb(${rampChannels(share).map(Math.round).join(" ")})`;
}

/** Black or white, whichever reads better on a color (luminance as in WCAG 2). */
function inkOn(rgb) {
  const [r, g, b] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000000" : "#ffffff";
}

const repaints = [];
let printing = false;

/** Calls `repaint` when colors change: another scheme, or before and after printing. */
function onRepaint(repaint) {
  repaints.push(repaint);
}

function repaintAll() {
  knownColors = null;
  for (const repaint of repaints) repaint();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaintAll);
for (const [event, state] of [
  ["beforeprint", true],
  ["afterprint", false],
]) {
  addEventListener(event, () => {
    printing = state;
    document.documentElement.classList.toggle("printing", state);
    repaintAll();
  });
}
