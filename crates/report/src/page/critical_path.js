// What the predicted time is made of.

const STRIP_FRAME = { left: 8, right: 8, top: 4, bottom: 28 };
const STATE_NOUNS = [
  "computing",
  "sending",
  "receiving",
  "waiting",
  "collective",
  "synchronizing",
  "network",
  "holding",
];

function describeSegment(index) {
  const { unit, element, state, start_s: starts, end_s: ends } = data.critical_path;
  return {
    title: `${elementName(element[index])}: ${STATE_TITLES[state[index]]}`,
    rows: [
      [threads === 1 ? "Process" : "Process.thread", unitName(unit[index])],
      ["From", formatTime(starts[index], 7)],
      ["For", formatTime(ends[index] - starts[index])],
    ],
  };
}

/** The path as one bar, in time. */
function pathStrip() {
  const path = data.critical_path;
  const end = data.run.predicted_time_s;
  // A picture of one row: the path is drawn as the records of a single unit are.
  const records = {
    units: [0],
    offsets: [0, path.unit.length],
    start_s: path.start_s,
    end_s: path.end_s,
  };
  const picture = document.createElement("canvas");
  const plotWidth = (width) => width - STRIP_FRAME.left - STRIP_FRAME.right;
  const segmentAt = (x) => {
    const time = ((x - STRIP_FRAME.left) / plotWidth(chart.width)) * end;
    const index = firstAbove(path.end_s, 0, path.end_s.length, time);
    return index < path.unit.length && time >= 0 ? index : -1;
  };
  const chart = canvasChart({
    id: "critical-path",
    label: "The critical path in time, colored by what happens on it.",
    height: 72,
    draw(context, width, height) {
      const palette = colors();
      const wide = Math.max(1, Math.round(plotWidth(width) * pixelRatio()));
      picture.width = wide;
      picture.height = 1;
      const target = picture.getContext("2d");
      const image = target.createImageData(wide, 1);
      rasterize(
        image,
        records,
        { r0: 0, r1: 1, t0: 0, t1: end },
        path.state,
        STATES.map((name) => channels(palette[name])),
        channels(palette.background),
      );
      target.putImageData(image, 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(
        picture,
        STRIP_FRAME.left,
        STRIP_FRAME.top,
        plotWidth(width),
        height - STRIP_FRAME.top - STRIP_FRAME.bottom,
      );
      drawTimeAxis(context, {
        x: STRIP_FRAME.left,
        y: height - STRIP_FRAME.bottom + 2,
        width: plotWidth(width),
        low: 0,
        high: end,
      });
    },
    hover: (x) => {
      const index = segmentAt(x);
      return index < 0 ? null : describeSegment(index);
    },
    click: (x) => showInDrawing(data.elements[path.element[segmentAt(x)]]),
    read: () => path.parts.map((part) => ({ ...part })),
  });
  chart.box.append(
    canvasExports("critical-path", "Critical path", chart, () => ({
      heads: ["unit", "element", "state", "start_s", "end_s"],
      rows: Array.from(path.unit, (unit, index) => [
        unitName(unit),
        elementName(path.element[index]),
        STATES[path.state[index]],
        path.start_s[index],
        path.end_s[index],
      ]),
    })),
  );
  return chart.box;
}

function pathTable() {
  const { parts } = data.critical_path;
  const whole = data.run.predicted_time_s || 1;
  const longest = maximum(parts.map((part) => part.total_s)) || 1;
  const unit = timeColumn(longest);
  const columns = [
    {
      title: "Element",
      value: (part) => elementName(part.element),
      element: (part) => data.elements[part.element],
    },
    { title: "What", value: (part) => STATE_NOUNS[part.state] },
    {
      title: "Segments",
      numeric: true,
      value: (part) => part.count,
      cell: (part) => formatCount(part.count),
    },
    {
      title: `Time (${unit.name})`,
      numeric: true,
      value: (part) => part.total_s,
      cell: (part) => unit.format(part.total_s),
    },
    {
      title: "Share",
      numeric: true,
      value: (part) => part.total_s / whole,
      cell: (part) => [
        formatPercent(part.total_s / whole),
        bar(part.total_s / longest, STATES[part.state]),
      ],
    },
    ...placeColumns((part) => data.elements[part.element]),
  ];
  return sortableTable({
    id: "path-table",
    caption: "What the critical path is made of",
    columns,
    rows: parts,
    sort: 3,
  }).node;
}

function criticalPathView() {
  const path = data.critical_path;
  if (!path || path.unit.length === 0) return null;
  const whole = data.run.predicted_time_s || 1;
  const times = new Float64Array(STATES.length);
  for (const part of path.parts) times[part.state] += part.total_s;
  const present = STATES.map((name, state) => [
    name,
    STATE_NOUNS[state],
    formatPercent(times[state] / whole),
  ]).filter((_, state) => times[state] > 0);
  return section(
    "critical-path-section",
    "Critical path",
    "The chain of elements and messages that had to follow each other: only what is on it " +
      "decides the predicted time.",
    html("div", { class: "controls" }, legend(present)),
    pathStrip(),
    pathTable(),
  );
}
