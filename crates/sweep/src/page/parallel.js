// Parallel coordinates: a line for each point, an axis for each column, ranges that are brushed.

const LINES_MAX = 1000;
const AXIS_LEAST = 84;
const MEASURES_DRAWN = 4;

/** The columns that are drawn: what was varied, and the first results that differ. */
const AXES = [...VARIED, ...MEASURES.filter(isVaried).slice(0, MEASURES_DRAWN)];

/** Where an axis has its values, from the bottom up. */
function axisScale(column, bottom, top) {
  return scaleOf(extent(distinctOf(column)), bottom, top);
}

/** The range of a column's filter, as far as the axis shows it; null without a filter. */
function brushOf(column, scale) {
  const text = filters.get().get(column.id);
  if (text === undefined) return null;
  const range = column.numeric ? filterRange(text) : null;
  if (range) {
    const inside = (value) => Math.min(Math.max(value, scale.low), scale.high);
    return { from: inside(range.from), to: inside(range.to) };
  }
  if (column.measure) return null;
  const test = wordsTest(text);
  const places = column.parameter.values.flatMap((value, place) => (test(value) ? [place] : []));
  return places.length === 0 ? null : { from: places[0], to: places.at(-1) };
}

/** Sets the filter of a column to a range of its axis. */
function brush(column, from, to, scale) {
  const [low, high] = from <= to ? [from, to] : [to, from];
  if (low <= scale.low && high >= scale.high) {
    setFilter(column, "");
    return;
  }
  if (column.numeric) {
    const digits = (value) => String(Number(value.toPrecision(6)));
    setFilter(column, `${digits(low)}..${digits(high)}`);
    return;
  }
  const { values } = column.parameter;
  const chosen = values.slice(Math.ceil(low - 0.5), Math.floor(high + 0.5) + 1);
  setFilter(column, chosen.map((value) => `=${value}`).join("|"));
}

/** A handle at one end of an axis's range, moved by keys. */
function handle(column, scale, end, x, values) {
  const known = brushOf(column, scale) ?? { from: scale.low, to: scale.high };
  const value = known[end];
  const title = end === "from" ? "from" : "to";
  const node = svg("rect", {
    x: x - 9,
    y: scale.at(value) - (end === "from" ? 0 : 6),
    width: 18,
    height: 6,
    rx: 2,
    class: "handle",
    id: `brush-${column.id}-${end}`,
    role: "slider",
    tabindex: 0,
    "aria-label": `${column.name}, ${title}`,
    "aria-orientation": "vertical",
    "aria-valuemin": scale.low,
    "aria-valuemax": scale.high,
    "aria-valuenow": value,
    "aria-valuetext": column.format(value),
  });
  const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
  node.addEventListener("keydown", (event) => {
    let next = null;
    if (event.key in steps) {
      const place = values.findIndex((it) => it >= value - Math.abs(value) * 1e-5);
      const at = Math.min(Math.max(place + steps[event.key], 0), values.length - 1);
      next = values[at];
    } else if (event.key === "Home") next = scale.low;
    else if (event.key === "End") next = scale.high;
    if (next === null) return;
    event.preventDefault();
    const range = { ...known, [end]: next };
    if (range.from > range.to) return;
    brush(column, range.from, range.to, scale);
    const left = plural(shownRows.get().length, "point");
    announce(`${column.name} ${title} ${column.format(next)}. ${left}`);
  });
  return node;
}

/** The places that keys move an end to: the values, or forty of them. */
function keyValues(column, scale) {
  const values = column.parameter ? column.values : [];
  if (values.length > 0 && values.length <= LEVELS_MAX) return Array.from(values);
  const [from, to] = [scale.at(scale.low), scale.at(scale.high)];
  return Array.from({ length: LEVELS_MAX + 1 }, (_, step) =>
    scale.invert(from + ((to - from) * step) / LEVELS_MAX),
  );
}

function axisLabels(column, scale, x) {
  const few = column.parameter && column.count <= 8;
  const ends = column.numeric ? scale.ticks(4) : [scale.low, scale.high];
  const at = few ? Array.from(column.values) : ends;
  return at.map((value) =>
    svg(
      "text",
      { x: x + 7, y: scale.at(value), "dominant-baseline": "central", class: "halo" },
      fitText(column.format(value), AXIS_LEAST - 14),
    ),
  );
}

