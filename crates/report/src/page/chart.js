// A canvas that keeps its size, its colors and its sharpness, and shows what is under the pointer.

/** On paper, charts are drawn for this width and scaled to the sheet. */
const PRINT_WIDTH = 760;
const PRINT_RATIO = 2;
const chartRegistry = {};

/** How many dots of a canvas make a pixel of the page. */
function pixelRatio() {
  return printing ? PRINT_RATIO : devicePixelRatio;
}

function chartFont(weight = "normal") {
  return `${weight} 12px ${getComputedStyle(document.body).fontFamily}`;
}

/** Gives a canvas its size in dots, and a context that counts in pixels of the page. */
function prepareCanvas(canvas, width, height) {
  const ratio = pixelRatio();
  const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  canvas.style.height = printing ? "auto" : `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = chartFont();
  return context;
}

/** Pointer and keys on a chart. */
function listenToChart(canvas, { hover, leave, click, keys = {} }) {
  const place = (event) => {
    const frame = canvas.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  canvas.addEventListener("pointermove", (event) => {
    const found = hover?.(...place(event));
    if (found) tooltip.show(event.clientX, event.clientY, found);
    else tooltip.hide();
  });
  canvas.addEventListener("pointerleave", () => {
    tooltip.hide();
    leave?.();
  });
  if (click) canvas.addEventListener("click", (event) => click(...place(event)));
  canvas.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(event);
  });
}

/**
 * A chart on a canvas. `draw(context, width, height)` paints it; `hover(x, y)` tells what is
 * there, as `{ title, rows }`; `keys` maps names of keys to functions; `read()` gives the
 * numbers that are shown, for tests and consoles.
 */
function canvasChart({ id, label, height, draw, read, ...actions }) {
  const canvas = html("canvas", {
    id,
    tabindex: 0,
    role: "application",
    "aria-roledescription": "chart",
    "aria-label": label,
  });
  const box = html("div", { class: "chart" }, canvas);
  const chart = { canvas, box, width: 0, redraw, read, paints: 0, paintNow };
  let waiting = false;
  let visible = false;
  let stale = true;

  function paint() {
    waiting = false;
    const width = printing ? PRINT_WIDTH : box.clientWidth;
    if (width === 0) return;
    stale = false;
    chart.width = width;
    const tall = typeof height === "function" ? height(width) : height;
    draw(prepareCanvas(canvas, width, tall), width, tall);
    chart.paints++;
  }

  function redraw() {
    stale = true;
    if (printing) paint();
    else if (visible && !waiting) {
      waiting = true;
      requestAnimationFrame(paint);
    }
  }

  /** Paints the picture immediately, on the screen or not. */
  function paintNow() {
    if (stale) paint();
  }

  listenToChart(canvas, actions);
  // What is not on the screen is painted when it gets there, so a long page opens immediately.
  new IntersectionObserver(
    ([entry]) => {
      visible = entry.isIntersecting;
      if (visible && stale) redraw();
    },
    { rootMargin: "200px" },
  ).observe(box);
  new ResizeObserver(redraw).observe(box);
  onRepaint(redraw);
  canvas.style.height = `${typeof height === "function" ? 200 : height}px`;
  chartRegistry[id] = chart;
  return chart;
}

/** A horizontal axis of times under a plot. */
function drawTimeAxis(context, { x, y, width, low, high }) {
  const { unit, places } = timeTicks(low, high, Math.max(2, width / 90));
  const { muted, line } = colors();
  context.strokeStyle = line;
  context.fillStyle = muted;
  context.textBaseline = "top";
  context.textAlign = "center";
  context.beginPath();
  for (const [index, { at, label }] of places.entries()) {
    const place = x + ((at - low) / (high - low)) * width;
    context.moveTo(place, y);
    context.lineTo(place, y + 4);
    const text = index === places.length - 1 ? `${label}${NARROW_SPACE}${unit}` : label;
    const half = context.measureText(text).width / 2;
    context.fillText(text, Math.min(place, x + width - half), y + 7);
  }
  context.stroke();
}
