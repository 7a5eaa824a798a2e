// Drawings that are as wide as their place, follow the colors, and can be saved.

const MARKERS = ["circle", "square", "triangle", "diamond", "cross", "plus", "down", "bar"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "", "7 3", "2 3", "9 3 2 3"];
const KINDS = MARKERS.length;

/** A small sign at a place, another one for each series: colors are not all that tells them. */
function marker(kind, x, y, color, size = 4) {
  const s = size;
  const path = {
    circle: `M${-s} 0A${s} ${s} 0 1 0 ${s} 0A${s} ${s} 0 1 0 ${-s} 0Z`,
    square: `M${-s} ${-s}H${s}V${s}H${-s}Z`,
    triangle: `M0 ${-s * 1.3}L${s * 1.2} ${s}H${-s * 1.2}Z`,
    diamond: `M0 ${-s * 1.4}L${s * 1.4} 0L0 ${s * 1.4}L${-s * 1.4} 0Z`,
    cross: `M${-s} ${-s}L${s} ${s}M${-s} ${s}L${s} ${-s}`,
    plus: `M${-s * 1.2} 0H${s * 1.2}M0 ${-s * 1.2}V${s * 1.2}`,
    down: `M0 ${s * 1.3}L${s * 1.2} ${-s}H${-s * 1.2}Z`,
    bar: `M0 ${-s * 1.5}V${s * 1.5}`,
  }[MARKERS[kind % KINDS]];
  const open = ["cross", "plus", "bar"].includes(MARKERS[kind % KINDS]);
  return svg("path", {
    d: path,
    transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`,
    fill: open ? "none" : color,
    stroke: open ? color : colors().background,
    "stroke-width": open ? 2 : 1,
  });
}

/** The color of a series, and of its sign. */
function seriesColor(place) {
  return colors()[`kind${place % KINDS}`];
}

function linePath(points) {
  return points
    .map(([x, y], index) => `${index === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`)
    .join("");
}

/** A text that is cut to about a width in pixels. */
function fitText(text, pixels) {
  const most = Math.max(2, Math.floor(pixels / 7));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Texts along a horizontal axis, without those that would touch the one before. */
function horizontalAxis(places, y, format) {
  let free = -Infinity;
  const { line } = colors();
  return places.map(([value, x]) => {
    const text = format(value);
    const half = text.length * 3.6 + 4;
    const mark = svg("line", { x1: x, x2: x, y1: y, y2: y + 4, stroke: line });
    if (x - half < free) return mark;
    free = x + half;
    return [mark, svg("text", { x, y: y + 17, "text-anchor": "middle" }, text)];
  });
}

/** Texts along a vertical axis, with lines across. */
function verticalAxis(places, left, right, format) {
  const { line } = colors();
  return places.map(([value, y]) => [
    svg("line", { x1: left, x2: right, y1: y, y2: y, stroke: line }),
    svg(
      "text",
      { x: left - 6, y, "text-anchor": "end", "dominant-baseline": "central" },
      format(value),
    ),
  ]);
}

/** The names of series in rows that fit the width; gives the nodes and their height. */
function seriesLegend(names, width) {
  let [x, y] = [8, 10];
  const nodes = names.map((name, place) => {
    const text = fitText(name, Math.min(width - 40, 260));
    const wide = 30 + text.length * 7;
    if (x + wide > width && x > 8) [x, y] = [8, y + 18];
    const color = seriesColor(place);
    const node = [
      svg("line", {
        x1: x,
        x2: x + 20,
        y1: y,
        y2: y,
        stroke: color,
        "stroke-width": 2,
        "stroke-dasharray": DASHES[place % KINDS],
      }),
      marker(place, x + 10, y, color),
      svg("text", { x: x + 26, y, "dominant-baseline": "central" }, text),
    ];
    x += wide + 10;
    return node;
  });
  return { nodes, height: y + 12 };
}

/**
 * A chart as a drawing. `draw(root, width)` appends to it and returns the height; `label()` tells
 * it in words; `numbers()` gives its numbers as `{ heads, rows }`. A chart that is `active` has
 * parts that take keys; one that is not `least` pixels wide scrolls.
 */
function plot({ id, title, label, draw, numbers, active, least = 0 }) {
  const root = svg("svg", { id, class: "plot", role: active ? "group" : "img" });
  const box = html("div", { class: "chart" }, root);
  const chart = { id, box, root, redraw, read: numbers };
  let [visible, stale, waiting] = [false, true, false];

  function paint() {
    waiting = false;
    const room = printing ? PRINT_WIDTH : Math.round(box.clientWidth);
    if (room === 0) return;
    const width = Math.max(room, least);
    root.style.width = width > room ? `${width}px` : "";
    stale = false;
    root.replaceChildren();
    const height = draw(root, width);
    root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    root.setAttribute("height", height);
    root.setAttribute("aria-label", label());
  }

  function redraw() {
    stale = true;
    if (printing) paint();
    else if (visible && !waiting) {
      waiting = true;
      requestAnimationFrame(paint);
    }
  }

  // What is not on the screen is painted when it gets there, so a long page opens immediately.
  new IntersectionObserver(
    ([entry]) => {
      visible = entry.isIntersecting;
      if (visible && stale) redraw();
    },
    { rootMargin: "200px" },
  ).observe(box);
  let width = 0;
  new ResizeObserver(() => {
    if (box.clientWidth === width) return;
    width = box.clientWidth;
    redraw();
  }).observe(box);
  onRepaint(redraw);
  root.setAttribute("aria-label", title);
  root.setAttribute("height", 240);
  box.append(drawingExports(id, title, root, numbers));
  plots[id] = chart;
  return chart;
}

const PRINT_WIDTH = 700;
const plots = {};

/** Shows what a node is under the pointer, and does something at a click. */
function hoverable(node, describe, click) {
  node.addEventListener("pointermove", (event) => {
    tooltip.show(event.clientX, event.clientY, describe());
  });
  node.addEventListener("pointerleave", () => tooltip.hide());
  if (click) node.addEventListener("click", click);
  return node;
}
