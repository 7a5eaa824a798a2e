// The Gantt chart: a row for each core, a bar for what holds it.

const GANTT_WIDTH = 960;
const GANTT_LABELS = 120;
const GANTT_AXIS = 28;
const OTHER_TASKS = 7;

/** Rows are lower the more there are. */
function laneHeight(lanes) {
  return Math.min(14, Math.max(2, 700 / Math.max(lanes, 1)));
}

function ganttLegend(gantt) {
  const uses = new Set(gantt.color);
  const entries = gantt.types.map((name, index) => [index, name]);
  if (uses.has(OTHER_TASKS)) entries.push([OTHER_TASKS, "other tasks"]);
  if (uses.has(OTHER_TASKS + 1)) entries.push([OTHER_TASKS + 1, "jobs of others"]);
  return html(
    "ul",
    { class: "gantt-legend" },
    entries.map(([color, name]) =>
      html(
        "li",
        {},
        svg("svg", { class: "gantt", width: 12, height: 12 }, ganttRect(0, 0, 12, 12, color)),
        name,
      ),
    ),
  );
}

function ganttRect(x, y, width, height, color) {
  return svg("rect", { x, y, width, height, class: `type${color}` });
}

function ganttHosts(gantt, high) {
  let lane = 0;
  const parts = [];
  for (const [name, lanes] of gantt.hosts) {
    const y = lane * high;
    parts.push(svg("line", { x1: 0, x2: GANTT_WIDTH, y1: y, y2: y, class: "rule" }));
    if (lanes * high >= 9) {
      const shown = name.length > 18 ? `${name.slice(0, 17)}…` : name;
      parts.push(svg("text", { x: 2, y: y + Math.min(lanes * high, 12) - 2 }, shown));
    }
    lane += lanes;
  }
  return parts;
}

function ganttAxis(gantt, scale, y) {
  const { unit, places } = timeTicks(0, gantt.end_s, 8);
  return places.map(({ at, label }, index) => {
    const text = index === places.length - 1 ? `${label}${NARROW_SPACE}${unit}` : label;
    const x = GANTT_LABELS + at * scale;
    return svg("text", { x, y: y + 16, "text-anchor": "middle" }, text);
  });
}

function ganttBars(gantt, scale, high) {
  const gap = high > 5 ? 1 : 0;
  return Array.from(gantt.names, (name, index) => {
    const start = gantt.start_s[index];
    const seconds = gantt.bar_end_s[index] - start;
    const bar = ganttRect(
      GANTT_LABELS + start * scale,
      gantt.lane[index] * high,
      Math.max(seconds * scale, 0.5),
      gantt.count[index] * high - gap,
      gantt.color[index],
    );
    const rows = [
      ["start", formatTime(start)],
      ["time", formatTime(seconds)],
    ];
    bar.addEventListener("pointermove", (event) =>
      tooltip.show(event.clientX, event.clientY, { title: name, rows }),
    );
    bar.addEventListener("pointerleave", tooltip.hide);
    return bar;
  });
}

function ganttView() {
  const { gantt } = data;
  const lanes = gantt.hosts.reduce((total, [, count]) => total + count, 0);
  const high = laneHeight(lanes);
  const height = lanes * high + GANTT_AXIS;
  const scale = (GANTT_WIDTH - GANTT_LABELS - 20) / (gantt.end_s || 1);
  const label = `Tasks by host and core: ${plural(gantt.names.length, "bar")}`;
  const drawing = svg(
    "svg",
    { class: "gantt", viewBox: `0 0 ${GANTT_WIDTH} ${height}`, role: "img", "aria-label": label },
    ganttHosts(gantt, high),
    ganttBars(gantt, scale, high),
    ganttAxis(gantt, scale, lanes * high),
  );
  const numbers = () => ({
    heads: ["name", "row", "rows", "start_s", "end_s"],
    rows: gantt.names.map((name, index) => [
      name,
      gantt.lane[index],
      gantt.count[index],
      gantt.start_s[index],
      gantt.bar_end_s[index],
    ]),
  });
  const exports = drawingExports("gantt", "the chart", drawing, numbers);
  const lead = "Rows are cores; a bar is a task, from its first read to its last write.";
  return section("gantt", "Tasks", lead, ganttLegend(gantt), drawing, exports);
}
