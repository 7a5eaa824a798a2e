// Moves the space-time diagram forty times and tells how long the frames took.

const canvas = document.getElementById("timeline");
const key = (name) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
const loaded = performance.getEntriesByType("navigation")[0].domComplete;
const frames = [];
let last = 0;
let whole = 0;

function next(now) {
  if (last > 0) frames.push(now - last);
  last = now;
  if (frames.length === 1) {
    whole = report.read("timeline").raster_ms;
    key("+");
    key("PageUp");
  }
  if (frames.length < 40) {
    key(frames.length % 2 === 0 ? "ArrowRight" : "ArrowLeft");
    requestAnimationFrame(next);
    return;
  }
  frames.sort((a, b) => a - b);
  const { seen, raster_ms: part } = report.read("timeline");
  done({ loaded, median: frames[20], worst: frames[39], whole, part, seen });
}

canvas.scrollIntoView();
canvas.focus();
setTimeout(() => requestAnimationFrame(next), 500);