/** One axis with its title, its labels, its brush and handles. */
function drawAxis(column, x, scale, { top, bottom, room }) {
  const { muted, accent } = colors();
  const range = brushOf(column, scale);
  const area = svg("rect", {
    x: x - 12,
    y: top - 6,
    width: 24,
    height: bottom - top + 12,
    fill: "transparent",
    class: "brush",
  });
  area.addEventListener("pointerdown", (event) => dragBrush(event, column, scale, area));
  return [
    svg("text", { x: x + 3, y: top - 14, class: "axis-title" }, fitText(column.name, room)),
    svg("line", { x1: x, x2: x, y1: top, y2: bottom, stroke: muted }),
    range
      ? svg("rect", {
          x: x - 5,
          y: scale.at(range.to) - 2,
          width: 10,
          height: Math.max(scale.at(range.from) - scale.at(range.to), 0) + 4,
          fill: accent,
          opacity: 0.45,
        })
      : null,
    axisLabels(column, scale, x),
    area,
    handle(column, scale, "from", x, keyValues(column, scale)),
    handle(column, scale, "to", x, keyValues(column, scale)),
  ];
}

/** Follows the pointer until it is lifted: what it passed is the range. */
function dragBrush(event, column, scale, area) {
  const root = area.ownerSVGElement;
  const at = ({ clientY }) => scale.invert(clientY - root.getBoundingClientRect().top);
  const first = at(event);
  event.preventDefault();
  area.setPointerCapture(event.pointerId);
  area.addEventListener(
    "pointerup",
    (up) => {
      const last = at(up);
      if (Math.abs(scale.at(first) - scale.at(last)) < 4) setFilter(column, "");
      else brush(column, first, last, scale);
    },
    { once: true },
  );
}

function drawParallel(root, width) {
  const [top, bottom] = [34, 314];
  const wide = (width - AXIS_LEAST - 8) / Math.max(AXES.length - 1, 1);
  const x = (axis) => 16 + wide * axis;
  const scales = AXES.map((column) => axisScale(column, bottom, top));
  const line = (row) =>
    linePath(AXES.map((column, axis) => [x(axis), scales[axis].at(column.value(row))]));
  const drawn = (rows) =>
    rows.filter((row) => AXES.every((column) => !Number.isNaN(column.value(row))));
  const shade = scaleOf(extent(MEASURES[0].measure.mean), 0.25, 1);
  const shown = shownRows.get();
  const rows = drawn(sampleRows(shown, LINES_MAX));
  const others = shown.length < ROWS ? drawn(sampleRows(allRows(), LINES_MAX / 4)) : [];
  const opacity = Math.max(0.25, Math.min(0.9, 40 / Math.sqrt(rows.length * 20)));
  root.append(
    ...[
      svg("path", {
        d: others.map(line).join(""),
        fill: "none",
        stroke: colors().line,
      }),
      rows.map((row) =>
        svg("path", {
          d: line(row),
          fill: "none",
          stroke: rampColor(shade.at(MEASURES[0].value(row))),
          opacity,
        }),
      ),
      chosenLine(line),
      AXES.map((column, axis) => {
        const room = 0.85 * ((axis === AXES.length - 1 ? AXIS_LEAST : wide) - 12);
        return drawAxis(column, x(axis), scales[axis], { top, bottom, room });
      }),
    ]
      .flat(Infinity)
      .filter(Boolean),
  );
  return bottom + 18;
}

function chosenLine(line) {
  const row = selectedRow.get();
  if (row < 0 || AXES.some((column) => Number.isNaN(column.value(row)))) return null;
  return svg("path", { d: line(row), fill: "none", stroke: colors().text, "stroke-width": 2 });
}

function allRows() {
  return Uint32Array.from({ length: ROWS }, (_, row) => row);
}

function parallelView() {
  if (AXES.length < 2 || MEASURES.length === 0) return null;
  const chart = plot({
    id: "parallel",
    title: "Parallel coordinates",
    active: true,
    least: AXES.length * AXIS_LEAST,
    label: () =>
      `${plural(shownRows.get().length, "point")} as lines over ${AXES.length} axes. Each axis ` +
      "has two handles.",
    draw: drawParallel,
    numbers: () => ({
      heads: ["point", ...AXES.map((column) => column.name)],
      rows: Array.from(shownRows.get(), (row) => [
        table.index[row],
        ...AXES.map((column) => (column.numeric ? column.value(row) : column.text(row))),
      ]),
    }),
  });
  chart.box.classList.add("wide");
  const note = html("p", { class: "meaning" });
  const redraw = () => {
    const focused = chart.root.contains(document.activeElement) ? document.activeElement.id : "";
    const many = shownRows.get().length > LINES_MAX;
    note.textContent = many ? `${formatCount(LINES_MAX)} of the lines are drawn, by chance.` : "";
    chart.redraw();
    // The handle that keys moved is drawn again.
    if (focused !== "") requestAnimationFrame(() => document.getElementById(focused)?.focus());
  };
  shownRows.follow(redraw);
  selectedRow.follow(redraw);
  return section(
    "parallel-view",
    "All parameters and results",
    `A line for each point, stronger where ${MEASURES[0].name} is more; the thick one is the ` +
      "chosen point. Drag along an axis, or move its handles by keys, to keep a range; a click " +
      "on an axis keeps all.",
    filterStatus(),
    chart.box,
    note,
  );
}
